from __future__ import annotations

import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from privrag_fast.retrieval import Changes, Index, IndexOptions
from privrag_fast.retrieval.index import _VectorGraph
from privrag_fast.types import InputError, ModelError, Passage
from tests.retrieval import reference
from tests.retrieval.conftest import WordEmbedder

GRAPH = IndexOptions(exact_below=0)
"""Searches the graph, however few the passages."""

both_ways = pytest.mark.parametrize("options", [IndexOptions(), GRAPH], ids=["exact", "graph"])


def passages(count, start=0):
    return [Passage(f"p{n}", f"word{n} shared{n % 3}") for n in range(start, start + count)]


def ids(hits):
    return [hit.passage.id for hit in hits]


# --------------------------------------------------------------------------- cases


@both_ways
def test_ret_01_three_passages_ten_wanted(word_embedder, options):
    index = Index.build(passages(3), word_embedder, options=options)

    hits = index.search("word1", 10)
    assert ids(hits)[0] == "p1"
    assert sorted(ids(hits)) == ["p0", "p1", "p2"]


@both_ways
def test_ret_02_an_empty_index_has_no_hits(word_embedder, options):
    assert Index(word_embedder, options=options).search("word", 5) == []

    emptied = Index.build(passages(2), word_embedder, options=options)
    emptied.remove(["p0", "p1"])
    assert emptied.search("word0", 5) == []
    assert len(emptied) == 0


@both_ways
def test_ret_03_grows_before_and_after_it_was_saved(word_embedder, options, tmp_path):
    capacity = 64  # of a new graph
    index = Index.build(passages(capacity), word_embedder, options=options)
    index.add(passages(1, start=capacity))
    index.save(tmp_path)
    reopened = Index.open(tmp_path, word_embedder)
    reopened.add(passages(1, start=capacity + 1))

    assert len(reopened) == capacity + 2
    for passage in passages(capacity + 2):
        assert ids(reopened.search(passage.text, 1)) == [passage.id]


@both_ways
def test_ret_04_removed_and_added_again(word_embedder, options, tmp_path):
    index = Index.build(passages(40), word_embedder, options=options)

    assert index.remove(["p7"]) == 1
    assert "p7" not in ids(index.search("word7 shared1", 40))
    index.save(tmp_path)
    for each in (index, Index.open(tmp_path, word_embedder)):
        each.add(passages(1, start=7))
        assert ids(each.search("word7 shared1", 1)) == ["p7"]
        assert len(each.search("word7", 100)) == 40


@both_ways
def test_ret_05_one_adds_while_eight_search(options):
    embedder = WordEmbedder()
    index = Index.build(passages(50), embedder, options=options)
    done = threading.Event()

    def add():
        for number in range(50, 150):
            index.add(passages(1, start=number))
            index.remove([f"p{number - 50}"] if number % 2 else [])
        done.set()

    def search(worker):
        rounds = 0
        while not done.is_set() or rounds == 0:
            stays = 2 * (rounds % 25)  # even numbers are never removed
            hits = index.search(f"word{stays} shared{stays % 3}", 3)
            assert ids(hits)[0] == f"p{stays}"
            assert len(set(ids(hits))) == 3
            assert hits[0].score == pytest.approx(1, abs=1e-5)
            rounds += 1
        return rounds

    with ThreadPoolExecutor(9) as pool:
        adding = pool.submit(add)
        searching = [pool.submit(search, worker) for worker in range(8)]
        adding.result()
        assert all(future.result() for future in searching)
    assert len(index) == 100


@both_ways
def test_ret_06_one_among_a_thousand_equal_ones(word_embedder, options):
    equal = [Passage(f"e{n}", "the same again") for n in range(1_000)]
    index = Index.build(
        [*equal, Passage("different", "something else")], word_embedder, options=options
    )

    assert ids(index.search("something else", 3))[0] == "different"
    assert ids(index.search("something else", 1_001))[-1] == "e999"
    assert ids(index.search("the same", 4)) == ["e0", "e1", "e2", "e3"]


def test_clusters_of_equal_vectors_do_not_part_the_graph(word_embedder):
    clusters = [Passage(f"{c}-{n}", f"word{c}") for c in range(60) for n in range(30)]
    index = Index.build(clusters, word_embedder, options=GRAPH)

    for cluster in range(60):
        assert set(ids(index.search(f"word{cluster}", 30))) == {f"{cluster}-{n}" for n in range(30)}


# --------------------------------------------------------------------------- searching


