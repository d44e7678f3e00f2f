from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.detection.words import is_unspaced, split_words

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


def pieces(text):
    return [text[word.start : word.end] for word in split_words(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t", []),
        ("Nora, 34!", ["Nora", ",", "34", "!"]),
        ("mother-in-law's snake_case", ["mother-in-law", "'", "s", "snake_case"]),
        ("a -b c- d--e", ["a", "-", "b", "c", "-", "d", "-", "-", "e"]),
        ("Rene\u0301e Zoë", ["Rene\u0301e", "Zoë"]),
        ("♥️♥️ John Smith", ["♥️", "♥️", "John", "Smith"]),
        ("Jo\u200bhn \ufeffAnn", ["Jo\u200bhn", "\ufeff", "Ann"]),
        ("No\u200b\u200bra", ["No\u200b\u200bra"]),
        ("No\x00ra \x00", ["No\x00ra", "\x00"]),
        ("a\ud800b", ["a", "\ud800", "b"]),
        ("我住在Zürich。", ["我", "住", "在", "Zürich", "。"]),
        ("かな カナ", ["か", "な", "カ", "ナ"]),
        ("ที่ดี", ["ที่", "ดี"]),
        ("ភ្នំ", ["ភ្", "នំ"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("서울 사람", ["서울", "사람"]),
        ("\u202bنورا تعيش\u202c في", ["\u202b", "نورا", "تعيش", "\u202c", "في"]),
        ("שָׁלוֹם עולם\u200f!", ["שָׁלוֹם", "עולם", "\u200f", "!"]),
        ("نُورا", ["نُورا"]),
    ],
)
def test_words(text, words):
    assert pieces(text) == words


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=80))
def test_plain_text_splits_like_gliner(text):
    assert pieces(text) == re.findall(r"\w+(?:[-_]\w+)*|\S", text)


@given(ANY_TEXT)
def test_words_cover_every_character_but_white_space_in_order(text):
    words = split_words(text)
    bounds = [bound for word in words for bound in (word.start, word.end)]
    assert bounds == sorted(bounds)
    assert all(word.start < word.end for word in words)
    covered = {i for word in words for i in range(word.start, word.end)}
    assert covered == {i for i, character in enumerate(text) if not character.isspace()}


@given(ANY_TEXT)
def test_word_texts_are_what_a_tokenizer_can_take(text):
    for word in split_words(text):
        word.text.encode()
        assert len(word.text) == word.end - word.start


def test_unspaced_scripts():
    assert is_unspaced("東")
    assert not is_unspaced("서")
    assert not is_unspaced("a")
