"""A GGUF language model: chat prompts, drafts and scores of many variants in one pass.

The only module beside `native` that knows llama_cpp.
"""

from __future__ import annotations

import codecs
import contextlib
import ctypes
import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
from llama_cpp.llama_chat_format import Jinja2ChatFormatter
from numpy.typing import NDArray

from privrag_fast import native
from privrag_fast.models import sha256_of
from privrag_fast.types import (
    ChatMessage,
    ContextError,
    InputError,
    ModelError,
    ScoreCounts,
    ScoringError,
)

ADAPTER_KEY = "privrag.adapter"
"""Metadata of a GGUF file into which an adapter was merged: the adapter's digest."""

_log = logging.getLogger(__name__)

_FTYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "BF16": 32}
_ZERO_WIDTH_SPACE = "\u200b"
_LEAST = {
    "n_ctx": 1, "n_batch": 1, "n_seq_max": 1, "n_outputs": 1, "n_trunks": 0, "trunk_cells": 0,
    "n_threads": 0, "n_gpu_layers": -1,
}  # fmt: skip
_MOST_SEQUENCES = llama_cpp.llama_max_parallel_sequences()


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """How a model runs.

    Args:
        n_ctx: Cells of the KV cache, shared by all variants alive at once.
        n_batch: Tokens per decode.
        n_seq_max: Variants alive at once; with `n_trunks` at most 256.
        n_outputs: Rows of logits alive at once, of 4 x vocabulary bytes each.
        n_trunks: Paths of earlier calls that stay cached, the least recently used making way.
        trunk_cells: Cells that they may hold together; 0 for half of `n_ctx`.
        n_threads: 0 for as many as the machine has cores.
        n_gpu_layers: Layers on the GPU, -1 for all; needs a llama-cpp-python built for it.
        flash_attention: Faster and smaller; rounds differently.
        kv_float32: Keeps keys and values in F32 instead of F16: twice the memory, and faster
            where a prompt is long. None for F32 on the CPU and F16 on a GPU.
    """

    n_ctx: int = 4096
    n_batch: int = 512
    n_seq_max: int = 64
    n_outputs: int = 256
    n_trunks: int = 4
    trunk_cells: int = 0
    n_threads: int = 0
    n_gpu_layers: int = 0
    flash_attention: bool = True
    kv_float32: bool | None = None

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise InputError(f"{name} must be {least} or more, got {getattr(self, name)}")
        if (together := self.n_seq_max + self.n_trunks) > _MOST_SEQUENCES:
            raise InputError(
                f"n_seq_max and n_trunks must be at most {_MOST_SEQUENCES} together, got {together}"
            )

    def native(self) -> dict[str, Any]:
        """What `native.TreeScorer` takes."""
        on_cpu = self.n_gpu_layers == 0
        return asdict(self) | {"kv_float32": on_cpu if self.kv_float32 is None else self.kv_float32}


@dataclass(frozen=True, slots=True)
class VariantScores:
    """Log-likelihood of one continuation after each of several prompts.

    Args:
        log_likelihood: float64 [prompts], nats, summed over the continuation's tokens.
        log_probs: float32 [tokens] of each prompt's continuation.
        counts: Tokens asked for, unique, evaluated, reused.
    """

    log_likelihood: NDArray[np.float64]
    log_probs: tuple[NDArray[np.float32], ...]
    counts: ScoreCounts


