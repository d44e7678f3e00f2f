"""The lexical leg beside the embedder: BM25, fused by reciprocal rank; only importer of bm25s."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import bm25s
import numpy as np

from privrag_fast.retrieval.index import Where
from privrag_fast.types import Hit, InputError, Passage, SafeText, passage_text

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG


class Bm25:
    """Okapi BM25 over passages; a `Retriever`. May be used from several threads.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
    k1 = 1.5, b = 0.75; words of two or more letters, without case and English stop words.

    Args:
        passages: What is searched, titles included. Every weight hangs on all of them: other
            passages make another `Bm25`.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = tuple(passages)
        self._model: bm25s.BM25 | None = None  # where there is a word
        words = bm25s.tokenize([passage_text(own) for own in self._passages], show_progress=False)
        if words.vocab:
            self._model = bm25s.BM25(backend="numpy", csc_backend="numpy")
            self._model.index(words, create_empty_token=False, show_progress=False)

    def search(self, query: SafeText, k: int = 10, *, where: Where | None = None) -> list[Hit]:
        """At most `k` passages that share a word with the query, best first, scored by BM25.

        Args:
            where: Only passages for which it holds are hits.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        if self._model is None:
            return []
        [words] = bm25s.tokenize([query], return_ids=False, show_progress=False)
        scores = self._model.get_scores_from_ids(self._model.get_tokens_ids(words))
        rows = np.flatnonzero(scores > 0)
        best = rows[np.argsort(-scores[rows], kind="stable")]
        hits = (Hit(self._passages[row], float(scores[row])) for row in best)
        return list(islice((hit for hit in hits if where is None or where(hit.passage)), k))


def fuse(rankings: Sequence[Sequence[Hit]], *, constant: float = 10) -> list[Hit]:
    """One ranking of several: a passage's score is the sum of 1 / (constant + rank) over them.

    Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion" (SIGIR 2009). Ties keep the order of
    the first ranking.

    Args:
        constant: The larger, the less the first places count. The paper's 60 is for long lists of
            many systems; of two, the first places of each should be heard.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    passages: dict[str, Passage] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.passage.id] += 1 / (constant + rank)
            passages.setdefault(hit.passage.id, hit.passage)
    return [Hit(passages[id_], scores[id_]) for id_ in sorted(scores, key=lambda id_: -scores[id_])]


class PassageIndex(Protocol):
    """A retriever that tells what it holds; see `Index`."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages; the same object until one is added or removed."""
        ...

    def search(self, query: SafeText, k: int = 10, *, where: Where | None = None) -> list[Hit]:
        """At most `k` hits among the passages for which `where` holds, best first."""
        ...


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """How two rankings become one.

    Args:
        depth: Hits of each that are fused; raised to k where k is larger.
        constant: See `fuse`.
    """

    depth: int = 100
    constant: float = 10

    def __post_init__(self) -> None:
        if self.depth < 1 or self.constant < 0:
            raise InputError("depth must be 1 or more, constant 0 or more")


class Hybrid:
    """An index and BM25 over the same passages, fused; a `Retriever`.

    Nothing of BM25 is stored: its weights hang on all passages, so each change would write all of
    them anew, and what is made from the index's own passages cannot fall out of step with them,
    whatever was killed when. It is made here, and again by the first search after a change.

    May be used from several threads, and while the index changes: a search then sees what was
    there before or after.
    """

    def __init__(self, index: PassageIndex, *, options: HybridOptions | None = None) -> None:
        self._index = index
        self._options = options or HybridOptions()
        self._lock = threading.Lock()
        self._passages = index.passages
        self._bm25 = Bm25(self._passages)

    def search(self, query: SafeText, k: int = 10, *, where: Where | None = None) -> list[Hit]:
        """At most `k` hits, best first, scored by reciprocal rank; none for a blank query.

        Args:
            where: Only passages for which it holds are hits.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        depth = max(k, self._options.depth)
        legs: tuple[PassageIndex | Bm25, ...] = self._index, self._current()
        rankings = [leg.search(query, depth, where=where) for leg in legs]
        return fuse(rankings, constant=self._options.constant)[:k]

    def _current(self) -> Bm25:
        """BM25 over what the index holds now."""
        passages = self._index.passages
        with self._lock:
            if passages is not self._passages:
                self._passages, self._bm25 = passages, Bm25(passages)
            return self._bm25
