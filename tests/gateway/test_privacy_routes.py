"""Minimizing and restoring without the LLM behind it, health, metrics."""

from __future__ import annotations

from tests.gateway.conftest import Start
from tests.gateway.requests import (
    EVERYTHING,
    MESSAGE,
    VALUES,
    ask,
    error_of,
    rag_of,
    user,
)
from tests.gateway.servers import RecordingUpstream


def test_minimize_then_restore(start: Start, upstream: RecordingUpstream) -> None:
    client = start()
    told = client.post("/v1/privacy/minimize", json={"messages": [user(MESSAGE)]}).json()
    assert (
        told["messages"][-1]["content"]
        == "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?"
    )
    assert [(own["label"], own["kept"], own["reason"]) for own in told["attributes"]] == [
        ("PERSON", False, "never"), ("AGE", False, "no influence"),
        ("LOCATION", False, "no influence"),
    ]  # fmt: skip
    assert not any("value" in own for own in told["attributes"])
    assert upstream.bodies == []
    body = {"conversation_id": told["conversation_id"], "text": "**[Person 1]**, [AGE_9]"}
    restored = client.post("/v1/privacy/restore", json=body).json()
    assert restored == {"text": "**Nora Lind**, [AGE_9]", "unknown": ["[AGE_9]"]}


def test_restore_of_another_conversation(start: Start) -> None:
    client = start()
    client.post("/v1/privacy/minimize", json={"messages": [user(MESSAGE)]})
    body = {"conversation_id": "another", "text": "[PERSON_1]"}
    assert client.post("/v1/privacy/restore", json=body).json() == {
        "text": "[PERSON_1]", "unknown": ["[PERSON_1]"],
    }  # fmt: skip
    response = client.post("/v1/privacy/restore", json={"text": "[PERSON_1]"})
    assert (response.status_code, error_of(response)["param"]) == (400, "conversation_id")


def test_reference(start: Start) -> None:
    client = start(rag_of(VALUES, EVERYTHING))
    body = {"messages": [user(MESSAGE)], "reference": "Yes."}
    attributes = client.post("/v1/privacy/minimize", json=body).json()["attributes"]
    assert [own["kept"] for own in attributes] == [False, True, True]


def test_explain(start: Start, upstream: RecordingUpstream) -> None:
    client = start()
    told = client.post("/v1/privacy/explain", json={"message": MESSAGE}).json()
    assert told["query"] == "I'm, from. May I apply?"
    assert [own["value"] for own in told["attributes"]] == ["Nora Lind", "67", "Zürich"]
    [mention] = told["attributes"][1]["mentions"]
    assert told["text"][mention["start"] : mention["end"]] == "67"
    assert len(told["attributes"][1]["substitutes"]) >= 1
    assert told["answer"] is None
    assert upstream.bodies == []


def test_explain_with_the_answer(start: Start, upstream: RecordingUpstream) -> None:
    told = start().post("/v1/privacy/explain", json={"message": MESSAGE, "answer": True}).json()
    assert told["answer"] == {"raw": told["message"], "restored": MESSAGE}
    assert told["message"] == "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?"
    assert upstream.last["model"] == "tiny"


def test_explain_by_the_local_model(start: Start) -> None:
    client = start(upstream=None)
    told = client.post("/v1/privacy/explain", json={"message": MESSAGE, "answer": True}).json()
    assert told["answer"]["restored"] == MESSAGE


def test_health_and_metrics(start: Start) -> None:
    client = start(queue=8)
    assert client.get("/healthz").json()["status"] == "ok"
    ask(client, user(MESSAGE))
    ask(client, user(" "))
    text = client.get("/metrics").text
    for line in (
        'privrag_requests_total{path="/v1/chat/completions",status="200"} 1.0',
        'privrag_requests_total{path="/v1/chat/completions",status="400"} 1.0',
        'privrag_attributes_total{kept="False",label="AGE"} 1.0',
        'privrag_stage_seconds_count{stage="detect"} 1.0',
        "privrag_own_seconds_count 1.0",
    ):
        assert line in text
    assert "Nora" not in text
