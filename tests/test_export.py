"""`privrag-fast export` where torch is absent, and on tiny checkpoints where it is not."""

from __future__ import annotations

import sys

import pytest

from privrag_fast.cli import main


@pytest.mark.parametrize("role", ["reranker", "embedder"])
def test_without_torch_the_extra_is_named(
    role: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "privrag_fast.training.export", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["export", role, "checkpoint", "--out", "out"]) == 1
    told = capsys.readouterr().err
    assert "torch is missing" in told
    assert "privrag_fast[train]" in told
