"""`privrag-fast index`, run again after its corpus changed."""

from __future__ import annotations

import json
import logging

import pytest

from privrag_fast import assembly
from privrag_fast.cli import main
from privrag_fast.retrieval import Embedder, Index
from tests.retrieval import tiny_models


@pytest.fixture
def models(tmp_path):
    folder = tmp_path / "embedder"
    folder.mkdir()
    tiny_models.encoder(folder / "model.onnx")
    tiny_models.tokenizer(folder / "tokenizer.json")
    return folder


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "grant.md").write_text("# Heating grant\n\nThe grant is for people over sixty.\n")
    (folder / "museum.txt").write_text("The museum opens on monday.\n")
    (folder / "faq.csv").write_text("question,answer\nIs bread free?,The bread cost a letter.\n")
    return folder


@pytest.fixture
def embedded(monkeypatch):
    """How many texts each run embeds."""
    texts, embed = [], Embedder.embed
    monkeypatch.setattr(Embedder, "embed", lambda self, own: texts.extend(own) or embed(self, own))
    return texts


def run(corpus, out, models, capsys):
    assert main(
        ["index", str(corpus), "--out", str(out), "--embedder", str(models), "--json"]
    ) == 0  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    return told["added"], told["kept"], told["removed"]


def sources(out, models):
    index = Index.open(out, assembly.open_embedder(assembly.Models(embedder=models)))
    return sorted(passage.source for passage in index.passages)


def test_only_what_changed_is_embedded(corpus, tmp_path, models, embedded, capsys):
    out = tmp_path / "index"
    assert run(corpus, out, models, capsys) == (3, 0, 0)
    assert len(embedded) == 3

    embedded.clear()
    assert run(corpus, out, models, capsys) == (0, 3, 0)
    assert embedded == []

    (corpus / "museum.txt").unlink()
    (corpus / "faq.csv").write_text("question,answer\nIs bread free?,It is free.\n")
    (corpus / "copy.md").write_bytes((corpus / "grant.md").read_bytes())
    assert run(corpus, out, models, capsys) == (2, 1, 2)
    assert embedded == ["faq\nIs bread free?\nIt is free."]  # the copy's text is known
    assert sources(out, models) == ["copy.md", "faq.csv", "grant.md"]


def test_a_file_that_turns_bad_leaves_and_is_named(corpus, tmp_path, models, capsys, caplog):
    out = tmp_path / "index"
    run(corpus, out, models, capsys)
    (corpus / "grant.md").rename(corpus / "grant.pdf")

    assert run(corpus, out, models, capsys) == (0, 2, 1)
    assert "grant.pdf: skipped: damaged" in caplog.text


def test_a_damaged_index_is_built_anew(corpus, tmp_path, models, capsys, caplog):
    out = tmp_path / "index"
    run(corpus, out, models, capsys)
    (passages,) = out.glob("passages-*")
    passages.write_text("{}")

    with caplog.at_level(logging.WARNING):
        assert run(corpus, out, models, capsys) == (3, 0, 0)
    assert f"built anew: {passages}: SHA-256" in caplog.text
    assert len(sources(out, models)) == 3


def test_another_embedder_builds_it_anew(corpus, tmp_path, models, capsys, caplog):
    out = tmp_path / "index"
    run(corpus, out, models, capsys)
    (models / "1_Pooling").mkdir()
    (models / "1_Pooling" / "config.json").write_text('{"pooling_mode": "cls"}')

    assert run(corpus, out, models, capsys) == (3, 0, 0)
    assert "built anew" in caplog.text
    assert len(sources(out, models)) == 3
