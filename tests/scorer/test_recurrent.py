"""A model whose sequences cannot share cells is evaluated variant by variant."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from privrag_fast import native
from privrag_fast.llama import LanguageModel, LlamaOptions
from tests.scorer.arrays import flat
from tests.scorer.tiny_mamba import write_tiny_mamba
from tests.scorer.variants import OTHER_KERNELS, make, total


@pytest.fixture(scope="module")
def mamba(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_mamba(tmp_path_factory.mktemp("models") / "mamba.gguf")


def test_separately_and_right(mamba: Path) -> None:
    scorer = native.TreeScorer(str(mamba), n_ctx=512, n_threads=1, n_seq_max=8)
    assert not scorer.shares_cells
    sequences, lengths = make(3, count=5)
    for _ in range(2):
        got = scorer.score(*flat(sequences, lengths))
        assert got["evaluated"] == got["asked"]
        np.testing.assert_allclose(
            got["sums"], total(sequences, lengths, mamba), atol=OTHER_KERNELS
        )
    tokens, _, _ = scorer.draft(np.array(sequences[0][: lengths[0]], np.int32), 5)
    assert len(tokens) <= 5
    again = scorer.score(*flat(sequences, lengths))["sums"]
    np.testing.assert_allclose(again, got["sums"], atol=OTHER_KERNELS)


def test_says_so_once(mamba: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        model = LanguageModel(mamba, options=LlamaOptions(n_ctx=512, n_threads=1))
        model.score(["a b", "a c"], " d")
        model.score(["a b", "a c"], " d")
    assert [record.message for record in caplog.records] == [
        "mamba.gguf: the model's memory is recurrent; variants are evaluated one by one"
    ]
