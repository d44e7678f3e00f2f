"""From spans to attributes, and from a message to what may leave.

Replacement is by span, in one pass: never by searching for a value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from privrag_fast.articles import agreeing, article, article_before, is_english
from privrag_fast.privacy.names import is_common_word
from privrag_fast.privacy.restoration import spelled
from privrag_fast.privacy.styles import DEFAULT_STYLE, Style, closed_up, standing_for
from privrag_fast.privacy.vault import LITERAL, Vault, core, type_name
from privrag_fast.types import Attribute, Entity, InputError, SafeText

_TITLE = 24  # characters in front of a name in which its title may stand
_MIN_LEAK = 3
_MIN_LEAK_UNSPACED = 2
# Thai to Khmer, kana, Han: scripts that put no space between words, so every place is a boundary.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


def attributes(text: str, entities: Sequence[Entity], vault: Vault) -> tuple[Attribute, ...]:
    """Group the mentions of each value, in reading order.

    A mention is narrowed to its value: white space, punctuation and the possessive stay outside.
    What the text holds that looks like a placeholder is reserved first. A person's mentions may
    name parts of the name (see `Vault.placeholder`); the longest is the attribute's value. One that
    is spelled like a placeholder that was issued before is only what `literals` finds.

    Raises:
        InputError: An entity is empty, lies outside the text, or overlaps another.
    """
    ordered = sorted(entities, key=lambda entity: entity.start)
    _check_spans(text, ordered)
    vault.reserve(text)
    mentions: dict[str, list[Entity]] = {}
    narrowed = [_as_literal(text, _narrow(text, entity), vault) for entity in ordered]
    values = {mention.value(text): None for mention in narrowed}
    for mention in narrowed:
        before = text[max(0, mention.start - _TITLE) : mention.start]
        placeholder = vault.placeholder(
            mention.label, mention.value(text), before=before, among=values
        )
        mentions.setdefault(placeholder, []).append(mention)
    return tuple(
        Attribute(
            found[0].label,
            max((mention.value(text) for mention in found), key=len),
            placeholder,
            tuple(found),
        )
        for placeholder, found in mentions.items()
    )


def literals(text: str, entities: Sequence[Entity], vault: Vault) -> list[Entity]:
    """What a text spells between its entities that restoration would take for a placeholder.

    Reserving is too late for what was issued before. With these among the entities of a message,
    or of a passage, it too becomes a placeholder, and comes back as it was spelled.
    """
    found: list[Entity] = []
    # Once more after each find: what stands beside it then stands beside a bracket.
    while more := [
        Entity(start + a, start + b, LITERAL, source="literal")
        for start, end in _gaps(text, [*entities, *found])
        for a, b in spelled(text[start:end], vault)
    ]:
        found += more
    return sorted(found, key=lambda literal: literal.start)


def abstract(text: str, attributes: Sequence[Attribute], style: Style = DEFAULT_STYLE) -> SafeText:
    """The message for retrieval: each mention becomes what its label stands for, or nothing.

    Where dropping would leave no word, or bring two parts together that read like a value, type
    names stand after all.

    >>> found = attributes("in Zurich", [Entity(3, 9, "CITY")], Vault())
    >>> abstract("in Zurich", found), abstract("in Zurich", found, "type")
    ('in', 'in CITY')
    """
    told = _splice(text, attributes, lambda own, _: standing_for(own.label, style) or " ")
    if style != "dropped" or not attributes:
        return SafeText(told)
    dropped = closed_up(told)
    if re.search(r"\w", dropped) and not leaks(dropped, attributes):
        return SafeText(dropped)
    return abstract(text, attributes, "type")


def abstract_found(text: str, entities: Sequence[Entity], style: Style = DEFAULT_STYLE) -> SafeText:
    """`abstract` of all mentions of what was found in a text that belongs to no conversation."""
    return abstract(text, cover(text, attributes(text, entities, Vault())), style)


def redact(text: str, attributes: Sequence[Attribute], keep: Collection[str] = frozenset()) -> str:
    """The message for generation: placeholders, but for those in `keep`.

    Args:
        keep: Placeholders whose values stand as they were written.

    Raises:
        InputError: `keep` names a placeholder that no attribute has.
    """
    if not set(keep) <= {attribute.placeholder for attribute in attributes}:
        raise InputError("keep must hold placeholders of the attributes given, such as [AGE_1]")
    withheld = [attribute for attribute in attributes if attribute.placeholder not in keep]
    return _splice(text, withheld, lambda attribute, _: attribute.placeholder)


def substitute(text: str, attribute: Attribute, value: str) -> str:
    """The message with another value at every mention of one attribute.

    A mention that is written in another case than the attribute's value, or names part of it, gets
    the substitute in that case or that part of it too. An article in front of it agrees with it.

    >>> text = "I am a nurse and can pay."
    >>> substitute(text, attributes(text, [Entity(7, 12, "JOB")], Vault())[0], "actor")
    'I am an actor and can pay.'
    """
    lead = _agreeing if is_english(text) else _as_it_is
    return _splice(
        text, [attribute], lambda own, surface: _in_form_of(surface, own.value, value), lead
    )


def leaks(text: str, attributes: Iterable[Attribute]) -> tuple[Attribute, ...]:
    """Which of these withheld attributes can still be read in a text that is to leave.

    Looks for whole words without regard to case or to how white space is laid out; values shorter
    than three characters (two in scripts without spaces) are too common to tell, and what was only
    spelled like a placeholder hides nothing. A name that is a common word, such as Will, is not
    looked for in lower case, unless the text has no capitals at all.
    """
    withheld = tuple(own for own in attributes if own.label != LITERAL)
    names = {type_name(attribute.label) for attribute in withheld}
    folded = _Folded(text)
    return tuple(
        attribute
        for attribute in withheld
        if any(text[a:b] not in names for a, b in folded.find(attribute))
    )


def cover(text: str, attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """The attributes with every further occurrence of their values as a mention.

    The cure for `leaks`: longer values first, and never across a span that is taken.
    """
    taken = [mention for attribute in attributes for mention in attribute.mentions]
    _check_spans(text, sorted(taken, key=lambda mention: mention.start))
    folded = _Folded(text)
    more: dict[str, list[Entity]] = {}
    for attribute in sorted(attributes, key=lambda own: -len(own.value)):
        for start, end in folded.find(attribute):
            if not any(start < other.end and other.start < end for other in taken):
                mention = Entity(start, end, attribute.label, source="repeat")
                taken.append(mention)
                more.setdefault(attribute.placeholder, []).append(mention)
    return tuple(_with_mentions(own, more.get(own.placeholder, [])) for own in attributes)


# --------------------------------------------------------------------------- spans


def _check_spans(text: str, ordered: Sequence[Entity]) -> None:
    end = 0
    for entity in ordered:
        if not 0 <= entity.start < entity.end <= len(text):
            raise InputError(
                f"spans must be non-empty and lie in [0, {len(text)}],"
                f" got [{entity.start}, {entity.end})"
            )
        if entity.start < end:
            raise InputError(
                f"spans must be disjoint, but [{entity.start}, {entity.end}) starts before {end};"
                " resolve overlaps in the detector"
            )
        end = entity.end


def _gaps(text: str, entities: Sequence[Entity]) -> Iterator[tuple[int, int]]:
    start = 0
    for entity in sorted(entities, key=lambda entity: entity.start):
        yield start, entity.start
        start = entity.end
    yield start, len(text)


def _narrow(text: str, entity: Entity) -> Entity:
    start, end = core(entity.label, entity.value(text))
    return replace(entity, start=entity.start + start, end=entity.start + end)


def _as_literal(text: str, mention: Entity, vault: Vault) -> Entity:
    issued = f"[{mention.value(text).strip('[]').upper()}]" in vault
    return replace(mention, label=LITERAL) if issued else mention


def _with_mentions(attribute: Attribute, more: list[Entity]) -> Attribute:
    mentions = sorted([*attribute.mentions, *more], key=lambda mention: mention.start)
    return replace(attribute, mentions=tuple(mentions))


def _as_it_is(before: str, old: str, new: str) -> str:
    return before


def _agreeing(before: str, old: str, new: str) -> str:
    """The text before, where its article was right for the old words, with the new ones'."""
    return agreeing(before, new) if article_before(before) == article(old) else before


