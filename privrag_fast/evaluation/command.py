"""`privrag-fast evaluate | calibrate | benchmark`."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from privrag_fast.evaluation import dataset as datasets
from privrag_fast.evaluation.bars import Bar, conclude
from privrag_fast.types import InputError

if TYPE_CHECKING:
    from privrag_fast.assembly import Models
    from privrag_fast.evaluation.dataset import Dataset, Document, Question
    from privrag_fast.evaluation.relevance import Measured, Relevance
    from privrag_fast.evaluation.runs import Run
    from privrag_fast.privacy import Policy
    from privrag_fast.types import LLM, Detector

STAGES = ("relevance", "judge", "retrieval", "latency")
BENCHMARK = "benchmark"
"""The name of the generated data set."""

DETECTION = "detection"
"""An evaluation on data sets of its own, without a run's folder."""

_AUROC = {"verdict": 0.80, "explained": 0.98, "draft": 0.95}
_OTHERS_WITHHELD, _ANSWERABLE, _RECALL_RATIO, _VERDICTS = 0.70, 0.97, 0.98, 0.75
_RECALL_RATIOS = {"conditionalqa": 0.97}
_VARIANTS, _TIMES_PLAIN = 1.8, 1.6

Parsers = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much a run measures; None for all there is."""

    relevance: int | None = None
    judge: int | None = 60
    retrieval: int | None = None
    messages: int = 24
    documents: tuple[int, ...] = (1, 4, 8)
    answered: int = 3

    def limited(self, count: int) -> Scale:
        """At most that many questions of each evaluation, and messages for latency."""
        messages = min(count, self.messages)
        return replace(self, relevance=count, judge=count, retrieval=count, messages=messages)


QUICK = Scale(relevance=5, judge=2, retrieval=30, messages=3, documents=(4,), answered=1)


# --------------------------------------------------------------------------- evaluate


class Bench:
    """What the stages share. Models are opened by the first stage that needs them."""

    def __init__(self, options: argparse.Namespace) -> None:
        from privrag_fast.evaluation.runs import Run, notes_of, settings_of
        from privrag_fast.privacy import Policy

        self.options, self.seed = options, options.seed
        self.sources: Models = options.open_sources(options)
        self.dataset = open_dataset(options)
        self.policy = Policy.read(options.policy) if options.policy else Policy()
        self.scale = QUICK if options.quick else Scale()
        if options.limit is not None and options.limit < 1:
            raise InputError(f"limit must be 1 or more, got {options.limit}")
        if options.limit is not None:
            self.scale = self.scale.limited(options.limit)
        self.run: Run = Run(
            Path(options.out),
            settings=settings_of(
                self.dataset,
                self.sources,
                split=options.split,
                seed=options.seed,
                substitutes=options.substitutes,
                gold=options.gold,
                others=options.others,
                retrieved=options.retrieved,
                detected=options.detected,
                rivals=options.rivals,
                references=options.references,
                index_style=options.index_style,
                policy=_amended(self.policy),
            ),
            notes={**notes_of(self.sources), "policy": asdict_of(self.policy)},
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """Of the split; never empty."""
        questions = self.dataset.split(self.options.split)
        if not questions:
            raise InputError(f"{self.dataset.name} has no {self.options.split} split")
        return questions

    @cached_property
    def detector(self) -> Detector | None:
        """None where the data set's own spans are used."""
        from privrag_fast.assembly import open_detector

        return open_detector(self.sources) if self.options.detected else None

    @cached_property
    def relevance(self) -> Relevance:
        """The measurement of influence."""
        from privrag_fast.evaluation.relevance import RelevanceOptions, open_relevance

        options = self.options
        return open_relevance(
            self.dataset,
            sources=self.sources,
            work=self.run.folder,
            detector=self.detector,
            references=options.references,
            policy=self.policy,
            options=RelevanceOptions(
                gold=options.gold,
                others=options.others,
                retrieved=options.retrieved,
                substitutes=options.substitutes,
                seed=options.seed,
                rivals=options.rivals,
            ),
        )

    def measured(self, limit: int | None) -> tuple[tuple[Question, ...], list[Measured]]:
        """Questions, and what was measured of each; kept in the run's folder."""
        from privrag_fast.evaluation.relevance import Measured
        from privrag_fast.evaluation.runs import choose

        chosen = choose(self.questions, seed=self.seed, limit=limit)
        rows = self.run.each(
            "relevance",
            {question.id: question for question in chosen},
            lambda question: self.relevance.measure(question).to_data(),
        )
        return chosen, [Measured.from_data(row) for row in rows]

    def llm(self, role: str) -> tuple[LLM, str]:
        """The model that answers or judges, with its answers kept, and what it is called."""
        from privrag_fast.evaluation.judge import CachedLLM
        from privrag_fast.generation import OpenAIChat

        name, url = (getattr(self.options, f"{role}_{part}") for part in ("model", "url"))
        if name is not None and not name.endswith(".gguf"):
            model: LLM = OpenAIChat(name, base_url=url)
            title, identity = name, f"{name} at {url}"
        else:
            model, title, identity = self._local(role, name)
        return CachedLLM(model, name=identity, folder=self.run.folder / "answers"), title

    def _local(self, role: str, path: str | None) -> tuple[LLM, str, str]:
        from privrag_fast import models
        from privrag_fast.assembly import open_slm
        from privrag_fast.evaluation.judge import INDICATIVE, Chooser
        from privrag_fast.generation import LocalChat

        sources = replace(self.sources, slm=path or self.sources.slm)
        file = models.locate("slm", sources.slm)[models.SLM_FILE]
        slm = open_slm(sources)
        model: LLM = Chooser(slm) if role == "judge" else LocalChat(slm)
        return model, f"{file.name} ({INDICATIVE})", f"{role} {models.sha256_of(file)}"


