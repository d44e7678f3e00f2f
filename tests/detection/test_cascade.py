from __future__ import annotations

import logging
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privrag_fast.detection.cascade import _JOINING, Cascade
from privrag_fast.detection.nobody import tells_of_nobody
from privrag_fast.detection.patterns import Patterns
from privrag_fast.detection.repeats import find_repeats
from privrag_fast.types import DetectionError, Entity, InputError, ModelError
from tests.detection import reference
from tests.detection.checks import assert_well_formed

SECRET = "Nora Lind"


class Fixed:
    """Marks given values: `(value, label, score)`, or with a source as fourth."""

    def __init__(self, *marks):
        self.marks = marks

    def detect(self, texts):
        return [
            [
                Entity(text.index(value), text.index(value) + len(value), label, score, *source)
                for value, label, score, *source in self.marks
                if value in text
            ]
            for text in texts
        ]


def found(text, *detectors, **options):
    (entities,) = Cascade(detectors, **options).detect([text])
    assert_well_formed(text, entities)
    return [(entity.value(text), entity.label) for entity in entities]


def marked(text, *marks, **options):
    return found(text, Fixed(*marks), **options)


# --------------------------------------------------------------------------- conflicts


def test_overlapping_candidates_are_resolved_once():
    """det-14"""
    text = "policy MED-123456 of Kai"
    marks = [("MED-123456", "ID", 0.9), ("123456", "PHONE", 0.8), ("Kai", "PERSON", 0.9)]
    assert marked(text, *marks) == [("MED-123456", "ID"), ("Kai", "PERSON")]
    (entities,) = Cascade([Fixed(*marks)]).detect([text])
    hidden, values = text, {}
    for number, entity in reversed(list(enumerate(entities))):
        placeholder = f"[{entity.label}_{number}]"
        values[placeholder] = entity.value(text)
        hidden = hidden[: entity.start] + placeholder + hidden[entity.end :]
    assert hidden == "policy [ID_0] of [PERSON_1]"
    for placeholder, value in values.items():
        hidden = hidden.replace(placeholder, value)
    assert hidden == text


def test_a_pattern_beats_a_higher_score():
    text = "IBAN DE89370400440532013000"
    guess = Fixed(("DE89370400440532013000", "SSN", 0.999))
    assert found(text, guess, Patterns()) == [("DE89370400440532013000", "IBAN")]


def test_a_code_beats_a_higher_score_but_not_a_surer_label_of_the_caller_s_own():
    text = "license number 4410927 now"
    for label, score in (("DATE", 0.99), ("LICENSE", 0.8)):
        assert found(text, Patterns(), Fixed(("4410927", label, score))) == [("4410927", "ID")]
    for value in ("4410927", "number 4410927"):
        assert found(text, Patterns(), Fixed((value, "LICENSE", 0.99))) == [(value, "LICENSE")]
    assert found(text, Patterns(), Fixed(("4410", "LICENSE", 0.99))) == [("4410927", "ID")]
    email = Fixed(("nora@example.com", "CONTACT", 0.99))
    assert found("nora@example.com", Patterns(), email) == [("nora@example.com", "EMAIL")]


def test_then_the_higher_score_wins_then_the_longer_span():
    assert marked("in Lind", ("Lind", "PERSON", 0.6), ("Lind", "LOCATION", 0.7)) == [
        ("Lind", "LOCATION")
    ]
    assert marked("Bern Road 5", ("Bern", "LOCATION", 0.7), ("Bern Road 5", "ADDRESS", 0.7)) == [
        ("Bern Road 5", "ADDRESS")
    ]


def test_what_the_loser_covers_beyond_the_winner_stays_covered():
    text = "at 5507 Ringgold Road, Chattanooga, TN 37412 now"
    address = ("5507 Ringgold Road, Chattanooga, TN 37412", "ADDRESS", 0.6)
    assert marked(text, address, ("Chattanooga", "LOCATION", 0.9)) == [
        ("5507 Ringgold Road", "ADDRESS"),
        ("Chattanooga", "LOCATION"),
        ("TN 37412", "ADDRESS"),
    ]


