"""JSON in texts: escapes are undone, so that values can be found, and made again afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

_PLACEHOLDER = re.compile(r"\[[^\W\d]\w*_[0-9]+\]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_STRING_OR_SCALAR = re.compile(
    rf'{_STRING.pattern}|(?:[^\s,:{{}}\[\]"]|{_PLACEHOLDER.pattern})+', re.DOTALL
)
# An object or list as far as its first member, which tells prose from most of it.
_BEGIN = re.compile(
    rf"\[\s*(?:[\[{{\]]|(?:{_STRING.pattern}|[-+.\w]+)\s*[,\]])|\{{\s*(?:\}}|{_STRING.pattern}\s*:)",
    re.DOTALL,
)
_CODES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([nrtbfv\\]))")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "\\": "\\\\"}
_UNESCAPED = re.compile(r"[\x00-\x1f]")
_DECODER = json.JSONDecoder(strict=False)
# So many times the length of a text is read in vain; an error counts the lines before it.
_PATIENCE, _COUNTED_AT_ONCE = 20, 64


def readable(text: str) -> str:
    r"""Without the escapes that hide a value from detection: `\nNora` reads like `nNora`.

    In JSON, wherever it stands, and in JSON in its strings, only quotes and backslashes stay
    escaped; `quoted` makes the rest again. Elsewhere `\uXXXX` becomes its character, and in data
    that is no JSON, such as Python's, so do line ends and the like.
    """
    if "\\" not in text:
        return text
    if _is_string(text):
        return _opened(text)
    is_data = text.lstrip().startswith(("{", "["))
    return _mapped(
        text,
        lambda own: _STRING.sub(lambda string: _opened(string[0]), own),
        lambda other: _plain(other, is_data=is_data),
    )


def quoted(text: str, *, numbers: bool = True) -> str:
    """The text with what makes JSON of its JSON again, once values are out of it.

    Args:
        numbers: A placeholder that took the place of a number becomes a string.
    """
    if _is_string(text):
        return _closed(text, numbers)
    return _mapped(
        text, lambda own: _STRING_OR_SCALAR.sub(lambda told: _closed(told[0], numbers), own)
    )


def _opened(string: str) -> str:
    if "\\" not in string:
        return string
    content = _of_string(string, readable)
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _closed(own: str, numbers: bool) -> str:
    if not own.startswith('"'):
        return f'"{own}"' if numbers and "[" in own else own
    if not (_UNESCAPED.search(own) or (numbers and _PLACEHOLDER.search(own))):
        return own
    content = _of_string(own, lambda text: quoted(text, numbers=numbers))
    return json.dumps(content, ensure_ascii=False)


def _of_string(string: str, change: Callable[[str], str]) -> str:
    """What a JSON string says, changed; that it quotes a string does not make JSON of it."""
    content = str(json.loads(string, strict=False))
    return content if _is_string(content) else change(content)


def _plain(text: str, *, is_data: bool) -> str:
    if is_data:
        text = _ESCAPE.sub(lambda own: chr(int(own[1], 16)) if own[1] else _ESCAPED[own[2]], text)
    return _CODES.sub(lambda codes: str(json.loads(f'"{codes[0]}"')), text)


# --------------------------------------------------------------------------- where JSON stands


def _is_string(text: str) -> bool:
    """Whether the text is one JSON string and nothing else."""
    if not text.startswith('"'):
        return False
    try:
        return isinstance(json.loads(text, strict=False), str)
    except ValueError:
        return False


def _mapped(
    text: str, json_: Callable[[str], str], other: Callable[[str], str] = lambda text: text
) -> str:
    """The text with its JSON and what stands between it changed."""
    pieces: list[str] = []
    end = 0
    for start, stop in _json(text):
        pieces += other(text[end:start]), json_(text[start:stop])
        end = stop
    return "".join([*pieces, other(text[end:])])


def _json(text: str) -> Iterator[tuple[int, int]]:
    """Spans of objects and lists in a text, in order; placeholders may be numbers of them."""
    text = _PLACEHOLDER.sub(lambda own: "1" * len(own[0]), text)
    left = _PATIENCE * len(text)
    at = 0
    while left > 0 and (begin := _BEGIN.search(text, at)):
        try:
            _, at = _DECODER.raw_decode(text, begin.start())
        except json.JSONDecodeError as error:
            at = begin.start() + 1
            left -= error.pos - begin.start() + error.pos // _COUNTED_AT_ONCE
        except (ValueError, RecursionError):  # a number or a depth that nobody means
            return
        else:
            yield begin.start(), at
