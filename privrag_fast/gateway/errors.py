"""Errors as OpenAI clients read them. None holds a user's text."""

from __future__ import annotations

import logging
import traceback
from contextvars import ContextVar
from typing import Any

from starlette.requests import ClientDisconnect

from privrag_fast.types import (
    BusyError,
    ContextError,
    DeadlineError,
    InputError,
    PrivragError,
    VaultError,
)

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="unknown")
"""Of the request that is answered, as the client and the log are told."""

_log = logging.getLogger(__name__)


class GatewayError(PrivragError):
    """What the client is told.

    Args:
        message: What is wrong, and the cure.
        status: Of the HTTP answer.
        kind, code, param: `type`, `code` and `param` of OpenAI's error object.
        retry_after: Seconds until another try makes sense.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        code: str | None = None,
        param: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.code = code
        self.param = param
        self.retry_after = retry_after

    @property
    def body(self) -> dict[str, Any]:
        """OpenAI's error object."""
        told = {"message": str(self), "type": self.kind, "param": self.param, "code": self.code}
        return {"error": told}

    @property
    def headers(self) -> dict[str, str]:
        """`Retry-After`, in whole seconds, where another try makes sense."""
        if self.retry_after is None:
            return {}
        return {"Retry-After": str(max(1, round(self.retry_after)))}


class ClientLeft(GatewayError):
    """Nobody waits for the answer any more: for the audit and the counters, for nobody hears it."""

    def __init__(self) -> None:
        super().__init__("the client left before its answer", status=499, code="client_left")


class AnswerError(GatewayError):
    """What the upstream sent is no chat completion, or too long."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the upstream's answer is not usable: {what}",
            status=502,
            kind="upstream_error",
            code="upstream_malformed",
        )


def as_gateway_error(error: Exception) -> GatewayError:
    """What the client is told of any exception: of a foreign one no more than its type."""
    match error:
        case GatewayError():
            return error
        case ClientDisconnect():
            return ClientLeft()
        case BusyError():
            return _later(
                "as much is being done as may: try again later, or raise --queue", "overloaded"
            )
        case DeadlineError():
            return _later(
                "minimizing took too long: try again, or raise --deadline", "deadline_exceeded"
            )
        case ContextError():
            return GatewayError(str(error), code="context_length_exceeded")
        case InputError():
            return GatewayError(str(error))
        case VaultError():
            return GatewayError(str(error), status=409, code="conversation_ended")
    name = type(error).__name__
    _log.error("%s at %s: request %s was stopped", name, _where(error), REQUEST_ID.get())
    return GatewayError(
        f"a stage failed ({name}): the request was stopped; the gateway's log says where",
        status=500,
        kind="privacy_error",
        code="stage_failed",
    )


def _later(message: str, code: str) -> GatewayError:
    return GatewayError(message, status=503, kind="server_error", code=code, retry_after=1)


def _where(error: Exception) -> str:
    """The place that raised, without the exception's own words: they may quote a text."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown place"
