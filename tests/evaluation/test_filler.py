"""Filler is varied, the same for the same seed, one passage each, and states no rule."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import asdict

import pytest

from privrag_fast import models
from privrag_fast.evaluation import filler as module
from privrag_fast.evaluation.dataset import Document
from privrag_fast.evaluation.filler import KINDS, Names, filler
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.evaluation.retrieval import passages
from privrag_fast.retrieval import Chunker
from privrag_fast.types import InputError

COUNT = 2_200


@pytest.fixture(scope="module")
def notices() -> tuple[Document, ...]:
    return filler(COUNT, 7)


def body(notice: Document) -> str:
    return notice.text.split("\n", 1)[1].strip()


def digest(notices: tuple[Document, ...]) -> str:
    return hashlib.sha256(json.dumps([asdict(n) for n in notices]).encode()).hexdigest()


def test_each_is_short_and_bears_its_title(notices: tuple[Document, ...]) -> None:
    assert len(notices) == len({n.id for n in notices}) == COUNT
    for notice in notices:
        assert 60 <= len(body(notice).split()) <= 130
        assert notice.text.startswith(f"# {notice.title}\n\n")
        assert (notice.family, notice.cases, notice.otherwise) == ("", (), "")


def test_each_is_one_passage(notices: tuple[Document, ...]) -> None:
    chunker = Chunker(models.PACKAGE_WEIGHTS / "embedder" / "tokenizer.json")
    sources = [passage.source for passage in passages(notices, chunker)]
    assert sorted(sources) == sorted(n.id for n in notices)


def words_in_a_row(text: str, count: int = 5) -> set[str]:
    words = re.sub(r"[^\w\s]", " ", text.lower()).split()
    return {" ".join(words[i : i + count]) for i in range(len(words) - count + 1)}


def test_no_two_are_near_duplicates(notices: tuple[Document, ...]) -> None:
    runs = [words_in_a_row(body(n)) for n in notices]
    holders: dict[str, list[int]] = {}
    for number, own in enumerate(runs):
        for run in own:
            holders.setdefault(run, []).append(number)
    worst = 0.0
    for number, own in enumerate(runs):
        shared = Counter(other for run in own for other in holders[run] if other > number)
        for other, count in shared.items():
            worst = max(worst, count / min(len(own), len(runs[other])))
    assert 0.1 < worst <= 0.6  # some likeness there is, or this test would look at nothing


def test_kinds_take_turns_and_titles_vary(notices: tuple[Document, ...]) -> None:
    kinds = Counter(n.id.removeprefix("filler/").rsplit("-", 1)[0] for n in notices)
    assert set(kinds) == {kind.name for kind in KINDS}
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert len({n.title for n in notices}) > COUNT / 2


def test_they_speak_of_what_questions_speak_of(notices: tuple[Document, ...]) -> None:
    text = "\n".join(n.text for n in notices)
    for word in ("account", "pension", "income", "eligible", "married", "diabetes", "Zurich"):
        assert text.count(word) > 10, word


RULE = re.compile(
    r"\b(?:must|have to|has to|required?|at least|or older|or younger|only (?:for|if)|open to|"
    r"qualif(?:y|ies) (?:if|when|for the)|eligible (?:if|when|for the)|minimum|maximum)\b",
    re.IGNORECASE,
)


def test_they_state_no_condition(notices: tuple[Document, ...]) -> None:
    found = {match[0] for n in notices for match in RULE.finditer(n.text)}
    assert not found


def test_they_name_no_product_of_the_benchmark(notices: tuple[Document, ...]) -> None:
    text = "\n".join(n.text for n in notices).casefold()
    names = [product.name for family in FAMILIES for product in family.products]
    assert names
    assert [name for name in names if name.casefold() in text] == []


def test_nothing_of_the_grammar_is_left(notices: tuple[Document, ...]) -> None:
    for notice in notices:
        assert not re.search(r"[\[\]{}|]|  |\s[.,;]|\ba [aeio]", body(notice)), notice.id


def test_every_wording_is_sound() -> None:
    slots = module._SLOTS.keys() | {"bank"}
    for kind in KINDS:
        for template in (*kind.titles, *kind.leads, *kind.body):
            assert template.count("[") == template.count("]")
            assert {name.lower() for name in re.findall(r"{(\w+)}", template)} <= slots
            assert "[[" not in template


def test_a_notice_is_about_one_place_and_one_house(notices: tuple[Document, ...]) -> None:
    for notice in notices:
        assert sum(name in notice.text for name in module.INSTITUTIONS) <= 1
        assert len(set(re.findall(r"CHF|EUR|GBP", notice.text))) <= 1
        if match := re.fullmatch(r"The (\S+) branch \w+( rebuilt)?", notice.title):
            assert re.search(rf"\b{match[1]}\b", body(notice))


def test_names_can_be_those_of_a_benchmark() -> None:
    own = filler(180, 1, names=Names(("Only Bank",), ("Real Thing plan", "Real Other card")))
    text = "".join(n.text for n in own)
    assert not any(name in text for name in module.INSTITUTIONS)
    for name in ("Only Bank", "Real Thing plan", "Real Other card"):
        assert text.count(name) > 10
    assert not RULE.search(text)
    assert any("Real" not in n.text for n in own)


def test_few_are_the_first_of_many(notices: tuple[Document, ...]) -> None:
    assert filler(300, 7) == notices[:300]
    assert filler(0, 7) == ()


def test_seeds_differ(notices: tuple[Document, ...]) -> None:
    texts = {n.text for n in notices}
    assert not texts & {n.text for n in filler(300, 8)}


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_in_every_process(hash_seed: str, notices: tuple[Document, ...]) -> None:
    code = (
        "import hashlib, json; from dataclasses import asdict\n"
        "from privrag_fast.evaluation.filler import filler\n"
        "data = json.dumps([asdict(n) for n in filler(300, 7)])\n"
        "print(hashlib.sha256(data.encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest(notices[:300])


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(InputError, match="0 or more"):
        filler(-1, 0)


def test_an_exhausted_grammar_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SHARED", 0.0)
    with pytest.raises(InputError, match=r"no more than \d+ distinct notices"):
        filler(500, 0)
