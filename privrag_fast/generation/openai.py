"""Any OpenAI-compatible endpoint, through the official client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from privrag_fast.types import ChatMessage, GenerationError


class OpenAIChat:
    """An `LLM` behind `/v1/chat/completions`, streamed.

    Args:
        model: The endpoint's name for the model.
        base_url: Defaults to `OPENAI_BASE_URL`, then to the client's own default.
        api_key: Defaults to `OPENAI_API_KEY`.
        timeout: Seconds until the endpoint has to have sent something.
        max_retries: Of requests that found no connection, or a busy server; never after the
            first piece of an answer.
        max_tokens: Of the answer.

    Raises:
        GenerationError: No key is given or in the environment.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        max_tokens: int = 512,
    ) -> None:
        import openai

        try:
            self._client = openai.OpenAI(
                base_url=base_url, api_key=api_key, timeout=timeout, max_retries=max_retries
            )
        except openai.OpenAIError:
            raise GenerationError(
                "the LLM endpoint needs a key: set OPENAI_API_KEY, or pass api_key (any text "
                "where the endpoint wants none)"
            ) from None
        self._model = model
        self._max_tokens = max_tokens

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """The answer in pieces.

        Raises:
            GenerationError: The endpoint is down, too slow, refuses, or breaks off.
        """
        turns = [{"role": m.role, "content": m.content} for m in messages]
        try:
            stream = self._client.chat.completions.create(
                model=self._model,
                messages=cast(Any, turns),
                max_completion_tokens=self._max_tokens,
                stream=True,
            )
            for chunk in stream:
                if chunk.choices and (piece := chunk.choices[0].delta.content):
                    yield piece
        except Exception as error:
            # Whatever the transport raises; its text may quote the request and is not passed on.
            raise GenerationError(f"{self._client.base_url} {_what_went_wrong(error)}") from None


def _what_went_wrong(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    if status is not None:
        return f"refused with status {status}"
    if "Timeout" in type(error).__name__:
        return "did not answer in time: raise timeout, or try again"
    return (
        f"cannot be reached or broke off ({type(error).__name__}): check base_url and the network"
    )
