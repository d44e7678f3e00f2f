from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrag_fast.retrieval import Chunker, Document, Section
from privrag_fast.types import InputError


def document(*sections, source="a.md", title="A title"):
    return Document(source, title, tuple(Section(*section) for section in sections))


def texts(chunker, text):
    return [passage.text for passage in chunker.chunk([document(("", text))])]


def test_whole_sentences_with_the_last_one_repeated(chunker):
    text = (
        "One two three four five. Six seven eight nine. Ten eleven. "
        "Twelve is one of the long ones here. The end comes at last."
    )
    assert texts(chunker, text) == [
        "One two three four five. Six seven eight nine.",  # a full stop is a token
        "Six seven eight nine. Ten eleven.",
        "Ten eleven. Twelve is one of the long ones here.",
        "The end comes at last.",
    ]


def test_without_overlap_each_sentence_comes_once(tokenizer_path):
    chunker = Chunker(tokenizer_path, max_tokens=8, overlap=0)

    assert texts(chunker, "A b c. D e f. G h i. J k l.") == ["A b c. D e f.", "G h i. J k l."]


def test_overlap_never_repeats_a_whole_passage(chunker):
    text = "A b c d e f g h i j k. L m n o p q r s t u v. W."
    assert texts(chunker, text) == [
        "A b c d e f g h i j k.",
        "L m n o p q r s t u v.",
        "W.",
    ]


def test_lines_and_scripts_without_spaces_stay_as_they_are(chunker):
    assert texts(chunker, "- one two\n- three") == ["- one two\n- three"]
    assert texts(chunker, "これは本。それは猫。") == ["これは本。それは猫。"]


def test_a_passage_stays_in_its_section_and_keeps_title_and_heading(chunker):
    (first, second) = chunker.chunk([document(("", "One."), ("Costs > Fees", "Two."))])

    assert (first.text, first.section) == ("One.", "")
    assert (second.text, second.section) == ("Two.", "Costs > Fees")
    assert {first.title, second.title} == {"A title"}
    assert {first.source, second.source} == {"a.md"}


def test_a_sentence_longer_than_a_passage_is_cut_at_words(chunker):
    words = [f"w{number}" for number in range(100)]
    found = texts(chunker, " ".join(words))

    assert all(len(text.split()) <= 12 for text in found)
    assert " ".join(found).split() == words


def test_ids_are_stable_and_distinct(chunker):
    twice = ("Same", "Equal text.")
    documents = [document(twice, twice), document(twice, source="copy.md")]

    ids = [passage.id for passage in chunker.chunk(documents)]
    assert len(set(ids)) == 3
    assert ids == [passage.id for passage in chunker.chunk(documents)]
    assert ids[0] == "845cf7015c6a78ac6d14"  # an id outlives the process


def test_an_edit_leaves_the_ids_of_other_sections(chunker):
    before = chunker.chunk([document(("A", "One."), ("B", "Two."))])
    after = chunker.chunk([document(("A", "New.\n" * 20), ("B", "Two."))])

    assert after[-1].id == before[-1].id
    assert len(after) > len(before)


def test_nothing_in_nothing_out(chunker):
    assert chunker.chunk([]) == []
    assert chunker.chunk([document(), document(("", " \n\t "))]) == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("unit", "size"),
    [
        ("word ", 10**7),
        ("x", 10**7),
        ("Word. ", 10**5),
        (". ", 4 * 10**5),
        ("…", 10**6),
        ("[]", 10**6),
    ],
)
def test_megabytes_on_one_line(tokenizer_path, unit, size):
    """Quadratic work anywhere would take hours."""
    text = unit * (size // len(unit))
    found = texts(Chunker(tokenizer_path, overlap=0), text)

    assert sum(len(passage.replace(" ", "")) for passage in found) == len(text.replace(" ", ""))
    assert max(map(len, found)) < 4_000


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=400))
def test_no_text_is_lost_and_no_passage_too_long(tokenizer_path, text):
    found = texts(Chunker(tokenizer_path, max_tokens=8, overlap=0), text)

    kept = "".join("".join(found).split())
    assert kept == "".join(
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split()
    )
    assert all(passage == passage.strip() for passage in found)
    assert all(len(passage) < 8 * 12 * 2 for passage in found)
    "".join(found).encode()


def test_real_tokens_are_counted(real_tokenizer_path):
    from privrag_fast.onnx import load_tokenizer

    tokenizer = load_tokenizer(real_tokenizer_path)
    text = "Antidisestablishmentarianism notwithstanding, eligibility perseveres. " * 80
    found = texts(Chunker(real_tokenizer_path), text)

    counts = [len(tokenizer.encode(passage, add_special_tokens=False).ids) for passage in found]
    assert max(counts) <= 180
    assert min(counts[:-1]) > 120


@pytest.mark.parametrize("options", [{"max_tokens": 7}, {"overlap": -1}])
def test_options_out_of_range(tokenizer_path, options):
    with pytest.raises(InputError, match="or more"):
        Chunker(tokenizer_path, **options)
