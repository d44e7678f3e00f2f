"""Embedding and reranking against torch; the index: recall, growth, and writers that are killed.

    make bench-retrieval
    make bench-retrieval ARGS="--only growth --million"

Rivals compute the same texts with the same weights, rounds interleaved; ratios are medians over
rounds. The texts are those of the generated benchmark, which are made up.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import killed_index
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from privrag_fast import models
from privrag_fast.evaluation import benchmark
from privrag_fast.evaluation.bars import Bar, conclude, machine
from privrag_fast.evaluation.dataset import Document
from privrag_fast.export import export_embedder, export_reranker
from privrag_fast.onnx import load_tokenizer
from privrag_fast.retrieval import CrossEncoder, Embedder, Index, IndexOptions
from privrag_fast.types import Hit, Passage, SafeText

Vectors = NDArray[np.float32]

EMBEDDED = 1_000
RERANKED, PASSAGE_TOKENS = 20, 200
INDEXED, K = 100_000, 10
HELD_OUT = 1_000  # sentences that are queries
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
AT_ONCE = 10_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be repeated")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--largest", type=int, default=100_000, help="vectors of the growth curve")
    parser.add_argument("--million", action="store_const", dest="largest", const=1_000_000)
    parser.add_argument("--sentences", type=int, default=30_000, help="that are embedded")
    parser.add_argument("--vectors", type=Path, help="a file to keep the embedded sentences in")
    parser.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        return load(options.load)
    print(f"{machine()}; {options.threads} threads; {options.rounds} rounds")
    bars: list[Bar] = []
    for name in options.only or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            print(f"\n{name}")
            bars += PARTS[name](options, Path(folder))
    return conclude(bars)


# --------------------------------------------------------------------------- against torch


def exported(
    export: Callable[..., object], checkpoint: Path, work: Path
) -> tuple[Path, Path, None]:
    """Where a checkpoint stands in F32 and in int8; None for what ships."""
    export(checkpoint, work / "full", full=True)
    export(checkpoint, work / "int8")
    return work / "full", work / "int8", None


def embed(options: argparse.Namespace, work: Path) -> list[Bar]:
    """1,000 passages; and how far the F32 graph is from torch."""
    from torch_rivals import TorchEmbedder, sentence_checkpoint

    checkpoint = sentence_checkpoint(work / "torch")
    full, int8, shipped = (
        embedder_of(models.locate("embedder", folder), options.threads)
        for folder in exported(export_embedder, checkpoint, work)
    )
    torch = TorchEmbedder(checkpoint, threads=options.threads)
    texts = [SafeText(own.text) for own in passages(EMBEDDED)]
    print(f"{len(texts)} passages, {mean_tokens(texts):.0f} tokens on average")

    found, wanted = full.embed(texts[:200]), torch.embed(texts[:200])
    difference = float(np.abs(found - wanted).max())
    print(f"  F32 differs from torch by {difference:.1e} at most")
    for name, model in (("int8, exported", int8), ("int8, as shipped", shipped)):
        cosines = (model.embed(texts[:200]) * wanted).sum(axis=1)
        print(f"  cosine with torch {cosines.mean():.4f}, least {cosines.min():.4f}: {name}")
    ratios = compare(
        {
            "int8 (privrag-fast export embedder)": lambda: int8.embed(texts),
            "int8, the embedder as shipped": lambda: shipped.embed(texts),
            "sentence-transformers in torch": lambda: torch.embed(texts),
        },
        options.rounds,
    )
    return [
        Bar("embed_x_torch", ratios[-1], 2.5, at_least=True),
        Bar("embed_shipped_x_torch", ratios[-1] / ratios[1], 2.5, at_least=True),
        Bar("embed_difference_f32", difference, 1e-3),
    ]


def rerank(options: argparse.Namespace, work: Path) -> list[Bar]:
    """20 passages of 200 tokens with a question."""
    from torch_rivals import TorchReranker, cross_checkpoint, sentence_checkpoint

    checkpoint = cross_checkpoint(work / "cross", sentence_checkpoint(work / "torch"))
    full, int8, shipped = (
        reranker_of(models.locate("reranker", folder), options.threads)
        for folder in exported(export_reranker, checkpoint, work)
    )
    torch = TorchReranker(checkpoint, threads=options.threads)
    texts = passages_of(PASSAGE_TOKENS, RERANKED)
    hits = [Hit(Passage(str(n), text), 0.0) for n, text in enumerate(texts)]
    query = SafeText("Until when can I hand in the form, and what does a copy of it cost?")

    scores = {hit.passage.id: hit.score for hit in full.rerank(query, hits, len(hits))}
    found = [scores[hit.passage.id] for hit in hits]
    print(f"  F32 differs by {np.abs(found - torch.scores(query, texts)).max():.1e} at most")
    ratios = compare(
        {
            "int8 (privrag-fast export reranker)": lambda: int8.rerank(query, hits),
            "int8, the reranker as shipped": lambda: shipped.rerank(query, hits),
            "F32": lambda: full.rerank(query, hits),
            "sentence-transformers in torch": lambda: torch.scores(query, texts),
        },
        5 * options.rounds,
    )
    return [Bar("rerank_x_torch", ratios[-1], 3.0, at_least=True)]


def compare(calls: dict[str, Callable[[], object]], rounds: int) -> list[float]:
    """Times of each call over those of the first, by the median over interleaved rounds.

    Seconds of CPU stand beside, which tell the same where other programs run.
    """
    walls: dict[str, list[float]] = {name: [] for name in calls}
    cpus: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            walls[name].append(timed(call))
            cpus[name].append(time.process_time() - start)
    ratios = []
    for name, own in walls.items():
        ratios.append(median_ratio(own, next(iter(walls.values()))))
        cpu = median_ratio(cpus[name], next(iter(cpus.values())))
        print(
            f"  {statistics.median(own):7.3f} s ({min(own):.3f} to {max(own):.3f}) "
            f"x {ratios[-1]:5.2f}, of CPU x {cpu:5.2f}  {name}"
        )
    return ratios


def median_ratio(times: Sequence[float], others: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(times, others, strict=True))


# --------------------------------------------------------------------------- the index


class Rows:
    """An embedder whose texts are numbers of rows: the index is measured without a model.

    A row past the last is a blend of two, so that a million lie as those do.
    """

    digest = "rows"

    def __init__(self, vectors: Vectors, *, queries: Vectors | None = None) -> None:
        self._vectors = vectors
        self._queries = queries
        self.dim = vectors.shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self._queries is not None and texts[0].startswith("query"):
            return self._queries[[int(text.split()[1]) for text in texts]]
        rows = np.array([int(text) for text in texts])
        count = len(self._vectors)
        vectors = self._vectors[rows % count]
        late = rows >= count
        if late.any():
            others = (rows * 2_654_435_761 + rows // count) % count
            blended = 0.6 * vectors + 0.4 * self._vectors[others]
            blended /= np.linalg.norm(blended, axis=1, keepdims=True)
            vectors = np.where(late[:, None], blended, vectors)
        return np.ascontiguousarray(vectors, np.float32)


def graph(options: argparse.Namespace, work: Path) -> list[Bar]:
    """Recall and time of a search at 100,000, with the index's own options."""
    vectors = sentence_vectors(options)
    rows = Rows(vectors[:-HELD_OUT], queries=vectors[-HELD_OUT:])
    index = Index(rows)
    grow(index, INDEXED)
    indexed = rows.embed([str(row) for row in range(INDEXED)])
    exact = np.sort(vectors[-HELD_OUT:] @ indexed.T, axis=1)[:, ::-1][:, :K]
    for ef in (IndexOptions().ef, 50, 200, 400):
        recall, ms = searched(index, exact, ef)
        print(f"  ef {ef:<4} recall@{K} {recall:.4f}  {ms:.3f} ms")
        if ef == IndexOptions().ef:
            reached = recall, ms
    return [
        Bar("graph_recall_at_10", reached[0], 0.98, at_least=True),
        Bar("graph_ms", reached[1], 1.0),
    ]


