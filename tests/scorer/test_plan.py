"""The prefix tree and the plan of its evaluation, without a model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast import native
from privrag_fast.native import plan_batches
from tests.scorer.arrays import flat


@st.composite
def variants(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """Few token values, so that prefixes, duplicates and prefixes of each other are common."""
    token = st.integers(0, 2)
    trunk = draw(st.lists(token, max_size=12))
    tails = draw(st.lists(st.lists(token, max_size=8), min_size=1, max_size=24))
    sequences = [[*trunk, *tail] or [0] for tail in tails]
    return sequences, [draw(st.integers(1, len(sequence))) for sequence in sequences]


limits = st.fixed_dictionaries(
    {
        "cells": st.integers(20, 60),
        "batch": st.integers(1, 16),
        "sequences": st.integers(1, 9),
        "outputs": st.integers(1, 16),
    }
)


def path(nodes: list, leaf: int) -> list[int]:
    found = []
    while leaf >= 0:
        found.append(leaf)
        leaf = nodes[leaf][2]
    return found[::-1]


@given(variants(), st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=20), limits)
def test_tree_and_plan(
    given_variants: tuple[list[list[int]], list[int]],
    trunk: list[tuple[int, bool]],
    limits: dict[str, int],
) -> None:
    sequences, prompt_lengths = given_variants
    known = [0.0 if is_known else math.nan for _, is_known in trunk]
    cached = [token for token, _ in trunk]
    plan = plan_batches(*flat(sequences, prompt_lengths), cached, known, **limits)
    nodes = plan["nodes"]

    # Every variant's tokens appear in order on its path, with positions 0, 1, 2, ...
    for k, index in enumerate(plan["order"]):
        own = path(nodes, plan["leaves"][k])
        assert [nodes[n][0] for n in own] == sequences[index]
        assert [nodes[n][1] for n in own] == list(range(len(own)))
        assert all(nodes[n][3] <= k < nodes[n][4] for n in own)
        assert all(nodes[n][5] for n in own[prompt_lengths[index] :])
        assert all(nodes[n][6] for n in own[prompt_lengths[index] - 1 : -1])

    # Each unique prefix is one node.
    prefixes = {tuple(s[: i + 1]) for s in sequences for i in range(len(s))}
    assert len(nodes) == len(prefixes)

    # Each node is evaluated once, or was in the cache.
    evaluated = [n for *_, batches in plan["waves"] for batch in batches for n in batch]
    kept_first = plan["waves"][0][2]
    assert sorted(evaluated + kept_first) == list(range(len(nodes)))
    assert plan["evaluated"] == len(evaluated)
    assert plan["reused"] == len(kept_first)
    assert [nodes[n][0] for n in kept_first] == cached[: len(kept_first)]

    # What is taken from the cache has no logits to give but for a known next token.
    for depth, n in enumerate(kept_first):
        wanted = [c for c, node in enumerate(nodes) if node[2] == n and node[5]]
        if wanted:
            assert wanted == kept_first[depth + 1 : depth + 2]
            assert not math.isnan(known[depth + 1])


@given(variants(), limits)
def test_plan_keeps_limits(
    given_variants: tuple[list[list[int]], list[int]], limits: dict[str, int]
) -> None:
    plan = plan_batches(*flat(*given_variants), [], [], **limits)
    nodes = plan["nodes"]
    expected_first = 0
    previous: set[int] = set()
    for first, last, kept, batches in plan["waves"]:
        assert first == expected_first
        assert 1 <= last - first <= limits["sequences"]
        in_cache = set(kept)
        assert in_cache <= previous
        for batch in batches:
            assert 1 <= len(batch) <= limits["batch"]
            assert sum(nodes[n][6] for n in batch) <= limits["outputs"]
            for n in batch:
                assert nodes[n][2] in in_cache | {-1}, "a parent comes first"
                in_cache.add(n)
        assert len(in_cache) <= limits["cells"]
        for k in range(first, last):
            assert set(path(nodes, plan["leaves"][k])) <= in_cache
        previous, expected_first = in_cache, last
    assert expected_first == len(plan["order"])


def test_300_variants_in_waves() -> None:
    sequences = [[1] * 100 + [2 + i, 7, 8] for i in range(300)]
    plan = plan_batches(
        *flat(sequences, [101] * 300), [], [], cells=512, batch=128, sequences=64, outputs=64
    )
    assert plan["evaluated"] == 100 + 300 * 3
    # The first wave fills its batch of 128 with 9 variants, the others theirs with 42.
    assert [last - first for first, last, _, _ in plan["waves"]] == [9, *[42] * 6, 39]
    assert all(len(kept) == 100 for _, _, kept, _ in plan["waves"][1:])


def test_too_long_names_both_numbers() -> None:
    with pytest.raises(native.TooLong) as error:
        plan_batches(*flat([[1] * 50], [10]), [], [], cells=32, batch=8, sequences=4, outputs=8)
    assert error.value.args == (50, 32)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (flat([[1, 2]], [0]), "prompt length"),
        (flat([[1, 2]], [3]), "prompt length"),
        ((np.array([1], np.int32), np.array([0], np.int64), np.array([1], np.int32)), "offsets"),
        ((np.array([1], np.int32), np.array([0, 2], np.int64), np.array([1], np.int32)), "len"),
        (flat([[-1]], [1]), "tokens must lie in"),
    ],
)
def test_bad_arrays(arrays: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan_batches(*arrays, [], [], cells=64, batch=8, sequences=4, outputs=8)


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError):
        plan_batches(
            np.array([1.0]), np.array([0, 1]), np.array([1]), [],
            cells=64, batch=8, sequences=4, outputs=8,
        )  # fmt: skip
