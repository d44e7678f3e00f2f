from __future__ import annotations

import json
import shutil
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrag_fast.detection import gliner as gliner_module
from privrag_fast.detection.gliner import Gliner
from privrag_fast.detection.gliner_config import Thresholds, read_thresholds
from privrag_fast.detection.labels import normalize_labels
from privrag_fast.onnx import OnnxModel, load_tokenizer
from privrag_fast.types import DetectionError, InputError, ModelError
from tests.detection import tiny_gliner
from tests.detection.checks import assert_well_formed

PLANTED = "Nora Oslo 34 東 \ud800 \x00 ♥️ e\u0301 "


def found(detector, text, **options):
    (entities,) = detector.detect([text], **options)
    assert_well_formed(text, entities)
    return [(entity.value(text), entity.label) for entity in entities]


@pytest.fixture
def folder(tiny_folder, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(tiny_folder, tmp_path / "detector")


# --------------------------------------------------------------------------- what is found


def test_entities_carry_label_score_and_source(gliner):
    (entities,) = gliner.detect(["I am Nora Lind, 34, from Oslo."])
    assert [(e.start, e.end, e.label, e.source) for e in entities] == [
        (5, 14, "PERSON", "gliner"),
        (16, 18, "AGE", "gliner"),
        (25, 29, "LOCATION", "gliner"),
    ]
    logit = tiny_gliner.HIGH + tiny_gliner.PER_WORD
    assert entities[0].score == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-6)


def test_a_full_name_is_one_person(gliner):
    """det-02"""
    assert found(gliner, "Dave Jones called.") == [("Dave Jones", "PERSON")]


@pytest.mark.parametrize("filler", ["word", "of filler,", "unbelievablylongwords", "🙂"])
def test_nothing_is_dropped_in_a_long_text(gliner, filler):
    """det-07"""
    words = [filler] * 3000
    for position in (10, 900, 2990):
        words[position - 1] = "Nora Lind"
    assert found(gliner, " ".join(words)) == [("Nora Lind", "PERSON")] * 3


@pytest.mark.parametrize("position", range(0, 60))
def test_a_name_is_whole_wherever_a_window_ends(gliner, position):
    words = ["filler"] * 60
    words[position] = "Nora Lind Smith Jones"
    assert found(gliner, " ".join(words)) == [("Nora Lind Smith Jones", "PERSON")]


def test_a_word_of_very_many_tokens_hides_nothing_around_it(gliner):
    text = f"Nora {'x' * 5000} Lind {'7z' * 3000}"
    assert found(gliner, text) == [("Nora", "PERSON"), ("Lind", "PERSON")]


def test_offsets_are_code_points_of_the_original(gliner):
    """det-08"""
    text = "♥️♥️♥️ named John Smith from Zürich"
    assert found(gliner, text) == [("John Smith", "PERSON"), ("Zürich", "LOCATION")]


def test_places_in_a_sentence_without_spaces(gliner):
    """det-09"""
    text = "我住在苏黎世，去过美国两次。"
    assert found(gliner, text) == [("苏黎世", "LOCATION"), ("美国", "LOCATION")]


@pytest.mark.parametrize("rows", [1, 2, 16])
def test_a_batch_of_unequal_lengths_equals_one_by_one(gliner, monkeypatch, rows):
    """det-10"""
    monkeypatch.setattr(gliner, "_batch_rows", rows)
    texts = ["short", "a much longer text about Nora Lind from Oslo", "", "Kai " * 70, "Kai"]
    alone = [gliner.detect([text])[0] for text in texts]
    together = gliner.detect(texts)
    assert [[(e.start, e.end, e.label) for e in row] for row in together] == [
        [(e.start, e.end, e.label) for e in row] for row in alone
    ]
    for row, single in zip(together, alone, strict=True):
        assert [e.score for e in row] == pytest.approx([e.score for e in single], abs=1e-5)
    assert len(together[3]) > 15


