"""The report: one HTML file that needs nothing else, and says where we lose."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from privrag_fast.evaluation.bars import Bar
from privrag_fast.evaluation.charts import Chart, Line, svg, write_png
from privrag_fast.evaluation.dataset import Dataset, Fact, Question
from privrag_fast.evaluation.relevance import DRAFT, REFERENCES, Measured, Row
from privrag_fast.evaluation.tradeoff import moved

Data = Mapping[str, Any]

_STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 14px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 46rem; display: block; }
pre { background: #f6f6f6; padding: 1rem; overflow: auto; }
blockquote { background: #f6f6f6; margin: .5rem 0; padding: .6rem 1rem; white-space: pre-wrap; }
.short, .bad { color: #b00020; } .met, .good { color: #00693e; }
mark { padding: 0 .15rem; background: none; border-bottom: 3px solid; }
mark.kept-decisive { border-color: #009e73; } mark.kept-other { border-color: #e69f00; }
mark.withheld-decisive { border-color: #d00020; text-decoration: line-through; }
mark.withheld-other, mark.identifier { border-color: #bbb; text-decoration: line-through; }
"""

_METHOD_HEAD = (
    "method", "AUROC", "95 %", "AP", "values sent", "characters", "per message",
    "others withheld", "answerable", "recall", "answerable",
)  # fmt: skip


def write(
    folder: Path, *, record: Data, results: Data, bars: Sequence[Bar] = (), png: bool = False
) -> Path:
    """Writes `report.html`, and with `png` the plots beside it; gives the page's path.

    Raises:
        ProviderError: PNGs are asked for and matplotlib is not installed.
    """
    page = folder / "report.html"
    page.write_text(render(record=record, results=results, bars=bars), encoding="utf-8")
    if png:
        for name, chart in charts(results).items():
            write_png(chart, folder / f"{name}.png")
    return page


def render(*, record: Data, results: Data, bars: Sequence[Bar] = ()) -> str:
    """The page; every text from outside is escaped."""
    data = record["settings"]["dataset"]
    sections = [
        f"<h1>What minimizing costs, and what it saves</h1><p>{escape(_what(data, record))}</p>",
        _bars(bars),
        *(section(results[name]) for name, section in _SECTIONS.items() if results.get(name)),
        f"<h2>Record</h2><pre>{escape(json.dumps(record, indent=2))}</pre>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>privrag_fast: evaluation</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(filter(None, sections))
        + "\n</body></html>\n"
    )


def charts(results: Data) -> dict[str, Chart]:
    """All plots that the results give, by file name."""
    found: dict[str, Chart] = {}
    if relevance := results.get("relevance"):
        found |= _tradeoffs(relevance)
    if latency := results.get("latency"):
        found["latency"] = _latency_chart(latency)
    return found


# --------------------------------------------------------------------------- relevance


def _tradeoffs(relevance: Data) -> dict[str, Chart]:
    return {
        "tradeoff": _tradeoff(relevance, "answerable", "Outcomes that the values sent fix"),
        "recall": _tradeoff(relevance, "recall", "Decisive values sent"),
    }


def _tradeoff(relevance: Data, y: str, title: str) -> Chart:
    methods = relevance["methods"]
    decides = "decision" if f"decision, {DRAFT}" in methods else "influence"
    alone = [f"influence, {DRAFT}", "prior", "asked", "similarity", "random"]
    shown = dict.fromkeys([*(f"{decides}, {name}" for name in REFERENCES), *alone])
    lines = [
        Line(name, _points(methods[name]["curve"], y), dashed=not name.startswith(decides))
        for name in shown
        if name in methods
    ]
    lines += [
        Line(f"policy, {n}", _points([p], y)) for n, p in relevance["policy"].items() if n == DRAFT
    ]
    lines.append(Line("everything", _points([relevance["fixed"]["everything"]], y)))
    return Chart(title, "share of sensitive values sent", "share", tuple(lines), 1.0, 1.0)


def _points(curve: Iterable[Data], y: str) -> tuple[tuple[float, float], ...]:
    return tuple((point["values"], point[y]) for point in curve)


