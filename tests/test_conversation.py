"""Conversations with recording stand-ins around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from privrag_fast.pipeline import PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.types import (
    ChatMessage,
    Entity,
    GenerationError,
)
from tests.privacy.marks import mark
from tests.stand_ins import (
    make_rag,
)

EVERYTHING = Policy(threshold=0.0, draft_threshold=0.0)
NOTHING = Policy(threshold=1e9, draft_threshold=1e9)
VALUES: dict[str, list[str]] = {
    "PERSON": ["Nora"],
    "AGE": ["67", "41"],
    "LOCATION": ["Zurich", "Oslo"],
    "INCOME": ["84,300"],
}


class Marker:
    """Finds every whole word that it was told; counts what it is asked."""

    def __init__(self, values: dict[str, list[str]] | None = None) -> None:
        self.values: dict[str, list[str]] = dict(VALUES if values is None else values)
        self.asked: list[str] = []

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        self.asked += texts
        return [mark(text, **self.values) for text in texts]


class Scripted:
    """An LLM that says what it was told, in pieces of two characters."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.seen: list[Sequence[ChatMessage]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        self.seen.append(messages)
        text = self._answers.pop(0)
        if text == "fail":
            raise GenerationError("no answer")
        return (text[i : i + 2] for i in range(0, len(text), 2))


def rag(llm: object | None = None, **choices: object) -> PrivateRag:
    choices.setdefault("policy", NOTHING)
    return make_rag(choices.pop("detector", Marker()), llm=llm, **choices)  # type: ignore[arg-type]


def contents(messages: Sequence[ChatMessage]) -> list[str]:
    return [message.content for message in messages]


def test_a_value_has_one_placeholder_in_all_turns() -> None:
    llm = Scripted("Hello [PERSON_1], is [LOCATION_1] home?", "Good, [PERSON_1].")
    talk = rag(llm).conversation()
    assert talk.answer("I am Nora from Zurich").text == "Hello Nora, is Zurich home?"
    assert talk.answer("Yes, Zurich. Nora").text == "Good, Nora."
    assert contents(llm.seen[1][1:]) == [
        "I am [PERSON_1] from [LOCATION_1]",
        "Hello [PERSON_1], is [LOCATION_1] home?",
        "Yes, [LOCATION_1]. [PERSON_1]",
    ]
    assert contents(talk.history) == [
        "I am Nora from Zurich",
        "Hello Nora, is Zurich home?",
        "Yes, Zurich. Nora",
        "Good, Nora.",
    ]
    assert [turn.role for turn in talk.history] == ["user", "assistant"] * 2


def test_minimize_adds_nothing_to_the_history() -> None:
    talk = rag().conversation()
    assert talk.minimize("I am Nora").message == "I am [PERSON_1]"
    assert talk.history == ()


def test_stream_equals_answer() -> None:
    said = ("Hello [PERSON_1].", "[AGE_1] is fine.")
    streamed, whole = rag(Scripted(*said)).conversation(), rag(Scripted(*said)).conversation()
    for message in ("I am Nora", "and 67"):
        assert "".join(streamed.stream(message)) == whole.answer(message).text
    assert streamed.history == whole.history


def test_history_of_a_stateless_client() -> None:
    talk = rag().conversation()
    messages = [
        ChatMessage("system", "Nora asks."),
        ChatMessage("user", "I am Nora, 67."),
        ChatMessage("assistant", ""),
        ChatMessage("tool", '{"city": "Zurich"}'),
        ChatMessage("user", "So?"),
    ]
    minimized = talk.minimize_history(messages)
    assert [m.role for m in minimized.messages[1:]] == [m.role for m in messages]
    assert contents(minimized.messages[1:]) == [
        "[PERSON_1] asks.",
        "I am [PERSON_1], [AGE_1].",
        "",
        '{"city": "[LOCATION_1]"}',
        "So?",
    ]
    assert talk.history == ()


def test_same_id_same_conversation() -> None:
    core = rag()
    assert core.conversation("a") is core.conversation("a")
    assert core.conversation("a") is not core.conversation("b")
    assert core.conversation().id != core.conversation().id


def test_protect() -> None:
    talk = rag(policy=EVERYTHING).conversation()
    assert talk.protect(["Nora, 67", "Nora"]) == ["[PERSON_1], [AGE_1]", "[PERSON_1]"]
    assert talk.history == ()
