"""Documents to passages: whole sentences, as many as the embedder reads at once."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from privrag_fast.onnx import load_tokenizer
from privrag_fast.retrieval.corpus import Document
from privrag_fast.retrieval.encoding import well_formed
from privrag_fast.types import InputError, Passage

_PIECE_CHARS = 1_000
"""Longest piece that is tokenized at once: bounds the work on a sentence without an end."""

_CHARS_PER_TOKEN = 12
"""A run without spaces is one unknown token, however long; its characters count instead."""

_TOKENIZE_AT_ONCE = 1_024

# Runs are bounded, so that a megabyte of dots stays linear. Whitespace is one space by now.
_SENTENCE_END = re.compile(r"[.!?…]{1,8}[\"'”’»)\]]{0,4}(?P<glue> )(?=[^a-z])|[。！？]{1,8}")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or a part of one.

    Args:
        text: Without whitespace at its ends.
        glue: What stood between it and the piece before: a line break, a space or nothing.
        cost: Its share of a passage, in tokens.
    """

    text: str
    glue: str
    cost: int


class Chunker:
    """Splits documents into passages of whole sentences.

    Passages stay within one section. The last sentence of a passage opens the next one, so that
    a statement and its condition meet in at least one of them.

    Args:
        tokenizer_path: The embedder's `tokenizer.json`: passages are measured in its tokens.
        max_tokens: Longest passage, without title; room for the title is left to the embedder.
        overlap: Sentences that a passage shares with the one before.
    """

    def __init__(
        self, tokenizer_path: str | Path, *, max_tokens: int = 180, overlap: int = 1
    ) -> None:
        if max_tokens < 8:
            raise InputError(f"max_tokens must be 8 or more, got {max_tokens}")
        if overlap < 0:
            raise InputError(f"overlap must be 0 or more sentences, got {overlap}")
        self._tokenizer = load_tokenizer(tokenizer_path)
        self._max_tokens = max_tokens
        self._overlap = overlap

    def chunk(self, documents: Iterable[Document]) -> list[Passage]:
        """The passages of all documents, in reading order."""
        return [passage for document in documents for passage in self._passages(document)]

    def _passages(self, document: Document) -> Iterator[Passage]:
        position: Counter[str] = Counter()
        for section in document.sections:
            for text in self._texts(section.text):
                place = f"{section.heading}#{position[section.heading]}"
                position[section.heading] += 1
                yield Passage(
                    id=_passage_id(document.source, place, text),
                    text=text,
                    title=document.title,
                    section=section.heading,
                    source=document.source,
                )

    def _texts(self, text: str) -> Iterator[str]:
        passage: list[_Piece] = []
        cost = fresh = 0  # fresh: pieces of `passage` that no passage has had before
        for piece in self._pieces(text):
            if fresh and cost + piece.cost > self._max_tokens:
                yield _joined(passage)
                passage = self._carried_over(passage, self._max_tokens - piece.cost)
                cost, fresh = sum(carried.cost for carried in passage), 0
            passage.append(piece)
            cost += piece.cost
            fresh += 1
        if fresh:
            yield _joined(passage)

    def _carried_over(self, passage: list[_Piece], room: int) -> list[_Piece]:
        """The end of a full passage that opens the next, as far as it fits."""
        kept: list[_Piece] = []
        for piece in reversed(passage[1:][-self._overlap :] if self._overlap else []):
            room -= piece.cost
            if room < 0:
                break
            kept.insert(0, piece)
        return kept

    def _pieces(self, text: str) -> Iterator[_Piece]:
        sentences = _sentences(well_formed(text))
        while batch := list(islice(sentences, _TOKENIZE_AT_ONCE)):
            for (sentence, glue), cost in zip(
                batch, self._costs([sentence for sentence, _ in batch]), strict=True
            ):
                yield from self._fitted(_Piece(sentence, glue, cost))

    def _fitted(self, piece: _Piece) -> Iterator[_Piece]:
        """`piece`, halved until each part fits; at a space where there is one."""
        if piece.cost <= self._max_tokens or len(piece.text) == 1:
            yield piece
            return
        first, glue, second = _halves(piece.text)
        first_cost, second_cost = self._costs([first, second])
        yield from self._fitted(_Piece(first, piece.glue, first_cost))
        yield from self._fitted(_Piece(second, glue, second_cost))

    def _costs(self, texts: list[str]) -> list[int]:
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [
            max(len(encoding.ids), len(text) // _CHARS_PER_TOKEN, 1)
            for text, encoding in zip(texts, encodings, strict=True)
        ]


def _joined(passage: list[_Piece]) -> str:
    first, *rest = passage
    return first.text + "".join(piece.glue + piece.text for piece in rest)


def _passage_id(source: str, place: str, text: str) -> str:
    return hashlib.sha256("\0".join((source, place, text)).encode()).hexdigest()[:20]


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Sentences with the glue before each, none longer than `_PIECE_CHARS`."""
    for raw_line in text.split("\n"):
        line = " ".join(raw_line.split())
        start, glue = 0, "\n"
        for match in _SENTENCE_END.finditer(line):
            yield from _pieces_of(line[start : match.end()].rstrip(), glue)
            start, glue = match.end(), match["glue"] or ""
        yield from _pieces_of(line[start:], glue)


def _pieces_of(sentence: str, glue: str) -> Iterator[tuple[str, str]]:
    start = 0
    while start < len(sentence):
        end = start + _PIECE_CHARS
        if end < len(sentence):
            space = sentence.rfind(" ", start + 1, end + 1)
            end = space if space > 0 else end
        yield sentence[start:end], glue
        glue = " " if sentence[end : end + 1] == " " else ""
        start = end + len(glue)


def _halves(text: str) -> tuple[str, str, str]:
    middle = len(text) // 2
    space = text.rfind(" ", 1, middle + 1)
    if space < 0:
        space = text.find(" ", middle)
    if space < 0:
        return text[:middle], "", text[middle:]
    return text[:space], " ", text[space + 1 :]