Outcome = tuple[dict[str, Any], list[Bar]]


def evaluate(options: argparse.Namespace) -> int:
    """Runs the stages named, or all; writes figures and report; 1 where a bar is short."""
    from privrag_fast.evaluation import report
    from privrag_fast.evaluation.runs import write_json

    if options.stages == [DETECTION]:
        return _detection(options)
    if options.out is None:
        raise InputError("--out is missing: name the folder of the run")
    if unknown := sorted(set(options.stages) - set(STAGES)):
        raise InputError(f"{unknown[0]} is no evaluation: name some of {', '.join(STAGES)}")
    if options.png:
        from privrag_fast.evaluation.charts import require_matplotlib

        require_matplotlib()  # not after an hour
    bench = Bench(options)
    path = bench.run.folder / "results.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    reached: list[Bar] = []
    for stage in STAGES:
        if stage in (options.stages or STAGES):
            found, bars = _STAGES[stage](bench)
            results |= found
            results.setdefault("bars", {})[stage] = [asdict(bar) for bar in bars]
            write_json(path, results)
            reached += bars
    results = json.loads(path.read_text(encoding="utf-8"))
    bars = [Bar(**bar) for own in results["bars"].values() for bar in own]
    page = report.write(
        bench.run.folder, record=bench.run.record, results=results, bars=bars, png=options.png
    )
    print(f"report: {page}")
    return conclude(reached)


def _detection(options: argparse.Namespace) -> int:
    from privrag_fast import models
    from privrag_fast.evaluation import detection
    from privrag_fast.evaluation.runs import write_json

    if options.data is None:
        raise InputError("--data is missing: name the folder that holds the public data sets")
    model = models.locate("detector", options.open_sources(options).detector)["model.onnx"].parent
    full = Path(options.full) if options.full else None
    figures = detection.evaluate(Path(options.data), model, full=full, threads=options.threads)
    if options.out is not None:
        Path(options.out).mkdir(parents=True, exist_ok=True)
        write_json(Path(options.out) / "detection.json", figures)
    detection.show(figures)
    return conclude(detection.bars(figures))


def _relevance(bench: Bench) -> Outcome:
    from privrag_fast.evaluation import report, tradeoff

    _, measured = bench.measured(bench.scale.relevance)
    figures = tradeoff.summarize(measured, bench.dataset, policy=bench.policy, seed=bench.seed)
    draft = _decided(figures, "draft")
    told = draft and report.examples(measured, bench.dataset, threshold=draft["threshold"])
    return {"relevance": figures, "examples": told or []}, list(relevance_bars(figures))


def relevance_bars(figures: dict[str, Any]) -> Iterator[Bar]:
    """One a reference answer, and two at the recall held; what is not known has no bar."""
    from privrag_fast.relevance.rounds import DOUBT

    for name, target in _AUROC.items():
        if method := _decided(figures, name):
            yield from _known(Bar(f"auroc_{name}", method["auroc"], target, True))
    if verdicts := figures["verdicts"].get("all"):
        yield from _known(Bar("verdicts_right", verdicts["right"], _VERDICTS, True))
    if draft := _decided(figures, "draft"):
        at = draft["at_recall"]
        yield from _known(Bar("others_withheld", at["withheld"], _OTHERS_WITHHELD, True))
        yield from _known(Bar("answerable", at["answerable"], _ANSWERABLE, True))
    for stopped in figures["rounds"].get("draft", ()):
        if stopped["doubt"] == DOUBT:
            yield from _known(Bar("variants_each", stopped["variants"], _VARIANTS, False))


