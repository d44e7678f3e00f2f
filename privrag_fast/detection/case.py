"""Capital letters, for an encoder whose vocabulary has none.

An uncased tokenizer reads "May" and "may" alike. A graph with the optional input `case_ids` (int64
[batch, tokens], 0 where it is not fed) is told: each token has the case of its word, those of the
prompt have 0. It enters as BERT's token types do, so it costs nothing.
"""

from __future__ import annotations

from typing import Final

CASE_INPUT: Final = "case_ids"
CASES: Final = 3


def case_of(word: str) -> int:
    """Of a word that is not empty: 1 with a capital at its start, 2 where all are, 0 otherwise.

    >>> [case_of(word) for word in ("may", "May", "MAY", "A", "iPhone", "B2B", "5", "東")]
    [0, 1, 2, 1, 0, 2, 0, 0]
    """
    if not word[0].isupper():
        return 0
    return 2 if len(word) > 1 and word.isupper() else 1