def _splice(
    text: str,
    attributes: Iterable[Attribute],
    new: Callable[[Attribute, str], str],
    lead: Callable[[str, str, str], str] = _as_it_is,
) -> str:
    """The text with a new surface for each mention, and a new lead for what stands before it."""
    mentioned = [own for own in attributes if own.mentions]
    placed = [(mention, own) for own in mentioned for mention in own.mentions]
    placed.sort(key=lambda pair: pair[0].start)
    _check_spans(text, [mention for mention, _ in placed])
    # One mention is enough: two parts of a name, Laura and Meier, have no word in common.
    if not all(any(_may_mean(m.value(text), own.value) for m in own.mentions) for own in mentioned):
        raise InputError("the mentions belong to another text; pass the one they were found in")
    pieces: list[str] = []
    end = 0
    for mention, own in placed:
        surface = mention.value(text)
        told = new(own, surface)
        pieces += lead(text[end : mention.start], surface, told), told
        end = mention.end
    return "".join([*pieces, text[end:]])


def _may_mean(surface: str, value: str) -> bool:
    ours, theirs = (re.findall(r"\w+", fold(text)) for text in (surface, value))
    return fold(surface) == fold(value) or not set(ours).isdisjoint(theirs)


def _in_form_of(surface: str, original: str, value: str) -> str:
    if surface == original:
        return value
    words, all_words, parts = fold(surface).split(), fold(original).split(), value.split()
    if len(words) < len(all_words) and parts:
        value = parts[0 if words[-1] == all_words[0] else -1]
    if surface.isupper():
        return value.upper()
    if surface.islower():
        return value.lower()
    if surface[:1].isupper():
        return value[:1].upper() + value[1:]
    return value


