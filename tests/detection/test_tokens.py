"""Tokens of words against `tokenizers`, which is the slow twin."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from privrag_fast.detection.tokens import WordTokens
from privrag_fast.detection.words import split_words
from privrag_fast.models import find
from privrag_fast.onnx import load_tokenizer

TOKENIZER = load_tokenizer(find("detector")["tokenizer.json"])


def twin(tokenizer: Tokenizer, words: list[str]) -> tuple[list[int], list[int]]:
    encoding = tokenizer.encode(words, is_pretokenized=True, add_special_tokens=False)
    return encoding.ids, [encoding.word_ids.count(i) for i in range(len(words))]


def found(tokens: WordTokens, words: list[str]) -> tuple[list[int], list[int]]:
    ids, counts = tokens.encode(words)
    return ids.tolist(), counts.tolist()


TOKENS = WordTokens(TOKENIZER, max_characters=256)
PIECES = sorted(TOKENIZER.get_vocab())
LETTERS = st.text(st.characters(max_codepoint=0x7F), max_size=30)
WORDS = st.lists(
    st.one_of(
        LETTERS,
        st.text(max_size=12),
        st.lists(st.sampled_from(PIECES), max_size=4).map("".join),
    )
)


def test_the_shipped_tokenizer_is_read_by_the_extension() -> None:
    assert TOKENS._word_piece is not None


@given(WORDS)
@example(["a" * 99, "a" * 100, "a" * 101, "q" * 256])
@example(["Zürich", "x", "日", "\x00", "ok", "\u200b", "naïve", "##ing", "_", "B2B-a_b"])
def test_words_are_cut_as_tokenizers_cuts_them(drawn: list[str]) -> None:
    words = [word.text[:256] for word in split_words(" ".join(drawn))]
    assert found(TOKENS, words) == twin(TOKENIZER, words)


PRINTABLE = st.text(st.sampled_from(string.printable), max_size=80)


@given(st.one_of(PRINTABLE, st.text(max_size=40)))
@example("")
@example("Name: Nora\n\tAge:\r\n34 \x1c a\x0bb")
@example("a-b -c d- e--f _g_-h x_y-z! 5.0 " + "w" * 300)
def test_a_text_is_split_as_its_words_are(text: str) -> None:
    words = [word for word in split_words(text) if TOKENS.encode([word.text[:256]])[1][0]]
    ids, counts = TOKENS.encode([word.text[:256] for word in words])
    spans, found_ids, found_counts = TOKENS.split(text)
    assert spans.tolist() == [[word.start, word.end] for word in words]
    assert found_ids.tolist() == ids.tolist()
    assert found_counts.tolist() == counts.tolist()


def of(
    added: tuple[str, ...] = (), *, lowercase: bool = True, unknown: str = "[UNK]", kind: str = ""
) -> Tokenizer:
    vocabulary = {"[UNK]": 0, "a": 1, "##b": 2, "A": 3, "ab": 4, "-": 5}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if kind == "split":
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if kind == "normalized":
        tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.add_tokens(list(added))
    return tokenizer


@pytest.mark.parametrize("lowercase", [True, False])
def test_case_is_kept_where_the_tokenizer_keeps_it(lowercase: bool) -> None:
    tokenizer = of(("<<ENT>>",), lowercase=lowercase)
    tokens = WordTokens(tokenizer, max_characters=256)
    assert tokens._word_piece is not None
    words = ["ab", "AB", "A", "abb", "abc", "a-A", "c"]
    assert found(tokens, words) == twin(tokenizer, words)


@pytest.mark.parametrize(
    "tokenizer",
    [
        of(("ab",)),
        of(("x-y",)),
        of(("-",)),
        of(unknown="?"),
        of(kind="split"),
        of(kind="normalized"),
    ],
    ids=["a word", "two words", "a symbol", "no unknown", "pre-tokenizer", "normalizer"],
)
def test_other_tokenizers_are_asked_themselves(tokenizer: Tokenizer) -> None:
    tokens = WordTokens(tokenizer, max_characters=256)
    assert tokens._word_piece is None
    words = ["ab", "a", "-"]
    assert found(tokens, words) == twin(tokenizer, words)


def test_no_words() -> None:
    assert found(TOKENS, []) == ([], [])
    assert found(WordTokens(of(kind="split"), max_characters=256), []) == ([], [])


def test_the_extension_reads_no_other_letters() -> None:
    assert TOKENS._word_piece is not None
    with pytest.raises(ValueError, match="not ASCII"):
        TOKENS._word_piece.encode_text("Zürich", 256)
