"""LlamaIndex: what was retrieved goes to the LLM with placeholders."""

# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from typing import Any

from privrag_fast.types import ProviderError

try:
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ProviderError(
        "this adapter needs llama-index-core: pip install llama-index-core"
    ) from error


class ProtectNodes(BaseNodePostprocessor):
    """Puts the placeholders of a conversation in place of the values in nodes.

    For documents that are not public. What the LLM makes of them is for
    `privrag_fast.privacy.restore(answer, conversation.vault)`.

    >>> index.as_query_engine(
    ...     node_postprocessors=[ProtectNodes(conversation=rag.conversation())]
    ... )  # doctest: +SKIP
    """

    conversation: Any  # a `Conversation`; pydantic knows none

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex tells it by."""
        return "ProtectNodes"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        # Metadata goes to the LLM, too, so that it is protected as part of the text.
        texts = [own.node.get_content(metadata_mode=MetadataMode.LLM) for own in nodes]
        return [
            NodeWithScore(node=TextNode(id_=own.node.node_id, text=text), score=own.score)
            for own, text in zip(nodes, self.conversation.protect(texts), strict=True)
        ]