@pytest.mark.parametrize(
    ("text", "guess", "left"),
    [
        ("write in nora@example.com please", "in nora@example.com", []),
        ("write to (at) nora@example.com", "at) nora@example.com", []),
        ("martin:nora@example.com", "martin:nora@example.com", ["martin"]),
        ("Lin nora@example.com", "Lin nora@example.com", ["Lin"]),
        ("is it in?", "in", ["in"]),
        ("on +41 44 668 18 00", "on +41 44", ["+41 44 668 18 00"]),
        ("martinmy", "martinmy", ["martinmy"]),
    ],
)
def test_a_joining_word_beside_the_winner_is_let_go(text, guess, left):
    entities = found(text, Fixed((guess, "EMAIL", 0.9)), Patterns(), repeats=False)
    assert [value for value, _ in entities if "@" not in value] == left


def test_a_timestamp_is_never_a_location():
    """det-05"""
    text = "The job ran at 2021-03-01 07:16:59.605000"
    guess = Fixed(("2021-03-01 07:16:59", "LOCATION", 0.9), ("605000", "PHONE", 0.9))
    assert found(text, guess, Patterns()) == [("2021-03-01 07:16:59.605000", "DATE")]


ENTITIES = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.integers(1, 12),
        st.sampled_from(["PERSON", "ID", "DATE", "LICENSE"]),
        st.sampled_from([0.3, 0.5, 0.9, 1.0]),
        st.sampled_from(["gliner", "pattern", "code"]),
    ),
    max_size=6,
)


@pytest.mark.parametrize("repeats", [True, False])
@given(text=st.text(st.characters(exclude_categories=()), max_size=40), spans=ENTITIES)
def test_no_letter_or_digit_that_was_marked_is_let_go(repeats, text, spans):
    class Random:
        def detect(self, texts):
            fitting = [(s, s + n, *rest) for s, n, *rest in spans if s + n <= len(texts[0])]
            return [[Entity(*fields) for fields in fitting]]

    (before,) = Random().detect([text])
    before = [own for own in before if not tells_of_nobody(text, own)]
    (after,) = Cascade([Random()], repeats=repeats).detect([text])
    end = 0
    for entity in after:
        assert end <= entity.start < entity.end <= len(text)
        end = entity.end
    covered = {i for entity in after for i in range(entity.start, entity.end)}
    asked = {i for entity in before for i in range(entity.start, entity.end)}
    joining = {i for word in _JOINING.finditer(text) for i in range(*word.span())}
    assert {i for i in asked if text[i].isalnum()} <= covered | joining


# --------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("text", "pieces", "names"),
    [
        ("Dave Jones called.", ["Dave", "Jones"], ["Dave Jones"]),
        ("So Samuel L. Jackson spoke", ["Samuel", "Jackson"], ["Samuel L. Jackson"]),
        ("So Samuel L. Jackson spoke", ["Samuel L", "Jackson"], ["Samuel L. Jackson"]),
        ("So Samuel L. Jackson spoke", ["Samuel L."], ["Samuel L. Jackson"]),
        ("So Samuel L. Jackson spoke", ["Samuel"], ["Samuel L. Jackson"]),
        ("Robert Downey jr. signed", ["Robert Downey"], ["Robert Downey jr."]),
        ("Robert Downey jr. signed", ["Robert Downey", "jr"], ["Robert Downey jr."]),
        ("Robert Downey, Jr. signed", ["Robert Downey"], ["Robert Downey, Jr."]),
        ("King Louis XIV or Otto III won", ["Otto"], ["Otto III"]),
        ("by J. K. Rowling", ["Rowling"], ["J. K. Rowling"]),
        ("A. Lind wrote", ["Lind"], ["A. Lind"]),
        ("Vincent van Gogh", ["Vincent", "Gogh"], ["Vincent van Gogh"]),
        ("Anne-Marie left", ["Anne", "Marie"], ["Anne-Marie"]),
        ("Take vitamin C. Nora does", ["Nora"], ["Nora"]),
        ("Ask Nora. Tom knows", ["Nora", "Tom"], ["Nora", "Tom"]),
        ("Nora, Tom and Kai", ["Nora", "Tom", "Kai"], ["Nora", "Tom", "Kai"]),
        ("Nora is here", ["Nora"], ["Nora"]),
        ("Nora\nTom", ["Nora", "Tom"], ["Nora", "Tom"]),
    ],
)
def test_a_name_is_one_piece(text, pieces, names):
    """det-02, det-03"""
    marks = [(piece, "PERSON", 0.9) for piece in pieces]
    assert marked(text, *marks) == [(name, "PERSON") for name in names]


