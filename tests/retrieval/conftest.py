from __future__ import annotations

import hashlib

import numpy as np
import pytest

from privrag_fast import models
from privrag_fast.retrieval import Chunker, Embedder
from privrag_fast.types import ModelError
from tests.retrieval import tiny_models


class WordEmbedder:
    """A bag of words: each word has a direction of its own. Counts what it embeds."""

    def __init__(self, *, dim=16, digest="words"):
        self.dim = dim
        self.digest = digest
        self.embedded = 0

    def embed(self, texts):
        self.embedded += len(texts)
        vectors = np.stack([self._vector(text) for text in texts])
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def _vector(self, text):
        words = text.lower().split() or [""]
        return np.sum([self._direction(word) for word in words], axis=0, dtype=np.float32)

    def _direction(self, word):
        seed = hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8]
        rng = np.random.default_rng(int.from_bytes(seed, "little"))
        return rng.normal(size=self.dim).astype(np.float32)


@pytest.fixture
def word_embedder():
    return WordEmbedder()


@pytest.fixture(scope="session")
def tokenizer_path(tmp_path_factory):
    return tiny_models.tokenizer(tmp_path_factory.mktemp("tokenizer") / "tokenizer.json")


@pytest.fixture(scope="session")
def encoder_path(tmp_path_factory):
    return tiny_models.encoder(tmp_path_factory.mktemp("encoder") / "model.onnx")


@pytest.fixture(scope="session")
def tiny_embedder(encoder_path, tokenizer_path):
    return Embedder(encoder_path, tokenizer_path, threads=1)


@pytest.fixture
def chunker(tokenizer_path):
    return Chunker(tokenizer_path, max_tokens=12)


@pytest.fixture(scope="session")
def real_tokenizer_path():
    return models.PACKAGE_WEIGHTS / "embedder" / "tokenizer.json"


@pytest.fixture(scope="session")
def real_embedder():
    try:
        files = models.find("embedder")
    except ModelError as error:
        pytest.skip(f"the embedder's weights are not here: {error}")
    return Embedder(files["model.onnx"], files["tokenizer.json"], threads=1)
