"""What the gateway adds to a request, the load it holds, and whether anything leaks through it.

    make bench-gateway
    make bench-gateway ARGS=--leaks

The models are stand-ins, and the stages that a receipt times are taken off: what is left is the
gateway's own, HTTP twice, reading, sessions, audit, restoration. Gateway and upstream are processes
of their own; the clients are a third, on the same cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402

from privrag_fast.evaluation.bars import Bar, conclude, machine  # noqa: E402

TEXT = (
    "Hi, I'm Nora Lind, 67, a retired nurse from Zürich. Reach me at nora@example.org. "
    "Can I open the Senior Saver account, and what would it cost me in Oslo?"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10.0, help="of load")
    parser.add_argument("--leaks", action="store_true", help="2,000 conversations instead")
    parser.add_argument("--conversations", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--serve", choices=("gateway", "upstream"), help=argparse.SUPPRESS)
    parser.add_argument("--upstream", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve, options.upstream)
    print(f"{machine()}; {options.clients} clients")
    return leaks(options) if options.leaks else asyncio.run(speed(options))


# --------------------------------------------------------------------------- leaks


def leaks(options: argparse.Namespace) -> int:
    from tests.gateway import campaign

    start = time.perf_counter()
    found = campaign.run(
        campaign.talks(options.conversations, options.turns), clients=options.clients
    )
    print(f"{found}, {time.perf_counter() - start:.0f} s")
    for kind, conversation, turn in found.places:
        print(f"{kind}: conversation {conversation}, turn {turn} of campaign.talks")
    wanted = options.conversations * options.turns
    return conclude(
        [
            Bar("messages", found.messages, wanted, at_least=True),
            Bar("leaks", found.leaks, 0),
            Bar("mix_ups", found.mix_ups, 0),
            Bar("failures", found.failures, 0),
        ]
    )


# --------------------------------------------------------------------------- speed


async def speed(options: argparse.Namespace) -> int:
    with process("upstream") as upstream, process("gateway", upstream) as gateway:
        async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
            direct = await timed(lambda: ask(client, upstream), options.rounds)
            through = await timed(lambda: ask(client, gateway), options.rounds)
            stages = await stage_ms(client, gateway)
            long = await timed(lambda: ask(client, gateway, turns=20), options.rounds // 5)
            long_direct = await timed(lambda: ask(client, upstream, turns=20), options.rounds // 5)
            chunk_ms = await added_per_chunk(client, upstream, gateway)
            load = await hold(client, gateway, options.clients, options.seconds)
    print(f"{'ms':<22}{'median':>8}{'p99':>8}")
    for name, own in (("direct", direct), ("through the gateway", through),
                      ("direct, 20 turns", long_direct), ("through, 20 turns", long)):  # fmt: skip
        print(f"{name:<22}{statistics.median(own):>8.2f}{percentile(own, 99):>8.2f}")
    print(f"of it the stages of the pipeline, which are not the gateway's: {stages:.2f}")
    print(
        f"load: {len(load) / options.seconds:.0f} requests/s, median "
        f"{statistics.median(load):.1f} ms, p99 {percentile(load, 99):.1f} ms"
    )
    added = statistics.median(through) - statistics.median(direct) - stages
    return conclude(
        [
            Bar("added_ms_per_request", added, 5.0),
            Bar("added_ms_per_chunk", chunk_ms, 1.0),
        ]
    )


async def ask(
    client: httpx.AsyncClient, base: str, *, turns: int = 1, stream: bool = False
) -> httpx.Response:
    """One request with so many turns of history."""
    history = [
        {"role": ("user", "assistant")[n % 2], "content": TEXT} for n in range(2 * turns - 1)
    ]
    body = {"model": "m", "messages": history, "stream": stream}
    response = await client.post(f"{base}/v1/chat/completions", json=body)
    response.raise_for_status()
    return response


async def timed(call: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    """Milliseconds of each call, one after the other."""
    for _ in range(10):
        await call()
    own = []
    for _ in range(rounds):
        start = time.perf_counter()
        await call()
        own.append((time.perf_counter() - start) * 1e3)
    return own


async def stage_ms(client: httpx.AsyncClient, gateway: str) -> float:
    """Of one message, what its receipt says that the pipeline took."""
    own = []
    for _ in range(50):
        body = {"messages": [{"role": "user", "content": TEXT}]}
        told = (await client.post(f"{gateway}/v1/privacy/minimize", json=body)).json()
        own.append(sum(told["timings_ms"].values()))
    return statistics.median(own)


async def added_per_chunk(client: httpx.AsyncClient, upstream: str, gateway: str) -> float:
    """Milliseconds that a streamed answer takes longer, per chunk."""
    response = await ask(client, upstream, stream=True)
    chunks = response.text.count("data: ")
    direct = await timed(lambda: ask(client, upstream, stream=True), 50)
    through = await timed(lambda: ask(client, gateway, stream=True), 50)
    return (statistics.median(through) - statistics.median(direct)) / chunks


async def hold(
    client: httpx.AsyncClient, gateway: str, clients: int, seconds: float
) -> list[float]:
    """Milliseconds of the requests of so many clients that never pause."""
    own: list[float] = []
    end = time.perf_counter() + seconds

    async def work() -> None:
        while (start := time.perf_counter()) < end:
            await ask(client, gateway)
            own.append((time.perf_counter() - start) * 1e3)

    await asyncio.gather(*(work() for _ in range(clients)))
    return own


def percentile(own: list[float], percent: int) -> float:
    return statistics.quantiles(own, n=100)[percent - 1]


# --------------------------------------------------------------------------- processes


@contextmanager
def process(role: str, upstream: str = "") -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, __file__, "--serve", role, "--upstream", upstream]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as own:
        try:
            assert own.stdout is not None
            yield own.stdout.readline().strip()
        finally:
            own.communicate("")


def serve(role: str, upstream: str) -> int:
    """Prints its address, and serves until standard input ends."""
    from privrag_fast.audit import Audit, JsonLines
    from privrag_fast.gateway import GatewayOptions, create_app
    from tests.gateway.requests import NOTHING, VALUES, rag_of
    from tests.gateway.servers import running

    with tempfile.TemporaryDirectory() as folder:
        if role == "gateway":
            options = GatewayOptions(upstream=f"{upstream}/v1", requests_per_minute=1e9)
            audit = Audit([JsonLines(Path(folder) / "audit.jsonl")])
            app: Any = create_app(rag_of(VALUES, NOTHING), options, audit=audit)
        else:
            app = echo
        with running(app) as address:
            print(address, flush=True)
            sys.stdin.read()
    return 0


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An upstream that costs next to nothing: it repeats what the last turn says."""
    from tests.gateway.servers import chunk, lifespan, read_body

    if scope["type"] == "lifespan":
        return await lifespan(receive, send)
    body = json.loads(await read_body(receive))
    text = body["messages"][-1]["content"]
    kind = b"text/event-stream" if body.get("stream") else b"application/json"
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if body.get("stream"):
        for at in range(0, len(text), 3):
            piece = chunk(0, {"content": text[at : at + 3]})
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})
        return None
    message = {"role": "assistant", "content": text}
    data = {"id": "1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return await send({"type": "http.response.body", "body": json.dumps(data).encode()})


if __name__ == "__main__":
    sys.exit(main())
