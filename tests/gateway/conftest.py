from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from privrag_fast.audit import Audit
from privrag_fast.gateway import GatewayOptions, create_app
from privrag_fast.pipeline import PrivateRag
from tests.gateway.requests import NOTHING, VALUES, rag_of
from tests.gateway.servers import RecordingUpstream, running

Start = Callable[..., httpx.Client]


@pytest.fixture(scope="session")
def _upstream() -> Iterator[tuple[RecordingUpstream, str]]:
    upstream = RecordingUpstream()
    with running(upstream) as address:
        yield upstream, f"{address}/v1"


@pytest.fixture(scope="session")
def _client(_upstream: tuple[RecordingUpstream, str]) -> Iterator[httpx.Client]:
    """The gateway of all tests that want nothing special of it."""
    with ExitStack() as stack:
        yield _start(stack, upstream=_upstream[1], max_answer=4000, requests_per_minute=1e9)


@pytest.fixture
def upstream(_upstream: tuple[RecordingUpstream, str]) -> RecordingUpstream:
    _upstream[0].reset()
    return _upstream[0]


@pytest.fixture
def start(
    upstream: RecordingUpstream, _upstream: tuple[RecordingUpstream, str], _client: httpx.Client
) -> Iterator[Start]:
    """A client of a gateway before `upstream`, which is started if it is to be special."""
    with ExitStack() as stack:

        def start(rag: PrivateRag | None = None, **options: Any) -> httpx.Client:
            if rag is None and not options:
                return _client
            return _start(stack, rag, **{"upstream": _upstream[1], **options})

        yield start


def _start(
    stack: ExitStack, rag: PrivateRag | None = None, *, audit: Audit | None = None, **options: Any
) -> httpx.Client:
    app = create_app(rag or rag_of(VALUES, NOTHING), GatewayOptions(**options), audit=audit)
    address = stack.enter_context(running(app))
    return stack.enter_context(httpx.Client(base_url=address, timeout=10, trust_env=False))