class LanguageModel:
    """A chat model in a GGUF file. May be used from several threads; one call runs at a time."""

    def __init__(self, path: str | Path, *, options: LlamaOptions = LlamaOptions()) -> None:
        """Loads the file.

        Raises:
            ModelError: It is missing, or llama.cpp cannot load it.
        """
        path = Path(path)
        if not path.is_file():
            raise ModelError(f"{path} is not a file: give the path of a GGUF model")
        if options.n_gpu_layers != 0 and not llama_cpp.llama_supports_gpu_offload():
            raise InputError(
                "n_gpu_layers needs a llama-cpp-python built for a GPU: reinstall it with "
                "CMAKE_ARGS=-DGGML_CUDA=on, then reinstall privrag_fast"
            )
        try:
            self._scorer = native.TreeScorer(str(path), **options.native())
        except native.LlamaError as error:
            raise ModelError(f"{path}: {error}") from error
        self._path, self._options = path, options
        self._adapter = self._scorer.metadata(ADAPTER_KEY) or ""
        if not self._scorer.shares_cells:
            _log.warning(
                "%s: the model's memory is recurrent; variants are evaluated one by one", path.name
            )
        special = self._scorer.special_tokens()
        self._bos = self._piece(special["bos"]) if special["bos"] >= 0 else ""
        self._adds_bos = special["adds_bos"]
        eos = self._piece(special["eos"]) if special["eos"] >= 0 else ""
        template = self._scorer.chat_template()
        self._formatter = template and Jinja2ChatFormatter(template, eos, self._bos)
        control = sorted(filter(None, map(self._piece, special["control"])), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, control)) or r"(?!)")

    @property
    def n_ctx(self) -> int:
        """Tokens that a prompt and its continuation may have together."""
        return self._scorer.n_ctx

    @property
    def adapter(self) -> str:
        """SHA-256 of the adapter that `privrag_fast.lora` merged into the file; "" without one."""
        return self._adapter

    def close(self) -> None:
        """Frees the model once the running call is over."""
        self._scorer.close()

    def render(self, messages: Sequence[ChatMessage]) -> str:
        """The prompt in the model's own chat template, ready for its answer.

        Text that spells one of the model's control tokens is broken up by a zero-width space:
        nobody ends a turn by typing it.
        """
        turns = [{"role": m.role, "content": self._defuse(m.content)} for m in messages]
        if not self._formatter:
            return "\n\n".join(turn["content"] for turn in turns) + "\n\nAnswer:"
        return str(self._formatter(messages=turns).prompt)

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return len(self._scorer.tokenize(_utf8(text)))

    def draft(
        self,
        prompt: str,
        *,
        max_tokens: int = 64,
        until: str = "",
        on_text: Callable[[str], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> str:
        """The model's own answer, greedy; the prompt's tokens stay cached for `score`.

        Args:
            until: The answer ends before this text; "" to let the model end it.
            on_text: Gets each piece as soon as it is whole characters.

        Raises:
            ContextError: Prompt and `max_tokens` exceed `n_ctx`.
        """
        tokens = self._tokenize(prompt)
        pieces = codecs.getincrementaldecoder("utf-8")("replace")
        text = ""

        def take(token: int) -> bool:
            nonlocal text
            piece = pieces.decode(self._scorer.piece(token))
            text += piece
            if on_text is not None and piece:
                on_text(piece)
            return bool(until) and until in text

        with _translated():
            self._scorer.draft(tokens, max_tokens, on_token=take, should_stop=should_stop)
        text += pieces.decode(b"", final=True)
        return (text.partition(until)[0] if until else text).strip()

    def score(
        self,
        prompts: Sequence[str],
        continuation: str,
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        """How likely `continuation` is after each prompt, all in one batched pass.

        Put the original first: its path stays cached for the next call. Prompt and continuation
        are tokenized together, then split, as lm-evaluation-harness does.

        Raises:
            ContextError: One prompt and the continuation exceed `n_ctx`.
        """
        pairs = [(prompt, continuation) for prompt in prompts]
        return self.score_pairs(pairs, should_stop=should_stop)

    def rank(
        self,
        prompt: str,
        continuations: Sequence[str],
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        """How likely each of several continuations is after one prompt.

        Raises:
            ContextError: The prompt and one continuation exceed `n_ctx`.
        """
        pairs = [(prompt, continuation) for continuation in continuations]
        return self.score_pairs(pairs, should_stop=should_stop)

    def score_pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        """How likely each continuation is after its own prompt; `score` and `rank` are made of it.

        Raises:
            ContextError: One prompt and its continuation exceed `n_ctx`.
        """
        sequences = [self._tokenize(prompt + continuation) for prompt, continuation in pairs]
        prompt_lengths = self._prompt_lengths(pairs, sequences)
        offsets = np.concatenate([[0], np.cumsum([len(s) for s in sequences])]).astype(np.int64)
        tokens = np.concatenate([*sequences, np.empty(0, np.int32)], dtype=np.int32)
        with _translated():
            scores = self._scorer.score(
                tokens, offsets, np.array(prompt_lengths, np.int32), should_stop=should_stop
            )
        return VariantScores(
            log_likelihood=scores["sums"],
            log_probs=tuple(scores["log_probs"][a:b] for a, b in pairwise(scores["offsets"])),
            counts=ScoreCounts(
                scores["asked"], scores["unique"], scores["evaluated"], scores["reused"]
            ),
        )

    def next_log_probs(
        self,
        prompt: str,
        continuation: str,
        *,
        most: int,
        should_stop: Callable[[], bool] | None = None,
    ) -> NDArray[np.float32]:
        """What may stand where the first tokens of `continuation` do: float32 [tokens, vocabulary].

        Args:
            most: Tokens of the continuation, at least 1.

        Returns:
            Log-probabilities, nats; a row for each token, `most` or as many as there are.

        Raises:
            ContextError: The prompt and those tokens exceed `n_ctx`.
        """
        tokens = self._tokenize(prompt + continuation)
        [length] = self._prompt_lengths([(prompt, continuation)], [tokens])
        count = min(most, len(tokens) - length)
        with _translated():
            return self._scorer.next_log_probs(
                tokens[: length + count - 1], count, should_stop=should_stop
            )

    def save_prefix(self, text: str, file: str | Path) -> None:
        """Writes the cache of a prompt's beginning, for documents that never change.

        Beside the state stands `FILE.json`: what it was made by, and its SHA-256.
        """
        file = Path(file)
        with _translated():
            self._scorer.save_trunk(str(file), self._tokenize(text))
        note = {**self._fingerprint(), "state": sha256_of(file)}
        file.with_name(f"{file.name}.json").write_text(json.dumps(note, indent=2), encoding="utf-8")

    def load_prefix(self, file: str | Path) -> None:
        """Puts a saved beginning into the cache: prompts that start with it cost less.

        Raises:
            ModelError: It is missing, damaged, or was made by another model, version or option.
        """
        file = Path(file)
        try:
            note = json.loads(file.with_name(f"{file.name}.json").read_text(encoding="utf-8"))
            found = sha256_of(file)
        except (OSError, ValueError):
            raise ModelError(f"{file} or {file.name}.json cannot be read: save it again") from None
        for key, wanted in {**self._fingerprint(), "state": found}.items():
            if note.get(key) != wanted:
                raise ModelError(
                    f"{file} does not fit: its {key} is {note.get(key)}, expected {wanted}; "
                    "save it again"
                )
        with _translated():
            self._scorer.load_trunk(str(file))

    def _fingerprint(self) -> dict[str, object]:
        """What a saved cache depends on."""
        return {
            "format": 1,
            "model": sha256_of(self._path),
            "llama-cpp-python": native.LLAMA_CPP_PYTHON_VERSION,
            "flash_attention": self._options.flash_attention,
            "kv_float32": self._options.native()["kv_float32"],
        }

    def _prompt_lengths(
        self, pairs: Sequence[tuple[str, str]], sequences: Sequence[NDArray[np.int32]]
    ) -> list[int]:
        """Where each continuation begins; the same one is split alike after prompts that end
        alike."""
        lengths: list[int] = []
        tails: dict[str, NDArray[np.int32]] = {}
        for (prompt, continuation), sequence in zip(pairs, sequences, strict=True):
            tail = tails.get(continuation)
            if tail is None or not np.array_equal(sequence[-len(tail) :], tail):
                length = _shared(self._tokenize(prompt), sequence)
                if length == 0:
                    raise InputError("a prompt needs at least one token")
                # One token of the prompt more: what precedes decides how the rest is cut.
                tail = tails[continuation] = sequence[length - 1 :]
            lengths.append(len(sequence) - len(tail) + 1)
        return lengths

    def _tokenize(self, text: str) -> NDArray[np.int32]:
        add_bos = self._adds_bos and not (self._bos and text.startswith(self._bos))
        return self._scorer.tokenize(_utf8(text), add_special=add_bos, parse_special=True)

    def _piece(self, token: int) -> str:
        return self._scorer.piece(token, special=True).decode("utf-8", "replace")

    def _defuse(self, text: str) -> str:
        return self._control.sub(lambda m: m[0][0] + _ZERO_WIDTH_SPACE + m[0][1:], text)


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Turns the extension's errors into the package's; none of them carries text."""
    try:
        yield
    except native.TooLong as error:
        needed, available = error.args
        raise ContextError(
            f"{needed} tokens exceed the context of {available}: raise n_ctx, or give fewer or "
            "shorter documents"
        ) from error
    except native.Stopped as error:
        raise ScoringError("stopped before it was done") from error
    except native.LlamaError as error:
        raise ScoringError(str(error)) from error


def fast_ftype() -> str:
    """The fastest weight type on this CPU whose noise is small; `make bench-arithmetic` compares.

    Without BF16 instructions, BF16 has no speed to offer, and F16 is more exact.
    """
    features = llama_cpp.llama_print_system_info().decode()
    return "BF16" if "BF16 = 1" in features else "F16"


def requantize(source: Path, target: Path, ftype: str) -> None:
    """Writes a GGUF with other weight types, by llama.cpp's own converter.

    Raises:
        InputError: `ftype` is not one of those that scoring makes sense with.
        ModelError: llama.cpp refuses the file.
    """
    if ftype not in _FTYPES:
        raise InputError(f"ftype must be one of {', '.join(_FTYPES)}, got {ftype!r}")
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype = _FTYPES[ftype]
    params.allow_requantize = True
    code = llama_cpp.llama_model_quantize(
        str(source).encode(), str(target).encode(), ctypes.byref(params)
    )
    if code != 0:
        raise ModelError(f"llama.cpp cannot convert {source} to {ftype} (code {code})")


def _shared(a: NDArray[np.int32], b: NDArray[np.int32]) -> int:
    limit = min(len(a), len(b))
    different = np.flatnonzero(a[:limit] != b[:limit])
    return int(different[0]) if len(different) else limit


def _utf8(text: str) -> bytes:
    """Lone surrogates become question marks: llama.cpp wants valid UTF-8."""
    return text.encode("utf-8", "replace")
