"""The detector against other ways to run a GLiNER on a CPU, and against Presidio.

    make bench-detector
    make bench-detector ARGS="--checkpoint DIR"    rivals in torch with the very weights
    make bench-detector ARGS="--inside --checkpoint DIR"    what was tried inside the session

All take the same texts of 40 words and the same ten labels, in turns; ratios are of medians.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from detector_rivals import Checkpoint, FastGliner

from privrag_fast import models
from privrag_fast.detection.cascade import Cascade
from privrag_fast.detection.gliner import Gliner
from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.detection.patterns import Patterns
from privrag_fast.evaluation.bars import Bar, conclude, machine
from privrag_fast.training.gliner_data import MessageGenerator

LABELS = ("name", "age", "location", "occupation", "employer", "income", "health condition",
          "nationality", "marital status", "date")  # fmt: skip
WORDS = 40
TARGETS = {"torch": 3.5, "exporter": 2.0, "same_file": 1.3, "fast_gliner": 2.0, "presidio": 1.0}
SIZES = (5_000, 10_000, 20_000)
FILLER = """
The form is checked within ten days and sent back where a field was left empty. What was paid in
advance is set off against the next bill. Opening hours differ between branches and are posted at
the door. A copy is enough unless the original is asked for. Who moves has to say so within a
month. The fee covers one change a year and all replies by letter.
""".split()  # noqa: SIM905
NAMES = [f"{first} {last}" for first in ("Nora", "Peter", "Maria", "David", "Laura", "Thomas")
         for last in ("Lind", "Fischer", "Rossi", "Novak", "Keller")]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", type=Path, help="the torch weights behind the ONNX file")
    parser.add_argument("--fast-gliner", type=Path, metavar="PYTHON", help="where it is installed")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--inside", action="store_true", help="graphs instead of rivals")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    quiet()
    if options.part:
        print(json.dumps(PARTS[options.part](options)))
        return 0
    weights = "the very weights" if options.checkpoint else "untrained weights of that shape"
    print(f"{machine()}; {WORDS} words, {len(LABELS)} labels; rivals in torch with {weights}")
    bars: list[Bar] = []
    for threads in (1, 2):
        if options.inside:
            show(threads, part("inside", options, threads))
        else:
            bars += compared(threads, part("rivals", options, threads))
    return conclude([] if options.inside else [*bars, *long_bars(part("long", options, 1))])


def quiet() -> None:
    """The rivals have much to say."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")


