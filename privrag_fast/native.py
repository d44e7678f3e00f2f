"""The compiled core, loaded in the one order that works.

`llama_cpp` loads its copy of libllama when imported; `_native` links to the same file and reuses
it by soname. The other way round two copies of the library would live in one process. The structs
of llama.h pass by value, so both sides must be built from the same version.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import logging

_llama_logger = logging.getLogger("llama-cpp-python")
if _llama_logger.level == logging.NOTSET:
    # llama_cpp prints below this logger's level to stderr, loading chatter included.
    _llama_logger.setLevel(logging.ERROR)

import llama_cpp  # noqa: E402, F401  (first: see above)

from privrag_fast import _native  # noqa: E402


def _check_version() -> None:
    built = _native.LLAMA_CPP_PYTHON_VERSION
    installed = importlib.metadata.version("llama-cpp-python")
    if built != installed:
        raise ImportError(
            f"privrag_fast was built against llama-cpp-python {built}, but {installed} is "
            f"installed: pip install llama-cpp-python=={built}, or reinstall privrag_fast with "
            "pip install --force-reinstall --no-cache-dir privrag_fast"
        )


_check_version()
# llama.cpp logs through a callback in Python, which is gone before the last models are.
atexit.register(_native.silence_llama)

LLAMA_CPP_PYTHON_VERSION = _native.LLAMA_CPP_PYTHON_VERSION
LlamaError = _native.LlamaError
Restorer = _native.Restorer
Stopped = _native.Stopped
TooLong = _native.TooLong
TreeScorer = _native.TreeScorer
WordPiece = _native.WordPiece
decode_spans = _native.decode_spans
plan_batches = _native.plan_batches
span_inputs = _native.span_inputs

__all__ = [
    "LLAMA_CPP_PYTHON_VERSION",
    "LlamaError",
    "Restorer",
    "Stopped",
    "TooLong",
    "TreeScorer",
    "WordPiece",
    "decode_spans",
    "plan_batches",
    "span_inputs",
]
