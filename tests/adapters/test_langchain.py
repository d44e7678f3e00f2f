from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from privrag_fast.privacy import Policy
from privrag_fast.types import Entity, SafeText
from tests.privacy.marks import mark
from tests.stand_ins import RecordingLLM, make_rag

pytest.importorskip("langchain_core", reason="needs langchain-core")

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from privrag_fast.adapters.langchain import LangChainRetriever, PrivateRetriever, PrivateRunnable

NOTHING = Policy(threshold=1e9, draft_threshold=1e9)


class Marker:
    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [mark(text, PERSON="Nora", LOCATION="Zurich") for text in texts]


class Store(BaseRetriever):
    seen: list[str] = []  # noqa: RUF012

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        self.seen.append(query)
        return [
            Document("For residents.", id="d1", metadata={"title": "Terms", "source": "t.md"}),
            Document("Cards are free.", metadata={"source": "c.md"}),
        ]


def test_their_retriever_under_the_pipeline() -> None:
    store = Store(seen=[])
    rag = make_rag(Marker(), retriever=LangChainRetriever(store), policy=NOTHING)  # type: ignore[arg-type]
    receipt = rag.minimize("I am Nora from Zurich").receipt
    assert [word in store.seen[0] for word in ("I am", "Nora", "Zurich")] == [True, False, False]
    first, second = (hit.passage.id for hit in receipt.hits)
    assert (first, second[:5]) == ("d1", "c.md#")
    assert receipt.hits[0].passage.title == "Terms"
    assert len(LangChainRetriever(store).search(SafeText("x"), 1)) == 1


def test_documents_without_an_id_are_told_apart_by_their_text() -> None:
    class Handbook(BaseRetriever):
        def _get_relevant_documents(
            self, query: str, *, run_manager: CallbackManagerForRetrieverRun
        ) -> list[Document]:
            texts = (
                ["Loans.", "Both. \ud800"] if "mortgage" in query else ["Cards.", "Both. \ud800"]
            )
            return [Document(text, metadata={"source": "handbook.pdf"}) for text in texts]

    rag = make_rag(Marker(), retriever=LangChainRetriever(Handbook()), policy=NOTHING)  # type: ignore[arg-type]
    talk = rag.conversation()
    talk.answer("Nora wants a mortgage.")
    hits = talk.minimize("And cards?").receipt.hits
    assert sorted(hit.passage.text for hit in hits) == ["Both. \ud800", "Cards.", "Loans."]


def test_their_retriever_never_sees_a_value() -> None:
    store = Store(seen=[])
    private = PrivateRetriever(retriever=store, detector=Marker())
    assert [own.page_content for own in private.invoke("Nora asks: what is free in Zurich?")] == [
        "For residents.",
        "Cards are free.",
    ]
    assert "what is free" in store.seen[0]
    assert not {"Nora", "Zurich"} & set(store.seen[0].split())
    PrivateRetriever(retriever=store, detector=Marker(), style="type").invoke("Nora in Zurich?")
    assert store.seen[1] == "PERSON in LOCATION?"


def test_sessions_of_a_chain_are_conversations() -> None:
    llm = RecordingLLM()
    chain = PrivateRunnable(make_rag(Marker(), llm=llm, policy=NOTHING)) | (
        lambda text: f"<{text}>"
    )
    session = {"configurable": {"session_id": "a"}}
    assert chain.invoke("I am Nora", session) == "<I am Nora>"
    assert asyncio.run(chain.ainvoke("Nora, Zurich", session)) == "<Nora, Zurich>"
    assert [turn.content for turn in llm.seen[-1][1:]] == [
        "I am [PERSON_1]",
        "I am [PERSON_1]",
        "[PERSON_1], [LOCATION_1]",
    ]
    chain.invoke("Zurich")
    assert [turn.content for turn in llm.seen[-1][1:]] == ["[LOCATION_1]"]


def test_streams() -> None:
    chain = PrivateRunnable(make_rag(Marker(), llm=RecordingLLM(), policy=NOTHING))

    async def pieces() -> list[str]:
        return [piece async for piece in chain.astream("I am Nora")]

    assert "".join(chain.stream("I am Nora")) == "I am Nora" == "".join(asyncio.run(pieces()))
    assert len(list(chain.stream("I am Nora"))) > 1
