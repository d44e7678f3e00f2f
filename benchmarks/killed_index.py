"""An index whose writer is killed at random moments of adding and saving.

The writer is a process of its own: it opens the index, adds a passage, saves, and notes on its
standard output how many passages are committed. SIGKILL ends it; what is left must open, hold all
that was noted, and at most the one passage that was being saved.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privrag_fast.retrieval import Index, IndexOptions
from privrag_fast.types import Passage

GRAPH = IndexOptions(exact_below=0)


class HashEmbedder:
    """A direction for each text; no model, so that saving is what takes the time."""

    dim = 384
    digest = "hash"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(list(text.encode())).normal(size=self.dim) for text in texts]
        vectors = np.asarray(rows, np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found after one kill: passages that were noted as committed, and that are there."""

    committed: int
    found: int

    @property
    def lossless(self) -> bool:
        """All that was committed, and nothing that was not at least begun."""
        return self.committed <= self.found <= self.committed + 1


def passage(number: int) -> Passage:
    return Passage(f"p{number}", f"passage {number}")


def kill_and_open(folder: Path, *, seed: int) -> Outcome:
    """Starts a writer on the index in `folder`, kills it, and opens what is left.

    Raises:
        CorpusError: It does not open.
    """
    before = len(Index.open(folder, HashEmbedder()))
    with subprocess.Popen(
        [sys.executable, __file__, str(folder)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()  # it is about to write
        time.sleep(random.Random(seed).uniform(0, 0.15))
        writer.kill()
        noted = writer.stdout.read().split("\n")[:-1]
    index = Index.open(folder, HashEmbedder())
    for number in range(max(0, len(index) - 3), len(index)):
        [hit] = index.search(passage(number).text, 1)
        assert hit.passage == passage(number)
    return Outcome(committed=int(noted[-1]) if noted else before, found=len(index))


def start(folder: Path) -> None:
    """An index for the first writer."""
    Index.build(map(passage, range(100)), HashEmbedder(), options=GRAPH).save(folder)


def write(folder: Path) -> None:
    """Adds and saves without an end."""
    index = Index.open(folder, HashEmbedder())
    print("ready", flush=True)
    while True:
        index.add([passage(len(index))])
        index.save(folder)
        print(len(index), flush=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
