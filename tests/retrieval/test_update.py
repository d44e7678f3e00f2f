"""`privrag-fast index`, run again after its corpus changed."""

from __future__ import annotations

import errno
import json
import logging
import os

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


def run_telling(corpus, out, models, capsys):
    assert main(
        ["index", str(corpus), "--out", str(out), "--embedder", str(models), "--json"]
    ) == 0  # fmt: skip
    return json.loads(capsys.readouterr().out)


def run(corpus, out, models, capsys):
    told = run_telling(corpus, out, models, capsys)
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


# --------------------------------------------------------------------------- what is out of reach


def test_a_file_that_cannot_be_opened_for_now_keeps_its_passages(
    corpus, tmp_path, models, embedded, capsys
):
    out = tmp_path / "index"
    (corpus / "fees").mkdir()
    (corpus / "fees" / "bread.md").write_text("Bread costs a letter.\n")
    run(corpus, out, models, capsys)
    away = (corpus / "fees").rename(tmp_path / "away")
    (corpus / "fees").symlink_to(tmp_path / "absent")
    (corpus / "grant.md").unlink()
    (corpus / "grant.md").symlink_to(tmp_path / "absent.md")
    (corpus / "museum.txt").unlink()
    embedded.clear()

    told = run_telling(corpus, out, models, capsys)
    assert (told["added"], told["kept"], told["removed"]) == (0, 3, 1)
    assert [each["source"] for each in told["skipped"]] == ["fees", "grant.md"]
    assert all("No such file" in each["reason"] for each in told["skipped"])
    assert sources(out, models) == ["faq.csv", "fees/bread.md", "grant.md"]

    (corpus / "fees").unlink()
    (corpus / "fees").symlink_to(away)
    assert run_telling(corpus, out, models, capsys)["kept"] == 3
    assert embedded == []


def test_a_folder_that_cannot_be_listed_keeps_its_passages(
    corpus, tmp_path, models, capsys, monkeypatch
):
    out = tmp_path / "index"
    (corpus / "fees").mkdir()
    (corpus / "fees" / "bread.md").write_text("Bread costs a letter.\n")
    run(corpus, out, models, capsys)
    scandir = os.scandir

    def refuse(path):
        if os.fspath(path).endswith("fees"):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    told = run_telling(corpus, out, models, capsys)
    assert (told["added"], told["kept"], told["removed"]) == (0, 4, 0)
    assert [each["source"] for each in told["skipped"]] == ["fees"]


# --------------------------------------------------------------------------- where it may go


@pytest.mark.parametrize(
    "manifest", [b'{"name": "my app", "manifest_version": 3}', b"[1]", b"{", b"\xff", b""]
)
def test_a_manifest_of_something_else_is_not_overwritten(
    corpus, tmp_path, models, embedded, manifest, capsys
):
    out = tmp_path / "web"
    out.mkdir()
    (out / "manifest.json").write_bytes(manifest)
    (out / "passages-mine.jsonl").write_text("mine")

    refused(corpus, out, models, capsys, "manifest.json: not an index's; delete it, or name")
    assert (out / "manifest.json").read_bytes() == manifest
    assert (out / "passages-mine.jsonl").exists()
    assert embedded == []


def test_an_index_of_a_newer_version_is_not_overwritten(corpus, tmp_path, models, embedded, capsys):
    out = tmp_path / "index"
    run(corpus, out, models, capsys)
    fields = json.loads((out / "manifest.json").read_text())
    newer = json.dumps({**fields, "format_version": 2})
    (out / "manifest.json").write_text(newer)
    embedded.clear()

    refused(corpus, out, models, capsys, "format version 2 is newer than 1; upgrade")
    assert (out / "manifest.json").read_text() == newer
    assert embedded == []


def test_a_place_that_cannot_be_written_is_named_before_anything_is_embedded(
    corpus, tmp_path, models, embedded, capsys
):
    file = tmp_path / "file"
    file.touch()
    for out in (file, file / "below"):
        refused(corpus, out, models, capsys, f"{out}: the index was not saved")
    assert embedded == []


def test_files_that_only_look_like_an_index_s_are_not_swept(corpus, tmp_path, models, capsys):
    out = tmp_path / "index"
    out.mkdir()
    (out / "passages-mine.jsonl").write_text("mine")
    run(corpus, out, models, capsys)
    assert (out / "passages-mine.jsonl").exists()


def refused(corpus, out, models, capsys, reason):
    assert main(["index", str(corpus), "--out", str(out), "--embedder", str(models)]) == 1
    assert reason in capsys.readouterr().err
