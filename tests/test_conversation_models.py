"""A conversation with every model real."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from privrag_fast.assembly import open_rag
from privrag_fast.types import ChatMessage, Hit, Passage, SafeText

CORPUS = Path(__file__).resolve().parent.parent / "examples/corpus/northstar"

pytestmark = pytest.mark.weights


class TwoPages:
    """Finds the same two pages, whatever is asked."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        self.seen.append(query)
        pages = [*sorted(CORPUS.glob("*.md"))[:1], CORPUS / "senior-saver.md"]
        texts = [page.read_text(encoding="utf-8")[:900] for page in pages]
        return [Hit(Passage(f"p{i}", text), 0.0) for i, text in enumerate(texts)]


class Echo:
    def __init__(self) -> None:
        self.seen: list[Sequence[ChatMessage]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> list[str]:
        self.seen.append(messages)
        return [messages[-1].content]


def test_a_conversation() -> None:
    pages, llm = TwoPages(), Echo()
    talk = open_rag(pages, llm=llm).conversation()  # type: ignore[arg-type]
    turns = (
        "Hello, I'm Laura Meier, I live in Zurich. Can I open the Senior Saver account?",
        "Laura Meier again, 67 and married, with the account CH93 0076 2011 6238 5295 7.",
    )
    for turn in turns:
        answer = talk.answer(turn)
        assert answer.text == turn
        sent = "\n".join(message.content for message in llm.seen[-1][1:])
        for decision in answer.minimized.receipt.decisions:
            assert decision.kept == (decision.attribute.value in sent), decision
    assert "Laura" not in sent
    assert "CH93" not in sent
    assert sent.count("[PERSON_1]") == 3
    assert not any(name in query for query in pages.seen for name in ("Laura", "67", "Zurich"))
    assert [message.content for message in talk.history[::2]] == list(turns)
