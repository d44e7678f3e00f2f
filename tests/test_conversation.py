"""Conversations with recording stand-ins around them."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.conversation import Conversation, Conversations
from privrag_fast.limits import Deadline
from privrag_fast.llama import VariantScores
from privrag_fast.pipeline import PipelineOptions, PrivateRag
from privrag_fast.privacy import Policy, Vault
from privrag_fast.types import (
    LLM,
    BusyError,
    ChatMessage,
    ContextError,
    DeadlineError,
    DetectionError,
    Entity,
    GenerationError,
    Hit,
    InputError,
    Passage,
    SafeText,
    ScoreCounts,
    ScoringError,
)
from tests.privacy.marks import mark
from tests.stand_ins import RecordingLLM, RecordingRetriever, make_rag

EVERYTHING = Policy(threshold=0.0, draft_threshold=0.0)
NOTHING = Policy(threshold=1e9, draft_threshold=1e9)
DECISIVE = Policy(threshold=1.0, draft_threshold=1.0)
VALUES: dict[str, str | list[str]] = {
    "PERSON": "Nora",
    "AGE": ["67", "41"],
    "LOCATION": ["Zurich", "Oslo"],
    "INCOME": "84,300",
}


class Marker:
    """Finds every whole word that it was told."""

    def __init__(self, **values: str | list[str]) -> None:
        self.values = values or VALUES
        self.asked: list[str] = []

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        self.asked += texts
        return [mark(text, **self.values) for text in texts]


class Forgetful(Marker):
    """Finds nothing but in the first turn."""

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [mark(text, **self.values) if "first" in text else [] for text in texts]


class Scripted:
    """An LLM that says what it was told, in pieces of two characters."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.seen: list[list[str]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        self.seen.append(contents(messages[1:]))
        answer = self._answers.pop(0)
        for at in range(0, len(answer), 2):
            if answer[at : at + 2] == "\0\0":
                raise GenerationError("broke off")
            yield answer[at : at + 2]


