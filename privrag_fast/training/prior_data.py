"""Messages beside passages, with what the answer needs: what the prior is trained and measured on.

Run it as a module to write a file of windows; it needs no torch::

    python -m privrag_fast.training.prior_data --capid CAPID.jsonl --samples 20000 --out train.npz

Three sources, mixed: generated lessons (many products, many phrasings), the benchmark's train split
with other limits and words for every few hundred questions, and CAPID, whose messages come without
documents. The benchmark has 48 products for training, each with conditions of its own. So that a
product's name says nothing, half of its questions are answered from another product's document
under the name that was asked for.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from privrag_fast import models
from privrag_fast.evaluation import benchmark, loaders, rules
from privrag_fast.evaluation.dataset import Document, Question, Split
from privrag_fast.evaluation.documents import with_name
from privrag_fast.evaluation.filler import filler
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.evaluation.retrieval import passages
from privrag_fast.relevance.prior import Packer, Span
from privrag_fast.retrieval import Chunker
from privrag_fast.training import rules_data
from privrag_fast.training.prior_windows import Example, save_examples
from privrag_fast.training.rules_data import LessonGenerator
from privrag_fast.types import Attribute, Entity, Passage

logger = logging.getLogger(__name__)

Source = Literal["lessons", "benchmark", "capid"]
SHARES: Final[Mapping[Source, float]] = {"lessons": 0.5, "benchmark": 0.27, "capid": 0.23}

_FILLER = 60
_OTHERS = 3  # passages of other documents, at most
_LOST = 0.08  # chance that retrieval missed the document
_SWAPPED = 0.5  # chance of another document under the name that was asked for
_MASKED = 0.15  # chance that values are replaced by their type, each with even chance
_WIDENED = 0.12  # chance of a span to take in a neighboring word
_DEV_PERCENT = 10


@dataclass(frozen=True, slots=True)
class Target:
    """An attribute of a message.

    Args:
        label: As detection names it.
        mentions: Spans in the message.
        needed: The answer turns on it.
        consulted: A rule reads it; None where it is not known.
    """

    label: str
    mentions: tuple[Span, ...]
    needed: bool
    consulted: bool | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A message, the passages found for it, and its attributes in reading order."""

    message: str
    passages: tuple[Passage, ...]
    targets: tuple[Target, ...]


# --------------------------------------------------------------------------- lessons


def lesson_samples(seed: int, *, dev: bool = False) -> Iterator[Sample]:
    """Endless questions of `LessonGenerator`, whose rules must all hold."""
    rng = random.Random(seed)
    generator = LessonGenerator(seed, dev=dev)
    while True:
        [lesson] = generator.generate(1)
        found = [Passage("", text, title) for title, text in lesson.passages]
        for question in lesson.questions:
            yield Sample(
                question.message,
                tuple(rng.sample(found, len(found))),
                tuple(sorted(_lesson_targets(question), key=lambda own: own.mentions)),
            )


def _lesson_targets(question: rules_data.Question) -> Iterator[Target]:
    """A condition turns the outcome where all others hold."""
    failed = {fact.kind for fact in question.facts if fact.met is False}
    for fact, own in zip(question.facts, question.attributes, strict=True):
        spans = tuple((mention.start, mention.end) for mention in own.mentions)
        yield Target(own.label, spans, fact.decisive and not failed - {fact.kind}, fact.decisive)


# --------------------------------------------------------------------------- benchmark


def benchmark_samples(
    seed: int, chunker: Chunker, *, split: Split = "train", share: int = 300
) -> Iterator[Sample]:
    """Endless questions of a split; after `share` of them the documents change limits and words.

    Only documents of the split's own product families are beside them. Swapping and losing
    documents are for training.
    """
    while True:
        sizes = {name: share if name == split else 0 for name in ("train", "dev", "test")}
        data = benchmark.generate(seed, **sizes, filler=0)
        own = {family.name for family in FAMILIES if family.split == split}
        documents = [document for document in data.documents if document.family in own]
        desk = _Desk([*documents, *filler(_FILLER, seed)], chunker, random.Random(seed))
        for question in data.questions:
            yield desk.sample(question, varied=split == "train")
        seed += 1


