"""GLiNER checkpoints in torch to what `privrag_fast.detection.gliner` runs."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from gliner import GLiNER
from onnxruntime.quantization import QuantType, quantize_dynamic

from privrag_fast.detection.gliner import INPUTS
from privrag_fast.detection.gliner_config import read_config
from privrag_fast.onnx import OnnxModel
from privrag_fast.training.export import LARGEST_DIFFERENCE, Exported
from privrag_fast.training.lean_graph import make_lean
from privrag_fast.training.span_head import rewrite_span_head
from privrag_fast.types import ModelError

_WORDS: Final = "she came to the old town hall by a late bus and sat down near the stove to read on"
# Texts and labels, of which no two have the same sizes.
_PROBES: Final = (
    ((_WORDS[:41], "so"), ("a", "b", "c d", "e")),
    ((_WORDS, "so", "it is"), ("age", "b", "c", "d e f", "g", "h", "i")),
    ((_WORDS[:30],) * 4, ("name of it", "b", "c", "d", "e f g h")),
)
_KEPT: Final = (
    "span_mode",
    "max_width",
    "max_types",
    "hidden_size",
    "subtoken_pooling",
    "embed_ent_token",
    "ent_token",
    "sep_token",
    "class_token_index",
    "vocab_size",
    "words_splitter_type",
)


def export_gliner(folder: Path, out: Path, *, full: bool) -> Exported:
    """See `privrag_fast.export.export_gliner`."""
    read_config(folder)  # refuses the other families by name
    try:
        with _silence():
            model = GLiNER.from_pretrained(str(folder), local_files_only=True, map_location="cpu")
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(
            f"{folder}: not a checkpoint of a GLiNER ({type(error).__name__}); name a folder "
            "with gliner_config.json, the weights and the tokenizer"
        ) from error
    return write_model(model, out, full=full)


def write_model(model: Any, out: Path, *, full: bool = False, **config: object) -> Exported:
    """A GLiNER of the `gliner` library as `model.onnx`, `tokenizer.json`, `gliner_config.json`.

    Args:
        full: Weights stay F32; otherwise they become int8, signed and per channel.
        config: Over what the checkpoint says.

    Raises:
        ModelError: The graph does not compute the same as torch.
    """
    model.eval().float()
    out.mkdir(parents=True, exist_ok=True)
    path = out / "model.onnx"
    with tempfile.TemporaryDirectory() as work:
        graph = path if full else Path(work, "model.onnx")
        _write_graph(model, graph)
        difference = _difference(model, graph)
        if difference > LARGEST_DIFFERENCE:
            raise ModelError(f"the graph's logits differ by {difference:.1e} from torch's")
        if not full:
            with _silence():
                quantize_dynamic(graph, path, weight_type=QuantType.QInt8, per_channel=True)
    model.data_processor.transformer_tokenizer.backend_tokenizer.save(
        str(out / "tokenizer.json"), pretty=False
    )
    content = json.dumps({**_config(model.config), **config}, indent=2)
    (out / "gliner_config.json").write_text(content + "\n", encoding="utf-8")
    return Exported(path, difference)


def _write_graph(model: Any, path: Path) -> None:
    with tempfile.TemporaryDirectory() as work, _silence():
        model.export_to_onnx(work, quantize=False)
        graph = onnx.load(Path(work, "model.onnx"))
    rewrite_span_head(graph)
    make_lean(graph, [_inputs(model, *probe) for probe in _PROBES])
    onnx.save(graph, path)


def _config(config: Any) -> dict[str, object]:
    encoder = config.encoder_config
    return {
        "model_type": "gliner",
        "model_name": Path(str(config.model_name)).name,
        "max_len": config.max_len,
        **{name: getattr(config, name) for name in _KEPT},
        "encoder_config": {
            "model_type": encoder.model_type,
            "max_position_embeddings": encoder.max_position_embeddings,
        },
    }


def _difference(model: Any, graph: Path) -> float:
    """The largest between logits, relative to the largest logit, where no word is padding."""
    session = OnnxModel(graph, threads=1)
    texts = ("Nora Lind , 34 , lives in Oslo", "Kai")
    values = _inputs(model, texts, ("name", "age", "place of residence"))
    with torch.inference_mode():
        tensors = {name: torch.from_numpy(value) for name, value in values.items()}
        wanted = model.model(**tensors).logits.numpy()
    found = session.run(values)[0]
    shown = values["span_mask"].reshape(wanted.shape[:3])
    return float(np.abs(wanted - found)[shown].max() / np.abs(wanted[shown]).max())


def _inputs(model: Any, texts: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    """What the exported graph takes, as the library prepares it."""
    collate = model.data_collator_class(
        model.config, data_processor=model.data_processor, prepare_labels=True
    )
    batch = collate(
        [{"tokenized_text": text.split(), "ner": [], "ner_labels": [*labels]} for text in texts]
    )
    return {name: batch[name].numpy() for name in INPUTS}


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """The libraries warn of themselves; what is wrong with the graph is measured."""
    disabled = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