def test_two_persons_each_covered_whole():
    """det-03"""
    text = "Samuel L. Jackson and Robert Downey jr. signed."
    marks = [(piece, "PERSON", 0.9) for piece in ("Samuel L", "Jackson", "Robert", "Downey")]
    assert marked(text, *marks) == [
        ("Samuel L. Jackson", "PERSON"),
        ("Robert Downey jr.", "PERSON"),
    ]


def test_a_pronoun_is_nobody():
    text = "I, Ann Berg, and I. Newton ask you"
    marks = [("I", "PERSON", 0.4), ("Ann Berg", "PERSON", 0.9), ("I. Newton", "PERSON", 0.9)]
    marks += [("you", "PERSON", 0.3)]
    assert marked(text, *marks, repeats=False) == [("Ann Berg", "PERSON"), ("I. Newton", "PERSON")]
    assert marked("only I", ("I", "ID", 0.9)) == [("I", "ID")]


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("Name: May Christmas\nQuery: refund", "May Christmas", "DATE"),
        ("my name is Chukwuemeka Obi, hi", "Chukwuemeka Obi", "LOCATION"),
        ("my name's Paris", "Paris", "LOCATION"),
        ("tenant name: Li Na", "Li Na", "LOCATION"),
        ("thanks for the help. Best,\nFaith", "Faith", "RELIGION"),
        ("can you check? thx, Summer", "Summer", "DATE"),
        ("Kind regards\n\nXiu\nUnit 4", "Xiu", "LOCATION"),
    ],
)
def test_what_is_introduced_or_signed_as_a_name_is_one(text, value, label):
    assert marked(text, (value, label, 0.99)) == [(value, "PERSON")]


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("company name: Stadtwerke", "Stadtwerke", "EMPLOYER"),
        ("file name is Zurich", "Zurich", "LOCATION"),
        ("in my name and May too", "May", "DATE"),
        ("thanks, Monday would be fine", "Monday", "DATE"),
        ("Best in Zurich", "Zurich", "LOCATION"),
        ("Date: May", "May", "DATE"),
        ("my name is 4 May", "4 May", "DATE"),
    ],
)
def test_what_is_not_stays_what_it_was_found_as(text, value, label):
    assert marked(text, (value, label, 0.99)) == [(value, label)]


def test_neighbors_of_other_types_stay_apart():
    text = "Bern Basel"
    marks = [("Bern", "LOCATION", 0.9), ("Basel", "LOCATION", 0.9)]
    assert marked(text, *marks) == [("Bern", "LOCATION"), ("Basel", "LOCATION")]


def test_a_name_does_not_grow_into_its_neighbor():
    text = "Samuel L. Jackson"
    marks = [("Samuel", "PERSON", 0.9), ("L.", "ID", 0.9)]
    assert marked(text, *marks) == [("Samuel", "PERSON"), ("L.", "ID")]


