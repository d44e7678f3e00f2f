"""Measure a reranker on held-out questions against the embedder alone; needs no torch.

Works for any cross-encoder folder that the package can load; ends with one line a bar::

    python -m privrag_fast.training.reranker_eval --reranker DIR --data ../shared/data --out FILE
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privrag_fast.assembly import PLACE_WEIGHT
from privrag_fast.evaluation.bars import Bar, conclude
from privrag_fast.models import locate
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.privacy import DEFAULT_STYLE
from privrag_fast.retrieval import Bm25, CrossEncoder, Embedder, TextEmbedder, fuse
from privrag_fast.training import reranker_data as data
from privrag_fast.types import Hit, InputError, Passage, Reranker, SafeText

logger = logging.getLogger(__name__)

FloatArray = npt.NDArray[np.float32]

CANDIDATES: Final = PipelineOptions().candidates  # passages that the reranker looks at
_DEPTH: Final = 100
_GAIN: Final = 0.05  # of nDCG@10, mean of the sets


@dataclass(frozen=True, slots=True)
class Quality:
    """nDCG@10 and the mean reciprocal rank, over questions."""

    ndcg: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report.

    Args:
        recall: Share of the questions with an answer among the candidates.
        embedder: Alone.
        fused: Embedder and BM25, whose best are the candidates.
        reranker: Its logits alone, over the candidates.
        shipped: As the pipeline does it: logits, and the places of the candidates.
        agreement: Share of passage pairs that `full` orders as the reranker does, or None.
    """

    collection: str
    queries: str
    questions: int
    recall: float
    embedder: Quality
    fused: Quality
    reranker: Quality
    shipped: Quality
    agreement: float | None


@dataclass(frozen=True, slots=True)
class _Judged:
    """What one question is judged on.

    Args:
        embedder, fused: Relevance of the passages in that order, best first.
        logits: Of the first passages of `fused`, in its order.
    """

    answers: int
    embedder: npt.NDArray[np.bool_]
    fused: npt.NDArray[np.bool_]
    logits: FloatArray
    full: FloatArray | None

    def reranked(self, place_weight: float) -> npt.NDArray[np.bool_]:
        """Relevance of the candidates in the order of logits and places."""
        places = np.arange(1, len(self.logits) + 1)
        scores = self.logits + place_weight / (10 + places)
        return self.fused[: len(self.logits)][np.argsort(-scores, kind="stable")]


def measure(
    collection: data.Collection,
    embedder: TextEmbedder,
    reranker: Reranker,
    *,
    abstracted: bool,
    full: Reranker | None = None,
    place_weight: float = PLACE_WEIGHT,
    candidates: int = CANDIDATES,
) -> Row:
    """Embedder, BM25 and reranker on a collection's questions.

    Args:
        reranker, full: Rank by logits alone.
        place_weight: Of the candidates' places beside the logits, in what ships.
        candidates: The best of embedder and BM25 that are reranked.
    """
    judged = list(_judge(collection, embedder, reranker, full, abstracted, candidates))
    if not judged:
        raise InputError(f"{collection.name} has no question to measure on")
    agreements = [pairwise_agreement(j.logits, j.full) for j in judged if j.full is not None]
    return Row(
        collection.name,
        "abstracted" if abstracted else "raw",
        len(judged),
        recall=float(np.mean([j.reranked(0).any() for j in judged])),
        embedder=_quality(judged, lambda j: j.embedder),
        fused=_quality(judged, lambda j: j.fused),
        reranker=_quality(judged, lambda j: j.reranked(0)),
        shipped=_quality(judged, lambda j: j.reranked(place_weight)),
        agreement=float(np.mean(agreements)) if agreements else None,
    )


