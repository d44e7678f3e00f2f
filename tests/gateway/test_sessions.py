"""Which conversation a request goes on with, and that no two ever meet."""

from __future__ import annotations

import pytest

from privrag_fast.gateway.sessions import Sessions
from privrag_fast.gateway.turns import ToolCall, Turn
from tests.gateway.conftest import Start
from tests.gateway.requests import (
    ask,
    assistant,
    error_of,
    streamed_text,
    text_of,
    user,
    wait_for,
)
from tests.gateway.servers import RecordingUpstream, chunk

HI, HELLO = Turn("user", "Hi"), Turn("assistant", "Hello")
NEXT = Turn("user", "I'm Nora")
KEYS = ("a-key-of-sixteen-letters", "another-key-of-sixteen")


def test_a_history_finds_its_conversation_once() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.remember(first, [HI], [HELLO])
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id == first.id
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id != first.id


def test_what_looks_alike_is_not_the_same() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.remember(first, [HI], [HELLO])
    others = [
        ("a", [HI]),
        ("b", [HI, HELLO, NEXT]),
        ("a", [HI, Turn("assistant", "Hello!"), NEXT]),
        ("a", [Turn("system", "x"), HI, HELLO, NEXT]),
        ("a", [HI, Turn("assistant", "Hello", (ToolCall("1", "f", "{}"),)), NEXT]),
    ]
    assert all(sessions.find(client, None, turns).id != first.id for client, turns in others)
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id == first.id


def test_one_of_several_answers_goes_on() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    other = Turn("assistant", "Hey")
    sessions.remember(first, [HI], [HELLO, other])
    assert sessions.find("a", None, [HI, other, NEXT]).id == first.id
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id != first.id


def test_a_later_answer_replaces_the_earlier() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.remember(first, [HI], [HELLO])
    again = sessions.find("a", None, [HI, HELLO, NEXT])
    answer = Turn("assistant", "Hi Nora")
    sessions.remember(again, [HI, HELLO, NEXT], [answer])
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id != first.id
    assert sessions.find("a", None, [HI, HELLO, NEXT, answer, HI]).id == first.id


def test_two_that_opened_alike_are_one_history_and_two_conversations() -> None:
    sessions = Sessions()
    one, two = sessions.find("a", None, [HI]), sessions.find("a", None, [HI])
    assert one.id != two.id
    sessions.remember(one, [HI], [HELLO])
    sessions.remember(two, [HI], [HELLO])
    claimed = [sessions.find("a", None, [HI, HELLO, NEXT]).id for _ in range(3)]
    assert len(set(claimed)) == 3


def test_who_failed_may_try_again() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.give_back(first, [HI])
    sessions.remember(first, [HI], [HELLO])
    turns = [HI, HELLO, NEXT]
    sessions.give_back(sessions.find("a", None, turns), turns)
    assert sessions.find("a", None, turns).id == first.id


def test_who_failed_is_found_by_the_whole_request_alone() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.remember(first, [HI], [HELLO])
    failed = [HI, HELLO, NEXT]
    sessions.give_back(sessions.find("a", None, failed), failed)
    others = [[HI, HELLO], [HI, HELLO, Turn("user", "May I?")], [*failed, HELLO, HI]]
    assert all(sessions.find("a", None, turns).id != first.id for turns in others)
    assert sessions.find("a", None, failed).id == first.id


def test_who_goes_on_by_name_is_not_found_by_history() -> None:
    sessions = Sessions()
    first = sessions.find("a", None, [HI])
    sessions.remember(first, [HI], [HELLO])
    assert sessions.find("a", first.name, [HI, HELLO, NEXT]).id == first.id
    assert sessions.find("a", None, [HI, HELLO, NEXT]).id != first.id


def test_names_belong_to_clients() -> None:
    sessions = Sessions()
    ids = {sessions.find(client, name).id for client in "ab" for name in ("1", "2")}
    assert len(ids) == 4
    assert sessions.find("a", "1").id in ids
    assert Sessions().find("a", "1").id not in ids


