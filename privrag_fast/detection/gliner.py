"""GLiNER: entities of any type, named at run time (Zaratiana et al., NAACL 2024).

Runs the ONNX export that the `gliner` library writes for its span models:

    input_ids, attention_mask, words_mask: int64 [batch, tokens]
    text_lengths: int64 [batch, 1]
    span_idx: int64 [batch, words * max_width, 2]; span_mask: bool [batch, words * max_width]
    -> logits: float32 [batch, words, max_width, labels]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from privrag_fast.detection.gliner_config import (
    GlinerConfig,
    Thresholds,
    read_config,
    read_thresholds,
)
from privrag_fast.detection.inputs import checked_texts
from privrag_fast.detection.labels import Labels, LabelSpec, normalize_labels
from privrag_fast.detection.tokens import WordTokens
from privrag_fast.detection.windows import Logits, Window, merge_windows, plan_windows
from privrag_fast.native import decode_spans, span_inputs
from privrag_fast.onnx import CPU, OnnxModel, load_tokenizer
from privrag_fast.types import DetectionError, Entity, InputError, ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = NDArray[np.int64]

# As `span_inputs` gives them.
INPUTS = (
    "input_ids",
    "attention_mask",
    "words_mask",
    "text_lengths",
    "span_idx",
    "span_mask",
)
# Labels asked in one pass: more compete for the model's attention and scores sink.
_LABELS_A_PASS = 26
_LABELS_A_THOROUGH_PASS = 10
# A word is known by its first token; the rest is context, and a pasted key has hundreds.
_MAX_TOKENS_A_WORD = 64
# Tokenizers take quadratic time in the length of a word.
_MAX_CHARACTERS_A_WORD = 256
_TOKENIZER_CURE = "take the file that was saved with the GLiNER"
_KEPT_LABELS = 64
_WARM_UP = "word"
_JOBS_AT_ONCE = 64
# On a CPU one row at a time is as fast, and what int8 finds in a text then hangs on it alone: rows
# of a batch share the scale of their activations.
_BATCH_ROWS_CPU = 1
_BATCH_ROWS = 16
_BATCH_TOKENS = 1024  # the span head keeps some hundred kilobytes a word


class Gliner:
    """Finds entities of the given labels.

    Args:
        folder: Holds `gliner_config.json`, `tokenizer.json`, `model.onnx` (or, as hubs have it,
            `onnx/model.onnx`) and, optionally, `thresholds.json`:
            `{"default": 0.4, "labels": {"date": 0.6}}`.
        labels: What to look for; None means `DEFAULT_LABELS`.
        threshold: Least probability for every label, or `Thresholds` that know labels apart; None
            takes the folder's.
        thorough: Halves the thresholds of labels and asks for fewer labels a pass: slower, finds
            more, and takes more for sensitive that is not.
        providers: onnxruntime execution providers, best first.
        threads: Threads within an operator; 0 lets onnxruntime choose.

    Opening runs the model once: the first message is as fast as the next, and files that do not
    belong together are noticed.

    Raises:
        InputError: Labels that cannot be used, or too long for the model.
        ModelError: A file is missing or damaged, the files are of several models, or the model is
            of another family.

    >>> Gliner("weights/detector").detect(["I am Nora."])  # doctest: +SKIP
    [[Entity(start=5, end=9, label='PERSON', score=0.97, source='gliner')]]
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        labels: LabelSpec | None = None,
        threshold: float | Thresholds | None = None,
        thorough: bool = False,
        providers: Sequence[str] = (CPU,),
        threads: int = 0,
    ) -> None:
        folder = Path(folder)
        self._config = read_config(folder)
        own = normalize_labels(labels)
        self._labels_a_pass = _LABELS_A_THOROUGH_PASS if thorough else _LABELS_A_PASS
        self._thresholds = _thresholds(folder, threshold, thorough=thorough)
        self._tokenizer = _open_tokenizer(folder, self._config)
        self._tokens = WordTokens(self._tokenizer, max_characters=_MAX_CHARACTERS_A_WORD)
        self._model = OnnxModel(_graph(folder), providers=providers, threads=threads)
        _check_inputs(self._model)
        self._batch_rows = _BATCH_ROWS_CPU if tuple(providers) == (CPU,) else _BATCH_ROWS
        self._kept = lru_cache(maxsize=_KEPT_LABELS)(self._ask)
        self._own = self._asked(own)
        self.detect([_WARM_UP])

    def detect(
        self,
        texts: Sequence[str],
        *,
        labels: LabelSpec | Sequence[LabelSpec] | None = None,
    ) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start.

        Args:
            texts: Of any length; long ones are read in overlapping windows.
            labels: What to look for in this call: one set for all texts, or one for each.

        Raises:
            InputError: Labels that cannot be used, or too long for the model.
            DetectionError: The model gave scores that are no numbers.
        """
        texts = checked_texts(texts)
        documents = [
            self._prepare(text, asked)
            for text, asked in zip(texts, self._all_asked(texts, labels), strict=True)
        ]
        jobs = [job for document in documents for job in document.jobs]
        scores = self._score(jobs)
        return [self._decode(document, scores) for document in documents]

    def _all_asked(
        self, texts: Sequence[str], labels: LabelSpec | Sequence[LabelSpec] | None
    ) -> list[_Asked]:
        if labels is None:
            return [self._own] * len(texts)
        if _is_one_set(labels):
            return [self._asked(normalize_labels(labels))] * len(texts)
        if len(labels) != len(texts):
            raise InputError(f"labels for {len(labels)} texts, but {len(texts)} texts")
        return [self._asked(normalize_labels(each)) for each in labels]

    def _asked(self, labels: Labels) -> _Asked:
        return self._kept(tuple(labels.items()))

    def _prepare(self, text: str, asked: _Asked) -> _Document:
        words = self._tokenize(text, max_tokens=min(_MAX_TOKENS_A_WORD, asked.room // 4))
        windows = self._windows(words, asked.room)
        jobs = [_Job(prompt, *own) for own in words.cut(windows) for prompt in asked.prompts]
        return _Document(asked, words.spans, windows, jobs)

    def _windows(self, words: _Words, room: int) -> list[Window]:
        if 0 < len(words.counts) <= self._config.max_words and len(words.ids) <= room:
            return [(0, len(words.counts))]
        return plan_windows(
            words.counts.tolist(),
            max_words=self._config.max_words,
            max_tokens=room,
            overlap=2 * self._config.max_width,
        )

    def _ask(self, labels: tuple[tuple[str, str], ...]) -> _Asked:
        strings = [string for _, string in labels]
        limit = self._labels_a_pass
        while True:
            prompts = [self._prompt(group) for group in _groups(strings, limit)]
            room = self._config.max_tokens - max(prompt.length for prompt in prompts)
            if room >= 2 * self._config.max_width:
                break
            if limit == 1:
                raise InputError(
                    f"a label leaves {room} of {self._config.max_tokens} tokens for text: "
                    "use a shorter label string"
                )
            limit = (limit + 1) // 2
        names = tuple(name for name, _ in labels)
        thresholds = np.array([self._thresholds.of(string) for string in strings], np.float32)
        return _Asked(names, prompts, room, thresholds, _logits(thresholds))

    def _prompt(self, group: tuple[str, ...]) -> _Prompt:
        pieces = [piece for label in group for piece in (self._config.ent_token, label)]
        pieces.append(self._config.sep_token)
        encode = partial(self._tokenizer.encode, pieces, is_pretokenized=True)
        plain = encode(add_special_tokens=False)
        if plain.tokens.count(self._config.ent_token) != len(group):
            raise InputError(f"a label must not hold {self._config.ent_token}")
        # The text goes in before the special tokens that close the sequence.
        full = encode(add_special_tokens=True)
        lead = next(i for i, _ in enumerate(full.ids) if full.ids[i:][: len(plain)] == plain.ids)
        cut = lead + len(plain)
        return _Prompt(group, _as_ids(full.ids[:cut]), _as_ids(full.ids[cut:]))

    def _tokenize(self, text: str, *, max_tokens: int) -> _Words:
        spans, ids, counts = self._tokens.split(text)
        if len(counts) and counts.max() > max_tokens:
            places = np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)
            ids, counts = ids[places < max_tokens], np.minimum(counts, max_tokens)
        return _Words(spans, ids, counts)

    def _score(self, jobs: Sequence[_Job]) -> Iterator[Logits]:
        """Logits of each job, in the given order; a long text's are never all in memory."""
        if self._batch_rows == 1:
            for job in jobs:
                yield self._run([job])[0]
            return
        for first in range(0, len(jobs), _JOBS_AT_ONCE):
            chunk = jobs[first : first + _JOBS_AT_ONCE]
            scores: dict[int, Logits] = {}
            for batch in _batches(chunk, self._batch_rows):
                logits = self._run([chunk[i] for i in batch])
                for row, i in enumerate(batch):
                    scores[i] = logits[row, : len(chunk[i].counts)].copy()  # without the padding
            for i in range(len(chunk)):
                yield scores.pop(i)

    def _run(self, jobs: Sequence[_Job]) -> Logits:
        rows = [(job.prompt.head, job.ids, job.counts, job.prompt.tail) for job in jobs]
        feeds = span_inputs(rows, self._config.max_width)
        logits: Logits = self._model.run(dict(zip(INPUTS, feeds, strict=True)))[0]
        words = max(len(job.counts) for job in jobs)
        wanted = (len(jobs), words, self._config.max_width, len(jobs[0].prompt.labels))
        if logits.shape != wanted:
            raise ModelError(
                f"{self._model.path}: logits must be [batch, words, max_width, labels] "
                f"{wanted}, got {logits.shape}; is gliner_config.json of this model?"
            )
        return logits.astype(np.float32, copy=False)

    def _decode(self, document: _Document, scores: Iterator[Logits]) -> list[Entity]:
        asked, words = document.asked, document.words
        parts = ((window, self._joined(asked, scores)) for window in document.windows)
        entities = []
        for first, grid in merge_windows(parts, len(words), asked.cuts):
            try:
                spans, probabilities = decode_spans(np.ascontiguousarray(grid), asked.thresholds)
            except FloatingPointError:
                raise DetectionError(
                    f"{self._model.path}: the model gave NaN; try the float32 export"
                ) from None
            entities += [
                Entity(
                    int(words[first + start, 0]),
                    int(words[first + end, 1]),
                    asked.names[kind],
                    score,
                )
                for (start, end, kind), score in zip(
                    spans.tolist(), probabilities.tolist(), strict=True
                )
            ]
        return entities

    @staticmethod
    def _joined(asked: _Asked, scores: Iterator[Logits]) -> Logits:
        """A window's scores under all prompts."""
        parts = [next(scores) for _ in asked.prompts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)


