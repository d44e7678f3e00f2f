"""Puts the stages together from models on disk: the one place that knows all of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from privrag_fast import models
from privrag_fast.detection.cascade import Cascade
from privrag_fast.detection.gliner import Gliner
from privrag_fast.detection.patterns import Patterns
from privrag_fast.generation import LocalChat
from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.onnx import CPU
from privrag_fast.pipeline import PipelineOptions, PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.relevance.prior import Prior
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.retrieval import (
    Changes,
    Chunker,
    CrossEncoder,
    Documents,
    Embedder,
    EmbedderOptions,
    Hybrid,
    Index,
    check_target,
    read_corpus,
)
from privrag_fast.types import LLM, CorpusError, Detector, Passage, Retriever

_log = logging.getLogger(__name__)

Source = str | Path | None

# The default reranker is small and does better with the retrievers' order beside its logits. Chosen
# on questions about documents that its training left out, and on the benchmark's dev questions.
PLACE_WEIGHT = 100.0


@dataclass(frozen=True, slots=True)
class Models:
    """Which model files to load, and how. Each source is what `models.locate` takes.

    Args:
        detector, embedder, reranker, prior, slm: None for the embedded defaults.
        providers: onnxruntime execution providers, best first.
        threads: Of onnxruntime and llama.cpp each; 0 lets them choose.
        n_gpu_layers: Layers of the small LM on the GPU, -1 for all.
    """

    detector: Source = None
    embedder: Source = None
    reranker: Source = None
    prior: Source = None
    slm: Source = None
    providers: Sequence[str] = (CPU,)
    threads: int = 0
    n_gpu_layers: int = 0


def open_rag(
    index: str | Path | Retriever,
    *,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    policy: Policy | None = None,
    llm: LLM | None = None,
    sources: Models = Models(),
    options: PipelineOptions | None = None,
    lexical: bool = True,
    thorough: bool = False,
    measure: bool = True,
    seed: int = 0,
) -> PrivateRag:
    """A `PrivateRag` around an index folder, or any retriever.

    Args:
        index: A folder that `privrag-fast index` made, or an object with `search`.
        labels: What counts as sensitive: label strings, or type -> label string. None for the
            defaults of `privrag_fast.detection.labels`.
        policy: What is kept.
        llm: Who answers; the local small model where it is None.
        sources: Models other than the defaults.
        lexical: An `Index` is searched by words too; see `retrieval.Hybrid`.
        thorough: Detection finds more, also more that is none, and takes longer; see `Gliner`.
        measure: False to decide by the prior alone: a fraction of the time, with more values sent.
            Beside an `llm` of yours the local small model is not even opened.
        seed: Of the substitutes.

    Raises:
        ModelError: A model file is missing or damaged.
        CorpusError: The index is.
        InputError: Nothing is measured, and no prior is there.
    """
    counterfactual = None
    if measure or llm is None:
        slm = open_slm(sources)
        counterfactual = Counterfactual(slm) if measure else None
        llm = llm or LocalChat(slm)
    return PrivateRag(
        detector=open_detector(sources, labels=labels, thorough=thorough),
        retriever=open_retriever(index, sources, lexical=lexical),
        reranker=open_reranker(sources),
        counterfactual=counterfactual,
        substitutes=Substitutes(seed),
        prior=open_prior(sources),
        llm=llm,
        policy=policy,
        options=options,
    )


def open_retriever(
    index: str | Path | Retriever, sources: Models = Models(), *, lexical: bool = True
) -> Retriever:
    """What searches an index folder, an `Index` or any retriever; see `open_rag`."""
    if isinstance(index, (str, Path)):
        index = Index.open(index, open_embedder(sources))
    return Hybrid(index) if lexical and isinstance(index, Index) else index


def build_index(corpus: str | Path, *, sources: Models = Models(), progress: bool = False) -> Index:
    """An index, in memory, of a folder of documents.

    Raises:
        CorpusError: There is nothing to read.
    """
    passages = _passages(read_corpus(corpus), sources)
    return Index.build(passages, open_embedder(sources), progress=progress)


def update_index(
    folder: str | Path, corpus: str | Path, *, sources: Models = Models(), progress: bool = False
) -> Changes:
    """Makes the index in `folder` hold what `corpus` holds now, embedding only what is new.

    One that is damaged, or was made by another embedder, is built anew. What could not even be
    opened, a file or a linked folder, keeps the passages that the index has of it.

    Raises:
        CorpusError: There is nothing to read, the folder cannot be written, or its manifest is
            none of an index, or of a newer format.
    """
    folder = Path(folder)
    documents = read_corpus(corpus)
    there = check_target(folder)
    embedder = open_embedder(sources)
    index = _known(folder, embedder) if there else Index(embedder)
    out_of_reach = [
        passage
        for passage in index.passages
        if any(skipped.hides(passage.source) for skipped in documents.skipped)
    ]
    passages = [*_passages(documents, sources), *out_of_reach]
    changes = index.update(passages, progress=progress)
    index.save(folder)
    return replace(changes, skipped=documents.skipped)


def _known(folder: Path, embedder: Embedder) -> Index:
    try:
        return Index.open(folder, embedder)
    except CorpusError as error:
        _log.warning("built anew: %s", error)
        return Index(embedder)


def _passages(documents: Documents, sources: Models) -> list[Passage]:
    chunker = Chunker(models.locate("embedder", sources.embedder)["tokenizer.json"])
    return chunker.chunk(documents)


def open_detector(
    sources: Models,
    *,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    thorough: bool = False,
) -> Detector:
    """GLiNER beside checksummed patterns."""
    files = models.locate("detector", sources.detector)
    gliner = Gliner(
        files["gliner_config.json"].parent,
        labels=labels,
        thorough=thorough,
        providers=sources.providers,
        threads=sources.threads,
    )
    return Cascade([Patterns(), gliner])


def open_embedder(sources: Models) -> Embedder:
    """The embedder that indexes are bound to."""
    files = models.locate("embedder", sources.embedder)
    return Embedder(
        files["model.onnx"],
        files["tokenizer.json"],
        options=EmbedderOptions.read(files["tokenizer.json"].parent),
        providers=sources.providers,
        threads=sources.threads,
    )


def open_reranker(sources: Models) -> CrossEncoder:
    """The cross-encoder behind the index."""
    files = models.locate("reranker", sources.reranker)
    return CrossEncoder(
        files["model.onnx"],
        files["tokenizer.json"],
        place_weight=PLACE_WEIGHT if sources.reranker is None else 0.0,
        providers=sources.providers,
        threads=sources.threads,
    )


def open_prior(sources: Models) -> Prior | None:
    """What guesses beside the small LM; None beside one of the caller's, unless it is chosen.

    How much a guess weighs against an influence holds for one small LM only.
    """
    if sources.prior is None and sources.slm is not None:
        return None
    return Prior(
        models.locate("prior", sources.prior)["model.onnx"].parent, threads=sources.threads
    )


def open_slm(sources: Models) -> LanguageModel:
    """The small language model, for drafts, scores and local answers."""
    path = models.locate("slm", sources.slm)[models.SLM_FILE]
    options = LlamaOptions(n_threads=sources.threads, n_gpu_layers=sources.n_gpu_layers)
    return LanguageModel(path, options=options)