def test_each_text_may_have_its_own_labels(gliner):
    """det-11"""
    texts = ["Nora is 34", "She lives in Oslo"]
    rows = gliner.detect(texts, labels=[["age"], ["city"]])
    assert [[(e.value(t), e.label) for e in row] for t, row in zip(texts, rows, strict=True)] == [
        [("34", "AGE")],
        [("Oslo", "CITY")],
    ]


def test_texts_with_more_and_fewer_labels_go_together(gliner):
    rows = gliner.detect(["Nora, 34"] * 3, labels=[["age"], ["name", "age"], ["age"]])
    assert [[entity.label for entity in row] for row in rows] == [["AGE"], ["NAME", "AGE"], ["AGE"]]


@pytest.mark.parametrize("rows", [1, 16])
def test_batches_stay_within_their_bounds_and_lose_no_job(gliner, rows):
    texts = ["Nora " * n for n in (1, 300, 7, 40, 2) * 8]
    labels = [["name"], ["age"]] * 20
    jobs = [
        job
        for text, each in zip(texts, labels, strict=True)
        for job in gliner._prepare(text, gliner._asked(normalize_labels(each))).jobs
    ]
    batches = list(gliner_module._batches(jobs, rows))
    assert sorted(i for batch in batches for i in batch) == list(range(len(jobs)))
    for batch in batches:
        lengths = [jobs[i].length for i in batch]
        assert lengths == sorted(lengths)
        assert len({jobs[i].prompt.labels for i in batch}) == 1
        assert len(batch) <= rows
        assert len(batch) == 1 or len(batch) * max(lengths) <= gliner_module._BATCH_TOKENS


def test_labels_of_one_call_replace_the_detector_s_own(gliner):
    assert found(gliner, "Nora, 34", labels=["age"]) == [("34", "AGE")]
    assert found(gliner, "Nora, 34", labels={"WHO": "name"}) == [("Nora", "WHO")]
    assert found(gliner, "Nora, 34") == [("Nora", "PERSON"), ("34", "AGE")]


def test_many_labels_score_as_few_do(tiny_folder):
    """det-12, as far as a model of known scores can tell"""
    labels = {f"FILLER_{i}": f"x {string.ascii_lowercase[i]}" for i in range(26)}
    labels = {"PERSON": "name"} | labels | {"LOCATION": "location"}
    text = "Nora Lind from Oslo"
    many = Gliner(tiny_folder, labels=labels).detect([text])[0]
    few = Gliner(tiny_folder, labels={"PERSON": "name", "LOCATION": "location"}).detect([text])[0]
    assert many == few


@pytest.mark.parametrize(
    ("count", "thorough", "passes"), [(26, False, 1), (27, False, 2), (24, True, 3), (1, True, 1)]
)
def test_labels_are_asked_in_even_groups(tiny_folder, monkeypatch, count, thorough, passes):
    labels = list((string.ascii_lowercase + string.digits)[:count])
    detector = Gliner(tiny_folder, labels=labels, thorough=thorough)
    seen = []
    run = detector._run
    monkeypatch.setattr(detector, "_run", lambda jobs: seen.extend(jobs) or run(jobs))
    detector.detect(["Nora"])
    asked = [job.prompt.labels for job in seen]
    assert len(asked) == passes
    assert [label for group in asked for label in group] == labels
    assert max(map(len, asked)) - min(map(len, asked)) <= 1


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\u200b", "..."])
def test_a_text_without_words_has_no_entity(gliner, text):
    assert found(gliner, text) == []


def test_no_texts_no_answers(gliner):
    assert gliner.detect([]) == []


@settings(max_examples=40)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=()) | st.sampled_from(PLANTED), max_size=40),
        max_size=3,
    )
)
def test_any_unicode_gives_well_formed_entities(gliner, texts):
    for text, entities in zip(texts, gliner.detect(texts), strict=True):
        assert_well_formed(text, entities)


