"""The page: whole, self-contained, escaped, and honest."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from privrag_fast.evaluation import judge, latency, report, retrieval, tradeoff
from privrag_fast.evaluation.bars import Bar
from privrag_fast.evaluation.charts import Chart, Line, svg, write_png
from privrag_fast.evaluation.dataset import Dataset
from privrag_fast.evaluation.relevance import Measured, Row
from privrag_fast.privacy import Policy
from privrag_fast.types import ProviderError
from tests.evaluation.small import SAVER, Retrieves, Same, dataset, relevance
from tests.evaluation.test_latency import JOB, sample

HOSTILE = "<script>alert('x')</script> & \"q\""
RECORD = {
    "settings": {"dataset": {"name": HOSTILE, "version": "1", "seed": 0}, "options": {}},
    "notes": {"machine": "m"},
}


@pytest.fixture(scope="module")
def data() -> Dataset:
    own = dataset()
    questions = tuple(
        replace(q, id=f"{q.id} <b>", turns=(f"{q.turns[0]} {HOSTILE}",)) for q in own.questions
    )
    return replace(own, documents=(replace(SAVER, title=HOSTILE),), questions=questions)


@pytest.fixture(scope="module")
def measured(data: Dataset) -> list[Measured]:
    own = relevance(baselines={"always the same": Same()})
    return [own.measure(question) for question in data.questions]


@pytest.fixture(scope="module")
def results(data: Dataset, measured: list[Measured]) -> dict:
    figures = tradeoff.summarize(measured, data, policy=Policy(), seed=0)
    threshold = figures["methods"]["influence, draft"]["threshold"]
    fidelity = retrieval.Fidelity(lambda query: {HOSTILE: Retrieves().search(query)})
    fidelity = retrieval.summarize(
        [fidelity.measure(own) for own in data.questions], data, "test", detected=False, seed=0
    )
    judged = judge.summarize([("tie", "tie"), ("minimized", "tie")], judge=HOSTILE, seed=0)
    times = {"open_ms": 1.0, "peak_memory_mb": 2.0}
    times["samples"] = [asdict(sample(1.0, cold=True)), asdict(sample(2.0, varied=6))]  # type: ignore[assignment]
    return json.loads(
        json.dumps(
            {
                "relevance": figures,
                "examples": report.examples(measured, data, threshold=threshold),
                "judge": {**asdict(judged), "answers": HOSTILE},
                "retrieval": fidelity.to_data(),
                "latency": latency.summarize([JOB], [times]),
            }
        )
    )


class Tags(HTMLParser):
    """Open tags are closed, and nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href", "onclick", "data"} & {name for name, _ in attrs}
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_whole_page_that_needs_nothing_else(results: dict) -> None:
    page = report.render(record=RECORD, results=results, bars=[Bar("b", 0.5, 0.8, True)])
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert not {"script", "link", "img", "iframe", "b"} & tags.seen
    assert "@import" not in page
    assert "url(" not in page
    assert page.count("<svg") == 3


def test_every_text_is_escaped(results: dict) -> None:
    page = report.render(record=RECORD, results=results)
    assert "<script>" not in page
    assert page.count("&lt;script&gt;") >= 6


@pytest.mark.parametrize(
    "part",
    [
        "Where we lose", "random", "always the same", "echo, explained", "send everything",
        "abstract everything", "policy, draft", "By type of value", "LOCATION", "largest change",
        "Good: age is sent", "LLM as judge", "the two orders agree", "recall@5", "ndcg@10",
        "peak memory", "p99", "threads 2, documents 4", "identifiers, which are never sent",
    ],
)  # fmt: skip
def test_what_a_sceptic_looks_for(results: dict, part: str) -> None:
    assert part in report.render(record=RECORD, results=results)


def test_stages_that_did_not_run_are_left_out(results: dict) -> None:
    page = report.render(record=RECORD, results={"judge": results["judge"]})
    assert "LLM as judge" in page
    assert "Latency" not in page
    assert report.charts({}) == {}


def test_bars_say_met_or_short() -> None:
    bars = [Bar("good", 0.9, 0.8, True), Bar("poor", 0.7, 0.8, True)]
    page = report.render(record=RECORD, results={}, bars=bars)
    assert re.findall(r"<td>(\w+)</td>.*?>(met|short)<", page) == [
        ("good", "met"),
        ("poor", "short"),
    ]