def _logits(thresholds: NDArray[np.float32]) -> NDArray[np.float32]:
    """A little below, so that rounding lets no span slip through."""
    with np.errstate(divide="ignore"):
        cuts: NDArray[np.float32] = np.log(thresholds / (1 - thresholds)) - np.float32(1e-3)
    return cuts


@dataclass(frozen=True, slots=True)
class _Prompt:
    """`head`: special tokens, labels, separator. `tail`: what closes the sequence."""

    labels: tuple[str, ...]
    head: Ids
    tail: Ids

    @property
    def length(self) -> int:
        return len(self.head) + len(self.tail)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Labels as the model is asked for them.

    Args:
        prompts: One a pass.
        room: Tokens that the longest of them leaves for text.
        thresholds, cuts: float32 [labels], as probabilities, and as logits a little below.
    """

    names: tuple[str, ...]
    prompts: list[_Prompt]
    room: int
    thresholds: NDArray[np.float32]
    cuts: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Words:
    """The words that the model sees: code points [start, end), tokens, and of each how many."""

    spans: Ids
    ids: Ids
    counts: Ids

    def cut(self, windows: Sequence[Window]) -> Iterator[tuple[Ids, Ids]]:
        """Of each window's words the ids and the counts."""
        if len(windows) == 1:
            yield self.ids, self.counts
            return
        ends = np.cumsum(self.counts)
        for start, end in windows:
            first = ends[start] - self.counts[start]
            yield self.ids[first : ends[end - 1]], self.counts[start:end]