@given(st.lists(st.sampled_from(["Nora", "x\u0301", "\ud800", "東", "\u200b", "34"]), max_size=50))
@settings(max_examples=25)
def test_planted_words_are_found_among_odd_ones(gliner, words):
    text = " ".join(words)
    (entities,) = gliner.detect([text])
    covered = {i for e in entities for i in range(e.start, e.end)}
    for start in (i for i in range(len(text)) if text.startswith("Nora", i)):
        assert covered.issuperset(range(start, start + 4))


# --------------------------------------------------------------------------- thresholds


def test_thresholds_come_from_the_folder_and_the_caller_overrides_them(folder):
    (folder / "thresholds.json").write_text('{"default": 0.9, "labels": {"age": 0.99}}')
    text, labels = "Nora Lind, 34", ["PERSON", "age"]
    assert found(Gliner(folder, labels=labels), text) == [("Nora Lind", "PERSON")]
    both = [("Nora Lind", "PERSON"), ("34", "AGE")]
    assert found(Gliner(folder, labels=labels, threshold=0.9), text) == both
    assert found(Gliner(folder, labels=labels, threshold=0.999), text) == []


def test_thorough_halves_the_folder_s_thresholds_but_not_the_caller_s(folder):
    (folder / "thresholds.json").write_text('{"default": 1.0, "labels": {"age": 0.99}}')
    text, labels = "Nora Lind, 34", ["PERSON", "age"]
    assert found(Gliner(folder, labels=labels), text) == []
    both = [("Nora Lind", "PERSON"), ("34", "AGE")]
    assert found(Gliner(folder, labels=labels, thorough=True), text) == both
    assert found(Gliner(folder, labels=labels, thorough=True, threshold=0.999), text) == []


def test_without_thresholds_half_is_asked_for(folder):
    text = "Nora Lind"
    assert not (folder / "thresholds.json").exists()
    assert found(Gliner(folder, labels=["PERSON"]), text) == [(text, "PERSON")]


def test_thresholds_of_another_folder_can_be_taken(folder):
    (folder / "thresholds.json").write_text('{"default": 0.9, "labels": {"age": 0.99}}')
    thresholds = read_thresholds(folder)
    assert thresholds == Thresholds(0.9, {"age": 0.99})
    (folder / "thresholds.json").unlink()
    text, labels = "Nora Lind, 34", ["PERSON", "age"]
    assert found(Gliner(folder, labels=labels, threshold=thresholds), text) == [
        ("Nora Lind", "PERSON")
    ]
    lowered = Gliner(folder, labels=labels, threshold=Thresholds(1.0, {"age": 0.99}), thorough=True)
    assert found(lowered, text) == [("Nora Lind", "PERSON"), ("34", "AGE")]


@pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
def test_a_threshold_outside_its_range_is_refused(tiny_folder, threshold):
    with pytest.raises(InputError, match="threshold"):
        Gliner(tiny_folder, threshold=threshold)
    with pytest.raises(InputError, match="threshold"):
        Thresholds(0.5, {"age": threshold})


@pytest.mark.parametrize("content", ["[]", "{", '{"default": 2}', '{"labels": {"age": "x"}}'])
def test_damaged_thresholds_are_named(folder, content):
    (folder / "thresholds.json").write_text(content)
    with pytest.raises(ModelError, match=r"thresholds\.json"):
        Gliner(folder)


# --------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("file", ["gliner_config.json", "tokenizer.json", "model.onnx"])
def test_a_missing_file_is_named(folder, file):
    (folder / file).unlink()
    with pytest.raises(ModelError, match=f"{file}: no such file"):
        Gliner(folder)


@pytest.mark.parametrize(
    ("config", "family"),
    [
        ({"span_mode": "token_level"}, "token-level"),
        ({"model_type": "gliner_uni_encoder_token"}, "token-level"),
        ({"labels_encoder": "some/encoder"}, "bi-encoder"),
        ({"labels_decoder": "gpt2"}, "generative"),
        ({"relations_layer": "mlp"}, "relation"),
        ({"model_type": "gliner_streaming_span"}, "streaming"),
        ({"model_type": "extractor"}, "GLiNER2"),
        ({"subtoken_pooling": "mean"}, "pools"),
        ({"precomputed_prompts_mode": True}, "precomputed"),
    ],
)
def test_another_family_of_gliner_is_refused_by_name(folder, config, family):
    path = folder / "gliner_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | config))
    with pytest.raises(ModelError, match=family):
        Gliner(folder)


