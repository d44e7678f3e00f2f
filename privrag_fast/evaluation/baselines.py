"""What else could choose which values to send: rivals of influence, on the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from privrag_fast import privacy
from privrag_fast.llama import LanguageModel
from privrag_fast.retrieval import TextEmbedder
from privrag_fast.types import Attribute, ChatMessage, Hit, SafeText, document_text

PROMPTS = Path(__file__).parent / "prompts"


class Baseline(Protocol):
    """Scores attributes by a look at message and documents; higher is rather sent."""

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> Sequence[float]:
        """One number per attribute."""
        ...


class Asked:
    """Asks the local model: does the answer depend on this? Log-odds of Yes against No."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._prompt = (PROMPTS / "needed.txt").read_text(encoding="utf-8").strip()

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> Sequence[float]:
        """Nats; all attributes share documents and message, so they are read once."""
        if not attributes:
            return []
        prompts = [self._render(message, attribute, hits) for attribute in attributes]
        yes, no = (self._model.score(prompts, word).log_likelihood for word in ("Yes", "No"))
        return [float(odds) for odds in yes - no]

    def _render(self, message: str, attribute: Attribute, hits: Sequence[Hit]) -> str:
        asked = self._prompt.format(
            documents="\n\n".join(map(document_text, hits)),
            message=message,
            label=_in_words(attribute.label),
            value=attribute.value,
        )
        return self._model.render([ChatMessage("user", asked)])


class Similarity:
    """Cosine between an attribute, type and value, and the nearest passage."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> Sequence[float]:
        """In [-1, 1]; 0 where there is no passage."""
        if not attributes or not hits:
            return [0.0] * len(attributes)
        # An evaluation on this machine: nothing is sent, so raw values may be embedded.
        own = [SafeText(f"{_in_words(a.label)}: {a.value}") for a in attributes]
        passages = [SafeText(document_text(hit)) for hit in hits]
        cosines = self._embedder.embed(own) @ self._embedder.embed(passages).T
        return [float(cosine) for cosine in cosines.max(axis=1)]


def _in_words(label: str) -> str:
    return privacy.type_name(label).replace("_", " ").lower()
