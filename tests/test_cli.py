"""The command line, on the real models and a small corpus."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from privrag_fast.cli import main

ROOT = Path(__file__).resolve().parent.parent
MESSAGE = "Hi, I'm Laura Meier, 67, from Zurich. Can I open the Senior Saver account?"

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "saver.md").write_text(
        "# Senior Saver account\n\nThe account is open to residents of Switzerland who are at "
        "least 62 years old on the day of application.\n",
        encoding="utf-8",
    )
    (folder / "card.md").write_text(
        "# Travel card\n\nThe card costs 40 a year and is charged in January.\n", encoding="utf-8"
    )
    return folder


def as_data(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_ask_as_data(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = as_data(capsys, "ask", MESSAGE, "--corpus", str(corpus))
    values = {a["value"]: a for a in data["attributes"]}
    assert {"Laura Meier", "67", "Zurich"} <= set(values)
    for value in values:
        assert value not in data["query"]
    assert data["hits"][0]["source"] == "saver.md"
    assert "Laura Meier" not in data["message"]
    assert data["messages"][-1]["content"] == data["message"]
    assert values["67"]["kept"]
    assert values["Zurich"]["kept"]
    assert data["answer"]["raw"]
    assert list(data["timings_ms"])[:5] == ["detect", "abstract", "search", "rerank", "prior"]


def test_index_then_minimize(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = str(tmp_path / "index")
    assert main(["index", str(corpus), "--out", index]) == 0
    capsys.readouterr()
    data = as_data(
        capsys, "minimize", MESSAGE, "--index", index, "--always", "AGE", "--never", "LOCATION"
    )
    kept = {a["label"]: a["kept"] for a in data["attributes"]}
    assert kept["AGE"] is True
    assert kept["LOCATION"] is False
    assert data["answer"] is None


def test_ask_shows_every_stage(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", MESSAGE, "--corpus", str(corpus), "--reference", "Yes, you can."]) == 0
    shown = capsys.readouterr().out
    for part in (
        "What retrieval saw", "Hits", "Reference answer", "Attributes", "Message to the LLM",
        "Answer with placeholders", "Answer, restored", "Milliseconds", "[PERSON_1]", "LOCATION",
    ):  # fmt: skip
        assert part in shown


def test_own_labels(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = as_data(capsys, "minimize", MESSAGE, "--corpus", str(corpus), "--labels", "age,name")
    assert {a["label"] for a in data["attributes"]} == {"AGE", "NAME"}


def test_models_are_listed_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["role"] for row in rows] == ["detector", "embedder", "reranker", "prior", "slm"]
    assert all(row["license"] and row["source"] and row["mb"] > 1 for row in rows)


def test_lone_surrogate_and_nul(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = as_data(capsys, "minimize", "I am 67\0 \ud800 from Zurich", "--corpus", str(corpus))
    assert data["message"].startswith("I am")
    assert "\0" in data["message"]
    assert "\ud800" in data["message"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["minimize", "Hello"], "--corpus"),
        (["minimize", "", "--corpus", "{corpus}"], "empty"),
        (["minimize", "Hello", "--index", "{corpus}"], "manifest"),
        (["minimize", "Hello", "--corpus", "{corpus}/absent"], "no such folder"),
        (["index", "{corpus}/absent", "--out", "x"], "no such folder"),
        (["minimize", "Hello", "--corpus", "{corpus}", "--slm", "absent.gguf"], "does not exist"),
        (["minimize", "Hi", "--corpus", "{corpus}", "--providers", "NoSuchProvider"], "NoSuch"),
        (["minimize", "Hi", "--corpus", "{corpus}", "--always", "AGE", "--labels", ","], "label"),
        (
            ["ask", "Hi", "--corpus", "{corpus}", "--llm", "m", "--base-url", "http://127.0.0.1:9"],
            "cannot be reached",
        ),
    ],
)
def test_errors_name_the_cure(
    arguments: list[str],
    message: str,
    corpus: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    assert main([argument.format(corpus=corpus) for argument in arguments]) == 1
    assert message in capsys.readouterr().err


def test_installed_command() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("privrag-fast")), "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("privrag-fast ")
