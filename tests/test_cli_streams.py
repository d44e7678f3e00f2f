"""The command line around its models: what it reads, where it writes, and blank options."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from privrag_fast import cli
from privrag_fast.privacy.policy import DIRECT_IDENTIFIERS, Policy

MESSAGE = "I'm Zoë, 67.\nCan I open it?"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What `minimize` is asked for; the models stay closed."""
    messages: list[str] = []

    def minimize(message: str, **_: object) -> None:
        messages.append(message)

    monkeypatch.setattr(cli, "_open", lambda _: SimpleNamespace(minimize=minimize))
    monkeypatch.setattr(cli, "explained", lambda _: {})
    return messages


def read_from(data: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="cp1252"))
    return cli.main(["minimize", "-", "--index", "x", "--json"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_message_is_read_as_unicode_whatever_the_locale(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, encoding: str, newline: str
) -> None:
    assert read_from(MESSAGE.replace("\n", newline).encode(encoding), monkeypatch) == 0
    assert asked == [MESSAGE]


@pytest.mark.parametrize(
    "data",
    [
        MESSAGE.encode("cp1252"),
        MESSAGE.encode("utf-16-le"),
        MESSAGE.encode("utf-32"),
        MESSAGE.encode("utf-16")[:-1],
    ],
    ids=["cp1252", "UTF-16 without a mark", "UTF-32", "half a character"],
)
def test_what_is_not_unicode_is_refused_before_a_model_is_opened(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_open", lambda _: pytest.fail("a model was opened"))
    assert read_from(data, monkeypatch) == 1
    error = capsys.readouterr().err
    assert "standard input is not UTF-8" in error
    assert "67" not in error


def test_an_argument_that_is_not_utf8_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_open", lambda _: pytest.fail("a model was opened"))
    argument = b"I'm Zo\xeb, 67.".decode("utf-8", "surrogateescape")
    assert cli.main(["minimize", argument, "--index", "x"]) == 1
    assert "the message is not UTF-8" in capsys.readouterr().err


def test_closed_standard_input_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["minimize", "-", "--index", "x"]) == 1
    assert "standard input is closed" in capsys.readouterr().err


# --------------------------------------------------------------------------- output

PRINTING = """
import sys
from privrag_fast import cli

def command(options):
    {body}
    return 0

cli._models = command
sys.exit(cli.main(["models"]))
"""


def printing(body: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", PRINTING.format(body=body)]
    return subprocess.run(command, check=False, stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_an_output_cannot_encode_is_escaped(encoding: str) -> None:
    done = printing(
        r"print('Zo\u00eb \u2192 \ud800')",
        stdout=subprocess.PIPE,
        env={"PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding).endswith("\\u2192 \\ud800\n")


def test_a_reader_that_leaves_ends_the_command_without_a_word() -> None:
    with subprocess.Popen(["true"], stdin=subprocess.PIPE) as reader:
        reader.wait()
        done = printing("print('word ' * 100_000)", stdout=reader.stdin)
        assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("count", [1, 100_000])
def test_a_full_disk_is_named(count: int) -> None:
    with Path("/dev/full").open("wb") as full:
        done = printing(f"print('word ' * {count})", stdout=full)
    assert done.returncode == 1
    assert done.stderr == b"privrag-fast: [Errno 28] No space left on device\n"


def test_closed_standard_output_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" "$@" >&-', sys.executable, "-c", PRINTING.format(body="print(1)")],
        check=False, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


# --------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    "arguments",
    [
        ["index", "", "--out", "x"],
        ["index", "docs", "--out", " "],
        ["index", "docs", "--out", "x", "--embedder", ""],
        ["minimize", "Hi", "--corpus", ""],
        ["minimize", "Hi", "--index", ""],
        ["minimize", "Hi", "--index", "x", "--policy", ""],
        ["ask", "Hi", "--index", "x", "--llm", ""],
        ["ask", "Hi", "--index", "x", "--llm", "m", "--base-url", ""],
        ["serve", "--index", "x", "--audit", ""],
        ["serve", "--index", "x", "--host", ""],
        ["export", "reranker", "checkpoint", "--out", ""],
    ],
    ids=" ".join,
)
def test_a_blank_option_is_a_wrong_call_not_the_current_folder_or_a_default(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "is blank" in capsys.readouterr().err


def policy_of(*arguments: str) -> Policy:
    return cli._policy(cli._parsed(["minimize", "Hi", *arguments]))


def test_never_and_always_add_to_the_policy_and_win_over_it(tmp_path: Path) -> None:
    policy = policy_of("--never", "income", "--always", "PHONE")
    assert policy.never == DIRECT_IDENTIFIERS - {"PHONE"} | {"INCOME"}
    assert policy.always == {"PHONE"}

    file = tmp_path / "policy.toml"
    file.write_text(
        'never = ["EMAIL"]\nalways = ["LANGUAGE", "AGE"]\n'
        'abstract = ["INCOME"]\ngeneralize = ["INCOME", "CITY"]\n'
    )
    policy = policy_of("--policy", str(file), "--never", "AGE,INCOME", "--always", "CITY")
    assert policy.never == {"EMAIL", "AGE", "INCOME"}
    assert policy.always == {"LANGUAGE", "CITY"}
    assert not policy.abstract | policy.generalize
    assert policy_of("--policy", str(file), "--never", "", "--always", "").never == {"EMAIL"}


def test_a_label_that_is_to_be_sent_both_never_and_always_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["minimize", "Hi", "--index", "x", "--never", "AGE", "--always", "AGE"]) == 1
    assert "both never and always: AGE" in capsys.readouterr().err
