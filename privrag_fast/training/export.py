"""Checkpoints of transformers and sentence-transformers to ONNX graphs: `privrag-fast export`."""

from __future__ import annotations

import inspect
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from privrag_fast.onnx import OnnxModel
from privrag_fast.retrieval import EmbedderOptions
from privrag_fast.training.first_token import first_token_only
from privrag_fast.training.lean_graph import make_lean
from privrag_fast.types import ModelError

LARGEST_DIFFERENCE: Final = 1e-3
"""Between torch and the F32 graph, relative to the largest output."""

_LOGITS: Final = "logits"
_PROBES: Final = ((2, 13), (5, 17), (3, 29))  # rows and tokens of no two of the same size

SENTENCE_FILES: Final = ("modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
"""What `EmbedderOptions.read` looks for."""

# Without torch's own attention, which guards against rows without a token: a tenth of the time.
_AS_IT_STANDS: Final = {"local_files_only": True, "attn_implementation": "eager"}


@dataclass(frozen=True, slots=True)
class Exported:
    """A graph that was written, and by how much it differed from torch while it was F32."""

    path: Path
    difference: float


class _Outputs(nn.Module):  # type: ignore[misc]  # torch's types are not followed
    """A transformers model as a function of its inputs alone, to its first output."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        named = inspect.signature(model.forward).parameters
        with_types = "token_type_ids" in named and getattr(model.config, "type_vocab_size", 2) > 1
        self.inputs = ["input_ids", "attention_mask", *(["token_type_ids"] if with_types else [])]

    def forward(self, *values: Tensor) -> Tensor:
        output: Tensor = self.model(**dict(zip(self.inputs, values, strict=True)))[0]
        return output


def export_reranker(folder: Path, out: Path, *, full: bool) -> Exported:
    """See `privrag_fast.export.export_reranker`."""
    with _named(folder):
        model = AutoModelForSequenceClassification.from_pretrained(folder, **_AS_IT_STANDS)
    if model.config.num_labels > 2:
        raise ModelError(
            f"{folder}: a reranker has one or two classes, not {model.config.num_labels}"
        )
    return _export(model, _LOGITS, folder, out, full=full)


def export_embedder(folder: Path, out: Path, *, full: bool) -> Exported:
    """See `privrag_fast.export.export_embedder`."""
    EmbedderOptions.read(folder)  # what it cannot do after the graph is refused here
    with _named(folder):
        model = AutoModel.from_pretrained(folder, **_AS_IT_STANDS)
    exported = _export(model, "last_hidden_state", folder, out, full=full)
    for name in SENTENCE_FILES:
        if (source := folder / name).is_file():
            (out / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(source, out / name)
    return exported


def _export(model: nn.Module, output: str, folder: Path, out: Path, *, full: bool) -> Exported:
    model = _Outputs(model.eval().float())
    lean = model
    if output == _LOGITS:
        example = _example(model, rows=3, length=12)
        lean = _Outputs(first_token_only(model.model, lambda own: _Outputs(own)(*example)))
    out.mkdir(parents=True, exist_ok=True)
    with _named(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        tokenizer.backend_tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    path = out / "model.onnx"
    with tempfile.TemporaryDirectory() as work:
        graph = Path(work, "model.onnx")
        try:
            _write_graph(lean, output, graph)
        except torch.onnx.OnnxExporterError as error:
            raise ModelError(f"{folder}: torch cannot export this architecture") from error
        difference = _difference(model, graph)
        if difference > LARGEST_DIFFERENCE:
            raise ModelError(f"{folder}: the graph differs by {difference:.1e} from torch")
        if full:
            shutil.copyfile(graph, path)
        else:
            with _quiet():
                quantize_dynamic(graph, path, weight_type=QuantType.QInt8, per_channel=True)
    return Exported(path, difference)


def _write_graph(model: _Outputs, output: str, path: Path) -> None:
    # The tracing exporter leaves the attention mask of transformers 5 out of the graph.
    batch, sequence = torch.export.Dim("batch"), torch.export.Dim("sequence")
    with _quiet():
        torch.onnx.export(
            model,
            _example(model, rows=2, length=16),
            str(path),
            input_names=model.inputs,
            output_names=[output],
            dynamic_shapes=(({0: batch, 1: sequence},) * len(model.inputs),),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
    graph = onnx.load(path)
    examples = [_example(model, rows=rows, length=length) for rows, length in _PROBES]
    make_lean(graph, [_named_inputs(model, example) for example in examples])
    onnx.save(graph, path)


def _named_inputs(model: _Outputs, values: Sequence[Tensor]) -> dict[str, NDArray[Any]]:
    return {name: value.numpy() for name, value in zip(model.inputs, values, strict=True)}


def _difference(model: _Outputs, graph: Path) -> float:
    """The largest, on other shapes than the exporter saw, where no token is padding."""
    session = OnnxModel(graph, threads=1)
    worst = 0.0
    for rows, length in ((1, 9), (3, 40)):
        example = _example(model, rows=rows, length=length)
        with torch.inference_mode():
            wanted = model(*example).numpy()
        feeds = _named_inputs(model, example)
        found = session.run(feeds)[0]
        if wanted.ndim == 3:
            shown = feeds["attention_mask"] == 1
            wanted, found = wanted[shown], found[shown]
        worst = max(worst, float(np.abs(wanted - found).max() / np.abs(wanted).max()))
    return worst


def _example(model: _Outputs, *, rows: int, length: int) -> tuple[Tensor, ...]:
    """Tokens of which the last row's end is padding, int64 [rows, length] each."""
    generator = torch.Generator().manual_seed(length)
    size = (rows, length)
    ids = torch.randint(5, model.model.config.vocab_size, size, generator=generator)
    mask, types = torch.ones_like(ids), torch.zeros_like(ids)
    mask[-1, length * 2 // 3 :] = 0
    types[:, length // 2 :] = 1
    return (ids, mask, types)[: len(model.inputs)]


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Errors of transformers tell what was read."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(
            f"{folder}: not a checkpoint of the right kind ({type(error).__name__}); "
            "name a folder as transformers saves it"
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what exporter and quantizer have to say about themselves."""
    disabled = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
