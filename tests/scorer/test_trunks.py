"""What stays in the cache between calls."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest

from privrag_fast import native
from tests.scorer.arrays import flat
from tests.scorer.variants import EXACT, OTHER_KERNELS, make, total


def open_scorer(path: Path, **options: int) -> native.TreeScorer:
    return native.TreeScorer(str(path), n_ctx=1024, n_threads=1, **{**EXACT, **options})


def test_several_documents_stay(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_trunks=3)
    work = [make(seed, count=4) for seed in (20, 21, 22)]
    for one in work:
        assert scorer.score(*flat(*one))["reused"] <= 1
    for one in work:
        again = scorer.score(*flat(*one))
        assert again["reused"] >= 30
        np.testing.assert_allclose(again["sums"], total(*one, tiny), atol=OTHER_KERNELS)


def test_least_recently_used_goes_first(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_trunks=2)
    first, second, third = (make(seed, count=4) for seed in (23, 24, 25))
    scorer.score(*flat(*first))
    scorer.score(*flat(*second))
    scorer.score(*flat(*first))
    scorer.score(*flat(*third))
    assert scorer.score(*flat(*first))["reused"] >= 30
    assert scorer.score(*flat(*second))["reused"] <= 1


def test_budget_in_cells(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_trunks=8, trunk_cells=100)
    for seed in (26, 27):
        scorer.score(*flat(*make(seed, count=2)))
    assert scorer.score(*flat(*make(27, count=2)))["reused"] > 30
    assert scorer.score(*flat(*make(26, count=2)))["reused"] <= 1


def test_trunks_make_way_for_a_long_prompt(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_trunks=8, trunk_cells=1024)
    for seed in range(28, 34):
        scorer.score(*flat(*make(seed, count=2)))
    long = make(34, count=2, prompt=900)
    got = scorer.score(*flat(*long))
    np.testing.assert_allclose(got["sums"], total(*long, tiny), atol=OTHER_KERNELS)


def test_known_answer_is_not_computed_again(tiny: Path) -> None:
    """The draft's tokens and the original are one path."""
    scorer = open_scorer(tiny)
    [sequence], [length] = make(35, count=1)
    prompt = sequence[:length]
    tokens, log_probs, _ = scorer.draft(np.array(prompt, np.int32), 8)
    scored = scorer.score(*flat([prompt + tokens.tolist()], [length]))
    assert scored["evaluated"] == 0
    assert scored["reused"] == length + 8
    np.testing.assert_array_equal(scored["log_probs"], log_probs)


def test_known_answer_beside_others(tiny: Path) -> None:
    scorer = open_scorer(tiny)
    sequences, lengths = make(36, count=6)
    first = scorer.score(*flat(sequences[:1], lengths[:1]))
    together = scorer.score(*flat(sequences, lengths))
    assert together["reused"] == len(sequences[0])
    assert together["sums"][0] == first["sums"][0]
    np.testing.assert_allclose(
        together["sums"], total(sequences, lengths, tiny), atol=OTHER_KERNELS
    )


def test_another_answer_to_a_known_prompt(tiny: Path) -> None:
    """The last token of the prompt gives new logits, so it is computed again."""
    scorer = open_scorer(tiny)
    [sequence], [length] = make(37, count=1)
    scorer.score(*flat([sequence], [length]))
    other = [*sequence[:length], 9, 8, 7]
    got = scorer.score(*flat([other], [length]))
    assert got["reused"] == length - 1
    np.testing.assert_allclose(got["sums"], total([other], [length], tiny), atol=OTHER_KERNELS)


def test_a_stop_spares_the_trunks(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_batch=16)
    kept, stopped = make(38, count=3), make(39, count=3)
    scorer.score(*flat(*kept))
    with pytest.raises(native.Stopped):
        scorer.score(*flat(*stopped), should_stop=iter([False, True]).__next__)
    again = scorer.score(*flat(*kept))
    assert again["reused"] >= 30
    np.testing.assert_allclose(again["sums"], total(*kept, tiny), atol=OTHER_KERNELS)


def test_no_trunks(tiny: Path) -> None:
    scorer = open_scorer(tiny, n_trunks=0)
    one = make(40)
    scorer.score(*flat(*one))
    again = scorer.score(*flat(*one))
    assert again["reused"] == 0
    np.testing.assert_allclose(again["sums"], total(*one, tiny), atol=OTHER_KERNELS)


def test_saved_and_loaded(tiny: Path, tmp_path: Path) -> None:
    one = make(41, count=4)
    documents = np.array(one[0][0][:30], np.int32)
    file = str(tmp_path / "trunk")
    open_scorer(tiny).save_trunk(file, documents)
    scorer = open_scorer(tiny)
    assert scorer.load_trunk(file).tolist() == documents.tolist()
    got = scorer.score(*flat(*one))
    assert got["reused"] == 30
    np.testing.assert_allclose(got["sums"], total(*one, tiny), atol=OTHER_KERNELS)


def test_damaged_trunk_file(tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "trunk"
    scorer = open_scorer(tiny)
    scorer.save_trunk(str(file), np.arange(3, 40, dtype=np.int32))
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(native.LlamaError, match="read"):
        scorer.load_trunk(str(file))
    one = make(42)
    got = scorer.score(*flat(*one))["sums"]
    np.testing.assert_allclose(got, total(*one, tiny), atol=OTHER_KERNELS)


def test_random_walk_over_many_calls(tiny: Path) -> None:
    """Whatever was asked before, and however little fits, a call equals a fresh scorer's."""
    scorer = open_scorer(tiny, n_trunks=3, trunk_cells=300, n_seq_max=5)
    rng = np.random.default_rng(0)
    for step in range(40):
        seed, count = int(rng.integers(50, 54)), int(rng.integers(1, 9))
        sequences, lengths = make(seed, count=count)
        if step % 3 == 0:
            scorer.draft(np.array(sequences[-1][: lengths[-1]], np.int32), int(rng.integers(0, 5)))
        got = scorer.score(*flat(sequences, lengths))
        assert got["evaluated"] + got["reused"] == got["unique"]
        np.testing.assert_allclose(got["sums"], total(sequences, lengths, tiny), atol=OTHER_KERNELS)


def test_no_growth_over_1000_calls(tiny: Path) -> None:
    scorer = open_scorer(tiny)
    work = [flat(*make(seed, count=3, prompt=30, answer=5)) for seed in range(10)]

    def calls(count: int) -> int:
        for i in range(count):
            scorer.score(*work[i % len(work)])
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = calls(200)
    assert calls(1000) - warm < 4096  # KiB
