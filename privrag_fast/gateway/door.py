"""Who comes in: host, content type, key, rate, size."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request

from privrag_fast.gateway.errors import GatewayError
from privrag_fast.gateway.options import GatewayOptions, is_loopback

_CLIENTS = 10_000


class Door:
    """Admits requests, and reads their bodies.

    A gateway that only this machine reaches answers only requests that name this machine as host
    and come as JSON, so that no web page can use it through the browser.
    """

    def __init__(self, options: GatewayOptions) -> None:
        self._keys = {_digest(key): f"key {n}" for n, key in enumerate(options.api_keys, 1)}
        self._local = is_loopback(options.host)
        self._max_body = options.max_body
        self._patience = options.deadline
        self._rate = RateLimit(options.requests_per_minute)

    def admit(self, request: Request) -> str:
        """The client's name: which key it has, or where it comes from.

        Raises:
            GatewayError: Status 403, 401 or 429.
        """
        if self._local and not _names_this_machine(request.headers.get("host", "")):
            raise GatewayError(
                "the Host header names another machine: use 127.0.0.1 or localhost",
                status=403,
                code="wrong_host",
            )
        client = self._client(request)
        self._rate.take(client)
        return client

    async def read(self, request: Request) -> dict[str, Any]:
        """The JSON object that the request holds.

        Raises:
            GatewayError: Status 415, 413, 408 or 400.
        """
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise GatewayError("send JSON, with Content-Type: application/json", status=415)
        return parse(await self._body(request))

    def _client(self, request: Request) -> str:
        if not self._keys:
            return request.client.host if request.client else "local"
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        digest = _digest(key.strip())
        # All are compared, each in constant time.
        names = [name for own, name in self._keys.items() if hmac.compare_digest(own, digest)]
        if scheme.lower() != "bearer" or not names:
            raise GatewayError(
                "wrong API key: send Authorization: Bearer, and a key of this gateway",
                status=401,
                kind="authentication_error",
                code="invalid_api_key",
            )
        return names[0]

    async def _body(self, request: Request) -> bytes:
        body = bytearray()
        try:
            async with asyncio.timeout(self._patience):
                if _length(request) <= self._max_body:
                    async for piece in request.stream():
                        body += piece
                        if len(body) > self._max_body:
                            break
                    else:
                        return bytes(body)
        except TimeoutError:
            raise GatewayError("the body did not come in time", status=408) from None
        raise GatewayError(
            f"the body has more than {self._max_body} bytes: shorten the conversation, or raise "
            "--max-body",
            status=413,
            code="body_too_large",
        )


class RateLimit:
    """A token bucket per client: a minute's worth at once, then at the rate."""

    def __init__(self, per_minute: float, *, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = max(1.0, per_minute)
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> None:
        """One request.

        Raises:
            GatewayError: Status 429; says when to come again.
        """
        now = self._now()
        tokens, since = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        self._buckets[client] = (tokens - 1 if tokens >= 1 else tokens, now)
        if len(self._buckets) > _CLIENTS:
            self._buckets.popitem(last=False)
        if tokens < 1:
            raise GatewayError(
                "too many requests: slow down, or raise --requests-per-minute",
                status=429,
                kind="rate_limit_error",
                code="rate_limit_exceeded",
                retry_after=(1 - tokens) / self._per_second,
            )


def parse(body: bytes) -> dict[str, Any]:
    """A JSON object, strictly: UTF-8, no NaN, no key twice.

    Raises:
        GatewayError: It is none. Says where, and quotes nothing.
    """
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise _invalid(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        known = isinstance(error, _Refused)
        raise _invalid(str(error) if known else type(error).__name__) from None
    if not isinstance(data, dict):
        raise _invalid("an object is wanted")
    return data


class _Refused(ValueError):
    """JSON that others may read differently."""


def _refuse(constant: str) -> None:
    raise _Refused(f"{constant} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _Refused("a key stands twice in one object")
    return data


def _invalid(what: str) -> GatewayError:
    return GatewayError(f"the body is not valid JSON: {what}", code="invalid_json")


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _length(request: Request) -> int:
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0


def _names_this_machine(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False
