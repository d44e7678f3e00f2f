"""Samples of the prior, their windows, and the numbers that are fitted to its scores."""

from __future__ import annotations

import json
import math
import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from privrag_fast import models
from privrag_fast.evaluation import benchmark
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.relevance.prior import Calibration, Packer, Scale
from privrag_fast.retrieval import Chunker
from privrag_fast.training import prior_data, prior_eval
from privrag_fast.training.prior_data import Sample, Target
from privrag_fast.training.prior_windows import load_examples, save_examples
from privrag_fast.types import InputError, Passage
from tests.retrieval.tiny_models import tokenizer

PEOPLE = ("Ann", "Bob", "Cid", "Dora")


@pytest.fixture(scope="module")
def lessons() -> list[Sample]:
    return list(islice(prior_data.lesson_samples(5), 400))


@pytest.fixture(scope="module")
def chunker() -> Chunker:
    return Chunker(models.locate("embedder")["tokenizer.json"])


@pytest.fixture
def capid(tmp_path: Path) -> Path:
    rows = [
        {
            "context": f"{PEOPLE[i % 4]} is {20 + i} and lives in Oslo. Row {i}.",
            "question": f"May {PEOPLE[i % 4]} vote at {20 + i}?",
            "piis": {
                PEOPLE[i % 4]: {"type": "name", "relevance": "0"},
                str(20 + i): {"type": "age", "relevance": "1"},
            },
        }
        for i in range(60)
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def values(sample: Sample) -> list[list[str]]:
    return [[sample.message[a:b] for a, b in own.mentions] for own in sample.targets]


# ------------------------------------------------------------------ sources


def test_of_failed_conditions_only_a_single_one_turns_the_outcome(lessons: list[Sample]) -> None:
    kinds = set()
    for sample in lessons:
        consulted = [own.needed for own in sample.targets if own.consulted]
        assert not any(own.needed for own in sample.targets if not own.consulted)
        kinds.add((len(consulted), sum(consulted)))
    # All hold, or one does not, or several do not.
    assert kinds >= {(0, 0), (1, 1), (2, 2), (2, 1), (2, 0), (3, 3), (3, 1), (3, 0)}
    assert (3, 2) not in kinds


def test_samples_are_the_same_for_the_same_seed(lessons: list[Sample]) -> None:
    assert list(islice(prior_data.lesson_samples(5), 30)) == lessons[:30]
    assert list(islice(prior_data.lesson_samples(6), 30)) != lessons[:30]


@pytest.mark.weights
def test_training_names_no_product_of_another_split(chunker: Chunker) -> None:
    held_out = [p.name for family in FAMILIES if family.split != "train" for p in family.products]
    for sample in islice(prior_data.benchmark_samples(3, chunker), 100):
        text = " ".join([sample.message, *(f"{p.title} {p.text}" for p in sample.passages)])
        assert [name for name in held_out if name.casefold() in text.casefold()] == []
        assert sample.passages


@pytest.mark.weights
def test_a_product_comes_with_conditions_of_others(
    chunker: Chunker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that what is needed cannot be told from the name that is asked for."""

    def rules_of_a_product() -> float:
        read: dict[str, set[frozenset[str]]] = {}
        for sample in islice(prior_data.benchmark_samples(3, chunker, share=150), 150):
            labels = frozenset(own.label for own in sample.targets if own.consulted)
            for title in {p.title for p in sample.passages if p.title in sample.message}:
                read.setdefault(title, set()).add(labels)
        return float(np.mean([len(labels) for labels in read.values()]))

    swapped = rules_of_a_product()
    monkeypatch.setattr(prior_data, "_SWAPPED", 0.0)
    assert swapped > 1.3 * rules_of_a_product()


@pytest.mark.weights
def test_held_out_splits_are_taken_as_they_are(chunker: Chunker) -> None:
    data = benchmark.generate(0, train=0, dev=20, test=0, filler=0)
    drawn = prior_data.benchmark_samples(0, chunker, split="dev", share=20)
    for question, sample in zip(data.split("dev"), drawn, strict=False):
        assert sample.message == question.message
        assert [own.needed for own in sample.targets] == [fact.decisive for fact in question.facts]


def test_capid_is_split_by_its_contexts(capid: Path) -> None:
    train, dev = (prior_data.capid_samples(capid, dev=dev) for dev in (False, True))
    assert len(train) + len(dev) == 60
    assert 0 < len(dev) < 20
    assert not {own.message for own in train} & {own.message for own in dev}


def test_mentions_of_a_value_are_one_attribute(capid: Path) -> None:
    for sample in prior_data.capid_samples(capid):
        [name, age] = values(sample)
        assert len(set(name)) == len(set(age)) == 1
        assert len(name) == len(age) == 2
        assert [own.needed for own in sample.targets] == [False, True]
        assert sample.targets[1].consulted is None


# ------------------------------------------------------------------ variation


def test_masked_values_become_their_types(lessons: list[Sample]) -> None:
    rng = random.Random(1)
    for sample in lessons[:50]:
        chosen = [rng.random() < 0.5 for _ in sample.targets]
        masked = prior_data.mask(sample, chosen)
        for hidden, own, before, after in zip(
            chosen, sample.targets, values(sample), values(masked), strict=True
        ):
            assert after == ([own.label] * len(before) if hidden else before)
        assert prior_data.mask(sample, [False] * len(chosen)) == sample


def test_varied_spans_still_hold_their_values(lessons: list[Sample]) -> None:
    rng = random.Random(1)
    wider = masked = 0
    for sample in lessons:
        varied = prior_data.vary(sample, rng)
        masked += varied.message != sample.message
        for own, before, after in zip(sample.targets, values(sample), values(varied), strict=True):
            for was, now in zip(before, after, strict=True):
                assert was in now or own.label in now
                wider += len(now.split()) > max(len(was.split()), 1)
    assert 0.08 < masked / len(lessons) < 0.25
    assert wider > 100


# ------------------------------------------------------------------ windows


def test_windows_survive_their_file(lessons: list[Sample], tmp_path: Path) -> None:
    packer = Packer(tokenizer(tmp_path / "tokenizer.json"))
    examples = [own for own in (prior_data.example(s, packer) for s in lessons[:9]) if own]
    assert len(examples) == 9
    save_examples(tmp_path / "windows.npz", examples)
    for before, after in zip(examples, load_examples(tmp_path / "windows.npz"), strict=True):
        for name in ("ids", "roles", "spans", "rows"):
            mine, read = (getattr(own.window, name) for own in (before, after))
            assert mine.dtype == read.dtype
            np.testing.assert_array_equal(mine, read)
        np.testing.assert_array_equal(before.labels, after.labels)


def test_what_needs_several_windows_teaches_nothing(tmp_path: Path) -> None:
    packer = Packer(tokenizer(tmp_path / "tokenizer.json"), max_tokens=32, max_message=16)
    sample = Sample("bread on monday", (), (Target("FOOD", ((0, 5),), True),))
    taken = prior_data.example(sample, packer)
    assert taken is not None
    assert taken.labels.tolist() == [[1, -1]]
    long = Sample(sample.message, (Passage("p", "the " * 30),) * 2, sample.targets)
    assert prior_data.example(long, packer) is None
    assert prior_data.example(Sample(sample.message, (), ()), packer) is None


# ------------------------------------------------------------------ fitting


def test_scale_recovers_how_labels_were_drawn() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, 20_000)
    needed = rng.random(20_000) < 1 / (1 + np.exp(-(0.5 * logits - 1)))
    scale = prior_eval.fit_scale(logits.tolist(), needed.tolist())
    assert (scale.slope, scale.intercept) == pytest.approx((0.5, -1.0), abs=0.06)


def test_fusion_recovers_how_labels_were_drawn() -> None:
    rng = np.random.default_rng(1)
    prior, nats = rng.normal(0, 2, 20_000), rng.exponential(2, 20_000)
    odds = -2 + 0.7 * prior + 1.5 * np.log1p(nats)
    needed = rng.random(20_000) < 1 / (1 + np.exp(-odds))
    probabilities = 1 / (1 + np.exp(-prior))
    fusion = prior_eval.fit_fusion(list(zip(probabilities, nats, needed, strict=True)))
    assert fusion.intercept == pytest.approx(-2, abs=0.12)
    assert (fusion.prior, fusion.influence) == pytest.approx((0.7, 1.5), abs=0.12)


def test_separable_rows_give_finite_weights() -> None:
    rows = [(0.9, 3.0, True), (0.8, 2.0, True), (0.1, 0.0, False), (0.2, 0.1, False)]
    fusion = prior_eval.fit_fusion(rows)
    assert all(map(math.isfinite, (fusion.intercept, fusion.prior, fusion.influence)))
    assert fusion.influence > 0


def test_rows_of_one_kind_cannot_be_fitted() -> None:
    with pytest.raises(InputError, match="both kinds"):
        prior_eval.fit_scale([1.0, 2.0], [True, True])


def test_calibration_survives_its_file(tmp_path: Path) -> None:
    calibration = Calibration(Scale(0.7, -1.0), Scale(1.1, 0.2))
    prior_eval.write_calibration(tmp_path, calibration)
    assert Calibration.read(tmp_path / "calibration.json") == calibration


def test_figures_of_a_set() -> None:
    targets = tuple(Target("AGE", ((0, 1),), own) for own in (True, False, False, True))
    [report] = [prior_eval.figures([Sample("a", (), targets)], [[0.9, 0.2, 0.6, 0.7]])]
    assert report["auroc"] == 1.0
    assert report["withheld"] == 1.0
    assert report["accuracy"] == 0.75
    assert report["always_no"] == 0.5
    assert report["auroc_by_label"] == {}
