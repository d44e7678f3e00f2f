"""The tree scorer against what one would write without it, and against the machine's limit.

    make bench-scorer
    make bench-scorer ARGS="--growth docs/growth.png"

All take the same token sequences and weights; rounds are interleaved, so that a noisy neighbor
slows all alike. Ratios are medians over rounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from llama_rivals import CreateCompletion, PlainDecode

from privrag_fast import models, native
from privrag_fast.evaluation.bars import Bar, conclude, machine
from privrag_fast.llama import LlamaOptions


@dataclass(frozen=True, slots=True)
class Workload:
    """Variants of one prompt: a message at its end changes in one place each.

    The median message of examples/questions.jsonl has 59 tokens, a value of it stands 33 tokens
    before its end.
    """

    name: str
    prompt: int
    variants: int
    answer: int = 25
    message: int = 60

    def build(self, seed: int = 0) -> tuple[list[list[int]], list[int]]:
        """Token sequences and prompt lengths; tokens are those of common words."""
        rng = random.Random(seed)
        tokens = [rng.randrange(500, 5000) for _ in range(self.prompt)]
        answer = [rng.randrange(500, 5000) for _ in range(self.answer)]
        start = self.prompt - self.message
        spots = [rng.randrange(start, self.prompt - 8) for _ in range((self.variants + 2) // 3)]
        sequences = [tokens + answer]
        for i in range(self.variants - 1):
            other = list(tokens)
            other[spots[i // 3]] = 5001 + i
            sequences.append(other + answer)
        return sequences, [self.prompt] * self.variants


SAMPLE = 4  # variants that rival (b) scores

W1 = Workload("W1", prompt=900, variants=22)
W2 = Workload("W2", prompt=250, variants=10, answer=10, message=30)  # short question, verdict
W3 = Workload("W3", prompt=3000, variants=64)


def flat(
    sequences: Sequence[Sequence[int]], lengths: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    tokens = np.concatenate([np.asarray(s, np.int32) for s in sequences])
    offsets = np.cumsum([0, *map(len, sequences)]).astype(np.int64)
    return tokens, offsets, np.asarray(lengths, np.int32)


def clear(scorer: native.TreeScorer) -> None:
    """Fills every trunk with a path that nothing shares."""
    for first in range(3, 3 + LlamaOptions().n_trunks):
        scorer.score(*flat([[first, 4]], [1]))


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slm", default=None, help="another GGUF file")
    parser.add_argument("--growth", type=Path, metavar="PNG", help="time and memory, and a plot")
    parser.add_argument("--one", nargs=3, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = models.locate("slm", options.slm)[models.SLM_FILE]
    if options.one:
        return run_one(path, options.threads, *options.one)
    print(f"{machine()}; {options.threads} threads; {path.name}; {options.rounds} rounds")
    if options.growth:
        growth(options)
        return 0
    bars: list[Bar] = []
    for workload, at_least in ((W1, 9.0), (W2, 4.0), (W3, 20.0)):
        bars += compare(workload, at_least, path, options)
    _, peak = measure_one(options, W3.prompt, W3.variants, n_ctx=4096)
    bars.append(Bar("W3_peak_memory_mb", peak, 600))
    return conclude(bars)


def compare(
    workload: Workload, at_least: float, path: Path, options: argparse.Namespace
) -> list[Bar]:
    sequences, lengths = workload.build()
    arrays = flat(sequences, lengths)
    chosen = LlamaOptions(n_threads=options.threads).native()
    scorer = native.TreeScorer(str(path), **chosen)
    plain = PlainDecode(path, n_batch=512, threads=options.threads)
    # The limit has the arithmetic of the tree, the rivals llama.cpp's defaults.
    limit = PlainDecode(path, n_batch=512, threads=options.threads, kv_float32=chosen["kv_float32"])
    counts = scorer.score(*arrays)
    outputs = workload.answer * workload.variants

    times: dict[str, list[float]] = {name: [] for name in ("tree", "b", "c", "limit", "next")}
    for _ in range(options.rounds):
        clear(scorer)
        times["tree"].append(timed(lambda: scorer.score(*arrays)))
        times["limit"].append(timed(lambda: limit.one_decode(counts["unique"], outputs, 512)))
        times["c"].append(timed(lambda: plain.longest_common_prefix(sequences, lengths)))
        # Every variant costs (b) the same: a sample of them, times their number.
        sample = timed(lambda: plain.without_reuse(sequences[:SAMPLE], lengths[:SAMPLE]))
        times["b"].append(sample * len(sequences) / SAMPLE)
    tree = statistics.median(times["tree"])
    print(
        f"\n{workload.name}: prompt {workload.prompt}, {workload.variants} variants, answer "
        f"{workload.answer}; asked {counts['asked']}, unique {counts['unique']}"
    )
    ratios = {
        name: statistics.median(
            other / own for own, other in zip(times["tree"], times[name], strict=True)
        )
        for name in ("b", "c", "limit")
    }
    print(f"  tree {tree:.3f} s, {counts['unique'] / tree:.0f} tokens/s")
    for name, title in (
        ("b", "one decode per variant"),
        ("c", "the same, reusing the longest common prefix"),
        ("limit", "one decode of as many tokens and outputs"),
    ):
        print(f"  {statistics.median(times[name]):8.3f} s  x {ratios[name]:6.2f}  {title}")
    alone = np.array(plain.without_reuse(sequences[:SAMPLE], lengths[:SAMPLE]))
    difference = np.abs(counts["sums"][:SAMPLE] - alone).max()
    print(f"  largest difference to one decode per variant: {difference:.3f} nats")
    bars = [Bar(f"{workload.name}_times_b", ratios["b"], at_least, at_least=True)]
    if workload is W1:
        bars.append(Bar("W1_times_c", ratios["c"], 1.3, at_least=True))
        bars += [completion_bar(path, sequences, lengths, tree, options.threads)]
        bars += [next_message_bar(scorer, workload)]
    if workload is not W2:
        bars.append(Bar(f"{workload.name}_over_limit", 1 / ratios["limit"], 1.08))
    for each in (plain, limit, scorer):
        each.close()
    return bars


def completion_bar(
    path: Path, sequences: list[list[int]], lengths: list[int], tree: float, threads: int
) -> Bar:
    """Rival (a) on one variant, times their number: it is too slow for all."""
    rival = CreateCompletion(path, n_ctx=2048, n_batch=512, threads=threads)
    total = timed(lambda: rival.score(sequences[0], lengths[0])) * len(sequences)
    rival.close()
    print(f"  {total:8.3f} s  x {total / tree:6.2f}  create_completion(echo, logprobs=1)")
    return Bar("W1_times_a", total / tree, 100.0, at_least=True)


def next_message_bar(scorer: native.TreeScorer, workload: Workload) -> Bar:
    """Same documents, another message: cost against that of its own new tokens.

    These cost what everything costs from nothing, less what the documents cost alone.
    """
    sequences, lengths = workload.build()
    documents = sequences[0][: workload.prompt - workload.message]
    ratios = []
    for seed in range(1, 6):
        other, _ = workload.build(seed)
        following = flat([documents + s[len(documents) :] for s in other], lengths)
        clear(scorer)
        everything = timed(lambda f=following: scorer.score(*f))
        clear(scorer)
        alone = timed(lambda: scorer.score(*flat([documents], [len(documents)])))
        scorer.score(*flat(sequences, lengths))
        reused = timed(lambda f=following: scorer.score(*f))
        ratios.append(reused / (everything - alone))
    print(f"  next message on the same documents: x {statistics.median(ratios):.3f} of its tokens")
    return Bar("next_message_over_own_tokens", statistics.median(ratios), 1.1)


def run_one(path: Path, threads: int, prompt: int, variants: int, n_ctx: int) -> int:
    """Prints seconds and peak memory in MB of one workload, in a process of its own."""
    arrays = flat(*Workload("", prompt, variants).build())
    small = LlamaOptions(n_ctx=n_ctx, n_batch=256, n_outputs=64, n_threads=threads, n_trunks=1)
    scorer = native.TreeScorer(str(path), **small.native())
    seconds = timed(lambda: scorer.score(*arrays))
    # VmHWM starts anew with the program; ru_maxrss carries over what its parent held.
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024
    print(seconds, peak)
    return 0


def measure_one(
    options: argparse.Namespace, prompt: int, variants: int, n_ctx: int
) -> tuple[float, float]:
    """Seconds and MB at the peak of a process that scores one workload in little memory."""
    command = [sys.executable, __file__, "--threads", str(options.threads)]
    command += ["--slm", options.slm] if options.slm else []
    command += ["--one", str(prompt), str(variants), str(n_ctx)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak


VARIANTS = (1, 4, 16, 64, 128)
PROMPTS = (128, 512, 1024, 2048, 4096)


def growth(options: argparse.Namespace) -> None:
    """Time and peak memory against variants and prompt length: tables, and a plot."""
    measured = {
        (prompt, variants): measure_one(options, prompt, variants, n_ctx=5120)
        for prompt in PROMPTS
        for variants in VARIANTS
    }
    for i, title in enumerate(("seconds", "peak MB")):
        print(f"\n{title:>8}" + "".join(f"{n:>9}" for n in VARIANTS) + "  variants")
        for prompt in PROMPTS:
            cells = [measured[prompt, variants][i] for variants in VARIANTS]
            print(f"{prompt:>8}" + "".join(f"{cell:>9.{2 - 2 * i}f}" for cell in cells))
    plot({key: seconds for key, (seconds, _) in measured.items()}, options.growth)


def plot(seconds: dict[tuple[int, int], float], file: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    for prompt in PROMPTS:
        axes.plot(
            VARIANTS, [seconds[prompt, n] for n in VARIANTS], marker="o", label=f"{prompt} tokens"
        )
    axes.set(xscale="log", yscale="log", xlabel="variants", ylabel="seconds", xticks=VARIANTS)
    axes.set_xticklabels(map(str, VARIANTS))
    axes.grid(alpha=0.3)
    axes.legend(title="prompt")
    figure.savefig(file, dpi=120)


if __name__ == "__main__":
    sys.exit(main())
