"""Which values may be sent. The policy outranks what was measured."""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from privrag_fast.privacy.scripts import SCRIPTS
from privrag_fast.privacy.vault import LITERAL, type_name
from privrag_fast.types import Attribute, Decision, Influence, InputError

# Nats that keep 97 % of the decisive values of the benchmark's dev split and more, with the default
# models: where reasons without values are the reference answer, and with drafts (90 questions).
# `privrag-fast calibrate` finds others.
DEFAULT_THRESHOLD = 0.13
DEFAULT_DRAFT_THRESHOLD = 1.68

DEFAULT_GUESS_THRESHOLD = 0.025
"""Probability that keeps all of them where the prior decides alone."""

DIRECT_IDENTIFIERS = frozenset(
    {"PERSON", "EMAIL", "PHONE", "IBAN", "CARD", "SSN", "ID", "ADDRESS", "URL", "IP"}
)


Fail = Literal["block", "abstract"]
Unsure = Literal["measured", "keep", "abstract"]
Way = Literal["never", "always", "auto", "abstract"]

UNREAD = "TEXT"
"""Label of words in a script of none of the policy's languages; never sent."""

_THRESHOLDS = ("threshold", "draft_threshold", "guess_threshold")
_LISTS = ("never", "always", "abstract")
_LABELS = (*_LISTS, "generalize")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is never sent, what always is, and the influence from which the rest is.

    A label in none of `never`, `always` and `abstract` is `auto`: its influence decides.

    Args:
        threshold: In nats; an attribute whose influence reaches it is kept.
        draft_threshold: The same where the local model drafted the reference answer.
        thresholds, draft_thresholds: Instead of those, for single labels.
        guess_threshold: The probability of need from which an attribute is kept where the prior
            decides alone.
        never: Labels of which nothing is sent, whatever they influence.
        always: Labels that are sent whatever they influence.
        abstract: Labels whose values are not sent; what `generalize` makes of them may be.
        generalize: Labels of which the least precise form that keeps the answer is sent instead
            of the value: `60-69`, `Switzerland`, `80k-90k`.
        synonyms: Type name -> other type names that are read as it.
        languages: ISO 639-1 codes of what users write, told apart by script; empty for any. A
            word in another script is one that detection was not made for.
        fail: What becomes of a message when the local model fails, or with a word in a script of
            no listed language: `block` raises; `abstract` withholds what could not be judged.
            Where detection fails nothing is ever sent.
        unsure: What becomes of a value that all its substitutes left near its threshold: what was
            measured decides, or it is kept, or withheld.

    Raises:
        InputError: Names the field and what is wrong with it.
    """

    threshold: float = DEFAULT_THRESHOLD
    draft_threshold: float = DEFAULT_DRAFT_THRESHOLD
    thresholds: Mapping[str, float] = field(default_factory=dict, hash=False)
    draft_thresholds: Mapping[str, float] = field(default_factory=dict, hash=False)
    guess_threshold: float = DEFAULT_GUESS_THRESHOLD
    never: frozenset[str] = DIRECT_IDENTIFIERS
    always: frozenset[str] = frozenset()
    abstract: frozenset[str] = frozenset()
    generalize: frozenset[str] = frozenset()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    languages: tuple[str, ...] = ()
    fail: Fail = "block"
    unsure: Unsure = "measured"

    def __post_init__(self) -> None:
        for name in ("threshold", "draft_threshold"):
            _check_nats(name, getattr(self, name))
            by_label = _by_label(f"{name}s", getattr(self, f"{name}s"))
            object.__setattr__(self, f"{name}s", by_label)
        _check_probability("guess_threshold", self.guess_threshold)
        for name in _LABELS:
            object.__setattr__(self, name, _labels(name, getattr(self, name)))
        object.__setattr__(self, "synonyms", _synonyms(self.synonyms))
        object.__setattr__(self, "languages", _languages(self.languages))
        _check_choice("fail", self.fail, get_args(Fail))
        _check_choice("unsure", self.unsure, get_args(Unsure))
        self._check_labels()

    def _check_labels(self) -> None:
        for one, other in itertools.combinations(_LISTS, 2):
            if both := sorted(getattr(self, one) & getattr(self, other)):
                raise PolicyError(other, f"holds labels that are both {one} and {other}", both)
        for name in ("never", "always"):
            if both := sorted(self.generalize & getattr(self, name)):
                message = f"holds labels that are {name} sent; make them abstract instead"
                raise PolicyError("generalize", message, both)
        for name in (*_LABELS, "thresholds", "draft_thresholds"):
            if known := sorted(set(getattr(self, name)) & set(self._canonical())):
                wanted = self.label_of(known[0])
                raise PolicyError(name, f"must name {wanted} instead of its synonym", known)

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """The policy in a TOML file, whose keys are the fields of this class.

        Beside them `[labels]` says for single labels what becomes of them, whatever the lists
        say: `CITY = "auto"`, `INCOME = "never"`.

        Raises:
            InputError: It cannot be read; names line and key.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
            data = tomllib.loads(text)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read: give the path of a policy file") from error
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path} is not TOML: {error}") from None
        try:
            return cls(**_fields(data, [own.name for own in fields(cls)]))
        except PolicyError as error:
            line = _line(text, error.key)
            where = f"{path}, line {line}," if line else f"{path}:"
            raise InputError(f"{where} {error}") from None

    def to_toml(self) -> str:
        """What `read` reads."""
        lines = [f"{name} = {float(getattr(self, name))}" for name in _THRESHOLDS]
        lines += [f"{name} = {json.dumps(getattr(self, name))}" for name in ("fail", "unsure")]
        lines += [f"languages = {_toml_list(self.languages)}"]
        lines += [f"{name} = {_toml_list(sorted(getattr(self, name)))}" for name in _LABELS]
        for name in ("thresholds", "draft_thresholds"):
            lines += _toml_table(name, getattr(self, name))
        rows = {name: _toml_list(others) for name, others in self.synonyms.items()}
        lines += _toml_table("synonyms", rows)
        return "\n".join(lines) + "\n"

    def label_of(self, label: str) -> str:
        """The type name that a label is read as."""
        name = type_name(label)
        return self._canonical().get(name, name)

    def _canonical(self) -> dict[str, str]:
        return {other: name for name, others in self.synonyms.items() for other in others}

    def threshold_of(self, label: str) -> float:
        """The influence from which an attribute of this type is kept."""
        return self.thresholds.get(self.label_of(label), self.threshold)

    def for_draft(self) -> Policy:
        """The same policy, with the thresholds of drafts as its thresholds."""
        return replace(self, threshold=self.draft_threshold, thresholds=self.draft_thresholds)

    def way(self, label: str) -> Way:
        """What becomes of the values of a label."""
        name = self.label_of(label)
        if name in self.never or name in (UNREAD, LITERAL):
            return "never"
        if name in self.always:
            return "always"
        return "abstract" if name in self.abstract else "auto"

    def generalizes(self, label: str) -> bool:
        """True where a less precise form may be sent instead of a value."""
        return self.label_of(label) in self.generalize

    def settles(self, label: str) -> bool:
        """True where influence changes nothing, so that it need not be measured."""
        way = self.way(label)
        return way in ("never", "always") or (way == "abstract" and not self.generalizes(label))


