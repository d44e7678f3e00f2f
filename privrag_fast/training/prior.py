"""Train the prior: a cross-encoder that says which attributes an answer needs, as int8 ONNX.

Run it as a module, on windows that `prior_data` wrote::

    python -m privrag_fast.training.prior --encoder MINILM_DIR --data train.npz --out DIR

A window holds a message and its passages once; the states of an attribute's tokens give its
verdict, so that one pass teaches, and scores, all attributes of a message. Embeddings keep their
published weights: words that no lesson holds still mean what they meant.

Each thread takes a whole window, without padding, through a bfloat16 copy of the float32 weights.
glibc hands memory back after every window unless it is told not to:
`MALLOC_TRIM_THRESHOLD_=16000000000 MALLOC_MMAP_THRESHOLD_=4000000000`.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from transformers import BertModel

from privrag_fast.relevance.prior import (
    MODEL_FILE,
    NAMED,
    PASSAGE,
    TOKENIZER_FILE,
    Window,
)
from privrag_fast.training.prior_windows import Example, load_examples
from privrag_fast.training.progress import batches, progress

logger = logging.getLogger(__name__)

CHECKPOINT: Final = "model.pt"  # in the folder of --work
INPUTS: Final = ("input_ids", "roles", "spans")
_ROLES: Final = NAMED + 1


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What a training run is; the learning rate follows `minutes`, or `steps` where given."""

    minutes: float = 30.0
    steps: int | None = None
    seed: int = 1
    windows: int = 8  # a step
    encoder_lr: float = 2.5e-4
    head_lr: float = 1e-3
    consulted: float = 0.5  # weight of the auxiliary label
    warm_up: float = 0.04
    threads: int = 2


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """How a run went: steps, windows and tokens seen, seconds, and the loss of its last tenth."""

    steps: int
    windows: int
    tokens: int
    seconds: float
    loss: float


# --------------------------------------------------------------------------- model


class SpanScorer(nn.Module):  # type: ignore[misc]  # torch's types are not followed
    """Window to logits [A, 2]: needed, consulted. Takes int64 [S] twice and float32 [A, S]."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        size = encoder.config.hidden_size
        self.role = nn.Embedding(_ROLES, size)
        nn.init.zeros_(self.role.weight)
        self.head = nn.Sequential(nn.Linear(3 * size, size), nn.GELU(), nn.Linear(size, 2))
        encoder.embeddings.requires_grad_(False)

    @classmethod
    def load(cls, encoder: Path) -> SpanScorer:
        """Untrained, on the encoder of a Hugging Face folder."""
        bert = BertModel.from_pretrained(
            encoder, add_pooling_layer=False, attn_implementation="eager"
        )
        for module in bert.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0  # a run sees hardly any window twice
        return cls(bert)

    def resume(self, state: dict[str, Tensor]) -> None:
        """Goes on from an earlier run's weights, also of one that knew fewer roles.

        What marks a token of a passage begins as what a passage is.
        """
        own = self.state_dict()
        for name, known in state.items():
            fresh = own[name]
            if name == "role.weight":
                fresh[:] = known[PASSAGE]
            fresh[tuple(map(slice, known.shape))] = known

    def forward(self, input_ids: Tensor, roles: Tensor, spans: Tensor) -> Tensor:
        embeddings = self.encoder.embeddings
        words = embeddings.word_embeddings(input_ids) + self.role(roles)
        states = embeddings(inputs_embeds=words[None])
        for layer in self.encoder.encoder.layer:
            output = layer(states, None)
            states = output[0] if isinstance(output, tuple) else output
        own = spans.to(states.dtype) @ states[0]
        whole = states[:, 0].expand_as(own)
        return self.head(torch.cat([own, whole, own * whole], dim=-1)).float()

    def trained(self) -> list[nn.Parameter]:
        """All but the embeddings, in a fixed order."""
        return [p for p in self.parameters() if p.requires_grad]

    def parameter_groups(self, options: TrainOptions) -> list[dict[str, object]]:
        """The encoder's layers slowly, what is new fast."""
        layers = list(self.encoder.encoder.parameters())
        new = [*self.role.parameters(), *self.head.parameters()]
        return [
            {"params": layers, "lr": options.encoder_lr},
            {"params": new, "lr": options.head_lr},
        ]


def tensors(window: Window) -> tuple[Tensor, Tensor, Tensor]:
    """A window as the model takes it."""
    return (
        torch.from_numpy(window.ids),
        torch.from_numpy(window.roles),
        torch.from_numpy(window.spans),
    )


# --------------------------------------------------------------------------- training


def loss_of(model: SpanScorer, example: Example, consulted: float) -> Tensor:
    """Cross-entropy, summed over the attributes; labels that are not known cost nothing."""
    labels = torch.from_numpy(example.labels).float()
    weights = (labels >= 0) * torch.tensor([1.0, consulted])
    logits = model(*tensors(example.window))
    return nn.functional.binary_cross_entropy_with_logits(
        logits, labels.clamp(min=0), weights, reduction="sum"
    )


