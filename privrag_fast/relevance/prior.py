"""How probably an answer needs each attribute: a cross-encoder's guess, one pass a message.

It reads the message beside the passages and says, per attribute, what the counterfactual test
measures more exactly and at a hundred times the cost. See `weights/prior/MODEL_CARD.md`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from privrag_fast.onnx import Array, OnnxModel, load_tokenizer
from privrag_fast.relevance.marks import Marker
from privrag_fast.types import (
    Attribute,
    Entity,
    Hit,
    InputError,
    ModelError,
    Passage,
    passage_text,
)

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
CALIBRATION_FILE: Final = "calibration.json"

MOST: Final = 8.0
"""Nats that a value has to reach at most to be worth measuring: what needs more is withheld."""

MESSAGE, VALUE, PASSAGE, LOWER, SAME, HIGHER, NAMED = range(7)
"""Roles of tokens: the message, an attribute's value in it, a passage; in a passage also a number
below a value of its kind, the same, or above it, and words for a value (see `marks`)."""

_ROLE_OF: Final = {"lower": LOWER, "same": SAME, "higher": HIGHER, "named": NAMED}

Span = tuple[int, int]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float32]

# --------------------------------------------------------------------------- windows


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence for the model: `[CLS] message [SEP] passage [SEP] passage [SEP]`.

    Args:
        ids, roles: int64 [S].
        spans: float32 [A, S]: each row takes the mean over an attribute's tokens.
        rows: int64 [A]: which of the message's attributes they are.
    """

    ids: IntArray
    roles: IntArray
    spans: FloatArray
    rows: IntArray


class Packer:
    """Packs a message and its passages into as few windows as hold them.

    Args:
        tokenizer_path: A `tokenizer.json` with `[CLS]` and `[SEP]`.
        max_tokens: Longest window.
        max_message: Longest piece of the message in it; the rest is for passages.
    """

    def __init__(
        self, tokenizer_path: str | Path, *, max_tokens: int = 512, max_message: int = 384
    ) -> None:
        if not 0 < max_message < max_tokens - 2:
            raise InputError(
                f"max_message must be at least 1 and leave room in {max_tokens}, got {max_message}"
            )
        self._path, self._tokenizer = tokenizer_path, load_tokenizer(tokenizer_path)
        self._max_tokens, self._max_message = max_tokens, max_message
        self._first, self._last = (self._special(token) for token in ("[CLS]", "[SEP]"))

    def pack(
        self,
        message: str,
        attributes: Sequence[Attribute],
        passages: Sequence[Passage],
    ) -> list[Window]:
        """Every piece of the message beside every group of passages.

        Args:
            passages: Best first; one that is too long for a window is cut.
        """
        encoding = self._encode(message)
        ids = np.array(encoding.ids, np.int64)
        offsets = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        spans = [[(m.start, m.end) for m in own.mentions] for own in attributes]
        inside = np.array([_covered(offsets, own) for own in spans], np.bool_)
        inside = inside.reshape(len(attributes), len(ids))
        marker = Marker(message, attributes)
        texts = [self._read(passage_text(passage), marker) for passage in passages]
        return [
            self._window(ids[piece], inside[:, piece], group)
            for piece in self._pieces(len(ids))
            if inside[:, piece].any()
            for group in self._groups(texts, self._max_tokens - 2 - len(ids[piece]))
        ]

    def _special(self, token: str) -> int:
        number = self._tokenizer.token_to_id(token)
        if number is None:
            raise ModelError(f"{self._path}: the prior's tokenizer needs {token}, this has none")
        return int(number)

    def _encode(self, text: str) -> Any:
        readable = re.sub("[\ud800-\udfff]", "\ufffd", text)  # tokenizers take no lone surrogate
        return self._tokenizer.encode(readable, add_special_tokens=False)

    def _read(self, text: str, marker: Marker) -> IntArray:
        """int64 [2, T]: a passage's tokens and their roles."""
        encoding = self._encode(text)
        offsets = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        roles = np.full(len(offsets), PASSAGE, np.int64)
        for mark in marker.marks(text):
            roles[_covered(offsets, [(mark.start, mark.end)])] = _ROLE_OF[mark.role]
        return np.stack([np.array(encoding.ids, np.int64), roles])

    def _pieces(self, length: int) -> Iterator[slice]:
        """Slices of a message's tokens; the last overlaps the one before, so that it is full."""
        size = self._max_message
        for start in [*range(0, length - size, size), max(0, length - size)]:
            yield slice(start, start + size)

    def _groups(self, texts: Sequence[IntArray], room: int) -> list[list[IntArray]]:
        """Neighboring passages that fit beside a piece, each with its `[SEP]`."""
        end = np.array([[self._last], [PASSAGE]])
        groups: list[list[IntArray]] = [[]]
        used = 0
        for text in (np.hstack([own[:, : room - 1], end]) for own in texts):
            if used + text.shape[1] > room:
                groups.append([])
                used = 0
            groups[-1].append(text)
            used += text.shape[1]
        return groups

    def _window(
        self, piece: IntArray, inside: NDArray[np.bool_], group: Sequence[IntArray]
    ) -> Window:
        rows = np.flatnonzero(inside.any(axis=1))
        own = np.concatenate(([self._first], piece, [self._last])).astype(np.int64)
        ids, roles = np.hstack([[own, np.full(len(own), MESSAGE)], *group])
        spans = np.zeros((len(rows), len(ids)), np.float32)
        spans[:, 1 : 1 + len(piece)] = inside[rows]
        roles[spans.any(axis=0)] = VALUE
        return Window(ids, roles, spans / spans.sum(axis=1, keepdims=True), rows)