class PolicyError(InputError):
    """A field of a policy that cannot be used.

    Args:
        key: The field, or `field.label`.
        labels: Those that it is about.
    """

    def __init__(self, key: str, message: str, labels: Sequence[str] = ()) -> None:
        super().__init__(f"{key} {message}" + (f": {', '.join(labels)}" if labels else ""))
        self.key = key


def decide(
    attributes: Sequence[Attribute],
    influences: Mapping[str, Influence],
    policy: Policy,
    *,
    limits: Mapping[str, float] | None = None,
    guessed: Mapping[str, bool] | None = None,
    undecidable: str | None = None,
) -> tuple[Decision, ...]:
    """One decision per attribute, in the same order.

    Args:
        influences: By placeholder; what is missing stays abstracted.
        limits: By placeholder, instead of the policy's threshold.
        guessed: By placeholder, what is so clear beforehand that it was not measured.
        undecidable: Why nothing, or not everything, was measured; the reason of those decisions.
    """
    missing = undecidable or "not measured"
    limits, guessed = limits or {}, guessed or {}
    return tuple(
        _decide(
            attribute,
            influences.get(attribute.placeholder),
            policy,
            missing,
            limits.get(attribute.placeholder, policy.threshold_of(attribute.label)),
            guessed.get(attribute.placeholder),
        )
        for attribute in attributes
    )


def _decide(
    attribute: Attribute,
    influence: Influence | None,
    policy: Policy,
    missing: str,
    limit: float,
    guessed: bool | None,
) -> Decision:
    way = policy.way(attribute.label)
    if way == "never":
        return Decision(attribute, False, "never", influence)
    if way == "always":
        return Decision(attribute, True, "always", influence)
    if way == "abstract" and not policy.generalizes(attribute.label):
        return Decision(attribute, False, "abstract", influence)
    kept = way == "auto"
    if guessed is not None:
        return Decision(attribute, kept and guessed, "prior")
    if influence is None or math.isnan(influence.influence):
        return Decision(attribute, False, missing, influence)
    if not influence.clear and policy.unsure != "measured":
        return Decision(attribute, kept and policy.unsure == "keep", "unsure", influence)
    if influence.influence < limit:
        return Decision(attribute, False, "no influence", influence)
    return Decision(attribute, kept, "influence" if kept else "abstract", influence)