def test_the_exact_search_agrees_with_its_slow_twin(word_embedder):
    all_passages = passages(30)
    index = Index.build(all_passages, word_embedder)

    for k in (1, 7, 30, 31):
        hits = index.search("word4 shared2", k)
        expected = reference.nearest(all_passages, word_embedder, "word4 shared2", k)
        assert ids(hits) == [id_ for id_, _ in expected]
        np.testing.assert_allclose(
            [hit.score for hit in hits], [score for _, score in expected], atol=1e-6
        )


def test_the_graph_finds_what_the_exact_search_finds():
    embedder = WordEmbedder(dim=32)
    all_passages = passages(1_500)
    graph = Index.build(all_passages, embedder)
    exact = Index.build(all_passages, embedder, options=IndexOptions(exact_below=10_000))

    found = wanted = 0
    for number in range(0, 1_500, 50):
        query = f"word{number} word{number + 1}"
        best = exact.search(query, 10)
        found += len(set(ids(graph.search(query, 10, ef=400))) & set(ids(best)))
        wanted += len(best)
    assert found / wanted > 0.98


def test_a_larger_ef_looks_at_more_candidates():
    embedder = WordEmbedder(dim=32)
    options = IndexOptions(M=2, ef_construction=4, exact_below=0)
    index = Index.build(passages(1_500), embedder, options=options)

    def recall(ef):
        numbers = range(0, 1_500, 10)
        return sum(ids(index.search(f"word{n}", 1, ef=ef))[0] == f"p{n}" for n in numbers)

    assert recall(1) < recall(500)


def test_the_title_is_searched_too(word_embedder):
    index = Index.build(
        [Passage("a", "text", title="museum"), Passage("b", "text", title="grant")], word_embedder
    )
    assert ids(index.search("grant", 1)) == ["b"]


def test_as_many_hits_as_wanted_from_a_graph_that_is_badly_linked(word_embedder):
    options = IndexOptions(M=2, ef_construction=1, exact_below=0)
    index = Index.build(passages(500), word_embedder, options=options)

    assert len(set(ids(index.search("word1", 499)))) == 499


@pytest.mark.parametrize("query", ["", "  \n", "\u2003"])
def test_a_blank_query_has_no_hits(word_embedder, query):
    index = Index.build(passages(3), word_embedder)
    before = word_embedder.embedded

    assert index.search(query) == []
    assert word_embedder.embedded == before


@pytest.mark.parametrize("query", ["\ud800", "a\0b", "ქართული", "\u202e", "x" * 100_000])
def test_any_other_query_has_hits(tiny_embedder, query):
    index = Index.build(passages(3), tiny_embedder)
    assert len(index.search(query, 2)) == 2


@pytest.mark.parametrize("arguments", [{"k": 0}, {"k": -1}, {"k": 1, "ef": 0}])
def test_numbers_below_one(word_embedder, arguments):
    with pytest.raises(InputError, match="must be 1 or more"):
        Index(word_embedder).search("word", **arguments)


# --------------------------------------------------------------------------- filters


@both_ways
def test_only_passages_of_the_wanted_kind_are_hits(word_embedder, options):
    index = Index.build(
        [
            Passage(f"{source}{n}", f"word{n} shared", source=source)
            for source in ("a.md", "b.md")
            for n in range(60)
        ],
        word_embedder,
        options=options,
    )
    hits = index.search("word7 shared", 5, where=lambda passage: passage.source == "b.md")

    assert ids(hits)[0] == "b.md7"
    assert {hit.passage.source for hit in hits} == {"b.md"}
    assert len(hits) == 5


@both_ways
def test_fewer_hits_where_fewer_match(word_embedder, options):
    index = Index.build(passages(300), word_embedder, options=options)

    def few(passage):
        return passage.id in ("p7", "p200")

    assert ids(index.search("word200", 10, where=few)) == ["p200", "p7"]
    assert ids(index.search("word7", 300, where=few)) == ["p7", "p200"]
    assert index.search("word7", 10, where=lambda passage: False) == []


@both_ways
def test_of_equal_passages_only_the_wanted_ones(word_embedder, options):
    """They share a vector: the graph cannot tell them apart."""
    index = Index.build(
        [Passage("a", "same", source="a"), Passage("b", "same", source="b"), *passages(50)],
        word_embedder,
        options=options,
    )
    assert ids(index.search("same", 1, where=lambda passage: passage.source == "b")) == ["b"]


def test_the_filtered_graph_finds_what_a_filtered_scan_finds():
    embedder = WordEmbedder(dim=32)
    graph = Index.build(passages(1_500), embedder)
    exact = Index.build(passages(1_500), embedder, options=IndexOptions(exact_below=10_000))

    def tenth(passage):
        return int(passage.id[1:]) % 10 == 3

    found = wanted = 0
    for number in range(0, 1_500, 50):
        query = f"word{number} word{number + 1}"
        best = exact.search(query, 10, where=tenth)
        found += len(set(ids(graph.search(query, 10, where=tenth))) & set(ids(best)))
        wanted += len(best)
    assert wanted == 300
    assert found / wanted > 0.98