class _Desk:
    """Documents, and what is found in them."""

    def __init__(self, documents: Sequence[Document], chunker: Chunker, rng: random.Random) -> None:
        self._documents = {document.id: document for document in documents}
        self._found = {d.id: passages([d], chunker) for d in documents}
        self._rng = rng

    def sample(self, question: Question, *, varied: bool) -> Sample:
        rng = self._rng
        gold = [id_ for id_ in question.documents if id_ in self._documents]
        own = [passage for id_ in gold for passage in self._found[id_]]
        targets = [
            Target(f.label, ((f.start, f.end),), bool(f.decisive), bool(f.consulted))
            for f in question.facts
        ]
        if varied and gold and rng.random() < _LOST:
            own, targets = [], [replace(t, needed=False, consulted=False) for t in targets]
        elif varied and len(gold) == 1 and rng.random() < _SWAPPED:
            own, targets = self._swapped(question, self._documents[gold[0]]) or (own, targets)
        others = [id_ for id_ in self._documents if id_ not in gold]
        for id_ in rng.sample(others, rng.randint(0 if own else 1, _OTHERS)):
            own = [*own, rng.choice(self._found[id_])]
        return Sample(question.message, tuple(rng.sample(own, len(own))), tuple(targets))

    def _swapped(
        self, question: Question, asked: Document
    ) -> tuple[list[Passage], list[Target]] | None:
        """Another document that reads only what the message says, under the name of this one."""
        meanings = {f.attribute: f.meaning for f in question.facts if f.meaning is not None}
        fitting = [
            document
            for document in self._documents.values()
            if document.cases
            and document.id != asked.id
            and rules.consulted(document) <= meanings.keys()
        ]
        if not fitting:
            return None
        other = self._rng.choice(fitting)
        renamed = [
            replace(p, title=asked.title, text=with_name(p.text, other.title, asked.title))
            for p in self._found[other.id]
        ]
        consulted, decisive = rules.consulted(other), rules.decisive(other, meanings)
        return renamed, [
            Target(f.label, ((f.start, f.end),), f.attribute in decisive, f.attribute in consulted)
            for f in question.facts
        ]


# --------------------------------------------------------------------------- CAPID


def capid_samples(path: Path, *, dev: bool = False) -> list[Sample]:
    """CAPID's train rows, or the tenth of them that is held out, by the hash of the context."""
    samples = []
    for question in loaders.load(path, format="capid").questions:
        digest = hashlib.sha256(question.turns[0].encode()).digest()
        if (int.from_bytes(digest[:4], "big") % 100 < _DEV_PERCENT) == dev:
            samples.append(plain_sample(question))
    return samples


def plain_sample(question: Question) -> Sample:
    """A question without documents; mentions of one value in one type are one attribute."""
    groups: dict[tuple[str, str], list[Target]] = {}
    for fact in question.facts:
        value = question.message[fact.start : fact.end].casefold()
        target = Target(fact.label, ((fact.start, fact.end),), bool(fact.decisive))
        groups.setdefault((fact.label, value), []).append(target)
    return Sample(
        question.message,
        (),
        tuple(
            replace(own[0], mentions=tuple(span for t in own for span in t.mentions))
            for own in groups.values()
        ),
    )


# --------------------------------------------------------------------------- variation


def vary(sample: Sample, rng: random.Random) -> Sample:
    """Some values as their types, some spans a word wider, as detection may have them."""
    masked = rng.random() < _MASKED
    chosen = [masked and rng.random() < 0.5 for _ in sample.targets]
    sample = mask(sample, chosen)
    return replace(
        sample,
        targets=tuple(
            replace(
                own,
                mentions=tuple(
                    _widened(sample.message, span, rng) if rng.random() < _WIDENED else span
                    for span in own.mentions
                ),
            )
            for own in sample.targets
        ),
    )


