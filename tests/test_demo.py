"""The demo message on the example corpus, with every part real."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from privrag_fast import PrivateRag, assembly
from privrag_fast.assembly import Models, build_index, open_rag
from privrag_fast.llama import LanguageModel
from privrag_fast.models import SLM_FILE, locate
from privrag_fast.types import ChatMessage, InputError

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def demo() -> str:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8")
    [message] = re.findall(r"^DEMO = (.*?[^\\])$", lines, re.M | re.S)
    return re.sub(r"\s*\\\n\s*", " ", message)


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> PrivateRag:
    folder = tmp_path_factory.mktemp("index")
    build_index(ROOT / "examples/corpus").save(folder)
    return PrivateRag.open(folder)


def test_demo(rag: PrivateRag, demo: str) -> None:
    answer = rag.answer(demo)
    receipt = answer.minimized.receipt
    labels = {decision.attribute.label for decision in receipt.decisions}
    assert {"PERSON", "AGE", "OCCUPATION", "LOCATION", "MARITAL_STATUS", "INCOME"} <= labels
    assert receipt.hits[0].passage.source == "northstar/senior-saver.md"
    assert [own.label for own in receipt.kept] == ["AGE", "LOCATION"]
    for decision in receipt.decisions:
        value = decision.attribute.value
        assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", receipt.query, re.I)
        if not decision.kept:
            sent = re.sub(r"\[[A-Z_]+_\d+\]", " ", answer.minimized.message)
            assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sent, re.I)
    assert "Laura" not in answer.minimized.message
    assert answer.minimized.restore(answer.minimized.message) == demo
    assert "Senior Saver" in answer.minimized.message


def test_by_the_prior_alone(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The local small model is not even opened."""

    class Echo:
        def generate(self, messages: Sequence[ChatMessage]) -> list[str]:
            return [messages[-1].content]

    def opened(sources: object) -> LanguageModel:
        raise AssertionError

    monkeypatch.setattr(assembly, "open_slm", opened)
    corpus = build_index(ROOT / "examples/corpus/northstar/senior-saver.md")
    rag = open_rag(corpus, measure=False, llm=Echo())
    answer = rag.answer(demo)
    assert answer.text == demo
    receipt = answer.minimized.receipt
    assert {"AGE", "LOCATION"} <= {own.label for own in receipt.kept}
    assert len(receipt.kept) <= 4
    assert {own.reason for own in receipt.decisions} == {"never", "prior"}
    assert receipt.counts is None
    with pytest.raises(InputError, match="a reference answer has no use"):
        rag.minimize(demo, reference="Yes, since you are 67.")


def test_same_message_same_result(rag: PrivateRag, demo: str) -> None:
    first, second = rag.minimize(demo), rag.minimize(demo)
    assert first.message == second.message


def test_longer_than_the_context(tmp_path: Path) -> None:
    """Nothing can be measured, and no prior is asked, so nothing is kept."""
    build_index(ROOT / "examples/corpus").save(tmp_path / "index")
    sources = Models(slm=str(locate("slm")[SLM_FILE]))  # as a file of one's own: without a prior
    rag = PrivateRag.open(tmp_path / "index", sources=sources)
    result = rag.minimize("I am 67 and live in Zurich. " + "Please tell me more about it. " * 2000)
    assert result.receipt.kept == ()
    assert "67" not in result.message
    assert "Zurich" not in result.message


def test_longer_than_the_context_with_a_prior(rag: PrivateRag) -> None:
    """Nothing can be measured, so nothing is kept but what the prior is sure of."""
    text = "I am 67, divorced, a nurse, and live in Zurich. "
    result = rag.minimize(text + "Please tell me more about it. " * 2000)
    decisions = {own.attribute.value: own for own in result.receipt.decisions}
    assert {"67", "divorced", "nurse", "Zurich"} <= decisions.keys()
    assert all(own.influence is None for own in decisions.values())
    for value, own in decisions.items():
        assert own.reason == "prior" or not own.kept
        assert (value in result.message) == own.kept
    assert not decisions["nurse"].kept


@pytest.mark.parametrize(
    "text",
    ["我今年67岁，住在苏黎世。", "👵🏽 67 \u202e Zürich", "e\u0301 \ud800 \0 67", "?", "a" * 5000],
)
def test_any_script(rag: PrivateRag, text: str) -> None:
    result = rag.minimize(text)
    assert result.restore(result.message) == text


def test_peak_memory_of_ask(demo: str) -> None:
    """Below 1.5 GB with everything loaded."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("needs /proc")
    # VmHWM starts anew with the program; ru_maxrss would carry over what pytest itself held.
    code = (
        "import sys; from privrag_fast.cli import main; main(sys.argv[1:]); "
        "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1])"
    )
    command = [sys.executable, "-c", code, "ask", demo, "--corpus", str(ROOT / "examples/corpus")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[-1]) * 1024 < 1.5e9


def test_parts_can_be_handed_in(demo: str) -> None:
    class Fixed:
        def search(self, query: str, k: int = 10) -> list:
            assert "Zurich" not in query
            return []

    result = open_rag(Fixed()).minimize(demo)  # type: ignore[arg-type]
    assert result.receipt.hits == ()
