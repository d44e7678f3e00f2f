"""BM25 against its formula, fusion against its own, and both beside an index that changes."""

from __future__ import annotations

import logging
import math
import random
import threading
from collections import Counter
from dataclasses import replace

import pytest

from privrag_fast.assembly import open_retriever
from privrag_fast.retrieval import Bm25, Hybrid, HybridOptions, Index, fuse
from privrag_fast.types import Hit, InputError, Passage, SafeText
from tests.retrieval.conftest import WordEmbedder

WORDS = "grant rent heat winter apply form museum ticket letter bread butter home".split()  # noqa: SIM905


def passages(count: int, seed: int = 0) -> list[Passage]:
    rng = random.Random(seed)
    return [
        Passage(f"p{n}", " ".join(rng.choices(WORDS, k=rng.randint(1, 12)))) for n in range(count)
    ]


def reference(query: str, corpus: list[Passage], k1: float = 1.5, b: float = 0.75) -> list[float]:
    """BM25 as Lucene computes it, one passage and one word of the query at a time."""
    texts = [own.text.split() for own in corpus]
    mean = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        counts, score = Counter(text), 0.0
        for word in query.split():
            holders = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
            length = k1 * (1 - b + b * len(text) / mean)
            score += idf * counts[word] / (counts[word] + length)
        scores.append(score)
    return scores


def ids(hits: list[Hit]) -> list[str]:
    return [hit.passage.id for hit in hits]


