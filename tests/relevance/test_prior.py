"""The prior, on a model whose logit is how often an attribute's words stand in the passages."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper, save

from privrag_fast import models
from privrag_fast.relevance.prior import (
    HIGHER,
    LOWER,
    MESSAGE,
    NAMED,
    PASSAGE,
    VALUE,
    Packer,
    Prior,
)
from privrag_fast.types import Attribute, Entity, Hit, InputError, ModelError, Passage
from tests.retrieval.tiny_models import SPECIAL, VOCABULARY, WORDS, tokenizer

IDENTITY = {"slope": 1.0, "intercept": 0.0}
NEUTRAL = {"intercept": 0.0, "prior": 1.0, "influence": 0.0}
CALIBRATION = {
    "documents": IDENTITY,
    "alone": {"slope": 1.0, "intercept": -2.0},
    "fusion": NEUTRAL,
}


def counter(path: Path, *, classes: int = 2) -> None:
    one_hot = np.eye(len(VOCABULARY), dtype=np.float32)
    one_hot[: len(SPECIAL)] = 0
    nodes = [
        helper.make_node("Gather", ["one_hot", "input_ids"], ["words"]),
        helper.make_node("GreaterOrEqual", ["roles", "passage"], ["is_passage"]),
        helper.make_node("Cast", ["is_passage"], ["flag"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["flag", "words"], ["counts"]),
        helper.make_node("MatMul", ["spans", "words"], ["own"]),
        helper.make_node("MatMul", ["own", "counts"], ["shared"]),
        helper.make_node("Unsqueeze", ["shared", "last"], ["column"]),
        helper.make_node("MatMul", ["column", "classes"], ["logits"]),
    ]
    constants = {
        "one_hot": one_hot,
        "passage": np.array(PASSAGE, np.int64),
        "last": np.array([1], np.int64),
        "classes": np.ones((1, classes), np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "counter",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["t"]),
            helper.make_tensor_value_info("roles", TensorProto.INT64, ["t"]),
            helper.make_tensor_value_info("spans", TensorProto.FLOAT, ["a", "t"]),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["a", classes])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def write_prior(folder: Path, *, classes: int = 2, **changes: object) -> Path:
    counter(folder / "model.onnx", classes=classes)
    tokenizer(folder / "tokenizer.json")
    (folder / "calibration.json").write_text(json.dumps(CALIBRATION | changes))
    return folder


@pytest.fixture(scope="module")
def prior(tmp_path_factory: pytest.TempPathFactory) -> Prior:
    return Prior(write_prior(tmp_path_factory.mktemp("prior")), threads=1)


@pytest.fixture(scope="module")
def packer(tmp_path_factory: pytest.TempPathFactory) -> Packer:
    path = tokenizer(tmp_path_factory.mktemp("packer") / "tokenizer.json")
    return Packer(path, max_tokens=32, max_message=16)


def attribute(message: str, *values: str) -> Attribute:
    spans = [(message.index(value), message.index(value) + len(value)) for value in values]
    mentions = tuple(Entity(start, end, "THING") for start, end in spans)
    return Attribute("THING", values[0], "[THING_1]", mentions)


def at(value: str, start: int, label: str = "THING") -> Attribute:
    return Attribute(label, value, "[X_1]", (Entity(start, start + len(value), label),))


def hits(*texts: str) -> list[Hit]:
    return [Hit(Passage(str(i), text), 1.0) for i, text in enumerate(texts)]


def odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


# ------------------------------------------------------------------ scores


def test_what_the_passages_ask_for_scores_higher(prior: Prior) -> None:
    message = "bread is free in winter"
    bread, winter = attribute(message, "bread"), attribute(message, "winter")
    scores = prior.score(message, [bread, winter], hits("bread on monday", "the bread"))
    assert [odds(score) for score in scores] == pytest.approx([2.0, 0.0])


def test_an_attribute_is_the_mean_of_its_mentions(prior: Prior) -> None:
    message = "bread is free in winter"
    [score] = prior.score(message, [attribute(message, "bread", "winter")], hits("bread bread"))
    assert odds(score) == pytest.approx(1.0)


def test_titles_are_read(prior: Prior) -> None:
    hit = Hit(Passage("p", "the form", title="bread"), 1.0)
    [score] = prior.score("bread", [attribute("bread", "bread")], [hit])
    assert odds(score) == pytest.approx(1.0)


def test_without_passages_another_scale_holds(prior: Prior) -> None:
    [score] = prior.score("bread", [attribute("bread", "bread")], [])
    assert odds(score) == pytest.approx(-2.0)


def test_no_attribute_no_score(prior: Prior) -> None:
    assert prior.score("bread", [], hits("bread")) == []


def test_where_passages_need_several_windows_the_highest_counts(prior: Prior) -> None:
    passages = ["the " * 400 + "bread", "bread " * 3 + "a " * 400, "who " * 400]
    message = "bread in winter"
    own = [attribute(message, "bread"), attribute(message, "winter")]
    together = prior.score(message, own, hits(*passages))
    apart = [prior.score(message, own, hits(text)) for text in passages]
    assert together == [max(scores) for scores in zip(*apart, strict=True)]
    assert odds(together[0]) == pytest.approx(3.0)


def test_a_value_late_in_a_long_message_is_read(prior: Prior) -> None:
    message = "the " * 900 + "bread in winter"
    own = [attribute(message, "bread"), attribute(message, "winter")]
    scores = prior.score(message, own, hits("bread"))
    assert [odds(score) for score in scores] == pytest.approx([1.0, 0.0])


def test_what_the_tokenizer_cannot_see_is_even(prior: Prior) -> None:
    message = "bread   winter"
    blank = Attribute("THING", " ", "[THING_1]", (Entity(6, 7, "THING"),))
    empty = Attribute("THING", "", "[THING_2]", ())
    assert prior.score(message, [blank, empty], hits("bread")) == [0.5, 0.5]


def test_lone_surrogates_keep_the_spans(prior: Prior) -> None:
    message = "\ud83d\ude00 \ud800 bread"
    [score] = prior.score(message, [attribute(message, "bread")], hits("\udfff bread"))
    assert odds(score) == pytest.approx(1.0)


# ------------------------------------------------------------------ fusion


def test_as_it_comes_the_influence_changes_nothing(prior: Prior) -> None:
    for probability in (1e-6, 0.2, 0.5, 0.97):
        assert prior.fuse(probability, 5.0) == pytest.approx(probability)


def test_fused_odds_are_a_weighted_sum(tmp_path: Path) -> None:
    weights = {"intercept": -1.0, "prior": 0.5, "influence": 2.0}
    prior = Prior(write_prior(tmp_path, fusion=weights), threads=1)
    assert odds(prior.fuse(0.8, 3.0)) == pytest.approx(-1 + 0.5 * odds(0.8) + 2 * math.log(4))
    assert prior.fuse(0.8, -1.0) == prior.fuse(0.8, 0.0)
    assert 0.0 <= prior.fuse(0.0, 0.0) < prior.fuse(1.0, 1e9) <= 1.0


# ------------------------------------------------------------------ windows


def test_roles_and_spans_of_a_window(packer: Packer) -> None:
    message = "bread in winter"
    own = [attribute(message, "bread"), attribute(message, "winter")]
    [window] = packer.pack(message, own, [Passage("p", "the form")])
    words = ["[CLS]", "bread", "in", "winter", "[SEP]", "the", "form", "[SEP]"]
    assert window.ids.tolist() == [VOCABULARY[word] for word in words]
    assert window.roles.tolist() == [MESSAGE, VALUE, MESSAGE, VALUE, MESSAGE, *[PASSAGE] * 3]
    assert window.spans.argmax(axis=1).tolist() == [1, 3]
    assert window.rows.tolist() == [0, 1]


def test_what_bears_on_a_value_is_marked(packer: Packer) -> None:
    message = "in winter 67"
    own = [at("67", 10, "AGE"), attribute(message, "winter")]
    passage = Passage("p", "the winter form : at least 70")
    [window] = packer.pack(message, own, [passage])
    assert NAMED in window.roles
    assert window.roles[window.roles == NAMED].size == 1
    assert window.ids[window.roles == NAMED].tolist() == [VOCABULARY["winter"]]
    assert HIGHER in window.roles
    assert LOWER not in window.roles


@given(
    length=st.integers(1, 60),
    texts=st.lists(st.integers(0, 50), max_size=5),
    chosen=st.lists(st.integers(0, 59), max_size=4),
)
def test_windows_hold_everything(
    packer: Packer, length: int, texts: list[int], chosen: list[int]
) -> None:
    words = [WORDS[i % len(WORDS)] for i in range(length)]
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    chosen = [place % length for place in chosen]
    own = [at(words[i], int(starts[i])) for i in chosen]
    passages = [Passage("p", "bread " * size) for size in texts]
    windows = packer.pack(" ".join(words), own, passages)
    assert {row for window in windows for row in window.rows.tolist()} == set(range(len(chosen)))
    for window in windows:
        assert len(window.ids) == len(window.roles) == window.spans.shape[1] <= 32
        np.testing.assert_allclose(window.spans.sum(axis=1), 1.0, rtol=1e-6)
        for row, span in zip(window.rows, window.spans, strict=True):
            assert window.ids[span.argmax()] == VOCABULARY[words[chosen[row]]]
    if chosen and length <= 16:  # one piece: each passage stands once, cut to what fits
        held = sum((window.roles >= PASSAGE).sum() for window in windows)
        assert held == sum(min(size, 32 - 2 - length - 1) + 1 for size in texts)


# ------------------------------------------------------------------ files


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"\(needed, consulted\), this model gives \[1, 3\]"):
        Prior(write_prior(tmp_path, classes=3), threads=1)


def test_files_that_are_missing_or_damaged(tmp_path: Path) -> None:
    write_prior(tmp_path, alone={"slope": 1.0, "offset": 0.0})
    with pytest.raises(ModelError, match="calibration"):
        Prior(tmp_path)
    (tmp_path / "calibration.json").write_text("{}")
    with pytest.raises(ModelError, match="documents"):
        Prior(tmp_path)
    (tmp_path / "calibration.json").unlink()
    with pytest.raises(ModelError, match="no such file"):
        Prior(tmp_path)


def test_a_tokenizer_without_separators_is_refused(tmp_path: Path) -> None:
    text = tokenizer(tmp_path / "tokenizer.json").read_text().replace("[SEP]", "[END]")
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(ModelError, match=r"needs \[SEP\]"):
        Packer(tmp_path / "tokenizer.json")


def test_a_message_limit_that_leaves_no_room(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave room in 512, got 510"):
        Packer(tokenizer(tmp_path / "tokenizer.json"), max_message=510)


# ------------------------------------------------------------------ the real one


@pytest.fixture(scope="module")
def shipped() -> Prior:
    return Prior(models.locate("prior")["model.onnx"].parent, threads=1)


def needed(prior: Prior, message: str, *texts: str, values: tuple[str, ...]) -> str:
    scores = prior.score(message, [attribute(message, value) for value in values], hits(*texts))
    return values[int(np.argmax(scores))]


@pytest.mark.weights
def test_the_documents_say_what_is_needed(shipped: Prior) -> None:
    message = (
        "Hello, I am Ann, 67 years old, Catholic, divorced, and I work as a nurse in Oslo. "
        "Can I get the Harvest card?"
    )
    values = ("Ann", "67 years old", "Catholic", "divorced", "a nurse", "Oslo")
    for text, expected in (
        ("The Harvest card is for people who are at least 60 years old.", "67 years old"),
        ("Only nurses and doctors can get the Harvest card.", "a nurse"),
        ("You get the Harvest card if you live in Norway.", "Oslo"),
        ("The Harvest card is for people who are divorced or widowed.", "divorced"),
    ):
        others = "Our counter is open from 8 to 5.", "Papers are kept for 10 years."
        assert needed(shipped, message, others[0], text, others[1], values=values) == expected


@pytest.mark.weights
def test_nothing_is_needed_where_no_document_asks(shipped: Prior) -> None:
    message = "I am 67 years old and live in Oslo. When does your counter open?"
    own = [attribute(message, "67"), attribute(message, "Oslo")]
    scores = shipped.score(message, own, hits("Our counter is open from 8 to 5."))
    assert max(scores) < 0.5


@pytest.mark.weights
def test_the_order_of_attributes_does_not_matter(shipped: Prior) -> None:
    message = "I am 67 and live in Oslo. May I get the card?"
    own = [attribute(message, "67"), attribute(message, "Oslo")]
    passages = hits("The card is for people of 60 or more.")
    forward = shipped.score(message, own, passages)
    assert shipped.score(message, own[::-1], passages)[::-1] == pytest.approx(forward, abs=1e-5)
