"""Names of people: which shorter mention may mean a name that was told in full."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

_FEMALE, _MALE, _LEARNED = "female", "male", "learned"
_TITLES = {
    **dict.fromkeys("ms mrs miss madam frau madame mme mlle señora signora".split(), _FEMALE),  # noqa: SIM905
    **dict.fromkeys("mr mister sir herr monsieur señor signor".split(), _MALE),  # noqa: SIM905
    **dict.fromkeys("dr prof professor doctor".split(), _LEARNED),  # noqa: SIM905
}
_PARTICLES = frozenset("van von der den de del della di da dos la le bin ibn al el".split())  # noqa: SIM905
_SUFFIXES = frozenset("jr sr ii iii iv phd md".split())  # noqa: SIM905
# Only to keep "Mr Meier" from meaning Laura Meier; who is not listed is told apart by titles alone.
_GIVEN = {
    **dict.fromkeys(
        """
        aisha alice amelia amina ana andrea angela anna anne barbara beatrice carmen caroline
        catherine charlotte chiara chloe christine claire clara claudia diana elena elizabeth ella
        emily emma eva fatima francesca giulia grace hannah helen ida ines ingrid irene isabel
        jane jennifer jessica joanna julia karen katharina laura lea lena lisa lucia lucy maria
        marie martha mary maya mei mia miriam monica nadia natalia nina nora olga olivia patricia
        petra priya rachel rebecca rosa ruth sara sarah silvia simone sofia sophie stella susan
        sylvia teresa ursula valentina vera victoria yuki zoe
        """.split(),  # noqa: SIM905
        _FEMALE,
    ),
    **dict.fromkeys(
        """
        adam ahmed albert alexander ali andreas andrew anthony antonio arthur ben benjamin bernd
        carlos charles christian christopher daniel david diego dieter edward emil eric ernst
        felix fernando frank franz frederik friedrich george giovanni hans henry hugo ibrahim ivan
        jack jakob james jan jens joao johann john jonas jonathan jorge jose joseph juan julian
        karl kenji kevin klaus lars leo liam louis luca lucas luis lukas marco marcus mario mark
        markus martin matthew matthias max michael miguel mohammed moritz nicolas noah omar oscar
        otto pablo patrick paul pedro peter philip pierre rafael richard robert samuel sebastian
        simon stefan stephen sven thomas tim tobias tom umar urs victor vikram walter werner
        william wolfgang xavier yusuf
        """.split(),  # noqa: SIM905
        _MALE,
    ),
}
# Names of people, places and firms that in lower case are other words, and often used.
_COMMON_WORDS = frozenset(
    """
    amber angel apple april art august autumn baker bath bean bear berry best bill bird bishop black
    blue booth bridge brook brown bush carpenter chance chase china christian church clay cliff cook
    cork cross daisy dale dawn day dean drew early east eve fair faith farmer fisher forest
    fox frank freeman frost gap gene glen grace grant gray green grey guy hall hand harmony hart
    haven hazel heath heather hill holly home hope house hunt hunter ivy jack jade jersey jewel joy
    judge just king knight lake lance lane large law lily little long love major march marina mark
    marks mason may melody mercy miles miller mobile moon moss nice noble nick north olive orange
    page park patience pearl penny pierce pike place pool poppy porter post potter power precious
    price pride prince read reading reed reef rich ring river robin rock rod rose ruby rush rusty
    sage sandy savage sharp shell short silver singer sky small snow south spring star stern still
    stone strange strong sue summer swift target tanner taylor temple trinity true turkey turner
    violet visa wade walker wall ward watch waters way weaver weeks west white will winter wise wolf
    wood woods worth young
    """.split()  # noqa: SIM905
)
_NAMED = frozenset(
    {"PERSON", "NAME", "FIRST_NAME", "LAST_NAME", "LOCATION", "CITY", "COUNTRY", "EMPLOYER",
     "COMPANY", "ORGANIZATION"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A name in lower case, with what its title tells: `female`, `male`, `learned`.

    Args:
        words: Without titles; a family name with its particles, `van der berg`, is one where it
            stands alone.
    """

    words: tuple[str, ...]
    titles: frozenset[str]

    @classmethod
    def read(cls, surface: str, before: str = "") -> Name:
        """The name that a surface string spells.

        Args:
            before: The text in front of it, where a title may stand.
        """
        whole = canonical(surface)
        words = [bare for word in whole.split() if (bare := word.strip(".,"))] or [whole]
        titles = set(_titles_at_end(canonical(before[-24:]).split()))
        while len(words) > 1 and words[0] in _TITLES:
            titles.add(_TITLES[words.pop(0)])
        if len(words) > 1 and _PARTICLES.issuperset(words[:-1]):
            words = [" ".join(words)]
        return cls(tuple(words), frozenset(titles))

    @property
    def identity(self) -> str:
        """What two mentions have in common; a name in full needs no title."""
        if len(self.words) > 1:
            return " ".join(self.words)
        return ": ".join((*sorted(self.titles), *self.words))

    def may_mean(self, full: Name) -> bool:
        """Whether this is one word of a longer name, or its family name with the particles."""
        if len(self.words) != 1:
            return False
        start = len(full.words) - 1
        while start > 0 and full.words[start - 1] in _PARTICLES:
            start -= 1
        parts = {*full.words, " ".join(full.words[start:])} - _PARTICLES - _SUFFIXES
        return self.words[0] in parts

    def contradicts(self, full: Name, titles: Collection[str]) -> bool:
        """Whether its title is not one of the person with that name in full.

        Args:
            titles: With which that person was seen.
        """
        known = {*titles, *full.titles, _GIVEN.get(full.words[0], "")}
        return (
            (_FEMALE in self.titles and _MALE in known)
            or (_MALE in self.titles and _FEMALE in known)
            or (_LEARNED in self.titles and _LEARNED not in known)
        )


def is_common_word(label: str, value: str) -> bool:
    """Whether a name with a capital, such as Will, is an everyday word in lower case."""
    is_name = label.upper() in _NAMED and value[:1].isupper()
    return is_name and value.lower() in _COMMON_WORDS


def canonical(text: str) -> str:
    """Composed and in lower case: not casefold, for Weiß and Weiss are two people."""
    return unicodedata.normalize("NFC", text).lower()


def _titles_at_end(words: list[str]) -> list[str]:
    titles = []
    while words and (title := _TITLES.get(re.sub(r"^\W+|\.$", "", words.pop()))):
        titles.append(title)
    return titles
