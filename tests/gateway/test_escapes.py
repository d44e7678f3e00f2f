"""JSON in texts: no escape hides a value, and JSON stays JSON."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from privrag_fast.gateway.escapes import quoted, readable
from tests.gateway.conftest import Start
from tests.gateway.requests import MESSAGE, ask, text_of, user
from tests.gateway.servers import RecordingUpstream

NOTE = "Customer:\nNora Lind\tOslo\r\fnora@example.org\nin Zürich"
HIDDEN = "Customer:\n[PERSON_1]\t[LOCATION_2]\r\f[EMAIL_1]\nin [LOCATION_1]"
CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "crm", "arguments": "{}"}}
]}  # fmt: skip


def sent(start: Start, upstream: RecordingUpstream, result: str) -> str:
    """What of a tool's result leaves."""
    answer = {"role": "tool", "tool_call_id": "c1", "content": result}
    text_of(ask(start(), user(MESSAGE), CALL, answer))
    return str(upstream.last["messages"][-1]["content"])


@pytest.mark.parametrize("indent", [None, 2])
def test_escapes_hide_no_value_of_a_tools_result(
    start: Start, upstream: RecordingUpstream, indent: int | None
) -> None:
    result = json.dumps({"note": NOTE, "years": [67, -67], "id": 1}, indent=indent)
    assert json.loads(sent(start, upstream, result)) == {
        "note": HIDDEN, "years": ["[AGE_1]", "-[AGE_1]"], "id": 1,
    }  # fmt: skip


def test_json_in_json(start: Start, upstream: RecordingUpstream) -> None:
    inner = json.dumps([json.dumps({"note": NOTE}), 67])
    told = json.loads(sent(start, upstream, json.dumps({"content": [{"text": inner}]})))
    text, age = json.loads(told["content"][0]["text"])
    assert (json.loads(text), age) == ({"note": HIDDEN}, "[AGE_1]")


def test_json_that_is_one_string(start: Start, upstream: RecordingUpstream) -> None:
    assert json.loads(sent(start, upstream, json.dumps(NOTE))) == HIDDEN


def test_json_lines(start: Start, upstream: RecordingUpstream) -> None:
    lines = sent(start, upstream, "\n".join([json.dumps({"note": NOTE, "age": 67})] * 2))
    assert [json.loads(line) for line in lines.split("\n")] == [
        {"note": HIDDEN, "age": "[AGE_1]"}
    ] * 2


@pytest.mark.parametrize(
    "data", [repr({"note": NOTE, "ok": None}), json.dumps({"note": NOTE})[:-2], f"[{NOTE!r}"]
)
def test_data_that_is_no_json(start: Start, upstream: RecordingUpstream, data: str) -> None:
    told = sent(start, upstream, data)
    assert all(told.count(f"[{own}]") == 1 for own in re.findall(r"\[(.*?)\]", HIDDEN))


def test_arguments(start: Start, upstream: RecordingUpstream) -> None:
    function = {"name": "crm", "arguments": json.dumps({"note": NOTE, "age": 67})}
    call = {**CALL, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    text_of(
        ask(start(), user(MESSAGE), call, {"role": "tool", "tool_call_id": "c1", "content": "-"})
    )
    [told] = upstream.last["messages"][-2]["tool_calls"]
    assert json.loads(told["function"]["arguments"]) == {"note": HIDDEN, "age": "[AGE_1]"}


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_json_in_prose(start: Start, upstream: RecordingUpstream, role: str) -> None:
    text = (
        f"Signed in, see [1]: {json.dumps({'note': NOTE})} ({json.dumps('Zürich')[1:-1]}) C:\\new"
    )
    text_of(ask(start(), {"role": role, "content": text}, user(MESSAGE)))
    told = [m["content"] for m in upstream.last["messages"] if "Signed" in m["content"]][-1]
    rest = told.rpartition("Signed in, see [1]: ")[2]
    note, end = json.JSONDecoder().raw_decode(rest)
    assert re.sub("[12]", "_", note["note"]) == re.sub("[12]", "_", HIDDEN)
    assert rest[end:].endswith("]) C:\\new")


def test_an_answer_with_escapes_is_the_llms_own(start: Start, upstream: RecordingUpstream) -> None:
    own = '{"city": "[LOCATION_1]", "or": "Z\\u00fcrich\\nOslo"}'
    upstream.answer = lambda body: [own]
    client = start(queue=8)
    first = text_of(ask(client, user("From Zürich.")))
    ask(client, user("From Zürich."), {"role": "assistant", "content": first}, user("And?"))
    assert upstream.last["messages"][2]["content"] == own


@pytest.mark.parametrize(
    "text",
    ["", "See [1] and [2024-01-01 10:00] \\n", "see {x} or [[wiki]] C:\\new\\table",
     '"a" and "b\\n"',
     '{"a": 1, "a": 1.50, "n": 12345678901234567890.12}', "[" * 5000 + "\\", '["' * 5000 + "\\",
     '{"a":' * 5000 + "\\", "\\" * 5000, "[]", "\\", '"\\', '{"a": "\\x"}'],
)  # fmt: skip
def test_what_hides_nothing_stays(text: str) -> None:
    assert quoted(readable(text)) == readable(text) == text


def test_round_trips() -> None:
    rng = random.Random(0)
    for _ in range(2000):
        value = {"": made(rng, 0)}
        assert json.loads(quoted(readable(json.dumps(value)))) == value


def made(rng: random.Random, depth: int) -> Any:
    kind = rng.random()
    if depth < 3 and kind < 0.3:
        return {rng.choice(["a", "ü", "\n", "\t\ud83d"]): made(rng, depth + 1) for _ in range(3)}
    if depth < 3 and kind < 0.5:
        return [made(rng, depth + 1) for _ in range(3)]
    if kind < 0.6:
        return rng.choice([1, -2.5, None, True])
    if depth < 3 and kind < 0.7:
        return json.dumps(made(rng, depth + 1), ensure_ascii=False)
    return "".join(rng.choice('ab"\n\r\t\0\f\u2028üé😀} un') for _ in range(rng.randrange(8)))
