"""A pipeline around a cheap detector, and requests to it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from privrag_fast.pipeline import PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.types import Entity
from tests.privacy.marks import mark
from tests.stand_ins import make_rag

EVERYTHING = Policy(threshold=0.0, draft_threshold=0.0)
NOTHING = Policy(threshold=1e9, draft_threshold=1e9)
VALUES: dict[str, list[str]] = {
    "PERSON": ["Nora Lind"],
    "AGE": ["67"],
    "LOCATION": ["Zürich", "Oslo"],
    "EMAIL": ["nora@example.org"],
}
MESSAGE = "I'm Nora Lind, 67, from Zürich. May I apply?"


class Marker:
    """Finds whole words that it was told."""

    def __init__(self, values: Mapping[str, list[str]]) -> None:
        self._values = dict(values)

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [mark(text, **self._values) for text in texts]  # type: ignore[arg-type]


def rag_of(values: Mapping[str, list[str]], policy: Policy, **choices: Any) -> PrivateRag:
    """A pipeline that finds these values."""
    return make_rag(Marker(values), policy=policy, **choices)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def ask(client: httpx.Client, *messages: dict[str, Any], **fields: Any) -> httpx.Response:
    """A chat completion."""
    headers, timeout = fields.pop("headers", {}), fields.pop("timeout", 10)
    body = {"model": "tiny", "messages": list(messages), **fields}
    return client.post("/v1/chat/completions", json=body, headers=headers, timeout=timeout)


def text_of(response: httpx.Response, choice: int = 0) -> Any:
    """What a choice says."""
    assert response.status_code == 200, response.text
    return response.json()["choices"][choice]["message"]["content"]


def events_of(response: httpx.Response) -> list[dict[str, Any]]:
    """The events of a stream, without `[DONE]`."""
    assert response.status_code == 200, response.text
    told = [line[6:] for line in response.text.split("\n") if line.startswith("data: ")]
    return [json.loads(own) for own in told if own != "[DONE]"]


def streamed_text(response: httpx.Response, choice: int = 0) -> str:
    """What a choice of a stream says."""
    return "".join(
        own["delta"].get("content") or ""
        for event in events_of(response)
        for own in event.get("choices", ())
        if own["index"] == choice
    )


def error_of(response: httpx.Response) -> dict[str, Any]:
    """OpenAI's error object."""
    [(key, error)] = response.json().items()
    assert key == "error"
    assert set(error) == {"message", "type", "param", "code"}
    return dict(error)


def wait_for(condition: Callable[[], bool]) -> None:
    """Until it holds: at most five seconds."""
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "the request runs on without its client"
        time.sleep(0.01)
