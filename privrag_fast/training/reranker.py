"""Train the reranker: a cross-encoder that starts as the embedder, exported as an int8 ONNX graph.

Run it as a module; the options that matter are ``--minutes`` and ``--seed``::

    python -m privrag_fast.training.reranker --encoder MINILM_DIR --data ../shared/data --out DIR

A few thousand questions cannot teach a fresh cross-encoder what a sentence encoder learned from a
billion pairs. So this one begins as that encoder: query and passage pass the lower layers apart
(PreTTR, MacAvaney et al. 2020), the score begins as the cosine of their mean-pooled states, and
attention between the two begins nearly shut. Training opens it.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from transformers import BertModel

from privrag_fast.models import locate
from privrag_fast.onnx import load_tokenizer
from privrag_fast.retrieval import Bm25, Embedder
from privrag_fast.training import reranker_data as data
from privrag_fast.training.progress import progress
from privrag_fast.types import Passage, SafeText

logger = logging.getLogger(__name__)

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]

BLOCKED: Final = -1e4  # added to an attention logit; finite, so that a padded row stays a number

COSINE_SCALE: Final = 20.0  # what the sentence encoder was trained with

# share of the groups by collection
SHARES: Final[Mapping[str, float]] = {
    "conditionalqa": 0.44,
    "or-sharc": 0.18,
    "tatqa": 0.12,
    "xquad": 0.10,
    "generated": 0.16,
}


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What a training run is; the learning rate follows `minutes`, or `steps` where given."""

    minutes: float = 20.0
    steps: int | None = None
    seed: int = 1
    groups: int = 8  # questions a step
    group_size: int = 6  # passages a question, the first one right
    max_length: int = 256
    separate_layers: int = 3
    cross_bias: float = -3.0  # where attention between query and passage begins, in nats
    encoder_lr: float = 1.2e-4
    head_lr: float = 1e-3
    warm_up: float = 0.08
    candidates: int = 24  # hard negatives come from the best so many
    threads: int = 2


# --------------------------------------------------------------------------- model