# --------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("text", "pieces", "addresses"),
    [
        ("at 12 Elm Road 14 Suite 3.", ["12", "14 Suite 3"], ["12 Elm Road 14 Suite 3"]),
        ("at 9 Elm Road, Apt. 2 now", ["9 Elm Road", "Apt. 2"], ["9 Elm Road, Apt. 2"]),
        ("at 9 Elm Road, TN 37412-1234.", ["9 Elm Road"], ["9 Elm Road, TN 37412-1234"]),
        ("at 9 Elm Road 10115, please", ["9 Elm Road"], ["9 Elm Road 10115"]),
        ("at 9 Elm Road, SW1A 1AA", ["9 Elm Road"], ["9 Elm Road, SW1A 1AA"]),
        ("at 9 Elm Road 10115.50", ["9 Elm Road"], ["9 Elm Road"]),
        ("9 Elm Road\n10115 people", ["9 Elm Road"], ["9 Elm Road"]),
        (
            "9 Elm Road,\nApt. 2\r\n Ulm",
            ["9 Elm Road", "Apt. 2", "Ulm"],
            ["9 Elm Road,\nApt. 2\r\n Ulm"],
        ),
        ("9 Elm Road\n\n4 Oak Lane", ["9 Elm Road", "4 Oak Lane"], ["9 Elm Road", "4 Oak Lane"]),
        ("9 Elm Road or 4 Oak Lane", ["9 Elm Road", "4 Oak Lane"], ["9 Elm Road", "4 Oak Lane"]),
        ("12, Elm Road 14", ["12", "14"], ["12", "14"]),
        ("12 a b c d e f 14", ["12", "14"], ["12", "14"]),
    ],
)
def test_an_address_is_one_piece(text, pieces, addresses):
    marks = [(piece, "ADDRESS", 0.9) for piece in pieces]
    assert marked(text, *marks, repeats=False) == [(own, "ADDRESS") for own in addresses]


def test_an_address_does_not_grow_into_its_neighbor():
    text = "at 9 Elm Road 10115"
    marks = [("9 Elm Road", "ADDRESS", 0.9), ("10115", "ID", 0.9)]
    assert marked(text, *marks) == [("9 Elm Road", "ADDRESS"), ("10115", "ID")]


def test_what_holds_no_letter_and_no_digit_is_nobody():
    text = "( 👋 Ann"
    marks = [("(", "AGE", 0.4), ("👋", "PERSON", 0.9), ("Ann", "PERSON", 0.9)]
    assert marked(text, *marks) == [("Ann", "PERSON")]


# --------------------------------------------------------------------------- repeats


def test_a_part_of_a_later_mention_is_widened():
    text = "Is Bad Ems am Main open? I left Bad Ems am Main."
    whole = Entity(32, 47, "LOCATION", 0.9)
    for label, first in (("LOCATION", "Bad Ems am Main"), ("ID", "Bad Ems")):
        repeats = find_repeats(text, [Entity(3, 10, label, 0.9), whole])
        assert_well_formed(text, repeats)
        assert [own.value(text) for own in repeats] == [first, "Bad Ems am Main"]


def test_every_later_mention_is_covered():
    """det-06"""
    text = "Aria and Leo moved in. Later Aria moved out."
    marks = [("Aria", "PERSON", 0.9), ("Leo", "PERSON", 0.8)]
    (entities,) = Cascade([Fixed(*marks)]).detect([text])
    assert [(e.value(text), e.source, e.score) for e in entities] == [
        ("Aria", "gliner", 0.9),
        ("Leo", "gliner", 0.8),
        ("Aria", "repeat", 0.9),
    ]
    assert len(marked(text, *marks, repeats=False)) == 2


