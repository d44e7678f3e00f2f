"""The outermost layer: nothing that raises gets past it, and everything is counted."""

from __future__ import annotations

import json
import secrets
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from privrag_fast.gateway.errors import REQUEST_ID, as_gateway_error
from privrag_fast.gateway.metrics import Metrics

_ABANDONED = 499  # nginx's: the client left before an answer began


class Guard:
    """ASGI middleware that turns exceptions into OpenAI's errors.

    Each answer has an `X-Request-Id`, which the log tells where a stage fails.

    Servers log what reaches them with all its words, and those may be a user's.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        start, status = time.perf_counter(), _ABANDONED
        # Never the client's own: it may say anything, and goes into the log.
        request_id = secrets.token_hex(8)
        REQUEST_ID.set(request_id)

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                told = (b"x-request-id", request_id.encode("ascii"))
                message = {**message, "headers": [*message.get("headers", ()), told]}
            await send(message)

        self._metrics.began()
        try:
            await self._app(scope, receive, counted)
        except Exception as exception:
            error = as_gateway_error(exception)
            if status == _ABANDONED:
                await _send(counted, error.status, error.body, error.headers)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.ended(route, status, time.perf_counter() - start)


async def _send(send: Send, status: int, body: object, headers: dict[str, str]) -> None:
    headers = {"Content-Type": "application/json", **headers}
    encoded = [(key.lower().encode(), own.encode()) for key, own in headers.items()]
    content = json.dumps(body).encode("ascii")
    encoded.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