def _decided(figures: dict[str, Any], reference: str) -> dict[str, Any] | None:
    """What the pipeline decides by: with the prior, where there is one."""
    methods: dict[str, dict[str, Any]] = figures["methods"]
    return methods.get(f"decision, {reference}", methods.get(f"influence, {reference}"))


def _known(bar: Bar) -> Iterator[Bar]:
    if bar.value == bar.value:
        yield bar


def _judge(bench: Bench) -> Outcome:
    from privrag_fast.evaluation.judge import Comparison, Judge, summarize

    questions, measured = bench.measured(bench.scale.judge)
    answerer, answers = bench.llm("answer")
    llm, judge = bench.llm("judge")
    pairs = {one.id: (one, own) for one, own in zip(questions, measured, strict=True)}
    identity = hashlib.sha256(f"{judge}\0{answers}\0{bench.policy.to_toml()}".encode()).hexdigest()
    comparison = Comparison(
        bench.relevance, answerer=answerer, judge=Judge(llm), policy=bench.policy
    )
    rows = bench.run.each(
        f"judge-{identity[:8]}", pairs, lambda pair: comparison.compare(pair[0], pair[1])
    )
    judged = summarize([row["verdicts"] for row in rows], judge=judge, seed=bench.seed)
    return {"judge": {**asdict(judged), "answers": answers}}, []


def _retrieval(bench: Bench) -> Outcome:
    from privrag_fast.evaluation import retrieval
    from privrag_fast.evaluation.runs import write_json
    from privrag_fast.privacy import STYLES

    report = retrieval.evaluate(
        bench.dataset,
        bench.options.split,
        run=bench.run,
        sources=bench.sources,
        detector=bench.detector,
        styles=bench.options.styles or STYLES,
        index_style=bench.options.index_style,
        limit=bench.scale.retrieval,
        seed=bench.seed,
    )
    print(report.table())
    data = report.to_data()
    write_json(bench.run.folder / "retrieval.json", data)
    figures = {name: value for name, value in data.items() if name != "rows"}
    target = _RECALL_RATIOS.get(report.dataset, _RECALL_RATIO)
    bars = []
    if report.shipped is not None:
        ratio = report.shipped.overall.metrics["recall@5"].ratio
        bars = list(_known(Bar("recall5_ratio", ratio, target, True)))
    return {"retrieval": figures}, bars


def _latency(bench: Bench) -> Outcome:
    from privrag_fast.evaluation import latency

    index = _index(bench)
    sources = {
        name: str(path)
        for name in ("detector", "embedder", "reranker", "prior", "slm")
        if (path := getattr(bench.sources, name)) is not None
    }
    scale = bench.scale
    jobs = [
        latency.Job(
            index=str(index),
            messages=latency.choose_messages(bench.questions, scale.messages),
            threads=threads,
            documents=documents,
            substitutes=bench.options.substitutes,
            answered=scale.answered,
            sources=sources,
        )
        for threads in (1, 2)
        for documents in scale.documents
    ]
    by_name = {f"{job.name}, messages {len(job.messages)}": job for job in jobs}
    results = bench.run.each("latency", by_name, latency.measure)
    figures = latency.summarize(jobs, results)
    usual = figures[jobs[-1].name if len(scale.documents) == 1 else "threads 2, documents 4"]
    bar = Bar("times_plain", usual["times_plain"], _TIMES_PLAIN, False)
    return {"latency": figures}, list(_known(bar))


def _index(bench: Bench) -> Path:
    from privrag_fast.assembly import open_embedder
    from privrag_fast.evaluation.relevance import read_passages
    from privrag_fast.evaluation.retrieval import cached_index

    folder = bench.run.folder / "index"
    passages = read_passages(bench.dataset, sources=bench.sources)
    index = cached_index(passages, open_embedder(bench.sources), bench.run.folder, progress=True)
    index.save(folder)
    return folder


_STAGES: dict[str, Callable[[Bench], Outcome]] = {
    "relevance": _relevance,
    "judge": _judge,
    "retrieval": _retrieval,
    "latency": _latency,
}


# --------------------------------------------------------------------------- calibrate