class PairScorer(nn.Module):  # type: ignore[misc]  # torch's types are not followed
    """Scores pairs: int64 [B, S] three times, in the order of a BERT tokenizer, to [B, 1].

    Token types tell query from passage and are not embedded: the sentence encoder has only ever
    seen type 0. For the same reason a passage's positions begin at 1, behind an absent [CLS].
    """

    def __init__(self, encoder: BertModel, *, separate_layers: int, cross_bias: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.separate_layers = separate_layers
        size, heads = encoder.config.hidden_size, encoder.config.num_attention_heads
        crossing = encoder.config.num_hidden_layers - separate_layers
        self.cross_bias = nn.Parameter(torch.full((crossing, heads, 1, 1), cross_bias))
        self.head = nn.Sequential(nn.Linear(3 * size, size), nn.GELU(), nn.Linear(size, 1))
        nn.init.zeros_(self.head[2].weight)
        nn.init.zeros_(self.head[2].bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        padding = (1 - attention_mask)[:, None, None, :].float() * BLOCKED
        crosses = (token_type_ids[:, :, None] != token_type_ids[:, None, :])[:, None].float()
        states = self._separate(input_ids, attention_mask, token_type_ids, padding, crosses)
        layers = self.encoder.encoder.layer[self.separate_layers :]
        for layer, bias in zip(layers, self.cross_bias.unbind(), strict=True):
            states = _run(layer, states, padding + crosses * bias)
        query = _mean(states, attention_mask * (1 - token_type_ids))
        passage = _mean(states, attention_mask * token_type_ids)
        features = torch.cat([states[:, 0], query * passage, (query - passage).abs()], dim=-1)
        cosine = torch.cosine_similarity(query, passage, dim=-1)[:, None]
        return COSINE_SCALE * cosine + self.head(features)

    def _separate(
        self, ids: Tensor, mask: Tensor, types: Tensor, padding: Tensor, crosses: Tensor
    ) -> Tensor:
        """The layers in which query and passage do not see each other; never trained."""
        first = ((1 - types) * mask).sum(1, keepdim=True)
        positions = torch.arange(ids.shape[1], device=ids.device)[None, :] - types * (first - 1)
        with torch.no_grad():
            states = self.encoder.embeddings(
                input_ids=ids, position_ids=positions, token_type_ids=torch.zeros_like(ids)
            )
            for layer in self.encoder.encoder.layer[: self.separate_layers]:
                states = _run(layer, states, padding + crosses * BLOCKED)
        return states

    def parameter_groups(self, options: TrainOptions) -> list[dict[str, Any]]:
        """What is trained: the crossing layers slowly, what is new fast."""
        layers = self.encoder.encoder.layer[self.separate_layers :]
        return [
            {"params": list(layers.parameters()), "lr": options.encoder_lr},
            {"params": list(self.head.parameters()), "lr": options.head_lr},
            {"params": [self.cross_bias], "lr": 20 * options.head_lr, "weight_decay": 0.0},
        ]


def _run(layer: nn.Module, states: Tensor, mask: Tensor) -> Tensor:
    output = layer(states, mask)
    return output[0] if isinstance(output, tuple) else output  # a tuple before transformers 5


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(states.dtype)[:, :, None]
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1.0)


def load_model(encoder: Path, options: TrainOptions) -> PairScorer:
    """An untrained scorer on the encoder of a Hugging Face folder."""
    bert = BertModel.from_pretrained(encoder, add_pooling_layer=False, attn_implementation="eager")
    for module in bert.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0  # a run sees hardly any group twice
    return PairScorer(bert, separate_layers=options.separate_layers, cross_bias=options.cross_bias)


# --------------------------------------------------------------------------- mining


@dataclass(frozen=True, slots=True)
class Ranking:
    """An embedder's and BM25's view of one collection.

    Args:
        vectors: Unit vectors of the passages, float32 [passages, dim].
    """

    collection: data.Collection
    vectors: FloatArray
    bm25: Bm25

    @classmethod
    def of(cls, collection: data.Collection, embedder: Embedder) -> Ranking:
        """Embeds the collection's passages."""
        vectors = embedder.embed([SafeText(text) for text in collection.passages])
        passages = [Passage(str(i), text) for i, text in enumerate(collection.passages)]
        return cls(collection, vectors, Bm25(passages))

    def mixed(self, query: str, vector: FloatArray, *, k: int) -> list[int]:
        """The best passages of both, without repeats."""
        dense = map(int, _best(self.vectors @ vector, k))
        sparse = (int(hit.passage.id) for hit in self.bm25.search(SafeText(query), k))
        mixed = (i for pair in zip_longest(dense, sparse) for i in pair if i is not None)
        return list(dict.fromkeys(mixed))


def _best(scores: FloatArray, k: int) -> IntArray:
    return np.argsort(-scores, kind="stable")[:k].astype(np.int64)


class GroupSampler:
    """Endless groups, mixed by collection; each question comes once before any comes again."""

    def __init__(
        self, rankings: Sequence[Ranking], embedder: Embedder, options: TrainOptions
    ) -> None:
        self._rng = random.Random(options.seed)
        self._options = options
        self._sources = {r.collection.name: _Source.of(r, embedder, options) for r in rankings}
        self._queues: dict[str, list[int]] = {name: [] for name in self._sources}

    def draw(self, count: int) -> list[data.Group]:
        """The next groups."""
        names = list(self._sources)
        chosen = self._rng.choices(names, [SHARES[name] for name in names], k=count)
        return [self._draw(name) for name in chosen]

    def _draw(self, name: str) -> data.Group:
        source, queue = self._sources[name], self._queues[name]
        if not queue:
            queue += range(len(source.collection.questions))
            self._rng.shuffle(queue)
        at = queue.pop()
        question = source.collection.questions[at]
        return data.make_group(
            source.collection,
            question,
            source.ranked[at],
            source.siblings.get(question.document, []),
            size=self._options.group_size,
            rng=self._rng,
        )


@dataclass(frozen=True, slots=True)
class _Source:
    """A collection's questions for training, each with its hard candidates."""

    collection: data.Collection
    siblings: dict[str, list[int]]
    ranked: list[list[int]]

    @classmethod
    def of(cls, ranking: Ranking, embedder: Embedder, options: TrainOptions) -> _Source:
        train, _ = ranking.collection.split()
        vectors = embedder.embed([SafeText(q.query) for q in train.questions])
        ranked = [
            ranking.mixed(q.query, vector, k=options.candidates)
            for q, vector in zip(train.questions, vectors, strict=True)
        ]
        return cls(train, train.siblings(), ranked)


# --------------------------------------------------------------------------- training


class PairEncoder:
    """Pairs to batches of tensors, the longer side truncated first."""

    def __init__(self, tokenizer: Path, *, max_length: int) -> None:
        self._tokenizer = load_tokenizer(tokenizer)
        self._tokenizer.enable_truncation(max_length)

    def batches(
        self, pairs: Sequence[tuple[str, str]], *, rows: int
    ) -> Iterator[tuple[Tensor, dict[str, Tensor]]]:
        """Batches of pairs of like length: their places among `pairs`, and model inputs."""
        encodings = self._tokenizer.encode_batch(list(pairs))
        order = sorted(range(len(pairs)), key=lambda i: len(encodings[i].ids))
        for start in range(0, len(order), rows):
            places = order[start : start + rows]
            yield torch.tensor(places), _padded([encodings[i] for i in places])


def _padded(encodings: Sequence[Any]) -> dict[str, Tensor]:
    longest = max(len(encoding.ids) for encoding in encodings)

    def column(name: str) -> Tensor:
        rows = [list(getattr(encoding, name)) for encoding in encodings]
        return torch.tensor([row + [0] * (longest - len(row)) for row in rows])

    return {
        "input_ids": column("ids"),
        "attention_mask": column("attention_mask"),
        "token_type_ids": column("type_ids"),
    }


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """How a run went: steps, groups and tokens seen, seconds, and the loss of its last tenth."""

    steps: int
    groups: int
    tokens: int
    seconds: float
    loss: float


def train(
    model: PairScorer, sampler: GroupSampler, pairs: PairEncoder, options: TrainOptions
) -> TrainingReport:
    """Listwise softmax over each group's passages, until the time or the steps are used up."""
    optimizer = torch.optim.AdamW(model.parameter_groups(options), weight_decay=0.01)
    peaks = [group["lr"] for group in optimizer.param_groups]
    losses: list[float] = []
    tokens, began = 0, time.monotonic()
    while (done := progress(len(losses), began, options)) < 1.0:
        for group, peak in zip(optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * _schedule(done, options.warm_up)
        loss, count = _loss(model, sampler.draw(options.groups), pairs, options)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        tokens += count
        if len(losses) % 10 == 0:
            recent = sum(losses[-50:]) / len(losses[-50:])
            logger.info("step %d, %.0f%%, loss %.3f", len(losses), 100 * done, recent)
    last = losses[-max(1, len(losses) // 10) :]
    return TrainingReport(
        steps=len(losses),
        groups=len(losses) * options.groups,
        tokens=tokens,
        seconds=time.monotonic() - began,
        loss=sum(last) / len(last),
    )


def _schedule(done: float, warm_up: float) -> float:
    return min(1.0, (done + 0.005) / warm_up) * max(0.0, 1.0 - done)


def _loss(
    model: PairScorer, groups: Sequence[data.Group], pairs: PairEncoder, options: TrainOptions
) -> tuple[Tensor, int]:
    flat = [(group.query, passage) for group in groups for passage in group.passages]
    places, logits, tokens = [], [], 0
    for rows, inputs in pairs.batches(flat, rows=max(8, len(flat) // 3)):
        with torch.autocast("cpu", torch.bfloat16):
            logits.append(model(**inputs)[:, 0].float())
        places.append(rows)
        tokens += int(inputs["attention_mask"].sum())
    scores = torch.cat(logits)[torch.argsort(torch.cat(places))].view(len(groups), -1)
    return nn.functional.cross_entropy(scores, torch.zeros(len(groups), dtype=torch.long)), tokens


# --------------------------------------------------------------------------- export


def export(
    model: PairScorer, tokenizer: Path, options: TrainOptions, *, out: Path, work: Path
) -> None:
    """Writes `model.onnx` (int8), `tokenizer.json` and `config.json` to `out`; F32 to `work`."""
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    load_tokenizer(tokenizer).save(str(out / "tokenizer.json"), pretty=False)
    config = {
        "model_type": "cross-encoder",
        "base": "sentence-transformers/all-MiniLM-L6-v2",
        "max_length": options.max_length,
        "separate_layers": options.separate_layers,
        "quantization": "dynamic int8, signed weights, per channel",
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    load_tokenizer(tokenizer).save(str(work / "tokenizer.json"), pretty=False)
    _export_full(model.eval(), work / "model.onnx")
    quantize_dynamic(
        work / "model.onnx", out / "model.onnx", weight_type=QuantType.QInt8, per_channel=True
    )


def _export_full(model: PairScorer, path: Path) -> None:
    ids = torch.randint(1000, 20000, (2, 16))
    types = torch.zeros_like(ids)
    types[:, 7:] = 1
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), types),
        str(path),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "sequence"} for name in names}
        | {"logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


# --------------------------------------------------------------------------- command line


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains, exports, and leaves the run's report beside the F32 graph."""
    args = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = TrainOptions(
        minutes=args.minutes, steps=args.steps, seed=args.seed, threads=args.threads
    )
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = args.encoder / "tokenizer.json"
    model = load_model(args.encoder, options)
    sampler = _sampler(args, tokenizer, options)
    pairs = PairEncoder(tokenizer, max_length=options.max_length)
    report = train(model, sampler, pairs, options)
    args.work.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), args.work / "model.pt")
    export(model, tokenizer, options, out=args.out, work=args.work)
    summary = {"options": asdict(options), "report": asdict(report)}
    (args.work / "report.json").write_text(json.dumps(summary, indent=2) + "\n")
    logger.info("%s", report)


def _sampler(args: argparse.Namespace, tokenizer: Path, options: TrainOptions) -> GroupSampler:
    graph = args.embedder or locate("embedder")["model.onnx"]
    embedder = Embedder(graph, tokenizer, threads=options.threads)
    public = data.load_public(args.data)
    if not args.patterns:
        from privrag_fast.assembly import Models, open_detector  # needs the C++ extension

        detector = open_detector(Models(threads=options.threads))
        public = [data.detected(collection, detector) for collection in public]
    collections = [*public, data.generate_products(seed=options.seed)]
    logger.info("ranking %d passages", sum(len(c.passages) for c in collections))
    return GroupSampler([Ranking.of(c, embedder) for c in collections], embedder, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="privrag_fast.training.reranker")
    add = parser.add_argument
    add("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2 in safetensors")
    add("--embedder", type=Path, help="its ONNX graph; the package's own where not given")
    add("--data", type=Path, required=True, help="folder of the public data sets")
    add("--out", type=Path, required=True, help="where the int8 model goes")
    add("--work", type=Path, default=Path("reranker-work"), help="F32 graph, checkpoint, report")
    add("--patterns", action="store_true", help="abstract queries by patterns, not the detector")
    add("--minutes", type=float, default=20.0)
    add("--steps", type=int, help="train by steps instead of minutes; repeatable")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=2)
    return parser


if __name__ == "__main__":
    main()
