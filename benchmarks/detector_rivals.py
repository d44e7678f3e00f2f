"""Other ways to find the same entities: what `bench_detector.py` compares with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Detect = Callable[[str], object]

WORKER = """
import json, sys, time
from fast_gliner import FastGLiNER
model = FastGLiNER.from_pretrained(sys.argv[1], onnx_path="model.onnx")
labels = json.loads(sys.argv[2])
print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    model.predict_entities(json.loads(line), labels)
    print(time.perf_counter() - start, flush=True)
"""


class Checkpoint:
    """The torch model behind a folder of ours, or an untrained one of its shape.

    How long a product of matrices takes does not depend on what they hold; only the threshold is
    put out of the reach of untrained scores.
    """

    def __init__(self, ours: Path, checkpoint: Path | None, *, threads: int) -> None:
        import torch
        from gliner import GLiNER

        torch.set_num_threads(threads)
        self.threads, self.trained = threads, checkpoint is not None
        self.threshold = 0.5 if self.trained else 0.999
        source = checkpoint or _untrained(ours, Path(tempfile.mkdtemp()))
        self.model = GLiNER.from_pretrained(str(source), local_files_only=True)
        self.model.eval()

    def torch(self, labels: Sequence[str]) -> Detect:
        return self._predict(self.model, labels)

    def exported(self, folder: Path) -> Path:
        """Where the library's own exporter writes graph, quantized graph and tokenizer."""
        self.model.export_to_onnx(str(folder), quantize=True)
        return folder

    def onnx(self, folder: Path, graph: str, labels: Sequence[str]) -> Detect:
        """The library's own runtime for ONNX files."""
        import onnxruntime
        from gliner import GLiNER

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        model = GLiNER.from_pretrained(
            str(folder),
            local_files_only=True,
            load_onnx_model=True,
            onnx_model_file=graph,
            session_options=options,
        )
        return self._predict(model, labels)

    def _predict(self, model: Any, labels: Sequence[str]) -> Detect:
        return lambda text: model.predict_entities(text, list(labels), threshold=self.threshold)


def _untrained(ours: Path, folder: Path) -> Path:
    """A checkpoint of MiniLM-L6's shape under our tokenizer and configuration."""
    from gliner import GLiNER, GLiNERConfig
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    config = json.loads((ours / "gliner_config.json").read_text(encoding="utf-8"))
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(ours / "tokenizer.json"), **names)
    tokenizer.save_pretrained(folder / "encoder")
    BertModel(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
        )
    ).save_pretrained(folder / "encoder")
    shape = {name: config[name] for name in ("hidden_size", "max_width", "max_len", "span_mode")}
    model = GLiNER.from_config(GLiNERConfig(model_name=str(folder / "encoder"), **shape))
    model.save_pretrained(str(folder / "checkpoint"))
    return folder / "checkpoint"


class FastGliner:
    """fast-gliner, in an environment of its own: it wants an older huggingface-hub than gliner.

    It is stopped between calls, as its threads wait by spinning and would slow the next way.
    """

    def __init__(self, python: Path, folder: Path, labels: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [python, "-c", WORKER, folder, json.dumps(list(labels))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()
        self._process.send_signal(signal.SIGSTOP)

    def seconds(self, text: str) -> float:
        """Of one call, by its own clock."""
        assert self._process.stdin is not None
        self._process.send_signal(signal.SIGCONT)
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        seconds = float(self._read())
        self._process.send_signal(signal.SIGSTOP)
        return seconds

    def close(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.communicate()

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit("fast-gliner stopped; see above")
        return line
