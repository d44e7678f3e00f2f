"""The vocabulary of the package: values, one-method protocols, errors.

Imports nothing but the standard library, so that every stage can import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NewType, Protocol

# --------------------------------------------------------------------------- text

SafeText = NewType("SafeText", str)
"""Text that holds no detected value: what retrieval may see.

Made by `privrag_fast.privacy.abstract` from a message, or from a passage of the
corpus, which is public. Retrievers and rerankers accept nothing else.
"""


def says(text: str, value: str) -> bool:
    """Whether a value stands in a text, as words of its own and whatever the case."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


# --------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Entity:
    """A sensitive span of one text.

    Args:
        start, end: Half-open span in code points of the caller's string.
        label: Type name, upper case: `LOCATION`, `BLOOD_TYPE`.
        score: Confidence in [0, 1]; 1.0 for a checksummed pattern.
        source: Who found it: `gliner`, `pattern`, `code`, `repeat`, or a plug-in's name.
    """

    start: int
    end: int
    label: str
    score: float = 1.0
    source: str = "gliner"

    def value(self, text: str) -> str:
        """The entity's surface string in the text that it was found in."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One sensitive value of a message, with all its mentions.

    The value stays out of `repr`, so that an attribute can be logged.
    """

    label: str
    value: str = field(repr=False)
    placeholder: str
    mentions: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document, small enough to embed.

    Args:
        id: Stable across runs: derived from source and position, not from order of insertion.
        text: What is embedded, shown and sent to the LLM.
        title: The document's title, or its file name.
        section: Heading path inside the document, or "".
        source: Path relative to the corpus folder.
    """

    id: str
    text: str
    title: str = ""
    section: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its score; higher is better. Scores of different stages do not compare."""

    passage: Passage
    score: float


def passage_text(passage: Passage) -> str:
    """What a model reads of a passage: its title, then its text.

    The section is left out: reranker and prior are trained on this form, and one form serves all.
    """
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def document_text(hit: Hit) -> str:
    """A hit as it stands in a prompt."""
    return passage_text(hit.passage)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn in the OpenAI sense."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Influence:
    """How much an attribute moves the answer.

    Args:
        attribute: The attribute that was varied.
        substitutes: The values that took its place, one variant each.
        changes: Log-likelihood of the reference answer under the original minus under each
            variant, in nats; same order as `substitutes`.
        influence: One number made of `changes`, in nats; see `relevance.influence`.
        clear: Further substitutes would hardly move it over its threshold.
    """

    attribute: Attribute
    substitutes: tuple[str, ...] = field(repr=False)
    changes: tuple[float, ...]
    influence: float
    clear: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one attribute, and why.

    Args:
        attribute: The attribute.
        kept: True if its value stands in the message to the remote LLM.
        reason: `influence`, `no influence`, `unsure`, `prior`, `never`, `always`, `abstract`,
            `generalized`, or what made it undecidable.
        influence: None where it was not measured.
        value_sent: What stands in the message instead, where it is no placeholder: `60-69`.
        probability: That the answer needs the value, by the prior and what was measured; None
            where the prior was not asked.
    """

    attribute: Attribute
    kept: bool
    reason: str
    influence: Influence | None = None
    value_sent: str | None = field(default=None, repr=False)
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreCounts:
    """Tokens of one scoring call.

    Args:
        asked: Sum of the lengths of all variants.
        unique: Nodes of their prefix tree.
        evaluated: Tokens that the model computed.
        reused: Tokens taken from an earlier call.
    """

    asked: int
    unique: int
    evaluated: int
    reused: int

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        """Of two calls together."""
        return ScoreCounts(
            self.asked + other.asked,
            self.unique + other.unique,
            self.evaluated + other.evaluated,
            self.reused + other.reused,
        )


# --------------------------------------------------------------------------- protocols


class Detector(Protocol):
    """Finds sensitive spans."""

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start."""
        ...


class Retriever(Protocol):
    """Finds passages for an abstracted query."""

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        """At most `k` hits, best first; fewer where the corpus is smaller."""
        ...


class Reranker(Protocol):
    """Orders hits by a closer look at query and passage together."""

    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        """The best `k` of `hits`, best first, with the reranker's scores."""
        ...


class LLM(Protocol):
    """Answers a conversation, remote or local."""

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """The answer in pieces, as they come."""
        ...


# --------------------------------------------------------------------------- errors


class PrivragError(Exception):
    """Base of all errors of this package. None carries a user's text or value."""


class InputError(PrivragError, ValueError):
    """An argument that cannot be used; says what was wanted."""


class ModelError(PrivragError):
    """A model file is missing, damaged or of the wrong kind."""


class CorpusError(PrivragError):
    """A folder of documents, or an index, is missing, damaged or of another version."""


class DetectionError(PrivragError):
    """Detection failed: nothing may be sent."""


class VaultError(PrivragError):
    """A vault is full or has expired, or its file is missing, damaged or of another key."""


class ContextError(PrivragError, ValueError):
    """More tokens than the model's context holds."""


class ScoringError(PrivragError):
    """llama.cpp failed while scoring; the scorer stays usable."""


class GenerationError(PrivragError):
    """The LLM gave no answer: unreachable, too slow, or it refused."""


class BusyError(PrivragError):
    """As much is being done or waits as may: try again later."""


class DeadlineError(PrivragError, TimeoutError):
    """A call took longer than it was given, or was canceled: nothing was sent."""


class ProviderError(PrivragError):
    """An onnxruntime execution provider, or an extra, is not installed."""
