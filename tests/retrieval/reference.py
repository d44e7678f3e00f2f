"""Slow twin: what an index must agree with."""

from __future__ import annotations

import numpy as np


def nearest(passages, embedder, query, k):
    """Passage ids by cosine, ties in order of insertion."""
    vector = embedder.embed([query])[0]
    scored = [
        (passage.id, float(embedder.embed([passage.text])[0] @ vector)) for passage in passages
    ]
    order = np.argsort([-score for _, score in scored], kind="stable")
    return [scored[row] for row in order[:k]]
