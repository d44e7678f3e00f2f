"""What an adapter says where its framework is not installed."""

from __future__ import annotations

import importlib
import sys

import pytest

from privrag_fast.types import ProviderError


@pytest.mark.parametrize(
    ("adapter", "package", "cure"),
    [
        ("langchain", "langchain_core", "pip install langchain-core"),
        ("llama_index", "llama_index", "pip install llama-index-core"),
        ("presidio", "presidio_analyzer", "pip install presidio-analyzer"),
        ("qdrant", "qdrant_client", r"pip install 'privrag_fast\[qdrant\]'"),
    ],
)
def test_the_cure_is_named(
    adapter: str, package: str, cure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = [name for name in sys.modules if name.split(".")[0] == package]
    for name in [*loaded, package, f"privrag_fast.adapters.{adapter}"]:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ProviderError, match=cure):
        importlib.import_module(f"privrag_fast.adapters.{adapter}")
