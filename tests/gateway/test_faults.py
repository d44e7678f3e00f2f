"""Whatever fails: nothing is sent that should not be, and the client gets OpenAI's error."""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from privrag_fast.audit import Audit, AuditEvent
from privrag_fast.types import DetectionError, Entity, ScoringError
from tests.gateway.conftest import Start
from tests.gateway.requests import (
    MESSAGE,
    NOTHING,
    VALUES,
    Marker,
    ask,
    error_of,
    events_of,
    rag_of,
    streamed_text,
    text_of,
    user,
    wait_for,
)
from tests.gateway.servers import RecordingUpstream, chunk
from tests.stand_ins import PseudoRandomCounterfactual, make_rag

KEY = "a-key-of-sixteen-letters"
JSON = {"Content-Type": "application/json"}


class Failing:
    """A detector, and a sink of an audit, that raise with a user's text."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        raise self._error

    def write(self, event: AuditEvent) -> None:
        raise self._error


# --------------------------------------------------------------------------- before it is sent


@pytest.mark.parametrize("error", [RuntimeError(MESSAGE), DetectionError("found nothing")])
@pytest.mark.parametrize("stream", [False, True])
def test_a_failing_stage(
    start: Start, upstream: RecordingUpstream, caplog: Any, error: Exception, stream: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    response = ask(start(make_rag(Failing(error))), user(MESSAGE), stream=stream)
    assert response.status_code == 500
    assert error_of(response)["type"] == "privacy_error"
    assert type(error).__name__ in error_of(response)["message"]
    assert upstream.bodies == []
    assert "Nora" not in response.text + caplog.text
    request_id = response.headers["x-request-id"]
    assert f"request {request_id} was stopped" in caplog.text


def test_every_answer_has_an_id_that_no_client_chose(start: Start) -> None:
    client = start()
    chosen = {"X-Request-Id": "of Nora Lind"}
    ids = {
        ask(client, user(MESSAGE), headers=chosen, stream=stream).headers["x-request-id"]
        for stream in (False, True)
    } | {client.get(path).headers["x-request-id"] for path in ("/healthz", "/nowhere", "/")}
    assert len(ids) == 5
    assert all(re.fullmatch("[0-9a-f]{16}", own) for own in ids)


def test_a_failing_scorer_blocks(start: Start, upstream: RecordingUpstream) -> None:
    broken = PseudoRandomCounterfactual(ScoringError("llama_decode failed with code -1"))
    response = ask(start(rag_of(VALUES, NOTHING, counterfactual=broken)), user(MESSAGE))
    assert response.status_code == 500
    assert upstream.bodies == []


def test_a_failing_audit_blocks(start: Start, upstream: RecordingUpstream) -> None:
    response = ask(start(audit=Audit([Failing(OSError("disk full"))])), user(MESSAGE))
    assert response.status_code == 500
    assert upstream.bodies == []


class Slow(Marker):
    """A detector that takes its time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(VALUES)
        self._seconds = seconds

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        time.sleep(self._seconds)
        return super().detect(texts)


def test_deadline(start: Start, upstream: RecordingUpstream) -> None:
    response = ask(start(make_rag(Slow(0.2), policy=NOTHING), deadline=0.1), user(MESSAGE))
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert error_of(response)["code"] == "deadline_exceeded"
    assert upstream.bodies == []


