"""Merges a LoRA adapter into a GGUF model, once, at set-up (Hu et al. 2021).

An adapter is an .npz file of float16 factors under the names of the tensors that they change, in
llama.cpp's own layout: `blk.0.attn_q.weight.lora_a` [rank, in] and `.lora_b` [out, rank], with
`rank` and `alpha` beside them. `W + alpha / rank * B @ A` takes the place of `W`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import gguf
import numpy as np
import numpy.typing as npt

from privrag_fast.types import InputError, ModelError

FloatArray: TypeAlias = npt.NDArray[np.float32]

_FTYPES: Final = {
    "F32": (gguf.GGMLQuantizationType.F32, gguf.LlamaFileType.ALL_F32),
    "F16": (gguf.GGMLQuantizationType.F16, gguf.LlamaFileType.MOSTLY_F16),
    "BF16": (gguf.GGMLQuantizationType.BF16, gguf.LlamaFileType.MOSTLY_BF16),
}


@dataclass(frozen=True, slots=True)
class Adapter:
    """Low-rank changes of some of a model's weights.

    Args:
        rank: Rows of each A and columns of each B.
        alpha: Changes are scaled by `alpha / rank`.
        factors: Tensor name to A [rank, in] and B [out, rank], in llama.cpp's order of rows.
    """

    rank: int
    alpha: float
    factors: Mapping[str, tuple[FloatArray, FloatArray]]

    def change(self, name: str) -> FloatArray:
        """What is added to a tensor, float32 [out, in]."""
        a, b = self.factors[name]
        return np.float32(self.alpha / self.rank) * (b @ a)


def rows_for_llama_cpp(weight: FloatArray, heads: int) -> FloatArray:
    """Reorders rows of a query or key projection from Hugging Face's order to llama.cpp's.

    The former turns the two halves of a head against each other, the latter neighboring rows.
    """
    rows, columns = weight.shape
    halves = weight.reshape(heads, 2, rows // heads // 2, columns)
    return halves.swapaxes(1, 2).reshape(rows, columns)


def rows_for_hugging_face(weight: FloatArray, heads: int) -> FloatArray:
    """Undoes `rows_for_llama_cpp`."""
    rows, columns = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


def save_adapter(path: Path, adapter: Adapter) -> None:
    """Writes an adapter in float16."""
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "rank": np.array(adapter.rank, np.int64),
        "alpha": np.array(adapter.alpha, np.float64),
    }
    for name, (a, b) in adapter.factors.items():
        arrays[f"{name}.lora_a"] = a.astype(np.float16)
        arrays[f"{name}.lora_b"] = b.astype(np.float16)
    with path.open("wb") as file:  # savez would add .npz to another name
        np.savez(file, **arrays)  # type: ignore[arg-type]


def load_adapter(path: str | Path) -> Adapter:
    """Reads an adapter.

    Raises:
        ModelError: The file is missing, damaged, or no adapter.
    """
    path = Path(path)
    if not path.is_file():
        raise ModelError(f"{path} is not a file: give the path of a LoRA adapter (.npz)")
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        rank, alpha = int(arrays.pop("rank")), float(arrays.pop("alpha"))
        names = sorted({name.rpartition(".lora_")[0] for name in arrays})
        factors = {
            name: (
                arrays[f"{name}.lora_a"].astype(np.float32),
                arrays[f"{name}.lora_b"].astype(np.float32),
            )
            for name in names
        }
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(
            f"{path} is no LoRA adapter: it needs rank, alpha, and lora_a and lora_b for each "
            "tensor; a truncated download?"
        ) from error
    adapter = Adapter(rank, alpha, factors)
    _check_ranks(path, adapter)
    return adapter


def _check_ranks(path: Path, adapter: Adapter) -> None:
    if adapter.rank < 1:
        raise ModelError(f"{path}: rank must be 1 or more, got {adapter.rank}")
    for name, (a, b) in adapter.factors.items():
        if a.ndim != 2 or b.ndim != 2 or a.shape[0] != adapter.rank or b.shape[1] != adapter.rank:
            raise ModelError(
                f"{path}: {name} must have factors [{adapter.rank}, in] and [out, "
                f"{adapter.rank}], got {list(a.shape)} and {list(b.shape)}"
            )


def merge(base: str | Path, adapter: str | Path, out: str | Path, *, ftype: str = "BF16") -> None:
    """Writes `base` with the adapter's changes; matrices in `ftype`, the rest in F32.

    Metadata and tokenizer are kept, and the adapter's digest stands beside them. One tensor is in
    memory at a time, beside the mapped base.

    Raises:
        InputError: `ftype` is not F32, F16 or BF16.
        ModelError: A file cannot be read, or the adapter is made for another model; nothing is
            written then.
    """
    # Not above: training reads and writes adapters without llama.cpp.
    from privrag_fast.llama import ADAPTER_KEY
    from privrag_fast.models import sha256_of

    if ftype not in _FTYPES:
        raise InputError(f"ftype must be one of {', '.join(_FTYPES)}, got {ftype!r}")
    reader, changes = _read(Path(base)), load_adapter(adapter)
    _check_fit(reader, changes, adapter, base)
    kind, file_type = _FTYPES[ftype]
    writer = gguf.GGUFWriter(str(out), _text(reader, gguf.Keys.General.ARCHITECTURE))
    try:
        _copy_metadata(reader, writer, file_type, without=ADAPTER_KEY)
        writer.add_string(ADAPTER_KEY, sha256_of(Path(adapter)))
        for tensor in reader.tensors:
            _announce(writer, tensor, _kind_of(tensor, kind))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for data in _merged(reader, changes, kind):
            writer.write_tensor_data(data)
    finally:
        writer.close()


def _read(path: Path) -> gguf.GGUFReader:
    if not path.is_file():
        raise ModelError(f"{path} is not a file: give the path of a GGUF model")
    try:
        return gguf.GGUFReader(str(path))
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise ModelError(f"{path} is no GGUF file; a truncated download?") from error


def _check_fit(
    reader: gguf.GGUFReader, adapter: Adapter, path: str | Path, base: str | Path
) -> None:
    """Every change has its tensor, of the same shape."""
    shapes = {tensor.name: [int(n) for n in reversed(tensor.shape)] for tensor in reader.tensors}
    for name, (a, b) in adapter.factors.items():
        wanted = [b.shape[0], a.shape[1]]
        if shapes.get(name) != wanted:
            found = f"it is {shapes[name]}" if name in shapes else "it is not there"
            raise ModelError(
                f"{path} does not fit {base}: {name} should be {wanted}, {found}; merge the "
                "adapter into the model that it was trained on"
            )


def _text(reader: gguf.GGUFReader, key: str) -> str:
    field = reader.get_field(key)
    return str(field.contents()) if field is not None else ""


def _copy_metadata(
    reader: gguf.GGUFReader, writer: gguf.GGUFWriter, file_type: gguf.LlamaFileType, *, without: str
) -> None:
    for field in reader.fields.values():
        # The writer makes these itself.
        if field.name.startswith("GGUF.") or field.name in (
            without,
            gguf.Keys.General.ARCHITECTURE,
            gguf.Keys.General.FILE_TYPE,
        ):
            continue
        kind = field.types[0]
        sub_type = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=sub_type)
    writer.add_file_type(file_type)


def _kind_of(
    tensor: gguf.ReaderTensor, kind: gguf.GGMLQuantizationType
) -> gguf.GGMLQuantizationType:
    """Norms and biases stay in F32: they are small, and llama.cpp wants them so."""
    return kind if len(tensor.shape) > 1 else gguf.GGMLQuantizationType.F32


def _announce(
    writer: gguf.GGUFWriter, tensor: gguf.ReaderTensor, kind: gguf.GGMLQuantizationType
) -> None:
    block, size = gguf.GGML_QUANT_SIZES[kind]
    shape = [int(n) for n in reversed(tensor.shape)]
    bytes_ = int(np.prod(shape)) // block * size
    writer.add_tensor_info(tensor.name, shape, np.dtype(np.float32), bytes_, raw_dtype=kind)


def _merged(
    reader: gguf.GGUFReader, adapter: Adapter, kind: gguf.GGMLQuantizationType
) -> Iterator[npt.NDArray[np.generic]]:
    for tensor in reader.tensors:
        shape = [int(n) for n in reversed(tensor.shape)]
        weight = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(shape)
        if tensor.name in adapter.factors:
            weight = weight + adapter.change(tensor.name)
        yield gguf.quants.quantize(weight.astype(np.float32), _kind_of(tensor, kind))
