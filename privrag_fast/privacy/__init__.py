"""What may leave: values become placeholders, and placeholders become values again."""

from privrag_fast.privacy.abstraction import (
    abstract,
    abstract_found,
    attributes,
    cover,
    fold,
    leaks,
    literals,
    redact,
    substitute,
)
from privrag_fast.privacy.policy import (
    DEFAULT_DRAFT_THRESHOLD,
    DEFAULT_THRESHOLD,
    DIRECT_IDENTIFIERS,
    Policy,
    decide,
)
from privrag_fast.privacy.reading import PolicyDetector
from privrag_fast.privacy.restoration import (
    Restoration,
    StreamRestorer,
    restore,
    restore_json,
)
from privrag_fast.privacy.styles import DEFAULT_STYLE, STYLES, Style, check_style
from privrag_fast.privacy.vault import LITERAL, Vault, VaultOptions, type_name

__all__ = [
    "DEFAULT_DRAFT_THRESHOLD",
    "DEFAULT_STYLE",
    "DEFAULT_THRESHOLD",
    "DIRECT_IDENTIFIERS",
    "LITERAL",
    "STYLES",
    "Policy",
    "PolicyDetector",
    "Restoration",
    "StreamRestorer",
    "Style",
    "Vault",
    "VaultOptions",
    "abstract",
    "abstract_found",
    "attributes",
    "check_style",
    "cover",
    "decide",
    "fold",
    "leaks",
    "literals",
    "redact",
    "restore",
    "restore_json",
    "substitute",
    "type_name",
]
