"""Measure a reranker on held-out questions against the embedder alone; needs no torch.

Works for any cross-encoder folder that the package can load::

    python -m privrag_fast.training.reranker_eval --reranker DIR --data ../shared/data --out FILE
"""

from __future__ import annotations

import argparse
import json
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privrag_fast.models import locate
from privrag_fast.retrieval import CrossEncoder, Embedder, TextEmbedder
from privrag_fast.training import reranker_data as data
from privrag_fast.types import Hit, InputError, Passage, Reranker, SafeText

logger = logging.getLogger(__name__)

FloatArray = npt.NDArray[np.float32]

TOP: Final = 20  # passages that the embedder hands on


@dataclass(frozen=True, slots=True)
class Quality:
    """nDCG@10 and the mean reciprocal rank, over questions."""

    ndcg: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report.

    Args:
        recall: Share of the questions with an answer among the embedder's top.
        fusion: Half embedder, half reranker, each scaled to [0, 1] within a question.
        agreement: Share of passage pairs that `full` orders as the reranker does, or None.
    """

    collection: str
    queries: str
    questions: int
    recall: float
    embedder: Quality
    reranker: Quality
    fusion: Quality
    agreement: float | None


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What one question is judged on; the arrays are [candidates], in the embedder's order."""

    question: data.Question
    relevant: npt.NDArray[np.bool_]
    embedder: FloatArray
    reranker: FloatArray
    full: FloatArray | None


def measure(
    collection: data.Collection,
    vectors: FloatArray,
    embedder: TextEmbedder,
    reranker: Reranker,
    *,
    abstracted: bool,
    full: Reranker | None = None,
) -> Row:
    """Embedder, reranker and their fusion on a collection's questions.

    Args:
        vectors: The collection's passages, embedded: float32 [passages, dim].
    """
    judged = list(_judge(collection, vectors, embedder, reranker, full, abstracted))
    if not judged:
        raise InputError(f"{collection.name} has no question to measure on")
    agreements = [pairwise_agreement(j.reranker, j.full) for j in judged if j.full is not None]
    return Row(
        collection.name,
        "abstracted" if abstracted else "raw",
        len(judged),
        recall=float(np.mean([j.relevant.any() for j in judged])),
        embedder=_quality(judged, lambda j: j.embedder),
        reranker=_quality(judged, lambda j: j.reranker),
        fusion=_quality(judged, lambda j: _unit(j.embedder) + _unit(j.reranker)),
        agreement=float(np.mean(agreements)) if agreements else None,
    )


def _judge(
    collection: data.Collection,
    vectors: FloatArray,
    embedder: TextEmbedder,
    reranker: Reranker,
    full: Reranker | None,
    abstracted: bool,
) -> Iterator[_Candidates]:
    siblings = collection.siblings()
    for question in collection.questions:
        query = SafeText(question.abstracted if abstracted else question.query)
        scores = vectors @ embedder.embed([query])[0]
        pool = (
            np.array(siblings[question.document]) if collection.closed else np.arange(len(scores))
        )
        top = pool[np.argsort(-scores[pool], kind="stable")[:TOP]]
        texts = [collection.passages[i] for i in top]
        yield _Candidates(
            question,
            np.isin(top, question.positives),
            scores[top],
            score(reranker, query, texts),
            score(full, query, texts) if full is not None else None,
        )


def score(reranker: Reranker, query: SafeText, texts: Sequence[str]) -> FloatArray:
    """The reranker's logits in the order of `texts`: float32 [texts]."""
    hits = [Hit(Passage(str(i), text), 0.0) for i, text in enumerate(texts)]
    scores = np.empty(len(texts), dtype=np.float32)
    for hit in reranker.rerank(query, hits, k=len(hits)):
        scores[int(hit.passage.id)] = hit.score
    return scores


def _quality(judged: Sequence[_Candidates], scores: Callable[[_Candidates], FloatArray]) -> Quality:
    ranked = [j.relevant[np.argsort(-scores(j), kind="stable")] for j in judged]
    totals = [len(j.question.positives) for j in judged]
    return Quality(
        ndcg=float(np.mean([ndcg(r, n) for r, n in zip(ranked, totals, strict=True)])),
        mrr=float(np.mean([reciprocal_rank(r) for r in ranked])),
    )