def test_a_full_queue_refuses(start: Start, upstream: RecordingUpstream) -> None:
    client = start(make_rag(Slow(0.3), policy=NOTHING), queue=2)
    responses: list[httpx.Response] = []
    threads = [
        threading.Thread(target=lambda: responses.append(ask(client, user(MESSAGE))))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    wait_for(lambda: "privrag_queue 2.0" in client.get("/metrics").text)
    for thread in threads:
        thread.join()
    assert "privrag_queue 0.0" in client.get("/metrics").text
    assert sorted(r.status_code for r in responses) == [200, 200, 503, 503, 503, 503]
    refused = next(r for r in responses if r.status_code == 503)
    assert error_of(refused)["code"] == "overloaded"
    assert text_of(ask(client, user(MESSAGE))) == MESSAGE


# --------------------------------------------------------------------------- requests


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"model": "a", "model": "b"}',
        b'{"model": NaN}',
        b"\xff",
        b"[" * 100_000,
        b'{"n": ' + b"9" * 5000 + b"}",
    ],
)
def test_invalid_json(start: Start, upstream: RecordingUpstream, body: bytes) -> None:
    response = start().post("/v1/chat/completions", content=body, headers=JSON)
    assert response.status_code == 400
    assert error_of(response)["code"] == "invalid_json"
    assert upstream.bodies == []


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages"),
        ({"messages": [{"role": "system", "content": "hi"}]}, "messages"),
        ({"messages": ["hi"]}, "messages[0]"),
        ({"messages": [{"role": "function", "content": "hi"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 3}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
         "messages[0].content[0]"),
        ({"messages": [user(MESSAGE), {"role": "tool", "content": None}]}, "messages[1].content"),
        ({"messages": [user(MESSAGE), {"role": "assistant", "tool_calls": [{"id": "Nora Lind"}]}]},
         "messages[1].tool_calls[0].function"),
        ({"model": "of Nora Lind"}, "model"),
        ({"model": None}, "model"),
        ({"n": 0}, "n"),
        ({"n": True}, "n"),
        ({"temperature": "Nora Lind"}, "temperature"),
        ({"stream": "yes"}, "stream"),
        ({"service_tier": "Nora Lind"}, "service_tier"),
        ({"logit_bias": {"Nora Lind": 1}}, "logit_bias"),
        ({"tools": [{"type": "custom"}]}, "tools[0].type"),
        ({"tools": [{"type": "function", "function": {"name": "Nora Lind"}}]},
         "tools[0].function.name"),
        ({"tool_choice": {"function": {"name": "Nora Lind"}}}, "tool_choice.function.name"),
        ({"response_format": {"type": "Nora Lind"}}, "response_format.type"),
    ],
)  # fmt: skip
def test_fields_of_the_wrong_kind(
    start: Start, upstream: RecordingUpstream, fields: dict[str, Any], param: str
) -> None:
    body = {"model": "tiny", "messages": [user(MESSAGE)], **fields}
    response = start().post("/v1/chat/completions", json=body)
    assert response.status_code == 400
    assert error_of(response)["param"] == param
    assert "Nora" not in response.text
    assert upstream.bodies == []


@pytest.mark.parametrize("declared", [True, False])
def test_oversized_bodies(start: Start, upstream: RecordingUpstream, declared: bool) -> None:
    client = start(max_body=2000)
    content = b'{"model": "' + b"x" * 2000 + b'"}'
    sent = content if declared else iter([content[:1000], content[1000:]])
    response = client.post("/v1/chat/completions", content=sent, headers=JSON)
    assert response.status_code == 413
    assert error_of(response)["code"] == "body_too_large"
    assert text_of(ask(client, user(MESSAGE))) == MESSAGE


@pytest.mark.parametrize("header", [None, "Bearer wrong-key-of-16-letters", f"Basic {KEY}", KEY])
def test_wrong_keys(start: Start, upstream: RecordingUpstream, header: str | None) -> None:
    client = start(api_keys=(KEY,))
    headers = {"Authorization": header} if header else {}
    for method, path in [
        ("POST", "/v1/chat/completions"), ("GET", "/v1/models"), ("GET", "/metrics"),
        ("POST", "/v1/privacy/minimize"), ("POST", "/v1/privacy/restore"),
        ("POST", "/v1/privacy/explain"),
    ]:  # fmt: skip
        response = client.request(method, path, headers=headers)
        assert response.status_code == 401
        assert error_of(response)["code"] == "invalid_api_key"
    assert client.get("/healthz").status_code == client.get("/").status_code == 200
    right = {"Authorization": f"Bearer {KEY}"}
    assert text_of(ask(client, user(MESSAGE), headers=right)) == MESSAGE
    assert upstream.seen[-1].get("authorization") is None


def test_rate_limit(start: Start) -> None:
    client = start(requests_per_minute=2)
    statuses = [client.get("/v1/models") for _ in range(3)]
    assert [r.status_code for r in statuses] == [200, 200, 429]
    assert 1 <= int(statuses[-1].headers["retry-after"]) <= 30
    assert error_of(statuses[-1])["code"] == "rate_limit_exceeded"


@pytest.mark.parametrize("host", ["evil.example", "192.0.2.7:80", "127.0.0.1.evil.example", ""])
def test_only_this_machine_is_a_host(start: Start, host: str) -> None:
    response = ask(start(), user(MESSAGE), headers={"Host": host})
    assert response.status_code == 403


@pytest.mark.parametrize("host", ["localhost:8800", "127.0.0.1", "[::1]:1"])
def test_names_of_this_machine(start: Start, host: str) -> None:
    assert text_of(ask(start(), user(MESSAGE), headers={"Host": host})) == MESSAGE


