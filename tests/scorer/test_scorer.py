"""The tree scorer against one fresh context per variant."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from privrag_fast import native
from tests.scorer.arrays import flat
from tests.scorer.reference import score_one_by_one
from tests.scorer.variants import EXACT, OTHER_KERNELS, TOLERANCE, make, total


@pytest.fixture
def scorer(tiny: Path) -> Iterator[native.TreeScorer]:
    scorer = native.TreeScorer(str(tiny), n_ctx=1024, n_threads=1, **EXACT)
    yield scorer
    scorer.close()


@pytest.mark.parametrize("seed", range(4))
def test_equals_one_context_per_variant(seed: int, scorer: native.TreeScorer, tiny: Path) -> None:
    sequences, lengths = make(seed)
    got = scorer.score(*flat(sequences, lengths))
    expected = score_one_by_one(tiny, sequences, lengths)
    np.testing.assert_allclose(got["sums"], [x.sum() for x in expected], atol=TOLERANCE)
    np.testing.assert_allclose(got["log_probs"], np.concatenate(expected), atol=TOLERANCE)
    assert got["asked"] == sum(map(len, sequences))
    assert got["unique"] == got["evaluated"] < got["asked"]


@pytest.mark.parametrize(
    "options",
    [
        {"n_ctx": 256, "n_seq_max": 3, "n_batch": 16, "n_outputs": 4},
        {"n_seq_max": 1, "n_ctx": 256},
        {"n_batch": 1, "n_outputs": 1, "n_ctx": 1024},
        {"n_seq_max": 256, "flash_attention": True, "n_ctx": 2048},
    ],
    ids=["waves", "one-sequence", "one-token", "256-sequences"],
)
def test_limits_change_nothing(options: dict, tiny: Path) -> None:
    sequences, lengths = make(5, count=20)
    scorer = native.TreeScorer(str(tiny), n_threads=1, **{**EXACT, **options})
    got = scorer.score(*flat(sequences, lengths))
    expected = total(sequences, lengths, tiny)
    np.testing.assert_allclose(got["sums"], expected, atol=OTHER_KERNELS)


def test_order_does_not_matter(scorer: native.TreeScorer) -> None:
    sequences, lengths = make(6)
    straight = scorer.score(*flat(sequences, lengths))["sums"]
    backward = scorer.score(*flat(sequences[::-1], lengths[::-1]))["sums"]
    np.testing.assert_allclose(straight, backward[::-1], atol=TOLERANCE)


@pytest.mark.parametrize("shared_suffix", [28, 40])
@pytest.mark.parametrize("copies", [2, 8, 32])
def test_original_again(shared_suffix: int, copies: int, tiny: Path) -> None:
    """sco-01: the same tokens in several sequences, beside another that differs early."""
    scorer = native.TreeScorer(str(tiny), n_ctx=4096, n_threads=1, **EXACT)
    sequences, lengths = make(7, count=2, prompt=50, answer=shared_suffix)
    sequences = [sequences[0]] * copies + [sequences[1]]
    got = scorer.score(*flat(sequences, [lengths[0]] * copies + [lengths[1]]))
    assert np.ptp(got["sums"][:copies]) == 0.0
    # Not only within one tree: equal suffixes after different prompts, against the slow twin.
    twin = total(sequences[-2:], [lengths[0], lengths[1]], tiny)
    np.testing.assert_allclose(got["sums"][-2:], twin, atol=TOLERANCE)


def test_second_call_equals_fresh_scorer(scorer: native.TreeScorer, tiny: Path) -> None:
    """sco-03."""
    first, second = make(8), make(9)
    scorer.score(*flat(*first))
    again = scorer.score(*flat(*first))
    assert again["reused"] > 0
    assert again["evaluated"] + again["reused"] == again["unique"]
    np.testing.assert_allclose(again["sums"], total(*first, tiny), atol=OTHER_KERNELS)
    other = scorer.score(*flat(*second))
    assert other["reused"] == 1  # both begin with BOS
    np.testing.assert_allclose(other["sums"], total(*second, tiny), atol=OTHER_KERNELS)


def test_prompt_of_a_longer_call_is_not_mistaken(scorer: native.TreeScorer, tiny: Path) -> None:
    """The cache holds a longer path than the next prompt: logits at its end are computed anew."""
    [sequence], [length] = make(10, count=1)
    scorer.score(*flat([sequence], [length]))
    shorter = sequence[: length - 10]
    got = scorer.score(*flat([shorter], [length - 20]))
    np.testing.assert_allclose(
        got["sums"], total([shorter], [length - 20], tiny), atol=OTHER_KERNELS
    )


def test_shapes_at_the_edge(scorer: native.TreeScorer, tiny: Path) -> None:
    sequences = [[1, 5, 6, 7], [1, 5, 6, 7, 8], [1, 5], [1, 5, 6, 7]]
    lengths = [2, 3, 2, 4]  # a prefix of another, an empty continuation, prompt inside another's
    got = scorer.score(*flat(sequences, lengths))
    expected = score_one_by_one(tiny, sequences, lengths)
    assert got["offsets"].tolist() == [0, 2, 4, 4, 4]
    np.testing.assert_allclose(got["log_probs"], np.concatenate(expected), atol=TOLERANCE)
    assert got["sums"][2:].tolist() == [0.0, 0.0]
    nothing = scorer.score(*flat([], []))
    assert nothing["sums"].shape == (0,)


def test_first_continuation_token_counts_once(scorer: native.TreeScorer, tiny: Path) -> None:
    """sco-04."""
    [sequence], _ = make(11, count=1)
    one = scorer.score(*flat([sequence[:31]], [30]))
    assert len(one["log_probs"]) == 1
    np.testing.assert_allclose(one["sums"], total([sequence[:31]], [30], tiny), atol=TOLERANCE)


def test_draft_is_greedy_and_leaves_its_prompt(scorer: native.TreeScorer, tiny: Path) -> None:
    [sequence], [length] = make(12, count=1)
    prompt = sequence[:length]
    tokens, log_probs, _ = scorer.draft(np.array(prompt, np.int32), 8)
    seen: list[int] = []
    again, _, _ = scorer.draft(np.array(prompt, np.int32), 8, on_token=seen.append)
    assert again.tolist() == tokens.tolist() == seen
    scored = scorer.score(*flat([prompt + tokens.tolist()], [length]))
    assert scored["reused"] >= length - 1
    np.testing.assert_allclose(scored["log_probs"], log_probs, atol=OTHER_KERNELS)
    # Greedy: no other first token is likelier.
    others = scorer.score(*flat([[*prompt, t] for t in range(0, 259, 7)], [length] * 37))
    assert others["sums"].max() <= log_probs[0] + OTHER_KERNELS


def test_a_draft_that_repeats_equals_one_token_at_a_time(
    scorer: native.TreeScorer, tiny: Path
) -> None:
    """What was guessed from earlier text is checked: right and wrong guesses leave no trace."""
    [sequence], [length] = make(14, count=1)
    phrase = sequence[:length]
    path = list(phrase)
    for _ in range(40):
        # Of one token, nothing is guessed.
        [token], _, _ = scorer.draft(np.array(path, np.int32), 1)
        path.append(int(token))
    slow = path[length:]
    for most in (1, 2, 7, 40):
        prompt = np.array(phrase, np.int32)
        tokens, log_probs, _ = scorer.draft(prompt, most)
        assert tokens.tolist() == slow[:most]
        wanted = total([[*phrase, *slow[:most]]], [length], tiny)
        np.testing.assert_allclose(log_probs.sum(), wanted, atol=OTHER_KERNELS)
    told = [*phrase, *slow, *phrase]  # now all that follows was said before, and much is wrong
    tokens, log_probs, _ = scorer.draft(np.array(told, np.int32), 40)
    wanted = total([[*told, *tokens.tolist()]], [len(told)], tiny)
    np.testing.assert_allclose(log_probs.sum(), wanted, atol=OTHER_KERNELS)


@pytest.mark.parametrize("count", [1, 2, 9])
def test_distributions_after_the_last_tokens(
    scorer: native.TreeScorer, tiny: Path, count: int
) -> None:
    [sequence], _ = make(15, count=1)
    path = sequence[:-1]
    rows = scorer.next_log_probs(np.array(path, np.int32), count)
    assert rows.shape == (count, 259)
    np.testing.assert_allclose(np.exp(rows.astype(np.float64)).sum(axis=1), 1.0, atol=1e-4)
    at = len(sequence) - count
    [expected] = score_one_by_one(tiny, [sequence], [at])
    own = rows[np.arange(count), sequence[at:]]
    np.testing.assert_allclose(own, expected, atol=OTHER_KERNELS)
    assert scorer.score(*flat([path], [at]))["reused"] >= at - 1  # its path stays


@pytest.mark.parametrize("count", [0, -1, 4])
def test_distributions_of_no_token(scorer: native.TreeScorer, count: int) -> None:
    with pytest.raises(ValueError, match=r"count must lie in \[1, 3\]"):
        scorer.next_log_probs(np.ones(3, np.int32), count)


def test_too_long(scorer: native.TreeScorer) -> None:
    """sco-06: both numbers, and the next call is right."""
    good = make(13)
    before = scorer.score(*flat(*good))["sums"]
    with pytest.raises(native.TooLong) as error:
        scorer.score(*flat([[1] * 2000], [10]))
    assert error.value.args == (2000, 1024)
    with pytest.raises(native.TooLong):
        scorer.draft(np.ones(1020, np.int32), 10)
    np.testing.assert_allclose(scorer.score(*flat(*good))["sums"], before, atol=OTHER_KERNELS)


def test_stop_leaves_the_scorer_usable(tiny: Path) -> None:
    scorer = native.TreeScorer(str(tiny), n_ctx=1024, n_batch=16, n_threads=1, **EXACT)
    arrays = flat(*make(14))
    expected = scorer.score(*arrays)["sums"]
    calls = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) > 2

    with pytest.raises(native.Stopped):
        scorer.score(*arrays, should_stop=stop)
    with pytest.raises(ZeroDivisionError):
        scorer.score(*arrays, should_stop=lambda: bool(1 // 0))
    np.testing.assert_allclose(scorer.score(*arrays)["sums"], expected, atol=OTHER_KERNELS)


def test_ctrl_c_leaves_the_scorer_usable(tiny: Path) -> None:
    scorer = native.TreeScorer(str(tiny), n_ctx=4096, n_batch=1, n_threads=1, **EXACT)
    arrays = flat(*make(16, count=3))
    expected = scorer.score(*arrays)["sums"]
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            scorer.score(*flat([[1, *range(3, 250)] * 12], [10]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    np.testing.assert_allclose(scorer.score(*arrays)["sums"], expected, atol=OTHER_KERNELS)


def test_closed(tiny: Path) -> None:
    scorer = native.TreeScorer(str(tiny), n_ctx=64)
    scorer.close()
    scorer.close()
    for call in (
        lambda: scorer.score(*flat([[1, 2]], [1])),
        lambda: scorer.draft(np.ones(3, np.int32), 2),
        lambda: scorer.tokenize(b"a"),
    ):
        with pytest.raises(native.LlamaError, match="closed"):
            call()


def test_eight_threads(tiny: Path) -> None:
    """sco-05."""
    scorer = native.TreeScorer(str(tiny), n_ctx=1024, n_threads=1, **EXACT)
    work = [make(seed, count=4) for seed in range(8)]
    expected = [total(*one, tiny) for one in work]
    wrong: list[int] = []

    def run(i: int) -> None:
        for _ in range(50):
            got = scorer.score(*flat(*work[i]))["sums"]
            if not np.allclose(got, expected[i], atol=OTHER_KERNELS):
                wrong.append(i)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert wrong == []


def test_results_outlive_the_scorer(tiny: Path) -> None:
    scorer = native.TreeScorer(str(tiny), n_ctx=1024, n_threads=1, **EXACT)
    got = scorer.score(*flat(*make(15)))
    copy = got["log_probs"].copy()
    scorer.close()
    del scorer
    np.testing.assert_array_equal(got["log_probs"], copy)


def test_truncated_model(tiny: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(tiny.read_bytes()[:5000])
    with pytest.raises(native.LlamaError, match="load"):
        native.TreeScorer(str(damaged))


@pytest.mark.parametrize(
    "options", [{"n_seq_max": 0}, {"n_trunks": 256}, {"n_batch": 0}, {"n_ctx": 0}]
)
def test_no_room_for_a_variant(tiny: Path, options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="n_seq_max must be 1 or more, and n_trunks less than 256"):
        native.TreeScorer(str(tiny), **{"n_ctx": 512, "n_threads": 1, "n_batch": 512, **options})
