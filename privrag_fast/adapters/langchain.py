"""LangChain: their retrievers under this layer, this layer under their retrievers and chains."""

# mypy: disable-error-code="import-not-found,misc,untyped-decorator"

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from privrag_fast import privacy
from privrag_fast.pipeline import PrivateRag
from privrag_fast.types import Detector, Hit, Passage, ProviderError, SafeText

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError as error:
    raise ProviderError("this adapter needs langchain-core: pip install langchain-core") from error


class LangChainRetriever:
    """A `Retriever` of this package over one of LangChain's.

    >>> rag = open_rag(LangChainRetriever(store.as_retriever()))  # doctest: +SKIP
    """

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        """Its first `k` documents; LangChain tells no scores, so that hits score by rank."""
        documents = self._retriever.invoke(query)[:k]
        return [Hit(_passage(own), 1 / rank) for rank, own in enumerate(documents, start=1)]


class PrivateRetriever(BaseRetriever):
    """A LangChain retriever that hands another one the query without its values.

    `style` is what stands in their place: see `privrag_fast.privacy.Style`.

    >>> PrivateRetriever(retriever=store.as_retriever(), detector=detector)  # doctest: +SKIP
    """

    retriever: BaseRetriever
    detector: Any  # a `Detector`; pydantic cannot check protocols that it has not made
    style: privacy.Style = privacy.DEFAULT_STYLE

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        documents: list[Document] = self.retriever.invoke(
            _abstracted(query, self.detector, self.style),
            config={"callbacks": run_manager.get_child()},
        )
        return documents


class PrivateRunnable(Runnable[str, str]):
    """A chain from a message to its restored answer; a conversation for each session.

    The session is `config["configurable"]["session_id"]`; without one, each message is a
    conversation of its own.

    >>> chain = PrivateRunnable(rag)  # doctest: +SKIP
    >>> chain.invoke("...", {"configurable": {"session_id": "42"}})  # doctest: +SKIP
    """

    def __init__(self, rag: PrivateRag) -> None:
        self._rag = rag

    def invoke(self, input: str, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002
        """The answer."""
        return self._rag.conversation(_session(config)).answer(input).text

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002
        """The answer."""
        return (await self._rag.conversation(_session(config)).aanswer(input)).text

    def stream(
        self,
        input: str,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> Iterator[str]:
        """The answer in pieces."""
        return self._rag.conversation(_session(config)).stream(input)

    def astream(
        self,
        input: str,  # noqa: A002
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> AsyncIterator[str]:
        """The answer in pieces."""
        return self._rag.conversation(_session(config)).astream(input)


def _abstracted(query: str, detector: Detector, style: privacy.Style) -> SafeText:
    [entities] = detector.detect([query])
    return privacy.abstract_found(query, entities, style)


def _passage(document: Document) -> Passage:
    """A document without an id is told by its source and text: in two searches it is the same."""
    text = document.page_content
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    told = {key: str(document.metadata.get(key, "")) for key in ("title", "section", "source")}
    return Passage(id=document.id or f"{told['source']}#{digest}", text=text, **told)


def _session(config: RunnableConfig | None) -> str | None:
    session = ((config or {}).get("configurable") or {}).get("session_id")
    return None if session is None else str(session)
