"""Server-sent events, as chat completions use them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from privrag_fast.gateway.errors import AnswerError

DONE = b"data: [DONE]\n\n"


async def read_events(pieces: AsyncIterator[bytes], *, longest: int) -> AsyncIterator[bytes]:
    """The data of each event, however the bytes were cut.

    Lines end at LF or CRLF and nowhere else: U+2028 is an ordinary character of a JSON string.

    Raises:
        AnswerError: An event has more than `longest` bytes.
    """
    held = b""
    data: list[bytes] = []
    async for piece in pieces:
        *lines, held = (held + piece).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data)
                data = []
        if len(held) + sum(map(len, data)) > longest:
            raise AnswerError(f"an event of it has more than {longest} bytes")
    if held.startswith(b"data:"):  # cut off before its blank line
        data.append(held[5:].strip())
    if data:
        yield b"\n".join(data)


def event(data: dict[str, Any]) -> bytes:
    """One event, in ASCII: a lone surrogate has no UTF-8."""
    return b"data: " + dump(data) + b"\n\n"


def dump(data: object) -> bytes:
    """JSON in ASCII, without white space."""
    return json.dumps(data, separators=(",", ":")).encode("ascii")
