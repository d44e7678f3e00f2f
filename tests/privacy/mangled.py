"""How language models spell [BLOOD_TYPE_1] when they repeat it, and what merely looks like it.

Generated over kinds: each way to mangle, in each sentence, over labels and numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from privrag_fast.privacy import Vault

VALUES = {
    "PERSON": [f"Person Nr{number}" for number in range(1, 13)],
    "LOCATION": [f"Place Nr{number}" for number in range(1, 13)],
    "BLOOD_TYPE": [f"Type Nr{number}" for number in range(1, 13)],
    "DATE_OF_BIRTH": [f"Day Nr{number}" for number in range(1, 13)],
}


def vault() -> Vault:
    made = Vault()
    for label, values in VALUES.items():
        for value in values:
            made.placeholder(label, value)
    return made


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _hyphened(name: str) -> str:
    return name.replace("_", "-")


def _title(name: str) -> str:
    return "_".join(map(str.capitalize, name.split("_")))


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _digits(name: str, zero: int) -> str:
    return "".join(chr(zero + int(c)) if c.isdigit() else c for c in name)


def _last_gap(name: str, gap: str) -> str:
    return gap.join(name.rsplit("_", 1))


# What becomes of LABEL_1; and what is put around its value in turn.
KINDS: dict[str, tuple[Callable[[str], str], str]] = {
    "as it was": (lambda n: f"[{n}]", "{}"),
    "no brackets": (lambda n: n, "{}"),
    "no brackets, escaped": (_escaped, "{}"),
    "no brackets, title case": (_title, "{}"),
    "no brackets, capitals with spaces": (_spaced, "{}"),
    "no brackets, capitals with hyphens": (_hyphened, "{}"),
    "no brackets, bold": (lambda n: f"**{n}**", "**{}**"),
    "no brackets, code": (lambda n: f"`{n}`", "`{}`"),
    "no brackets, emphasis of underscores": (lambda n: f"_{n}_", "_{}_"),
    "no brackets, strong of underscores": (lambda n: f"__{n}__", "__{}__"),
    "parentheses": (lambda n: f"({n})", "({})"),
    "quotes": (lambda n: f'"{n}"', '"{}"'),
    "lower case": (lambda n: f"[{n.lower()}]", "{}"),
    "title case": (lambda n: f"[{_title(n)}]", "{}"),
    "spaces": (lambda n: f"[{_spaced(n)}]", "{}"),
    "hyphens": (lambda n: f"[{_hyphened(n)}]", "{}"),
    "title case with spaces": (lambda n: f"[{_spaced(_title(n))}]", "{}"),
    "lower case with spaces": (lambda n: f"[{_spaced(n.lower())}]", "{}"),
    "space before the number": (lambda n: f"[{_last_gap(n, ' ')}]", "{}"),
    "nothing before the number": (lambda n: f"[{_last_gap(n, '')}]", "{}"),
    "no-break space": (lambda n: f"[{_last_gap(n, chr(0xA0))}]", "{}"),
    "non-breaking hyphen": (lambda n: f"[{_last_gap(n, chr(0x2011))}]", "{}"),
    "padding": (lambda n: f"[ {n} ]", "{}"),
    "bold": (lambda n: f"**[{n}]**", "**{}**"),
    "emphasis": (lambda n: f"*[{n}]*", "*{}*"),
    "emphasis of underscores": (lambda n: f"_[{n}]_", "_{}_"),
    "code": (lambda n: f"`[{n}]`", "`{}`"),
    "bold inside": (lambda n: f"[**{n}**]", "{}"),
    "code inside": (lambda n: f"[`{n}`]", "{}"),
    "emphasis for underscores": (lambda n: f"[{n.replace('_', '*')}]", "{}"),
    "escaped": (lambda n: rf"\[{_escaped(n)}\]", "{}"),
    "escaped brackets": (lambda n: rf"\[{n}\]", "{}"),
    "escaped underscores": (lambda n: f"[{_escaped(n)}]", "{}"),
    "bold and escaped": (lambda n: rf"**\[{_escaped(n)}\]**", "**{}**"),
    "full width": (lambda n: _wide(f"[{n}]"), "{}"),
    "full-width brackets": (lambda n: f"［{n}］", "{}"),
    "full-width digits": (lambda n: f"[{_digits(n, 0xFF10)}]", "{}"),
    "Arabic digits": (lambda n: f"[{_digits(n, 0x660)}]", "{}"),
    "lenticular brackets": (lambda n: f"【{n}】", "{}"),
    "lenticular brackets, spaces": (lambda n: f"【{_spaced(n)}】", "{}"),
    "tortoise brackets": (lambda n: f"〔{n}〕", "{}"),
    "guillemets": (lambda n: f"«{n}»", "{}"),
    "guillemets with spaces": (lambda n: f"«\u00a0{n}\u00a0»", "{}"),
    "guillemets, title case": (lambda n: f"«{_title(n)}»", "{}"),
    "guillemets the other way": (lambda n: f"»{n}«", "{}"),
    "corner brackets": (lambda n: f"「{n}」", "{}"),
    "book brackets": (lambda n: f"《{n}》", "{}"),
    "angle brackets": (lambda n: f"<{n}>", "{}"),
    "braces": (lambda n: f"{{{n}}}", "{}"),
    "two braces": (lambda n: f"{{{{{n}}}}}", "{}"),
    "two braces with spaces": (lambda n: f"{{{{ {n} }}}}", "{}"),
    "doubled brackets": (lambda n: f"[[{n}]]", "[{}]"),
    "one bracket lost": (lambda n: f"[{n}", "[{}"),
    "possessive": (lambda n: f"[{n}]'s", "{}'s"),
    "possessive, no brackets": (lambda n: f"{n}'s", "{}'s"),
    "possessive, lower case": (lambda n: f"[{n.lower()}]’s", "{}’s"),
}  # fmt: skip

SENTENCES = [
    "Dear {}, your file is with us.",
    "We wrote to {} and to {}; both may answer.",
    "答えは{}です。",
    "- {}\n- {}: ja\n",
    "| {} | {} |",
    "So it is {}",
    "{}",
]

WORDS = [
    "See person 1 and location 12 on the plan.",
    "Age 1 to 3: Person 1 pays half; Location 12 is closed.",
    "At location 1, blood type 1 was found.",
    "The variables person_1 and location_12 hold them.",
    "for row in rows: print(row[person_1], table[location 2])",
    'f"{person_1} lives in {location_2}"',
    "personal 1, PERSONS 1, PERSON, PERSON_, [PERSON], PERSON #1",
    "PERSON 1.5 or PERSON 1,000 or PERSON 1-2 or PERSON 10%",
    "[PERSON_01] [PERSON_1_1] [PERSON_1a] X_PERSON_1 PERSON_1_2 PERSON_1X PERSON1 PERSON.1",
    "[PERSONA_1] [PERSO_1] [ERSON_1] [PERSON_13] [PERSON_0] PERSON_100 [LOCATIONS_2]",
    "«person 1» «Location 2» <person_1> {person_1} 「person 1」",
    "[1] [2, 12] [a_1] [see location 12] [person] [location 12, p. 3]",
    "location12 and Location12 and LOCATION12, blood-type-1, Blood-Type-1",
]
"""Of the vault above nothing is meant here."""


def answers() -> Iterator[tuple[str, str, str]]:
    """Kind, mangled answer, answer as it is meant."""
    names = [
        (f"{label}_{number}", VALUES[label][number - 1])
        for label, number in itertools.product(VALUES, (1, 2, 12))
    ]
    for (kind, (mangle, around)), (place, sentence) in itertools.product(
        KINDS.items(), enumerate(SENTENCES)
    ):
        (one, value), (other, second) = names[place % 12], names[(place * 5 + 7) % 12]
        yield (
            kind,
            sentence.format(mangle(one), mangle(other)),
            sentence.format(around.format(value), around.format(second)),
        )
