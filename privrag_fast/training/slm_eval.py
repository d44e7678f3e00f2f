"""What the small language model names in its own drafts, on questions that it never saw.

Run it as a module on a merged model::

    python -m privrag_fast.training.slm_eval --model MERGED.gguf --questions 40
    python -m privrag_fast.training.slm_eval --model MERGED.gguf --examples examples
    python -m privrag_fast.training.slm_eval --model MERGED.gguf --text PLAIN.txt   # perplexity
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.models import locate
from privrag_fast.relevance.counterfactual import TRAINED, Counterfactual
from privrag_fast.retrieval.chunks import Chunker
from privrag_fast.retrieval.corpus import read_corpus
from privrag_fast.training.rules_data import LessonGenerator, mentioned
from privrag_fast.training.slm_tokens import DEV_SEED_OFFSET, hits_of
from privrag_fast.types import Attribute, Hit, InputError, says
from privrag_fast.variants import Variants


@dataclass(frozen=True, slots=True)
class Case:
    """A question with passages and what its message says.

    Args:
        values: Each value of the message, and whether the answer turns on it.
        verdict: None where the documents do not say.
        attributes: What detection is to find in the message.
    """

    message: str
    hits: tuple[Hit, ...]
    values: tuple[tuple[str, bool], ...]
    verdict: bool | None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """Counts over drafts: values named, of so many; drafts whose yes or no is right."""

    drafts: int
    decisive_named: int
    decisive: int
    others_named: int
    others: int
    all_decisive_named: int
    verdicts_right: int
    verdicts: int


def dev_cases(seed: int) -> Iterator[Case]:
    """Endless held-out questions of the generator, one a lesson."""
    generator = LessonGenerator(seed + DEV_SEED_OFFSET, dev=True)
    while True:
        [lesson] = generator.generate(1)
        question = lesson.questions[0]
        yield Case(
            message=question.message,
            hits=tuple(hits_of(lesson)),
            values=tuple((fact.value, fact.decisive) for fact in question.facts),
            verdict=question.verdict,
            attributes=question.attributes,
        )


def example_cases(folder: Path, *, seed: int, passages: int = 5) -> Iterator[Case]:
    """The labeled questions of the examples in random order, with the document that answers."""
    chunker = Chunker(locate("embedder")["tokenizer.json"])
    by_source: dict[str, list[Hit]] = {}
    for passage in chunker.chunk(read_corpus(folder / "corpus").documents):
        by_source.setdefault(passage.source, []).append(Hit(passage, 1.0))
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    random.Random(seed).shuffle(rows)
    for row in rows:
        yield Case(
            message=row["message"],
            hits=tuple(by_source[row["document"]][:passages]),
            values=tuple((a["value"], a["decisive"]) for a in row["attributes"]),
            verdict=row["answer_verdict"].startswith("Yes"),
            attributes=tuple(mentioned(row["message"], _labeled(row))),
        )


def _labeled(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((own["label"], own["value"]) for own in row["attributes"])


def stated_verdict(draft: str) -> bool | None:
    """The yes or no of a draft, wherever it stands."""
    text = draft.lower()
    if text.startswith("yes") or "so yes" in text:
        return True
    return False if text.startswith("no,") or "so no" in text else None


def measure_drafts(cases: Sequence[Case], draft: Callable[[Case], str]) -> DraftFigures:
    """What the drafts of the cases name."""
    named: list[list[tuple[bool, bool]]] = []
    right = 0
    for case in cases:
        text = draft(case)
        named.append([(decisive, says(text, value)) for value, decisive in case.values])
        right += case.verdict is not None and stated_verdict(text) == case.verdict
    flat = [pair for pairs in named for pair in pairs]
    return DraftFigures(
        drafts=len(cases),
        decisive_named=flat.count((True, True)),
        decisive=sum(decisive for decisive, _ in flat),
        others_named=flat.count((False, True)),
        others=sum(not decisive for decisive, _ in flat),
        all_decisive_named=sum((True, False) not in pairs for pairs in named),
        verdicts_right=right,
        verdicts=sum(case.verdict is not None for case in cases),
    )


def perplexity(model: LanguageModel, paragraphs: Sequence[str]) -> float:
    """Of plain text, each paragraph by itself, given its first word."""
    log_probs = []
    for paragraph in paragraphs:
        first, space, rest = paragraph.strip().partition(" ")
        log_probs.append(model.score([first], space + rest).log_probs[0])
    return float(np.exp(-np.concatenate(log_probs).mean()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the figures; with --show the drafts as well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="merged GGUF")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--examples", type=Path, help="a folder with corpus/ and questions.jsonl")
    parser.add_argument("--text", type=Path, help="perplexity of its paragraphs instead")
    parser.add_argument("--few-shot", action="store_true", help="with the default example turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args(arguments)
    if args.questions < 1:
        raise InputError(f"questions must be 1 or more, got {args.questions}")
    model = LanguageModel(args.model, options=LlamaOptions(n_ctx=4096, n_threads=args.threads))
    if args.text:
        paragraphs = args.text.read_text(encoding="utf-8").split("\n\n")
        print(f"perplexity {perplexity(model, [p for p in paragraphs if ' ' in p]):.3f}")
        return
    test = Counterfactual(
        model, options=None if args.few_shot else replace(TRAINED, draft_until="")
    )

    def draft(case: Case) -> str:
        told = Variants(case.message, case.attributes, case.hits, notes=test.takes_notes).text()
        text = test.draft(told, case.hits)
        if args.show:
            print(f"{case.message}\n  {[v for v, decisive in case.values if decisive]}\n  > {text}")
        return text

    source = example_cases(args.examples, seed=args.seed) if args.examples else dev_cases(args.seed)
    print(json.dumps(asdict(measure_drafts(list(islice(source, args.questions)), draft))))


if __name__ == "__main__":
    main()
