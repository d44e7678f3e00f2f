"""Generation: the minimized message to an answer, by a remote or a local model."""

from privrag_fast.generation.local import LocalChat
from privrag_fast.generation.openai import OpenAIChat

__all__ = ["LocalChat", "OpenAIChat"]
