"""Words to tokens, each word by itself.

BERT's tokenizer is small enough to be fast at home: after a run of the model, which fills the
caches, `tokenizers` takes 0.4 ms for 45 words, and `WordPiece` of our extension a tenth. It reads
words in ASCII; others, and other tokenizers, stay with `tokenizers`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from privrag_fast.detection.words import split_words
from privrag_fast.native import WordPiece

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = NDArray[np.int64]

# What `split_words` gives has no symbol beside a letter, so such a token is never inside a word.
_NO_WORD = re.compile(r"..", re.DOTALL), re.compile(r"[^\w-]")

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class WordTokens:
    """Tokens as `tokenizer.encode(words, is_pretokenized=True)` gives them, without specials.

    Args:
        max_characters: Of a word that are tokenized.
    """

    def __init__(self, tokenizer: Tokenizer, *, max_characters: int) -> None:
        self._max_characters = max_characters
        self._tokenizer = tokenizer
        self._word_piece = _word_piece(tokenizer)

    def split(self, text: str) -> tuple[Ids, Ids, Ids]:
        """The words of a text (`detection.words`) that have tokens.

        Returns:
            Code points [start, end) of each word, int64 [words, 2]; ids of all, int64 [tokens];
            of each word how many, int64 [words].
        """
        if self._word_piece is not None and text.isascii() and not _CONTROL.search(text):
            return self._word_piece.encode_text(text, self._max_characters)
        words = split_words(text)
        spans = np.array([(word.start, word.end) for word in words], np.int64).reshape(-1, 2)
        ids, counts = self.encode([word.text[: self._max_characters] for word in words])
        shown = counts > 0  # a lone control character has none
        return spans[shown], ids, counts[shown]

    def encode(self, words: list[str]) -> tuple[Ids, Ids]:
        """Ids of all words, int64 [tokens], and of each word how many, int64 [words]."""
        if self._word_piece is None:
            return self._encode(words)
        ids, counts, all_read = self._word_piece.encode(words)
        if all_read:
            return ids, counts
        left = np.flatnonzero(counts < 0)
        more, of_them = self._encode([words[i] for i in left])
        counts[left] = 0
        places = np.repeat(np.cumsum(counts)[left], of_them)
        counts[left] = of_them
        return np.insert(ids, places, more), counts

    def _encode(self, words: list[str]) -> tuple[Ids, Ids]:
        encoding = self._tokenizer.encode(words, is_pretokenized=True, add_special_tokens=False)
        word_of = np.asarray(encoding.word_ids, np.int64)
        return np.asarray(encoding.ids, np.int64), np.bincount(word_of, minlength=len(words))


def _word_piece(tokenizer: Tokenizer) -> WordPiece | None:
    """The same in our extension; None where the tokenizer is not BERT's."""
    from tokenizers import models, normalizers, pre_tokenizers

    model, normalizer = tokenizer.model, tokenizer.normalizer
    if not (
        isinstance(model, models.WordPiece)
        and model.continuing_subword_prefix == "##"
        and isinstance(normalizer, normalizers.BertNormalizer)
        and isinstance(tokenizer.pre_tokenizer, pre_tokenizers.BertPreTokenizer)
    ):
        return None
    added = [token.content for token in tokenizer.get_added_tokens_decoder().values()]
    if not all(rule.search(token) for token in added for rule in _NO_WORD):
        return None
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    if model.unk_token not in vocabulary:
        return None
    return WordPiece(
        list(vocabulary.items()),
        unknown=vocabulary[model.unk_token],
        max_characters=model.max_input_chars_per_word,
        lowercase=normalizer.lowercase,
    )