def ndcg(relevant: npt.NDArray[np.bool_], total: int, *, k: int = 10) -> float:
    """nDCG@k of a ranked list with binary relevance, of which `total` items exist."""
    gains = 1.0 / np.log2(np.arange(k) + 2)
    found = float(gains[: len(relevant)][relevant[:k]].sum())
    return found / float(gains[:total].sum())


def reciprocal_rank(relevant: npt.NDArray[np.bool_]) -> float:
    """One over the rank of the first relevant item; 0 where there is none."""
    return 1.0 / (1 + int(relevant.argmax())) if relevant.any() else 0.0


def _unit(scores: FloatArray) -> FloatArray:
    low, high = float(scores.min()), float(scores.max())
    return np.asarray((scores - low) / max(high - low, 1e-6), dtype=np.float32)


def pairwise_agreement(left: FloatArray, right: FloatArray) -> float:
    """Share of pairs of items that both score lists put in the same order; 1.0 for one item."""
    if len(left) < 2:
        return 1.0
    upper = np.triu_indices(len(left), 1)
    same = np.sign(left[:, None] - left) == np.sign(right[:, None] - right)
    return float(same[upper].mean())


def held_out_collections(folder: Path, *, seed: int, limit: int) -> list[data.Collection]:
    """Questions that training never saw, at most `limit` a collection."""
    collections = [*data.load_public(folder), data.generate_products(seed=seed)]
    held_out = [collection.split()[1] for collection in collections]
    held_out.append(data.load_conditionalqa(folder / "conditionalqa", split="dev"))
    return [_limited(collection, random.Random(seed), limit) for collection in held_out]


def _limited(collection: data.Collection, rng: random.Random, limit: int) -> data.Collection:
    questions = list(collection.questions)
    rng.shuffle(questions)
    return collection.with_questions(questions[:limit])


def table(rows: Sequence[Row]) -> str:
    """A Markdown table: nDCG@10 / MRR."""
    lines = [
        "| held-out set | queries | n | in top 20 | embedder | reranker | fusion | int8 = F32 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.collection} | {r.queries} | {r.questions} | {r.recall:.2f} | {_cell(r.embedder)} "
        f"| {_cell(r.reranker)} | {_cell(r.fusion)} "
        f"| {'' if r.agreement is None else f'{r.agreement:.3f}'} |"
        for r in rows
    ]
    return "\n".join(lines)


def _cell(quality: Quality) -> str:
    return f"{quality.ndcg:.3f} / {quality.mrr:.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures a reranker folder and writes the rows as JSON."""
    args = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    graph = args.embedder or locate("embedder")["model.onnx"]
    embedder = Embedder(graph, args.reranker / "tokenizer.json", threads=args.threads)
    reranker = _open(args.reranker, args.threads)
    full = _open(args.full, args.threads) if args.full else None
    rows: list[Row] = []
    for collection in held_out_collections(args.data, seed=args.seed, limit=args.limit):
        vectors = embedder.embed([SafeText(text) for text in collection.passages])
        parts = collection, vectors, embedder, reranker
        rows += [measure(*parts, abstracted=False, full=full), measure(*parts, abstracted=True)]
        logger.info("%s", rows[-2:])
    args.out.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    logger.info("\n%s", table(rows))


def _open(folder: Path, threads: int) -> CrossEncoder:
    return CrossEncoder(folder / "model.onnx", folder / "tokenizer.json", threads=threads)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="privrag_fast.training.reranker_eval")
    add = parser.add_argument
    add("--reranker", type=Path, required=True, help="folder with model.onnx and tokenizer.json")
    add("--full", type=Path, help="the same in F32, to see what quantization changes")
    add("--embedder", type=Path, help="ONNX graph; the package's own where not given")
    add("--data", type=Path, required=True, help="folder of the public data sets")
    add("--out", type=Path, required=True, help="JSON file for the figures")
    add("--limit", type=int, default=100, help="questions a collection")
    add("--seed", type=int, default=1, help="the seed of the training run")
    add("--threads", type=int, default=2)
    return parser


if __name__ == "__main__":
    main()
