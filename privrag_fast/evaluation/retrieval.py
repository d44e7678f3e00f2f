"""Does hiding the values cost retrieval anything? Ranks of the gold documents, before and after.

The product never searches with a raw message. Here the raw message is the yardstick of the
abstracted one, so `Fidelity` declares it `SafeText` on purpose: nothing that serves users may
import this module.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from privrag_fast import models, privacy
from privrag_fast.assembly import Models, open_embedder, open_reranker
from privrag_fast.evaluation import metrics
from privrag_fast.evaluation.dataset import Dataset, Document, Question, Split
from privrag_fast.evaluation.runs import Run, choose, finite
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.retrieval import (
    Bm25,
    Chunker,
    HybridOptions,
    Index,
    IndexOptions,
    TextEmbedder,
    fuse,
    read_corpus,
)
from privrag_fast.types import (
    Attribute,
    CorpusError,
    Detector,
    Entity,
    Hit,
    InputError,
    Passage,
    Reranker,
    SafeText,
)

Ranks = tuple[float, ...]
"""The place of each gold document among the documents found, from 1; inf where it is not there."""

Search = Callable[[SafeText], Mapping[str, Sequence[Hit]]]
"""What each stage finds for a query, best first, by the stage's name; the last one is the end."""

METRICS: Final[Mapping[str, Callable[[Ranks], float]]] = {
    "recall@1": lambda ranks: metrics.recall_at(ranks, 1),
    "recall@5": lambda ranks: metrics.recall_at(ranks, 5),
    "recall@10": lambda ranks: metrics.recall_at(ranks, 10),
    "mrr": metrics.reciprocal_rank,
    "ndcg@10": lambda ranks: metrics.ndcg_at(ranks, 10),
}


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
    """One question: ranks by stage, with the raw message and with the abstracted one.

    Args:
        types: Of the attributes that it holds.
        changed: Something was abstracted.
        raw: Stage -> ranks.
        abstracted: Style -> stage -> ranks.
    """

    question: str
    types: tuple[str, ...]
    changed: bool
    raw: Mapping[str, Ranks]
    abstracted: Mapping[str, Mapping[str, Ranks]]

    def to_data(self) -> dict[str, Any]:
        """For JSON: an infinite rank is None."""
        data: dict[str, Any] = finite(asdict(self))
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Row:
        """What `to_data` gave."""
        return cls(
            data["question"],
            tuple(data["types"]),
            data["changed"],
            _ranks(data["raw"]),
            {style: _ranks(own) for style, own in data["abstracted"].items()},
        )


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """What abstraction does to retrieval.

    Args:
        detected: Values were found by a detector; else the labeled ones were taken.
        unchanged: Questions in which nothing was abstracted.
        styles: Each style of abstraction with its stages.
    """

    dataset: str
    split: Split
    seed: int
    detected: bool
    documents: int
    unchanged: int
    styles: Mapping[str, tuple[StageReport, ...]]
    rows: tuple[Row, ...]

    @property
    def shipped(self) -> StageReport | None:
        """The last stage, with the style that the pipeline uses unless it is told otherwise."""
        stages = self.styles.get(privacy.DEFAULT_STYLE, ())
        return stages[-1] if stages else None

    def to_data(self) -> dict[str, Any]:
        """For JSON: what is not a finite number is None."""
        data: dict[str, Any] = finite(asdict(self, dict_factory=_named))
        return data

    def table(self) -> str:
        """Markdown: a row for each style and stage, `before -> after` for each metric."""
        names = list(METRICS)
        lines = [
            f"| style | stage | {' | '.join(names)} | recall@5 after / before | difference |",
            "|---" * (len(names) + 4) + "|",
        ]
        for style, stages in self.styles.items():
            for stage in stages:
                own = stage.overall.metrics
                cells = [f"{own[name].before:.3f} -> {own[name].after:.3f}" for name in names]
                recall = own["recall@5"]
                low, high = recall.difference.low, recall.difference.high
                cells += [f"{recall.ratio:.3f}", f"{low:+.3f} to {high:+.3f}"]
                lines.append(f"| {style} | {stage.stage} | {' | '.join(cells)} |")
        return "\n".join(lines)


