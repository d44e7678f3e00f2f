"""Train the detector: a small GLiNER over MiniLM, exported as an int8 ONNX graph.

Run it as a module; the options that matter are ``--minutes`` (or ``--steps``) and ``--seed``::

    python -m privrag_fast.training.gliner --encoder MINILM_DIR --out DIR --work WORK_1
    python -m privrag_fast.training.gliner --init WORK_1 --minutes 15 --seed 2 --out DIR \\
        --work WORK_2

Two phases. Hidden states at label positions are nearly equal in a fresh sentence encoder, so plain
binary cross-entropy learns spans but not labels. Phase one therefore takes short texts and mostly a
softmax over labels on gold spans; phase two ramps to binary cross-entropy plus that softmax.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import torch
from gliner import GLiNER, GLiNERConfig
from torch import Tensor

from privrag_fast.training import gliner_data as data
from privrag_fast.training.gliner_export import write_model

logger = logging.getLogger(__name__)

SHORT_WORDS: Final = 45  # phase one takes texts below this length
WINDOW_WORDS: Final = 128  # longer texts are read in windows: training saw 90-word crops
ABOUT: Final = "training.json"  # what the model card needs to know of a run
CHUNK: Final = 40  # batches that are drawn, sorted by length and shuffled together

# share of a batch's rows by source
SHARES: Final = {
    "synthetic": 0.46,
    "capid": 0.25,
    "presidio": 0.17,
    "crossner": 0.06,
    "gliner": 0.01,
    "plain": 0.05,
}


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What a training run is.

    ``steps`` wins over ``minutes``; the learning rate follows whichever is in force.
    """

    minutes: float = 35.0
    steps: int | None = None
    seed: int = 1
    batch_size: int = 8
    warm_up_steps: int = 300
    ramp_steps: int = 200
    encoder_lr: float = 1.2e-4
    head_lr: float = 6e-4
    hidden_size: int = 256
    dropout: float = 0.15
    negative_share: float = 0.2  # of the spans that touch no gold span
    positive_weight: float = 2.0
    many_labels_share: float = 0.35  # of the batches ask for 16 to 26 labels
    messages: int = 20_000  # synthetic
    bf16: bool = True

    def continued(self, *, rates: float) -> TrainOptions:
        """Options to go on from trained weights: no phase one, scaled rates, more labels."""
        return replace(
            self,
            warm_up_steps=0,
            ramp_steps=1,
            encoder_lr=self.encoder_lr * rates,
            head_lr=self.head_lr * rates,
            many_labels_share=0.5,
        )


def read_pools(folder: Path, options: TrainOptions) -> dict[str, list[data.Example]]:
    """Training examples by source."""
    filler = data.read_banking77(folder / "polyai/banking_data/train.csv")
    capid = data.read_capid(folder / "capid/train.jsonl")
    return {
        "synthetic": data.MessageGenerator(options.seed, filler=filler).generate(options.messages),
        "capid": [e for e in capid if not data.is_dev(e.text)],
        "presidio": data.read_presidio(folder / "presidio-research"),
        "crossner": data.read_crossner(folder / "crossner"),
        "gliner": data.read_gliner_rows(folder / "gliner-sample/sample_data.json"),
        "plain": data.plain_examples(filler),
    }


class BatchSampler:
    """Endless batches of rows, mixed by source and bucketed by length."""

    def __init__(self, pools: dict[str, list[data.Example]], options: TrainOptions) -> None:
        self._options = options
        self._rng = random.Random(options.seed)
        self._pools = pools
        self._queues: dict[tuple[str, bool], list[data.Example]] = {}

    def _draw(self, source: str, short: bool) -> data.Example:
        """The next example of a source; each is seen once before any comes again."""
        queue = self._queues.setdefault((source, short), [])
        if not queue:
            pool = self._pools[source]
            queue += [e for e in pool if len(e.words) < SHORT_WORDS] if short else pool
            if not queue:
                queue += pool
            self._rng.shuffle(queue)
        return queue.pop()

    def chunk(self, *, short: bool) -> Iterator[list[data.Row]]:
        """``CHUNK`` batches in random order."""
        size = self._options.batch_size
        sources = self._rng.choices(list(SHARES), list(SHARES.values()), k=CHUNK * size)
        examples = [self._draw(s, short) for s in sources]
        examples.sort(key=lambda e: len(e.words))
        batches = [examples[i : i + size] for i in range(0, len(examples), size)]
        self._rng.shuffle(batches)
        for batch in batches:
            many = self._rng.random() < self._options.many_labels_share
            yield [data.sample_row(e, self._rng, many=many) for e in batch]


