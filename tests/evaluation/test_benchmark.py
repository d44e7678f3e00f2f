"""The generated benchmark: sizes, exact truth, splits that share nothing, the same bytes twice."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from privrag_fast.evaluation import benchmark, rules, surfaces, wording
from privrag_fast.evaluation.dataset import STYLES, Dataset, Document, Meaning, Question, Split
from privrag_fast.evaluation.personas import DOMAINS, LABELS
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.training import gliner_phrases, rules_phrases
from privrag_fast.types import InputError
from tests.evaluation.reference import slow_outcome

SPLITS: tuple[Split, ...] = ("train", "dev", "test")
PAIRS = (("train", "test"), ("dev", "test"), ("train", "dev"))
SPLIT_OF = {family.name: family.split for family in FAMILIES}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return benchmark.generate(0, filler=30)


@pytest.fixture(scope="module")
def documents(data: Dataset) -> Mapping[str, Document]:
    return {document.id: document for document in data.documents}


def on_rules(data: Dataset) -> list[Question]:
    return [question for question in data.questions if question.outcome]


def values(question: Question) -> list[str]:
    return [question.message[fact.start : fact.end] for fact in question.facts]


# --------------------------------------------------------------------------- sizes


def test_sizes(data: Dataset) -> None:
    assert [len(data.split(split)) for split in SPLITS] == [1600, 200, 400]
    ruled = [document for document in data.documents if document.cases]
    assert len(ruled) >= 80
    assert len(data.documents) == len(ruled) + 30
    assert len({document.family for document in ruled}) >= 8
    assert len(set().union(*map(rules.consulted, ruled))) >= 15
    in_test = [d for d in ruled if SPLIT_OF[d.family] == "test"]
    assert len(set().union(*map(rules.consulted, in_test))) >= 15
    for document in ruled:
        assert 120 <= len(document.text.split()) <= 350, document.id
        assert 1 <= sum(len(case.conditions) for case in document.cases) <= 4
        assert document.text.startswith(f"# {document.title}\n")
        assert "{" not in document.text
        assert not re.search(r"#.*\n[^\n]|\S #|[a-z,] - ", document.text), document.id


def test_ids_are_unique(data: Dataset) -> None:
    assert len({question.id for question in data.questions}) == len(data.questions)
    assert len({document.id for document in data.documents}) == len(data.documents)


def test_many_ways_to_write(data: Dataset) -> None:
    for split in SPLITS:
        questions = data.split(split)
        turns = Counter(len(question.turns) for question in questions)
        assert set(turns) == {1, 2, 3, 4}
        assert 0.1 < 1 - turns[1] / len(questions) < 0.3
        assert len({question.message for question in questions}) == len(questions)


def test_attributes_of_a_message(data: Dataset) -> None:
    counts = Counter(
        (sum(f.consulted for f in q.facts), sum(not f.consulted for f in q.facts))  # type: ignore[misc]
        for q in on_rules(data)
    )
    assert {read for read, _ in counts} == {1, 2, 3}
    assert {others for _, others in counts} == {0, *range(2, 9)}
    assert any(not any(f.decisive for f in q.facts) for q in on_rules(data))
    idle = [question for question in data.questions if not question.outcome]
    assert 0.1 < len(idle) / len(data.questions) < 0.3
    assert not any(fact.decisive or fact.consulted for q in idle for fact in q.facts)
    assert any(q.documents for q in idle)
    assert any(not q.documents for q in idle)


def test_outcomes_are_balanced(data: Dataset, documents: Mapping[str, Document]) -> None:
    for split in SPLITS:
        found = Counter(q.outcome for q in data.split(split) if q.outcome in ("yes", "no"))
        assert 0.35 <= found["yes"] / found.total() <= 0.65
    for document in documents.values():
        found = Counter(q.outcome for q in data.questions if document.id in q.documents)
        del found[""]
        if SPLIT_OF.get(document.family) == "train":
            assert found.most_common()[-1][1] / found.total() >= 0.2
            assert len(found) == len({*(c.outcome for c in document.cases), document.otherwise})


# --------------------------------------------------------------------------- truth


def test_spans_are_exact(data: Dataset) -> None:
    for question in data.questions:
        end = 0
        for fact, value in zip(question.facts, values(question), strict=True):
            assert end <= fact.start < fact.end <= len(question.message)
            assert value == value.strip()
            assert not question.message[fact.start - 1 : fact.start].isalnum()
            assert not question.message[fact.end : fact.end + 1].isalnum()
            assert fact.label == LABELS[fact.attribute]
            end = fact.end
        attributes = [fact.attribute for fact in question.facts]
        assert len(attributes) == len(set(attributes))


def test_values_say_what_they_mean(data: Dataset) -> None:
    for question in data.questions:
        for fact, value in zip(question.facts, values(question), strict=True):
            number = re.sub(r"[^0-9k]", "", value.split(".")[-1] if "r. " in value else value)
            if fact.label in ("MONEY", "INCOME") and number:
                amount = int(number.replace("k", "000")) * (12 if "month" in value else 1)
                assert amount == fact.meaning, (question.id, value)
            elif fact.label == "AGE":
                assert int(value) == fact.meaning
            elif fact.attribute in ("city", "religion", "nationality") and fact.meaning != "none":
                assert str(fact.meaning).lower() in value.lower()


def everybody_else(document: Document, attribute: str, own: Meaning) -> Iterator[Meaning]:
    """All of a small domain; of amounts, every hundred and all near a border."""
    domain = DOMAINS[attribute]
    if len(domain) < 200:
        yield from domain
        return
    yield from range(0, 400_000, 1000)
    for case in document.cases:
        for condition in case.conditions:
            for value in condition.values:
                if isinstance(value, int):
                    yield from range(max(0, value - 3), value + 4)


def test_truth_by_brute_force(data: Dataset, documents: Mapping[str, Document]) -> None:
    for question in on_rules(data):
        [document] = (documents[name] for name in question.documents)
        given = {f.attribute: f.meaning for f in question.facts if f.meaning is not None}
        read = {c.attribute for case in document.cases for c in case.conditions}
        assert {f.attribute for f in question.facts if f.consulted} == read & given.keys()
        if not read <= given.keys():
            continue
        assert slow_outcome(document, given) == question.outcome
        turning = {
            attribute
            for attribute in read
            if any(
                slow_outcome(document, {**given, attribute: other}) != question.outcome
                for other in everybody_else(document, attribute, given[attribute])
            )
        }
        assert {f.attribute for f in question.facts if f.decisive} == turning, question.id


def test_messages_fix_their_outcome(data: Dataset, documents: Mapping[str, Document]) -> None:
    untold = 0
    for question in on_rules(data):
        document = documents[question.documents[0]]
        told = [fact.attribute for fact in question.facts]
        assert rules.answerable(document, question, told)
        untold += not rules.consulted(document) <= set(told)
        for fact in question.facts:
            rest = [attribute for attribute in told if attribute != fact.attribute]
            if fact.decisive:
                assert not rules.answerable(document, question, rest)
            elif not fact.consulted:
                assert rules.answerable(document, question, rest)
    assert 0 < untold / len(on_rules(data)) < 0.15


def test_twins_differ_in_one_value(data: Dataset) -> None:
    by_id = {question.id: question for question in data.questions}
    twins = [(q, by_id[q.id[:-1] + "b"]) for q in data.questions if q.id.endswith("a")]
    assert len(twins) > 100
    for one, other in twins:
        assert one.outcome != other.outcome
        pairs = list(zip(one.facts, other.facts, strict=True))
        [(old, new)] = [(a, b) for a, b in pairs if a.meaning != b.meaning]
        assert old.decisive
        assert new.decisive
        assert old.attribute == new.attribute
        assert one.documents == other.documents
        assert re.sub(r"\ban\b", "a", masked(one)) == re.sub(r"\ban\b", "a", masked(other))


def test_every_fact_says_why(data: Dataset) -> None:
    for question in data.questions:
        for fact in question.facts:
            assert re.fullmatch(r"[A-Z].+\.", fact.why)
            assert ("the outcome would be" in fact.why) == bool(fact.decisive)


def test_gold_documents_exist(data: Dataset, documents: Mapping[str, Document]) -> None:
    for question in data.questions:
        for name in question.documents:
            assert documents[name].family == question.family
            assert SPLIT_OF[question.family] == question.split
            assert documents[name].title.lower() in question.message.lower()


def test_uncovered_products_are_in_no_document(data: Dataset) -> None:
    text = " ".join(document.text for document in data.documents).lower()
    for products in wording.UNKNOWN.values():
        for _, product in products:
            assert product.lower() not in text


# --------------------------------------------------------------------------- answers


def test_answers_in_three_styles(data: Dataset) -> None:
    for question in data.questions:
        assert tuple(question.answers) == STYLES
        for answer in question.answers.values():
            assert re.fullmatch(r"[^\s{}].*[.]", answer), answer
            assert "  " not in answer


def test_a_verdict_for_each_outcome(data: Dataset) -> None:
    documents = {document.id: document for document in data.documents}
    for question in on_rules(data):
        assert question.verdicts[question.outcome] == question.answers["verdict"]
        assert len(set(question.verdicts.values())) == len(question.verdicts) > 1
        assert question.verdicts.keys() == rules.outcomes(documents[question.documents[0]], {})
    assert not any(q.verdicts for q in data.questions if not q.outcome)


def test_reasoned_answers_hold_no_value(data: Dataset) -> None:
    for question in data.questions:
        answer = question.answers["reasoned"]
        for value in values(question):
            assert not re.search(rf"(?i)(?<!\w){re.escape(value)}(?!\w)", answer), question.id


def test_explained_answers_hold_the_decisive_values(data: Dataset) -> None:
    for question in on_rules(data):
        for fact, value in zip(question.facts, values(question), strict=True):
            if fact.decisive:
                assert value in question.answers["explained"], question.id


def test_rules_on_occupations_meet_people_at_work(data: Dataset) -> None:
    for question in on_rules(data):
        assert "you were a" not in question.answers["explained"]


def test_all_styles_agree(data: Dataset) -> None:
    for question in on_rules(data):
        for answer in question.answers.values():
            if question.outcome in ("yes", "no"):
                assert bool(re.search(r"\byes\b", answer, re.I)) == (question.outcome == "yes")
            else:
                assert question.outcome in answer


# --------------------------------------------------------------------------- splits


def masked(question: Question) -> str:
    """The message with its values taken out."""
    parts, end = [], 0
    for fact in question.facts:
        parts += [question.message[end : fact.start], "@"]
        end = fact.end
    return "".join([*parts, question.message[end:]])


def sentences(text: str) -> set[str]:
    """Sentences of two words or more, without case, digits and marks."""
    plain = (re.sub(r"[^a-z@']+", " ", part.lower()).strip() for part in re.split(r"[.?!\n]", text))
    return {sentence for sentence in plain if " " in sentence}


def shingles(text: str, size: int = 6) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z']+", re.sub(r"\{\w+\}", " ", text.lower()))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_splits_share_no_phrasing(data: Dataset, one: Split, other: Split) -> None:
    def said(split: Split) -> set[str]:
        return set().union(*(sentences(masked(question)) for question in data.split(split)))

    def answered(split: Split) -> set[str]:
        answers = (text for q in data.split(split) for text in q.answers.values())
        return set().union(*map(sentences, answers))

    def written(split: Split) -> set[tuple[str, ...]]:
        own = (d for d in data.documents if SPLIT_OF.get(d.family) == split)
        return set().union(*(shingles(document.text) for document in own))

    assert said(one) & said(other) == set()
    assert answered(one) & answered(other) == set()
    assert written(one) & written(other) == set()


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_splits_share_no_template(one: Split, other: Split) -> None:
    def templates(split: Split) -> set[tuple[str, ...]]:
        voice, reply = wording.VOICES[split], wording.REPLIES[split]
        details = (text for detail in wording.DETAILS[split] for text in detail.texts[:2])
        texts = (*voice.templates, *reply.templates, *details, *wording.TAILS[split])
        return {wording.shape(text) for text in texts}

    def verbs(split: Split) -> set[str]:
        return {p.verb for family in FAMILIES if family.split == split for p in family.products}

    assert templates(one) & templates(other) == set()
    assert verbs(one) & verbs(other) == set()


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_splits_share_no_person(data: Dataset, one: Split, other: Split) -> None:
    def names(split: Split) -> set[str]:
        facts = ((q, f) for q in data.split(split) for f in q.facts if f.attribute == "email")
        return {q.message[f.start : f.end].lower() for q, f in facts}

    assert names(one) & names(other) == set()


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from strings(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from strings(item)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for name in value.__dataclass_fields__:
            yield from strings(getattr(value, name))


@pytest.mark.parametrize("module", [rules_phrases, gliner_phrases])
def test_test_shares_nothing_with_the_lessons_of_models(data: Dataset, module: object) -> None:
    lessons = [part for text in strings(tuple(vars(module).values())) for part in text.split("|")]
    learned = set().union(*(shingles(line) for part in lessons for line in part.split("\n")))
    assert len(learned) > 100
    documents = (d.text for d in data.documents if SPLIT_OF.get(d.family) == "test")
    messages = (masked(question) for question in data.split("test"))
    for text in (*documents, *messages):
        assert shingles(text) & learned == set()


def test_everything_can_be_said_in_every_split() -> None:
    slots = {*LABELS, *surfaces.ATTRIBUTE_OF}
    for voice in wording.VOICES.values():
        alone = {
            found[0]
            for template in voice.sentences
            if len(found := re.findall(r"\{(?:a_)?(\w+)\}", template)) == 1
        }
        assert alone == slots
        assert slots - voice.fragments.keys() == {"housing_verb"}
        assert slots - voice.fields.keys() == {"housing_verb"}


# --------------------------------------------------------------------------- repetition

WRITE = """
import sys
from pathlib import Path
from privrag_fast.evaluation import benchmark, dataset
data = benchmark.generate(7, train=120, dev=30, test=60, filler=20)
dataset.write(data, Path(sys.argv[1]))
"""


def test_same_bytes_in_two_processes(tmp_path: Path) -> None:
    digests = []
    for hash_seed in ("1", "2"):
        folder = tmp_path / hash_seed
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run([sys.executable, "-c", WRITE, str(folder)], env=environment, check=True)
        files = sorted(folder.iterdir())
        digests.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
    assert digests[0] == digests[1]


def test_seeds_differ() -> None:
    sizes = {"train": 20, "dev": 20, "test": 20, "filler": 0}
    one, other = (benchmark.generate(seed, **sizes) for seed in (1, 2))
    assert one.documents != other.documents
    assert one.questions != other.questions


def test_too_few_personas() -> None:
    with pytest.raises(InputError, match="at least 60, got 10"):
        benchmark.generate(personas=10)
