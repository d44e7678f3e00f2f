"""The gateway: an OpenAI-compatible endpoint that minimizes what passes through it.

request -> door -> session -> outgoing -> audit -> upstream
client  <------------------ incoming <----------------'
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from privrag_fast import __version__, privacy
from privrag_fast.audit import Audit
from privrag_fast.conversation import Conversation
from privrag_fast.explain import decided, explained
from privrag_fast.gateway.door import Door
from privrag_fast.gateway.errors import AnswerError, ClientLeft, GatewayError, as_gateway_error
from privrag_fast.gateway.guard import Guard
from privrag_fast.gateway.incoming import Incoming
from privrag_fast.gateway.metrics import Metrics
from privrag_fast.gateway.options import GatewayOptions
from privrag_fast.gateway.outgoing import Outgoing, outgoing, remember
from privrag_fast.gateway.presence import while_present
from privrag_fast.gateway.sessions import Session, Sessions
from privrag_fast.gateway.sse import DONE, dump, event
from privrag_fast.gateway.turns import ChatRequest, read_model, read_text, read_turns
from privrag_fast.gateway.upstream import Chunks, Upstream
from privrag_fast.limits import Deadline, Gate
from privrag_fast.pipeline import Minimized, PrivateRag

_FIELD = re.compile("[a-z_]{1,64}")
_PAGE = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}
_PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def create_app(
    rag: PrivateRag, options: GatewayOptions | None = None, *, audit: Audit | None = None
) -> FastAPI:
    """The gateway as an ASGI application.

    Args:
        rag: Minimizes; its conversations are the gateway's from now on.
        audit: Told of every message before it leaves.
    """
    gateway = Gateway(rag, options or GatewayOptions(), audit or Audit())
    app = FastAPI(
        title="privrag_fast",
        version=__version__,
        openapi_url=None,
        lifespan=gateway.lifespan,
    )
    app.post("/v1/chat/completions")(gateway.chat)
    app.get("/v1/models")(gateway.models)
    app.post("/v1/privacy/minimize")(gateway.minimize)
    app.post("/v1/privacy/restore")(gateway.restore)
    app.post("/v1/privacy/explain")(gateway.explain)
    app.get("/healthz")(gateway.health)
    app.get("/metrics")(gateway.metrics_text)
    for path, (name, kind) in _PAGE.items():
        app.get(path)(_page(name, kind))
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(Guard, metrics=gateway.metrics)
    return app


class Gateway:
    """The routes, and what they share."""

    def __init__(self, rag: PrivateRag, options: GatewayOptions, audit: Audit) -> None:
        self._rag = rag
        self._options = options
        self._audit = audit
        self._door = Door(options)
        self._sessions = Sessions()
        self._gate = Gate(options.queue)
        self._upstream = Upstream(options)
        self.metrics = Metrics()

    @contextlib.asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Open connections are closed when the server stops."""
        try:
            yield
        finally:
            await self._upstream.close()

    async def chat(self, request: Request) -> Response:
        """`/v1/chat/completions`: minimized on its way out, restored on its way in."""
        came = time.perf_counter()
        client = self._door.admit(request)
        asked = ChatRequest.read(await self._door.read(request))
        session = self._sessions.find(client, _header(request), asked.turns)
        conversation = self._rag.conversation(session.id)
        with self._failures(session, asked):
            sent = await while_present(request, self._outgoing(conversation, asked, came))
            chat = _Chat(session, conversation, asked, sent, time.perf_counter())
            if asked.stream:
                chunks = await while_present(request, self._upstream.stream(sent.body))
                return _Streamed(self._restored(chat, chunks), chunks, chat.headers)
            answer = await while_present(request, self._upstream.chat(sent.body))
            incoming = chat.incoming()
            restored = incoming.whole(answer)
            self._answered(chat, incoming, 1)
            return _json(restored, chat.headers)

    async def models(self, request: Request) -> Response:
        """`/v1/models`: the upstream's."""
        self._door.admit(request)
        return _json(await self._upstream.models())

    async def minimize(self, request: Request) -> Response:
        """`/v1/privacy/minimize`: what may leave, for callers that send it themselves."""
        came = time.perf_counter()
        client = self._door.admit(request)
        data = await self._door.read(request)
        turns = read_turns(data.get("messages"))
        session = self._sessions.find(client, _named(request, data))
        conversation = self._rag.conversation(session.id)
        asked, reference = ChatRequest(turns, {}, {}), _optional(data, "reference")
        with self._failures(session, asked):
            sent = await while_present(
                request, self._outgoing(conversation, asked, came, reference=reference)
            )
        receipt = sent.minimized.receipt
        return _json(
            {
                "conversation_id": session.name,
                "messages": sent.body["messages"],
                "query": receipt.query,
                "attributes": [decided(decision) for decision in receipt.decisions],
                "timings_ms": dict(receipt.timings),
            }
        )

    async def restore(self, request: Request) -> Response:
        """`/v1/privacy/restore`: an answer with its placeholders turned back into values."""
        client = self._door.admit(request)
        data = await self._door.read(request)
        text = read_text(data.get("text"), "text")
        name = read_text(_named(request, data), "conversation_id")
        session = self._sessions.find(client, name)
        restorer = privacy.StreamRestorer(self._rag.conversation(session.id).vault)
        restored = restorer.feed(text) + restorer.flush()
        return _json({"text": restored, "unknown": list(restorer.unknown)})

    async def explain(self, request: Request) -> Response:
        """`/v1/privacy/explain`: one message with all that happens to it, for the page."""
        self._door.admit(request)
        data = await self._door.read(request)
        message = read_text(data.get("message"), "message")
        reference = _optional(data, "reference")
        deadline = Deadline(self._options.deadline)
        with self.metrics.queued():
            call = self._gate.run(
                lambda: self._rag.minimize(message, reference=reference, deadline=deadline),
                deadline,
            )
            minimized = await while_present(request, call)
        answer = None
        if data.get("answer"):
            self._audit.minimized("explain", minimized.receipt)
            model = _optional(data, "model")
            raw = await while_present(request, self._raw_answer(minimized, model))
            answer = {"raw": raw, "restored": minimized.restore(raw)}
        return _json(explained(minimized, answer=answer))

    async def health(self) -> Response:
        """`/healthz`: whether requests are answered."""
        return _json({"status": "ok", "version": __version__})

    async def metrics_text(self, request: Request) -> Response:
        """`/metrics`, for Prometheus."""
        self._door.admit(request)
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # ------------------------------------------------------------------- parts

    async def _outgoing(
        self,
        conversation: Conversation,
        asked: ChatRequest,
        came: float,
        *,
        reference: str | None = None,
    ) -> Outgoing:
        """What may leave, once the audit knows of it."""
        deadline = Deadline(self._options.deadline)

        def call() -> Outgoing:
            sent = outgoing(asked, conversation, reference=reference, deadline=deadline)
            self._audit.minimized(conversation.id, sent.minimized.receipt)
            return sent

        with self.metrics.queued():
            sent = await self._gate.run(call, deadline)
        receipt = sent.minimized.receipt
        stages = sum(receipt.timings.values()) / 1e3
        self.metrics.minimized(receipt, time.perf_counter() - came - stages)
        return sent

    @contextlib.contextmanager
    def _failures(self, session: Session, asked: ChatRequest) -> Iterator[None]:
        """Tells the audit; who tries again finds the same conversation."""
        try:
            yield
        except BaseException as error:
            self._sessions.give_back(session, asked.turns)
            # A stream whose client leaves is canceled, or closed.
            self._audit.failed(session.id, error if isinstance(error, Exception) else ClientLeft())
            raise

    async def _restored(self, chat: _Chat, chunks: Chunks) -> AsyncGenerator[bytes, None]:
        """The events of a streamed answer; one that breaks off ends with an error, not `[DONE]`."""
        incoming = chat.incoming()
        end, count = DONE, 0
        try:
            with self._failures(chat.session, chat.asked):
                async for chunk in chunks:
                    count += 1
                    if (told := incoming.feed(chunk)) is not None:
                        yield event(told)
                if not (chunks.done or incoming.complete):
                    raise AnswerError("it ended too soon")
        except Exception as error:
            end = event(as_gateway_error(error).body)
        if (rest := incoming.rest()) is not None:
            yield event(rest)
        if end is DONE:
            self._answered(chat, incoming, count)
        yield end

    def _answered(self, chat: _Chat, incoming: Incoming, chunks: int) -> None:
        answers = incoming.answers
        for own in answers:
            remember(own, chat.conversation)
        self._sessions.remember(chat.session, chat.asked.turns, [own.turn for own in answers])
        self.metrics.answered(incoming.unknown)
        self._audit.answered(
            chat.session.id,
            (time.perf_counter() - chat.left) * 1e3,
            chunks=chunks,
            choices=len(answers),
            unknown=incoming.unknown,
        )

    async def _raw_answer(self, minimized: Minimized, model: str | None) -> str:
        """The upstream's answer to one message, or the local model's where there is no upstream."""
        if self._options.upstream is None:
            deadline = Deadline(self._options.deadline)
            answer = await self._gate.run(lambda: self._rag.ask(minimized, deadline), deadline)
            return answer.raw
        messages = [{"role": own.role, "content": own.content} for own in minimized.messages]
        model = read_model(model or await self._first_model(), "model")
        body = {"model": model, "messages": messages}
        incoming = Incoming(minimized.vault)
        incoming.whole(await self._upstream.chat(body))
        return incoming.answers[0].raw

    async def _first_model(self) -> object:
        try:
            return (await self._upstream.models())["data"][0]["id"]
        except (LookupError, TypeError):
            raise AnswerError("it lists no models") from None