class Caring:
    """A counterfactual test in which values matter as long as a word stands in the message."""

    takes_notes = False

    def __init__(self, **words: str) -> None:
        self._words = words
        self.scored: list[Sequence[str]] = []

    def draft(
        self, message: str, hits: Sequence[Hit], *, should_stop: Callable[[], bool] | None = None
    ) -> str:
        return "Yes."

    def score(
        self,
        messages: Sequence[str],
        hits: Sequence[Hit],
        answer: str,
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        self.scored.append(messages)
        first, words = messages[0], self._words.items()
        scores = [
            -5.0 * any(v in first and v not in message and w in first for v, w in words)
            for message in messages
        ]
        return VariantScores(np.array(scores), (), ScoreCounts(0, 0, 0, 0))


def make(llm: LLM | None = None, **choices: object) -> PrivateRag:
    choices = {"policy": NOTHING, "detector": Marker()} | choices
    return make_rag(llm=llm, **choices)  # type: ignore[arg-type]


def contents(messages: Sequence[ChatMessage]) -> list[str]:
    return [message.content for message in messages]


def turns(*texts: str) -> list[ChatMessage]:
    """User and assistant in turn."""
    roles = ("user", "assistant")
    return [ChatMessage(roles[i % 2], text) for i, text in enumerate(texts)]  # type: ignore[arg-type]


# --------------------------------------------------------------------------- turns


def test_a_value_has_one_placeholder_in_all_turns() -> None:
    llm = Scripted("Hello [PERSON_1], is [LOCATION_1] home?", "Good, [PERSON_1].")
    talk = make(llm).conversation()
    assert talk.answer("I am Nora from Zurich").text == "Hello Nora, is Zurich home?"
    assert talk.answer("Yes, Zurich. Nora").text == "Good, Nora."
    assert llm.seen[1] == [
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
    talk = make().conversation()
    assert talk.minimize("I am Nora").message == "I am [PERSON_1]"
    assert talk.history == ()


def test_stream_equals_answer() -> None:
    said = ("Hello [PERSON_1].", "[AGE_1] is fine.")
    streamed, whole = make(Scripted(*said)).conversation(), make(Scripted(*said)).conversation()
    for message in ("I am Nora", "and 67"):
        assert "".join(streamed.stream(message)) == whole.answer(message).text
    assert streamed.history == whole.history


def test_history_of_a_client_that_sends_all_turns() -> None:
    talk = make().conversation()
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
    assert minimized.message == "So?"
    assert talk.history == ()


def test_both_ways_to_send_a_history_agree() -> None:
    said = "Hello [PERSON_1], is [LOCATION_1] home?"
    stateful, stateless = make(Scripted(said)).conversation(), make().conversation()
    stateful.answer("I am Nora from Zurich")
    history = [*stateful.history, ChatMessage("user", "Yes, and 67")]
    assert stateless.minimize_history(history).messages == stateful.minimize("Yes, and 67").messages


def test_no_turn_of_the_user() -> None:
    for messages in ([], turns("", "What?"), [ChatMessage("system", "Nora")]):
        with pytest.raises(InputError, match="empty"):
            make().conversation().minimize_history(messages)


def test_what_the_llm_was_sent_is_taken_back_from_its_calls() -> None:
    talk = make(counterfactual=Caring(Zurich="cost"), policy=DECISIVE).conversation()
    talk.minimize("I am 67 and live in Zurich. What does it cost?")
    talk.remember_call("1", "from Zurich to Oslo for 67", "from Zurich to Oslo for [AGE_1]")
    call = ("1", "from Zurich to Oslo for 67")
    assert talk.protect_calls([call]) == ["from Zurich to Oslo for [AGE_1]"]
    talk.minimize("I am 67 and live in Zurich. Thank you. What about Oslo?")
    others = [("2", "67"), call, ("1", "Oslo")]
    assert talk.protect_calls(others) == [
        "[AGE_1]",
        "from [LOCATION_1] to Oslo for [AGE_1]",
        "[LOCATION_2]",
    ]


def test_protect() -> None:
    talk = make(policy=EVERYTHING).conversation()
    assert talk.protect(["Nora, 67", "Nora"]) == ["[PERSON_1], [AGE_1]", "[PERSON_1]"]
    assert talk.protect([]) == []
    assert talk.history == ()


@pytest.mark.parametrize("missed", ["67 again, NORA", "so: 67", "Nora's flat", "zurich"])
def test_values_are_found_again_where_the_detector_misses_them(missed: str) -> None:
    talk = make(Scripted("Hm."), detector=Forgetful()).conversation()
    talk.answer("first: Nora, 67, Zurich")
    sent = talk.minimize(missed)
    for value in ("67", "Nora", "NORA", "zurich"):
        assert value not in sent.message.replace("_", " ")
    assert sent.restore(sent.message).lower() == missed.lower()


def test_a_value_is_no_part_of_a_word_or_number() -> None:
    talk = make(Scripted("Hm."), detector=Forgetful()).conversation()
    talk.answer("first: Nora, 67")
    text = "Norah pays 670 or 67.5 or $67"
    assert talk.minimize(text).message == text


def test_a_name_that_is_a_word_leaves_the_word_alone() -> None:
    conversation = make_rag(Marker(PERSON="Will"), policy=NOTHING).conversation()
    conversation.answer("I'm Will. When will it be?")
    sent = conversation.minimize("Will it be cheap? WILL asks, and it will be.").messages
    assert contents(sent)[1:] == [
        "I'm [PERSON_1]. When will it be?",
        "I'm [PERSON_1]. When will it be?",
        "[PERSON_1] it be cheap? [PERSON_1] asks, and it will be.",
    ]


def test_a_short_reply_is_read_with_its_question() -> None:
    class InContext:
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            return [
                [Entity(len(t) - 2, len(t), "AGE")] if "old" in t and t.endswith("67") else []
                for t in texts
            ]

    talk = make(Scripted("How old are you?"), detector=InContext()).conversation()
    talk.answer("May I apply?")
    assert talk.minimize("67").message == "[AGE_1]"


# --------------------------------------------------------------------------- decisions


def test_a_later_turn_may_need_what_an_earlier_one_withheld() -> None:
    llm = Scripted("You, [AGE_1]?", "Fine.", "Bye.")
    talk = make(llm, policy=DECISIVE, counterfactual=Caring(**{"67": "senior"})).conversation()
    first = talk.answer("I am 67 in Zurich").minimized.receipt
    assert [own.kept for own in first.decisions] == [False, False]
    assert first.changed.kept == ()
    second = talk.answer("Am I a senior?").minimized.receipt
    assert [own.value for own in second.changed.kept] == ["67"]
    assert second.changed.withheld == ()
    assert llm.seen[1] == ["I am 67 in [LOCATION_1]", "You, 67?", "Am I a senior?"]


def test_what_is_kept_once_may_be_withheld_later() -> None:
    class Fickle(Caring):
        def score(self, messages: Sequence[str], *rest: object, **more: object) -> VariantScores:
            self._words = {} if "thanks" in messages[0] else {"67": "I"}
            return super().score(messages, *rest, **more)  # type: ignore[arg-type]

    llm = Scripted("At 67 from [LOCATION_1], you may. Zurich is fine.", "Bye.")
    talk = make(llm, policy=DECISIVE, counterfactual=Fickle()).conversation()
    assert talk.answer("I am 67 in Zurich").minimized.message == "I am 67 in [LOCATION_1]"
    receipt = talk.answer("thanks").minimized.receipt
    assert [own.value for own in receipt.changed.withheld] == ["67"]
    assert llm.seen[1] == [
        "I am [AGE_1] in [LOCATION_1]",
        # What it knew is taken back; a value that it said by chance is not told to be one.
        "At [AGE_1] from [LOCATION_1], you may. Zurich is fine.",
        "thanks",
    ]


def test_what_was_sent_before_it_was_found_is_taken_back() -> None:
    class Late(Marker):
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            return [
                row if "late" in t else []
                for t, row in zip(texts, super().detect(texts), strict=True)
            ]

    llm = Scripted("Zurich, you say. Oslo is far.", "Bye.", "Bye.")
    talk = make(llm, detector=Late()).conversation()
    assert talk.answer("I am from Zurich").minimized.message == "I am from Zurich"
    changed = talk.answer("late: Zurich or Oslo").minimized.receipt.changed
    assert [own.value for own in changed.missed] == ["Zurich"]
    told = [
        "I am from [LOCATION_1]",
        "[LOCATION_1], you say. Oslo is far.",
        "late: [LOCATION_1] or",
    ]
    assert [text[: len(told[i])] for i, text in enumerate(llm.seen[1])] == told
    assert talk.answer("and now?").minimized.receipt.changed.missed == ()
    assert llm.seen[2][1] == told[1]


def test_answers_that_the_caller_restored() -> None:
    raw, text = "[PERSON_1], most start at 67.", "Nora, most start at 67."
    known, unknown = make().conversation(), make().conversation()
    for talk in (known, unknown):
        talk.minimize("I am Nora, 67")
    known.remember(text, raw)
    messages = turns("I am Nora, 67", text, "Why?")
    assert contents(known.minimize_history(messages).messages)[2] == raw
    assert contents(unknown.minimize_history(messages).messages)[2] == (
        "[PERSON_1], most start at [AGE_1]."
    )


class Ages:
    """Finds an age with the words that follow it."""

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [
            [Entity(*own.span(), "AGE") for own in re.finditer(r"67( years old)?", text)]
            for text in texts
        ]


def test_a_short_value_is_not_shown_by_a_longer_one_of_its_type() -> None:
    test = Caring(**{"67 years old": "years"})
    rag = make(Scripted("Hm."), policy=DECISIVE, detector=Ages(), counterfactual=test)
    talk = rag.conversation()
    talk.answer("My number is 67")
    result = talk.minimize("I am 67 years old, is that too old?")
    assert not any("67" in text for text in contents(result.messages[1:]))
    assert [own.reason for own in result.receipt.decisions] == [
        "no influence",
        "shows a withheld value",
    ]


def test_influence_is_measured_on_all_of_the_customers_turns() -> None:
    test = Caring(**{"67": "I"})
    talk = make(Scripted("Hello [PERSON_1]."), policy=DECISIVE, counterfactual=test).conversation()
    talk.answer("I am Nora, 67")
    receipt = talk.minimize("Zurich. Am I too old at 67?").receipt
    original, *variants = next(m for m in test.scored if "Zurich" in m[0])
    assert original == "I am Nora, 67\nZurich. Am I too old at 67?"
    assert all(("67" in v) == (v.count("67") == 2) for v in variants)
    ages = next(own.attribute for own in receipt.decisions if own.attribute.label == "AGE")
    assert [mention.value(receipt.text) for mention in ages.mentions] == ["67", "67"]
    assert receipt.text.split("\n")[1] == "Hello Nora."


def test_the_oldest_turns_are_not_scored() -> None:
    test = Caring(**{"67": "I", "Zurich": "I"})
    options = PipelineOptions(scored_chars=30)
    rag = make(Scripted("Hm.", "Hm."), policy=DECISIVE, counterfactual=test, options=options)
    talk = rag.conversation()
    talk.answer("I am 67 years old, by the way")
    receipt = talk.answer("I live in Zurich").minimized.receipt
    assert test.scored[-1][0] == "I live in Zurich"
    assert [(own.kept, own.reason) for own in receipt.decisions] == [
        (False, "not in the turns that are scored"),
        (True, "influence"),
    ]


def test_turns_leave_until_they_fit_the_context() -> None:
    class Small(Caring):
        def draft(self, message: str, *rest: object, **more: object) -> str:
            if message.count("\n") > 0:
                raise ContextError("9000 tokens exceed 8192")
            return "Yes."

    test = Small(Zurich="I")
    talk = make(Scripted("Hm.", "Hm."), policy=DECISIVE, counterfactual=test).conversation()
    talk.answer("I am 67")
    talk.answer("I said so")
    assert talk.minimize("I live in Zurich").message == "I live in Zurich"
    assert test.scored[-1][0] == "I live in Zurich"


def test_follow_ups_are_searched_alone_and_after_what_led_to_them() -> None:
    retriever = RecordingRetriever()
    options = PipelineOptions(history_words=6)
    talk = make(Scripted("Yes.", "Yes."), retriever=retriever, options=options).conversation()
    talk.answer("May Nora from Zurich open the account at 67?")
    assert retriever.seen == ["May from open the account at?"]
    receipt = talk.answer("And in Oslo?").minimized.receipt
    talk.minimize("Why?")
    assert retriever.seen[1:] == [
        "And in?",
        "May from open the account at?\nAnd in?",
        "Why?",
        "open the account at? And in?\nWhy?",
    ]
    assert receipt.query == retriever.seen[2]


def test_documents_of_both_searches_take_turns() -> None:
    hits = [Hit(Passage(name, name), 0.0) for name in "abcdef"]

    class Two(RecordingRetriever):
        def search(self, query: SafeText, k: int = 10) -> list[Hit]:
            assert k == 5
            return [hits[i] for i in ((0, 1, 2) if "\n" in query else (3, 0, 4, 5))]

    options = PipelineOptions(candidates=10, documents=4)
    talk = make(Scripted("Yes."), retriever=Two(), options=options).conversation()
    talk._append("first", "Yes.", "Yes.")
    found = talk.minimize("second").receipt.hits
    assert [hit.passage.id for hit in found] == ["d", "a", "b", "e"]


def test_what_a_document_spells_like_a_placeholder_is_nobodys_value() -> None:
    text = "Go to LOCATION 1 or LOCATION 2. Letters begin: Dear [PERSON_1]."
    retriever = RecordingRetriever([Hit(Passage("p", text, "Desks"), 1.0)])

    class Reading(RecordingLLM):
        def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            self.seen.append(messages)
            yield messages[0].content.rpartition("Desks\n")[2]
            yield " " + messages[-1].content

    llm = Reading()
    talk = make(llm, retriever=retriever).conversation()
    for question in ("Nora from Zurich asks: which desk?", "And in Oslo?"):
        assert talk.answer(question).text == f"{text} {question}"
    # What is found later has a number that no document had.
    assert llm.seen[-1][-1].content == "And in [LOCATION_3]?"


@pytest.mark.parametrize("typed", ["[AGE_1]", "AGE_1", "age_1"])
def test_a_value_that_is_spelled_like_a_placeholder_blocks_nothing(typed: str) -> None:
    llm = RecordingLLM()
    talk = make(llm, detector=Marker(AGE="67", ID=typed)).conversation()
    talk.answer("I am 67.")
    text = f"My login is {typed}."
    assert talk.answer(text).text == text
    assert talk.answer("And 67?").text == "And 67?"
    assert contents(llm.seen[-1][1:])[2::2] == ["My login is [LITERAL_1].", "And [AGE_1]?"]


def test_a_generalized_value_stands_in_all_turns() -> None:
    class Coarse(Caring):
        """The decade is all that matters."""

        def score(self, messages: Sequence[str], *rest: object, **more: object) -> VariantScores:
            scores = [0.0 if "67" in m or "60-69" in m or "65-69" in m else -5.0 for m in messages]
            return VariantScores(np.array(scores), (), ScoreCounts(0, 0, 0, 0))

    llm = Scripted("Being 60-69, [PERSON_1], you may.", "Bye.")
    policy = Policy(threshold=1.0, draft_threshold=1.0, generalize=frozenset({"AGE"}))
    talk = make(llm, policy=policy, counterfactual=Coarse()).conversation()
    answer = talk.answer("I am Nora, 67")
    assert answer.text == "Being 60-69, Nora, you may."
    [age] = [own for own in answer.minimized.receipt.decisions if own.attribute.label == "AGE"]
    assert (age.kept, age.reason, age.value_sent) == (False, "generalized", "60-69")
    assert "60-69" not in repr(age)
    talk.answer("67, yes")
    assert llm.seen[1] == [
        "I am [PERSON_1], 60-69",
        "Being 60-69, [PERSON_1], you may.",
        "60-69, yes",
    ]


def test_a_generalized_value_that_shows_a_withheld_one_is_withheld() -> None:
    policy = Policy(draft_threshold=1.0, generalize=frozenset({"LOCATION"}))
    detector = Marker(LOCATION="Zurich", NATIONALITY="Switzerland")

    class Country(Caring):
        def score(self, messages: Sequence[str], *rest: object, **more: object) -> VariantScores:
            scores = [0.0 if "Zurich" in m or m.count("Switz") > 1 else -5.0 for m in messages]
            scores = [0.0 if "Zurich" in m else s for m, s in zip(messages, scores, strict=True)]
            return VariantScores(np.array(scores), (), ScoreCounts(0, 0, 0, 0))

    talk = make(policy=policy, detector=detector, counterfactual=Country()).conversation()
    minimized = talk.minimize("from Zurich, born in Switzerland")
    assert minimized.message == "from [LOCATION_1], born in [NATIONALITY_1]"
    assert minimized.receipt.decisions[0].reason == "shows a withheld value"
    assert minimized.receipt.decisions[0].value_sent is None


def test_synonyms_share_placeholders() -> None:
    policy = Policy(synonyms={"LOCATION": ("CITY",)})
    talk = make(policy=policy, detector=Marker(LOCATION="Zurich", CITY="Oslo")).conversation()
    assert talk.minimize("Zurich, Oslo").message == "[LOCATION_1], [LOCATION_2]"


# --------------------------------------------------------------------------- failures


def test_the_history_stays_when_the_llm_fails() -> None:
    llm = Scripted("Hello.", "Half an an\0\0", "Half an an\0\0", "Again.")
    talk = make(llm).conversation()
    talk.answer("I am Nora")
    before = talk.history
    with pytest.raises(GenerationError):
        talk.answer("67")
    with pytest.raises(GenerationError):
        list(talk.stream("67"))
    assert talk.history == before
    assert talk.answer("41").text == "Again."
    assert llm.seen[-1] == ["I am [PERSON_1]", "Hello.", "[AGE_2]"]


@pytest.mark.parametrize("error", [DetectionError("failed"), ScoringError("failed"), ValueError()])
def test_nothing_is_sent_when_a_stage_fails(error: Exception) -> None:
    class Broken(Marker):
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            if any("bad" in text for text in texts):
                raise error
            return super().detect(texts)

    llm = Scripted("Hello.")
    talk = make(llm, detector=Broken()).conversation()
    talk.answer("I am Nora")
    before = talk.history
    calls: list[Callable[[], object]] = [
        lambda: talk.answer("bad 67"),
        lambda: list(talk.stream("bad 67")),
        lambda: talk.minimize("bad 67"),
        lambda: talk.protect(["bad"]),
    ]
    for call in calls:
        with pytest.raises(type(error)):
            call()
    assert talk.history == before
    assert len(llm.seen) == 1


def test_an_abandoned_stream_leaves_the_history() -> None:
    talk = make(Scripted("Hello [PERSON_1].", "Again.")).conversation()
    stream = talk.stream("I am Nora")
    assert next(stream) == "He"
    stream.close()  # type: ignore[attr-defined]
    assert talk.history == ()
    assert talk.answer("Nora").text == "Again."


def test_a_conversation_can_be_logged() -> None:
    talk = make(Scripted("Hello [PERSON_1].")).conversation("Nora")
    logged = repr(talk.answer("I am Nora, 67")) + repr(talk) + repr(talk.history)
    assert "Nora" not in logged
    assert repr(talk) == "Conversation(2 turns, 2 values)"


# --------------------------------------------------------------------------- registry


def test_same_id_same_conversation() -> None:
    rag = make()
    assert rag.conversation("a") is rag.conversation("a")
    assert rag.conversation("a") is not rag.conversation("b")
    assert rag.conversation().id != rag.conversation().id
    assert make().conversation("a") is not rag.conversation("a")


def test_a_vault_outlives_the_process(tmp_path: Path) -> None:
    key = bytes(32)
    before = make_rag(Marker(), policy=NOTHING).conversation("a")
    before.answer("I'm Nora, from Oslo.")
    before.vault.save(tmp_path / "a.vault", key)

    rag = make_rag(Marker(), policy=NOTHING)
    vault = Vault.load(tmp_path / "a.vault", key)
    after = rag.conversation("a", vault=vault)
    assert rag.conversation("a", vault=vault) is rag.conversation("a") is after
    said = [*before.history, ChatMessage("user", "Nora again: Zurich, not Oslo!")]
    assert (
        after.minimize_history(said).message == "[PERSON_1] again: [LOCATION_2], not [LOCATION_1]!"
    )
    with pytest.raises(InputError, match="has a vault already"):
        rag.conversation("a", vault=Vault())


@pytest.mark.parametrize("key", ["", "  ", "x" * 257])
def test_an_id_that_is_none(key: str) -> None:
    with pytest.raises(InputError, match="1 to 256 characters"):
        make().conversation(key)


def test_the_one_unused_for_longest_makes_way() -> None:
    rag = make(options=PipelineOptions(conversations=2))
    first, second = rag.conversation("a"), rag.conversation("b")
    first.minimize("hello")
    rag.conversation("c")
    assert rag.conversation("a") is first
    assert rag.conversation("b") is not second


def test_unused_conversations_are_forgotten() -> None:
    now = [0.0]
    kept = Conversations(make(), limit=10, ttl_s=60, clock=lambda: now[0])
    first, second = kept.get("a"), kept.get("b")
    now[0] = 59.0
    second.minimize("hello")
    now[0] = 61.0
    assert len(kept) == 1
    assert kept.get("b") is second
    assert kept.get("a") is not first


# --------------------------------------------------------------------------- calls at a time


class Waiting:
    """An LLM that answers once it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.go = threading.Event()

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        self.asked.release()
        assert self.go.wait(10)
        yield messages[-1].content


def in_threads(*calls: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    return threads


def test_calls_on_one_conversation_wait_and_others_do_not() -> None:
    llm = Waiting()
    rag = make(llm)
    same, other = rag.conversation("a"), rag.conversation("b")
    threads = in_threads(
        lambda: same.answer("one"), lambda: same.answer("two"), lambda: other.answer("three")
    )
    assert llm.asked.acquire(timeout=10)
    assert llm.asked.acquire(timeout=10)
    assert not llm.asked.acquire(timeout=0.2)
    llm.go.set()
    for thread in threads:
        thread.join(10)
    assert len(other.history) == 2
    assert [turn.role for turn in same.history] == ["user", "assistant"] * 2
    assert {turn.content for turn in same.history} == {"one", "two"}


def test_threads_never_mix_conversations_up() -> None:
    """The same message of other people: each gets its own values back."""
    names = [f"Ann{i}" for i in range(8)]
    rag = make(RecordingLLM(), detector=Marker(PERSON=names))
    answers: dict[str, list[str]] = {name: [] for name in names}

    def talk(name: str) -> None:
        for turn in range(5):
            text = f"I am {name}, turn {turn}"
            answers[name].append(rag.conversation(name).answer(text).text)

    for thread in in_threads(*(lambda name=name: talk(name) for name in names)):  # type: ignore[misc]
        thread.join(20)
    for name in names:
        assert answers[name] == [f"I am {name}, turn {turn}" for turn in range(5)]
        assert rag.conversation(name).vault.items() == (("[PERSON_1]", name),)


def test_a_full_queue_turns_calls_away() -> None:
    llm = Waiting()
    talk = make(llm, options=PipelineOptions(queue=1)).conversation("a")
    [thread] = in_threads(lambda: talk.answer("one"))
    assert llm.asked.acquire(timeout=10)
    with pytest.raises(BusyError, match="1 calls are under way"):
        talk.minimize("two")
    llm.go.set()
    thread.join(10)
    assert talk.minimize("two").message == "two"


def test_a_deadline_ends_the_wait_for_a_turn() -> None:
    llm = Waiting()
    talk = make(llm).conversation()
    [thread] = in_threads(lambda: talk.answer("one"))
    assert llm.asked.acquire(timeout=10)
    with pytest.raises(DeadlineError, match="longer than its deadline"):
        talk.minimize("two", deadline=Deadline(0.1))
    llm.go.set()
    thread.join(10)


def test_past_its_deadline_nothing_is_sent() -> None:
    llm = RecordingLLM()
    talk = make(llm).conversation()
    with pytest.raises(DeadlineError):
        talk.answer("I am Nora", deadline=Deadline(0))
    assert (llm.seen, talk.history) == ([], ())


class Endless(Caring):
    """Scores until it is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.stopped = threading.Event()

    def draft(
        self, message: str, hits: Sequence[Hit], *, should_stop: Callable[[], bool] | None = None
    ) -> str:
        self.begun.set()
        assert should_stop is not None
        until = time.monotonic() + 10
        while not should_stop() and time.monotonic() < until:
            time.sleep(0.005)
        self.stopped.set()
        raise ScoringError("stopped before it was done")


def test_a_deadline_stops_the_model() -> None:
    llm = RecordingLLM()
    rag = make(llm, counterfactual=Endless(), policy=Policy(fail="abstract"))
    with pytest.raises(DeadlineError):
        rag.answer("I am 67", deadline=Deadline(0.1))
    assert llm.seen == []


def test_canceling_a_task_stops_the_model() -> None:
    test = Endless()
    talk = make(counterfactual=test, options=PipelineOptions(queue=1)).conversation()

    async def run() -> None:
        task = asyncio.create_task(talk.aanswer("I am 67"))
        await asyncio.to_thread(test.begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(test.stopped.wait, 10)
        while True:  # the thread leaves a moment after the model
            try:
                assert (await talk.aminimize("hello")).message == "hello"
                break
            except BusyError:
                await asyncio.sleep(0.005)

    asyncio.run(run())
    assert talk.history == ()


def test_async() -> None:
    said = ("Hello [PERSON_1].", "[AGE_1] is fine.")
    talk, twin = make(Scripted(*said)).conversation(), make(Scripted(*said)).conversation()

    async def go() -> str:
        await talk.aanswer("I am Nora")
        assert (await talk.aminimize("67")).message == "[AGE_1]"
        history = turns("I am Nora", "Hello Nora.", "67")
        assert (await talk.aminimize_history(history)).message == "[AGE_1]"
        return "".join([piece async for piece in talk.astream("67")])

    twin.answer("I am Nora")
    assert asyncio.run(go()) == twin.answer("67").text
    assert talk.history == twin.history


def test_leaving_an_async_stream_ends_it() -> None:
    talk = make(Scripted("Hello [PERSON_1].", "Again.")).conversation()

    async def run() -> None:
        stream = talk.astream("I am Nora")
        assert await anext(stream) == "He"
        await stream.aclose()  # type: ignore[attr-defined]
        assert (await talk.aanswer("Nora")).text == "Again."

    asyncio.run(run())
    assert len(talk.history) == 2


def test_many_async_calls_are_let_in_up_to_the_limit() -> None:
    llm = Waiting()
    rag = make(llm, options=PipelineOptions(queue=4))

    async def run() -> list[object]:
        calls = [asyncio.create_task(rag.aanswer(f"I am Nora {i}")) for i in range(20)]
        await asyncio.sleep(0.05)
        llm.go.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(run())
    busy = [result for result in results if isinstance(result, BusyError)]
    assert len(busy) == 16
    assert sum("Nora" in getattr(result, "text", "") for result in results) == 4


def test_batch() -> None:
    detector = Marker()
    rag = make(detector=detector)
    batch = rag.minimize_batch(["I am Nora", "I am 67", "I am Nora"])
    assert [one.message for one in batch] == ["I am [PERSON_1]", "I am [AGE_1]", "I am [PERSON_1]"]
    assert detector.asked == ["I am Nora", "I am 67"]
    assert rag.minimize_batch([]) == []
    with pytest.raises(InputError, match="2 messages need as many references"):
        rag.minimize_batch(["a", "b"], references=["c"])


def test_a_text_is_detected_once() -> None:
    detector = Marker()
    talk: Conversation = make(Scripted(*["Hm."] * 5), detector=detector).conversation()
    for i in range(5):
        talk.answer(f"I am Nora and this is a message of more than eight words, number {i}")
    assert len(detector.asked) == 5