# --------------------------------------------------------------------------- whole words


def fold(text: str) -> str:
    """Composed, without case, with single spaces: what is equal then may be one value."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans of characters with the marks that belong to them."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not (
            unicodedata.combining(text[index]) or "\u1160" <= text[index] <= "\u11ff"
        ):
            yield start, index
            start = index


class _Folded:
    """A composed text without case and with single spaces, that knows where it came from."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._tells_case = text != text.lower()
        folded: list[str] = []
        self._origin: list[tuple[int, int]] = []
        for start, end in _clusters(text):
            cluster = unicodedata.normalize("NFC", text[start:end]).casefold()
            plain = " " if cluster.isspace() else cluster
            if plain == " " and folded[-1:] == [" "]:
                continue
            folded.extend(plain)
            self._origin.extend([(start, end)] * len(plain))
        self._text = "".join(folded)

    def find(self, attribute: Attribute) -> Iterator[tuple[int, int]]:
        """Spans, in the original text, where the value stands as a whole word."""
        wanted = fold(attribute.value)
        is_word = self._tells_case and is_common_word(attribute.label, attribute.value)
        if len(wanted) < (_MIN_LEAK_UNSPACED if _UNSPACED.search(wanted) else _MIN_LEAK):
            return
        for match in re.finditer(re.escape(wanted), self._text):
            start, end = self._origin[match.start()][0], self._origin[match.end() - 1][1]
            if self._is_whole(match.start(), match.end()) and not (
                is_word and self._original[start:end].islower()
            ):
                yield start, end

    def _is_whole(self, start: int, end: int) -> bool:
        text = self._text
        return not (
            _continues(text[start], text[max(0, start - 2) : start][::-1])
            or _continues(text[end - 1], text[end : end + 2])
        )


def _continues(edge: str, beyond: str) -> bool:
    """Whether the word that `edge` ends goes on in `beyond`, which is read away from the edge."""
    if not beyond or not _is_word(edge) or _UNSPACED.match(edge):
        return False
    if _is_word(beyond[0]):
        return not _UNSPACED.match(beyond[0])
    # 54,000 is no whole number inside 54,000,000.
    return edge.isdigit() and beyond[0] in ".,'’" and beyond[1:2].isdigit()


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
