from __future__ import annotations

import pytest

from privrag_fast.detection.cascade import Cascade
from privrag_fast.types import Entity


def left(text, value, label):
    class Fixed:
        def detect(self, texts):
            start = texts[0].index(value)
            return [[Entity(start, start + len(value), label, 0.9)]]

    return [own.value(text) for own in Cascade([Fixed()]).detect([text])[0]]


@pytest.mark.parametrize(
    "words",
    [
        *("Hello", "Good day", "Dear Sir", "Sir or Madam", "ma'am", "ma’am", "thx", "CHEERS"),
        *("Guten Tag", "Servus", "Liebe Grüße", "Mit freundlichen Grüßen", "Vielen Dank, Grüße"),
        *("Sehr geehrte Damen und Herren", "Sehr geehrte", "Liebe Gru\u0308ße"),
        *("Bonjour", "Bonjour Madame", "Cordialement", "Buenos días", "Muchas gracias", "Olá"),
        *("Ciao", "Hej", "dzień dobry", "Namaste", "assalamualaikum", "спасибо", "你好"),
    ],
)
@pytest.mark.parametrize("label", ["PERSON", "LOCATION"])
def test_greetings_and_thanks_alone_are_nobody(words, label):
    assert left(f"{words}, where is the form?", words, label) == []
    assert left(f"I'd like to cancel.\n\n{words}", words, label) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bonjour Marie, ça va?", "Bonjour Marie"),
        ("Dear Will", "Dear Will"),
        ("Thanks, Hope", "Hope"),
        ("Salam, Ola here", "Ola"),
        ("Thank you.\nMoin", "Moin"),
        ("Moin Khan, 34", "Moin Khan"),
        ("Ask Mr Holder", "Holder"),
        ("I am Van, case 7", "Van"),
        ("Best", "Best"),
        ("the Agent: me", "Agent"),
    ],
)
def test_a_name_stays_also_beside_a_greeting(text, name):
    assert left(text, name, "PERSON") == [name]


@pytest.mark.parametrize("greeting", ["hiya", "Moin", "Salam", "Ola"])
def test_a_greeting_that_is_also_a_name_is_nobody_where_it_opens_the_text(greeting):
    assert left(f"{greeting}, is anyone there?", greeting, "PERSON") == []
    assert left(f"This is {greeting}, is anyone there?", greeting, "PERSON") == [greeting]


@pytest.mark.parametrize(
    ("value", "label"),
    [
        *(("ni", "IBAN"), ("a/c", "IBAN"), ("acct holder", "PERSON"), ("case", "ID")),
        *(("ref no.", "ID"), ("van", "ADDRESS"), ("NI number", "SSN"), ("Sort code:", "CARD")),
    ],
)
def test_the_name_of_a_field_is_no_value(value, label):
    assert left(f"my {value} is this", value, label) == []


@pytest.mark.parametrize(
    ("value", "label"),
    [
        *(("NI", "LOCATION"), ("nora-lind", "ID"), ("Meier", "IBAN"), ("case 77", "ID")),
        *(("noralind", "EMAIL"), ("nine nine one", "PHONE"), ("passport", "NATIONALITY")),
    ],
)
def test_what_may_be_a_value_stays(value, label):
    assert left(f"my {value} is this", value, label) == [value]


@pytest.mark.parametrize("role", ["Agent", "user", "Bot", "Support"])
def test_who_speaks_in_a_transcript_is_no_occupation(role):
    assert left(f"Hi\n {role}: I am a nurse", role, "OCCUPATION") == []
    assert left(f"I am an {role}: a nurse", role, "OCCUPATION") == [role]