# --------------------------------------------------------------------------- BM25


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_the_formula(seed: int) -> None:
    corpus = passages(40, seed)
    query = "winter ticket ticket unheard"
    expected = {own.id: s for own, s in zip(corpus, reference(query, corpus), strict=True) if s}
    hits = Bm25(corpus).search(SafeText(query), 100)
    assert {hit.passage.id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_only_passages_that_share_a_word_are_hits() -> None:
    corpus = [Passage("a", "The museum opens."), Passage("b", "Bread"), Passage("c", "Museums")]
    assert ids(Bm25(corpus).search(SafeText("Is the MUSEUM free?"))) == ["a"]


def test_reads_the_title() -> None:
    corpus = [Passage("plain", "open on Monday"), Passage("titled", "open", title="Museum")]
    assert ids(Bm25(corpus).search(SafeText("museum"))) == ["titled"]


@pytest.mark.parametrize("query", ["", " ", "the", "unheard of", "?!", "\ud800 \0", "ქართული"])
def test_a_query_without_a_known_word_finds_nothing(query: str) -> None:
    assert Bm25([Passage("a", "museum")]).search(SafeText(query)) == []


@pytest.mark.parametrize(
    "corpus", [[], [Passage("a", "")], [Passage("a", "the"), Passage("b", "?")]]
)
def test_a_corpus_without_words_has_no_hits(corpus: list[Passage]) -> None:
    assert Bm25(corpus).search(SafeText("museum the"), 3) == []


def test_passages_without_words_stand_beside_others() -> None:
    corpus = [Passage("a", ""), Passage("b", "museum"), Passage("c", "\ud800 the")]
    assert ids(Bm25(corpus).search(SafeText("museum"))) == ["b"]


def test_more_wanted_than_there_are_and_fewer() -> None:
    corpus = [Passage(f"p{n}", "museum") for n in range(5)]
    found = Bm25(corpus)
    assert ids(found.search(SafeText("museum"), 99)) == ["p0", "p1", "p2", "p3", "p4"]  # a tie
    assert ids(found.search(SafeText("museum"), 2)) == ["p0", "p1"]
    with pytest.raises(InputError, match="k must be 1 or more, got 0"):
        found.search(SafeText("museum"), 0)


def test_its_library_keeps_out_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        Bm25(passages(3)).search(SafeText("museum"))
    assert caplog.records == []


# --------------------------------------------------------------------------- fusion


def ranking(*names: str) -> list[Hit]:
    return [Hit(Passage(name, name), -float(rank)) for rank, name in enumerate(names)]


def test_ranks_are_summed() -> None:
    hits = fuse([ranking("a", "b", "c"), ranking("c", "d")], constant=10)
    assert {hit.passage.id: hit.score for hit in hits} == pytest.approx(
        {"c": 1 / 13 + 1 / 11, "a": 1 / 11, "b": 1 / 12, "d": 1 / 12}
    )
    assert ids(hits) == ["c", "a", "b", "d"]  # of equal ones that of the first ranking leads


def test_scores_of_the_rankings_do_not_matter() -> None:
    louder = [Hit(hit.passage, hit.score * 1e9) for hit in ranking("b", "a")]
    assert fuse([ranking("a", "b"), louder]) == fuse([ranking("a", "b"), ranking("b", "a")])


def test_nothing_fused_is_nothing() -> None:
    assert fuse([]) == fuse([[], []]) == []
    assert ids(fuse([[], ranking("a", "b")])) == ["a", "b"]


# --------------------------------------------------------------------------- beside an index


def test_fuses_the_index_with_bm25() -> None:
    corpus = passages(60)
    index = Index.build(corpus, WordEmbedder())
    query = SafeText("winter ticket")
    options = HybridOptions(depth=20, constant=3)
    expected = fuse([index.search(query, 20), Bm25(corpus).search(query, 20)], constant=3)
    hybrid = Hybrid(index, options=options)
    assert hybrid.search(query, 5) == expected[:5]
    assert len(hybrid.search(query, 50)) == 50  # deeper than the options say


def test_only_passages_of_the_wanted_kind_are_hits() -> None:
    corpus = [replace(own, section="ab"[n % 2]) for n, own in enumerate(passages(60))]
    hybrid, query = Hybrid(Index.build(corpus, WordEmbedder())), SafeText("winter ticket")
    found = hybrid.search(query, 60, where=lambda own: own.section == "b")
    wanted = [own for own in corpus if own.section == "b"]
    assert sorted(ids(found)) == sorted(own.id for own in wanted)
    [lexical] = Bm25(corpus).search(query, 1, where=lambda own: own.section == "b")
    assert lexical.passage.section == "b"
    assert Bm25(corpus).search(query, where=lambda own: False) == []


def test_follows_the_index() -> None:
    index = Index(WordEmbedder())
    hybrid = Hybrid(index)
    assert hybrid.search(SafeText("museum")) == []
    index.add([Passage("a", "museum"), Passage("b", "bread")])
    assert ids(hybrid.search(SafeText("museum"))) == ["a", "b"]
    [best, _] = hybrid.search(SafeText("museum"))
    assert best.score == pytest.approx(2 / 11)  # both legs found it
    index.add([Passage("a", "butter")])  # in place of the old one
    assert hybrid.search(SafeText("butter"))[0].passage.text == "butter"
    assert index.remove(["a"]) == 1
    assert ids(hybrid.search(SafeText("museum butter"))) == ["b"]
    index.remove(["b"])
    assert hybrid.search(SafeText("museum butter bread")) == []


def test_bm25_is_made_again_only_after_a_change() -> None:
    index = Index.build(passages(9), WordEmbedder())
    hybrid = Hybrid(index)
    first = hybrid._current()
    hybrid.search(SafeText("museum"))
    assert hybrid._current() is first
    index.add([Passage("new", "museum")])
    assert hybrid._current() is not first


def test_opens_with_the_index_that_was_saved(tmp_path) -> None:
    embedder = WordEmbedder()
    index = Index.build(passages(30), embedder)
    index.save(tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    query = SafeText("winter ticket")
    assert Hybrid(Index.open(tmp_path, embedder)).search(query) == Hybrid(index).search(query)
    assert sorted(path.name for path in tmp_path.iterdir()) == files


def test_an_index_is_searched_by_words_too_unless_told_otherwise() -> None:
    index, other = Index.build(passages(9), WordEmbedder()), Bm25(passages(9))
    query = SafeText("winter")
    assert open_retriever(index).search(query) == Hybrid(index).search(query)
    assert open_retriever(index, lexical=False) is index
    assert open_retriever(other) is other


def test_an_empty_query_and_an_empty_corpus() -> None:
    assert Hybrid(Index.build(passages(3), WordEmbedder())).search(SafeText("  ")) == []
    assert Hybrid(Index(WordEmbedder())).search(SafeText("museum"), 3) == []


@pytest.mark.parametrize("options", [{"depth": 0}, {"constant": -1}])
def test_options_are_checked(options: dict) -> None:
    with pytest.raises(InputError, match="depth must be 1 or more"):
        HybridOptions(**options)


def test_k_below_one() -> None:
    with pytest.raises(InputError, match="k must be 1 or more, got 0"):
        Hybrid(Index(WordEmbedder())).search(SafeText("museum"), 0)


def test_ret_01_three_passages_ten_wanted() -> None:
    hybrid = Hybrid(Index.build(passages(3), WordEmbedder()))
    assert len(hybrid.search(SafeText("museum"), 10)) == 3


def test_ret_06_one_among_a_thousand_equal_ones() -> None:
    equal = [Passage(f"p{n}", "bread and butter") for n in range(1000)]
    hybrid = Hybrid(Index.build([*equal, Passage("other", "museum ticket")], WordEmbedder()))
    assert ids(hybrid.search(SafeText("museum ticket"), 3))[0] == "other"
    # Nothing but vectors knows it by this query.
    assert "other" in ids(hybrid.search(SafeText("the ticketing"), 1001))


def test_legs_get_the_query_as_it_is_and_nothing_else() -> None:
    class Spy:
        passages = (Passage("a", "museum"),)

        def __init__(self) -> None:
            self.seen: list[object] = []

        def search(self, *asked: object, where: None) -> list[Hit]:
            self.seen += asked
            return []

    spy = Spy()
    assert ids(Hybrid(spy).search(SafeText("To the museum in."), 2)) == ["a"]
    assert spy.seen == ["To the museum in.", 100]


def test_searches_while_the_index_changes() -> None:
    index = Index.build(passages(20), WordEmbedder())
    hybrid = Hybrid(index)
    index.add([Passage("target", "museum museum museum")])
    failures: list[object] = []

    def search() -> None:
        for _ in range(40):
            try:
                if ids(hybrid.search(SafeText("museum museum museum"), 1)) != ["target"]:
                    failures.append("another hit")
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(8)]
    for thread in threads:
        thread.start()
    for number in range(20):
        index.add([Passage(f"more{number}", "bread butter letter")])
        index.remove([f"p{number}"])
    for thread in threads:
        thread.join()
    assert failures == []
    left = {"target", *(f"more{number}" for number in range(20))}
    assert set(ids(hybrid.search(SafeText("letter"), 99))) == left
