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
    asked, spans, known = "I'm Nora, [AGE_1].", [(4, 8, "PERSON")], ["Nora Lind", "67"]
    assert campaign.is_own("I'm nora lind, 67.", asked, spans, known)
    assert campaign.is_own(asked, asked, spans, known)
    assert not campaign.is_own("I'm Laura, 67.", asked, spans, known)
    assert not campaign.is_own("I'm Nora, 41.", asked, spans, known)
    assert not campaign.is_own("I'm 67, 67.", asked, spans, known)
    assert not campaign.is_own("I'm Nora.", asked, spans, known)


def test_a_value_may_hold_what_stands_between_values() -> None:
    asked = "Of Rasmus, Portuguese, born in the U.S. and"
    spans = [(3, 9, "PERSON"), (11, 21, "NATIONALITY"), (35, 39, "LOCATION")]
    known = ["Yıldırım, Rasmus", "Rasmus", "Portuguese", "U.S"]
    assert campaign.is_own(asked.replace("Rasmus", "yıldırım, rasmus"), asked, spans, known)
    assert not campaign.is_own(asked.replace("Rasmus", "Favre, Rasmus"), asked, spans, known)
    assert not campaign.is_own(asked.replace("Rasmus", "Portuguese, Rasmus"), asked, spans, known)
    assert not campaign.is_own(asked.replace("Portuguese", "Favre, Rasmus"), asked, spans, known)
