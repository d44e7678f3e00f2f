"""Which conversation a request goes on with."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from privrag_fast.gateway.errors import GatewayError
from privrag_fast.gateway.turns import Turn

_NAME = re.compile("[!-~]{1,128}")


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation of one client.

    Args:
        client: Whose it is.
        name: What the client may call it by, in `X-Conversation-Id`.
        named: The client did.
        id: Salted hash of client and name; what `PrivateRag.conversation` and the audit get.
    """

    client: str
    name: str
    named: bool
    id: str


class Sessions:
    """Finds conversations by the client's own name, or by their whole history so far.

    The first turns alone would not do: two people may open with the same words, and each would get
    the other's values. Only a request that repeats a history to its last answer, or the whole of
    one that failed, goes on with that conversation, once; any other starts a new one, whose
    placeholders are made from the history that it brings. So a wrong guess costs time and never a
    value.
    """

    def __init__(self, *, most: int = 10_000) -> None:
        self._salt = secrets.token_bytes(32)
        self._most = most
        self._names: OrderedDict[str, str] = OrderedDict()  # digest of a history -> name
        self._digests: dict[str, tuple[str, ...]] = {}  # name -> its digests

    def find(self, client: str, name: str | None, turns: Sequence[Turn] = ()) -> Session:
        """The conversation of this name, or of this history.

        Raises:
            GatewayError: The name is empty, too long or not visible ASCII.
        """
        named = name is not None
        if name is None:
            claimed = self._claim(client, turns) or self._claim(client, _answered(turns))
            name = claimed or secrets.token_hex(16)
        elif not _NAME.fullmatch(name):
            raise GatewayError(
                "X-Conversation-Id must have 1 to 128 visible ASCII characters",
                param="X-Conversation-Id",
            )
        self._forget(name)  # whoever repeats its history must not get what is said from now on
        return Session(client, name, named, self._hash(client, name))

    def remember(self, session: Session, turns: Sequence[Turn], answers: Sequence[Turn]) -> None:
        """A request goes on with this conversation where its history ends with one of the answers.

        Not where the client has a name for it: what it says under that name need not be one line.
        """
        self._keep(session, [(*turns, answer) for answer in answers])

    def give_back(self, session: Session, turns: Sequence[Turn]) -> None:
        """The request failed: the same one, and no other, finds this conversation again.

        Its vault already holds what the last turn says.
        """
        self._keep(session, [turns])

    def __len__(self) -> int:
        return len(self._names)

    def _keep(self, session: Session, histories: Sequence[Sequence[Turn]]) -> None:
        if session.named:
            return
        self._forget(session.name)
        digests = tuple({self._digest(session.client, turns) for turns in histories})
        for digest in digests:
            self._forget(self._names.get(digest))
            self._names[digest] = session.name
        self._digests[session.name] = digests
        while len(self._names) > self._most:
            self._forget(next(iter(self._names.values())))

    def _claim(self, client: str, turns: Sequence[Turn]) -> str | None:
        name = self._names.get(self._digest(client, turns))
        self._forget(name)
        return name

    def _forget(self, name: str | None) -> None:
        for digest in self._digests.pop(name or "", ()):
            del self._names[digest]

    def _digest(self, client: str, turns: Sequence[Turn]) -> str:
        told = [[t.role, t.text or "", [c.as_data() for c in t.tool_calls]] for t in turns]
        return self._hash(client, json.dumps(told))

    def _hash(self, *parts: str) -> str:
        told = json.dumps(parts).encode("ascii")
        return hmac.new(self._salt, told, hashlib.sha256).hexdigest()[:32]


def _answered(turns: Sequence[Turn]) -> Sequence[Turn]:
    """The history to its last answer."""
    last = max((n for n, turn in enumerate(turns, 1) if turn.role == "assistant"), default=0)
    return turns[:last]