def test_memory_is_bounded() -> None:
    sessions = Sessions(most=10)
    for n in range(30):
        sessions.remember(sessions.find("a", None, [HI]), [HI], [Turn("assistant", str(n))])
    assert len(sessions) == 10


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_a_conversation_goes_on(
    start: Start, upstream: RecordingUpstream, named: bool, stream: bool
) -> None:
    client = start(queue=8)
    headers = {"X-Conversation-Id": "mine"} if named else {}
    text = streamed_text if stream else text_of
    first = ask(client, user("From Oslo."), headers=headers, stream=stream)
    history = [user("From Oslo."), assistant(text(first)), user("Or from Zürich, Oslo?")]
    again = ask(client, *history, headers=headers, stream=stream)
    assert again.headers["x-conversation-id"] == first.headers["x-conversation-id"]
    assert upstream.last["messages"][-1]["content"] == "Or from [LOCATION_2], [LOCATION_1]?"
    assert text(again) == "Or from Zürich, Oslo?"


def test_who_hung_up_in_an_answer_finds_the_conversation_again(
    start: Start, upstream: RecordingUpstream
) -> None:
    client = start()
    first = ask(client, user("From Oslo."))
    history = [user("From Oslo."), assistant(text_of(first)), user("Or from Zürich?")]
    upstream.answer = lambda body: [chunk(0, {"content": "Yes"}), 30.0]
    body = {"model": "tiny", "messages": history, "stream": True}
    with client.stream("POST", "/v1/chat/completions", json=body) as response:
        next(response.iter_bytes())
    assert upstream.left.wait(5)
    wait_for(lambda: "privrag_requests_running 1.0" in client.get("/metrics").text)
    upstream.answer = lambda body: ["Yes."]
    again = ask(client, *history)
    assert again.headers["x-conversation-id"] == first.headers["x-conversation-id"]


def test_two_that_open_alike_never_get_each_others_values(
    start: Start, upstream: RecordingUpstream
) -> None:
    client = start()
    upstream.answer = lambda body: ["Hello"]
    opening = [user("Hi"), assistant("Hello")]
    for _ in range(2):
        assert text_of(ask(client, user("Hi"))) == "Hello"
    upstream.answer = lambda body: ["[LOCATION_1] [LOCATION_2] [PERSON_1]"]
    one = text_of(ask(client, *opening, user("I live in Oslo.")))
    two = text_of(ask(client, *opening, user("I live in Zürich.")))
    assert one == "Oslo [LOCATION_2] [PERSON_1]"
    assert two == "Zürich [LOCATION_2] [PERSON_1]"


def test_a_failed_request_leaves_its_values_to_nobody(
    start: Start, upstream: RecordingUpstream
) -> None:
    client = start()
    upstream.answer = lambda body: ["Hello"]
    opening = [user("Hi"), assistant("Hello")]
    for _ in range(2):
        ask(client, user("Hi"))
    upstream.status = 500
    assert ask(client, *opening, user("I live in Oslo.")).status_code == 502
    upstream.status = 200
    upstream.answer = lambda body: ["[LOCATION_1]"]
    assert text_of(ask(client, *opening, user("May I apply?"))) == "[LOCATION_1]"
    assert text_of(ask(client, *opening, user("I live in Oslo."))) == "Oslo"


def test_names_of_two_keys_never_meet(start: Start, upstream: RecordingUpstream) -> None:
    client = start(api_keys=KEYS)
    one, two = ({"Authorization": f"Bearer {k}", "X-Conversation-Id": "1"} for k in KEYS)
    ask(client, user("I live in Oslo."), headers=one)
    upstream.answer = lambda body: ["[LOCATION_1]"]
    assert text_of(ask(client, user("Where do I live?"), headers=two)) == "[LOCATION_1]"
    assert text_of(ask(client, user("Where do I live?"), headers=one)) == "Oslo"


@pytest.mark.parametrize("name", ["a b", "x" * 129, "ü"])
def test_unusable_names(start: Start, upstream: RecordingUpstream, name: str) -> None:
    headers = [("X-Conversation-Id", name.encode("latin-1"))]
    body = {"model": "tiny", "messages": [user("Hi")]}
    response = start().post("/v1/chat/completions", json=body, headers=headers)
    assert response.status_code == 400
    assert error_of(response)["param"] == "X-Conversation-Id"
