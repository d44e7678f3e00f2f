"""The upstream's answer on its way to the user: placeholders become values, as they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privrag_fast import privacy
from privrag_fast.gateway.errors import AnswerError
from privrag_fast.gateway.turns import ToolCall, Turn

_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one choice says.

    Args:
        turn: As the client got it.
        raw: Its text as it came.
        raw_arguments: Those of its tool calls, as they came.
    """

    turn: Turn
    raw: str = field(repr=False)
    raw_arguments: tuple[str, ...] = field(repr=False)


class Incoming:
    """Restores one answer, of one or several choices, whole or streamed.

    Nothing is held back but what may be a placeholder. Arguments of tool calls stay JSON.

    Args:
        json: The content is JSON, too, and stays it.
    """

    def __init__(self, vault: privacy.Vault, *, json: bool = False) -> None:
        self._vault = vault
        self._json = json
        self._choices: dict[int, _Choice] = {}
        self._last: Mapping[str, Any] = {}

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Each choice."""
        return tuple(choice.answer for choice in self._choices.values())

    @property
    def unknown(self) -> int:
        """Placeholders in the texts that nobody handed out."""
        return sum(choice.unknown for choice in self._choices.values())

    @property
    def complete(self) -> bool:
        """Whether every choice has come to its end."""
        return bool(self._choices) and all(choice.finished for choice in self._choices.values())

    def whole(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """An answer that was not streamed.

        Raises:
            AnswerError: It is no chat completion.
        """
        choices = [self._restored(own, "message", finished=True) for own in _choices(answer)]
        if not choices:
            raise AnswerError("it has no choices")
        return {**answer, "choices": choices}

    def feed(self, chunk: Mapping[str, Any]) -> dict[str, Any] | None:
        """A chunk of a stream, or None where all of it is held back for now.

        Raises:
            AnswerError: It is no chunk of a chat completion.
        """
        self._last = chunk
        is_usage = chunk.get("choices") is None and chunk.get("usage")
        given = [] if is_usage else _choices(chunk)
        restored = [
            self._restored(own, "delta", finished=bool(own.get("finish_reason"))) for own in given
        ]
        told = [
            own
            for own in restored
            if own["delta"] or own.get("finish_reason") or own.get("logprobs")
        ]
        return {**chunk, "choices": told} if told or chunk.get("usage") or not given else None

    def rest(self) -> dict[str, Any] | None:
        """What is still held back where a stream breaks off."""
        choices = [
            {"index": index, "delta": delta, "finish_reason": None}
            for index, choice in self._choices.items()
            if not choice.finished and (delta := choice.flush({}))
        ]
        return {**self._last, "choices": choices} if choices else None

    def _restored(self, choice: Mapping[str, Any], key: str, *, finished: bool) -> dict[str, Any]:
        index, message = choice.get("index", 0), choice.get(key)
        message = {} if message is None else message
        if not isinstance(index, int) or not isinstance(message, dict):
            raise AnswerError("a choice is malformed")
        state = self._choices.setdefault(index, _Choice(self._vault, json=self._json))
        restored = state.feed(message)
        return {**choice, key: state.flush(restored) if finished else restored}


class _Choice:
    """One choice: its texts and tool calls as far as they have come."""

    def __init__(self, vault: privacy.Vault, *, json: bool) -> None:
        self._vault = vault
        self._json = json
        self._texts: dict[str, _Text] = {}
        self._calls: dict[int, _Call] = {}
        self._places: dict[int, int] = {}
        self.finished = False

    @property
    def answer(self) -> Answer:
        calls = tuple(
            ToolCall(call.names.get("id", ""), call.names.get("name", ""), call.arguments.told)
            for call in self._calls.values()
        )
        said = [own for key in ("content", "refusal") if (own := self._texts.get(key))]
        return Answer(
            Turn("assistant", said[0].told if said else None, calls),
            said[0].came if said else "",
            tuple(call.arguments.came for call in self._calls.values()),
        )

    @property
    def unknown(self) -> int:
        calls = (call.arguments for call in self._calls.values())
        return sum(text.unknown for text in (*self._texts.values(), *calls))

    def feed(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What is certain of a message, or of the next piece of one."""
        restored = dict(message)
        for key in _TEXTS:
            if text := message.get(key):
                is_json = self._json and key == "content"
                own = self._texts.setdefault(key, _Text(self._vault, json=is_json))
                restored[key] = own.feed(text)
        if calls := message.get("tool_calls"):
            pieces = [self._feed_call(call, n) for n, call in enumerate(_objects(calls))]
            restored["tool_calls"] = [piece for piece in pieces if piece]
        return {key: own for key, own in restored.items() if own or own == message.get(key)}

    def flush(self, message: dict[str, Any]) -> dict[str, Any]:
        """The last piece, with all that was held back behind it."""
        self.finished = True
        for key, own in self._texts.items():
            if rest := own.flush():
                message[key] = (message.get(key) or "") + rest
        pieces = {own.get("index", n): own for n, own in enumerate(message.get("tool_calls") or ())}
        for index, call in self._calls.items():
            if rest := call.arguments.flush():
                function = pieces.setdefault(index, {"index": index}).setdefault("function", {})
                function["arguments"] = function.get("arguments", "") + rest
        if pieces:
            message["tool_calls"] = list(pieces.values())
        return message

    def _feed_call(self, call: Mapping[str, Any], position: int) -> dict[str, Any]:
        """What is certain of a call. Its names come once: llama.cpp's server repeats them."""
        index, function = call.get("index"), call.get("function") or {}
        index = position if index is None else index
        if not isinstance(index, int) or not isinstance(function, dict):
            raise AnswerError("a tool call is malformed")
        index = self._place(index, call.get("id"))
        own = self._calls.setdefault(index, _Call(_Text(self._vault, json=True)))
        named = {"id": call.get("id"), "name": function.get("name")}
        new = {key: str(name) for key, name in named.items() if name and key not in own.names}
        own.names.update(new)
        arguments = own.arguments.feed(function.get("arguments") or "")
        if new:
            told = {**call, "function": {**function, "arguments": arguments}}
            return {**told, "index": index} if "index" in call or index != position else told
        return {"index": index, "function": {"arguments": arguments}} if arguments else {}

    def _place(self, index: int, id: object) -> int:  # noqa: A002
        """The number of a call: some servers give all of them the same, or none."""
        place = self._places.get(index, index)
        if id and place in self._calls and self._calls[place].names.get("id", id) != id:
            place = self._places[index] = max(self._calls) + 1
        return place