def _relevance(relevance: Data) -> str:
    recall = relevance["recall"]
    facts = (
        f"{relevance['questions']} questions with {relevance['values']} sensitive values: "
        f"{relevance['decisive']} decisive, {relevance['identifiers']} identifiers, which are "
        f"never sent, {relevance['missed']} missed by detection. "
        f"{relevance['seconds_per_question']:.1f} s a question."
    )
    return "\n".join(
        [
            "<h2>Privacy and utility</h2>",
            f"<p>{escape(facts)}</p>",
            *map(svg, _tradeoffs(relevance).values()),
            f"<p>AUROC and average precision (AP) are of telling decisive values from others, "
            f"identifiers left out; intervals by drawing questions. The next five columns: at the "
            f"threshold that sends {recall:.0%} of the decisive values. The last two: where every "
            f"method sends as many values, {relevance['exposed']}; ties are drawn.</p>",
            _table(_METHOD_HEAD, map(_method_row, relevance["methods"].items())),
            _table(
                (
                    "fixed choice",
                    "values sent",
                    "characters",
                    "recall",
                    "others withheld",
                    "answerable",
                ),
                _fixed_rows(relevance),
            ),
            _where_we_lose(relevance),
            "<h3>By type of value</h3>",
            _by_label(relevance["by_label"]),
            "<h3>Other numbers made of the same changes: AUROC</h3>",
            _table(
                ("measured by", *relevance["estimators"]),
                zip(*_columns(relevance["estimators"]), strict=True),
            ),
            "<h3>The right verdict is the likeliest</h3>",
            _table(
                ("rules with", "questions", "right behind the draft", "right at once"),
                ((name, *own.values()) for name, own in relevance["verdicts"].items()),
            ),
            "<h3>Stopping early, at the threshold of that recall</h3>",
            _table(
                ("measured by", "doubt", "variants per value", "recall", "others withheld"),
                (
                    (name, *one.values())
                    for name, rows in relevance["rounds"].items()
                    for one in rows
                ),
            ),
        ]
    )


def _columns(estimators: Mapping[str, Data]) -> list[list[object]]:
    """What was measured, then a column an estimator."""
    kinds = list(next(iter(estimators.values())))
    return [list(kinds), *([own[kind] for kind in kinds] for own in estimators.values())]


def _by_label(by_reference: Mapping[str, Mapping[str, Data]]) -> str:
    head = ["type", "values", "decisive"]
    rows: dict[str, list[object]] = {}
    for reference, labels in by_reference.items():
        head += [f"AUROC, {reference}", "AP"]
        for label, own in labels.items():
            row = rows.setdefault(label, [label, own["values"], own["decisive"]])
            row += [own["auroc"], own["average_precision"]]
    return _table(head, rows.values())


def _method_row(item: tuple[str, Data]) -> tuple[object, ...]:
    name, method = item
    at_recall, at_exposure = method["at_recall"], method["at_exposure"]
    interval = f"{_number(method['auroc_low'])} to {_number(method['auroc_high'])}"
    return (
        name, method["auroc"], interval, method["average_precision"],
        at_recall["values"], at_recall["characters"], at_recall["per_message"],
        at_recall["withheld"], at_recall["answerable"],
        at_exposure["recall"], at_exposure["answerable"],
    )  # fmt: skip


def _fixed_rows(relevance: Data) -> Iterator[tuple[object, ...]]:
    points = {
        "send everything": relevance["fixed"]["everything"],
        "abstract everything": relevance["fixed"]["nothing"],
        **{f"policy, {name}": point for name, point in relevance["policy"].items()},
    }
    for name, own in points.items():
        yield (
            name,
            own["values"],
            own["characters"],
            own["recall"],
            own["withheld"],
            own["answerable"],
        )


# What live use decides by, the first that is there.
_OURS: Mapping[str, str] = {
    f"decision, {DRAFT}": "influence on the draft, with the prior,",
    f"influence, {DRAFT}": "influence on the draft",
}


def losses(relevance: Data) -> list[str]:
    """Sentences on rivals that beat what live use decides by.

    Not at equal exposure: that is chosen so that influence does well there.
    """
    methods = relevance["methods"]
    ours = next((name for name in _OURS if name in methods), None)
    if ours is None:
        return []
    own, title = methods[ours], _OURS[ours]
    found = []
    for name, rival in methods.items():
        needed, mine = (one["at_recall"]["values"] for one in (rival, own))
        if _above(mine, needed):
            found.append(
                f"{name} sends {needed:.1%} of all values to have {relevance['recall']:.0%} of the "
                f"decisive ones among them; {title} sends {mine:.1%}."
            )
        elif _above(rival["auroc"], own["auroc"]):
            found.append(
                f"{name} tells decisive values from others with an AUROC of {rival['auroc']:.3f}; "
                f"{title} with {own['auroc']:.3f}."
            )
    return found


def _where_we_lose(relevance: Data) -> str:
    sentences = losses(relevance) or ["No method of this table beats what live use decides by."]
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return (
        f"<h3>Where we lose</h3><ul>{items}</ul><p>Methods that read a reference answer of the "
        "data set know what live use does not: the right answer.</p>"
    )


# --------------------------------------------------------------------------- worked examples


