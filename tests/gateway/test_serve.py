"""`privrag-fast serve`: what it refuses, and that it stops in peace."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from privrag_fast.cli import main
from privrag_fast.gateway import GatewayOptions
from privrag_fast.types import InputError
from tests.gateway.servers import RecordingUpstream, chunk, running

ROOT = Path(__file__).parents[2]
KEY = "a-key-of-sixteen-letters"
SERVER = """
import logging, sys
from privrag_fast.gateway import GatewayOptions, serve
from tests.gateway.requests import NOTHING, VALUES, rag_of
logging.basicConfig(level=logging.INFO)
serve(rag_of(VALUES, NOTHING), GatewayOptions(port=0, upstream=sys.argv[1], grace=5))
"""


@pytest.mark.parametrize(
    ("choices", "cure"),
    [
        ({"host": "0.0.0.0"}, "--api-key-env"),
        ({"host": "::"}, "--api-key-env"),
        ({"host": "example.org"}, "--api-key-env"),
        ({"api_keys": ("short",)}, "16 or more"),
        ({"api_keys": ("schlüssel-mit-umlaut",)}, "ASCII"),
        ({"upstream": "example.org/v1"}, "a base URL"),
        ({"upstream": "https://me:secret@example.org/v1"}, "no password"),
        ({"max_body": 0}, "max_body must be above 0"),
        ({"deadline": float("nan")}, "deadline must be above 0"),
        ({"port": -1}, "port must be 0 or more"),
    ],
)
def test_options_that_are_refused(choices: dict[str, Any], cure: str) -> None:
    with pytest.raises(InputError, match=cure) as refused:
        GatewayOptions(**choices)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.8.8.8"])
def test_this_machine_needs_no_key(host: str) -> None:
    GatewayOptions(host=host)


def test_a_public_address_with_a_key() -> None:
    options = GatewayOptions(host="0.0.0.0", api_keys=(KEY,), upstream_key="upstream-secret")
    assert KEY not in repr(options)
    assert "upstream-secret" not in repr(options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "can be reached from outside"),
        (["--api-key-env", "PRIVRAG_TEST_UNSET"], "PRIVRAG_TEST_UNSET is not set"),
        (["--upstream", "nowhere"], "a base URL"),
        ([], "--corpus"),
    ],
)
def test_command(capsys: Any, arguments: list[str], message: str) -> None:
    assert main(["serve", *arguments]) == 1
    assert message in capsys.readouterr().err


def _address(log: IO[str]) -> str:
    lines = []
    for line in log:
        lines.append(line)
        if found := re.search(r"running on (http://\S+)", line):
            return found[1]
    return pytest.fail("".join(lines))


def test_running_requests_end_before_the_server() -> None:
    slow = [own for n in range(10) for own in (chunk(0, {"content": str(n)}), 0.05)]
    upstream = RecordingUpstream(lambda body: [*slow, b"data: [DONE]\n\n"])
    with running(upstream) as address:
        command = [sys.executable, "-c", SERVER, f"{address}/v1"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as server:
            assert server.stderr is not None
            url = _address(server.stderr)
            body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
            with httpx.stream("POST", f"{url}/v1/chat/completions", json=body) as response:
                pieces = response.iter_text()
                next(pieces)
                server.send_signal(signal.SIGINT)
                assert "".join(pieces).endswith("[DONE]\n\n")
            assert server.wait(10) == 0
            assert "Traceback" not in server.stderr.read()