@dataclass(slots=True)
class LossWeights:
    """Weights of the two losses at a step."""

    binary: float
    softmax: float

    @classmethod
    def at(cls, step: int, options: TrainOptions) -> LossWeights:
        """Phase one, then a ramp."""
        if step < options.warm_up_steps:
            return cls(0.05, 2.0)
        return cls(min(1.0, 0.05 + (step - options.warm_up_steps) / options.ramp_steps), 1.0)


def _sampled_spans(batch: dict[str, Tensor], share: float) -> tuple[Tensor, Tensor, Tensor]:
    """Rows, spans and weights to score: all that touch a gold span, a share of the others."""
    gold = batch["labels"].sum(-1) > 0  # bool [B, N]
    first, last = batch["span_idx"].unbind(-1)
    covered = torch.zeros(
        gold.shape[0], int(last.max()) + 3
    )  # +1 at a gold start, -1 after its end
    for row, span in gold.nonzero().tolist():
        covered[row, first[row, span]] += 1
        covered[row, last[row, span] + 1] -= 1
    inside = (covered.cumsum(1) > 0).float().cumsum(1)
    before = torch.cat([torch.zeros(len(inside), 1), inside], 1)
    touches = (inside.gather(1, last) - before.gather(1, first)) > 0
    keep = batch["span_mask"].bool() & (touches | (torch.rand(gold.shape) < share))
    rows, spans = keep.nonzero(as_tuple=True)
    weights = torch.where(touches[rows, spans], 1.0, 1.0 / share)
    return rows, spans, weights


def span_loss(
    model: Any, batch: dict[str, Tensor], weights: LossWeights, options: TrainOptions
) -> tuple[Tensor, float, int]:
    """Loss of a batch, and how many gold spans have their label on top out of how many."""
    with torch.no_grad():
        rows, spans, span_weights = _sampled_spans(batch, options.negative_share)
    seen = model.get_representations(
        batch["input_ids"], batch["attention_mask"], batch["text_lengths"], batch["words_mask"]
    )
    layer = model.span_rep_layer.span_rep_layer
    index = batch["span_idx"][rows, spans]
    start = layer.project_start(seen.words_embedding)[rows, index[:, 0]]
    end = layer.project_end(seen.words_embedding)[rows, index[:, 1]]
    span = layer.out_project(torch.cat([start, end], -1).relu())  # [K, hidden]
    prompt = model.prompt_rep_layer(seen.prompts_embedding)  # [B, C, hidden]
    # row by row: no [K, C, hidden] copy of the prompts
    scores = torch.cat([span[rows == i] @ prompt[i].T for i in range(len(prompt))]).float()
    labels = min(scores.shape[1], batch["labels"].shape[2])
    scores = scores[:, :labels]
    target = batch["labels"][rows, spans][:, :labels]
    mask = seen.prompts_embedding_mask[rows][:, :labels].float()

    each = torch.nn.functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
    each = each * (1 + (options.positive_weight - 1) * target) * mask * span_weights[:, None]
    loss = weights.binary * each.sum()
    gold = target.sum(-1) > 0
    if not bool(gold.any()):
        return loss, 0.0, 0
    among = scores[gold].masked_fill(mask[gold] < 0.5, -1e4)
    right = among.masked_fill(target[gold] < 0.5, -1e4)
    loss = loss + weights.softmax * (among.logsumexp(-1) - right.logsumexp(-1)).sum()
    hits = target[gold].gather(1, among.argmax(-1, keepdim=True)).sum().item()
    return loss, float(hits), int(gold.sum())


def new_model(encoder: Path, options: TrainOptions) -> Any:
    """An untrained GLiNER over the encoder's weights."""
    config = GLiNERConfig(
        model_name=str(encoder),
        name="privrag-detector",
        hidden_size=options.hidden_size,
        max_width=data.MAX_WIDTH,
        max_len=256,
        span_mode="markerV0",
        dropout=options.dropout,
        subtoken_pooling="first",
        max_types=30,
        num_rnn_layers=1,
        embed_ent_token=False,  # label vectors from the first label token, not from <<ENT>>
        words_splitter_type="whitespace",
    )
    model = GLiNER.from_config(config)
    with torch.no_grad():  # small scores at first, so that neither loss saturates
        model.model.prompt_rep_layer[-1].weight *= 0.3
        model.model.span_rep_layer.span_rep_layer.out_project[-1].weight *= 0.3
    return model


