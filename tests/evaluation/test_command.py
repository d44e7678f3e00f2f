"""`privrag-fast evaluate | calibrate | benchmark`, with stand-ins for the models."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from privrag_fast import cli
from privrag_fast.evaluation import command, latency, retrieval, runs
from privrag_fast.evaluation import relevance as relevance_module
from privrag_fast.evaluation.dataset import read, write
from privrag_fast.llama import VariantScores
from privrag_fast.privacy import Policy
from privrag_fast.types import Hit, ScoreCounts
from tests.evaluation.small import Retrieves, Says, WantsAges, dataset, relevance
from tests.evaluation.test_latency import sample


@pytest.fixture
def data(tmp_path: Path) -> str:
    write(dataset(), tmp_path / "data")
    return str(tmp_path / "data")


@pytest.fixture
def counterfactual(monkeypatch: pytest.MonkeyPatch) -> WantsAges:
    """In place of all models."""
    own = WantsAges()

    def open_relevance(*_: object, options: object, policy: object, **__: object) -> object:
        return relevance(counterfactual=own, options=options, policy=policy)

    def measure(job: latency.Job) -> dict:
        samples = [asdict(sample(1.0, cold=True)), asdict(sample(2.0))]
        return {"open_ms": 1.0, "peak_memory_mb": 2.0, "samples": samples}

    def stages(*_: object) -> retrieval.Search:
        return lambda query: {"embedder": Retrieves().search(query)}

    monkeypatch.setattr(runs, "_model_digest", lambda role, chosen: f"{role} {chosen}")
    monkeypatch.setattr(relevance_module, "open_relevance", open_relevance)
    monkeypatch.setattr(command.Bench, "llm", lambda *_: (Says("Yes.", "[[A]]"), "stand-in"))
    monkeypatch.setattr(command, "_index", lambda bench: bench.run.folder / "index")
    monkeypatch.setattr(latency, "measure", measure)
    monkeypatch.setattr(retrieval, "Chunker", lambda *_: None)
    monkeypatch.setattr(retrieval, "passages", lambda *_: [])
    monkeypatch.setattr(retrieval, "open_embedder", lambda _: None)
    monkeypatch.setattr(retrieval, "cached_index", lambda *_, **__: None)
    monkeypatch.setattr(retrieval, "open_reranker", lambda _: None)
    monkeypatch.setattr(retrieval, "Stages", stages)
    return own


# --------------------------------------------------------------------------- evaluate


def test_everything(
    data: str, counterfactual: WantsAges, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    assert cli.main(["evaluate", "--dataset", data, "--out", str(out)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "relevance: 1 to go, about 0 s"
    assert f"report: {out / 'report.html'}" in printed
    bars = [line for line in printed if line.startswith("bar ")]
    assert [line.split()[1] for line in bars] == [
        "auroc_verdict",
        "auroc_explained",
        "auroc_draft",
        "others_withheld",
        "answerable",
        "variants_each",
        "recall5_ratio",
        "times_plain",
    ]
    assert printed[-len(bars) :] == bars
    assert all(line.endswith(" met") for line in bars)
    record = json.loads((out / "record.json").read_text(encoding="utf-8"))
    assert record["settings"]["models"]["slm"] == "slm None"
    assert record["settings"]["dataset"]["name"] == "small"
    assert record["notes"]["policy"]["threshold"] == Policy().threshold
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert set(results) == {"relevance", "examples", "judge", "retrieval", "latency", "bars"}
    page = (out / "report.html").read_text(encoding="utf-8")
    for title in ("Privacy and utility", "Worked examples", "LLM as judge", "Retrieval", "Latency"):
        assert f"<h2>{title}" in page
    assert (out / "retrieval.json").exists()


def test_another_policy_measures_other_values(
    data: str, counterfactual: WantsAges, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('never = ["PERSON", "AGE"]\n', encoding="utf-8")
    call = ["evaluate", "relevance", "--dataset", data, "--out", str(tmp_path / "run")]
    assert cli.main([*call, "--policy", str(file)]) == 1  # nothing decisive is sent
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results["relevance"]["policy"]["draft"]["recall"] == 0
    assert results["relevance"]["identifiers"] == 2 * results["relevance"]["questions"]
    assert cli.main(call) == 1
    assert "holds a run with options.policy.never" in capsys.readouterr().err


def test_a_short_bar_is_an_exit_code(
    data: str,
    counterfactual: WantsAges,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def score(messages: Sequence[str], hits: Sequence[Hit], answer: str) -> VariantScores:
        cities = ["Oslo" in message for message in messages]
        return VariantScores(np.array(cities, np.float64), (), ScoreCounts(0, 0, 0, 0))

    monkeypatch.setattr(counterfactual, "score", score)
    call = ["evaluate", "relevance", "--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main(call) == 1
    assert "bar auroc_draft 0.000 >=0.95 short" in capsys.readouterr().out


def test_retrieval_by_chosen_styles(
    data: str, counterfactual: WantsAges, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["evaluate", "retrieval", "--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main([*call, "--styles", "type", "words"]) == 0  # no bar without the shipped style
    printed = capsys.readouterr().out
    assert "| type | embedder |" in printed
    assert "bar " not in printed
    assert cli.main(call) == 0
    printed = capsys.readouterr().out
    assert "| dropped | embedder |" in printed
    assert "bar recall5_ratio 1.000 >=0.98 met" in printed
    assert cli.main([*call, "--styles", "shout"]) == 1
    assert "a style is one of type, words, dropped, got 'shout'" in capsys.readouterr().err


def test_a_second_run_measures_nothing_again_and_adds_its_part(
    data: str, counterfactual: WantsAges, tmp_path: Path
) -> None:
    out = ["--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main(["evaluate", "relevance", "--limit", "2", *out]) == 0
    before = len(counterfactual.asked)
    assert cli.main(["evaluate", "relevance", "judge", "--limit", "2", *out]) == 0
    assert len(counterfactual.asked) == before
    assert cli.main(["evaluate", "relevance", *out]) == 0
    assert len(counterfactual.asked) == 2 * before
    results = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    assert results["relevance"]["questions"] == 4
    assert "judge" in results


def test_a_limit_holds_for_every_evaluation() -> None:
    whole = command.Scale()
    few = whole.limited(5)
    assert (few.relevance, few.judge, few.retrieval, few.messages) == (5, 5, 5, 5)
    assert whole.limited(500).messages == whole.messages


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["relevance", "--substitutes", "5"], "options.substitutes 3, not 5"),
        (["relevance", "--slm", "other.gguf"], "models.slm slm None, not slm other.gguf"),
        (["speed"], "speed is no evaluation: name some of relevance"),
        (["relevance", "--limit", "0"], "limit must be 1 or more"),
        (["relevance", "--split", "dev"], "options.split test, not dev"),
        (["relevance", "--policy", "none.toml"], "none.toml cannot be read"),
    ],
)
def test_wrong_calls(
    data: str,
    counterfactual: WantsAges,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    out = ["--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main(["evaluate", "relevance", *out]) == 0
    assert cli.main(["evaluate", *arguments, *out]) == 1
    assert message in capsys.readouterr().err


def test_a_split_without_questions(
    data: str, counterfactual: WantsAges, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["evaluate", "--split", "dev", "--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main(call) == 1
    assert "small has no dev split" in capsys.readouterr().err


def test_png_is_refused_before_anything_is_measured(
    data: str,
    counterfactual: WantsAges,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    call = ["evaluate", "--png", "--dataset", data, "--out", str(tmp_path / "report")]
    assert cli.main(call) == 1
    assert "privrag_fast[evaluate]" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()


def test_what_is_not_known_has_no_bar() -> None:
    def method(auroc: float) -> Mapping[str, object]:
        return {"auroc": auroc, "at_recall": {"withheld": float("nan"), "answerable": 0.5}}

    figures = {
        "methods": {
            "influence, draft": method(0.9),
            "influence, verdict": method(float("nan")),
            "influence, reasoned": method(0.1),
        },
        "verdicts": {},
        "rounds": {},
    }
    bars = [(bar.name, bar.met) for bar in command.relevance_bars(figures)]
    assert bars == [("auroc_draft", False), ("answerable", False)]


# --------------------------------------------------------------------------- calibrate


def test_calibrate_writes_a_policy(
    data: str, counterfactual: WantsAges, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "policy.toml"
    call = [
        "calibrate", "--dataset", data, "--split", "test", "--recall", "1", "--out", str(file),
        "--work", str(tmp_path / "dev"), "--reference", "explained",
    ]  # fmt: skip
    assert cli.main(call) == 0
    policy = Policy.read(file)
    assert policy.never == Policy().never
    assert policy.threshold == policy.draft_threshold > 1
    assert policy.thresholds == {}  # four values of a label are too few
    printed = capsys.readouterr().out
    assert "draft answers: sends 100.0% of the decisive values, withholds 100.0%" in printed


def policy_of(*arguments: str) -> Policy:
    policy = cli._policy(cli._parser().parse_args(["minimize", "hello", *arguments]))
    assert isinstance(policy, Policy)
    return policy


def test_options_win_over_the_policy_file(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    own = Policy(thresholds={"AGE": 1.0}, never=frozenset({"AGE"}), always=frozenset({"CITY"}))
    file.write_text(own.to_toml(), encoding="utf-8")
    assert policy_of() == Policy()
    assert policy_of("--policy", str(file)) == own
    changed = policy_of("--policy", str(file), "--threshold", "9", "--always", "age")
    assert (changed.threshold, changed.draft_threshold, changed.thresholds) == (9.0, 9.0, {})
    assert (changed.never, changed.always) == (frozenset(), frozenset({"AGE", "CITY"}))


# --------------------------------------------------------------------------- benchmark


def test_the_data_set_is_written(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "copy"
    assert cli.main(["benchmark", "--dataset", data, "--out", str(out)]) == 0
    assert read(out) == dataset()
    assert "2 documents, questions: 0 train, 0 dev, 4 test" in capsys.readouterr().out


def test_an_item_is_shown_with_the_reasons(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["benchmark", "--dataset", data, "--show", "q3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "q3: test, family saver, outcome yes",
        "  I am Ann Lee3, 63, from Oslo. May I open the Senior Saver?",
        "document saver.md: Senior Saver",
        "  age at_least 62: yes",
        "  otherwise: no",
        "values",
        "  other     name (PERSON): Ann Lee3. name says so",
        "  decisive  age (AGE): 63. age says so",
        "  other     city (LOCATION): Oslo. city says so",
        "answers",
        "  verdict: yes.",
        "  explained: yes, because you are 63.",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either --out"),
        (["--show", "q1", "--out", "x"], "give either --out"),
        (["--show", "q99"], "small has no question q99; its first one is q0"),
    ],
)
def test_wrong_benchmark_calls(
    data: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert cli.main(["benchmark", "--dataset", data, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_parsing_loads_nothing_heavy() -> None:
    code = (
        "import sys; from privrag_fast.cli import _parser; _parser(); "
        "print(sorted({'numpy', 'tqdm', 'llama_cpp', 'onnxruntime'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
