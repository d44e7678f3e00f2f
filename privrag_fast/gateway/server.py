"""Runs the gateway."""

from __future__ import annotations

import contextlib

import uvicorn

from privrag_fast.audit import Audit
from privrag_fast.gateway.app import create_app
from privrag_fast.gateway.options import GatewayOptions
from privrag_fast.pipeline import PrivateRag


def serve(rag: PrivateRag, options: GatewayOptions, *, audit: Audit | None = None) -> None:
    """Answers until it is interrupted; requests that run get `options.grace` seconds to end.

    Logs through the caller's `logging`. There is no log of requests: paths may hold what a client
    put there; `/metrics` counts them.
    """
    config = uvicorn.Config(
        create_app(rag, options, audit=audit),
        host=options.host,
        port=options.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=round(options.grace),
    )
    with contextlib.suppress(KeyboardInterrupt):  # raised again once all has ended
        uvicorn.Server(config).run()