@pytest.mark.parametrize(
    ("value", "label", "text", "mentions"),
    [
        ("Aria", "PERSON", "Aria: Aria's ARIA, Ariane, aria, variA", ["Aria", "Aria", "ARIA"]),
        ("May", "PERSON", "May: I may. MAY", ["May", "MAY"]),
        ("NORA", "PERSON", "NORA: Nora nora", ["NORA", "Nora"]),
        ("diabetes", "HEALTH", "diabetes: Diabetes DIABETES prediabetes",
         ["diabetes", "Diabetes", "DIABETES"]),
        ("type 2 diabetes", "HEALTH", "type 2 diabetes: Type 2\nDiabetes",
         ["type 2 diabetes", "Type 2\nDiabetes"]),
        ("MED-1x", "ID", "MED-1x: med-1X MED-1xy", ["MED-1x", "med-1X"]),
        ("67", "AGE", "67: 67-year-old, at 67, 167 67.5 1.67 67,000 $67 67 % 67% 1/67 (67)",
         ["67", "67", "67", "67"]),
        ("US", "LOCATION", "US: tell us, Us and the US", ["US", "US"]),
        ("2", "CHILDREN", "2: 2 of them, not 12 or 2.5", ["2", "2"]),
        ("M", "GENDER", "M: M&S", ["M"]),
        ("J", "PERSON", "J: I am J", ["J"]),
        ("the", "ID", "the: the end", ["the"]),
        ("美国", "LOCATION", "美国去过美国两次", ["美国", "美国"]),
        ("Rene", "PERSON", "Rene: Rene\u0301", ["Rene"]),
        ("Zoë", "PERSON", "Zoë: Zoe\u0308, ZOË", ["Zoë", "Zoe\u0308", "ZOË"]),
        ("Zoe\u0308", "PERSON", "Zoe\u0308: Zoë", ["Zoe\u0308", "Zoë"]),
        ("a+b(c", "ID", "a+b(c: a+b(c", ["a+b(c", "a+b(c"]),
    ],
)  # fmt: skip
def test_which_mentions_count(value, label, text, mentions):
    assert marked(text, (value, label, 0.9)) == [(mention, label) for mention in mentions]


def test_parts_of_a_name_are_covered_too():
    text = "Nora van der Lind came. Ms Lind, or Nora, left; the van too."
    assert [value for value, _ in marked(text, ("Nora van der Lind", "PERSON", 0.9))] == [
        "Nora van der Lind",
        "Lind",
        "Nora",
    ]
    text = "Will Smith asks: Will I get it? Smith"
    assert [value for value, _ in marked(text, ("Will Smith", "PERSON", 0.9))] == [
        "Will Smith",
        "Smith",
    ]


def test_the_longest_value_is_looked_for_first():
    text = "Bern, Bern Road. Again Bern Road and Bern."
    marks = [("Bern", "LOCATION", 0.9), ("Bern Road", "ADDRESS", 0.8)]
    assert marked(text, *marks) == [
        ("Bern", "LOCATION"),
        ("Bern Road", "ADDRESS"),
        ("Bern Road", "ADDRESS"),
        ("Bern", "LOCATION"),
    ]


def test_a_value_of_two_labels_repeats_under_the_surer_one():
    text = "Lind, Lind, Lind"
    entities = [Entity(0, 4, "PERSON", 0.5), Entity(6, 10, "LOCATION", 0.9)]
    assert find_repeats(text, entities) == [*entities, Entity(12, 16, "LOCATION", 0.9, "repeat")]


PIECES = st.lists(
    st.sampled_from(["Nora", "NORA", "nora", "Lind", "van", "may", "67", "a1", "Straße", "STRASSE"])
    | st.sampled_from(["İ", "ı", "ǰ", "ΣΑΣ", "σας", "東", "Zoë", "Zoe\u0308"])
    | st.sampled_from(["\u0301", " ", "  ", "\n", "\u00a0", "-", ".", "(", "$"])
    | st.characters(exclude_categories=()),
    max_size=24,
)


