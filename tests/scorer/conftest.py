"""The tiny model, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scorer.tiny_llama import write_tiny_llama


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("models") / "tiny.gguf")
