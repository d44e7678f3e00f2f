"""A chat completion request, read by an allow list: what is not known is not sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privrag_fast.gateway.errors import GatewayError

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant",
          "tool": "tool"}  # fmt: skip
_NUMBERS = frozenset(
    {"temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty",
     "repeat_penalty", "max_tokens", "max_completion_tokens", "n", "seed", "top_logprobs"}
)  # fmt: skip
_FLAGS = frozenset({"stream", "logprobs", "parallel_tool_calls"})
_WORDS = frozenset({"reasoning_effort", "verbosity", "service_tier"})
_WORD = re.compile(r"[a-z_]{1,32}")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_MODEL = re.compile(r"[A-Za-z0-9_.:/@+-]{1,200}")
_CALL_ID = re.compile(r"[A-Za-z0-9_.:|-]{1,128}")
_MOST_CHOICES = 128
_TEXT_PARTS = ("text", "refusal")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a function, as an assistant's turn holds it."""

    id: str
    name: str
    arguments: str = field(repr=False)

    def as_data(self, *, arguments: str | None = None) -> dict[str, Any]:
        """As requests and answers hold it, with these arguments instead of its own."""
        own = self.arguments if arguments is None else arguments
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": own},
        }


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the request; its text parts are joined by line ends."""

    role: str
    text: str | None = field(repr=False)
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What of a request may be sent on.

    Args:
        turns: The conversation, to be minimized.
        parameters: Numbers, flags and names: they hold no text.
        definitions: `tools`, `response_format` and the like: the developer's words.
        dropped: Names of fields that are not sent on.
    """

    turns: tuple[Turn, ...]
    parameters: Mapping[str, Any]
    definitions: Mapping[str, Any] = field(repr=False)
    dropped: tuple[str, ...] = ()

    @property
    def stream(self) -> bool:
        """Whether the answer is wanted in pieces."""
        return bool(self.parameters.get("stream"))

    @property
    def wants_json(self) -> bool:
        """Whether the answer's text is to be JSON."""
        return str(self.definitions.get("response_format", {}).get("type", "")).startswith("json")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ChatRequest:
        """The request in a body.

        Raises:
            GatewayError: A field that matters is missing, of the wrong kind, or cannot be
                minimized, as an image cannot.
        """
        parameters: dict[str, Any] = {}
        definitions: dict[str, Any] = {}
        dropped: list[str] = []
        for name, value in data.items():
            if value is None or name == "messages":
                continue
            if name in _PARAMETERS:
                parameters[name] = _PARAMETERS[name](value, name)
            elif name in _DEFINITIONS:
                definitions[name] = _DEFINITIONS[name](value, name)
            else:
                dropped.append(name)
        if "model" not in parameters:
            raise _wrong("model", "a model's name")
        turns = read_turns(data.get("messages"))
        return cls(turns, parameters, definitions, tuple(dropped))


def read_model(value: object, at: str) -> str:
    """A model's name.

    Raises:
        GatewayError: It is none.
    """
    return _matching(_MODEL, value, at)


def read_turns(messages: object) -> tuple[Turn, ...]:
    """The conversation in `messages`.

    Raises:
        GatewayError: It cannot be read, or no user has said anything.
    """
    turns = tuple(
        _turn(_mapping(message, f"messages[{n}]"), f"messages[{n}]")
        for n, message in enumerate(_list(messages, "messages"))
    )
    if not any(turn.role == "user" and turn.text and turn.text.strip() for turn in turns):
        raise _wrong("messages", "at least one user message with text")
    return turns


# --------------------------------------------------------------------------- messages


def _turn(message: Mapping[str, Any], at: str) -> Turn:
    role = _ROLES.get(read_text(message.get("role"), f"{at}.role"))
    if role is None:
        raise _wrong(f"{at}.role", f"one of {', '.join(_ROLES)}")
    text = _content(message.get("content"), f"{at}.content")
    calls: tuple[ToolCall, ...] = ()
    if role == "assistant":
        if not text and message.get("refusal") is not None:
            text = read_text(message["refusal"], f"{at}.refusal")
        given = message.get("tool_calls") or ()
        calls = tuple(
            _tool_call(_mapping(call, f"{at}.tool_calls[{n}]"), f"{at}.tool_calls[{n}]")
            for n, call in enumerate(_list(given, f"{at}.tool_calls"))
        )
    elif text is None:
        raise _wrong(f"{at}.content", "text")
    answers = _name(_CALL_ID, message.get("tool_call_id"), at, "tool_call_id")
    return Turn(role, text, calls, answers if role == "tool" else None)


def _content(content: object, at: str) -> str | None:
    if content is None or isinstance(content, str):
        return content
    parts = [_mapping(part, f"{at}[{n}]") for n, part in enumerate(_list(content, at))]
    for n, part in enumerate(parts):
        if part.get("type") not in _TEXT_PARTS:
            raise GatewayError(
                f"{at}[{n}] must be a text part: nothing else can be minimized",
                code="unsupported_content",
                param=f"{at}[{n}]",
            )
    kinds = [str(part["type"]) for part in parts]
    return "\n".join(
        read_text(part.get(kind), f"{at}[{n}].{kind}")
        for n, (part, kind) in enumerate(zip(parts, kinds, strict=True))
    )