def test_a_web_page_cannot_post_without_asking(start: Start, upstream: RecordingUpstream) -> None:
    response = start().post(
        "/v1/chat/completions", content=b"{}", headers={"Content-Type": "text/plain"}
    )
    assert response.status_code == 415
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("path", ["/nowhere", "/docs", "/openapi.json", "/page/../secret"])
def test_unknown_paths(start: Start, path: str) -> None:
    response = start().get(path)
    assert response.status_code == 404
    assert error_of(response)["type"] == "invalid_request_error"


# --------------------------------------------------------------------------- upstream


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "told", "code"),
    [
        (400, 400, "context_length_exceeded"),
        (401, 502, "upstream_refused_key"),
        (404, 404, "context_length_exceeded"),
        (429, 429, "context_length_exceeded"),
        (500, 502, "context_length_exceeded"),
        (307, 502, "context_length_exceeded"),
    ],
)
def test_an_upstream_that_refuses(
    start: Start, upstream: RecordingUpstream, status: int, told: int, code: str, stream: bool
) -> None:
    upstream.status = status
    upstream.headers = {"retry-after": "7", "location": "/v1/elsewhere"}
    upstream.answer = lambda body: {
        "error": {"message": f"no: {body}", "code": "context_length_exceeded", "type": "No Type"}
    }
    response = ask(start(), user(MESSAGE), stream=stream)
    assert response.status_code == told
    assert error_of(response)["code"] == code
    assert f"status {status}" in error_of(response)["message"]
    assert "PERSON" not in response.text
    assert len(upstream.bodies) == 1
    assert response.headers.get("retry-after") == ("7" if status not in (400, 401, 404) else None)


@pytest.mark.parametrize("stream", [False, True])
def test_an_upstream_that_is_not_there(start: Start, stream: bool) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        response = ask(start(upstream=url), user(MESSAGE), stream=stream)
    assert response.status_code == 502
    assert error_of(response)["code"] == "upstream_unreachable"


def test_an_upstream_that_is_slow(start: Start, upstream: RecordingUpstream) -> None:
    upstream.answer = lambda body: [0.5]
    client = start(timeout=0.1)
    response = ask(client, user(MESSAGE))
    assert response.status_code == 504
    assert error_of(response)["code"] == "upstream_timeout"
    upstream.answer = lambda body: [chunk(0, {"content": "[PERSON_1]"}), 0.5]
    response = ask(client, user(MESSAGE), stream=True)
    assert streamed_text(response) == "Nora Lind"
    assert events_of(response)[-1]["error"]["code"] == "upstream_timeout"


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([...], "upstream_broke_off"),
        ([], "upstream_malformed"),
        ([b"data: {]\n\n"], "upstream_malformed"),
        ([b"data: 3\n\n"], "upstream_malformed"),
        ([b"data: {}\n\n"], "upstream_malformed"),
        ([b'data: {"choices": [3]}\n\n'], "upstream_malformed"),
        ([b'data: {"choices": [{"delta": {"content": 3}}]}\n\n'], "upstream_malformed"),
        ([b'data: {"choices": [{"index": [], "delta": {}}]}\n\n'], "upstream_malformed"),
        ([b'data: {"error": {"message": "I had Nora"}}\n\n'], "upstream_malformed"),
        ([b"data: " + b"x" * 5000], "upstream_malformed"),
        ([b"<html>down</html>"], "upstream_malformed"),
    ],
)
def test_a_stream_that_goes_wrong(
    start: Start, upstream: RecordingUpstream, pieces: list[Any], code: str
) -> None:
    upstream.answer = lambda body: [chunk(0, {"content": "Dear [PERSON_1], [LOC"}), *pieces]
    client = start()
    response = ask(client, user(MESSAGE), stream=True)
    # What was held back is told, the error is the last event, and nobody takes it for an end.
    assert streamed_text(response) == "Dear Nora Lind, [LOC"
    assert events_of(response)[-1]["error"]["code"] == code
    assert "[DONE]" not in response.text
    assert "I had" not in response.text
    upstream.answer = lambda body: ["fine"]
    assert text_of(ask(client, user(MESSAGE))) == "fine"


def test_an_end_without_done(start: Start, upstream: RecordingUpstream) -> None:
    upstream.answer = lambda body: [chunk(0, {"content": "[PERSON"}), chunk(0, {}, "stop")]
    response = ask(start(), user(MESSAGE), stream=True)
    assert streamed_text(response) == "[PERSON"
    assert response.text.endswith("data: [DONE]\n\n")