def examples(
    measured: Sequence[Measured], dataset: Dataset, *, threshold: float, count: int = 3
) -> list[dict[str, Any]]:
    """Questions where the decision by the draft did well, and where it did badly, with the reason.

    Good ones send all that is decisive and withhold at least as many others as they send; bad
    ones lose decisive values, or send others.
    """
    questions = {question.id: question for question in dataset.questions}
    titles = {document.id: document.title for document in dataset.documents}
    told = [_example(questions[own.question], own, titles, threshold) for own in measured]
    told.sort(key=lambda own: own["order"])
    good = [own for own in told if own["good"]]
    bad = [own for own in told if not own["good"] and own["spans"]]
    return good[:count] + bad[::-1][:count]


def _example(
    question: Question, measured: Measured, titles: Mapping[str, str], threshold: float
) -> dict[str, Any]:
    pairs = list(zip(question.facts, measured.rows, strict=True))
    kinds = [_kind(row, threshold) for _, row in pairs]
    lost, spent, withheld = map(kinds.count, ("withheld-decisive", "kept-other", "withheld-other"))
    return {
        "id": question.id,
        "documents": [titles.get(id_, id_) for id_ in question.documents],
        "message": question.message,
        "draft": measured.draft,
        "answer": question.answers.get("explained", ""),
        "spans": [[f.start, f.end, kind] for (f, _), kind in zip(pairs, kinds, strict=True)],
        "good": bool(kinds) and not lost and spent <= withheld,
        "order": 10 * lost + spent - withheld,
        "why": list(_reasons(pairs, kinds, threshold)),
    }


def _kind(row: Row, threshold: float) -> str:
    if row.identifier:
        return "identifier"
    sent = not row.found or _evidence(row) >= threshold
    return f"{'kept' if sent else 'withheld'}-{'decisive' if row.decisive else 'other'}"


def _evidence(row: Row) -> float:
    return float(moved(row.influence.get(DRAFT, -math.inf), row.draft_shift))


def _nats(row: Row) -> str:
    if (influence := row.influence.get(DRAFT)) is None:
        return "not measured"
    by_prior = f", with the prior {_evidence(row):.2f}" if row.draft_shift else ""
    return f"{influence:.2f} nats{by_prior}"


def _reasons(
    pairs: Sequence[tuple[Fact, Row]], kinds: Sequence[str], threshold: float
) -> Iterator[str]:
    for (fact, row), kind in zip(pairs, kinds, strict=True):
        nats = _nats(row)
        why = f" ({fact.why})" if fact.why else ""
        if kind == "withheld-decisive":
            below = f"{nats} below {threshold:.2f}"
            yield f"Bad: {fact.attribute} is withheld, {below}, but decides{why}"
        elif kind == "kept-other":
            yield f"Bad: {fact.attribute} is sent, {nats}, and decides nothing{why}"
        elif kind == "kept-decisive":
            yield f"Good: {fact.attribute} is sent, {nats}, and decides{why}"
    if withheld := kinds.count("withheld-other"):
        yield f"Good: withheld of what decides nothing: {withheld}"


def _examples(told: Sequence[Data]) -> str:
    none = "" if any(own["good"] for own in told) else "<p>No question went well.</p>"
    return f"<h2>Worked examples</h2>{none}" + "\n".join(map(_example_html, told))


def _example_html(own: Data) -> str:
    verdict = "good" if own["good"] else "bad"
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in own["why"])
    answers = "".join(
        f"<p>{name}: {escape(own[key])}</p>"
        for name, key in (("Draft of the local model", "draft"), ("Right answer", "answer"))
        if own[key]
    )
    return (
        f'<h3 class="{verdict}">{verdict.title()}: {escape(own["id"])}</h3>'
        f"<p>{escape(', '.join(own['documents']))}</p>"
        f"<blockquote>{_marked(own['message'], own['spans'])}</blockquote>"
        f"{answers}<ul>{reasons}</ul>"
    )


def _marked(message: str, spans: Sequence[Sequence[Any]]) -> str:
    pieces, end = [], 0
    for start, stop, kind in spans:
        label = kind.replace("-", ", ")
        pieces += [
            escape(message[end:start]),
            f'<mark class="{kind}" title="{label}">{escape(message[start:stop])}</mark>',
        ]
        end = stop
    return "".join([*pieces, escape(message[end:])])


# --------------------------------------------------------------------------- the others


def _judge(judge: Data) -> str:
    lead, agreement = judge["lead"], judge["agreement"]
    rows = [
        ("minimized answer better", judge["minimized"]),
        ("tie, or the two orders disagree", judge["tie"]),
        ("unredacted answer better", judge["unredacted"]),
        ("verdict not readable", judge["unclear"]),
        ("lead of the minimized answer", _interval(lead)),
        ("the two orders agree", _interval(agreement)),
        ("verdicts for whoever stood first", judge["first"]),
        ("verdicts for whoever stood second", judge["second"]),
    ]
    return (
        f"<h2>LLM as judge</h2><p>Judge: {escape(judge['judge'])}; answers by "
        f"{escape(judge['answers'])}.</p>" + _table(("outcome", ""), rows)
    )