def train(
    model: SpanScorer,
    examples: Sequence[Example],
    options: TrainOptions,
    *,
    checkpoint: Path | None = None,
) -> TrainingReport:
    """AdamW with linear decay, until the time or the steps are used up.

    Args:
        checkpoint: Where the weights are saved every 250 steps.
    """
    fast = copy.deepcopy(model).bfloat16()
    optimizer = torch.optim.AdamW(model.parameter_groups(options), weight_decay=0.01, fused=True)
    peaks = [group["lr"] for group in optimizer.param_groups]
    drawn = batches(examples, options.windows, options.seed)
    losses: list[float] = []
    tokens, began = 0, time.monotonic()
    # One thread a window: they wait for each other once a step, not at every product.
    with ThreadPoolExecutor(options.threads, initializer=torch.set_num_threads, initargs=(1,)) as e:
        while (done := progress(len(losses), began, options)) < 1.0:
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = peak * min(1.0, (done + 0.002) / options.warm_up) * (1.0 - done)
            batch = next(drawn)
            losses.append(_gradients(model, fast, batch, options, e))
            nn.utils.clip_grad_norm_(model.trained(), 1.0)
            optimizer.step()
            _copy(model, fast)
            tokens += sum(len(example.window.ids) for example in batch)
            if len(losses) % 25 == 0:
                rate = tokens / (time.monotonic() - began)
                recent = sum(losses[-100:]) / len(losses[-100:])
                logger.info(
                    "step %d, %.1f%%, loss %.4f, %.0f tokens/s",
                    *(len(losses), 100 * done, recent, rate),
                )
            if checkpoint is not None and len(losses) % 250 == 0:
                torch.save(model.state_dict(), checkpoint)
    last = losses[-max(1, len(losses) // 10) :]
    return TrainingReport(
        steps=len(losses),
        windows=len(losses) * options.windows,
        tokens=tokens,
        seconds=time.monotonic() - began,
        loss=sum(last) / len(last),
    )


def _gradients(
    model: SpanScorer,
    fast: SpanScorer,
    batch: Sequence[Example],
    options: TrainOptions,
    executor: Executor,
) -> float:
    """Leaves a step's gradients in the float32 weights; the loss an attribute."""
    weights = fast.trained()
    count = sum(len(example.labels) for example in batch)

    def part(example: Example) -> tuple[float, tuple[Tensor, ...]]:
        loss = loss_of(fast, example, options.consulted) / count
        return loss.item(), torch.autograd.grad(loss, weights)

    longest_first = sorted(batch, key=lambda example: -len(example.window.ids))
    results = [future.result() for future in [executor.submit(part, x) for x in longest_first]]
    for parameter, first, *others in zip(
        model.trained(), *(own for _, own in results), strict=True
    ):
        parameter.grad = first.float()
        for gradient in others:
            parameter.grad += gradient
    return sum(loss for loss, _ in results)


def _copy(model: SpanScorer, fast: SpanScorer) -> None:
    with torch.no_grad():
        for ours, theirs in zip(fast.trained(), model.trained(), strict=True):
            ours.copy_(theirs)


# --------------------------------------------------------------------------- export


def export(model: SpanScorer, tokenizer: Path, *, out: Path, work: Path) -> None:
    """Writes `model.onnx` (int8) and `tokenizer.json` to `out`; F32 to `work`."""
    for folder in (out, work):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tokenizer, folder / TOKENIZER_FILE)
    ids = torch.randint(1000, 20000, (16,))
    torch.onnx.export(
        model.eval(),
        (ids, torch.zeros_like(ids), torch.rand(3, 16)),
        str(work / MODEL_FILE),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={
            **{"input_ids": {0: "tokens"}, "roles": {0: "tokens"}},
            **{"spans": {0: "attributes", 1: "tokens"}, "logits": {0: "attributes"}},
        },
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(
        work / MODEL_FILE, out / MODEL_FILE, weight_type=QuantType.QInt8, per_channel=True
    )


# --------------------------------------------------------------------------- command line


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains, exports, and leaves the run's report beside the F32 graph."""
    parser = argparse.ArgumentParser(prog="privrag_fast.training.prior")
    add = parser.add_argument
    add("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2 in safetensors")
    add("--init", type=Path, help="--work of an earlier run: go on from its weights")
    add("--tokenizer", type=Path, required=True, help="the tokenizer.json of prior_data's windows")
    add("--data", type=Path, required=True, help="from prior_data")
    add("--out", type=Path, required=True, help="where the int8 model goes")
    add("--work", type=Path, default=Path("prior-work"), help="F32 graph, checkpoint, report")
    for name, default in asdict(TrainOptions()).items():
        kind = int if default is None else type(default)
        add(f"--{name.replace('_', '-')}", type=kind, default=default)
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = TrainOptions(**{name: getattr(args, name) for name in asdict(TrainOptions())})
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    model = SpanScorer.load(args.encoder)
    if args.init:
        model.resume(torch.load(args.init / CHECKPOINT, weights_only=True))
    report = train(model, load_examples(args.data), options, checkpoint=args.work / CHECKPOINT)
    torch.save(model.state_dict(), args.work / CHECKPOINT)
    export(model, args.tokenizer, out=args.out, work=args.work)
    summary = {"options": asdict(options), "report": asdict(report)}
    (args.work / "report.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    logger.info("%s", report)


if __name__ == "__main__":
    main()
