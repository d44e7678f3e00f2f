"""Does hiding the values cost retrieval anything? Ranks of the gold documents, before and after.

The product never searches with a raw message. Here the raw message is the yardstick of the
abstracted one, so `_query` declares it `SafeText` on purpose: nothing that serves users may import
this module.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from privrag_fast import models, privacy
from privrag_fast.assembly import Models, open_embedder, open_reranker
from privrag_fast.evaluation import metrics
from privrag_fast.evaluation.dataset import Dataset, Document, Question, Split
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.retrieval import Chunker, Index, IndexOptions, TextEmbedder, read_corpus
from privrag_fast.types import (
    CorpusError,
    Detector,
    Entity,
    Hit,
    InputError,
    Passage,
    SafeText,
)

Ranks = tuple[float, ...]
"""The place of each gold document among the documents found, from 1; inf where it is not there."""

Stage = Callable[[SafeText], Sequence[Hit]]
"""One way to find passages, best first."""

METRICS: Final[Mapping[str, Callable[[Ranks], float]]] = {
    "recall@1": lambda ranks: metrics.recall_at(ranks, 1),
    "recall@5": lambda ranks: metrics.recall_at(ranks, 5),
    "recall@10": lambda ranks: metrics.recall_at(ranks, 10),
    "mrr": metrics.reciprocal_rank,
    "ndcg@10": lambda ranks: metrics.ndcg_at(ranks, 10),
}

_DEPTH = 100
"""Passages looked through without a reranker: enough for ten documents of several passages."""


# --------------------------------------------------------------------------- the report


@dataclass(frozen=True, slots=True)
class Change:
    """A metric's mean over questions, with the raw message and with the abstracted one.

    Args:
        ratio: After by before; nan where before is 0.
        difference: After minus before, with the 95 % interval of the paired bootstrap.
    """

    before: float
    after: float
    ratio: float
    difference: metrics.Interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """All metrics over some questions."""

    questions: int
    metrics: Mapping[str, Change]


@dataclass(frozen=True, slots=True)
class StageReport:
    """One stage; `by_type` holds the questions that contain an attribute of that type."""

    stage: str
    overall: Comparison
    by_type: Mapping[str, Comparison]


@dataclass(frozen=True, slots=True)
class Row:
    """One question, for those who want to look: ranks before and after, by stage."""

    question: str
    types: tuple[str, ...]
    ranks: Mapping[str, tuple[Ranks, Ranks]]


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """What abstraction does to retrieval.

    Args:
        detected: Values were found by a detector; else the labeled ones were taken.
        unchanged: Questions in which nothing was abstracted.
    """

    dataset: str
    split: Split
    seed: int
    detected: bool
    documents: int
    unchanged: int
    stages: tuple[StageReport, ...]
    rows: tuple[Row, ...]

    def to_data(self) -> dict[str, Any]:
        """For JSON: what is not a finite number is None."""
        data: dict[str, Any] = _plain(asdict(self))
        return data


def _plain(value: Any) -> Any:
    if isinstance(value, metrics.Interval):
        return _plain(value._asdict())
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --------------------------------------------------------------------------- evaluation


def evaluate(
    dataset: Dataset,
    split: Split,
    *,
    work: Path,
    sources: Models,
    detector: Detector | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> RetrievalReport:
    """Retrieval fidelity of the embedder alone, and of the reranker behind it.

    Args:
        work: Folder in which the index is kept, so that the next run need not embed again.
        sources: The models.
        detector, limit, seed, progress: See `compare`.

    Raises:
        InputError: See `compare`.
        ModelError: A model file is missing or damaged.
    """
    _questions(dataset, split, limit, seed, labeled=detector is None)  # wrong now, or after minutes
    index = open_index(dataset.documents, work, sources=sources, progress=progress)
    return compare(
        dataset,
        split,
        open_stages(index, sources),
        detector=detector,
        limit=limit,
        seed=seed,
        progress=progress,
    )


def open_stages(index: Index, sources: Models) -> dict[str, Stage]:
    """The stages of the product, by name; another one is another entry."""
    reranker = open_reranker(sources)
    candidates = PipelineOptions().candidates
    return {
        "embedder": lambda query: index.search(query, _DEPTH),
        "reranked": lambda query: reranker.rerank(
            query, index.search(query, candidates), candidates
        ),
    }


def compare(
    dataset: Dataset,
    split: Split,
    stages: Mapping[str, Stage],
    *,
    detector: Detector | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> RetrievalReport:
    """Each stage with the raw message and with the abstracted one, on questions with documents.

    Args:
        detector: Finds what to abstract; None takes the labeled values.
        limit: At most so many questions, drawn with the seed; a reranker takes 0.2 s for each.
        seed: Of that draw and of the bootstrap.
        progress: Draw a bar on stderr.

    Raises:
        InputError: No question of the split names a document, or one names a document that the
            data set lacks; or no value is labeled and there is no detector.
    """
    questions = _questions(dataset, split, limit, seed, labeled=detector is None)
    queries = [_query(question, detector) for question in questions]
    bar = tqdm(queries, desc="retrieving", unit=" questions", disable=not progress)
    rows = tuple(_row(query, stages) for query in bar)
    return RetrievalReport(
        dataset=dataset.name,
        split=split,
        seed=seed,
        detected=detector is not None,
        documents=len(dataset.documents),
        unchanged=sum(not query.changed for query in queries),
        stages=tuple(_summary(rows, stage, seed) for stage in stages),
        rows=rows,
    )


def _questions(
    dataset: Dataset, split: Split, limit: int | None, seed: int, *, labeled: bool
) -> Sequence[Question]:
    """Those with documents, in the order of the data set."""
    questions = [question for question in dataset.split(split) if question.documents]
    if not questions:
        raise InputError(f"{dataset.name}: no question of the {split} split names a document")
    if labeled and not any(question.facts for question in questions):
        raise InputError(f"{dataset.name} labels no value to abstract: pass a detector")
    known = {document.id for document in dataset.documents}
    for question in questions:
        if not known.issuperset(question.documents):
            raise InputError(f"question {question.id} names a document that the data set lacks")
    if limit is None or limit >= len(questions):
        return questions
    if limit < 1:
        raise InputError(f"limit must be 1 or more, got {limit}")
    return [questions[i] for i in sorted(random.Random(seed).sample(range(len(questions)), limit))]


# --------------------------------------------------------------------------- queries and ranks


@dataclass(frozen=True, slots=True)
class _Query:
    """A question as retrieval gets to see it; `raw` only here, to compare with."""

    question: Question
    types: tuple[str, ...]
    raw: SafeText
    abstracted: SafeText

    @property
    def changed(self) -> bool:
        return self.raw != self.abstracted


def _query(question: Question, detector: Detector | None) -> _Query:
    message = question.message
    if detector is None:
        entities = [Entity(f.start, f.end, f.label, source="gold") for f in question.facts]
    else:
        [entities] = detector.detect([message])
    # As the pipeline does it: further mentions of a value are covered too.
    attributes = privacy.cover(message, privacy.attributes(message, entities, privacy.Vault()))
    types = {f.attribute for f in question.facts} or {a.label.lower() for a in attributes}
    # Declared safe although it is not: the yardstick of this evaluation, see the top of the file.
    raw = SafeText(message)
    return _Query(question, tuple(sorted(types)), raw, privacy.abstract(message, attributes))


def _row(query: _Query, stages: Mapping[str, Stage]) -> Row:
    gold = query.question.documents
    ranks = {}
    for name, stage in stages.items():
        before = document_ranks(stage(query.raw), gold)
        after = document_ranks(stage(query.abstracted), gold) if query.changed else before
        ranks[name] = (before, after)
    return Row(query.question.id, query.types, ranks)


def document_ranks(hits: Iterable[Hit], gold: Sequence[str]) -> Ranks:
    """Where each gold document stands, by its best passage, among the documents of the hits."""
    order = dict.fromkeys(hit.passage.source for hit in hits)
    places = {source: place for place, source in enumerate(order, start=1)}
    return tuple(places.get(id_, math.inf) for id_ in gold)


def _summary(rows: Sequence[Row], stage: str, seed: int) -> StageReport:
    types = sorted({type_ for row in rows for type_ in row.types})
    return StageReport(
        stage,
        _comparison([row.ranks[stage] for row in rows], seed),
        {t: _comparison([row.ranks[stage] for row in rows if t in row.types], seed) for t in types},
    )


def _comparison(pairs: Sequence[tuple[Ranks, Ranks]], seed: int) -> Comparison:
    changes = {}
    for name, metric in METRICS.items():
        before, after = np.array([[metric(ranks) for ranks in pair] for pair in pairs]).T
        low, high = float(before.mean()), float(after.mean())
        changes[name] = Change(
            before=low,
            after=high,
            ratio=high / low if low else math.nan,
            difference=metrics.paired_bootstrap(after, before, seed=seed),
        )
    return Comparison(len(pairs), changes)


# --------------------------------------------------------------------------- the index


def open_index(
    documents: Sequence[Document],
    work: Path,
    *,
    sources: Models,
    progress: bool = False,
) -> Index:
    """The index of a data set's documents, from `work` where it was built before.

    It compares vectors one by one, so that ranks do not depend on how a graph was built.
    """
    chunker = Chunker(models.locate("embedder", sources.embedder)["tokenizer.json"])
    return cached_index(passages(documents, chunker), open_embedder(sources), work, progress)


def passages(documents: Sequence[Document], chunker: Chunker) -> list[Passage]:
    """Through files, so that they are read as the product reads a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        for document in documents:
            path = Path(folder, _checked(document.id))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document.text, encoding="utf-8")
        return chunker.chunk(read_corpus(folder))


def _checked(id_: str) -> PurePosixPath:
    path = PurePosixPath(id_)
    if path.is_absolute() or ".." in path.parts:
        raise InputError(f"document {id_}: an id must be a path inside the corpus folder")
    return path


def cached_index(
    passages: Sequence[Passage], embedder: TextEmbedder, work: Path, progress: bool = False
) -> Index:
    """The index in the folder of `work` that is named after these passages and this embedder."""
    digest = hashlib.sha256(embedder.digest.encode())
    for passage in passages:
        digest.update(json.dumps([passage.id, passage.title]).encode())  # the id covers the text
    folder = work / f"index-{digest.hexdigest()[:16]}"
    try:
        return Index.open(folder, embedder)
    except CorpusError:  # not built yet, or not to its end
        options = IndexOptions(exact_below=len(passages) + 1)
        index = Index.build(passages, embedder, options=options, progress=progress)
        index.save(folder)
        return index