def _retrieval(retrieval: Data) -> str:
    spans = "found by detection" if retrieval["detected"] else "given by the data set"
    parts = [
        "<h2>Retrieval fidelity</h2>",
        f"<p>{retrieval['documents']} documents; values {spans}; ranks of the gold documents "
        "with the raw message and with the abstracted one; 95 % by drawing questions.</p>",
    ]
    for style, stages in retrieval["styles"].items():
        for stage in stages:
            overall = stage["overall"]
            parts += [
                f"<h3>{escape(style)}, {escape(stage['stage'])}: {overall['questions']} "
                "questions</h3>",
                _table(
                    ("metric", "raw", "abstracted", "ratio", "difference"),
                    (_change_row(name, own) for name, own in overall["metrics"].items()),
                ),
            ]
        parts.append(
            _table(
                (f"recall@5 by type of value, {stages[-1]['stage']}", "questions", "raw",
                 "abstracted", "ratio"),
                (_type_row(name, own) for name, own in stages[-1]["by_type"].items()),
            )
        )  # fmt: skip
    return "\n".join(parts)


def _change_row(name: str, change: Data) -> tuple[object, ...]:
    interval = _interval(list(change["difference"].values()))
    return name, change["before"], change["after"], change["ratio"], interval


def _type_row(name: str, own: Data) -> tuple[object, ...]:
    change = own["metrics"]["recall@5"]
    return name, own["questions"], change["before"], change["after"], change["ratio"]


def _latency_chart(latency: Data) -> Chart:
    lines = [
        Line(
            name,
            tuple(
                (float(bucket.split(" ")[0]), own["p50"])
                for bucket, own in setting["by_attributes"].items()
            ),
        )
        for name, setting in latency.items()
    ]
    return Chart("Warm minimize, median", "values measured, from", "milliseconds", tuple(lines))


def _latency(latency: Data) -> str:
    parts = ["<h2>Latency</h2>", svg(_latency_chart(latency))]
    for name, own in latency.items():
        tokens = own["tokens"]
        parts += [
            f"<h3>{escape(name)}</h3>",
            f"<p>{own['messages']} warm messages; opening {own['open_ms']:.0f} ms; peak memory "
            f"{own['peak_memory_mb']:.0f} MB; {tokens['asked']} tokens asked for, "
            f"{tokens['evaluated']} evaluated, {tokens['reused']} reused; share of the whole time "
            f"with an answer by the local model: {_number(own['share_of_answer'])}. Against one "
            f"plain pass over the same prompt: {_number(own['times_plain'])} times.</p>",
            _table(
                ("stage", "cold ms", "p50", "p95", "p99"),
                (
                    (stage, own["cold_ms"].get(stage), warm["p50"], warm["p95"], warm["p99"])
                    for stage, warm in own["warm_ms"].items()
                ),
            ),
            *(
                _table(
                    (title, "messages", "p50", "p95", "p99"),
                    ((bucket, *figures.values()) for bucket, figures in own[key].items()),
                )
                for title, key in (
                    ("values measured", "by_attributes"),
                    ("document tokens", "by_document_tokens"),
                )
            ),
        ]
    return "\n".join(parts)


_SECTIONS: Mapping[str, Callable[[Any], str]] = {
    "relevance": _relevance,
    "examples": _examples,
    "judge": _judge,
    "retrieval": _retrieval,
    "latency": _latency,
}


# --------------------------------------------------------------------------- pieces


def _what(data: Data, record: Data) -> str:
    return (
        f"Data set {data['name']}, version {data['version']}, seed {data['seed']}; "
        f"{record['notes'].get('machine', 'an unknown machine')}."
    )


def _bars(bars: Sequence[Bar]) -> str:
    if not bars:
        return ""
    rows = "".join(
        f"<tr><td>{escape(bar.name)}</td><td>{_number(bar.value)}</td>"
        f"<td>{'≥' if bar.at_least else '≤'} {bar.target:g}</td>"
        f'<td class="{"met" if bar.met else "short"}">{"met" if bar.met else "short"}</td></tr>'
        for bar in bars
    )
    head = "<th>bar</th><th>reached</th><th>to reach</th><th></th>"
    return f"<h2>Bars</h2><table><tr>{head}</tr>{rows}</table>"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(_number(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{top}</tr>\n{body}</table>"


def _number(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.0f}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_number, value))
    return str(value)


def _interval(interval: Sequence[float]) -> str:
    value, low, high = map(_number, interval)
    return f"{value} ({low} to {high})"


def _above(a: float | None, b: float | None) -> bool:
    return a is not None and b is not None and a > b