# --------------------------------------------------------------------------- changing


def test_update_embeds_only_what_is_new(word_embedder):
    index = Index.build(passages(5), word_embedder)
    before = word_embedder.embedded
    moved = Passage("p9", "word1 shared1")  # the text of p1 under another id

    changes = index.update([*passages(3), moved, Passage("p4", "new words")])
    assert changes == Changes(added=2, removed=1, kept=3)
    assert word_embedder.embedded == before + 1
    assert sorted(ids(index.search("word1", 9))) == ["p0", "p1", "p2", "p4", "p9"]
    assert index.search("new words", 1)[0].passage == Passage("p4", "new words")
    assert index.search("word1 shared1", 2)[1].score == pytest.approx(1, abs=1e-5)


@both_ways
def test_update_and_build_agree(word_embedder, options):
    updated = Index.build(passages(200), word_embedder, options=options)
    updated.update(passages(150, start=100))
    built = Index.build(passages(150, start=100), word_embedder, options=options)

    assert len(updated) == 150
    for number in range(100, 250, 7):
        query = f"word{number} shared{number % 3}"
        assert ids(updated.search(query, 3)) == ids(built.search(query, 3))
    assert updated.update(passages(150, start=100)) == Changes(added=0, removed=0, kept=150)
    assert updated.update([]) == Changes(added=0, removed=150, kept=0)
    assert updated.search("word100", 3) == []


@both_ways
def test_a_search_goes_on_while_many_are_added(word_embedder, options, monkeypatch):
    """Between two slices of an `add`, a search sees the index as it was."""
    index = Index.build(passages(30), word_embedder, options=options)
    prepare, seen = _VectorGraph.prepare, []

    def watched(graph, vectors):
        prepare(graph, vectors)
        index._lock.release()
        try:
            seen.append(ids(index.search("word35 shared2", 30)))
        finally:
            index._lock.acquire()

    monkeypatch.setattr(_VectorGraph, "prepare", watched)
    index.add(passages(300, start=30))
    assert len(seen) >= 5
    assert all(set(each) == {f"p{n}" for n in range(30)} for each in seen)
    assert ids(index.search("word35 shared2", 1)) == ["p35"]


@both_ways
def test_an_add_that_fails_half_way_leaves_nothing(word_embedder, options, monkeypatch, tmp_path):
    index = Index.build(passages(30), word_embedder, options=options)
    prepare, calls = _VectorGraph.prepare, iter(range(10))

    def failing(graph, vectors):
        if next(calls) == 2:
            raise MemoryError
        prepare(graph, vectors)

    with monkeypatch.context() as patch:
        patch.setattr(_VectorGraph, "prepare", failing)
        with pytest.raises(MemoryError):
            index.add(passages(300, start=30))
    index.save(tmp_path)
    for each in (index, Index.open(tmp_path, word_embedder)):
        assert set(ids(each.search("word35 shared2", 400))) == {f"p{n}" for n in range(30)}
        assert len(ids(each.search("word35 shared2", 20))) == 20
        each.add(passages(300, start=30))
        assert ids(each.search("word35 shared2", 1)) == ["p35"]


def test_equal_texts_are_embedded_once(word_embedder):
    index = Index.build([Passage(f"e{n}", "the same") for n in range(50)], word_embedder)

    assert word_embedder.embedded == 1
    assert len(index) == 50


