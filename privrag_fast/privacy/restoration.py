"""From placeholders in an answer back to values, whole or as the answer streams in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from privrag_fast.privacy.vault import Vault

if TYPE_CHECKING:
    from privrag_fast.native import Restorer

_PIECE = 16_384


@dataclass(frozen=True, slots=True)
class Restoration:
    """A restored answer.

    Args:
        text: With the values.
        unknown: Placeholders in it that nobody handed out or typed, in order of appearance.
    """

    text: str = field(repr=False)
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, answer: str, vault: Vault, *, json: bool = False) -> Restoration:
        """The restoration of a whole answer; see `restore` and `restore_json`."""
        restorer = StreamRestorer(vault, json=json)
        # In pieces that stay in the cache; any split gives the same.
        pieces = [answer[at : at + _PIECE] for at in range(0, len(answer), _PIECE)]
        text = "".join([*map(restorer.feed, pieces), restorer.flush()])
        return cls(text, restorer.unknown)


def restore(text: str, vault: Vault) -> str:
    """The answer with every placeholder of the vault replaced by its value.

    Read as `[BLOOD_TYPE_1]` is also what models make of it: in square brackets any case, spaces,
    hyphens, backslashes and emphasis; without brackets or in others `BLOOD_TYPE_1`, `BLOOD TYPE 1`
    and `Blood_Type_1`. Words are no placeholders: `age 1`, `Age 1`, `age_1`. The number must be the
    one that was handed out. csrc/placeholders.h has the whole grammar.

    >>> vault = Vault()
    >>> restore(f"Dear {vault.placeholder('PERSON', 'Nora')}!", vault)
    'Dear Nora!'
    """
    return Restoration.of(text, vault).text


def restore_json(text: str, vault: Vault) -> str:
    """Like `restore`, for an answer that is or holds JSON: what parsed before still parses.

    In string literals escapes are read as what they stand for, and values are escaped; everything
    else keeps its spelling.
    """
    return Restoration.of(text, vault, json=True).text


class StreamRestorer:
    """Restores an answer that arrives in pieces; any split gives what `restore` gives.

    Knows the placeholders that the vault held when it was made. Holds text back only while it can
    still become a placeholder.

    Args:
        json: The answer is JSON, such as the arguments of a tool call: see `restore_json`.

    >>> vault = Vault()
    >>> placeholder = vault.placeholder("PERSON", "Nora")
    >>> restorer = StreamRestorer(vault)
    >>> restorer.feed("Dear [PER"), restorer.feed("SON_1]!"), restorer.flush()
    ('Dear ', 'Nora!', '')
    """

    def __init__(self, vault: Vault, *, json: bool = False) -> None:
        self._vault = vault
        self._restorer = _restorer(vault, json=json)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Placeholders in the answer that nobody handed out or typed, in order of appearance."""
        names = (f"[{name}]" for name in self._restorer.unknown)
        return tuple(name for name in names if not self._vault.reserved(name))

    def feed(self, chunk: str) -> str:
        """The text that is certain once this chunk has come; may be empty."""
        return self._restorer.feed(chunk)

    def flush(self) -> str:
        """What was held back, at the end of the answer."""
        return self._restorer.flush()


def spelled(text: str, vault: Vault) -> list[tuple[int, int]]:
    """Spans of a text that restoration would take for placeholders of the vault."""
    return _restorer(vault).find(text)


def _restorer(vault: Vault, *, json: bool = False) -> Restorer:
    from privrag_fast.native import Restorer  # late: it loads llama.cpp too

    return Restorer([(*_name(own), value) for own, value in vault.items()], json=json)


def _name(placeholder: str) -> tuple[str, str, int]:
    label, _, number = placeholder[1:-1].rpartition("_")
    lower = label.lower()
    # Where case changes the length, or does not come back, only capitals are read.
    return (
        label,
        lower if lower.upper() == label and len(lower) == len(label) else label,
        int(number),
    )
