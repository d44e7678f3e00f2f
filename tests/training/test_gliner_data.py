"""The detector's training data: seeded, exact spans, labels that stay unseen."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.training import gliner_data as data
from privrag_fast.training import gliner_phrases as phrases

SHARED = Path(__file__).parents[3] / "shared/data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="needs the public data sets at ../shared/data"
)


@pytest.fixture(scope="module")
def messages() -> list[data.Example]:
    return data.MessageGenerator(5, filler=["where is my card"]).generate(400)


def _bytes(examples: list[data.Example]) -> bytes:
    return json.dumps([asdict(e) for e in examples], default=sorted).encode()


def test_same_seed_same_bytes(messages: list[data.Example]) -> None:
    again = data.MessageGenerator(5, filler=["where is my card"]).generate(400)
    assert _bytes(again) == _bytes(messages)
    other = data.MessageGenerator(6, filler=["where is my card"]).generate(400)
    assert _bytes(other) != _bytes(messages)


def test_same_bytes_under_another_hash_seed() -> None:
    code = (
        "from privrag_fast.training.gliner_data import MessageGenerator as G;"
        "import hashlib;"
        "print(hashlib.sha256(repr([e.text for e in G(9).generate(300)]).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_generator_leaves_the_global_random_state_alone() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    data.MessageGenerator(2).generate(20)
    assert random.random() == expected


def test_spans_are_the_words_of_their_values(messages: list[data.Example]) -> None:
    for example in messages:
        assert len(example.spans) == len(example.chars)
        for span, chars in zip(example.spans, example.chars, strict=True):
            value = example.text[chars.start : chars.end]
            assert value == value.strip()
            assert example.words[span.first : span.last + 1] == data.split_words(value)[0]
            assert chars.type in span.concepts


def test_every_default_concept_is_generated(messages: list[data.Example]) -> None:
    seen = {c for e in messages for s in e.spans for c in s.concepts}
    assert set(data.DEFAULT_CONCEPTS.values()) <= seen


def test_default_labels_are_trained_first() -> None:
    for label, concept in data.DEFAULT_CONCEPTS.items():
        assert data.CONCEPTS[concept].trained[0] == label


def test_held_out_labels_are_never_trained(messages: list[data.Example]) -> None:
    assert not data.HELD_OUT_LABELS & data.TRAINED_LABELS
    rng = random.Random(0)
    for many in (False, True):
        for example in messages:
            row = data.sample_row(example, rng, many=many)
            assert not data.HELD_OUT_LABELS & set(row["ner_labels"])


def test_negative_labels_have_no_span(messages: list[data.Example]) -> None:
    """Every span of a concept that is asked for is in the row, under each of its labels."""
    rng = random.Random(1)
    for example in messages:
        if len(example.words) > data.MAX_WORDS:
            continue
        row = data.sample_row(example, rng, many=True)
        assert len(set(row["ner_labels"])) == len(row["ner_labels"])
        assert {label for *_, label in row["ner"]} <= set(row["ner_labels"])
        present = {c for s in example.spans for c in s.concepts}
        for label in set(row["ner_labels"]) - {label for *_, label in row["ner"]}:
            of = {name for name, c in data.CONCEPTS.items() if label in c.trained}
            assert not of & present, (label, of & present)


def test_many_labels_asks_for_the_defaults_at_once(messages: list[data.Example]) -> None:
    rng = random.Random(2)
    rows = [data.sample_row(e, rng, many=True) for e in messages]
    assert max(len(r["ner_labels"]) for r in rows) <= 26
    defaults = set(DEFAULT_LABELS.values())
    assert sum(set(r["ner_labels"]) <= defaults for r in rows) > len(rows) / 3


def test_a_row_is_cropped_between_spans() -> None:
    words = tuple(f"w{i}" for i in range(200))
    spans = tuple(data.Span(i, i + 4, frozenset({"age"})) for i in range(0, 200, 5))
    example = data.Example("synthetic", " ".join(words), words, spans, (), ("name",))
    rng = random.Random(3)
    for _ in range(50):
        row = data.sample_row(example, rng)
        ends = [last for _, last, _ in row["ner"]]
        assert 0 < len(row["tokenized_text"]) <= data.MAX_WORDS
        assert max(ends) == len(row["tokenized_text"]) - 1
        assert min(first for first, *_ in row["ner"]) == 0


def test_a_span_too_wide_for_the_model_is_asked_for_in_pieces() -> None:
    address = "Unit 4, 12 Old Mill Road North, Upper Little Hatherleigh by the Water, 10115, Norway"
    text = f"Send it to {address}, please"
    spans = [(11, 11 + len(address), frozenset({"address"}), "address")]
    row = data.sample_row(
        data.make_example("synthetic", text, spans, data.CONCEPTS), random.Random(4)
    )
    words = row["tokenized_text"]
    label = row["ner"][0][2]
    pieces = [" ".join(words[a : b + 1]) for a, b, own in row["ner"] if own == label]
    assert pieces == [
        "Unit 4 , 12 Old Mill Road North",
        "Upper Little Hatherleigh by the Water , 10115 , Norway",
    ]


def test_pieces_without_a_comma_lose_no_word() -> None:
    text = " ".join(f"w{i}" for i in range(30))
    spans = [(0, len(text), frozenset({"address"}), "address")]
    example = data.make_example("synthetic", text, spans, data.CONCEPTS)
    row = data.sample_row(example, random.Random(4))
    assert sorted({(a, b) for a, b, _ in row["ner"]}) == [(0, 11), (12, 23), (24, 29)]


def test_what_people_ask_about_is_no_attribute(messages: list[data.Example]) -> None:
    asked = [e for e in messages if any(topic in e.text for topic in phrases.TOPICS)]
    assert asked
    for example in asked:
        values = {example.text[c.start : c.end] for c in example.chars}
        assert not values & {*phrases.TOPICS, *phrases.GENERIC}


def test_slang_hashtags_and_small_talk_of_other_tongues_name_nobody() -> None:
    generator = data.MessageGenerator(6)
    rants = [
        generator._finish(generator._rant(), lower=0.3, loose=loose)
        for loose in (False, True)
        for _ in range(150)
    ]
    assert {chars.type for rant in rants for chars in rant.chars} == {"username"}
    assert sum("#" in rant.text for rant in rants) > 50


def test_loose_spelling_bends_plain_words_and_no_value() -> None:
    generator = data.MessageGenerator(7)
    lines = [[("somebody brought delicious ", ""), ("Philadelphia", "town"), (" cheese #late", "")]]
    texts = [generator._finish(lines, lower=0.0, loose=True) for _ in range(40)]
    plain = [text.text for text in texts if text.text.startswith("somebody brought delicious")]
    assert 0 < len(plain) < len(texts)
    for example in texts:
        (town,) = example.chars
        assert example.text[town.start : town.end].lower() == "philadelphia"
        assert "#late" in example.text.lower()


def test_arguable_types_are_negatives_only_beside_their_rival() -> None:
    text = "I earn 4,000 francs"
    spans = [(7, len(text), frozenset({"income", "finance"}), "income")]
    example = data.make_example("synthetic", text, spans, data.CONCEPTS)
    rng = random.Random(5)
    amount = set(data.CONCEPTS["amount"].trained)
    asked = 0
    for _ in range(300):
        row = data.sample_row(example, rng)
        if amount & set(row["ner_labels"]):
            asked += 1
            income = {label for *_, label in row["ner"]}
            assert any(t in label for label in income for t in data.CONCEPTS["income"].trained)
    assert asked


def test_empty_text() -> None:
    example = data.make_example("plain", "", (), ("name",))
    assert data.sample_row(example, random.Random(0)) == {
        "tokenized_text": [],
        "ner": [],
        "ner_labels": data.sample_row(example, random.Random(0))["ner_labels"],
    }


def test_dev_messages_come_from_other_templates() -> None:
    train = data.MessageGenerator(1)
    dev = data.MessageGenerator(1, dev=True)
    assert not set(train._personal) & set(dev._personal)
    assert len(dev._personal) > 5


@needs_shared
def test_public_sets_are_read_with_exact_spans() -> None:
    capid = data.read_capid(SHARED / "capid/train.jsonl")
    assert len(capid) == 2107
    assert 0.03 < sum(data.is_dev(e.text) for e in capid) / len(capid) < 0.12
    for example in capid[:200]:
        assert not {c for s in example.spans for c in s.concepts} & set(example.negatives) - set(
            data.CAPID_CONCEPTS.values()
        ) - {"income", "amount", "marital", "children", "religion", "politics", "nationality"}
    crossner = data.read_crossner(SHARED / "crossner")
    assert {e.source for e in crossner} == {"crossner"}
    rows = data.read_gliner_rows(SHARED / "gliner-sample/sample_data.json")
    assert not data.HELD_OUT_LABELS & {c for e in rows for s in e.spans for c in s.concepts}


@needs_shared
def test_held_out_templates_are_disjoint() -> None:
    train = data.read_presidio(SHARED / "presidio-research")
    held_out = data.read_presidio(SHARED / "presidio-research", held_out=True)
    assert len(train) + len(held_out) == 3609
    assert 300 < len(held_out) < 700


@needs_shared
def test_filler_holds_nothing_personal() -> None:
    filler = data.read_banking77(SHARED / "polyai/banking_data/train.csv")
    assert len(filler) > 3000
    assert not any(c.isdigit() or c in "$£€" for text in filler for c in text)
