"""Lessons as token trees: what the small language model is trained on.

Run it as a module to write a file of them::

    python -m privrag_fast.training.slm_tokens --model BASE.gguf --lessons 1500 --benchmark 700 \\
        --out train.npz
    python -m privrag_fast.training.slm_tokens --model BASE.gguf --text plain.txt --out plain.npz

A lesson's documents are read once for all of its questions, as the scorer does: its sequences
form one prefix tree, and attention follows the tree. Four questions on the same documents so cost
half of what they cost apart.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from privrag_fast.relevance.notes import Notes
from privrag_fast.training.rules_data import Lesson, LessonGenerator, LessonOptions
from privrag_fast.types import Attribute, Hit, InputError, Passage, document_text, says

if TYPE_CHECKING:
    from privrag_fast.llama import LanguageModel
    from privrag_fast.relevance.counterfactual import Counterfactual

DEV_SEED_OFFSET = 1_000_000
_MISSED = 0.06  # chance of a value that detection did not find
# Weight of a token that says yes or no: one of twenty, and all that is judged. Only where nothing
# else can follow: elsewhere a weight would change what is said at all.
_TURN = 6.0
_TURNS = {":": (" met", " not"), " So": (" yes", " no")}
_END = r"\.(?= It takes | One case | So |$)"
_REASON = re.compile(rf"It takes (?P<need>.+?), (?P<link>and|but) (?P<own>you\b.+?){_END}")
_CASE = re.compile(
    rf"One case is for (?P<need>.+?), (?P<link>and it is|which is not) yours, as (?P<own>.+?){_END}"
)

IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TokenTree:
    """Sequences that share prefixes, each token once.

    Args:
        tokens: int32 [T], parents before their children.
        parents: int32 [T], index of the token before, -1 at the root.
        sources, targets: int32 [A]: after token `sources[i]` comes the answer token `targets[i]`.
        weights: float32 [A]: how much it matters beside the others.
    """

    tokens: IntArray
    parents: IntArray
    sources: IntArray
    targets: IntArray
    weights: npt.NDArray[np.float32]

    def positions(self) -> IntArray:
        """int32 [T]: how many tokens stand before each."""
        depths = np.zeros(len(self.tokens), np.int32)
        for i, parent in enumerate(self.parents):
            depths[i] = depths[parent] + 1 if parent >= 0 else 0
        return depths

    def visible(self) -> npt.NDArray[np.bool_]:
        """bool [T, T]: each token sees itself and those before it in its own sequence."""
        seen = np.eye(len(self.tokens), dtype=np.bool_)
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                seen[i] |= seen[parent]
        return seen


def build_tree(
    sequences: Sequence[tuple[Sequence[int], int]], turns: Collection[tuple[int, int]] = ()
) -> TokenTree:
    """The tree of sequences, each with the length of its prompt; what follows is to be learned.

    Args:
        turns: Tokens on which an answer turns, each behind the one before it.
    """
    children: dict[tuple[int, int], int] = {}
    parents: list[int] = []
    learned: list[tuple[int, int]] = []
    for tokens, prompt in sequences:
        node = -1
        for at, token in enumerate(tokens):
            if at >= prompt:
                learned.append((node, token))
            key = (node, token)
            if key not in children:
                children[key] = len(parents)
                parents.append(node)
            node = children[key]
    pairs = np.array(learned, np.int32).reshape(-1, 2)
    tokens_of_nodes = np.array([token for _, token in children], np.int32)
    steps = zip(tokens_of_nodes[pairs[:, 0]].tolist(), pairs[:, 1].tolist(), strict=True)
    weights = np.array([_TURN if step in turns else 1.0 for step in steps], np.float32)
    return TokenTree(
        tokens_of_nodes, np.array(parents, np.int32), pairs[:, 0], pairs[:, 1], weights
    )


def save_trees(path: Path, trees: Sequence[TokenTree]) -> None:
    """Writes trees to one .npz file."""
    np.savez_compressed(
        path,
        sizes=np.array([(len(t.tokens), len(t.targets)) for t in trees], np.int32),
        tokens=np.concatenate([t.tokens for t in trees]),
        parents=np.concatenate([t.parents for t in trees]),
        sources=np.concatenate([t.sources for t in trees]),
        targets=np.concatenate([t.targets for t in trees]),
        weights=np.concatenate([t.weights for t in trees]),
    )


def load_trees(path: Path) -> list[TokenTree]:
    """Reads what `save_trees` wrote."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    ends = np.cumsum(arrays["sizes"], axis=0)[:-1]
    columns = [
        np.split(arrays[name], ends[:, 0 if name in ("tokens", "parents") else 1])
        for name in ("tokens", "parents", "sources", "targets", "weights")
    ]
    return [TokenTree(*parts) for parts in zip(*columns, strict=True)]