def _named(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """With intervals by name."""
    return {
        name: value._asdict() if isinstance(value, metrics.Interval) else value
        for name, value in pairs
    }


def _ranks(data: Mapping[str, Any]) -> dict[str, Ranks]:
    return {
        stage: tuple(math.inf if rank is None else rank for rank in ranks)
        for stage, ranks in data.items()
    }


# --------------------------------------------------------------------------- evaluation


def evaluate(
    dataset: Dataset,
    split: Split,
    *,
    run: Run,
    sources: Models,
    detector: Detector | None = None,
    styles: Sequence[privacy.Style] = privacy.STYLES,
    index_style: privacy.Style | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> RetrievalReport:
    """Retrieval fidelity of the product's stages, by style of abstraction.

    Args:
        run: Keeps the index and what was measured: a run that was stopped goes on.
        sources: The models.
        detector: Finds what to abstract; None takes the labeled values.
        styles: Each costs as much as the raw message.
        index_style: Passages are abstracted like this before they are indexed; None leaves them
            as they are, as the product does.
        limit: At most so many questions, drawn with the seed.
        seed: Of that draw and of the bootstrap.

    Raises:
        InputError: No question of the split names a document, or one names a document that the
            data set lacks; or no value is labeled, or passages are to be abstracted, and there is
            no detector; or a style is unknown.
        ModelError: A model file is missing or damaged.
    """
    for style in (*styles, *([index_style] if index_style else [])):
        privacy.check_style(style)
    if index_style and detector is None:
        raise InputError("to abstract the index, values have to be detected: pass a detector")
    questions = answered(dataset, split, limit=limit, seed=seed, labeled=detector is None)
    chunker = Chunker(models.locate("embedder", sources.embedder)["tokenizer.json"])
    found = passages(dataset.documents, chunker)
    if index_style and detector:
        found = abstracted(found, detector, index_style)
    index = cached_index(found, open_embedder(sources), run.folder, progress=True)
    stages = Stages(index, open_reranker(sources))
    fidelity = Fidelity(stages, detector=detector, styles=styles)
    rows = run.each(
        "-".join(["retrieval", *(() if set(styles) == set(privacy.STYLES) else styles)]),
        {question.id: question for question in questions},
        lambda question: fidelity.measure(question).to_data(),
    )
    return summarize(
        [Row.from_data(row) for row in rows],
        dataset,
        split,
        detected=detector is not None,
        seed=seed,
    )


def answered(
    dataset: Dataset, split: Split, *, limit: int | None, seed: int, labeled: bool
) -> tuple[Question, ...]:
    """Questions that documents answer, in an order that the seed draws.

    Raises:
        InputError: See `evaluate`.
    """
    questions = [question for question in dataset.split(split) if question.documents]
    if not questions:
        raise InputError(f"{dataset.name}: no question of the {split} split names a document")
    if labeled and not any(question.facts for question in questions):
        raise InputError(f"{dataset.name} labels no value to abstract: pass a detector")
    known = {document.id for document in dataset.documents}
    for question in questions:
        if not known.issuperset(question.documents):
            raise InputError(f"question {question.id} names a document that the data set lacks")
    if limit is not None and limit < 1:
        raise InputError(f"limit must be 1 or more, got {limit}")
    return choose(questions, seed=seed, limit=limit)


class Stages:
    """The stages of the product, each with what it found; a `Search`.

    Args:
        candidates: What the fused ranking hands to the reranker.
    """

    def __init__(
        self,
        index: Index,
        reranker: Reranker,
        *,
        candidates: int = PipelineOptions().candidates,
        options: HybridOptions | None = None,
    ) -> None:
        self._index, self._reranker, self._candidates = index, reranker, candidates
        self._bm25 = Bm25(index.passages)
        self._options = options or HybridOptions()

    def __call__(self, query: SafeText) -> dict[str, Sequence[Hit]]:
        depth, candidates = self._options.depth, self._candidates
        found = self._index.search(query, depth)
        lexical = self._bm25.search(query, depth)
        fused = fuse([found, lexical], constant=self._options.constant)
        reranked = self._reranker.rerank(query, fused[:candidates], candidates)
        return {"embedder": found, "lexical": lexical, "fused": fused, "reranked": reranked}


class Fidelity:
    """Searches for a question with its raw message and with each abstracted one.

    Args:
        search: Gives the ranking of each stage.
        detector: Finds what to abstract; None takes the labeled values.
        styles: Of abstraction.
    """

    def __init__(
        self,
        search: Search,
        *,
        detector: Detector | None = None,
        styles: Sequence[privacy.Style] = privacy.STYLES,
    ) -> None:
        self._search, self._detector, self._styles = search, detector, styles

    def measure(self, question: Question) -> Row:
        """The ranks of the documents that answer it."""
        message = question.message
        attributes = self._attributes(question)
        # Declared safe although it is not: the yardstick of this evaluation, see the top of the
        # file.
        raw = self._ranks(question, SafeText(message))
        return Row(
            question.id,
            tuple(sorted({f.attribute for f in question.facts} or _types(attributes))),
            bool(attributes),
            raw,
            {
                style: self._ranks(question, privacy.abstract(message, attributes, style))
                if attributes
                else raw
                for style in self._styles
            },
        )

    def _attributes(self, question: Question) -> tuple[Attribute, ...]:
        if self._detector is None:
            entities = [Entity(f.start, f.end, f.label, source="gold") for f in question.facts]
        else:
            [entities] = self._detector.detect([question.message])
        found = privacy.attributes(question.message, entities, privacy.Vault())
        # As the pipeline does it: further mentions of a value are covered too.
        return privacy.cover(question.message, found)

    def _ranks(self, question: Question, query: SafeText) -> dict[str, Ranks]:
        return {
            stage: document_ranks(hits, question.documents)
            for stage, hits in self._search(query).items()
        }


def _types(attributes: Iterable[Attribute]) -> set[str]:
    return {attribute.label.lower() for attribute in attributes}


def document_ranks(hits: Iterable[Hit], gold: Sequence[str]) -> Ranks:
    """Where each gold document stands, by its best passage, among the documents of the hits."""
    order = dict.fromkeys(hit.passage.source for hit in hits)
    places = {source: place for place, source in enumerate(order, start=1)}
    return tuple(places.get(id_, math.inf) for id_ in gold)


def summarize(
    rows: Sequence[Row], dataset: Dataset, split: Split, *, detected: bool, seed: int
) -> RetrievalReport:
    """The figures over all rows, of which there is at least one."""
    first = rows[0]
    return RetrievalReport(
        dataset=dataset.name,
        split=split,
        seed=seed,
        detected=detected,
        documents=len(dataset.documents),
        unchanged=sum(not row.changed for row in rows),
        styles={
            style: tuple(_stage(rows, style, stage, seed) for stage in first.raw)
            for style in first.abstracted
        },
        rows=tuple(rows),
    )


def _stage(rows: Sequence[Row], style: str, stage: str, seed: int) -> StageReport:
    pairs = [(row.types, (row.raw[stage], row.abstracted[style][stage])) for row in rows]
    types = sorted({type_ for row in rows for type_ in row.types})
    return StageReport(
        stage,
        _comparison([pair for _, pair in pairs], seed),
        {t: _comparison([pair for own, pair in pairs if t in own], seed) for t in types},
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


def passages(documents: Sequence[Document], chunker: Chunker) -> list[Passage]:
    """Through files, so that they are read as the product reads a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        for document in documents:
            path = Path(folder, _checked(document.id))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document.text, encoding="utf-8")
        return chunker.chunk(read_corpus(folder))


def abstracted(
    passages: Sequence[Passage], detector: Detector, style: privacy.Style
) -> list[Passage]:
    """The passages with what stands for the values that are found in their text."""
    changed = []
    for passage in tqdm(passages, desc="abstracting", disable=None):
        [entities] = detector.detect([passage.text])
        text = privacy.abstract_found(passage.text, entities, style)
        changed.append(replace(passage, id=f"{passage.id}-{style}", text=text))
    return changed


def _checked(id_: str) -> PurePosixPath:
    path = PurePosixPath(id_)
    if path.is_absolute() or ".." in path.parts:
        raise InputError(f"document {id_}: an id must be a path inside the corpus folder")
    return path


def cached_index(
    passages: Sequence[Passage], embedder: TextEmbedder, work: Path, progress: bool = False
) -> Index:
    """The index in the folder of `work` that is named after these passages and this embedder.

    It compares vectors one by one, so that ranks do not depend on how a graph was built.
    """
    digest = hashlib.sha256(embedder.digest.encode())
    for passage in passages:
        digest.update(json.dumps([passage.id, passage.title]).encode())  # the id covers the text
    folder = work / f"index-{digest.hexdigest()[:16]}"
    try:
        return Index.open(folder, embedder)
    except CorpusError:  # not built yet, or not to its end
        options = IndexOptions(exact_below=len(passages) + 1)
        index = Index.build(passages, embedder, options=options, progress=progress)
        shutil.rmtree(folder, ignore_errors=True)  # a damaged one would not be replaced
        index.save(folder)
        return index
