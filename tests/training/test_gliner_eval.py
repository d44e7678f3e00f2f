"""Thresholds are the lowest that dev data bear."""

from __future__ import annotations

import json

import pytest

from privrag_fast.detection.gliner import Gliner
from privrag_fast.evaluation import detection
from privrag_fast.training import gliner_data as data
from privrag_fast.training import gliner_eval
from privrag_fast.types import Entity
from tests.detection import tiny_gliner


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_gliner.build(tmp_path_factory.mktemp("model"), max_tokens=600, max_len=200)


def example(known: str = "name age location") -> data.Example:
    text = "I am Nora, 34, of Oslo"
    spans = [("Nora", "name"), ("34", "age"), ("Oslo", "location")]
    places = [
        (text.index(value), text.index(value) + len(value), frozenset({kind}), kind)
        for value, kind in spans
        if kind in known
    ]
    return data.make_example("own", text, places, known.split())


def test_the_lowest_threshold_that_costs_nothing():
    gold = [{(0, 4, "PERSON")}] * 4
    right, wrong = Entity(0, 4, "PERSON", 0.9), Entity(5, 9, "PERSON", 0.43)
    assert gliner_eval._lowest([[right]] * 4, gold) == min(gliner_eval.SHIPPED)
    assert gliner_eval._lowest([[right, wrong]] * 4, gold) == 0.45
    late = Entity(0, 4, "PERSON", 0.41)
    assert gliner_eval._lowest([[late, wrong]] * 4, gold) < 0.41


def test_labels_with_enough_gold_get_one_of_their_own(folder):
    sweep = Gliner(folder, threshold=detection.FLOOR, threads=1)
    capid, messages = [example()] * 3, [example("name age")] * gliner_eval.MIN_GOLD
    default, by_label = gliner_eval.calibrate(sweep, capid, messages)
    assert default == min(gliner_eval.SHIPPED)
    assert by_label == {"name": default, "age": default}


def test_both_files_are_written(folder, tmp_path, monkeypatch):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    rows = {"capid": [example()] * 3, "synthetic": [example()] * 30}
    monkeypatch.setattr(data, "read_dev", lambda *_: rows)
    monkeypatch.setattr(detection, "evaluate", lambda *_, **own: {"own": {"threads": 1}})
    gliner_eval.main(["--model", str(tmp_path), "--threads", "1"])
    thresholds = json.loads((tmp_path / "thresholds.json").read_text())
    assert set(thresholds["labels"]) == {"name", "age", "location"}
    assert json.loads((tmp_path / "figures.json").read_text())["own"]
    Gliner(tmp_path, labels=["name"], threads=1)
