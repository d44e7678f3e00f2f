"""The files beside a GLiNER export: its configuration and its thresholds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from privrag_fast.types import InputError, ModelError

THRESHOLDS_FILE = "thresholds.json"

_DEFAULT_THRESHOLD = 0.5
_DEFAULT_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class GlinerConfig:
    """What the runtime needs of `gliner_config.json`.

    Args:
        max_width: Longest entity, in words.
        max_words: Longest text that the model was trained on.
        max_tokens: Positions of the encoder, prompt and special tokens included.
        ent_token, sep_token: Stand before each label and after the last one.
        ent_token_id: Of `ent_token` in the tokenizer of the model; None where it is not told.
    """

    max_width: int
    max_words: int
    max_tokens: int
    ent_token: str
    sep_token: str
    ent_token_id: int | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Least probabilities: one for each label string that has its own, one for the rest.

    Raises:
        InputError: One is no probability.
    """

    default: float
    labels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for value in (self.default, *self.labels.values()):
            if not 0 < value <= 1:
                raise InputError(f"threshold must lie in (0, 1], got {value}")

    def of(self, label: str) -> float:
        return self.labels.get(label, self.default)

    def lowered(self) -> Thresholds:
        """Half of each."""
        return Thresholds(self.default / 2, {label: at / 2 for label, at in self.labels.items()})


def read_config(folder: Path) -> GlinerConfig:
    """The model's `gliner_config.json`.

    Raises:
        ModelError: It is missing, damaged, or of a family other than the span models.
    """
    path = folder / "gliner_config.json"
    if not path.is_file():
        raise ModelError(f"{path}: no such file{_hint_of_another_family(folder)}")
    config = _read_json(path)
    if family := _other_family(config):
        raise ModelError(
            f"{path}: a {family}, which this runtime does not read; use a span-mode "
            "uni-encoder GLiNER, such as gliner_small-v2.1"
        )
    try:
        return GlinerConfig(
            max_width=_positive(config["max_width"]),
            max_words=_positive(config["max_len"]),
            max_tokens=_max_tokens(config, folder),
            ent_token=str(config.get("ent_token", "<<ENT>>")),
            sep_token=str(config.get("sep_token", "<<SEP>>")),
            ent_token_id=_token_id(config.get("class_token_index")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: max_width and max_len must be positive integers") from error


def _hint_of_another_family(folder: Path) -> str:
    path = folder / "config.json"
    config = _read_json(path) if path.is_file() else {}
    if config.get("model_type") == "extractor" or "counting_layer" in config:
        return ": the folder holds a GLiNER2 multitask model, which this runtime does not read"
    return ""


def _other_family(config: Mapping[str, Any]) -> str | None:
    kind = str(config.get("model_type", ""))
    families = {
        "token-level GLiNER": str(config.get("span_mode")).startswith("token")
        or kind.endswith("token"),
        "bi-encoder GLiNER": config.get("labels_encoder") or "bi_encoder" in kind,
        "generative GLiNER": config.get("labels_decoder") or "decoder" in kind,
        "relation-extraction GLiNER": config.get("relations_layer") or "relex" in kind,
        "streaming GLiNER": "streaming" in kind,
        "GLiNER2 multitask model": "counting_layer" in config or kind == "extractor",
        "GLiNER with precomputed prompts": config.get("precomputed_prompts_mode"),
        "GLiNER that pools subtokens": config.get("subtoken_pooling", "first") != "first",
    }
    return next((family for family, applies in families.items() if applies), None)


def _max_tokens(config: Mapping[str, Any], folder: Path) -> int:
    """The least of what encoder and tokenizer say; absurdly large values mean "unset"."""
    path = folder / "tokenizer_config.json"
    tokenizer = _read_json(path) if path.is_file() else {}
    encoder = config.get("encoder_config") or {}
    positions = encoder.get("max_position_embeddings", _DEFAULT_MAX_TOKENS)
    if "roberta" in str(encoder.get("model_type")):
        positions -= 2  # its positions start after the padding's
    return _positive(min(positions, tokenizer.get("model_max_length") or positions))


def _token_id(value: Any) -> int | None:
    """`gliner` writes -1 where it has not set it."""
    return None if value is None or int(value) < 0 else int(value)


def _positive(value: Any) -> int:
    if int(value) < 1:
        raise ValueError(value)
    return int(value)


def read_thresholds(folder: Path) -> Thresholds:
    """Those that lie beside a model's weights.

    Raises:
        ModelError: The file is damaged.
    """
    path = folder / THRESHOLDS_FILE
    content = _read_json(path) if path.is_file() else {}
    try:
        default = float(content.get("default", _DEFAULT_THRESHOLD))
        labels = {str(k): float(v) for k, v in content.get("labels", {}).items()}
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{path}: not thresholds: {{default: x, labels: {{...}}}}") from error
    try:
        return Thresholds(default, labels)
    except InputError as error:
        raise ModelError(f"{path}: {error}") from error


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{path}: not readable JSON ({error})") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path}: must hold a JSON object")
    return content