def calibrate(options: argparse.Namespace) -> int:
    """Writes a policy whose thresholds keep the wished share of decisive values."""
    from privrag_fast.evaluation import tradeoff
    from privrag_fast.evaluation.relevance import PRIOR

    references = [options.reference, "draft"]
    bench = Bench(
        argparse.Namespace(**{**vars(options), "out": options.work, "references": references})
    )
    _, measured = bench.measured(bench.scale.relevance)
    facts = tradeoff.Facts(measured, lambda *_: None)
    given, of_given = tradeoff.calibrate(facts, options.reference, recall=options.recall)
    draft, of_draft = tradeoff.calibrate(facts, "draft", recall=options.recall)
    policy = replace(
        bench.policy,
        threshold=given,
        thresholds=of_given,
        draft_threshold=draft,
        draft_thresholds=of_draft,
    )
    ways = {f"{options.reference} answers": options.reference, "draft answers": "draft"}
    if not math.isnan(guess := tradeoff.guess_threshold(facts, options.recall)):
        policy = replace(policy, guess_threshold=guess)
        ways["the prior alone"] = PRIOR
    for title, way in ways.items():
        point = facts.point(tradeoff.sent_by_policy(facts, policy, way))
        print(
            f"{title}: sends {point.recall:.1%} of the decisive values, withholds "
            f"{point.withheld:.1%} of the others on {options.split}"
        )
    Path(options.out).write_text(policy.to_toml(), encoding="utf-8")
    print(f"policy: {options.out}")
    return 0


# --------------------------------------------------------------------------- benchmark


def benchmark(options: argparse.Namespace) -> int:
    """Writes the data set, or shows one item of it."""
    if (options.out is None) == (options.show is None):
        raise InputError("give either --out, a folder for the data set, or --show, a question's id")
    dataset = open_dataset(options)
    if options.show is not None:
        print(shown(dataset, options.show))
        return 0
    datasets.write(dataset, Path(options.out))
    splits = ", ".join(f"{len(dataset.split(s))} {s}" for s in get_args(datasets.Split))
    print(f"{len(dataset.documents)} documents, questions: {splits}, in {options.out}")
    return 0


def shown(dataset: Dataset, id_: str) -> str:
    """A question for readers: why each of its values is decisive, or is not.

    Raises:
        InputError: The data set has no such question.
    """
    question = next((own for own in dataset.questions if own.id == id_), None)
    if question is None:
        example = dataset.questions[0].id if dataset.questions else "none"
        raise InputError(f"{dataset.name} has no question {id_}; its first one is {example}")
    documents = [own for own in dataset.documents if own.id in question.documents]
    return "\n".join(
        [
            f"{question.id}: {question.split}, family {question.family or 'unknown'}, "
            f"outcome {question.outcome or 'unknown'}",
            *(f"  {turn}" for turn in question.turns),
            *(line for document in documents for line in _rules(document)),
            "values",
            *_values(question),
            "answers",
            *(f"  {style}: {answer}" for style, answer in question.answers.items()),
        ]
    )


def _rules(document: Document) -> Iterator[str]:
    yield f"document {document.id}: {document.title}"
    for case in document.cases:
        conditions = " and ".join(
            f"{c.attribute} {c.operator} {', '.join(map(str, c.values))}" for c in case.conditions
        )
        yield f"  {conditions}: {case.outcome}"
    if document.cases:
        yield f"  otherwise: {document.otherwise}"


def _values(question: Question) -> Iterator[str]:
    names = {(True, True): "decisive", (False, True): "consulted", (False, False): "other"}
    for fact in question.facts:
        kind = names.get((bool(fact.decisive), bool(fact.consulted)), "decisive")
        kind = "unknown" if fact.decisive is None else kind
        value = question.message[fact.start : fact.end]
        yield f"  {kind:<10}{fact.attribute} ({fact.label}): {value}. {fact.why}".rstrip()


# --------------------------------------------------------------------------- parts


def open_dataset(options: argparse.Namespace) -> Dataset:
    """The generated one, or one from local files."""
    if options.dataset == BENCHMARK:
        from privrag_fast.evaluation import benchmark as generator

        return generator.generate(options.seed)
    from privrag_fast.evaluation import loaders

    return loaders.load(Path(options.dataset))


def asdict_of(policy: Policy) -> dict[str, Any]:
    """A policy as JSON has it."""
    return {
        name: sorted(own) if isinstance(own, frozenset) else own
        for name, own in asdict(policy).items()
    }


