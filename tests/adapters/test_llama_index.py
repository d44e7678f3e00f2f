from __future__ import annotations

from collections.abc import Sequence

import pytest

from privrag_fast.privacy import restore
from privrag_fast.types import Entity
from tests.privacy.marks import mark
from tests.stand_ins import make_rag

pytest.importorskip("llama_index.core", reason="needs llama-index-core")

from llama_index.core.schema import NodeWithScore, TextNode

from privrag_fast.adapters.llama_index import ProtectNodes


class Marker:
    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [mark(text, PERSON="Nora", LOCATION="Zurich") for text in texts]


def test_nodes_get_the_placeholders_of_the_conversation() -> None:
    conversation = make_rag(Marker()).conversation()
    conversation.minimize("I am Nora")
    node = TextNode(id_="n", text="Nora moved to Zurich.", metadata={"owner": "Nora"})
    [found] = ProtectNodes(conversation=conversation).postprocess_nodes(
        [NodeWithScore(node=node, score=0.5)], query_str="Where is Nora?"
    )
    assert found.node.get_content() == "owner: [PERSON_1]\n\n[PERSON_1] moved to [LOCATION_1]."
    assert (found.node.node_id, found.score) == ("n", 0.5)
    assert node.text == "Nora moved to Zurich."
    assert restore("[PERSON_1] is in [LOCATION_1]", conversation.vault) == "Nora is in Zurich"
