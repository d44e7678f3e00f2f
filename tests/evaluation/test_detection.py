"""`privrag-fast evaluate detection`: the scores, the sets, the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from privrag_fast import cli
from privrag_fast.detection.gliner import Gliner
from privrag_fast.detection.gliner_config import THRESHOLDS_FILE
from privrag_fast.evaluation import detection
from privrag_fast.types import Entity, InputError
from tests.detection import tiny_gliner

# --------------------------------------------------------------------------- scores


def test_exact_match_wants_span_and_type():
    gold = [{(0, 4, "PERSON"), (9, 13, "LOCATION")}, {(0, 2, "AGE")}]
    own = [[(0, 4, "PERSON"), (9, 13, "PERSON"), (0, 4, "PERSON")], []]
    figures = detection.exact_match(own, gold)
    assert (figures.precision, figures.recall) == (1 / 2, 1 / 3)
    assert figures.f1 == pytest.approx(0.4)
    assert figures.per_type == {"PERSON": 2 / 3, "LOCATION": 0, "AGE": 0}


def test_nothing_found_and_nothing_to_find():
    assert detection.exact_match([[]], [{(0, 2, "AGE")}]).f1 == 0
    assert detection.exact_match([[(0, 2, "AGE")]], [set()]).f1 == 0
    assert detection.overlap_recall([[]], [set()]) == 0


@pytest.mark.parametrize(
    ("own", "f1"),
    [
        ([(0, 15, "ADDRESS")], 1.0),
        ([(0, 2, "ADDRESS"), (3, 15, "ADDRESS")], 1.0),
        ([(0, 16, "ADDRESS")], 1.0),  # 15 of 16 characters are shared
        ([(0, 19, "ADDRESS")], 0.0),  # 15 of 19
        ([(0, 15, "LOCATION")], 0.0),
        ([(3, 15, "ADDRESS")], 0.0),
    ],
)
def test_loose_match_joins_what_touches_and_forgives_an_edge(own, f1):
    text = "12 Elm Road, 9a in the rain"
    gold = [{(0, 2, "ADDRESS"), (3, 11, "ADDRESS"), (13, 15, "ADDRESS")}]
    assert detection.loose_match([text], [own], gold).f1 == f1


def test_a_found_span_counts_for_one_gold_span_only():
    text = "Bern or Bern"
    gold = [{(0, 4, "LOCATION"), (8, 12, "LOCATION")}]
    assert detection.loose_match([text], [[(0, 4, "LOCATION")]], gold).recall == 0.5


def test_words_between_keep_spans_apart():
    text = "Bern or Bern"
    own = [(0, 4, "LOCATION"), (8, 12, "LOCATION")]
    assert detection.loose_match([text], [own], [{(0, 12, "LOCATION")}]).f1 == 0


def test_overlap_recall_forgives_edges_and_types():
    gold = [{(0, 4, "PERSON"), (6, 9, "AGE")}]
    assert detection.overlap_recall([[(3, 6, "ID")]], gold) == 0.5


def test_a_sweep_by_score_is_what_the_decoder_does_at_that_threshold(gliner_folder):
    text = "Nora Lind Smith, 34 of Oslo and Zurich"
    labels = {"PERSON": "name", "LOCATION": "location", "AGE": "age"}
    low = Gliner(gliner_folder, labels=labels, threshold=detection.FLOOR).detect([text])
    scores = sorted({own.score for own in low[0]})
    assert len(scores) > 1
    for threshold in scores:
        own = Gliner(gliner_folder, labels=labels, threshold=threshold - 1e-6)
        assert detection.spans(own.detect([text])) == detection.spans(low, threshold=threshold)


# --------------------------------------------------------------------------- the sets


@pytest.fixture(scope="module")
def gliner_folder(tmp_path_factory):
    return tiny_gliner.build(tmp_path_factory.mktemp("model"), max_tokens=600, max_len=200)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """One or two rows of our own in the form of each set."""
    folder = tmp_path_factory.mktemp("data")
    kinds = {"Nora": "name", "34": "age", "Oslo": "location"}
    row = {"context": "I am Nora, 34, of Oslo.",
           "piis": {value: {"type": kind} for value, kind in kinds.items()}}  # fmt: skip
    (folder / "capid").mkdir()
    (folder / "capid/test.jsonl").write_text(json.dumps(row))
    (folder / "presidio-research").mkdir()
    for name in ("synth_dataset_v2", "generated_large"):
        # All of some two hundred templates: about one in seven is held out.
        sentences = [
            {"masked": f"{'go ' * n}{{{{name}}}}", "full_text": f"{'go ' * n}Nora",
             "spans": [{"entity_type": "PERSON", "start_position": 3 * n,
                        "end_position": 3 * n + 4}]}
            for n in range(20)
        ]  # fmt: skip
        (folder / f"presidio-research/{name}.json").write_text(json.dumps(sentences))
    (folder / "wnut17").mkdir()
    for name in ("emerging.dev.conll", "wnut17train.conll", "emerging.test.annotated"):
        lines = ["so\tO", "Nora\tB-person", "Lind\tI-person", "!\tO", "", "Oslo\tB-location"]
        (folder / "wnut17" / name).write_text("\n".join(lines) + "\n")
    return folder


def test_sentences_of_wnut_are_tokens_parted_by_a_space(data):
    rows = detection.read_wnut(data / "wnut17/emerging.dev.conll")
    assert [(row.text, set(row.gold)) for row in rows] == [
        ("so Nora Lind !", {(3, 12, "PERSON")}),
        ("Oslo", {(0, 4, "LOCATION")}),
    ]


def test_what_is_found_in_wnut_counts_by_its_tokens():
    rows = [detection.Labeled("in #Oslo, now", frozenset({(3, 9, "LOCATION")}))]
    assert detection._on_tokens(rows, [[(4, 8, "LOCATION")]]).f1 == 1
    assert detection._on_tokens(rows, [[(4, 13, "LOCATION")]]).f1 == 0


def test_presidio_research_counts_a_postal_code_to_the_address():
    rows = [
        detection.Labeled("Lake Rd 3, 80002", frozenset({(0, 9, "ADDRESS"), (11, 16, "ADDRESS")}))
    ]
    figures = detection._both(rows, [[(0, 9, "ADDRESS"), (11, 16, "ZIP")]])
    assert figures["f1"] == 1.0
    assert figures["postcodes_apart_f1"] == 0.0  # two pieces of gold are one, ours two
    assert figures["exact_f1"] == 0.5


@pytest.mark.parametrize("kind", detection.MENTIONED)
def test_lone_names_are_marked_where_they_stand(kind):
    rows = detection.read_mentions(kind)
    names = detection.MENTIONED[kind].split()
    assert len(names) == len(set(names)) == 24
    assert len(rows) == 24 * len(detection.MENTIONS["LOCATION" if kind == "town" else "PERSON"])
    values = {row.text[start:end] for row in rows for start, end, _ in row.gold}
    assert {value.lower() for value in values} == {name.lower() for name in names}
    assert all(len(row.gold) == 1 for row in rows)
    assert 0.2 < sum(row.text == row.text.lower() for row in rows) / len(rows) < 0.6


def test_own_messages_are_marked_with_known_types():
    from privrag_fast.detection.labels import DEFAULT_LABELS

    rows = detection.read_messages()
    assert {kind for row in rows for *_, kind in row.gold} <= set(DEFAULT_LABELS)
    assert not any("|" in row.text or "[" in row.text for row in rows)
    assert ("Zurich", "LOCATION") in {
        (row.text[start:end], kind) for row in rows for start, end, kind in row.gold
    }


def test_the_command_prints_every_set_and_ends_with_bars(
    data, gliner_folder, capsys, monkeypatch, tmp_path
):
    monkeypatch.setattr(
        detection, "measure_presidio", lambda rows: {"f1": 0.25, "per_type": {"PERSON": 0.25}}
    )
    model = ["--detector", str(gliner_folder), "--full", str(gliner_folder), "--threads", "1"]
    out = tmp_path / "out"
    assert cli.main(["evaluate", "detection", "--data", str(data), "--out", str(out), *model]) == 1
    assert json.loads((out / "detection.json").read_text())["rival"]["f1"] == 0.25
    printed = capsys.readouterr().out.splitlines()
    bars = [line.split()[1:] for line in printed if line.startswith("bar ")]
    values = {name: (float(value), verdict) for name, value, _, verdict in bars}
    assert list(values) == [
        "capid_f1", "capid_recall", "presidio_f1", "presidio_lead", "unseen_labels_f1",
        "wnut17_f1", "overlap_recall", "int8_loss_capid", "int8_loss_capid_unseen_labels",
        "int8_loss_presidio", "int8_loss_wnut17",
    ]  # fmt: skip
    assert values["capid_recall"] == (1.0, "met")
    assert values["wnut17_f1"] == (1.0, "met")
    assert values["presidio_f1"] == (1.0, "met")
    assert values["presidio_lead"] == (0.75, "met")
    assert values["unseen_labels_f1"] == (0.0, "short")
    assert values["int8_loss_capid"] == (0.0, "met")
    assert len(printed) > len(bars)


def test_the_twin_is_measured_at_the_thresholds_of_the_model(
    data, gliner_folder, tmp_path, monkeypatch
):
    model, full = (shutil.copytree(gliner_folder, tmp_path / name) for name in ("model", "full"))
    (model / THRESHOLDS_FILE).write_text('{"default": 1.0}')  # it finds nothing
    (full / THRESHOLDS_FILE).write_text('{"default": 0.5}')
    monkeypatch.setattr(detection, "measure_presidio", lambda rows: {"f1": 0.0})
    figures = detection.evaluate(data, model, full=full, threads=1)
    assert figures["own"]["capid"]["recall"] == figures["full"]["capid"]["recall"] == 0.0


class Absent:
    def __init__(self):
        raise ImportError("No module named 'spacy'", name="spacy")


def test_without_presidio_there_is_its_cure_and_no_bar(data, gliner_folder, capsys, monkeypatch):
    monkeypatch.setattr(detection, "Presidio", Absent)
    figures = detection.evaluate(data, gliner_folder, threads=1)
    assert "pip install presidio-analyzer" in capsys.readouterr().out
    assert "presidio_lead" not in {bar.name for bar in detection.bars(figures)}


def test_the_rival_gets_the_threshold_that_suits_it_best(monkeypatch):
    class Unsure:
        def detect(self, texts):
            return [[Entity(0, 4, "PERSON", 0.9), Entity(5, 9, "PERSON", 0.3)] for _ in texts]

    monkeypatch.setattr(detection, "Presidio", Unsure)
    rows = [detection.Labeled("Nora says so", frozenset({(0, 4, "PERSON")}))]
    assert detection.measure_presidio(rows)["f1"] == 1.0
    assert 0.3 < detection.measure_presidio(rows)["threshold"] <= 0.9


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [([], "--data"), (["--data", "nowhere"], "capid/test.jsonl")],
)
def test_what_is_missing_is_named(arguments, complaint, gliner_folder, capsys):
    model = ["--detector", str(gliner_folder)]
    assert cli.main(["evaluate", "detection", *arguments, *model]) == 1
    assert complaint in capsys.readouterr().err


def test_a_folder_without_the_sets_is_refused(gliner_folder, tmp_path):
    with pytest.raises(InputError, match="data sets"):
        detection.evaluate(tmp_path, gliner_folder)
