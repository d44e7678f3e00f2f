"""Remote and local answers, and how they fail."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from privrag_fast.generation import LocalChat, OpenAIChat
from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.types import ChatMessage, GenerationError
from tests.scorer.tiny_llama import write_tiny_llama

MESSAGES = [ChatMessage("system", "Be brief."), ChatMessage("user", "secret [AGE_1]")]
Handler = Callable[[http.server.BaseHTTPRequestHandler, dict], None]


def stream(handler: http.server.BaseHTTPRequestHandler, pieces: list[str]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    for piece in pieces:
        chunk = {
            "id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}],
        }  # fmt: skip
        handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        handler.wfile.flush()
    handler.wfile.write(b"data: [DONE]\n\n")


@pytest.fixture
def endpoint() -> Iterator[Callable[[Handler], str]]:
    servers: list[http.server.ThreadingHTTPServer] = []

    def serve(answer: Handler) -> str:
        class Answer(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer(self, json.loads(body))

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        server.daemon_threads = True
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def chat(url: str, **options: object) -> OpenAIChat:
    return OpenAIChat("m", base_url=url, api_key="none", max_retries=0, **options)  # type: ignore[arg-type]


def test_sends_just_the_messages_and_streams(endpoint: Callable[[Handler], str]) -> None:
    seen: list[dict] = []

    def answer(handler: http.server.BaseHTTPRequestHandler, body: dict) -> None:
        seen.append(body)
        stream(handler, ["You are ", "[AGE_1]", "."])

    pieces = list(chat(endpoint(answer)).generate(MESSAGES))
    assert pieces == ["You are ", "[AGE_1]", "."]
    assert seen[0]["messages"] == [{"role": m.role, "content": m.content} for m in MESSAGES]
    assert seen[0]["model"] == "m"


def test_key_from_the_environment(
    endpoint: Callable[[Handler], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    keys: list[str] = []

    def answer(handler: http.server.BaseHTTPRequestHandler, body: dict) -> None:
        keys.append(handler.headers["Authorization"])
        stream(handler, ["ok"])

    list(OpenAIChat("m", base_url=endpoint(answer)).generate(MESSAGES))
    assert keys == ["Bearer from-environment"]


def test_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(GenerationError, match="OPENAI_API_KEY"):
        OpenAIChat("m")


def test_down() -> None:
    with pytest.raises(GenerationError, match="cannot be reached"):
        list(chat("http://127.0.0.1:9/v1").generate(MESSAGES))


def test_slow(endpoint: Callable[[Handler], str]) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, body: dict) -> None:
        time.sleep(2)

    with pytest.raises(GenerationError, match="raise timeout"):
        list(chat(endpoint(answer), timeout=0.2).generate(MESSAGES))


def test_refusal_does_not_quote_the_request(endpoint: Callable[[Handler], str]) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, body: dict) -> None:
        handler.send_response(400)
        handler.end_headers()
        handler.wfile.write(json.dumps({"error": body}).encode())

    with pytest.raises(GenerationError, match="status 400") as error:
        list(chat(endpoint(answer)).generate(MESSAGES))
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__


def test_breaks_off(endpoint: Callable[[Handler], str]) -> None:
    def answer(handler: http.server.BaseHTTPRequestHandler, body: dict) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"data: {not json\n\n")

    with pytest.raises(GenerationError, match="broke off"):
        list(chat(endpoint(answer)).generate(MESSAGES))


@pytest.fixture
def local(tmp_path: Path) -> LanguageModel:
    return LanguageModel(
        write_tiny_llama(tmp_path / "tiny.gguf"), options=LlamaOptions(n_ctx=256, n_threads=1)
    )


def test_local_answer(local: LanguageModel) -> None:
    answer = "".join(LocalChat(local, max_tokens=12).generate(MESSAGES))
    assert answer.strip() == local.draft(local.render(MESSAGES), max_tokens=12).strip() or (
        "\ufffd" in answer
    )


def test_local_answer_abandoned(local: LanguageModel) -> None:
    pieces = LocalChat(local, max_tokens=200).generate([ChatMessage("user", "Hi")])
    next(pieces)
    pieces.close()
    assert not [t for t in threading.enumerate() if t.name == "privrag-local-chat"]


def test_local_prompt_too_long(local: LanguageModel) -> None:
    with pytest.raises(GenerationError, match="n_ctx"):
        list(LocalChat(local).generate([ChatMessage("user", "word " * 100)]))