# --------------------------------------------------------------------------- checks


def _check_choice(key: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        others = f"{', '.join(choices[:-1])} or {choices[-1]}"
        raise PolicyError(key, f"must be {others}, got {value!r}")


def _check_nats(key: str, value: object) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or math.isnan(value):  # type: ignore[arg-type]
        raise PolicyError(key, f"must be a number of nats, got {value!r}")


def _check_probability(key: str, value: object) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:  # type: ignore[operator]
        raise PolicyError(key, f"must be a probability, from 0 to 1, got {value!r}")


def _by_label(key: str, thresholds: object) -> dict[str, float]:
    for label, value in _checked_table(key, thresholds, "labels to nats").items():
        _check_nats(f"{key}.{label}", value)
    return {_name(key, label): float(value) for label, value in thresholds.items()}  # type: ignore[attr-defined]


def _synonyms(synonyms: object) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for label, others in _checked_table("synonyms", synonyms, "a label to other labels").items():
        key = f"synonyms.{label}"
        name, names = _name(key, label), tuple(sorted(_labels(key, others)))
        if again := sorted((taken | {name}) & set(names)):
            raise PolicyError(key, "holds what is the synonym of another label", again)
        taken.update(names)
        found[name] = names
    if chained := sorted(taken & set(found)):
        raise PolicyError(f"synonyms.{chained[0]}", "is itself a synonym: give its to the other")
    return found


def _languages(languages: object) -> tuple[str, ...]:
    codes = tuple(_checked_strings("languages", languages, "codes such as 'en'"))
    for code in codes:
        if code not in SCRIPTS:
            raise PolicyError("languages", f"must be among {', '.join(sorted(SCRIPTS))}", [code])
    return codes


def _labels(key: str, labels: object) -> frozenset[str]:
    return frozenset(_name(key, own) for own in _checked_strings(key, labels, "such as 'PERSON'"))


def _name(key: str, label: str) -> str:
    try:
        return type_name(label)
    except InputError as error:
        raise PolicyError(key, str(error)) from None


def _checked_strings(key: str, strings: object, what: str) -> list[str]:
    # A bare string would be taken for its letters and protect nothing.
    if not isinstance(strings, (set, frozenset, list, tuple)):
        raise PolicyError(key, f"must be a list of strings, {what}, got {type(strings).__name__}")
    if wrong := [type(own).__name__ for own in strings if not isinstance(own, str)]:
        raise PolicyError(key, f"must hold strings, {what}, got {wrong[0]}")
    return list(strings)


def _checked_table(key: str, table: object, what: str) -> Mapping[str, Any]:
    if not isinstance(table, Mapping):
        raise PolicyError(key, f"must map {what}, got {type(table).__name__}")
    if wrong := [type(own).__name__ for own in table if not isinstance(own, str)]:
        raise PolicyError(key, f"must map {what}, got a key of type {wrong[0]}")
    return table


# --------------------------------------------------------------------------- files


def _fields(data: dict[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """The arguments of `Policy` in what a file holds: `[labels]` amends the lists."""
    ways = _checked_table("labels", data.pop("labels", {}), "labels to what becomes of them")
    for key in data:
        if key not in known:
            raise PolicyError(key, f"is no key of a policy; known are labels, {', '.join(known)}")
    lists = {name: set(_labels(name, data.get(name, ()))) for name in _LISTS}
    if "never" not in data:
        lists["never"] = set(DIRECT_IDENTIFIERS)
    for label, way in ways.items():
        if way not in get_args(Way):
            message = f"must be one of {', '.join(get_args(Way))}, got {way!r}"
            raise PolicyError(f"labels.{label}", message)
        for name, own in lists.items():
            own.discard(_name(f"labels.{label}", label))
            if name == way:
                own.add(type_name(label))
    return {**data, **lists}


def _line(text: str, key: str) -> int | None:
    """The line that a key, or a key of a table, stands in; the table's where it cannot be told."""
    table, _, label = key.partition(".")
    within, found = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            within = header[1]
        name = re.match(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*(?:\.|=)""", line)
        own = next(filter(None, name.groups()), "") if name else ""
        if label and (within, own) == (table, label):
            return number
        if found is None and table in (within, own) and (within == table or not within):
            found = number
    return found


def _toml_list(strings: Iterable[str]) -> str:
    return json.dumps(list(strings), ensure_ascii=False)


def _toml_table(name: str, values: Mapping[str, object]) -> list[str]:
    # A JSON string is a TOML string: labels may hold letters that bare keys must not.
    rows = [f"{json.dumps(key, ensure_ascii=False)} = {values[key]}" for key in sorted(values)]
    return ["", f"[{name}]", *rows] if rows else []
