"""The local model as the LLM: nothing leaves the machine."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence

from privrag_fast.llama import LanguageModel
from privrag_fast.types import ChatMessage, GenerationError, PrivragError


class LocalChat:
    """An `LLM` on this machine; greedy, streamed."""

    def __init__(self, model: LanguageModel, *, max_tokens: int = 128) -> None:
        self._model = model
        self._max_tokens = max_tokens

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """The answer in pieces; closing the iterator stops the model.

        Raises:
            GenerationError: The model failed, or the prompt exceeds its context.
        """
        prompt = self._model.render(messages)
        pieces: queue.SimpleQueue[str | PrivragError | None] = queue.SimpleQueue()
        abandoned = threading.Event()

        def run() -> None:
            end: PrivragError | None = None
            try:
                self._model.draft(
                    prompt,
                    max_tokens=self._max_tokens,
                    on_text=pieces.put,
                    should_stop=abandoned.is_set,
                )
            except PrivragError as error:
                end = error
            finally:
                pieces.put(end)

        worker = threading.Thread(target=run, name="privrag-local-chat", daemon=True)
        worker.start()
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, PrivragError):
                    raise GenerationError(f"the local model failed: {piece}") from piece
                yield piece
        finally:
            abandoned.set()
            worker.join()