def _covered(offsets: IntArray, spans: Sequence[Span]) -> NDArray[np.bool_]:
    """bool [T]: the tokens that share a character with one of the spans."""
    covered = np.zeros(len(offsets), np.bool_)
    for start, end in spans:
        covered |= (offsets[:, 0] < end) & (offsets[:, 1] > start)
    return covered


# --------------------------------------------------------------------------- numbers


@dataclass(frozen=True, slots=True)
class Scale:
    """Logits to log-odds that can be believed (Platt, 1999)."""

    slope: float = 1.0
    intercept: float = 0.0


@dataclass(frozen=True, slots=True)
class Fusion:
    """Log-odds of need: `intercept + prior * logit(probability) + influence * log1p(nats)`.

    As it comes, the influence says nothing and the probability stays as it is.

    Args:
        settled: Added where the draft names a value and does not turn on it (`reasons.settled`).
        center: Log-odds of the guess at which a threshold of influence counts as it is.
    """

    intercept: float = 0.0
    prior: float = 1.0
    influence: float = 0.0
    settled: float = 0.0
    center: float = 0.0

    def fuse(self, probability: float, influence: float, *, settled: bool = False) -> float:
        """The probability once the counterfactual test has measured an influence, in nats."""
        nats = math.log1p(max(0.0, influence))
        guess = self.prior * logit(probability) + self.settled * settled
        return _sigmoid(self.intercept + guess + self.influence * nats)

    def shift(self, probability: float, *, settled: bool = False) -> float:
        """What a guess adds to log1p of an influence."""
        if self.influence <= 0:
            return 0.0
        guess = self.prior * (logit(probability) - self.center) + self.settled * settled
        return guess / self.influence

    def limit(self, threshold: float, probability: float, *, settled: bool = False) -> float:
        """The influence, in nats, that is as telling as the threshold is at the center.

        0 where the guess says enough by itself, infinite where nothing that can be expected of
        an influence would make up for it.
        """
        if self.influence <= 0 or math.isinf(threshold):
            return threshold
        return limit_of(threshold, self.shift(probability, settled=settled))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What `calibration.json` holds.

    Args:
        documents, alone: For messages beside passages, and for those without any.
        fusion: How the counterfactual influence changes the guess.
    """

    documents: Scale = Scale()
    alone: Scale = Scale()
    fusion: Fusion = Fusion()

    @classmethod
    def read(cls, path: Path) -> Calibration:
        """From a file.

        Raises:
            ModelError: It is missing or holds something else.
        """
        try:
            data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(Scale(**data["documents"]), Scale(**data["alone"]), Fusion(**data["fusion"]))
        except OSError:
            raise ModelError(f"{path}: no such file") from None
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: not the calibration of a prior ({error})") from error


def limit_of(threshold: float, shift: float) -> float:
    """See `Fusion.limit`."""
    wanted = math.log1p(max(0.0, threshold)) - shift
    if wanted <= 0:
        return 0.0
    return math.expm1(wanted) if wanted <= math.log1p(MOST) else math.inf


def logit(probability: float) -> float:
    """Log-odds; finite at 0 and 1 too."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(bounded) - math.log1p(-bounded)


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


