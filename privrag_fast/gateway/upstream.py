"""The endpoint behind the gateway. What it says of an error is not passed on: it may quote."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any

import httpx

from privrag_fast.gateway.errors import AnswerError, GatewayError
from privrag_fast.gateway.options import GatewayOptions
from privrag_fast.gateway.sse import dump, read_events

_CONNECT = 5.0
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LONGEST_ERROR = 1 << 16


class Upstream:
    """Sends what may leave, and nothing else: no header of a client, no cookie, no redirect."""

    def __init__(self, options: GatewayOptions) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "privrag-fast"}
        if options.upstream_key:
            headers["Authorization"] = f"Bearer {options.upstream_key}"
        self._url = options.upstream.rstrip("/") if options.upstream else None
        self._longest = options.max_answer
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(options.timeout, connect=min(_CONNECT, options.timeout)),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
        )

    async def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A chat completion.

        Raises:
            GatewayError: It is out of reach, refuses, breaks off or answers something else.
        """
        return await self._json("POST", "/chat/completions", body)

    async def stream(self, body: Mapping[str, Any]) -> Chunks:
        """The same in chunks; close what is returned."""
        response = await self._send("POST", "/chat/completions", body)
        return Chunks(response, self._longest)

    async def models(self) -> dict[str, Any]:
        """Its list of models."""
        return await self._json("GET", "/models")

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def _json(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        response = await self._send(method, path, body)
        try:
            return _object(await _read(response, self._longest))
        except httpx.HTTPError as error:
            raise _broken(error) from None
        finally:
            await response.aclose()

    async def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        if self._url is None:
            raise GatewayError(
                "there is no LLM behind this gateway: start it with --upstream",
                status=503,
                kind="server_error",
                code="no_upstream",
            )
        content = None if body is None else dump(body)
        request = self._client.build_request(method, self._url + path, content=content)
        try:
            response = await self._client.send(request, stream=True)
        except httpx.TimeoutException:
            raise _upstream_error(504, "did not answer in time", "upstream_timeout") from None
        except httpx.HTTPError as error:
            raise _upstream_error(
                502, f"cannot be reached ({type(error).__name__})", "upstream_unreachable"
            ) from None
        if response.status_code != 200:
            raise await _refusal(response)
        return response


class Chunks:
    """The chunks of a streamed answer, whose connection is closed at the end of the block.

    `done` tells whether the upstream said that this was all.
    """

    def __init__(self, response: httpx.Response, longest: int) -> None:
        self._response = response
        self._longest = longest
        self.done = False

    async def __aenter__(self) -> Chunks:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._response.aclose()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        """Chunks up to `[DONE]`, or to the end of what comes.

        Raises:
            GatewayError: It broke off, or sent something else.
        """
        try:
            async for data in read_events(self._response.aiter_bytes(), longest=self._longest):
                if data.strip() == b"[DONE]":
                    self.done = True
                    return
                yield _object(data)
        except httpx.HTTPError as error:
            raise _broken(error) from None


async def _read(response: httpx.Response, longest: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > longest:
            raise AnswerError(f"it has more than {longest} bytes")
    return bytes(body)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise AnswerError("it is not JSON") from None
    if not isinstance(value, dict):
        raise AnswerError("it is no object")
    if value.get("error"):
        raise AnswerError("it reports an error")
    return value


def _broken(error: httpx.HTTPError) -> GatewayError:
    if isinstance(error, httpx.TimeoutException):
        return _upstream_error(504, "stopped sending", "upstream_timeout")
    return _upstream_error(502, f"broke off ({type(error).__name__})", "upstream_broke_off")


async def _refusal(response: httpx.Response) -> GatewayError:
    """What the client is told of a refusal: status, and the upstream's own code and type."""
    status = response.status_code
    try:
        told = json.loads(await _read(response, _LONGEST_ERROR))["error"]
        code, kind = (own if _is_identifier(own := told[key]) else None for key in ("code", "type"))
    except (httpx.HTTPError, AnswerError, ValueError, LookupError, TypeError, RecursionError):
        code = kind = None
    finally:
        await response.aclose()
    what = f"refused with status {status}"
    if status in (401, 403):
        return _upstream_error(502, f"{what}: check --upstream-key-env", "upstream_refused_key")
    if status == 429:
        return _upstream_error(429, what, code or "rate_limit_exceeded", kind, _seconds(response))
    if 400 <= status < 500:
        return _upstream_error(status, f"{what}: check model and parameters", code, kind)
    return _upstream_error(502, what, code or "upstream_failed", kind, _seconds(response))


def _is_identifier(value: object) -> bool:
    return isinstance(value, str) and _IDENTIFIER.fullmatch(value) is not None


def _seconds(response: httpx.Response) -> float | None:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else None


def _upstream_error(
    status: int,
    what: str,
    code: str | None,
    kind: str | None = None,
    retry_after: float | None = None,
) -> GatewayError:
    return GatewayError(
        f"the upstream {what}",
        status=status,
        kind=kind or ("invalid_request_error" if status < 500 else "upstream_error"),
        code=code,
        retry_after=retry_after,
    )
