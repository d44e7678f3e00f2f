"""Work for a client that has left ends: it holds a place in the queue, and may cost money."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from privrag_fast.gateway.errors import ClientLeft

T = TypeVar("T")


async def while_present(request: Request, call: Coroutine[Any, Any, T]) -> T:
    """What the call returns; it is canceled once the client has hung up.

    The request's body must have been read. Streamed answers are watched by Starlette itself.

    Raises:
        ClientLeft: It did, before the call was over.
    """
    task, left = asyncio.create_task(call), asyncio.create_task(_hangs_up(request))
    try:
        await asyncio.wait((task, left), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientLeft
        return task.result()
    finally:
        task.cancel()
        left.cancel()
        await asyncio.wait((task, left))


async def _hangs_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
