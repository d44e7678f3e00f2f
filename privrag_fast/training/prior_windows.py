"""Windows with labels, in a file: what passes between the prior's data and its training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from privrag_fast.relevance.prior import Window


@dataclass(frozen=True, slots=True)
class Example:
    """A window to learn from.

    Args:
        labels: int8 [A, 2]: needed, consulted; -1 where it is not known.
    """

    window: Window
    labels: npt.NDArray[np.int8]


def save_examples(path: Path, examples: Sequence[Example]) -> None:
    """Writes examples to one .npz file."""
    windows = [example.window for example in examples]
    np.savez_compressed(
        path,
        sizes=np.array([w.spans.shape for w in windows], np.int32).reshape(-1, 2),
        ids=np.concatenate([w.ids for w in windows]).astype(np.uint16),
        roles=np.concatenate([w.roles for w in windows]).astype(np.uint8),
        spans=np.concatenate([w.spans.ravel() > 0 for w in windows]),
        labels=np.concatenate([example.labels for example in examples]),
    )


def load_examples(path: Path) -> list[Example]:
    """Reads what `save_examples` wrote."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    rows, tokens = arrays["sizes"].astype(np.int64).T
    ids = np.split(arrays["ids"].astype(np.int64), np.cumsum(tokens)[:-1])
    roles = np.split(arrays["roles"].astype(np.int64), np.cumsum(tokens)[:-1])
    spans = np.split(arrays["spans"], np.cumsum(rows * tokens)[:-1])
    labels = np.split(arrays["labels"], np.cumsum(rows)[:-1])
    return [_example(*parts) for parts in zip(ids, roles, spans, labels, strict=True)]


def _example(
    ids: npt.NDArray[np.int64],
    roles: npt.NDArray[np.int64],
    inside: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.int8],
) -> Example:
    spans = inside.reshape(len(labels), len(ids)).astype(np.float32)
    spans /= spans.sum(axis=1, keepdims=True)
    return Example(Window(ids, roles, spans, np.arange(len(labels))), labels)