class _Text:
    """A text as it comes and as it is told."""

    def __init__(self, vault: privacy.Vault, *, json: bool = False) -> None:
        self._restorer = privacy.StreamRestorer(vault, json=json)
        self._came: list[str] = []
        self._told: list[str] = []

    @property
    def came(self) -> str:
        return "".join(self._came)

    @property
    def told(self) -> str:
        return "".join(self._told)

    @property
    def unknown(self) -> int:
        return len(self._restorer.unknown)

    def feed(self, text: object) -> str:
        if not isinstance(text, str):
            raise AnswerError("what should be text is none")
        self._came.append(text)
        self._told.append(self._restorer.feed(text))
        return self._told[-1]

    def flush(self) -> str:
        self._told.append(self._restorer.flush())
        return self._told[-1]


@dataclass(frozen=True, slots=True)
class _Call:
    """A tool call: its names as far as they are known, and its arguments."""

    arguments: _Text
    names: dict[str, str] = field(default_factory=dict)


def _choices(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    choices = answer.get("choices")
    if choices is None:
        raise AnswerError("it has no choices")
    return _objects(choices)


def _objects(values: object) -> Sequence[Mapping[str, Any]]:
    if not isinstance(values, list) or not all(isinstance(own, dict) for own in values):
        raise AnswerError("a list of objects was wanted")
    return values
