"""How the conditions of a draft come out, in the words that the local model was trained to use.

`It takes an age of at least 62; you are 41, below 62: not met.` See
`privrag_fast.training.slm_tokens.judged`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from privrag_fast.types import Attribute, says

_REASON: Final = re.compile(
    r"(?P<opening>It takes|One case is for) (?P<said>.+?): (?P<not>not )?met\b"
)


def settled(draft: str, attributes: Iterable[Attribute]) -> frozenset[str]:
    """Placeholders of values that a draft names, and does not turn on.

    All conditions have to be met: where another one is not, a value can change as it likes. Of
    cases that are tried one after the other, nothing is said.

    >>> own = [Attribute("AGE", "67", "[AGE_1]", ()), Attribute("LOCATION", "Oslo", "[CITY_1]", ())]
    >>> sorted(settled("It takes an age of 62; you are 67: met. It takes a home in Italy; you live "
    ...                "in Oslo, not named: not met.", own))
    ['[AGE_1]']
    """
    reasons = list(_REASON.finditer(draft))
    if any(reason["opening"] != "It takes" for reason in reasons):
        return frozenset()
    failed = {row for row, reason in enumerate(reasons) if reason["not"]}
    found: set[str] = set()
    for own in attributes:
        rows = {row for row, reason in enumerate(reasons) if says(reason["said"], own.value)}
        if rows and failed - rows:
            found.add(own.placeholder)
    return frozenset(found)