def part(name: str, options: argparse.Namespace, threads: int) -> Any:
    """In a process of its own: threads are set once, and memory is that of one part."""
    command = [sys.executable, __file__, "--part", name, "--threads", str(threads)]
    command += ["--rounds", str(options.rounds)]
    for option in ("checkpoint", "fast_gliner"):
        if (value := getattr(options, option)) is not None:
            command += [f"--{option.replace('_', '-')}", str(value)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def folder() -> Path:
    return models.find("detector")["model.onnx"].parent


# --------------------------------------------------------------------------- rivals


def rivals(options: argparse.Namespace) -> dict[str, float]:
    """Median milliseconds of each way, and the share that ours spends outside onnxruntime."""
    pin(options.threads)
    ours = Gliner(folder(), labels=LABELS, threads=options.threads)
    session = Stopwatch(ours._model.run)
    ours._model.run = session  # type: ignore[method-assign]
    cascade = Cascade([Patterns(), Gliner(folder(), labels=LABELS, threads=options.threads)])
    with tempfile.TemporaryDirectory() as work:
        checkpoint = Checkpoint(folder(), options.checkpoint, threads=options.threads)
        exported = checkpoint.exported(Path(work))
        shutil.copy(folder() / "model.onnx", exported / "ours.onnx")
        whole = Stopwatch(lambda text: ours.detect([text]))
        ways = {
            "ours": whole.time,
            "cascade": timer(lambda text: cascade.detect([text])),
            "torch": timer(checkpoint.torch(LABELS)),
            "exporter": timer(checkpoint.onnx(exported, "model_quantized.onnx", LABELS)),
            "same_file": timer(checkpoint.onnx(exported, "ours.onnx", LABELS)),
        }
        if presidio := open_presidio():
            ways["presidio"] = timer(lambda text: presidio.detect([text]))
        fast = options.fast_gliner and FastGliner(options.fast_gliner, folder(), LABELS)
        if fast:
            ways["fast_gliner"] = fast.seconds
        times = in_turns(ways, options.rounds)
        if fast:
            fast.close()
    shares = [
        1 - inside / total
        for inside, total in zip(
            session.seconds[-options.rounds :], whole.seconds[-options.rounds :], strict=True
        )
    ]
    return {**times, "outside": statistics.median(shares)}


def open_presidio() -> Any:
    from privrag_fast.evaluation.detection import Presidio

    try:
        return Presidio()
    except ImportError:
        return None


class Stopwatch:
    """A function that remembers how long each of its calls took."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.seconds: list[float] = []

    def __call__(self, *arguments: Any) -> Any:
        start = time.perf_counter()
        result = self._function(*arguments)
        self.seconds.append(time.perf_counter() - start)
        return result

    def time(self, *arguments: Any) -> float:
        """Seconds of one call."""
        self(*arguments)
        return self.seconds[-1]


def timer(detect: Callable[[str], object]) -> Callable[[str], float]:
    return Stopwatch(detect).time


def in_turns(ways: Mapping[str, Callable[[str], float]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each, every round on another text that all get."""
    texts = list(messages(rounds + 1))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for text in texts:
        for name, seconds in ways.items():
            time.sleep(0.01)  # threads of the one before that still spin
            times[name].append(seconds(text))
    return {name: statistics.median(own[1:]) * 1e3 for name, own in times.items()}


def messages(count: int) -> Iterable[str]:
    """Generated messages, cut to `WORDS` words."""
    generator = MessageGenerator(0)
    while count:
        message = generator.message()
        if len(message.words) >= WORDS:
            count -= 1
            yield " ".join(message.words[:WORDS])


def pin(threads: int) -> None:
    """To as many CPUs as threads: some rivals take what they see."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def compared(threads: int, times: dict[str, float]) -> Iterable[Bar]:
    outside = times.pop("outside")
    show(threads, times)
    for rival, target in TARGETS.items():
        own = "cascade" if rival == "presidio" else "ours"
        if rival in times:
            name = f"x_{rival}_{threads}_threads"
            yield Bar(name, times[rival] / times[own], target, at_least=True)
        else:
            print(f"{rival} is not installed")
    yield Bar(f"outside_session_{threads}_threads", outside, 0.05)


def show(threads: int, times: Mapping[str, float]) -> None:
    for name, ms in times.items():
        print(f"{threads} threads  {name:<28} {ms:7.2f} ms")


# --------------------------------------------------------------------------- inside the session


def inside(options: argparse.Namespace) -> dict[str, float]:
    """The same weights as other graphs, and the default labels at once or in groups."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.optimizer import optimize_model

    pin(options.threads)
    checkpoint = Checkpoint(folder(), options.checkpoint, threads=options.threads)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        plain = checkpoint.exported(work) / "model.onnx"
        # Only this form of attention is one that the optimizer knows.
        checkpoint.model.model.token_rep_layer.bert_layer.model.set_attn_implementation("eager")
        eager = checkpoint.exported(work / "eager") / "model.onnx"
        fused = optimize_model(
            str(eager), model_type="bert", num_heads=12, hidden_size=384, opt_level=0
        )
        fused.save_model_to_file(str(eager))
        graphs = {"plain": onnx.load(plain), "fused": onnx.load(eager)}
        graphs |= {f"{name}, lean head": lean(model) for name, model in graphs.items()}
        ways = {}
        for title, model in graphs.items():
            target = work / title.replace(", ", "-")
            shutil.copytree(folder(), target)
            onnx.save(model, work / "graph.onnx")
            quantize_dynamic(
                work / "graph.onnx",
                target / "model.onnx",
                weight_type=QuantType.QInt8,
                per_channel=True,
                extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
            )
            own = Gliner(target, labels=LABELS, threads=options.threads)
            ways[title] = timer(lambda text, own=own: own.detect([text]))
        shipped = Gliner(folder(), labels=LABELS, threads=options.threads)
        ways["as shipped"] = timer(lambda text: shipped.detect([text]))
        for title, thorough in (("all labels at once", False), ("all labels, thorough", True)):
            own = Gliner(
                folder(), labels=DEFAULT_LABELS, thorough=thorough, threads=options.threads
            )
            ways[title] = timer(lambda text, own=own: own.detect([text]))
        return in_turns(ways, options.rounds)


def lean(model: Any) -> Any:
    import onnx

    from privrag_fast.training.span_head import rewrite_span_head

    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    assert rewrite_span_head(copy)
    return copy


# --------------------------------------------------------------------------- long texts


def long(options: argparse.Namespace) -> list[dict[str, float]]:
    """Seconds, share of the planted names that are found whole, and peak memory, by length."""
    pin(options.threads)
    detector = Cascade([Patterns(), Gliner(folder(), threads=options.threads)])
    rows = []
    for size in SIZES:
        text, planted = long_text(size)
        start = time.perf_counter()
        [entities] = detector.detect([text])
        seconds = time.perf_counter() - start
        spans = {(own.start, own.end) for own in entities if own.label == "PERSON"}
        rows.append(
            {
                "words": size,
                "seconds": seconds,
                "found": len(spans & planted) / len(planted),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    return rows


def long_text(size: int, *, seed: int = 0) -> tuple[str, set[tuple[int, int]]]:
    """Filler with a name in every two hundred words, and where the names are."""
    rng = random.Random(seed)
    pieces: list[str] = []
    planted: set[tuple[int, int]] = set()
    length = 0
    for i in range(size):
        if i % 200 == 100:
            lead, name = "Please ask ", rng.choice(NAMES)
            planted.add((length + len(lead), length + len(lead) + len(name)))
            pieces.append(f"{lead}{name} about it.")
        else:
            pieces.append(FILLER[i % len(FILLER)])
        length += len(pieces[-1]) + 1
    return " ".join(pieces), planted


def long_bars(rows: list[dict[str, float]]) -> Iterable[Bar]:
    for row in rows:
        print(
            f"{row['words']:,} words  {row['seconds']:.2f} s  planted names found "
            f"{row['found']:.0%}  peak memory {row['peak_mb']:.0f} MB"
        )
    first, last = rows[0], rows[-1]
    growth = last["seconds"] / first["seconds"] / (last["words"] / first["words"])
    yield Bar("long_time_per_word_growth", growth, 1.15)
    yield Bar("long_planted_found", min(row["found"] for row in rows), 1.0, at_least=True)
    yield Bar("long_memory_growth", last["peak_mb"] / first["peak_mb"], 1.1)


PARTS: dict[str, Callable[[argparse.Namespace], Any]] = {
    "rivals": rivals,
    "inside": inside,
    "long": long,
}

if __name__ == "__main__":
    sys.exit(main())
