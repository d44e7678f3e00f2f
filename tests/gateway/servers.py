"""Servers in threads: the gateway, and an upstream that records and does what it is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send


@contextmanager
def running(app: ASGIApp) -> Iterator[str]:
    """The address of an app that is served until the block ends."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_config=None, access_log=False,
        timeout_graceful_shutdown=2,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.002)
        [own] = server.servers
        yield f"http://127.0.0.1:{own.sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


USAGE = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}

Answer = Callable[[dict[str, Any]], Any]


class RecordingUpstream:
    """An OpenAI-compatible endpoint.

    `answer` makes of a request's body what is sent back: the choices' texts, one for each, a
    dict as it is, or a list of raw pieces, after which a `...` breaks the connection off; a float
    waits for so many seconds, or until the caller has left; as the first one before the headers.
    """

    def __init__(self, answer: Answer | None = None) -> None:
        self.reset(answer)

    def reset(self, answer: Answer | None = None) -> None:
        """Forgets all, and answers like this."""
        self.answer = answer or echo
        self.status = 200
        self.headers: dict[str, str] = {}
        self.bodies: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.seen: list[dict[str, str]] = []
        self.left = threading.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await lifespan(receive, send)
        self.seen.append({key.decode(): own.decode() for key, own in scope["headers"]})
        if scope["path"].endswith("/models"):
            data = {"object": "list", "data": [{"id": "tiny", "object": "model"}]}
            return await self._send(send, [json.dumps(data).encode()], "application/json", receive)
        self.raw.append(await read_body(receive))
        self.bodies.append(json.loads(self.raw[-1]))
        pieces, kind = self._answer(self.bodies[-1])
        return await self._send(send, pieces, kind, receive)

    @property
    def last(self) -> dict[str, Any]:
        return self.bodies[-1]

    def take(self, number: int) -> dict[str, Any]:
        """The body of a request, which is forgotten; its number is the answer's id."""
        body, self.bodies[number], self.raw[number] = self.bodies[number], {}, b""
        return body

    def _answer(self, body: dict[str, Any]) -> tuple[list[Any], str]:
        answer, number = self.answer(body), str(len(self.bodies) - 1)
        if isinstance(answer, dict):
            return [json.dumps(answer).encode()], "application/json"
        if answer and not isinstance(answer[0], (str, tuple)):
            return answer, "text/event-stream"
        if body.get("stream"):
            return list(_chunks(answer, body, number)), "text/event-stream"
        return [json.dumps(_whole(answer, number)).encode()], "application/json"

    async def _send(self, send: Send, pieces: list[Any], kind: str, receive: Receive) -> None:
        if pieces and isinstance(pieces[0], float) and await self._is_left(receive, pieces.pop(0)):
            return
        headers = {"content-type": kind, **self.headers}
        encoded = [(key.encode(), own.encode()) for key, own in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": encoded})
        for piece in pieces:
            if piece is ...:
                raise ConnectionResetError("told to")
            if isinstance(piece, float):
                if await self._is_left(receive, piece):
                    return
                continue
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _is_left(self, receive: Receive, seconds: float) -> bool:
        """Whether the caller hangs up within so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if (await receive())["type"] == "http.disconnect":
                    self.left.set()
        return self.left.is_set()


def echo(body: dict[str, Any]) -> list[str]:
    """As many choices as wanted, each the last user's words."""
    said = [m["content"] for m in body["messages"] if m["role"] == "user"][-1]
    return [said] * body.get("n", 1)


def chunk(
    index: int,
    delta: dict[str, Any],
    finish: str | None = None,
    number: str = "0",
    **fields: Any,
) -> bytes:
    """An event of a stream."""
    choice = {"index": index, "delta": delta, "finish_reason": finish, **fields}
    return _event(number, choices=[choice])


def _event(number: str, **fields: Any) -> bytes:
    data = {"id": number, "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
    return b"data: " + json.dumps({**data, **fields}).encode() + b"\n\n"


def _whole(choices: list[Any], number: str) -> dict[str, Any]:
    return {
        "id": number,
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [
            {"index": n, "message": _message(own), "finish_reason": _finish(own)}
            for n, own in enumerate(choices)
        ],
        "usage": USAGE,
    }


def _message(choice: Any) -> dict[str, Any]:
    if isinstance(choice, str):
        return {"role": "assistant", "content": choice}
    function = {"name": choice[0], "arguments": choice[1]}
    called = [{"id": "call_1", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": called}


def _finish(choice: Any) -> str:
    return "stop" if isinstance(choice, str) else "tool_calls"


def _chunks(choices: list[Any], body: dict[str, Any], number: str) -> Iterator[bytes]:
    for n, own in enumerate(choices):
        for delta in _deltas(own):
            yield chunk(n, delta, number=number)
    for n, own in enumerate(choices):
        yield chunk(n, {}, _finish(own), number)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _event(number, choices=[], usage=USAGE)
    yield b"data: [DONE]\n\n"


def _deltas(choice: Any) -> Iterator[dict[str, Any]]:
    """A choice in pieces of three characters."""
    if isinstance(choice, str):
        yield {"role": "assistant", "content": ""}
        for at in range(0, len(choice), 3):
            yield {"content": choice[at : at + 3]}
        return
    begun = _message((choice[0], ""))
    begun["tool_calls"][0]["index"] = 0
    yield begun
    for at in range(0, len(choice[1]), 3):
        yield {"tool_calls": [{"index": 0, "function": {"arguments": choice[1][at : at + 3]}}]}


async def read_body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
