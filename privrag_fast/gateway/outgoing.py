"""What is sent upstream: each turn minimized, in its place."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from privrag_fast import privacy
from privrag_fast.gateway.escapes import quoted, readable
from privrag_fast.gateway.turns import ChatRequest, ToolCall, Turn
from privrag_fast.types import Attribute, ChatMessage

if TYPE_CHECKING:
    from privrag_fast.conversation import Conversation
    from privrag_fast.gateway.incoming import Answer
    from privrag_fast.limits import Deadline
    from privrag_fast.pipeline import Minimized

_SCHEMAS = frozenset({"parameters", "schema"})


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request that may leave.

    Args:
        body: For the upstream.
        minimized: The receipt, and the way back.
    """

    body: Mapping[str, Any] = field(repr=False)
    minimized: Minimized


def outgoing(
    asked: ChatRequest,
    conversation: Conversation,
    *,
    deadline: Deadline,
    reference: str | None = None,
) -> Outgoing:
    """The request with nothing of its turns that the answer does not turn on.

    Arguments of tool calls lose every value that the LLM did not write into them itself.
    Definitions are the developer's words and pass, as documents do, but for the conversation's
    direct identifiers.
    """
    said = [ChatMessage(cast(Any, own.role), readable(own.text)) for own in asked.turns if own.text]
    minimized = conversation.minimize_history(said, reference=reference, deadline=deadline)
    instruction, *told = (message.content for message in minimized.messages)
    called = [_known_by(call) for turn in asked.turns for call in turn.tool_calls]
    texts, arguments = iter(told), iter(conversation.protect_calls(called) if called else ())
    messages = [_message(turn, texts, arguments) for turn in asked.turns]
    identifiers = _identifiers(minimized)
    body = {
        **asked.parameters,
        **_map_strings(asked.definitions, lambda text: _without(text, identifiers)),
        "messages": _one_system_turn(instruction, messages),
    }
    return Outgoing(body, minimized)


def remember(answer: Answer, conversation: Conversation) -> None:
    """Where the client repeats the answer, the LLM gets its own words again."""
    if answer.turn.text:
        conversation.remember(readable(answer.turn.text), answer.raw)
    for call, raw in zip(answer.turn.tool_calls, answer.raw_arguments, strict=True):
        conversation.remember_call(*_known_by(call), readable(raw))


def _known_by(call: ToolCall) -> tuple[str, str]:
    """Its id and arguments, however a client spells the same JSON."""
    arguments = call.arguments
    with contextlib.suppress(ValueError, RecursionError):
        arguments = json.dumps(json.loads(arguments), ensure_ascii=False)
    return call.id, readable(arguments)


def _message(turn: Turn, texts: Iterator[str], arguments: Iterator[str]) -> dict[str, Any]:
    content = next(texts) if turn.text else turn.text
    if content:
        content = quoted(content, numbers=turn.role == "tool")
    message: dict[str, Any] = {"role": turn.role, "content": content}
    if turn.tool_calls:
        message["tool_calls"] = [
            call.as_data(arguments=quoted(next(arguments))) for call in turn.tool_calls
        ]
    if turn.tool_call_id is not None:
        message["tool_call_id"] = turn.tool_call_id
    return message


def _one_system_turn(instruction: str, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The instruction with the client's own below it: many chat templates know one system turn."""
    own = [instruction]
    while messages and messages[0]["role"] == "system":
        own.append(messages.pop(0)["content"])
    return [{"role": "system", "content": "\n\n".join(own)}, *messages]


# --------------------------------------------------------------------------- definitions


def _identifiers(minimized: Minimized) -> list[Attribute]:
    """Values of the conversation that say who somebody is, whatever the policy."""
    never = {d.attribute.label for d in minimized.receipt.decisions if d.reason == "never"}
    return [
        Attribute(label, value, placeholder, ())
        for placeholder, value in minimized.vault.items()
        if (label := placeholder[1:-1].rpartition("_")[0]) in never | privacy.DIRECT_IDENTIFIERS
    ]


def _without(text: str, identifiers: Sequence[Attribute]) -> str:
    """A developer's text without the direct identifiers of this conversation.

    Nothing else is taken out: where cities stand in a list that is always the same, the gap would
    tell which one the user named.
    """
    return privacy.redact(text, privacy.cover(text, identifiers)) if identifiers else text


def _map_strings(value: Any, change: Callable[[str], str], *, in_schema: bool = False) -> Any:
    """The value with every string in it changed, but for names of functions and of members."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map_strings(own, change, in_schema=in_schema) for own in value]
    if isinstance(value, dict):
        return {
            key if key.isidentifier() else change(key): own
            if key == "name" and not in_schema
            else _map_strings(own, change, in_schema=in_schema or key in _SCHEMAS)
            for key, own in value.items()
        }
    return value
