"""How the gateway is set up."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from privrag_fast.types import InputError

_SHORTEST_KEY = 16


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """Where the gateway listens, whom it asks, and how much it takes on.

    Args:
        upstream: Base URL of an OpenAI-compatible endpoint, with /v1; None refuses chats.
        upstream_key: Its key.
        api_keys: Of the gateway's own clients; conversations of two keys never meet.
        host, port: To listen at; port 0 lets the system choose.
        max_body: Bytes of a request.
        max_answer: Bytes of an upstream's answer that is not streamed, and of one streamed event.
        requests_per_minute: Per key, or per address where there are no keys.
        queue: Messages that are minimized or wait for it; the next one is refused.
        deadline: Seconds that this may take.
        timeout: Seconds until the upstream has to have sent something.
        grace: Seconds that running requests get at shutdown.

    Raises:
        InputError: A number is out of range, a URL is none, a key is too short, or the host can be
            reached from outside while there is no API key.
    """

    upstream: str | None = None
    upstream_key: str | None = field(default=None, repr=False)
    api_keys: tuple[str, ...] = field(default=(), repr=False)
    host: str = "127.0.0.1"
    port: int = 8800
    max_body: int = 1 << 20
    max_answer: int = 16 << 20
    requests_per_minute: float = 600.0
    queue: int = 64
    deadline: float = 30.0
    timeout: float = 60.0
    grace: float = 10.0

    def __post_init__(self) -> None:
        for name in ("max_body", "max_answer", "requests_per_minute", "queue", "deadline",
                     "timeout"):  # fmt: skip
            if not getattr(self, name) > 0:
                raise InputError(f"{name} must be above 0, got {getattr(self, name)}")
        for name in ("grace", "port"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must be 0 or more, got {getattr(self, name)}")
        if any(len(key) < _SHORTEST_KEY or not key.isascii() for key in self.api_keys):
            raise InputError(f"an API key must have {_SHORTEST_KEY} or more ASCII characters")
        if self.upstream is not None:
            _check_url(self.upstream)
        if not self.api_keys and not is_loopback(self.host):
            raise InputError(
                f"{self.host} can be reached from outside: give an API key (--api-key-env), "
                "or listen at 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host name or address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and not parts.query
    except ValueError:
        usable = None
    if not usable:
        raise InputError("the upstream must be a base URL, such as https://api.openai.com/v1")
    if parts.username or parts.password:
        raise InputError("the upstream's URL must hold no password: give the key by its variable")