def _optimizer(model: Any, options: TrainOptions) -> torch.optim.Optimizer:
    named = list(model.model.named_parameters())
    encoder = [p for n, p in named if "token_rep_layer" in n]
    heads = [p for n, p in named if "token_rep_layer" not in n]
    groups = [
        {"params": encoder, "lr": options.encoder_lr, "base": options.encoder_lr},
        {"params": heads, "lr": options.head_lr, "base": options.head_lr},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True)


def train(model: Any, sampler: BatchSampler, options: TrainOptions, checkpoint: Path) -> int:
    """Train in place.

    Returns:
        The number of steps that were made.
    """
    collate = model.data_collator_class(
        model.config, data_processor=model.data_processor, prepare_labels=True
    )
    optimizer = _optimizer(model, options)
    model.train()
    began = time.monotonic()
    saved_at = began
    step = hits = gold = 0
    total = 0.0
    while True:
        short = step < options.warm_up_steps
        for rows in sampler.chunk(short=short):
            elapsed = time.monotonic() - began
            done = step / options.steps if options.steps else elapsed / (60 * options.minutes)
            if done >= 1:
                return step
            if short and step >= options.warm_up_steps:
                break
            rate = min(1.0, (step + 1) / 60) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * rate
            batch = collate(rows)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.bf16):
                loss, right, count = span_loss(
                    model.model, batch, LossWeights.at(step, options), options
                )
            (loss / len(rows)).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            total, hits, gold = total + loss.item() / len(rows), hits + int(right), gold + count
            if step % 50 == 0:
                logger.info(
                    "step %d, %.0f s, loss %.2f, label accuracy %.3f, rate %.3f",
                    step, elapsed, total / 50, hits / max(1, gold), rate,
                )  # fmt: skip
                total, hits, gold = 0.0, 0, 0
            if time.monotonic() - saved_at > 600:
                torch.save(model.model.state_dict(), checkpoint)
                saved_at = time.monotonic()


def export(model: Any, out: Path, work: Path) -> None:
    """Write ``model.onnx`` (int8), ``tokenizer.json`` and ``gliner_config.json``.

    Args:
        model: A trained model.
        out: Where the three files go.
        work: Where the torch weights stay; ``privrag-fast export gliner`` reads them.
    """
    model.save_pretrained(str(work))
    write_model(
        model, out, model_name="sentence-transformers/all-MiniLM-L6-v2", max_len=WINDOW_WORDS
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Train, export, and write ``training.json`` beside both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--encoder", type=Path, help="folder of MiniLM-L6-v2: a new model")
    start.add_argument("--init", type=Path, help="--work of an earlier run: go on from it")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, required=True, help="folder for the package's files")
    parser.add_argument("--work", type=Path, required=True, help="folder for torch weights")
    parser.add_argument("--minutes", type=float, default=35.0)
    parser.add_argument("--steps", type=int, help="instead of --minutes")
    parser.add_argument("--rates", type=float, default=0.5, help="learning rates beside --init")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    options = TrainOptions(minutes=args.minutes, steps=args.steps, seed=args.seed)
    args.work.mkdir(parents=True, exist_ok=True)

    pools = read_pools(args.data, options)
    counts = {source: len(pool) for source, pool in pools.items()}
    logger.info("examples: %s", counts)
    if args.init:
        options = options.continued(rates=args.rates)
        model = GLiNER.from_pretrained(str(args.init))
    else:
        model = new_model(args.encoder, options)
    began = time.monotonic()
    steps = train(model, BatchSampler(pools, options), options, args.work / "checkpoint.pt")
    wall_s = time.monotonic() - began
    logger.info("trained: %d steps, %.0f s", steps, wall_s)
    export(model, args.out, args.work)
    about = {
        "options": asdict(options),
        "steps": steps,
        "wall_s": round(wall_s),
        "threads": args.threads,
        "examples": counts,
        "shares": SHARES,
        "parameters": sum(p.numel() for p in model.parameters()),
        "trained_labels": len(data.TRAINED_LABELS),
        "torch": torch.__version__,
        "init": json.loads((args.init / ABOUT).read_text("utf8")) if args.init else None,
    }
    for folder in (args.work, args.out):
        (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf8")
    logger.info("written: %s", args.out)


if __name__ == "__main__":
    main()