@dataclass(frozen=True, slots=True)
class _Job:
    """One window under one prompt: one row of a batch."""

    prompt: _Prompt
    ids: Ids
    counts: Ids

    @property
    def length(self) -> int:
        """In tokens."""
        return self.prompt.length + len(self.ids)


@dataclass(frozen=True, slots=True)
class _Document:
    """A text cut into jobs: for each window, one job a prompt."""

    asked: _Asked
    words: Ids  # code points [start, end) of each
    windows: list[Window]
    jobs: list[_Job]


def _is_one_set(labels: LabelSpec | Sequence[LabelSpec]) -> TypeGuard[LabelSpec]:
    return isinstance(labels, Mapping) or all(isinstance(label, str) for label in labels)


def _groups(strings: Sequence[str], limit: int) -> list[tuple[str, ...]]:
    """Label strings in groups of at most `limit`, of nearly equal size."""
    count = -(-len(strings) // limit)
    bounds = [i * len(strings) // count for i in range(count + 1)]
    return [tuple(strings[a:b]) for a, b in itertools.pairwise(bounds)]


def _batches(jobs: Sequence[_Job], rows: int) -> Iterator[list[int]]:
    """Job numbers, batch by batch: the same labels, and little padding."""
    lengths = [job.length for job in jobs]
    order = sorted(range(len(jobs)), key=lambda i: (jobs[i].prompt.labels, lengths[i], i))
    batch: list[int] = []
    for i in order:
        # Sorted: job i is the longest of the batch that it joins.
        full = (len(batch) + 1) * lengths[i] > _BATCH_TOKENS or len(batch) == rows
        if batch and (full or jobs[i].prompt.labels != jobs[batch[0]].prompt.labels):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _as_ids(ids: Any) -> Ids:
    return np.asarray(ids, np.int64)


def _thresholds(
    folder: Path, threshold: float | Thresholds | None, *, thorough: bool
) -> Thresholds:
    """The caller's, or those of the folder; one number for all labels is never lowered."""
    if isinstance(threshold, int | float):
        return Thresholds(threshold)
    by_label = read_thresholds(folder) if threshold is None else threshold
    return by_label.lowered() if thorough else by_label


def _open_tokenizer(folder: Path, config: GlinerConfig) -> Tokenizer:
    path = folder / "tokenizer.json"
    tokenizer = load_tokenizer(path)
    for token in (config.ent_token, config.sep_token):
        if tokenizer.token_to_id(token) is None:
            raise ModelError(f"{path}: lacks {token}; {_TOKENIZER_CURE}")
    found = tokenizer.token_to_id(config.ent_token)
    if config.ent_token_id is not None and found != config.ent_token_id:
        raise ModelError(
            f"{path}: {config.ent_token} is {found}, but gliner_config.json says "
            f"{config.ent_token_id}; {_TOKENIZER_CURE}"
        )
    return tokenizer


def _graph(folder: Path) -> Path:
    """Hubs keep it in a folder of its own."""
    path = folder / "model.onnx"
    nested = folder / "onnx" / "model.onnx"
    return nested if nested.is_file() and not path.is_file() else path


def _check_inputs(model: OnnxModel) -> None:
    names = set(model.input_names)
    if "span_idx" not in names or not names <= set(INPUTS):
        raise ModelError(
            f"{model.path}: not an export of a span-mode GLiNER; its inputs are "
            f"{', '.join(model.input_names)}"
        )