def test_losses_are_told() -> None:
    def method(values: float | None, auroc: float | None) -> dict:
        return {"at_recall": {"values": values}, "auroc": auroc}

    methods = {
        "influence, draft": method(0.6, 0.8),
        "echo": method(0.5, 0.7),
        "asked": method(0.7, 0.9),
        "random": method(0.9, 0.5),
        "similarity": method(None, None),
    }
    echo, asked = report.losses({"recall": 0.97, "methods": methods})
    assert echo.startswith("echo sends 50.0% of all values to have 97% of the decisive ones")
    assert asked.startswith("asked tells decisive values from others with an AUROC of 0.900")
    assert report.losses({"methods": {"random": method(0.3, 0.5)}}) == []


def test_live_use_decides_with_the_prior_and_does_not_lose_to_itself() -> None:
    def method(values: float, auroc: float) -> dict:
        return {"at_recall": {"values": values}, "auroc": auroc}

    methods = {"decision, draft": method(0.4, 0.92), "influence, draft": method(0.7, 0.78)}
    assert report.losses({"recall": 0.97, "methods": methods}) == []
    [prior] = report.losses({"recall": 0.97, "methods": {**methods, "prior": method(0.39, 0.9)}})
    assert prior.endswith("influence on the draft, with the prior, sends 40.0%.")


def test_examples_good_and_bad(data: Dataset, measured: list[Measured]) -> None:
    good = report.examples(measured, data, threshold=0.1, count=2)
    assert [own["good"] for own in good] == [True, True]
    assert good[0]["why"][-1] == "Good: withheld of what decides nothing: 1"
    kinds = [kind for _, _, kind in good[0]["spans"]]
    assert kinds == ["identifier", "kept-decisive", "withheld-other"]
    bad = report.examples(measured, data, threshold=1e9, count=1)
    assert [own["good"] for own in bad] == [False]
    assert re.match(
        r"Bad: age is withheld, \d+\.\d\d nats below 1000000000.00, but decides \(age says so\)",
        bad[0]["why"][0],
    )
    spent = report.examples(measured, data, threshold=-1.0, count=9)
    assert [own["good"] for own in spent] == [False] * 4
    assert "Bad: city is sent, 0.00 nats, and decides nothing (city says so)" in spent[0]["why"]
    assert "No question went well" in report.render(record=RECORD, results={"examples": spent})


def test_examples_tell_what_the_prior_made_of_the_influence(
    data: Dataset, measured: list[Measured]
) -> None:
    def shifted(row: Row) -> Row:
        return replace(row, draft_shift=5.0 if row.decisive else -5.0, influence={"draft": 1.0})

    moved = [replace(own, rows=tuple(map(shifted, own.rows))) for own in measured]
    [good, *_] = report.examples(moved, data, threshold=10.0)
    assert good["good"]
    assert good["why"][0] == (
        "Good: age is sent, 1.00 nats, with the prior 295.83, and decides (age says so)"
    )


# --------------------------------------------------------------------------- charts

CHART = Chart(
    "Title <b>",
    "x & y",
    "y",
    (
        Line("curve", ((0.0, 0.0), (0.5, 0.8), (1.0, 1.0))),
        Line("one", ((0.25, 0.5),)),
        Line("gap", ((0.0, float("nan")), (1.0, 0.5)), dashed=True),
        Line("none", ()),
    ),
    1.0,
    1.0,
)


def test_an_svg_is_well_formed() -> None:
    root = ElementTree.fromstring(svg(CHART))
    space = "{http://www.w3.org/2000/svg}"
    [title] = root.findall(f"{space}title")
    assert title.text == "Title <b>"
    assert "nan" not in svg(CHART)
    first = root.findall(f"{space}polyline")[0].get("points")
    assert first is not None
    xs, ys = zip(*(map(float, place.split(",")) for place in first.split()), strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)  # up is less
    assert len(root.findall(f"{space}circle")) == 4  # two points, and their marks in the legend


@pytest.mark.parametrize(
    ("values", "top"), [([], 1.0), ([0.0], 1.0), ([7.0], 10.0), ([2_100.0], 2_500.0), ([5.0], 5.0)]
)
def test_axes_end_at_round_numbers(values: list[float], top: float) -> None:
    chart = Chart("t", "x", "y", (Line("l", tuple((1.0, value) for value in values)),))
    assert chart.tops[1] == top


def test_png_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ProviderError, match=r"privrag_fast\[evaluate\]"):
        write_png(CHART, tmp_path / "chart.png")


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `evaluate`")
    write_png(CHART, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
