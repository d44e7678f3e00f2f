"""Whole conversations at once: nothing leaves that the receipt does not list, nothing is mixed up.

`make bench-gateway ARGS=--leaks` holds 2,000 of them.
"""

from __future__ import annotations

import pytest

from tests.gateway import campaign


@pytest.fixture(scope="module")
def findings() -> campaign.Findings:
    return campaign.run(campaign.talks(40, 5))


def test_nothing_leaks(findings: campaign.Findings) -> None:
    assert findings.leaks == 0
    assert findings.kept > 100
    assert findings.withheld > 500


def test_nothing_is_mixed_up(findings: campaign.Findings) -> None:
    assert (findings.mix_ups, findings.failures, findings.messages) == (0, 0, 200)


def test_the_look_for_leaks_can_find_one() -> None:
    assert campaign.readable("67", "I am 67.")
    assert campaign.readable("zürich", "(ZÜRICH)")
    assert not campaign.readable("67", "[AGE_67] 67.5 167")


def test_a_kept_value_of_another_type_is_no_leak() -> None:
    kept = {"july 26, 2016": "DATE", "26 years old": "AGE"}
    assert not campaign.readable("26", campaign.without(kept, "AGE", "on July 26, 2016"))
    assert campaign.readable("26", campaign.without(kept, "AGE", "I am 26 years old"))


def test_the_look_for_mix_ups_can_find_one() -> None:
    asked, spans, said = "I'm Nora, [AGE_1].", [(4, 8, "PERSON")], "Nora Lind is 67"
    assert campaign.is_own("I'm nora lind, 67.", asked, spans, said)
    assert campaign.is_own(asked, asked, spans, said)
    listed = "Nora, Lugano, Ticino, 67", [(0, 4, "PERSON"), (6, 20, "LOCATION"), (22, 24, "AGE")]
    assert campaign.is_own(listed[0], *listed, said=listed[0])
    assert not campaign.is_own("I'm Laura, 67.", asked, spans, said)
    assert not campaign.is_own("I'm Nora, 41.", asked, spans, said)
    assert not campaign.is_own("I'm Nora.", asked, spans, said)