def _tool_call(call: Mapping[str, Any], at: str) -> ToolCall:
    function = _mapping(call.get("function"), f"{at}.function")
    return ToolCall(
        _matching(_CALL_ID, call.get("id"), f"{at}.id"),
        _matching(_NAME, function.get("name"), f"{at}.function.name"),
        read_text(function.get("arguments"), f"{at}.function.arguments"),
    )


def _name(pattern: re.Pattern[str], value: object, at: str, key: str) -> str | None:
    return None if value is None else _matching(pattern, value, f"{at}.{key}")


# --------------------------------------------------------------------------- definitions


def _tools(value: object, at: str) -> list[dict[str, Any]]:
    return [_tool(_mapping(tool, f"{at}[{n}]"), f"{at}[{n}]") for n, tool in
            enumerate(_list(value, at))]  # fmt: skip


def _tool(tool: Mapping[str, Any], at: str) -> dict[str, Any]:
    if tool.get("type") != "function":
        raise _wrong(f"{at}.type", "function")
    function = _mapping(tool.get("function"), f"{at}.function")
    return {"type": "function", "function": _schema(function, f"{at}.function", "parameters")}


def _response_format(value: object, at: str) -> dict[str, Any]:
    wanted = _mapping(value, at)
    kind = _matching(_WORD, wanted.get("type"), f"{at}.type")
    if kind != "json_schema":
        return {"type": kind}
    own = _mapping(wanted.get("json_schema"), f"{at}.json_schema")
    return {"type": kind, "json_schema": _schema(own, f"{at}.json_schema", "schema")}


def _schema(own: Mapping[str, Any], at: str, key: str) -> dict[str, Any]:
    """Name, description and JSON schema of a function or an answer."""
    read: dict[str, Any] = {"name": _matching(_NAME, own.get("name"), f"{at}.name")}
    if own.get("description") is not None:
        read["description"] = read_text(own["description"], f"{at}.description")
    if own.get(key) is not None:
        read[key] = dict(_mapping(own[key], f"{at}.{key}"))
    if own.get("strict") is not None:
        read["strict"] = _flag(own["strict"], f"{at}.strict")
    return read


def _tool_choice(value: object, at: str) -> object:
    if isinstance(value, str):
        return _matching(_WORD, value, at)
    function = _mapping(_mapping(value, at).get("function"), f"{at}.function")
    name = _matching(_NAME, function.get("name"), f"{at}.function.name")
    return {"type": "function", "function": {"name": name}}


def _stop(value: object, at: str) -> list[str]:
    given = [value] if isinstance(value, str) else _list(value, at)
    return [read_text(text, f"{at}[{n}]") for n, text in enumerate(given)]


# --------------------------------------------------------------------------- parameters


def _number(value: object, at: str) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(at, "a number")
    return value


def _choices(value: object, at: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_CHOICES:
        raise _wrong(at, f"a whole number from 1 to {_MOST_CHOICES}")
    return value


def _flag(value: object, at: str) -> object:
    if not isinstance(value, bool):
        raise _wrong(at, "true or false")
    return value


def _word(value: object, at: str) -> object:
    return _matching(_WORD, value, at)


def _stream_options(value: object, at: str) -> object:
    usage = _mapping(value, at).get("include_usage", False)
    return {"include_usage": _flag(usage, f"{at}.include_usage")}


def _logit_bias(value: object, at: str) -> object:
    bias = _mapping(value, at)
    if not all(token.isascii() and token.isdigit() for token in bias):
        raise _wrong(at, "numbers by token")
    return {token: _number(own, at) for token, own in bias.items()}


_Read = Callable[[object, str], object]
_PARAMETERS: dict[str, _Read] = {
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_FLAGS, _flag),
    **dict.fromkeys(_WORDS, _word),
    "n": _choices,
    "model": read_model,
    "stream_options": _stream_options,
    "logit_bias": _logit_bias,
    "tool_choice": _tool_choice,
}
_DEFINITIONS: dict[str, _Read] = {
    "tools": _tools,
    "response_format": _response_format,
    "stop": _stop,
}


# --------------------------------------------------------------------------- kinds


def read_text(value: object, at: str) -> str:
    """The value, which must be a string."""
    if not isinstance(value, str):
        raise _wrong(at, "text")
    return value


def _matching(pattern: re.Pattern[str], value: object, at: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise _wrong(at, f"a name like {pattern.pattern}")
    return value


def _mapping(value: object, at: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(at, "an object")
    return value


def _list(value: object, at: str) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise _wrong(at, "a list")
    return value


def _wrong(at: str, wanted: str) -> GatewayError:
    return GatewayError(f"{at} must be {wanted}", code="invalid_value", param=at)