def searched(index: Index, exact: Vectors, ef: int) -> tuple[float, float]:
    """Share of the K best that are found, ties being equal, and the median of milliseconds."""
    times, found = [], 0
    for row, best in enumerate(exact):
        query = SafeText(f"query {row}")
        start = time.perf_counter()
        hits = index.search(query, K, ef=ef)
        times.append(time.perf_counter() - start)
        found += sum(hit.score >= best[-1] - 1e-5 for hit in hits)
    return float(found / (K * len(exact))), 1e3 * statistics.median(times)


def growth(options: argparse.Namespace, work: Path) -> list[Bar]:
    """What an index costs as it grows; nothing to reach."""
    vectors = sentence_vectors(options)
    np.save(work / "vectors.npy", vectors)
    index, seconds = Index(Rows(vectors)), 0.0
    print("  vectors   build s   save s   disk MB   load s   memory MB   search ms")
    for size in SIZES:
        if size > options.largest:
            break
        start = time.process_time()  # one thread builds: on an idle machine the same as seconds
        grow(index, size)
        seconds += time.process_time() - start
        saving = timed(lambda: index.save(work / "index"))
        disk = sum(path.stat().st_size for path in (work / "index").iterdir()) / 1e6
        ran = subprocess.run(
            [sys.executable, __file__, "--load", str(work)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        loaded = json.loads(ran.stdout)
        print(
            f"  {size:<9} {seconds:7.1f} {saving:8.2f} {disk:9.1f} {loaded['seconds']:8.2f} "
            f"{loaded['mb']:11.1f} {loaded['search_ms']:11.3f}",
            flush=True,
        )
    return []


def load(work: Path) -> int:
    """In a process of its own: what opening the index takes, in time and memory."""
    embedder = Rows(np.load(work / "vectors.npy", mmap_mode="r"))
    before = resident_mb()
    start = time.perf_counter()
    index = Index.open(work / "index", embedder)
    seconds, after = time.perf_counter() - start, resident_mb()
    times = [
        timed(lambda row=row: index.search(SafeText(str(row)), K))
        for row in range(0, len(index), len(index) // 200)
    ]
    told = {"seconds": seconds, "mb": after - before, "search_ms": 1e3 * statistics.median(times)}
    print(json.dumps(told))
    return 0


def kill(options: argparse.Namespace, work: Path) -> list[Bar]:
    """SIGKILL at random moments of adding and saving."""
    killed_index.start(work)
    outcomes = [
        killed_index.kill_and_open(work, seed=seed)
        for seed in tqdm(range(options.kills), desc="killed", leave=False)
    ]
    lossless = sum(outcome.lossless for outcome in outcomes)
    saved = outcomes[-1].found - 100
    within = sum(outcome.found > outcome.committed for outcome in outcomes)
    print(f"  {options.kills} writers killed, {saved} saves, {within} died after one was in place")
    return [Bar("killed_and_lossless", lossless, options.kills, at_least=True)]


PARTS: dict[str, Callable[[argparse.Namespace, Path], list[Bar]]] = {
    "embed": embed,
    "rerank": rerank,
    "graph": graph,
    "growth": growth,
    "kill": kill,
}


# --------------------------------------------------------------------------- parts


def grow(index: Index, size: int) -> None:
    for start in range(len(index), size, AT_ONCE):
        stop = min(start + AT_ONCE, size)
        index.add(Passage(str(row), str(row)) for row in range(start, stop))


def sentence_vectors(options: argparse.Namespace) -> Vectors:
    """Of distinct made-up sentences, float32 [sentences + HELD_OUT, 384]."""
    if options.vectors and options.vectors.is_file():
        kept: Vectors = np.load(options.vectors)
        return kept
    embedder = embedder_of(models.find("embedder"), options.threads)
    sentences = list(islice(distinct_sentences(), options.sentences + HELD_OUT))
    np.random.default_rng(0).shuffle(sentences)
    blocks = [
        embedder.embed([SafeText(own) for own in sentences[start : start + AT_ONCE]])
        for start in tqdm(range(0, len(sentences), AT_ONCE), desc="embedding", leave=False)
    ]
    vectors = np.concatenate(blocks)
    if options.vectors:
        np.save(options.vectors, vectors)
    return vectors


def passages(count: int) -> list[Document]:
    """Of the generated benchmark, without its questions."""
    made = benchmark.generate(train=0, dev=0, test=0, filler=count)
    return list(made.documents[-count:])


def distinct_sentences() -> Iterator[str]:
    known = set()
    for document in passages(8_000):
        for sentence in re.split(r"(?<=[.!?])\s+", document.text):
            if sentence not in known:
                known.add(sentence)
                yield sentence


def passages_of(tokens: int, count: int) -> list[str]:
    """Texts of so many tokens."""
    tokenizer = load_tokenizer(models.find("embedder")["tokenizer.json"])
    text = " ".join(own.text for own in passages(10 * count))
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    starts = range(0, count * tokens, tokens)
    return [text[offsets[start][0] : offsets[start + tokens - 1][1]] for start in starts]


def mean_tokens(texts: Sequence[str]) -> float:
    tokenizer = load_tokenizer(models.find("embedder")["tokenizer.json"])
    return statistics.mean(len(own.ids) for own in tokenizer.encode_batch(list(texts)))


def embedder_of(files: dict[str, Path], threads: int) -> Embedder:
    return Embedder(files["model.onnx"], files["tokenizer.json"], threads=threads)


def reranker_of(files: dict[str, Path], threads: int) -> CrossEncoder:
    return CrossEncoder(files["model.onnx"], files["tokenizer.json"], threads=threads)


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def resident_mb() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    sys.exit(main())
