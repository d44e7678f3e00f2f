from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import killed_index
from privrag_fast.retrieval import Index, IndexOptions, index
from privrag_fast.types import CorpusError, Passage
from tests.retrieval.conftest import WordEmbedder


def passages(word, count):
    return [
        Passage(f"{word}{n}", f"{word} word{n}", "title", "a > b", "x.md") for n in range(count)
    ]


@pytest.fixture
def saved(tmp_path, word_embedder):
    Index.build(passages("old", 5), word_embedder).save(tmp_path)
    return tmp_path


def found(folder):
    index = Index.open(folder, WordEmbedder())
    return sorted(hit.passage.id for hit in index.search("word1", 100))


def visible(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


OLD = [f"old{n}" for n in range(5)]
NEW = [f"new{n}" for n in range(8)]


def edit_manifest(folder, **fields):
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


# --------------------------------------------------------------------------- saved and opened


def test_opened_equals_saved(word_embedder, tmp_path):
    odd = [Passage("odd\ud800", "lone \udfff and \0 and \u2028 ქართული"), Passage("e", "")]
    options = IndexOptions(M=8, ef=40, exact_below=2)
    index = Index.build([*passages("a", 30), *odd], word_embedder, options=options)
    index.remove(["a3"])
    index.save(tmp_path / "deep" / "folder")
    opened = Index.open(tmp_path / "deep" / "folder", word_embedder)

    assert len(opened) == len(index) == 31
    for query in ("a word1", "lone", "word9 word3"):
        assert opened.search(query, 31) == index.search(query, 31)
    assert opened._options == options


def test_an_empty_index_is_saved_and_grows_after(word_embedder, tmp_path):
    Index(word_embedder).save(tmp_path)
    opened = Index.open(tmp_path, word_embedder)

    assert opened.search("word", 3) == []
    opened.add(passages("a", 100))
    assert opened.search("a word7", 1)[0].passage.id == "a7"


def test_files_of_earlier_saves_are_gone_and_foreign_files_stay(saved, word_embedder):
    (saved / "notes.txt").write_text("mine")
    Index.build(passages("new", 8), word_embedder).save(saved)

    kinds = [name.split("-")[0] for name in visible(saved)]
    assert kinds == ["manifest.json", "notes.txt", "passages", "vectors"]
    assert found(saved) == sorted(NEW)


def test_saving_twice_changes_nothing(saved, word_embedder):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    Index.open(saved, word_embedder).save(saved)

    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


# --------------------------------------------------------------------------- killed


class Killed(BaseException):
    """Ends the process, as far as `save` can tell: no handler of its own runs."""


def kill_at(monkeypatch, step):
    """Dies at the `step`-th call that changes what is on the disk."""
    calls = iter(range(1_000))

    def dying(call):
        def wrapper(*args, **kwargs):
            if next(calls) == step:
                raise Killed
            return call(*args, **kwargs)

        return wrapper

    for owner, name in ((Path, "replace"), (Path, "unlink"), (Path, "write_text"), (os, "fsync")):
        monkeypatch.setattr(owner, name, dying(getattr(owner, name)))


def test_killed_at_any_step_it_opens_as_old_or_new(saved, word_embedder, monkeypatch):
    new = Index.build(passages("new", 8), word_embedder)
    outcomes = []
    for step in range(100):
        Index.build(passages("old", 5), word_embedder).save(saved)
        with monkeypatch.context() as patch:
            kill_at(patch, step)
            try:
                new.save(saved)
            except Killed:
                pass
            else:
                break
        outcomes.append(found(saved))
    else:
        pytest.fail("save never came to its end")

    assert len(outcomes) >= 10
    assert all(outcome in (OLD, NEW) for outcome in outcomes)
    switch = outcomes.index(NEW)
    assert outcomes == [OLD] * switch + [NEW] * (len(outcomes) - switch)
    new.save(saved)
    assert len(visible(saved)) == 3  # nothing of the dead is left
    assert {path.name for path in saved.glob(".*")} == {".lock"}


def test_a_full_disk_leaves_the_old_index(saved, word_embedder, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(CorpusError, match=r"not saved.*No space left"):
            Index.build(passages("new", 8), word_embedder).save(saved)
    assert found(saved) == OLD
    assert len(visible(saved)) == 3


@pytest.mark.parametrize("seed", range(8))
def test_sigkill_at_a_random_moment_loses_nothing(tmp_path, seed):
    killed_index.start(tmp_path)

    outcome = killed_index.kill_and_open(tmp_path, seed=seed)
    assert outcome.lossless, outcome


# --------------------------------------------------------------------------- two processes

WRITER = """
import sys
from pathlib import Path
from privrag_fast.retrieval import Index
from privrag_fast.types import CorpusError, Passage
from tests.retrieval.conftest import WordEmbedder

folder, name = Path(sys.argv[1]), sys.argv[2]
refused = 0
for number in range(25):
    while True:
        index = Index.open(folder, WordEmbedder())
        index.add([Passage(f"{name}{number}", f"{name} word{number}")])
        try:
            index.save(folder)
            break
        except CorpusError:
            refused += 1
print(refused)
"""


def test_two_processes_on_one_index_lose_nothing(saved):
    """Each opens, adds and saves; who comes second is refused, opens again and tries anew."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(saved), name], stdout=subprocess.PIPE, text=True
        )
        for name in ("a", "b")
    ]
    refused = 0
    for writer in writers:
        out, _ = writer.communicate(timeout=60)
        assert writer.returncode == 0
        refused += int(out)

    expected = {*OLD, *(f"{name}{n}" for name in ("a", "b") for n in range(25))}
    assert set(found(saved)) == expected
    assert len(visible(saved)) == 3


def test_what_another_saved_since_is_not_overwritten(saved, word_embedder, tmp_path_factory):
    first, second = (Index.open(saved, word_embedder) for _ in range(2))
    first.add(passages("new", 8))
    first.save(saved)
    second.add(passages("other", 2))

    with pytest.raises(CorpusError, match="another process saved there since"):
        second.save(saved)
    assert found(saved) == sorted(OLD + NEW)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    second.save(elsewhere)
    assert len(Index.open(elsewhere, word_embedder)) == 7
    first.remove(["new0"])
    first.save(saved)  # its own save before is no other's
    assert len(Index.open(saved, word_embedder)) == 12


def test_an_index_that_is_replaced_while_it_is_opened(saved, word_embedder, monkeypatch):
    new = Index.build(passages("new", 8), word_embedder)
    read, swept = index._read_passages, []

    def late(path):
        if not swept:
            swept.append(path)
            new.save(saved)  # sweeps the very file that is about to be read
        return read(path)

    monkeypatch.setattr(index, "_read_passages", late)
    assert found(saved) == sorted(NEW)
    assert not swept[0].exists()


def test_a_folder_that_is_read_only_can_be_opened(saved):
    for path in [*saved.iterdir(), saved]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert found(saved) == OLD
    finally:
        saved.chmod(0o755)


# --------------------------------------------------------------------------- refused


def test_no_index_there(tmp_path, word_embedder):
    with pytest.raises(CorpusError, match=r"manifest\.json: no such file; build and save"):
        Index.open(tmp_path / "absent", word_embedder)


def test_another_embedder(saved):
    with pytest.raises(CorpusError, match="embedder other expected, found words; open it with"):
        Index.open(saved, WordEmbedder(digest="other"))


def test_another_format(saved, word_embedder):
    edit_manifest(saved, format_version=2)
    with pytest.raises(CorpusError, match="format version 1 expected, found 2; build"):
        Index.open(saved, word_embedder)


@pytest.mark.parametrize("kind", ["vectors", "passages"])
def test_a_damaged_file_is_named_with_both_checksums(saved, word_embedder, kind):
    (path,) = saved.glob(f"{kind}-*")
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)

    with pytest.raises(CorpusError, match=rf"{path.name}: SHA-256 [0-9a-f]{{64}} expected, found"):
        Index.open(saved, word_embedder)


@pytest.mark.parametrize("kind", ["vectors", "passages"])
def test_a_missing_file_is_named(saved, word_embedder, kind):
    (path,) = saved.glob(f"{kind}-*")
    path.unlink()

    with pytest.raises(CorpusError, match=rf"{path.name}: cannot be opened: No such file"):
        Index.open(saved, word_embedder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff", b'{"format_version": 1}'])
def test_a_damaged_manifest(saved, word_embedder, content):
    (saved / "manifest.json").write_bytes(content)
    with pytest.raises(CorpusError, match=r"manifest\.json: damaged"):
        Index.open(saved, word_embedder)


def test_a_manifest_that_points_elsewhere(saved, word_embedder):
    edit_manifest(saved, passages={"name": "../passages.jsonl", "sha256": "0"})
    with pytest.raises(CorpusError, match="outside its folder"):
        Index.open(saved, word_embedder)


def test_a_manifest_that_counts_wrong(saved, word_embedder):
    edit_manifest(saved, count=6)
    with pytest.raises(CorpusError, match="6 passages expected, found 5"):
        Index.open(saved, word_embedder)


def test_passages_of_another_save(saved, word_embedder, tmp_path):
    other = tmp_path / "other"
    Index.build(passages("new", 5), word_embedder).save(other)
    (foreign,) = other.glob("passages-*")
    foreign.rename(saved / foreign.name)
    edit_manifest(saved, passages=json.loads((other / "manifest.json").read_text())["passages"])

    with pytest.raises(CorpusError, match="passages without a vector"):
        Index.open(saved, word_embedder)