# --------------------------------------------------------------------------- the prior


class Prior:
    """Guesses which attributes of a message an answer turns on; safe to call from several threads.

    Args:
        folder: Holds `model.onnx`, `tokenizer.json` and `calibration.json`.
        threads: See `OnnxModel`.

    Raises:
        ModelError: A file is missing, damaged, or of another kind of model.
    """

    def __init__(self, folder: str | Path, *, threads: int = 0) -> None:
        folder = Path(folder)
        self._calibration = Calibration.read(folder / CALIBRATION_FILE)
        self._packer = Packer(folder / TOKENIZER_FILE)
        self._model = OnnxModel(folder / MODEL_FILE, threads=threads)
        probe = Attribute("", "a", "", (Entity(0, 1, ""),))
        self._logits("a", [probe], [Passage("", "b")])  # a wrong model is found out here

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> list[float]:
        """Probability of each attribute that the answer needs it.

        Where all does not fit one window, the highest of several counts: one passage that asks for
        an attribute is enough. An attribute in which the tokenizer sees nothing gets 0.5.
        """
        scale = self._calibration.documents if hits else self._calibration.alone
        logits = self._logits(message, attributes, [hit.passage for hit in hits])
        return [
            _sigmoid(scale.slope * own + scale.intercept) if math.isfinite(own) else 0.5
            for own in map(float, logits)
        ]

    def shift(self, probability: float, *, settled: bool = False) -> float:
        """See `Fusion.shift`."""
        return self._calibration.fusion.shift(probability, settled=settled)

    def limit(self, threshold: float, probability: float, *, settled: bool = False) -> float:
        """See `Fusion.limit`."""
        return self._calibration.fusion.limit(threshold, probability, settled=settled)

    def fuse(self, probability: float, influence: float, *, settled: bool = False) -> float:
        """See `Fusion.fuse`."""
        return self._calibration.fusion.fuse(probability, influence, settled=settled)

    def _logits(
        self, message: str, attributes: Sequence[Attribute], passages: Sequence[Passage]
    ) -> FloatArray:
        """float32 [attributes], not calibrated; -inf where the tokenizer sees nothing."""
        best = np.full(len(attributes), -np.inf, np.float32)
        for window in self._packer.pack(message, attributes, passages):
            best[window.rows] = np.maximum(best[window.rows], self._run(window))
        return best

    def _run(self, window: Window) -> FloatArray:
        feeds: dict[str, Array] = {
            "input_ids": window.ids,
            "roles": window.roles,
            "spans": window.spans,
        }
        [logits, *_] = self._model.run(feeds)
        if logits.shape != (len(window.rows), 2) or not np.isfinite(logits).all():
            raise ModelError(
                f"{self._model.path}: a prior gives finite logits [{len(window.rows)}, 2] (needed, "
                f"consulted), this model gives {list(logits.shape)}"
            )
        return np.asarray(logits[:, 0], np.float32)