def mask(sample: Sample, chosen: Sequence[bool]) -> Sample:
    """The sample with the chosen values replaced by their types."""
    mentions = sorted(
        (span, row) for row, own in enumerate(sample.targets) for span in own.mentions
    )
    parts: list[str] = []
    moved: list[list[Span]] = [[] for _ in sample.targets]
    length = end = 0
    for (start, stop), row in mentions:
        value = sample.targets[row].label if chosen[row] else sample.message[start:stop]
        parts += [sample.message[end:start], value]
        length += start - end
        moved[row].append((length, length + len(value)))
        length, end = length + len(value), stop
    return Sample(
        "".join([*parts, sample.message[end:]]),
        sample.passages,
        tuple(
            replace(own, mentions=tuple(spans))
            for own, spans in zip(sample.targets, moved, strict=True)
        ),
    )


def _widened(text: str, span: Span, rng: random.Random) -> Span:
    start, end = span
    if rng.random() < 0.5:
        before = re.search(r"\w+ $", text[:start])
        return (before.start() if before else start), end
    after = re.match(r" \w+", text[end:])
    return start, end + (after.end() if after else 0)


# --------------------------------------------------------------------------- windows


class Mixture:
    """Endless training samples of all sources."""

    def __init__(self, seed: int, chunker: Chunker, capid: Path) -> None:
        self._rng = random.Random(seed)
        self._streams: dict[Source, Iterator[Sample]] = {
            "lessons": lesson_samples(seed),
            "benchmark": _shuffled(benchmark_samples(1000 * seed, chunker), self._rng),
            "capid": _cycled(capid_samples(capid), self._rng),
        }

    def draw(self) -> Sample:
        """The next."""
        [source] = self._rng.choices(list(SHARES), list(SHARES.values()))
        return vary(next(self._streams[source]), self._rng)


def _shuffled(stream: Iterator[Sample], rng: random.Random, *, size: int = 600) -> Iterator[Sample]:
    """Twins and questions about one document come apart."""
    held = [next(stream) for _ in range(size)]
    while True:
        at = rng.randrange(size)
        yield held[at]
        held[at] = next(stream)


def _cycled(samples: Sequence[Sample], rng: random.Random) -> Iterator[Sample]:
    while True:
        yield from rng.sample(samples, len(samples))


def attributes(sample: Sample) -> list[Attribute]:
    """The targets as the prior takes them."""
    return [
        Attribute(
            label=own.label,
            value=sample.message[slice(*own.mentions[0])],
            placeholder=f"[{own.label}_{number}]",
            mentions=tuple(Entity(start, end, own.label) for start, end in own.mentions),
        )
        for number, own in enumerate(sample.targets)
    ]


def example(sample: Sample, packer: Packer) -> Example | None:
    """The sample as one window; None where it needs several, or has no attribute."""
    windows = packer.pack(sample.message, attributes(sample), sample.passages)
    if len(windows) != 1:
        return None
    [window] = windows
    known = [sample.targets[row] for row in window.rows]
    labels = [(own.needed, -1 if own.consulted is None else own.consulted) for own in known]
    return Example(window, np.array(labels, np.int8))


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes windows."""
    parser = argparse.ArgumentParser(prog="privrag_fast.training.prior_data")
    parser.add_argument("--capid", type=Path, required=True, help="CAPID's train.jsonl")
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="windows (.npz)")
    args = parser.parse_args(arguments)
    tokenizer = models.locate("embedder")["tokenizer.json"]
    packer = Packer(tokenizer)
    mixture = Mixture(args.seed, Chunker(tokenizer), args.capid)
    drawn = (example(mixture.draw(), packer) for _ in range(args.samples))
    examples = [own for own in drawn if own is not None]
    save_examples(args.out, examples)
    tokens = sum(len(own.window.ids) for own in examples)
    labels = np.concatenate([own.labels[:, 0] for own in examples])
    print(f"{len(examples)} windows, {tokens} tokens, {len(labels)} attributes", end=", ")
    print(f"{labels.mean():.1%} needed")


if __name__ == "__main__":
    main()
