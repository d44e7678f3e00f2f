"""The detector as the pipeline opens it."""

from __future__ import annotations

import shutil

import pytest

from privrag_fast import assembly
from privrag_fast.assembly import Models, open_detector


def values(detector, text):
    return [own.value(text) for own in detector.detect([text])[0]]


@pytest.fixture
def folder(tiny_folder, tmp_path):
    folder = shutil.copytree(tiny_folder, tmp_path / "detector")
    (folder / "thresholds.json").write_text('{"default": 1.0}')
    return folder


def test_thorough_reaches_the_model(folder):
    sources, labels = Models(detector=folder), ["PERSON"]
    assert values(open_detector(sources, labels=labels), "Nora") == []
    assert values(open_detector(sources, labels=labels, thorough=True), "Nora") == ["Nora"]


def test_open_rag_hands_thorough_on(folder, monkeypatch):
    seen = []
    monkeypatch.setattr(assembly, "open_detector", lambda *_, **own: seen.append(own["thorough"]))
    for name in ("slm", "reranker", "prior"):
        monkeypatch.setattr(assembly, f"open_{name}", lambda *_: None)
    for name in ("Counterfactual", "LocalChat", "PrivateRag"):
        monkeypatch.setattr(assembly, name, lambda *_, **__: None)
    assembly.open_rag(object(), thorough=True)
    assembly.open_rag(object())
    assert seen == [True, False]


def test_a_hub_s_folder_without_thresholds(folder):
    (folder / "thresholds.json").unlink()
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert values(open_detector(Models(detector=folder), labels=["PERSON"]), "Nora") == ["Nora"]