def hits_of(lesson: Lesson) -> list[Hit]:
    """A lesson's passages as the pipeline would find them."""
    return [
        Hit(Passage(id=str(i), text=text, title=title), 1.0)
        for i, (title, text) in enumerate(lesson.passages)
    ]


def judged(answer: str, notes: Notes, attributes: Sequence[Attribute]) -> str:
    """An answer whose conditions come out after the value, and after what is noted beside it.

    `It takes an age of at least 62, but you are 41.` becomes
    `It takes an age of at least 62; you are 41, below 62: not met.`: what was read last is easiest
    to judge by.
    """

    def turned(opening: str) -> Callable[[re.Match[str]], str]:
        def rewrite(reason: re.Match[str]) -> str:
            need, link, own = reason["need"], reason["link"], reason["own"]
            beside = (notes.beside(one) for one in attributes if says(own, one.value))
            said = " and ".join(dict.fromkeys(filter(None, beside)))
            met = "met" if link.startswith("and") else "not met"
            return f"{opening} {need}; {own}{', ' * bool(said)}{said}: {met}."

        return rewrite

    answer = _REASON.sub(turned("It takes"), answer)
    return _CASE.sub(turned("One case is for"), answer)


def tokenize(lessons: Sequence[Lesson], model_path: Path) -> Iterator[TokenTree]:
    """The trees of lessons, in the very prompts of the counterfactual test."""
    # Here, not above: a training environment without llama.cpp reads the trees, too.
    from privrag_fast.llama import LanguageModel, LlamaOptions
    from privrag_fast.relevance.counterfactual import TRAINED, Counterfactual

    model = LanguageModel(model_path, options=LlamaOptions(n_ctx=256, n_threads=1))
    prompts = Counterfactual(model, options=TRAINED)
    end = model._scorer.special_tokens()["eos"]
    rng = random.Random(0)
    turns = {
        (int(model._tokenize(before)[-1]), int(model._tokenize(word)[0]))
        for before, words in _TURNS.items()
        for word in words
    }
    for lesson in lessons:
        yield build_tree(list(_sequences(lesson, model, prompts, end, rng)), turns)


def tokenize_text(paragraphs: Sequence[str], model_path: Path) -> Iterator[TokenTree]:
    """A tree a paragraph, each without branches; all tokens but the first are to be learned."""
    from privrag_fast.llama import LanguageModel, LlamaOptions

    model = LanguageModel(model_path, options=LlamaOptions(n_ctx=256, n_threads=1))
    for paragraph in paragraphs:
        yield build_tree([(model._tokenize(paragraph).tolist(), 1)])


def _of_benchmark(count: int, seed: int) -> Iterator[Lesson]:
    from privrag_fast.models import locate
    from privrag_fast.retrieval import Chunker
    from privrag_fast.training import benchmark_lessons

    return benchmark_lessons.generate(count, seed, Chunker(locate("embedder")["tokenizer.json"]))


def _sequences(
    lesson: Lesson, model: LanguageModel, prompts: Counterfactual, end: int, rng: random.Random
) -> Iterator[tuple[list[int], int]]:
    hits = hits_of(lesson)
    for question in lesson.questions:
        found = [own for own in question.attributes if rng.random() > _MISSED]
        notes = Notes(question.message, found, list(map(document_text, hits)))
        prompt = prompts._prompt(notes.told(question.message), hits)
        length = len(model._tokenize(prompt))
        for answer in (judged(own, notes, found) for own in question.answers):
            yield [*model._tokenize(prompt + answer).tolist(), end], length


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes a file of trees."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="GGUF whose tokenizer is used")
    parser.add_argument("--lessons", type=int, default=1500)
    parser.add_argument("--benchmark", type=int, default=0, help="lessons of its train split")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", type=Path, help="paragraphs of plain text, instead of lessons")
    parser.add_argument("--dev", action="store_true", help="held-out phrasings and products")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    if args.lessons < 1:
        raise InputError(f"lessons must be 1 or more, got {args.lessons}")
    seed = args.seed + (DEV_SEED_OFFSET if args.dev else 0)
    if args.text:
        paragraphs = args.text.read_text(encoding="utf-8").split("\n\n")
        trees = list(tokenize_text([p for p in paragraphs if " " in p], args.model))
    else:
        # What is met and what is not are to be told apart: half as often is often enough for both.
        options = LessonOptions(met=0.62, verdict_first=0.15)
        generator = LessonGenerator(seed, dev=args.dev, options=options)
        lessons = list(generator.generate(args.lessons))
        if args.benchmark:
            lessons += _of_benchmark(args.benchmark, seed)
        trees = list(tqdm(tokenize(lessons, args.model), total=len(lessons), disable=None))
    save_trees(args.out, trees)
    tokens, learned = sum(len(t.tokens) for t in trees), sum(len(t.targets) for t in trees)
    print(f"{len(trees)} trees, {tokens} tokens, {learned} to be learned")


if __name__ == "__main__":
    main()
