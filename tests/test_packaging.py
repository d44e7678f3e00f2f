"""The distributions that users install."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist and the wheel that is built from it, without build isolation."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


def test_sdist_holds_what_a_build_needs(dist: Path) -> None:
    [path] = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in (
        "CMakeLists.txt", "csrc/module.cpp", "privrag_fast/weights/detector/model.onnx",
        "examples/questions.jsonl", "LICENSE", "README.md",
    ):  # fmt: skip
        assert wanted in names
    assert not any(name.startswith(("tests/", "benchmarks/", ".venv", "build/")) for name in names)


def test_wheel_holds_what_a_user_needs(dist: Path) -> None:
    [path] = dist.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
    for wanted in (
        "privrag_fast/py.typed", "privrag_fast/_native.pyi", "privrag_fast/cli.py",
        "privrag_fast/weights/detector/model.onnx", "privrag_fast/weights/reranker/model.onnx",
        "privrag_fast/weights/embedder/tokenizer.json",
    ):  # fmt: skip
        assert wanted in names
    assert any(name.startswith("privrag_fast/_native.") and name.endswith(".so") for name in names)
    assert all(name.startswith("privrag_fast") for name in names)


def test_install_from_sdist_in_a_fresh_environment(dist: Path, tmp_path: Path) -> None:
    """`pip install`, with build isolation, as a stranger would."""
    [sdist] = dist.glob("*.tar.gz")
    environment = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", str(sdist)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    code = (
        "from privrag_fast import native, models; import pathlib; "
        "from privrag_fast.detection.gliner import Gliner; "
        "folder = models.find('detector')['model.onnx'].parent; "
        "print(*(e.label for e in Gliner(folder).detect(['I am Nora, 67, from Oslo'])[0]))"
    )
    done = subprocess.run(
        [str(python), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["PERSON", "AGE", "LOCATION"]
    shown = subprocess.run(
        [str(environment / "bin" / "privrag-fast"), "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shown.stdout.startswith("privrag-fast")