@dataclass(frozen=True, slots=True)
class _Chat:
    """A request that left.

    Args:
        left: When, in seconds of `time.perf_counter`.
    """

    session: Session
    conversation: Conversation
    asked: ChatRequest
    sent: Outgoing
    left: float

    def incoming(self) -> Incoming:
        """What restores the answer."""
        return Incoming(self.sent.minimized.vault, json=self.asked.wants_json)

    @property
    def headers(self) -> dict[str, str]:
        """What the client may want to know beside the answer."""
        receipt = self.sent.minimized.receipt
        kept = len(receipt.kept)
        return {
            "X-Conversation-Id": self.session.name,
            "X-Audit-Id": self.session.id,
            "X-Privacy-Kept": str(kept),
            "X-Privacy-Withheld": str(len(receipt.decisions) - kept),
            "X-Privacy-Dropped": ",".join(filter(_FIELD.fullmatch, self.asked.dropped)),
        }


class _Streamed(StreamingResponse):
    """Server-sent events whose source is closed whatever happens to them."""

    def __init__(
        self, events: AsyncGenerator[bytes, None], chunks: Chunks, headers: Mapping[str, str]
    ) -> None:
        headers = {**headers, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events, headers=headers, media_type="text/event-stream")
        self._events = events
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._chunks, contextlib.aclosing(self._events):
            await super().__call__(scope, receive, send)


def _json(data: object, headers: Mapping[str, str] | None = None) -> Response:
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(dump(data), headers=headers, media_type="application/json")


def _header(request: Request) -> str | None:
    return request.headers.get("x-conversation-id")


def _named(request: Request, data: Mapping[str, Any]) -> str | None:
    return _header(request) or _optional(data, "conversation_id")


def _optional(data: Mapping[str, Any], key: str) -> str | None:
    return None if data.get(key) is None else read_text(data[key], key)


def _page(name: str, kind: str) -> Callable[[], Awaitable[Response]]:
    content = files("privrag_fast.gateway").joinpath("page", name).read_bytes()

    async def page() -> Response:
        return Response(content, media_type=kind, headers=_PAGE_HEADERS)

    return page


async def _http_error(_: Request, error: Exception) -> Response:
    """What the router refuses: unknown paths and methods."""
    status = getattr(error, "status_code", 500)
    told = GatewayError("unknown path or method: see docs/gateway.md", status=status)
    return Response(dump(told.body), status, media_type="application/json")
