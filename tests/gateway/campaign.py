"""Generated conversations through a gateway, by several clients at once, and what became of them.

The upstream repeats the last user's words, so that each answer, restored, has to be those words.
The last turn of a conversation is answered with placeholders that somebody may have.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx

from privrag_fast.audit import Audit
from privrag_fast.gateway import GatewayOptions, create_app
from privrag_fast.pipeline import Receipt
from privrag_fast.privacy import Policy
from privrag_fast.types import Entity
from tests.gateway.servers import RecordingUpstream, running
from tests.messages import Span, messages
from tests.stand_ins import make_rag

PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]", re.IGNORECASE)
PROBE = [f"[{label}_{n}]" for label in ("PERSON", "LOCATION", "AGE") for n in range(1, 9)]
LAST_TURN = 77
"""`max_tokens` of a request that is answered with `PROBE`."""

_EDGES = " .,;:!?'\"’"

Talk = Sequence[tuple[str, Sequence[Span]]]


@dataclass
class Findings:
    """What a campaign counted."""

    messages: int = 0
    leaks: int = 0
    mix_ups: int = 0
    failures: int = 0
    kept: int = 0
    withheld: int = 0
    places: list[tuple[str, int, int]] = field(default_factory=list, repr=False)
    """What went wrong in which conversation and turn of `talks`; no text."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, **counts: int) -> None:
        with self.lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def note(self, kind: str, conversation: int, turn: int) -> None:
        self.add(**{kind: 1})
        self.places.append((kind, conversation, turn))


def talks(conversations: int, turns: int, *, seed: int = 31) -> list[Talk]:
    """So many conversations of so many messages, with the values that were planted in them."""
    told = list(messages(conversations * turns, seed=seed))
    return [told[at : at + turns] for at in range(0, len(told), turns)]


def run(held: Sequence[Talk], *, clients: int = 16) -> Findings:
    """Holds the conversations through a gateway; half of them have a name, half are streamed."""
    findings, receipts, upstream = Findings(), Receipts(), RecordingUpstream(repeat)
    rag = make_rag(Planted(held), policy=Policy(draft_threshold=1.5))
    with running(upstream) as address:
        options = GatewayOptions(upstream=f"{address}/v1", requests_per_minute=1e9, deadline=120)
        app = create_app(rag, options, audit=receipts)
        with (
            running(app) as url,
            httpx.Client(base_url=url, timeout=120, trust_env=False) as client,
        ):
            holder = _Holder(client, upstream, receipts, findings)
            with ThreadPoolExecutor(clients) as pool:
                list(pool.map(holder.hold, range(len(held)), held))
    return findings


def repeat(body: dict[str, Any]) -> list[str]:
    """The last user's words, or the probe."""
    if body.get("max_tokens") == LAST_TURN:
        return ["\n".join(PROBE)]
    return [[m["content"] for m in body["messages"] if m["role"] == "user"][-1]]


class Planted:
    """Finds what was planted in a message."""

    def __init__(self, held: Sequence[Talk]) -> None:
        self._planted = {text: spans for talk in held for text, spans in talk}

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [[Entity(*span) for span in self._planted.get(text, ())] for text in texts]


