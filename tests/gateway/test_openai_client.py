"""The official client, through the gateway, to a real llama.cpp server."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, cast

import httpx
import openai
import pytest

from tests.gateway.conftest import Start
from tests.gateway.requests import MESSAGE, user
from tests.scorer.tiny_llama import write_tiny_llama

KEY = "a-key-of-sixteen-letters"
# The server's grammar makes the model, whose weights are random, call this with a placeholder.
TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Looks something up.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"enum": ["[LOCATION_1]"]}, "years": {"const": "[AGE_1]"}},
            "required": ["city", "years"],
        },
    },
}
CHOICE = {"type": "function", "function": {"name": "look_up"}}


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a `llama_cpp.server`."""
    pytest.importorskip("llama_cpp.server.app", reason="needs llama-cpp-python[server]")
    model = write_tiny_llama(tmp_path_factory.mktemp("llama") / "tiny.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--port", str(port),
        "--model_alias", "tiny", "--chat_format", "chatml-function-calling", "--seed", "1",
        "--n_threads", "1", "--n_threads_batch", "1", "--n_ctx", "4096", "--verbose", "False",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        url = f"http://127.0.0.1:{port}/v1"
        try:
            _wait(server, url)
            yield url
        finally:
            server.terminate()


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < end:
        try:
            httpx.get(f"{url}/models", trust_env=False)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("llama_cpp.server did not start")


@pytest.fixture
def client(start: Start, llama: str) -> Iterator[openai.OpenAI]:
    base = str(start(upstream=llama, api_keys=(KEY,)).base_url)
    with openai.OpenAI(base_url=f"{base}/v1", api_key=KEY, max_retries=0) as client:
        yield client


def ask(client: openai.OpenAI, **fields: Any) -> Any:
    messages = cast(Any, [user(MESSAGE)])
    return client.chat.completions.create(
        model="tiny", messages=messages, temperature=0, max_tokens=64, **fields
    )


def test_whole(client: openai.OpenAI) -> None:
    answer = ask(client)
    assert answer.choices[0].message.role == "assistant"
    assert answer.choices[0].finish_reason in ("stop", "length")
    assert answer.usage.completion_tokens <= 64


def test_streamed_equals_whole(client: openai.OpenAI) -> None:
    pieces = [chunk.choices[0].delta.content or "" for chunk in ask(client, stream=True)]
    assert "".join(pieces) == (ask(client).choices[0].message.content or "")
    assert len(pieces) > 2


def test_tools(client: openai.OpenAI) -> None:
    answer = ask(client, tools=[TOOL], tool_choice=CHOICE)
    [call] = answer.choices[0].message.tool_calls
    assert call.function.name == "look_up"
    assert json.loads(call.function.arguments) == {"city": "Zürich", "years": "67"}


def test_streamed_tools(client: openai.OpenAI) -> None:
    name = arguments = ""
    for chunk in ask(client, tools=[TOOL], tool_choice=CHOICE, stream=True):
        for call in chunk.choices[0].delta.tool_calls or ():
            name += call.function.name or ""
            arguments += call.function.arguments or ""
    assert name == "look_up"
    assert json.loads(arguments) == {"city": "Zürich", "years": "67"}


def test_models(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["tiny"]


def test_errors(client: openai.OpenAI, llama: str, start: Start) -> None:
    with pytest.raises(openai.AuthenticationError):
        client.with_options(api_key="wrong").models.list()
    with pytest.raises(openai.BadRequestError):
        ask(client, stop=cast(Any, 3))
    gone = str(start(upstream="http://127.0.0.1:9/v1").base_url)
    with pytest.raises(openai.InternalServerError, match="cannot be reached"):
        ask(openai.OpenAI(base_url=f"{gone}/v1", api_key=KEY, max_retries=0))
