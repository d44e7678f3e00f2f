"""The mean of two runs' weights; needs the extra `train`."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs torch: pip install 'privrag_fast[train]'")


def test_weights_between_two_runs() -> None:
    from privrag_fast.training.average import blend

    first = {"w": torch.tensor([[0.0, 2.0]]), "scale": torch.tensor(1.0), "n": torch.tensor([3])}
    second = {
        "w": torch.tensor([[4.0, 0.0], [9.0, 9.0]]),  # a row that the first run does not have
        "scale": torch.tensor(2.0),
        "n": torch.tensor([7]),
    }
    mixed = blend(first, second, 0.25)
    assert mixed["w"].tolist() == [[1.0, 1.5]]
    assert mixed["scale"].item() == 1.25
    assert mixed["n"].tolist() == [3]  # counts are no weights
    assert first["w"].tolist() == [[0.0, 2.0]]