class Receipts(Audit):
    """An audit that keeps the last receipt of each conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, Receipt] = {}

    def minimized(self, conversation: str, receipt: Receipt) -> None:
        self.last[conversation] = receipt


@dataclass(frozen=True)
class _Holder:
    client: httpx.Client
    upstream: RecordingUpstream
    receipts: Receipts
    findings: Findings

    def hold(self, number: int, talk: Talk) -> None:
        """One conversation, turn by turn."""
        history: list[dict[str, str]] = []
        headers = {"X-Conversation-Id": f"c-{number}"} if number % 2 else {}
        for turns in range(1, len(talk) + 1):
            text, spans = talk[turns - 1]
            history.append({"role": "user", "content": text})
            body = {"model": "m", "messages": history, "stream": number % 4 > 1}
            last = turns == len(talk)
            if last:
                body["max_tokens"] = LAST_TURN
            response = self.client.post("/v1/chat/completions", json=body, headers=headers)
            if response.status_code != 200:
                self.findings.add(messages=1)
                self.findings.note("failures", number, turns)
                return
            answer, request = _read(response)
            conversation = response.headers["x-audit-id"]
            for _ in self._leaks(conversation, request, talk[:turns]):
                self.findings.note("leaks", number, turns)
            asked, values = ("\n".join(PROBE), ()) if last else (text, spans)
            known = {said[start:end] for said, own in talk[:turns] for start, end, _ in own}
            self.findings.add(messages=1)
            if not is_own(answer, asked, values, known):
                self.findings.note("mix_ups", number, turns)
            history.append({"role": "assistant", "content": answer})

    def _leaks(self, conversation: str, request: int, talk: Talk) -> list[str]:
        """Withheld values that can be read in what was sent."""
        receipt = self.receipts.last[conversation]
        body = self.upstream.take(request)
        sent = "\n".join(m["content"] for m in body["messages"] if m["role"] != "system")
        kept = {
            receipt.text[mention.start : mention.end].casefold(): own.label
            for own in receipt.kept
            for mention in own.mentions
        }
        # The period of "U.S." belongs to the sentence where it ends one: it is no part of a value.
        planted = {
            text[start:end].rstrip("."): label
            for text, spans in talk
            for start, end, label in spans
        }
        withheld = {value: own for value, own in planted.items() if value.casefold() not in kept}
        # A kept July 26 does not tell that somebody is 26; a kept "26 years old" does.
        others = {label: without(kept, label, sent) for label in set(withheld.values())}
        self.findings.add(kept=len(planted) - len(withheld), withheld=len(withheld))
        return [value for value, label in withheld.items() if readable(value, others[label])]


def without(kept: Mapping[str, str], label: str, text: str) -> str:
    """The text without the kept values of other types."""
    others = sorted((own for own, of in kept.items() if of != label), key=len, reverse=True)
    pattern = "|".join(map(re.escape, others)) or r"(?!)"
    return re.sub(pattern, " ", text, flags=re.IGNORECASE)


def readable(value: str, text: str) -> bool:
    """An independent look: the value as a whole word or number, however short, in any case."""
    text = PLACEHOLDER.sub(" ", text)
    edges = r"(?<![\w.,$€£])", r"(?![\w%]|[.,]\d|\s?%)"
    return bool(re.search(rf"{edges[0]}{re.escape(value)}{edges[1]}", text, re.IGNORECASE))


def _read(response: httpx.Response) -> tuple[str, int]:
    """The answer, and the number of the request that the upstream got."""
    if not response.headers["content-type"].startswith("text/event-stream"):
        whole = response.json()
        return whole["choices"][0]["message"]["content"], int(whole["id"])
    told = [line[6:] for line in response.text.split("\n") if line.startswith("data: {")]
    chunks = [json.loads(own) for own in told]
    pieces = [own["delta"].get("content", "") for c in chunks for own in c["choices"]]
    return "".join(pieces), int(chunks[0]["id"])


def is_own(answer: str, asked: str, spans: Sequence[Span], known: Collection[str]) -> bool:
    """Whether an answer is what was asked for, with nothing but this talk's own values in it.

    A value comes back as it was first written: in another case, or a first name with the last. A
    placeholder that the user typed, or that is a probe, stays or becomes a value of the talk.

    Args:
        known: The values of the talk so far.
    """
    typed = [match.span() for match in PLACEHOLDER.finditer(asked)]
    cuts = sorted([*((start, end) for start, end, _ in spans), *typed])
    pattern, end = "", 0
    for cut in cuts:
        may_be = _forms(asked[slice(*cut)].casefold(), known, is_typed=cut in typed)
        pattern += re.escape(asked[end : cut[0]].casefold())
        pattern += f"(?:{'|'.join(map(re.escape, may_be))})"
        end = cut[1]
    # All ways to read it: "Yıldırım, Rasmus" holds what stands between values, too.
    return re.fullmatch(pattern + re.escape(asked[end:].casefold()), answer.casefold()) is not None


def _forms(was: str, known: Collection[str], *, is_typed: bool) -> list[str]:
    """As what a value may come back; the period of "U.S." is no part of it, but of the sentence."""
    values = {own.casefold().strip(_EDGES) for own in known}
    if is_typed:
        return [was, *values]
    core = was.strip(_EDGES)
    return [was, *(was.replace(core, own) for own in values if core in own or own in core)]