def test_a_gliner2_folder_is_recognized(folder):
    (folder / "gliner_config.json").unlink()
    (folder / "config.json").write_text('{"model_type": "extractor"}')
    with pytest.raises(ModelError, match="GLiNER2"):
        Gliner(folder)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"max_width": 0, "max_len": 9}'])
def test_a_damaged_config_is_named(folder, content):
    (folder / "gliner_config.json").write_text(content)
    with pytest.raises(ModelError, match=r"gliner_config\.json"):
        Gliner(folder)


def test_a_tokenizer_without_the_markers_is_refused(tmp_path):
    folder = tiny_gliner.build(tmp_path, ent_token="[ENT]")
    with pytest.raises(ModelError, match=r"lacks \[ENT\]"):
        Gliner(folder)


def test_a_tokenizer_of_another_model_is_refused(folder, tmp_path):
    path = folder / "gliner_config.json"
    own = load_tokenizer(folder / "tokenizer.json").token_to_id("<<ENT>>")
    for told in (own, -1, None):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"class_token_index": told}))
        Gliner(folder)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"class_token_index": own + 1}))
    with pytest.raises(ModelError, match=f"<<ENT>> is {own}, .*{own + 1}; take the file"):
        Gliner(folder)


def test_a_config_of_another_model_is_noticed_when_it_is_opened(tmp_path):
    folder = tiny_gliner.build(tmp_path, max_width=5)
    with pytest.raises(ModelError):
        Gliner(folder, labels=["name"])


def test_a_truncated_model_is_named(folder):
    path = folder / "model.onnx"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ModelError, match=r"model\.onnx: not a readable ONNX model"):
        Gliner(folder)


def test_a_hub_s_folder_of_graphs_is_read(folder):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert found(Gliner(folder, labels=["name"]), "Nora") == [("Nora", "NAME")]


def test_prompts_are_encoded_once(tiny_folder, monkeypatch):
    detector = Gliner(tiny_folder, labels=["name", "age"])
    monkeypatch.setattr(detector, "_tokenizer", None)
    assert found(detector, "Nora") == [("Nora", "NAME")]


def test_labels_too_long_for_the_model_are_refused(gliner):
    with pytest.raises(InputError, match="tokens for text"):
        gliner.detect(["Nora"], labels=["x" * 90])


def test_labels_that_fill_the_model_are_asked_in_smaller_groups(gliner):
    long = {f"LONG_{i}": f"{string.ascii_lowercase[i] * 30} label" for i in range(5)}
    labels = {"PERSON": "name", **long, "LOCATION": "location"}
    assert found(gliner, "Nora of Oslo", labels=labels) == [
        ("Nora", "PERSON"),
        ("Oslo", "LOCATION"),
    ]


def test_a_label_must_not_hold_a_marker(gliner):
    with pytest.raises(InputError, match="<<ENT>>"):
        gliner.detect(["Nora"], labels={"NAME": "<<ENT>> name"})


@pytest.mark.parametrize(
    ("texts", "labels"), [("Nora", None), ([3], None), (["Nora"], []), (["a", "b"], [["age"]])]
)
def test_arguments_that_cannot_be_used(gliner, texts, labels):
    with pytest.raises(InputError):
        gliner.detect(texts, labels=labels)


def test_nan_is_a_failure_and_not_an_empty_answer(gliner, monkeypatch):
    monkeypatch.setattr(
        OnnxModel,
        "run",
        lambda self, feeds: [
            np.full((1, 1, tiny_gliner.MAX_WIDTH, 3), np.nan, np.float32),
        ],
    )
    with pytest.raises(DetectionError, match="NaN"):
        gliner.detect(["Nora"])