def _judge(
    collection: data.Collection,
    embedder: TextEmbedder,
    reranker: Reranker,
    full: Reranker | None,
    abstracted: bool,
    candidates: int,
) -> Iterator[_Judged]:
    passages = [Passage(str(i), text) for i, text in enumerate(collection.passages)]
    vectors = embedder.embed([SafeText(text) for text in collection.passages])
    bm25, siblings = Bm25(passages), collection.siblings()
    for question in collection.questions:
        told = data.in_style(question.abstracted, DEFAULT_STYLE) if abstracted else question.query
        query = SafeText(told)
        pool = siblings[question.document] if collection.closed else range(len(passages))
        scores = vectors @ embedder.embed([query])[0]
        found = [Hit(passages[i], float(scores[i])) for i in np.argsort(-scores, kind="stable")]
        ours = {str(i) for i in pool}
        legs = [
            [hit for hit in leg if hit.passage.id in ours][:_DEPTH]
            for leg in (found, bm25.search(query, len(passages)))
        ]
        fused = fuse(legs)
        texts = [hit.passage.text for hit in fused[:candidates]]
        answers = {str(i) for i in question.positives}
        yield _Judged(
            len(answers),
            np.array([hit.passage.id in answers for hit in legs[0]], np.bool_),
            np.array([hit.passage.id in answers for hit in fused], np.bool_),
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


def _quality(
    judged: Sequence[_Judged], ranked: Callable[[_Judged], npt.NDArray[np.bool_]]
) -> Quality:
    return Quality(
        ndcg=float(np.mean([ndcg(ranked(j), j.answers) for j in judged])),
        mrr=float(np.mean([reciprocal_rank(ranked(j)) for j in judged])),
    )


def ndcg(relevant: npt.NDArray[np.bool_], total: int, *, k: int = 10) -> float:
    """nDCG@k of a ranked list with binary relevance, of which `total` items exist."""
    gains = 1.0 / np.log2(np.arange(k) + 2)
    found = float(gains[: len(relevant)][relevant[:k]].sum())
    return found / float(gains[:total].sum())


def reciprocal_rank(relevant: npt.NDArray[np.bool_]) -> float:
    """One over the rank of the first relevant item; 0 where there is none."""
    return 1.0 / (1 + int(relevant.argmax())) if relevant.any() else 0.0


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


def bars(rows: Sequence[Row]) -> Iterator[Bar]:
    """What is shipped over the embedder alone: nDCG@10, the mean of the sets."""
    for queries in ("raw", "abstracted"):
        gains = [r.shipped.ndcg - r.embedder.ndcg for r in rows if r.queries == queries]
        if gains:
            yield Bar(f"reranked_gain_{queries}", float(np.mean(gains)), _GAIN, at_least=True)


def table(rows: Sequence[Row]) -> str:
    """A Markdown table: nDCG@10 / MRR."""
    lines = [
        "| held-out set | queries | n | among them | embedder | with BM25 | reranker | shipped "
        "| int8 = F32 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.collection} | {r.queries} | {r.questions} | {r.recall:.2f} | {_cell(r.embedder)} "
        f"| {_cell(r.fused)} | {_cell(r.reranker)} | {_cell(r.shipped)} "
        f"| {'' if r.agreement is None else f'{r.agreement:.3f}'} |"
        for r in rows
    ]
    return "\n".join(lines)


def _cell(quality: Quality) -> str:
    return f"{quality.ndcg:.3f} / {quality.mrr:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures a reranker folder and writes the rows as JSON; 1 where a bar is short."""
    args = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    graph = args.embedder or locate("embedder")["model.onnx"]
    embedder = Embedder(graph, args.reranker / "tokenizer.json", threads=args.threads)
    reranker = _open(args.reranker, args.threads)
    full = _open(args.full, args.threads) if args.full else None
    rows: list[Row] = []
    for collection in held_out_collections(args.data, seed=args.seed, limit=args.limit):
        for abstracted in (False, True):
            row = measure(
                collection,
                embedder,
                reranker,
                abstracted=abstracted,
                full=None if abstracted else full,
                place_weight=args.place_weight,
                candidates=args.candidates,
            )
            rows.append(row)
        logger.info("%s", rows[-2:])
    args.out.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    print(table(rows))
    return conclude(bars(rows))


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
    add("--place-weight", type=float, default=PLACE_WEIGHT, help="of places beside logits")
    add("--candidates", type=int, default=CANDIDATES, help="passages that are reranked")
    add("--seed", type=int, default=1, help="the seed of the training run")
    add("--threads", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main())
