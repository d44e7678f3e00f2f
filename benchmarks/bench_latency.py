"""What the layer costs: import, opening, memory, and each stage of a warm `minimize`.

    make bench-latency

The message is the demo's; its name is an identifier, so eight attributes are varied, with three
substitutes each.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from privrag_fast.evaluation.bars import Bar, conclude, machine

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    import_seconds = min(measure_import() for _ in range(5))

    from privrag_fast import PrivateRag
    from privrag_fast.assembly import Models, build_index

    sources = Models(threads=options.threads)
    folder = ROOT / "build" / "bench-index"
    build_index(ROOT / "examples/corpus", sources=sources).save(folder)
    open_seconds = []
    for _ in range(3):
        start = time.perf_counter()
        rag = PrivateRag.open(folder, sources=sources)
        open_seconds.append(time.perf_counter() - start)

    message = demo_message()
    cold = rag.minimize(message)
    rounds = [rag.minimize(message).receipt.timings for _ in range(options.rounds)]
    documents = sum(len(hit.passage.text.split()) for hit in cold.receipt.hits)
    varied = [d for d in cold.receipt.decisions if d.influence is not None]
    tried = [len(d.influence.substitutes) for d in varied if d.influence]

    print(f"{machine()}; {options.threads} threads; {options.rounds} rounds")
    print(f"{len(varied)} attributes varied, {sum(tried)} variants, {documents} words of documents")
    counts = rag.minimize(message).receipt.counts
    print(f"tokens of the scoring pass: {counts}")
    print(f"{'stage':<10}{'cold ms':>10}{'warm ms':>10}{'spread':>10}")
    for stage in cold.receipt.timings:
        own = [timings[stage] for timings in rounds]
        low, _, high = statistics.quantiles(own, n=4)
        print(
            f"{stage:<10}{cold.receipt.timings[stage]:>10.1f}"
            f"{statistics.median(own):>10.1f}{high - low:>10.1f}"
        )
    totals = [sum(timings.values()) for timings in rounds]
    print(
        f"{'all':<10}{sum(cold.receipt.timings.values()):>10.1f}{statistics.median(totals):>10.1f}"
    )
    unmeasured = PrivateRag.open(folder, sources=sources, measure=False)
    unmeasured.minimize(message)
    guesses = [
        sum(unmeasured.minimize(message).receipt.timings.values()) for _ in range(options.rounds)
    ]
    print(f"{'all, by the prior alone':<30}{statistics.median(guesses):.1f}")
    return conclude(
        [
            Bar("import_seconds", import_seconds, 0.3),
            Bar("open_seconds", statistics.median(open_seconds), 3.0),
            Bar("peak_memory_gb_of_ask", measure_ask_memory(message), 1.5),
        ]
    )


def demo_message() -> str:
    """The message that `make demo` asks."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    [message] = re.findall(r"^DEMO = (.*?[^\\])$", text, re.M | re.S)
    return re.sub(r"\s*\\\n\s*", " ", message)


def measure_import() -> float:
    code = (
        "import time; start = time.perf_counter(); import privrag_fast; "
        "from privrag_fast import PrivateRag; print(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def measure_ask_memory(message: str) -> float:
    """Gigabytes at the peak of `privrag-fast ask`, everything loaded."""
    code = (
        "import sys; from privrag_fast.cli import main; main(sys.argv[1:]); "
        "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1])"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "ask",
        message,
        "--corpus",
        str(ROOT / "examples/corpus"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1024 / 1e9


if __name__ == "__main__":
    sys.exit(main())
