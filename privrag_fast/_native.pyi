"""Types of the compiled core; `tests/test_native.py` holds this file against the built module."""

from collections.abc import Callable
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

LLAMA_CPP_PYTHON_VERSION: str

class LlamaError(RuntimeError): ...
class Stopped(RuntimeError): ...
class TooLong(ValueError): ...  # args: (tokens needed, tokens available)

class Scores(TypedDict):
    log_probs: NDArray[np.float32]
    offsets: NDArray[np.int64]
    sums: NDArray[np.float64]
    asked: int
    unique: int
    evaluated: int
    reused: int

class SpecialTokens(TypedDict):
    bos: int
    eos: int
    adds_bos: bool
    control: list[int]

class Plan(TypedDict):
    nodes: list[tuple[int, int, int, int, int, bool, bool]]
    order: list[int]
    leaves: list[int]
    waves: list[tuple[int, int, list[int], list[list[int]]]]
    evaluated: int
    reused: int

class TreeScorer:
    def __init__(
        self,
        model_path: str,
        *,
        n_ctx: int = 4096,
        n_batch: int = 512,
        n_seq_max: int = 64,
        n_outputs: int = 256,
        n_trunks: int = 4,
        trunk_cells: int = 0,
        n_threads: int = 0,
        n_gpu_layers: int = 0,
        flash_attention: bool = True,
        kv_float32: bool = False,
    ) -> None: ...
    def score(
        self,
        tokens: NDArray[np.int32],
        offsets: NDArray[np.int64],
        prompt_lengths: NDArray[np.int32],
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> Scores: ...
    def draft(
        self,
        prompt: NDArray[np.int32],
        max_tokens: int,
        *,
        on_token: Callable[[int], object] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], bool]: ...
    def next_log_probs(
        self,
        tokens: NDArray[np.int32],
        count: int,
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> NDArray[np.float32]: ...  # [count, vocabulary]
    def save_trunk(
        self,
        file: str,
        tokens: NDArray[np.int32],
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> None: ...
    def load_trunk(self, file: str) -> NDArray[np.int32]: ...
    def tokenize(
        self, text: bytes, *, add_special: bool = False, parse_special: bool = False
    ) -> NDArray[np.int32]: ...
    def piece(self, token: int, *, special: bool = False) -> bytes: ...
    def chat_template(self) -> str | None: ...
    def metadata(self, key: str) -> str | None: ...
    def special_tokens(self) -> SpecialTokens: ...
    @property
    def n_ctx(self) -> int: ...
    @property
    def shares_cells(self) -> bool: ...
    @property
    def closed(self) -> bool: ...
    def close(self) -> None: ...

class Restorer:
    def __init__(
        self,
        issued: list[tuple[str, str, int, str]],  # label, in lower case, number, value
        *,
        json: bool = False,
    ) -> None: ...
    def feed(self, piece: str) -> str: ...
    def flush(self) -> str: ...
    def find(self, text: str) -> list[tuple[int, int]]: ...
    @property
    def unknown(self) -> list[str]: ...

Ids = NDArray[np.int64]

class WordPiece:
    def __init__(
        self,
        vocabulary: list[tuple[str, int]],
        *,
        unknown: int,
        max_characters: int,
        lowercase: bool,
    ) -> None: ...
    def encode(self, words: list[str]) -> tuple[Ids, Ids, bool]: ...
    def encode_text(self, text: str, max_characters: int) -> tuple[Ids, Ids, Ids]: ...

def silence_llama() -> None: ...
def span_inputs(
    rows: list[tuple[Ids, Ids, Ids, Ids]],  # head, ids, counts, tail
    max_width: int,
) -> tuple[Ids, Ids, Ids, Ids, Ids, NDArray[np.bool_]]: ...
def decode_spans(
    logits: NDArray[np.float32],
    thresholds: NDArray[np.float32],
    *,
    flat: bool = True,
    multi_label: bool = False,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
def plan_batches(
    tokens: NDArray[np.int32],
    offsets: NDArray[np.int64],
    prompt_lengths: NDArray[np.int32],
    cached: list[int],
    known: list[float],
    *,
    cells: int,
    batch: int,
    sequences: int,
    outputs: int,
) -> Plan: ...
