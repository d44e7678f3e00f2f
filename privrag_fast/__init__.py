"""privrag_fast: a local privacy layer for retrieval-augmented generation.

    rag = PrivateRag.open("index/")
    result = rag.minimize("I'm 67 and live in Zurich. Can I open the Senior Saver account?")
    result.message, result.receipt

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from privrag_fast.assembly import open_rag
    from privrag_fast.pipeline import Answer, Minimized, PipelineOptions, PrivateRag, Receipt
    from privrag_fast.privacy import Policy
    from privrag_fast.types import PrivragError

_HOMES = {
    "Answer": "pipeline",
    "Minimized": "pipeline",
    "PipelineOptions": "pipeline",
    "Policy": "privacy",
    "PrivateRag": "pipeline",
    "PrivragError": "types",
    "Receipt": "pipeline",
    "open_rag": "assembly",
}

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Minimized",
    "PipelineOptions",
    "Policy",
    "PrivateRag",
    "PrivragError",
    "Receipt",
    "open_rag",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
