"""Run folders: what is done is not done again, and nothing is mixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from privrag_fast.evaluation.runs import Run, choose, write_json
from privrag_fast.types import InputError
from tests.evaluation.small import dataset

SETTINGS = {"models": {"slm": "a"}, "seed": 0}


def open_run(folder: Path, said: list[str] | None = None, **settings: object) -> Run:
    say: Callable[[str], object] = [].append if said is None else said.append
    return Run(folder, settings={**SETTINGS, **settings}, notes={"machine": "m"}, say=say)


def test_rows_come_in_the_order_of_the_items(tmp_path: Path) -> None:
    run = open_run(tmp_path / "run")
    assert run.each("rows", {"b": 2, "a": 1}, lambda n: {"n": n}) == [{"n": 2}, {"n": 1}]


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    def stop_at_three(n: int) -> dict[str, int]:
        if n == 3:
            raise KeyboardInterrupt
        return {"n": n}

    items = {str(n): n for n in range(5)}
    with pytest.raises(KeyboardInterrupt):
        open_run(tmp_path).each("rows", items, stop_at_three)
    done: list[int] = []

    def note(n: int) -> dict[str, int]:
        done.append(n)
        return {"n": n}

    assert open_run(tmp_path).each("rows", items, note) == [{"n": n} for n in range(5)]
    assert done == [3, 4]
    assert open_run(tmp_path).each("rows", {"2": 2}, note) == [{"n": 2}]
    assert done == [3, 4]


def test_a_line_cut_short_is_measured_again(tmp_path: Path) -> None:
    items = {"a": 1, "b": 2}
    open_run(tmp_path).each("rows", items, lambda n: {"n": n})
    path = tmp_path / "rows.jsonl"
    path.write_bytes(path.read_bytes()[:-3])
    assert open_run(tmp_path).each("rows", items, lambda n: {"n": 10 * n}) == [{"n": 1}, {"n": 20}]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_fresh_and_resumed_rows_are_alike(tmp_path: Path) -> None:
    fresh = open_run(tmp_path).each("rows", {"a": 1}, lambda n: {"t": (n, "\u2028")})
    assert fresh == open_run(tmp_path).each("rows", {"a": 1}, lambda n: {"t": ()})
    assert fresh == [{"t": [1, "\u2028"]}]


def test_other_settings_are_refused(tmp_path: Path) -> None:
    open_run(tmp_path)
    with pytest.raises(InputError, match=r"run with models\.slm a, not b"):
        open_run(tmp_path, models={"slm": "b"})
    with pytest.raises(InputError, match="run with limit None, not 3"):
        open_run(tmp_path, limit=3)
    assert json.loads((tmp_path / "record.json").read_text())["settings"] == SETTINGS


def test_damage_is_named(tmp_path: Path) -> None:
    run = open_run(tmp_path)
    (tmp_path / "rows.jsonl").write_text("no row\n")
    with pytest.raises(InputError, match=r"rows\.jsonl is damaged: delete it"):
        run.each("rows", {"a": 1}, lambda n: {})
    (tmp_path / "record.json").write_text("{")
    with pytest.raises(InputError, match=r"record\.json is damaged"):
        open_run(tmp_path)


def test_the_time_is_said_before_it_is_spent(tmp_path: Path) -> None:
    said: list[str] = []
    seen: list[int] = []
    run = open_run(tmp_path, said)

    def work(n: int) -> dict[str, int]:
        seen.append(len(said))
        return {}

    run.each("rows", dict.fromkeys("abcdef", 1), work)
    assert seen == [0, 0, 0, 1, 1, 1]
    assert said == ["rows: 3 to go, about 0 s"]
    run.each("few", dict.fromkeys("abc", 1), work)
    assert len(said) == 1


def test_a_smaller_choice_begins_a_larger_one() -> None:
    questions = dataset(9).questions
    chosen = choose(questions, seed=0)
    assert sorted(q.id for q in chosen) == sorted(q.id for q in questions)
    assert choose(questions, seed=0, limit=4) == chosen[:4]
    assert choose(questions[::-1], seed=0) == chosen
    assert choose(questions, seed=1) != chosen


def test_json_holds_no_nan(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    write_json(path, {"a": (float("nan"), 1.5), "b": [{"c": float("-inf")}]})
    assert json.loads(path.read_text()) == {"a": [None, 1.5], "b": [{"c": None}]}
    assert [own.name for own in tmp_path.iterdir()] == ["data.json"]
