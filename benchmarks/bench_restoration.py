"""Restoration: a long answer at once, and what it adds to each chunk of a stream.

make bench-restoration
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from privrag_fast.evaluation.bars import Bar, conclude, machine
from privrag_fast.privacy import StreamRestorer, Vault, restore, restore_json

LABELS = ("PERSON", "LOCATION", "BLOOD_TYPE", "DATE_OF_BIRTH", "INCOME")
SENTENCES = {
    "prose": r"Dear [PERSON_{n}], in Blood_Type_{n} (see [1] and \[location\_{n}\]) it is so. ",
    "all look-alikes": "[PERSON_{n}][PERSON_9999] DATE_OF_BIRTH_{n} {{PERSON [PERSO «Person_ _IN ",
    "Chinese": "您好，【PERSON_{n}】：您的INCOME_{n}已经确认，请在[location {n}]领取您的银行卡。",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--values", type=int, default=100, help="values of each type in the vault")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    vault = Vault()
    for label in LABELS:
        for number in range(options.values):
            vault.placeholder(label, f"value {number} of {label}")
    print(f"{machine()}; {len(vault)} values")
    at_once, per_chunk = [], []
    for name, sentence in SENTENCES.items():
        answer = megabyte(sentence, options.values)
        for way in (restore, restore_json):
            ms = median_ms(lambda way=way, text=answer: way(text, vault), options.rounds)
            print(f"{name:<16} {way.__name__:<13} 1 MB {ms:8.2f} ms")
            at_once.append(ms)
        chunks = list(pieces(answer[:100_000]))
        rounds = zip(*(stream_ms(chunks, vault) for _ in range(options.rounds)), strict=True)
        # By its median over the rounds: the machine has other work too.
        slowest = max(map(statistics.median, rounds))
        print(f"{name:<16} slowest chunk      {slowest:8.4f} ms")
        per_chunk.append(slowest)
    return conclude(
        [
            Bar("restore_1mb_ms", max(at_once), 20),
            Bar("restore_chunk_ms", max(per_chunk), 1),
        ]
    )


def megabyte(sentence: str, values: int) -> str:
    """A million characters."""
    block = "".join(sentence.replace("{n}", str(number + 1)) for number in range(values))
    return (block * (1_000_000 // len(block) + 1))[:1_000_000]


def pieces(text: str) -> Iterator[str]:
    """Of the length of tokens."""
    return (text[at : at + 4] for at in range(0, len(text), 4))


def median_ms(call: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def stream_ms(chunks: list[str], vault: Vault) -> list[float]:
    """Milliseconds of each chunk."""
    restorer = StreamRestorer(vault)
    times = []
    for chunk in chunks:
        start = time.perf_counter()
        restorer.feed(chunk)
        times.append((time.perf_counter() - start) * 1e3)
    return times


if __name__ == "__main__":
    sys.exit(main())
