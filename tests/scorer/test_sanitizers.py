"""The C++ core under AddressSanitizer and UBSan."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import llama_cpp
import pytest

ROOT = Path(__file__).resolve().parents[2]
LLAMA = Path(llama_cpp.__file__).parent


def test_core_under_sanitizers(tiny: Path, tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++")
    sources = [str(p) for p in sorted((ROOT / "csrc").glob("*.cpp")) if p.name != "module.cpp"]
    binary = tmp_path / "sanitize"
    build = [compiler, "-std=c++17", "-O1", "-g", "-fsanitize=address,undefined"]
    build += [
        "-fno-sanitize-recover=all",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
    ]
    build += [f"-I{ROOT / 'csrc'}", "-isystem", str(LLAMA.parent / "include")]
    build += [*sources, str(ROOT / "tests/scorer/sanitize.cpp"), "-o", str(binary)]
    build += [f"-L{LLAMA / 'lib'}", "-lllama", f"-Wl,-rpath,{LLAMA / 'lib'}"]
    build += [f"-Wl,-rpath-link,{LLAMA / 'lib'}"]
    subprocess.run(build, check=True)
    # llama.cpp keeps its backend registry for the life of the process.
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [str(binary), str(tiny)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
