"""Sentence embeddings from an ONNX encoder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.models import sha256_of
from privrag_fast.onnx import CPU
from privrag_fast.retrieval.encoding import BatchModel, IntArray, TokenEncoder
from privrag_fast.retrieval.pooling import POOLINGS
from privrag_fast.types import InputError, ModelError, SafeText

FloatArray = NDArray[np.float32]

_POOLED = "sentence_embedding"
"""The name that exports give to an output that is pooled already."""


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """What a sentence-transformers model is beside its graph; as all-MiniLM-L6-v2's card has it.

    Args:
        pooling: Token states to one vector: `mean`, `cls`, `max`, `lasttoken` or `weightedmean`.
        max_tokens: Longer texts are truncated.
    """

    pooling: str = "mean"
    max_tokens: int = 256

    def __post_init__(self) -> None:
        if self.pooling not in POOLINGS:
            raise InputError(f"pooling must be one of {', '.join(POOLINGS)}, got {self.pooling!r}")

    @classmethod
    def read(cls, folder: str | Path) -> EmbedderOptions:
        """Those of a folder as a hub has it; the defaults where it says nothing.

        Raises:
            ModelError: It has modules, or a pooling, that are not supported.
        """
        folder, default = Path(folder), cls()
        if unknown := _modules(folder) - {"Transformer", "Pooling", "Normalize"}:
            raise ModelError(
                f"{folder}: modules that are not supported: {', '.join(sorted(unknown))}; "
                "export the whole model with the output `sentence_embedding`"
            )
        length = _read_json(folder / "sentence_bert_config.json").get("max_seq_length")
        return cls(
            pooling=_pooling_of(folder) or default.pooling,
            max_tokens=int(length or default.max_tokens),
        )


class Embedder:
    """Pooled, L2-normalized sentence embeddings of any sentence-transformers export.

    Safe to call from several threads.

    Args:
        model_path: An encoder that gives token states [n, tokens, dim], or vectors [n, dim].
        tokenizer_path: Its `tokenizer.json`.
        options: See `EmbedderOptions`; pooling is for graphs that leave it to the caller.
        batch_size: Texts per run of the model. On a CPU one at a time is as fast as any, and int8
            vectors then do not depend on what stands beside a text.
        providers, threads: See `BatchModel`.

    Raises:
        ModelError: A file is missing, damaged, or gives something else than embeddings.

    Example:
        >>> vectors = Embedder("model.onnx", "tokenizer.json").embed(texts)  # doctest: +SKIP
    """

    def __init__(
        self,
        model_path: str | Path,
        tokenizer_path: str | Path,
        *,
        options: EmbedderOptions = EmbedderOptions(),
        batch_size: int = 1,
        providers: Sequence[str] = (CPU,),
        threads: int = 0,
    ) -> None:
        self._options = options
        self._encoder = TokenEncoder(tokenizer_path, max_tokens=options.max_tokens)
        self._model = BatchModel(
            model_path, batch_size=batch_size, providers=providers, threads=threads
        )
        names = self._model.output_names
        self._output = names.index(_POOLED) if _POOLED in names else 0
        # Two texts, so that a model with a fixed batch is found out here.
        self._dim = int(self._run(self._encoder.encode(["a", "b c"])).shape[1])
        self._digest = _digest(Path(model_path), Path(tokenizer_path), options)

    @property
    def dim(self) -> int:
        """Components of a vector."""
        return self._dim

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the vectors depend on: an index is bound to it."""
        return self._digest

    def embed(self, texts: Sequence[SafeText]) -> FloatArray:
        """Unit vectors, float32 [n, dim], in the order of `texts`."""
        if isinstance(texts, str):
            raise InputError("texts must be a sequence of strings, got one string")
        if not texts:
            return np.empty((0, self._dim), np.float32)
        return self._run(self._encoder.encode(texts))

    def _run(self, encodings: Sequence[Any]) -> FloatArray:
        return _normalized(self._model.run(encodings, self._pooled))

    def _pooled(self, outputs: list[NDArray[Any]], feeds: Mapping[str, IntArray]) -> FloatArray:
        """float32 [n, dim]: of a text's own tokens, where the model left that to us."""
        output, mask = outputs[self._output], feeds["attention_mask"]
        if output.ndim == 3 and output.shape[:2] == mask.shape:
            output = POOLINGS[self._options.pooling](output, mask)
        if output.ndim != 2 or len(output) != len(mask):
            raise ModelError(
                f"{self._model.path}: an embedder gives [n, tokens, dim] or [n, dim], "
                f"this model gives {list(output.shape)} for inputs {list(mask.shape)}"
            )
        return output.astype(np.float32)


def _normalized(vectors: FloatArray) -> FloatArray:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: FloatArray = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit


def _digest(model_path: Path, tokenizer_path: Path, options: EmbedderOptions) -> str:
    digest = hashlib.sha256(f"{options.pooling} pooling, L2, {options.max_tokens} tokens".encode())
    for path in (model_path, tokenizer_path):
        digest.update(sha256_of(path).encode())
    return digest.hexdigest()


# --------------------------------------------------------------------------- folders

_FLAGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # the same direction
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
"""How sentence-transformers told the pooling before it had a name for it."""


def _pooling_of(folder: Path) -> str | None:
    path = folder / "1_Pooling" / "config.json"
    config = _read_json(path)
    told = config.get("pooling_mode") or [
        flag for flag in config if flag.startswith("pooling_mode_") and config[flag]
    ]
    modes = [told] if isinstance(told, str) else list(told)
    if not modes:
        return None
    pooling = _FLAGS.get(modes[0], modes[0]).removesuffix("_sqrt_len_tokens")
    if len(modes) > 1 or pooling not in POOLINGS:
        raise ModelError(f"{path}: this pooling is not supported: {', '.join(map(str, modes))}")
    return pooling


def _modules(folder: Path) -> set[str]:
    modules = _read_json(folder / "modules.json") or []
    return {str(module["type"]).rpartition(".")[2] for module in modules}


def _read_json(path: Path) -> Any:
    """What a file says; {} where it is absent."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read ({type(error).__name__})") from error
