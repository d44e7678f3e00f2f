"""Retrieval: documents to passages, passages to an index, an abstracted query to hits."""

from privrag_fast.retrieval.chunks import Chunker
from privrag_fast.retrieval.corpus import Document, Documents, Section, Skipped, read_corpus
from privrag_fast.retrieval.embedder import Embedder, EmbedderOptions
from privrag_fast.retrieval.index import Changes, Index, IndexOptions, TextEmbedder, check_target
from privrag_fast.retrieval.lexical import Bm25, Hybrid, HybridOptions, fuse
from privrag_fast.retrieval.reranker import CrossEncoder

__all__ = [
    "Bm25",
    "Changes",
    "Chunker",
    "CrossEncoder",
    "Document",
    "Documents",
    "Embedder",
    "EmbedderOptions",
    "Hybrid",
    "HybridOptions",
    "Index",
    "IndexOptions",
    "Section",
    "Skipped",
    "TextEmbedder",
    "check_target",
    "fuse",
    "read_corpus",
]
