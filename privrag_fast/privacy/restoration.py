"""From placeholders in an answer back to values, whole or as the answer streams in."""

from __future__ import annotations

import json
import re

from privrag_fast.privacy.vault import MAX_TYPE_NAME, Vault

# What stands for an underscore when a model copies a placeholder into prose or Markdown.
_SEPARATOR = r"(?:\\?_|[ \-])"
_PADDING = r"[ *]{0,4}"
_UNISSUED = rf"\[[A-Z][A-Z0-9_]{{0,{MAX_TYPE_NAME}}}_[0-9]{{1,6}}\]"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def restore(text: str, vault: Vault) -> str:
    """The answer with every placeholder of the vault replaced by its value.

    Read as placeholders: `[PERSON_1]`; in brackets also lower case, a space, a hyphen or an escaped
    underscore, escaped brackets and bold; without brackets only the exact token `PERSON_1`.
    What the vault never handed out stays as it is.

    >>> vault = Vault()
    >>> restore(f"Dear {vault.placeholder('PERSON', 'Nora')}!", vault)
    'Dear Nora!'
    """
    restorer = StreamRestorer(vault)
    return restorer.feed(text) + restorer.flush()


def restore_json(text: str, vault: Vault) -> str:
    """Like `restore`, for an answer that is or holds JSON: what parsed before still parses.

    String literals are decoded, restored and encoded again; everything else keeps its bytes.
    """
    pieces: list[str] = []
    end = 0
    for match in _STRING.finditer(text):
        pieces += restore(text[end : match.start()], vault), _restore_literal(match[0], vault)
        end = match.end()
    return "".join([*pieces, restore(text[end:], vault)])


class StreamRestorer:
    """Restores an answer that arrives in pieces; any split gives what `restore` gives.

    Knows the placeholders that the vault held when it was made. Holds text back only while it can
    still become a placeholder.

    >>> vault = Vault()
    >>> placeholder = vault.placeholder("PERSON", "Nora")
    >>> restorer = StreamRestorer(vault)
    >>> restorer.feed("Dear [PER"), restorer.feed("SON_1]!"), restorer.flush()
    ('Dear ', 'Nora!', '')
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._values = {placeholder[1:-1]: value for placeholder, value in vault.items()}
        self._pattern = _pattern(self._values)
        self._starts = {name[:length] for name in self._values for length in range(len(name) + 1)}
        # An escape may double each character; brackets and padding come on top.
        self._longest = 2 * max(map(len, self._values), default=0) + MAX_TYPE_NAME + 16
        self._before = ""
        self._held = ""
        self._unknown: dict[str, None] = {}

    @property
    def unknown(self) -> tuple[str, ...]:
        """Placeholders in the answer that nobody handed out or typed, in order of appearance."""
        return tuple(self._unknown)

    def feed(self, chunk: str) -> str:
        """The text that is certain once this chunk has come; may be empty."""
        self._held += chunk
        return self._release(self._certain())

    def flush(self) -> str:
        """What was held back, at the end of the answer."""
        return self._release(len(self._held))

    def _release(self, end: int) -> str:
        # The character before is only looked at: a token inside a longer word is no placeholder.
        seen = self._before + self._held[:end]
        start = len(self._before)
        self._before, self._held = seen[-1:], self._held[end:]
        pieces: list[str] = []
        for match in self._pattern.finditer(seen, start):
            pieces += seen[start : match.start()], self._restored(match)
            start = match.end()
        return "".join([*pieces, seen[start:]])

    def _restored(self, match: re.Match[str]) -> str:
        found = match["escaped"] or match["bracketed"] or match["bare"]
        if found:
            return self._values[self._issued(found)]
        if not self._vault.reserved(match[0]):
            self._unknown.setdefault(match[0])
        return match[0]

    def _issued(self, found: str) -> str:
        name = re.sub(_SEPARATOR, "_", found)
        return name if name in self._values else _ascii_upper(name)

    def _certain(self) -> int:
        """Where the held text may first be the beginning of something to replace."""
        held = self._held
        for index in range(max(0, len(held) - self._longest), len(held)):
            if self._may_begin(held[index:], held[index - 1] if index else self._before):
                return index
        return len(held)

    def _may_begin(self, tail: str, before: str) -> bool:
        if tail == "\\":
            return True
        if tail.startswith(("[", "\\[")):
            return self._may_begin_bracketed(tail.lstrip("\\")[1:])
        if re.match("[A-Za-z0-9_]", before):
            return False
        return tail.removesuffix("\\").replace("\\_", "_") in self._starts

    def _may_begin_bracketed(self, inside: str) -> bool:
        if re.fullmatch(r"(?:[A-Z][A-Z0-9_]*)?", inside):
            return True
        name = re.sub(_SEPARATOR, "_", inside.strip(" *\\")).strip("_")
        return "]" not in inside and (name in self._starts or _ascii_upper(name) in self._starts)


def _pattern(names: dict[str, str]) -> re.Pattern[str]:
    """One alternative per way to write a placeholder; longer names first.

    Made from the names that exist, so that nothing else is ever consumed.
    """
    ordered = sorted(names, key=len, reverse=True)
    loose = "|".join(_SEPARATOR.join(map(re.escape, name.split("_"))) for name in ordered)
    exact = "|".join(r"\\?_".join(map(re.escape, name.split("_"))) for name in ordered)
    never = "(?!)"
    return re.compile(
        rf"\\\[{_PADDING}(?P<escaped>(?ai:{loose or never})){_PADDING}\\\]"
        rf"|\[{_PADDING}(?P<bracketed>(?ai:{loose or never})){_PADDING}\\?\]"
        rf"|(?<![A-Za-z0-9_])(?P<bare>{exact or never})(?![A-Za-z0-9_]|\\_)"
        rf"|{_UNISSUED}"
    )


def _restore_literal(literal: str, vault: Vault) -> str:
    try:
        string = json.loads(literal, strict=False)
    except ValueError:
        return restore(literal, vault)
    restored = restore(string, vault)
    return literal if restored == string else json.dumps(restored, ensure_ascii=False)


def _ascii_upper(text: str) -> str:
    return "".join(c.upper() if c.isascii() else c for c in text)