def test_progress_is_drawn_on_stderr_where_it_is_wanted(word_embedder, capsys):
    Index.build(passages(3), word_embedder)
    assert capsys.readouterr() == ("", "")
    Index.build(passages(3), word_embedder, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err


def test_a_known_id_takes_the_old_passages_place(word_embedder):
    index = Index.build([Passage("a", "old words"), Passage("b", "other")], word_embedder)
    index.add([Passage("a", "not yet"), Passage("a", "new words")])

    assert [hit.passage.text for hit in index.search("old", 9)].count("old words") == 0
    assert index.search("new words", 1)[0].passage == Passage("a", "new words")
    assert len(index) == 2


@both_ways
def test_two_passages_trade_their_texts(word_embedder, options):
    """The vector that one leaves is the one that the other takes."""
    index = Index.build([*passages(30), Passage("a", "x"), Passage("b", "y")], word_embedder,
                        options=options)  # fmt: skip
    index.add([Passage("a", "y"), Passage("b", "x")])

    assert ids(index.search("x", 1)) == ["b"]
    assert ids(index.search("y", 1)) == ["a"]
    index.update([*passages(30), Passage("c", "x"), Passage("a", "z")])
    assert ids(index.search("x", 1)) == ["c"]
    assert ids(index.search("y", 32))[-1] != "b"
    assert len(index.search("y", 100)) == 32


def test_removing_what_is_not_there(word_embedder):
    index = Index.build(passages(2), word_embedder)

    assert index.remove(["p0", "p0", "absent"]) == 1
    with pytest.raises(InputError, match="got one string"):
        index.remove("p1")
    assert len(index) == 1


def test_one_of_two_equal_passages_goes_and_the_other_stays(word_embedder):
    index = Index.build([Passage("a", "same"), Passage("b", "same")], word_embedder)
    index.remove(["a"])

    assert ids(index.search("same", 5)) == ["b"]


def test_the_graph_is_rebuilt_when_most_of_it_is_gone(word_embedder, tmp_path):
    def size(index):
        index.save(tmp_path)
        (path,) = tmp_path.glob("vectors-*")
        return path.stat().st_size

    index = Index.build(passages(300), word_embedder, options=GRAPH)
    full = size(index)
    index.remove(f"p{n}" for n in range(200))

    assert size(index) < full * 0.6
    for passage in passages(100, start=200):
        assert ids(index.search(passage.text, 1)) == [passage.id]


def test_a_failed_add_changes_nothing(word_embedder, monkeypatch):
    index = Index.build(passages(3), word_embedder)
    monkeypatch.setattr(word_embedder, "embed", lambda texts: np.zeros((len(texts), 3), np.float32))

    with pytest.raises(ModelError, match=r"must give \[2, 16\], got \[2, 3\]"):
        index.add(passages(2, start=3))
    monkeypatch.undo()
    assert sorted(ids(index.search("word1", 9))) == ["p0", "p1", "p2"]


def test_the_same_passages_make_the_same_graph(word_embedder):
    def search():
        index = Index.build(passages(300), word_embedder, options=GRAPH)
        return [index.search(f"word{n} word{n + 1}", 5) for n in range(50)]

    assert search() == search()


def test_options_out_of_range():
    with pytest.raises(InputError, match="M must be 2 or more"):
        IndexOptions(M=1)


class IndexAgainstDict(RuleBasedStateMachine):
    """Any order of adding, removing, saving and opening agrees with a plain dict."""

    def __init__(self):
        super().__init__()
        self.embedder = WordEmbedder()
        self.index = Index(self.embedder, options=IndexOptions(exact_below=3))
        self.texts = {}

    @rule(number=st.integers(0, 12), text=st.integers(0, 8))
    def add(self, number, text):
        self.index.add([Passage(f"p{number}", f"word{text}")])
        self.texts[f"p{number}"] = f"word{text}"

    @rule(wanted=st.dictionaries(st.integers(0, 12), st.integers(0, 8), max_size=6))
    def add_several(self, wanted):
        self.index.add(Passage(f"p{number}", f"word{text}") for number, text in wanted.items())
        self.texts.update({f"p{number}": f"word{text}" for number, text in wanted.items()})

    @rule(wanted=st.dictionaries(st.integers(0, 12), st.integers(0, 8), max_size=6))
    def update(self, wanted):
        held = {f"p{number}": f"word{text}" for number, text in wanted.items()}
        changes = self.index.update(Passage(id_, text) for id_, text in held.items())
        assert changes.removed == len(self.texts.keys() - held.keys())
        assert changes.kept == len(self.texts.items() & held.items())
        self.texts = held

    @rule(numbers=st.lists(st.integers(0, 12)))
    def remove(self, numbers):
        names = [f"p{number}" for number in numbers]
        assert self.index.remove(names) == len(self.texts.keys() & set(names))
        for name in names:
            self.texts.pop(name, None)

    @rule()
    def save_and_open(self):
        with tempfile.TemporaryDirectory() as folder:
            self.index.save(folder)
            self.index = Index.open(folder, self.embedder)

    @precondition(lambda self: self.texts)
    @rule(text=st.integers(0, 8))
    def search(self, text):
        holding = {name for name, held in self.texts.items() if held == f"word{text}"}
        hits = self.index.search(f"word{text}", max(len(holding), 1))
        assert len(hits) == max(len(holding), 1)
        assert not holding or set(ids(hits)) == holding
        assert all(self.texts[hit.passage.id] == hit.passage.text for hit in hits)

    @invariant()
    def same_passages(self):
        assert set(ids(self.index.search("word0", 100))) == self.texts.keys()


TestIndexAgainstDict = IndexAgainstDict.TestCase
TestIndexAgainstDict.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
