"""Who may import whom."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import privrag_fast

PACKAGE = Path(privrag_fast.__file__).parent
STAGES = ("detection", "privacy", "retrieval", "relevance", "generation")
HOMES = {
    "onnx": ("int8.py", "onnx_graph.py"),
    "onnxruntime": ("onnx.py",),
    "tokenizers": ("onnx.py", "detection/tokens.py"),
    "hnswlib": ("retrieval/",),
    "bm25s": ("retrieval/lexical.py",),
    "llama_cpp": ("native.py", "llama.py"),
    "gguf": ("lora.py",),
    "openai": ("generation/",),
    "faker": ("relevance/", "training/"),
    "torch": ("training/",),
    "gliner": ("training/",),
    "transformers": ("training/",),
}
SOURCES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def imports(source: str) -> Iterator[str]:
    """Names of modules that a file imports, but for annotations."""
    tree = ast.parse((PACKAGE / source).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("source", SOURCES)
def test_libraries_have_one_home(source: str) -> None:
    if source.startswith("training/"):
        return  # training is offline and may use the runtimes to measure what it made
    for name in imports(source):
        homes = HOMES.get(name.split(".")[0])
        if homes is not None:
            assert source.startswith(homes), f"{source} imports {name}; only {homes} may"


@pytest.mark.parametrize("source", [s for s in SOURCES if s.startswith(STAGES)])
def test_stages_do_not_import_each_other(source: str) -> None:
    own = source.split("/")[0]
    for name in imports(source):
        parts = name.split(".")
        if parts[0] == "privrag_fast" and len(parts) > 1:
            allowed = {own, "types", "articles", "onnx", "models", "native", "llama"}
            assert parts[1] in allowed, f"{source} imports {name}"


def test_types_imports_only_the_standard_library() -> None:
    for name in imports("types.py"):
        assert name.split(".")[0] in sys.stdlib_module_names
