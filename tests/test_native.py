"""The hand-written stub against the built module."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import privrag_fast
from privrag_fast import _native, native

STUB = Path(privrag_fast.__file__).with_name("_native.pyi")
TYPES_ONLY = {"Scores", "SpecialTokens", "Plan"}


def test_stub_names_what_the_module_has() -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    named = {
        node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    } | {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    public = {name for name in vars(_native) if not name.startswith("_")}
    assert named - TYPES_ONLY == public


@pytest.mark.parametrize("name", ["score", "draft", "tokenize", "piece", "__init__"])
def test_stub_arguments(name: str) -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    [scorer] = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "TreeScorer"]
    [stub] = [n for n in scorer.body if isinstance(n, ast.FunctionDef) and n.name == name]
    signature = inspect.getdoc(getattr(_native.TreeScorer, name)) or ""
    for argument in [*stub.args.args[1:], *stub.args.kwonlyargs]:
        assert f"{argument.arg}:" in signature


def test_built_against_the_installed_llama() -> None:
    installed = importlib.metadata.version("llama-cpp-python")
    assert installed == _native.LLAMA_CPP_PYTHON_VERSION


def test_another_llama_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.0.1")
    with pytest.raises(ImportError, match=r"pip install llama-cpp-python=="):
        native._check_version()


def test_import_is_light() -> None:
    """Under 0.3 s, and neither models nor torch."""
    code = (
        "import sys, time; start = time.perf_counter(); import privrag_fast; "
        "from privrag_fast import Policy, PrivragError; "
        "print(time.perf_counter() - start); "
        "print(*sorted({'torch', 'onnxruntime', 'llama_cpp', 'faker'} & set(sys.modules)))"
    )
    seconds, loaded = min(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split("\n")[:2]
        for _ in range(3)
    )
    assert loaded == ""
    assert float(seconds) < 0.3


def test_one_copy_of_libllama() -> None:
    """The extension reuses the library that llama_cpp loaded."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("needs /proc")
    loaded = {line.split()[-1] for line in maps.read_text().splitlines() if "libllama.so" in line}
    assert len(loaded) == 1