def _amended(policy: Policy) -> dict[str, Any]:
    """What decides which labels are measured, where it is not the default."""
    own, usual = asdict_of(policy), asdict_of(type(policy)())
    names = ("never", "abstract", "generalize", "synonyms")
    return {name: own[name] for name in names if own[name] != usual[name]}


# --------------------------------------------------------------------------- arguments


def add_commands(commands: Any) -> list[argparse.ArgumentParser]:
    """Adds the three commands; gives those parsers that also take model files."""
    evaluation = commands.add_parser(
        "evaluate", help="measure privacy and utility, retrieval and latency; write a report"
    )
    evaluation.add_argument(
        "stages", nargs="*", default=[], metavar="evaluation",
        help=f"some of {', '.join(STAGES)}, all where none is named; or {DETECTION} alone",
    )  # fmt: skip
    evaluation.add_argument("--out", metavar="DIR", help="the run's folder; a run "
                            "that was stopped goes on where it was")  # fmt: skip
    evaluation.add_argument("--split", default="test", choices=get_args(datasets.Split))
    evaluation.add_argument("--references", nargs="+", metavar="ANSWER", help="measure by these "
                            "reference answers only: verdict, reasoned, explained, draft; the "
                            "baselines are left out then")  # fmt: skip
    evaluation.add_argument("--styles", nargs="+", metavar="STYLE", help="of abstraction, that "
                            "retrieval is measured with: type, words, dropped")  # fmt: skip
    evaluation.add_argument("--index-style", metavar="STYLE", help="also abstract what is indexed, "
                            "in this style")  # fmt: skip
    evaluation.add_argument("--png", action="store_true", help="also plots as PNG files")
    for role in ("judge", "answer"):
        evaluation.add_argument(f"--{role}-model", metavar="NAME", help="model at an "
                                "OpenAI-compatible endpoint, or a .gguf file; the local small "
                                "model where absent")  # fmt: skip
        evaluation.add_argument(f"--{role}-url", metavar="URL", help="of that endpoint, with /v1")
    evaluation.add_argument("--data", metavar="DIR", help=f"{DETECTION}: the public data sets")
    evaluation.add_argument("--full", metavar="DIR", help=f"{DETECTION}: the model in F32, beside "
                            "which it is measured")  # fmt: skip
    _add_measurement(evaluation)
    evaluation.set_defaults(command=evaluate)

    calibration = commands.add_parser(
        "calibrate", help="choose thresholds that keep a wished share of decisive values"
    )
    calibration.add_argument("--out", required=True, metavar="FILE", help="the policy, as TOML")
    calibration.add_argument("--work", required=True, metavar="DIR", help="the run's folder")
    calibration.add_argument("--recall", type=float, default=0.97, metavar="SHARE")
    calibration.add_argument("--reference", default="reasoned", metavar="STYLE", help="answers "
                             "that stand for those that callers give")  # fmt: skip
    calibration.add_argument("--split", default="dev", choices=get_args(datasets.Split))
    _add_measurement(calibration)
    calibration.set_defaults(command=calibrate, index_style=None)

    data = commands.add_parser("benchmark", help="write the generated data set, or show an item")
    data.add_argument("--out", metavar="DIR", help="where the data set goes")
    data.add_argument("--show", metavar="ID", help="a question, with the reasons")
    _add_dataset(data)
    data.set_defaults(command=benchmark)
    return [evaluation, calibration]


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dataset", default=BENCHMARK, metavar="PATH", help="a folder or file of "
                        "another data set; the generated one where absent")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N")


def _add_measurement(parser: argparse.ArgumentParser) -> None:
    _add_dataset(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="questions of each evaluation")
    parser.add_argument("--quick", action="store_true", help="a few questions: minutes")
    parser.add_argument("--policy", metavar="FILE", help="a policy in TOML")
    parser.add_argument("--substitutes", type=int, default=3, metavar="N", help="per value")
    parser.add_argument("--gold", type=int, default=8, metavar="N",
                        help="passages of the documents that hold the answer, at most")  # fmt: skip
    parser.add_argument("--others", type=int, default=1, metavar="N",
                        help="passages of other documents")  # fmt: skip
    parser.add_argument("--retrieved", type=int, default=0, metavar="N",
                        help="instead: the best N passages that retrieval finds")  # fmt: skip
    parser.add_argument("--rivals", action="store_true",
                        help="also measure what else influence could be made of")  # fmt: skip
    parser.add_argument("--detected", action="store_true", help="values as detection finds them")
