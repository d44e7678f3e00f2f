"""`privrag-fast`: ask, minimize, serve, index, models, export; evaluate, calibrate, benchmark."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privrag_fast import __version__
from privrag_fast.explain import explained
from privrag_fast.types import InputError, PrivragError, ProviderError

if TYPE_CHECKING:
    from privrag_fast.assembly import Models
    from privrag_fast.pipeline import Minimized, PrivateRag
    from privrag_fast.privacy import Policy
    from privrag_fast.types import LLM, Decision


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; 0 on success, 1 on an error, 2 on a wrong call, else as shells count."""
    options = _parsed(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # shows what its encoding has not
    try:
        command: Callable[[argparse.Namespace], int] = options.command
        code = command(options)
        print(end="", flush=True)
        return code
    except PrivragError as error:
        print(f"privrag-fast: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # as of `| head`: who reads has enough
        _give_output_up()
        return 141
    except OSError as error:
        print(f"privrag-fast: {error}", file=sys.stderr)
        _give_output_up()
        return 1
    except KeyboardInterrupt:
        return 130


def _give_output_up() -> None:
    """Sends to nowhere what cannot be written: the interpreter flushes it once more at its end."""
    try:
        print(end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --------------------------------------------------------------------------- commands


def _ask(options: argparse.Namespace) -> int:
    message = _message(options)
    answer = _open(options).answer(message, reference=options.reference)
    if options.json:
        both = {"raw": answer.raw, "restored": answer.text}
        return _print_json(explained(answer.minimized, answer=both))
    _show(answer.minimized)
    _heading("Answer with placeholders")
    print(answer.raw)
    _heading("Answer, restored")
    print(answer.text)
    _show_timings({**answer.minimized.receipt.timings, "LLM and restore": answer.latency_ms})
    return 0


def _minimize(options: argparse.Namespace) -> int:
    message = _message(options)
    minimized = _open(options).minimize(message, reference=options.reference)
    if options.json:
        return _print_json(explained(minimized))
    _show(minimized)
    _show_timings(minimized.receipt.timings)
    return 0


def _serve(options: argparse.Namespace) -> int:
    import logging

    try:
        from privrag_fast.gateway import GatewayOptions, serve
    except ImportError as error:
        raise ProviderError(
            f"{error.name} is missing: pip install 'privrag_fast[gateway]'"
        ) from error
    from privrag_fast.audit import Audit, JsonLines, Spans

    settings = GatewayOptions(
        upstream=options.upstream,
        upstream_key=_secret(options.upstream_key_env),
        api_keys=tuple((_secret(options.api_key_env) or "").split()),
        host=options.host,
        **{name: own for name in _GATEWAY if (own := getattr(options, name)) is not None},
    )
    sinks = [JsonLines(options.audit)] if options.audit else []
    logging.basicConfig(format="%(asctime)s %(name)s %(message)s")
    logging.getLogger("uvicorn.error").setLevel(logging.INFO)
    serve(_open(options), settings, audit=Audit([*sinks, Spans()]))
    return 0


def _secret(variable: str | None) -> str | None:
    """The secret in an environment variable that was named; it must be there."""
    if variable is None:
        return None
    if not (secret := os.environ.get(variable, "").strip()):
        raise InputError(f"the environment variable {variable} is not set: put the key there")
    return secret


def _index(options: argparse.Namespace) -> int:
    from privrag_fast.assembly import update_index

    start = time.perf_counter()
    changes = update_index(options.out, options.corpus, sources=_sources(options), progress=True)
    seconds, passages = time.perf_counter() - start, changes.added + changes.kept
    if options.json:
        told = {"passages": passages, **asdict(changes), "out": options.out, "seconds": seconds}
        return _print_json(told)
    print(f"{passages} passages of {options.corpus} in {options.out}, {seconds:.1f} s: "
          f"{changes.added} new, {changes.kept} known, {changes.removed} gone, "
          f"{len(changes.skipped)} skipped")  # fmt: skip
    return 0


def _models(options: argparse.Namespace) -> int:
    from privrag_fast import models

    rows: list[dict[str, Any]] = []
    for role, model in models.DEFAULTS.items():
        paths = models.find(role)  # verifies every digest
        rows.append(
            {
                "role": role,
                "model": model.title,
                "license": model.license,
                "source": ", ".join(dict.fromkeys(str(a.source) for a in model.assets)),
                "mb": round(sum(path.stat().st_size for path in paths.values()) / 1e6, 1),
                "files": [str(path) for path in paths.values()],
            }
        )
    if options.json:
        for row in rows:
            row["sha256"] = [models.sha256_of(Path(file)) for file in row["files"]]
        return _print_json(rows)
    for row in rows:
        print(f"{row['role']:<9} {row['mb']:>6} MB  {row['model']}  ({row['license']})")
        print(f"{'':<9} from {row['source']}; verified")
        for path in row["files"]:
            print(f"{'':<9} {path}")
    return 0


# --------------------------------------------------------------------------- parts


def _open(options: argparse.Namespace) -> PrivateRag:
    from privrag_fast.assembly import build_index, open_rag
    from privrag_fast.pipeline import PipelineOptions

    sources = _sources(options)
    if (options.corpus is None) == (options.index is None):
        raise InputError("give either --corpus, a folder of documents, or --index, an index folder")
    policy = _policy(options)
    index = options.index or build_index(options.corpus, sources=sources, progress=True)
    return open_rag(
        index,
        labels=options.labels,
        policy=policy,
        llm=_llm(options),
        sources=sources,
        options=PipelineOptions(documents=options.documents, substitutes=options.substitutes),
        thorough=options.thorough,
        measure=not options.unmeasured,
        seed=options.seed,
    )


def _sources(options: argparse.Namespace) -> Models:
    from privrag_fast.assembly import Models

    return Models(
        detector=options.detector,
        embedder=options.embedder,
        reranker=options.reranker,
        prior=options.prior,
        slm=options.slm,
        providers=options.providers,
        threads=options.threads,
        n_gpu_layers=options.n_gpu_layers,
    )


def _policy(options: argparse.Namespace) -> Policy:
    from privrag_fast.privacy import Policy, type_name

    policy = Policy.read(options.policy) if options.policy else Policy()
    never, always = (frozenset(map(type_name, given)) for given in (options.never, options.always))
    policy = replace(
        policy,
        never=policy.never - always | never,
        always=policy.always - never | always,
        abstract=policy.abstract - never - always,
        generalize=policy.generalize - never - always,
    )
    if (nats := options.threshold) is None:
        return policy
    return replace(policy, threshold=nats, draft_threshold=nats, thresholds={}, draft_thresholds={})


def _llm(options: argparse.Namespace) -> LLM | None:
    if not getattr(options, "llm", None):
        return None
    from privrag_fast.generation import OpenAIChat

    return OpenAIChat(options.llm, base_url=options.base_url, timeout=options.timeout)


def _message(options: argparse.Namespace) -> str:
    """What to minimize, in whole characters: values in others would not be found."""
    if options.message == "-":
        return _standard_input()
    message = str(options.message)
    if _UNDECODED.search(message):
        raise InputError("the message is not UTF-8: convert it")
    return message


_UNDECODED = re.compile("[\udc80-\udcff]")
"""What Python puts for the bytes of an argument that are not UTF-8."""


def _standard_input() -> str:
    """UTF-8, or UTF-16 with its mark, as PowerShell writes; lines end with a newline alone."""
    if sys.stdin is None:
        raise InputError("standard input is closed: pipe the message into it")
    data = sys.stdin.buffer.read()
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("standard input is not UTF-8: convert it") from None
    if "\0" in text:  # of UTF-16 without a mark, or of UTF-32
        raise InputError("standard input is not UTF-8, it holds NUL: convert it")
    return io.StringIO(text, newline=None).read()


# --------------------------------------------------------------------------- output


def _print_json(data: object) -> int:
    # Lone surrogates cannot be written as UTF-8: escapes can.
    print(json.dumps(data, ensure_ascii=True, indent=2))
    return 0


def _heading(text: str) -> None:
    from rich.console import Console

    Console(highlight=False).print(f"\n[bold]{text}[/bold]")


def _show(minimized: Minimized) -> None:
    receipt = minimized.receipt
    _heading("What retrieval saw")
    print(receipt.query)
    _heading("Hits")
    for hit in receipt.hits:
        print(f"  {hit.score:7.2f}  {hit.passage.source}  {hit.passage.title}")
    _heading("Reference answer" + (", drafted locally" if receipt.drafted else ""))
    print(receipt.reference or "  none")
    _heading("Attributes: decision, value, placeholder, found by, influence (changes in nats)")
    longest = max(
        (
            len(text)
            for d in receipt.decisions
            for text in (d.attribute.value, d.attribute.placeholder)
        ),
        default=0,
    )
    for decision in receipt.decisions:
        print(_attribute_line(decision, min(longest, 32)))
    if (counts := receipt.counts) is not None:
        print(
            f"scored {counts.asked} tokens: {counts.unique} unique, {counts.evaluated} computed, "
            f"{counts.reused} reused"
        )
    _heading("Message to the LLM")
    for message in minimized.messages:
        print(f"[{message.role}] {message.content}")


def _attribute_line(decision: Decision, width: int) -> str:
    attribute, influence = decision.attribute, decision.influence
    mention = attribute.mentions[0]
    line = (
        f"  {'kept' if decision.kept else 'abstracted':<11}{attribute.value:<{width}}  "
        f"{attribute.placeholder:<{width}}  {mention.source} {mention.score:.2f}"
    )
    if influence is None:
        return f"{line}  {decision.reason}"
    tried = zip(influence.substitutes, influence.changes, strict=True)
    changes = ", ".join(f"{value} {change:+.2f}" for value, change in tried)
    return f"{line}  {decision.reason}: {influence.influence:.2f} nats ({changes})"


def _show_timings(timings: dict[str, float] | Any) -> None:
    _heading("Milliseconds")
    print("  ".join(f"{stage} {ms:.1f}" for stage, ms in timings.items()))


# --------------------------------------------------------------------------- arguments


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    for name, value in vars(options).items():
        if isinstance(value, str) and not value.strip() and name not in ("message", "reference"):
            # An unset variable of the shell must not mean the current folder, or a default.
            parser.error(f"{name} is blank: give a value, or leave the option out")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="privrag-fast", description=__doc__)
    parser.add_argument("--version", action="version", version=f"privrag-fast {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    ask = commands.add_parser("ask", help="minimize a message, ask an LLM, restore its answer")
    _add_message(ask)
    ask.add_argument("--llm", metavar="NAME", help="model at an OpenAI-compatible endpoint; "
                     "the local small model where absent. The key is OPENAI_API_KEY")  # fmt: skip
    ask.add_argument("--base-url", metavar="URL", help="of that endpoint, with /v1")
    ask.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS")
    ask.set_defaults(command=_ask)

    minimize = commands.add_parser("minimize", help="show what would be sent, and why")
    _add_message(minimize)
    minimize.set_defaults(command=_minimize)

    _add_serve(commands.add_parser("serve", help="an OpenAI-compatible gateway that minimizes"))

    index = commands.add_parser("index", help="index a folder, or bring its index up to date")
    index.add_argument("corpus", help="the folder, or one file: .md, .txt, .html, .pdf, or .csv "
                       "with questions and answers")  # fmt: skip
    index.add_argument("--out", required=True, metavar="DIR", help="where the index goes")
    index.add_argument("--json", action="store_true")
    _add_models(index)
    index.set_defaults(command=_index)

    models = commands.add_parser("models", help="list, fetch and verify the default models")
    models.add_argument("--json", action="store_true")
    models.set_defaults(command=_models)

    from privrag_fast import export

    export.add_command(commands)

    from privrag_fast.evaluation.command import add_commands

    for evaluation in add_commands(commands):
        _add_models(evaluation)
        evaluation.set_defaults(open_sources=_sources)
    return parser


# Options of the gateway that are numbers; what is not given keeps its default.
_GATEWAY: dict[str, tuple[type, str]] = {
    "port": (int, "to listen at"),
    "max_body": (int, "bytes of a request"),
    "requests_per_minute": (float, "per key, or per address without keys"),
    "queue": (int, "messages that are minimized or wait"),
    "deadline": (float, "seconds that minimizing may take"),
    "timeout": (float, "seconds until the upstream has to have sent something"),
}


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upstream", metavar="URL", help="of the LLM's endpoint, with /v1")
    parser.add_argument("--upstream-key-env", metavar="NAME", help="the variable with its key")
    parser.add_argument("--api-key-env", metavar="NAME", help="the variable with the keys, spaces "
                        "between them, that clients must have")  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help="any but this machine needs a key")
    for name, (kind, what) in _GATEWAY.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="N", help=what)
    parser.add_argument("--audit", metavar="FILE", help="JSON lines without values")
    _add_pipeline(parser)
    parser.set_defaults(command=_serve)


def _add_message(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("message", help="what the user typed; - reads it from standard input")
    parser.add_argument("--reference", metavar="TEXT", help="an answer to measure influence by")
    parser.add_argument("--json", action="store_true", help="the same as data")
    _add_pipeline(parser)


def _add_pipeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", metavar="DIR", help="folder of documents, indexed in memory")
    parser.add_argument("--index", metavar="DIR", help="folder that `privrag-fast index` made")
    parser.add_argument("--labels", type=_list, metavar="A,B", help="what counts as sensitive")
    parser.add_argument("--thorough", action="store_true", help="find more, and take longer; also "
                        "more that is not sensitive")  # fmt: skip
    parser.add_argument("--unmeasured", action="store_true", help="decide by the prior alone: a "
                        "fraction of the time, and more is sent")  # fmt: skip
    parser.add_argument("--policy", metavar="FILE", help="a policy in TOML; the options below win")
    parser.add_argument("--never", type=_list, default=(), metavar="A,B", help="types that are "
                        "never sent, beside the policy's")  # fmt: skip
    parser.add_argument("--always", type=_list, default=(), metavar="A,B", help="types that "
                        "always are, beside the policy's")  # fmt: skip
    parser.add_argument("--threshold", type=float, metavar="NATS", help="influence that keeps")
    parser.add_argument("--documents", type=int, default=4, metavar="N", help="passages to use")
    parser.add_argument("--substitutes", type=int, default=3, metavar="N", help="per attribute")
    parser.add_argument("--seed", type=int, default=0, help="of the substitutes")
    _add_models(parser)


def _add_models(parser: argparse.ArgumentParser) -> None:
    for role in ("detector", "embedder", "reranker", "prior", "slm"):
        parser.add_argument(f"--{role}", metavar="PATH", help="a path or hf:owner/name")
    parser.add_argument("--providers", type=_list, default=("CPUExecutionProvider",))
    parser.add_argument("--threads", type=int, default=0, help="0 chooses")
    parser.add_argument("--n-gpu-layers", type=int, default=0, metavar="N")


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


if __name__ == "__main__":
    sys.exit(main())