@settings(max_examples=400)
@given(
    pieces=PIECES,
    spans=st.lists(
        st.tuples(
            st.integers(0, 24),
            st.integers(1, 4),
            st.sampled_from(["PERSON", "ID"]),
            st.sampled_from([0.5, 0.9]),
        ),
        max_size=5,
    ),
)
@example(pieces=["Nora", " ", "Lind", "  ", "NORA", "\n", "LIND"], spans=[(0, 3, "PERSON", 0.9)])
@example(pieces=["x", "Nora", " ", "Nora"], spans=[(1, 1, "PERSON", 0.9)])
@example(pieces=[" ", "Nora", "-", "Nora"], spans=[(0, 2, "PERSON", 0.9)])
def test_looking_beside_one_token_finds_what_looking_everywhere_does(pieces, spans):
    text = "".join(pieces)
    starts = [len("".join(pieces[:i])) for i in range(len(pieces) + 1)]
    entities, end = [], 0
    for first, count, label, score in sorted(spans):
        if first >= end and first + count <= len(pieces):
            end = first + count
            entities.append(Entity(starts[first], starts[end], label, score))
    assert find_repeats(text, entities) == reference.find_repeats(text, entities)


@pytest.mark.parametrize(
    "values",
    [
        [f"user{i}@example.com" for i in range(3_000)],
        [f"+41 44 {i:04}" for i in range(8_000)],
        [f"Nora{i // 50} Lind{i % 50}" for i in range(3_000)],
    ],
    ids=["addresses", "numbers", "names"],
)
def test_many_values_take_no_quadratic_time(values):
    text = "; ".join(values)
    entities, end = [], 0
    for value in values:
        entities.append(Entity(end, end + len(value), "PERSON"))
        end += len(value) + 2
    start = time.monotonic()
    repeats = find_repeats(f"{text}. {text}", entities)
    assert time.monotonic() - start < 6
    assert len(repeats) == 2 * len(values)


# --------------------------------------------------------------------------- failures


class Broken:
    def __init__(self, error):
        self.error = error

    def detect(self, texts):
        raise self.error


@pytest.mark.parametrize("error", [KeyError(SECRET), RuntimeError(SECRET), ValueError(SECRET)])
def test_a_failure_stops_everything_and_tells_no_text(error, caplog):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(DetectionError) as caught:
        Cascade([Fixed(), Broken(error)]).detect([SECRET])
    assert "Broken" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert SECRET not in caplog.text


def test_an_error_of_this_package_keeps_its_cure():
    with pytest.raises(DetectionError, match=r"model\.onnx: no such file"):
        Cascade([Broken(ModelError("model.onnx: no such file"))]).detect(["a"])


class Answer:
    def __init__(self, answer):
        self.answer = answer

    def detect(self, texts):
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [[], [[], []], [[Entity(0, 9, "ID")]], [[Entity(1, 1, "ID")]], [[Entity(-1, 1, "ID")]]],
)
def test_an_answer_that_does_not_fit_its_text_is_a_failure(answer):
    with pytest.raises(DetectionError, match="Answer"):
        Cascade([Answer(answer)]).detect(["abc"])


def test_arguments_that_cannot_be_used():
    with pytest.raises(InputError, match="empty"):
        Cascade([])
    with pytest.raises(InputError, match="str"):
        Cascade([Fixed()]).detect("Nora")


def test_empty_texts_and_no_texts():
    assert Cascade([Fixed()]).detect([]) == []
    assert Cascade([Fixed(), Patterns()]).detect(["", "a"]) == [[], []]


# --------------------------------------------------------------------------- all together


def test_patterns_and_gliner_together(gliner):
    text = "Nora Lind, 34, Oslo: nora@example.com. NORA LIND is 34."
    assert found(text, Patterns(), gliner) == [
        ("Nora Lind", "PERSON"),
        ("34", "AGE"),
        ("Oslo", "LOCATION"),
        ("nora@example.com", "EMAIL"),
        ("NORA LIND", "PERSON"),
        ("34", "AGE"),
    ]


@given(text=st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_unicode(gliner, text):
    (entities,) = Cascade([Patterns(), gliner]).detect([text])
    assert_well_formed(text, entities)
