"""How long a call may take, and how many may be under way."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from privrag_fast.types import BusyError, DeadlineError, InputError

T = TypeVar("T")


class Deadline:
    """When a call has to be over. Whoever holds it may end the call sooner, from any thread.

    A call that is past it stops before its next stage, or at the next batch of the local model.

    Args:
        seconds: From now; None for as long as it takes.

    >>> deadline = Deadline(60)
    >>> deadline.cancel()
    >>> deadline.passed()
    True
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._canceled = threading.Event()

    def cancel(self) -> None:
        """Nobody waits for the call any more."""
        self._canceled.set()

    def passed(self) -> bool:
        """Whether the call has to stop."""
        return self._canceled.is_set() or self.left() == 0

    def left(self) -> float | None:
        """Seconds, or None where there is no end."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises `DeadlineError` once it has passed."""
        if self._canceled.is_set():
            raise DeadlineError("the call was canceled before it was done")
        if self.left() == 0:
            raise DeadlineError("the call took longer than its deadline: give it more seconds")


class Gate:
    """Lets so many calls in at once; the next one is turned away, rather than left to pile up."""

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise InputError(f"limit must be 1 or more, got {limit}")
        self._limit = limit
        self._free = threading.BoundedSemaphore(limit)
        # One thread for each call that is let in, so that none waits in the pool unseen.
        self._pool = ThreadPoolExecutor(limit, thread_name_prefix="privrag")

    def __enter__(self) -> None:
        if not self._free.acquire(blocking=False):
            raise BusyError(
                f"{self._limit} calls are under way: try again later, or raise"
                " PipelineOptions.queue"
            )

    def __exit__(self, *error: object) -> None:
        self._free.release()

    async def run(self, call: Callable[[], T], deadline: Deadline) -> T:
        """The call in a thread; canceling the task ends the call too.

        Raises:
            BusyError: No more are let in.
        """
        self.__enter__()
        future = self._pool.submit(call)
        # Not when the task ends: the thread of a canceled one still runs to its next batch.
        future.add_done_callback(self.__exit__)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            deadline.cancel()
            raise

    async def iterate(
        self, pieces: Generator[str, None, None], deadline: Deadline
    ) -> AsyncIterator[str]:
        """The pieces, each fetched in a thread; leaving the loop ends the call too.

        Raises:
            BusyError: No more are let in.
        """
        with self:
            fetched = self._pool.submit(next, pieces, None)
            try:
                while (piece := await asyncio.wrap_future(fetched)) is not None:
                    yield piece
                    fetched = self._pool.submit(next, pieces, None)
            except BaseException:
                deadline.cancel()
                raise
            finally:
                # A generator cannot be closed while a thread is in it.
                fetched.add_done_callback(lambda _: self._pool.submit(pieces.close))
