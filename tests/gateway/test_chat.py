"""Chats through the gateway, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.gateway.conftest import Start
from tests.gateway.requests import (
    EVERYTHING,
    MESSAGE,
    NOTHING,
    VALUES,
    ask,
    assistant,
    error_of,
    events_of,
    rag_of,
    streamed_text,
    text_of,
    user,
)
from tests.gateway.servers import RecordingUpstream, chunk

SENT = "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "book",
            "description": "Books for Nora Lind in Oslo or Zürich.",
            "parameters": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "city": {"enum": ["Oslo", "Zürich"]}},
            },
        },
    }
]


def test_minimized_out_and_restored_in(start: Start, upstream: RecordingUpstream) -> None:
    response = ask(start(), user(MESSAGE))
    assert text_of(response) == MESSAGE
    system, last = upstream.last["messages"]
    assert (last["role"], last["content"]) == ("user", SENT)
    assert "age of reason" in system["content"]
    assert response.json()["usage"]["total_tokens"] == 7
    assert response.headers["x-privacy-withheld"] == "3"
    assert response.headers["x-privacy-kept"] == "0"


def test_kept_values_are_sent(start: Start, upstream: RecordingUpstream) -> None:
    response = ask(start(rag_of(VALUES, EVERYTHING)), user(MESSAGE))
    assert upstream.last["messages"][1]["content"] == MESSAGE.replace("Nora Lind", "[PERSON_1]")
    assert response.headers["x-privacy-kept"] == "2"


def test_streamed_equals_whole(start: Start) -> None:
    response = ask(start(), user(MESSAGE), stream=True, stream_options={"include_usage": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert streamed_text(response) == MESSAGE
    assert response.text.endswith("data: [DONE]\n\n")
    events = events_of(response)
    assert events[-1]["usage"]["total_tokens"] == 7
    assert [e["choices"][0]["finish_reason"] for e in events[:-1]][-1] == "stop"


@pytest.mark.parametrize("stream", [False, True])
def test_several_choices(start: Start, stream: bool) -> None:
    response = ask(start(), user(MESSAGE), n=3, stream=stream)
    text = streamed_text if stream else text_of
    assert [text(response, n) for n in range(3)] == [MESSAGE] * 3


def test_choices_that_take_turns(start: Start, upstream: RecordingUpstream) -> None:
    pieces = [chunk(n, {"content": own}) for at in range(len(SENT)) for n, own in
              enumerate((SENT[at], SENT[::-1][at]))]  # fmt: skip
    ends = [chunk(0, {}, "stop"), chunk(1, {}, "stop"), b"data: [DONE]\n\n"]
    upstream.answer = lambda body: [*pieces, *ends]
    response = ask(start(), user(MESSAGE), n=2, stream=True)
    assert streamed_text(response, 0) == MESSAGE
    assert streamed_text(response, 1) == SENT[::-1]


def test_history(start: Start, upstream: RecordingUpstream) -> None:
    client = start()
    first = text_of(ask(client, user(MESSAGE)))
    text_of(ask(client, user(MESSAGE), assistant(first), user("And nora lind's card, from Oslo?")))
    assert [m["content"] for m in upstream.last["messages"][1:]] == [
        SENT,
        SENT,
        "And [PERSON_1]'s card, from [LOCATION_2]?",
    ]


def test_system_turns_join_the_instruction(start: Start, upstream: RecordingUpstream) -> None:
    client = start()
    system = {"role": "developer", "content": "The user is Nora Lind."}
    ask(client, system, user(MESSAGE))
    first, *_ = sent = upstream.last["messages"]
    assert [m["role"] for m in sent] == ["system", "user"]
    assert first["content"].endswith("\n\nThe user is [PERSON_1].")


def test_text_parts(start: Start, upstream: RecordingUpstream) -> None:
    parts = [{"type": "text", "text": own} for own in MESSAGE.split(", ")]
    ask(start(), user(parts))  # type: ignore[arg-type]
    assert upstream.last["messages"][1]["content"] == SENT.replace(", ", "\n")


@pytest.mark.parametrize("stream", [False, True])
def test_tools(start: Start, upstream: RecordingUpstream, stream: bool) -> None:
    client = start()
    arguments = '{"name": "[PERSON_1]", "age": [AGE_1], "city": "[LOCATION_1]"}'
    upstream.answer = lambda body: [("book", arguments)]
    response = ask(client, user(MESSAGE), tools=TOOLS, tool_choice="auto", stream=stream)
    told = _called(response, stream)
    restored = {"name": "Nora Lind", "age": 67, "city": "Zürich"}
    assert json.loads(told["function"]["arguments"]) == restored
    assert (told["id"], told["function"]["name"]) == ("call_1", "book")

    # The direct identifier leaves the definition; the cities, which are always the same, stay.
    sent = upstream.last["tools"][0]["function"]
    assert sent["description"] == "Books for [PERSON_1] in Oslo or Zürich."
    assert sent["parameters"] == TOOLS[0]["function"]["parameters"]  # type: ignore[index]

    called = {"role": "assistant", "content": None, "tool_calls": [told]}
    result = json.dumps({"to": "nora@example.org", "note": "für sie", "years": 67})
    answer = {"role": "tool", "tool_call_id": "call_1", "content": result}
    upstream.answer = lambda body: ["Sent to [EMAIL_1]."]
    response = ask(client, user(MESSAGE), called, answer, tools=TOOLS, stream=stream)
    assert (streamed_text if stream else text_of)(response) == "Sent to nora@example.org."
    *_, before, last = upstream.last["messages"]
    assert json.loads(before["tool_calls"][0]["function"]["arguments"]) == {
        "name": "[PERSON_1]", "age": "[AGE_1]", "city": "[LOCATION_1]",
    }  # fmt: skip
    assert json.loads(last["content"]) == {
        "to": "[EMAIL_1]", "note": "für sie", "years": "[AGE_1]",
    }  # fmt: skip
    assert last["tool_call_id"] == "call_1"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("respelled", [False, True])
def test_the_llms_arguments_come_back_as_it_wrote_them(
    start: Start, upstream: RecordingUpstream, respelled: bool, stream: bool
) -> None:
    """A placeholder for the one city that the user named would tell which one that is."""
    client = start(queue=8)
    own = '{"cities": ["Oslo", "Zürich"], "of": "[PERSON_1]"}'
    upstream.answer = lambda body: [("book", own)]
    named = {"X-Conversation-Id": "mine"}
    response = ask(client, user(MESSAGE), tools=TOOLS, stream=stream, headers=named)
    told = _called(response, stream)
    arguments = told["function"]["arguments"]
    assert json.loads(arguments) == {"cities": ["Oslo", "Zürich"], "of": "Nora Lind"}
    calls = [told, {**told, "id": "call_2"}]
    if respelled:
        calls[0] = {**told, "function": {
            "name": "book", "arguments": json.dumps(json.loads(arguments), indent=1)
        }}  # fmt: skip
    called = {"role": "assistant", "content": None, "tool_calls": calls}
    upstream.answer = lambda body: ["Done."]
    text_of(ask(client, user(MESSAGE), called, user("So?"), tools=TOOLS, headers=named))
    mine, others = (c["function"]["arguments"] for c in upstream.last["messages"][2]["tool_calls"])
    assert mine == own
    assert json.loads(others) == {"cities": ["[LOCATION_2]", "[LOCATION_1]"], "of": "[PERSON_1]"}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", ["json_object", "json_schema"])
def test_an_answer_in_json_stays_json(
    start: Start, upstream: RecordingUpstream, kind: str, stream: bool
) -> None:
    value = 'O"Brien \\ Sons'
    client = start(rag_of({"EMPLOYER": [value], "AGE": ["67"]}, NOTHING))
    upstream.answer = lambda body: ['{"of": "[EMPLOYER_1]", "age": [AGE_1], "id": "[X_1]"}']
    wanted = {"type": kind, "json_schema": {"name": "a", "schema": {"type": "object"}}}
    message = user(f"I work for {value} at 67.")
    response = ask(client, message, response_format=wanted, stream=stream)
    text = (streamed_text if stream else text_of)(response)
    assert json.loads(text) == {"of": value, "age": 67, "id": "[X_1]"}
    # Without the wish for JSON, a value stands as the user wrote it.
    plain = ask(client, message, response_format={"type": "text"}, stream=stream)
    assert value in (streamed_text if stream else text_of)(plain)


def test_only_known_fields_leave(start: Start, upstream: RecordingUpstream) -> None:
    response = ask(
        start(), {**user(MESSAGE), "name": "nora_lind"}, temperature=0.5, seed=7,
        stop=["END", "Nora Lind"], user="nora@example.org", metadata={"who": "Nora Lind"},
        prediction={"type": "content", "content": MESSAGE}, logit_bias={"12": -1},
        response_format={"type": "json_schema", "json_schema": {
            "name": "a", "schema": {"description": "of Nora Lind", "enum": [1]}}},
        **{"Nora Lind": 1},
    )  # fmt: skip
    assert set(upstream.last) == {
        "model", "messages", "temperature", "seed", "stop", "logit_bias", "response_format",
    }  # fmt: skip
    assert upstream.last["stop"] == ["END", "[PERSON_1]"]
    assert upstream.last["response_format"]["json_schema"]["schema"] == {
        "description": "of [PERSON_1]", "enum": [1],
    }  # fmt: skip
    assert set(upstream.last["messages"][1]) == {"role", "content"}
    assert response.headers["x-privacy-dropped"] == "user,metadata,prediction"
    assert b"Lind" not in upstream.raw[0]


def test_what_a_schema_calls_a_name_is_a_value(start: Start, upstream: RecordingUpstream) -> None:
    def schema(who: str) -> dict[str, Any]:
        example = {"name": who, who: 1}
        return {"properties": {"name": {"type": "string"}, "of": {"default": example}}}

    def tools(who: str) -> list[dict[str, Any]]:
        return [{"type": "function", "function": {"name": "book", "parameters": schema(who)}}]

    def wanted(who: str) -> dict[str, Any]:
        return {"type": "json_schema", "json_schema": {"name": "a", "schema": schema(who)}}

    given = {"tools": tools("Nora Lind"), "response_format": wanted("Nora Lind")}
    text_of(ask(start(), user(MESSAGE), **given))
    sent = {key: upstream.last[key] for key in given}
    assert sent == {"tools": tools("[PERSON_1]"), "response_format": wanted("[PERSON_1]")}


def test_a_function_keeps_its_name(start: Start, upstream: RecordingUpstream) -> None:
    client = start(rag_of({"PERSON": ["Nora"]}, NOTHING))
    tool = {"type": "function", "function": {"name": "Nora", "parameters": {"required": ["max"]}}}
    text_of(ask(client, user("I'm Nora."), tools=[tool]))
    assert upstream.last["tools"] == [tool]


def test_no_header_of_the_client_leaves(start: Start, upstream: RecordingUpstream) -> None:
    client = start(upstream_key="the-upstream-key")
    headers = {"X-User": "Nora Lind", "Cookie": "a=b", "Authorization": "Bearer client"}
    ask(client, user(MESSAGE), headers=headers)
    [seen] = upstream.seen
    assert seen["authorization"] == "Bearer the-upstream-key"
    assert not {"x-user", "cookie"} & set(seen)


def test_lone_surrogates(start: Start, upstream: RecordingUpstream) -> None:
    body = json.dumps({"model": "tiny", "messages": [user("\ud800 Nora Lind")]})
    client = start()
    response = client.post(
        "/v1/chat/completions", content=body, headers={"Content-Type": "application/json"}
    )
    assert text_of(response) == "\ud800 Nora Lind"
    assert upstream.last["messages"][1]["content"] == "\ud800 [PERSON_1]"


@pytest.mark.parametrize("stream", [False, True])
def test_unknown_placeholders_stay_and_are_counted(
    start: Start, upstream: RecordingUpstream, stream: bool
) -> None:
    client = start(queue=8)
    upstream.answer = lambda body: ["[PERSON_1] and [PERSON_7], **PERSON_"]
    response = ask(client, user(MESSAGE), stream=stream)
    text = (streamed_text if stream else text_of)(response)
    assert text == "Nora Lind and [PERSON_7], **PERSON_"
    assert "privrag_unknown_placeholders_total 1.0" in client.get("/metrics").text


def test_an_empty_reason_to_finish_is_none(start: Start, upstream: RecordingUpstream) -> None:
    pieces = [
        chunk(0, {"content": own}, "") for own in ("Dear [PER", "SON_1], from [LOC", "ATION_1]")
    ]
    upstream.answer = lambda body: [*pieces, chunk(0, {}, "stop"), b"data: [DONE]\n\n"]
    response = ask(start(), user(MESSAGE), stream=True)
    assert streamed_text(response) == "Dear Nora Lind, from Zürich"


@pytest.mark.parametrize("fields", [{}, {"choices": None}, {"choices": []}])
def test_usage_that_comes_without_choices(
    start: Start, upstream: RecordingUpstream, fields: dict[str, Any]
) -> None:
    usage = {"id": "0", "object": "chat.completion.chunk", "usage": {"total_tokens": 7}, **fields}
    events = [chunk(0, {"content": "Hi"}, "stop"), f"data: {json.dumps(usage)}\n\n".encode()]
    upstream.answer = lambda body: [*events, b"data: [DONE]\n\n"]
    last = events_of(ask(start(), user(MESSAGE), stream=True))[-1]
    assert (last["usage"], last["choices"]) == ({"total_tokens": 7}, [])


def test_probabilities_of_text_that_is_held_back(start: Start, upstream: RecordingUpstream) -> None:
    tokens = ["Dear ", "[PERSON", "_1", "] hi"]
    pieces = [
        chunk(0, {"content": own}, logprobs={"content": [{"token": own, "logprob": -1}]})
        for own in tokens
    ]
    upstream.answer = lambda body: [*pieces, chunk(0, {}, "stop"), b"data: [DONE]\n\n"]
    response = ask(start(), user(MESSAGE), stream=True, logprobs=True)
    assert streamed_text(response) == "Dear Nora Lind hi"
    told = [own["choices"][0].get("logprobs") for own in events_of(response)]
    assert [own["content"][0]["token"] for own in told if own] == tokens


@pytest.mark.parametrize("key", ["refusal", "reasoning_content", "reasoning"])
@pytest.mark.parametrize("stream", [False, True])
def test_other_texts_are_restored(
    start: Start, upstream: RecordingUpstream, key: str, stream: bool
) -> None:
    text = "No, [PERSON_1]."
    if stream:
        pieces = [chunk(0, {key: text[:8]}), chunk(0, {key: text[8:]}), chunk(0, {}, "stop")]
        upstream.answer = lambda body: [*pieces, b"data: [DONE]\n\n"]
        events = events_of(ask(start(), user(MESSAGE), stream=True))
        told = "".join(own["choices"][0]["delta"].get(key, "") for own in events)
    else:
        message = {"role": "assistant", "content": None, key: text}
        upstream.answer = lambda body: {"choices": [{"index": 0, "message": message}]}
        told = ask(start(), user(MESSAGE)).json()["choices"][0]["message"][key]
    assert told == "No, Nora Lind."


@pytest.mark.parametrize("parts", [False, True])
def test_a_refusal_in_the_history(start: Start, upstream: RecordingUpstream, parts: bool) -> None:
    client = start(queue=8)
    refusal = {"role": "assistant", "content": None, "refusal": "No, [PERSON_1] of Oslo."}
    upstream.answer = lambda body: {"choices": [{"index": 0, "message": refusal}]}
    message = ask(client, user(MESSAGE)).json()["choices"][0]["message"]
    if parts:
        part = {"type": "refusal", "refusal": message["refusal"]}
        message = {"role": "assistant", "content": [part]}
    ask(client, user(MESSAGE), message, user("Why?"))
    # The LLM's own words.
    assert upstream.last["messages"][2]["content"] == "No, [PERSON_1] of Oslo."


@pytest.mark.parametrize("index", [0, None, ...])
def test_calls_that_are_told_by_their_ids_alone(
    start: Start, upstream: RecordingUpstream, index: Any
) -> None:
    numbered = {} if index is ... else {"index": index}
    calls = [
        {**numbered, "id": own, "type": "function", "function": {"name": own, "arguments": told}}
        for own, told in (("a", '{"of": "[PERSON_1]"}'), ("b", '{"in": "[LOCATION_1]"}'))
    ]
    pieces = [chunk(0, {"tool_calls": [own]}) for own in calls]
    upstream.answer = lambda body: [*pieces, chunk(0, {}, "tool_calls"), b"data: [DONE]\n\n"]
    events = events_of(ask(start(), user(MESSAGE), tools=TOOLS, stream=True))[:2]
    told = [own["choices"][0]["delta"]["tool_calls"][0] for own in events]
    assert [(own.get("index", 0), own["id"], own["function"]["arguments"]) for own in told] == [
        (0, "a", '{"of": "Nora Lind"}'),
        (1, "b", '{"in": "Zürich"}'),
    ]


def test_models(start: Start, upstream: RecordingUpstream) -> None:
    client = start()
    assert client.get("/v1/models").json()["data"][0]["id"] == "tiny"


def test_without_upstream(start: Start) -> None:
    response = ask(start(upstream=None), user(MESSAGE))
    assert response.status_code == 503
    assert error_of(response)["code"] == "no_upstream"


def _called(response: Any, stream: bool) -> dict[str, Any]:
    if not stream:
        [told] = response.json()["choices"][0]["message"]["tool_calls"]
        return dict(told)
    joined: dict[str, Any] = {"type": "function", "function": {"name": "", "arguments": ""}}
    for event in events_of(response):
        for piece in event["choices"][0]["delta"].get("tool_calls", ()):
            joined["id"] = piece.get("id") or joined.get("id")
            for key, own in piece["function"].items():
                joined["function"][key] += own
    return joined