def test_chunks_cut_anywhere(start: Start, upstream: RecordingUpstream) -> None:
    whole = b": ping\r\n\r\n" + b"".join(
        chunk(0, {"content": own}).replace(b"\n", b"\r\n")
        for own in ("a\u2028", "[PERSON_1]")
    )  # fmt: skip
    whole = whole.replace(b"\\u2028", "\u2028".encode()) + b"data:[DONE]\n\n"
    upstream.answer = lambda body: [whole[at : at + 1] for at in range(len(whole))]
    assert streamed_text(ask(start(), user(MESSAGE), stream=True)) == "a\u2028Nora Lind"


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": []},
        {"choices": None},
        {"choices": [{"message": []}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"tool_calls": [7]}}]},
        {"error": {"message": "of Nora"}},
        {"choices": [{"message": {"content": "x" * 5000}}]},
        [b"not json"],
    ],
)
def test_an_answer_that_is_none(start: Start, upstream: RecordingUpstream, answer: Any) -> None:
    upstream.answer = lambda body: answer
    response = ask(start(), user(MESSAGE))
    assert response.status_code == 502
    assert error_of(response)["code"] == "upstream_malformed"
    assert "Nora" not in response.text


# --------------------------------------------------------------------------- clients that leave


class Told:
    """A sink that remembers what an audit told, but for details."""

    def __init__(self) -> None:
        self.events: list[tuple[str, object]] = []

    def write(self, event: AuditEvent) -> None:
        self.events.append((event.name, event.facts.get("code")))


def leave(client: httpx.Client, *, stream: bool = False) -> None:
    """Asks, and hangs up before the answer."""
    with pytest.raises(httpx.ReadTimeout):
        ask(client, user(MESSAGE), stream=stream, timeout=0.15)


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_leaves_before_the_answer(
    start: Start, upstream: RecordingUpstream, stream: bool
) -> None:
    told = Told()
    client = start(audit=Audit([told]))
    upstream.answer = lambda body: [30.0]
    leave(client, stream=stream)
    assert upstream.left.wait(5), "the upstream is left to work for nobody"
    wait_for(lambda: "privrag_requests_running 1.0" in client.get("/metrics").text)
    assert told.events == [("minimized", None), ("failed", "client_left")]
    assert 'status="499"' in client.get("/metrics").text


def test_a_client_that_leaves_a_silent_stream(start: Start, upstream: RecordingUpstream) -> None:
    told = Told()
    client = start(audit=Audit([told]))
    upstream.answer = lambda body: [chunk(0, {"content": "Dear [PERSON_1]"}), 30.0]
    body = {"model": "tiny", "messages": [user(MESSAGE)], "stream": True}
    with client.stream("POST", "/v1/chat/completions", json=body) as response:
        next(response.iter_bytes())
    assert upstream.left.wait(5), "the upstream is left to work for nobody"
    wait_for(lambda: len(told.events) == 2)
    assert told.events == [("minimized", None), ("failed", "client_left")]


def test_a_client_that_leaves_while_its_message_is_minimized(
    start: Start, upstream: RecordingUpstream
) -> None:
    told = Told()
    client = start(make_rag(Slow(0.3), policy=NOTHING), queue=1, audit=Audit([told]))
    leave(client)
    wait_for(lambda: told.events == [("failed", "client_left")])
    wait_for(lambda: ask(client, user(MESSAGE)).status_code == 200)
    assert len(upstream.bodies) == 1, "what nobody waits for was sent"


def test_a_client_that_leaves_in_its_own_body(
    start: Start, upstream: RecordingUpstream, caplog: Any
) -> None:
    caplog.set_level(logging.WARNING)
    address = start().base_url
    with socket.create_connection((address.host, address.port or 80)) as half:
        half.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
        )
    wait_for(lambda: "privrag_requests_running 1.0" in start().get("/metrics").text)
    assert "was stopped" not in caplog.text
    assert upstream.bodies == []


def test_nothing_of_a_user_is_logged(start: Start, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    client = start()
    ask(client, user(MESSAGE), stream=True)
    client.get("/v1/models?who=Nora")
    # Not the test's own client, and no log of requests: `serve` has none.
    others = ("httpx", "httpcore", "uvicorn.access")
    records = [record for record in caplog.records if not record.name.startswith(others)]
    assert not any("Nora" in record.getMessage() for record in records)
