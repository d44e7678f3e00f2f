"""Teach the small language model to state what documents ask for: a LoRA adapter, on CPU.

Two commands make it; the first needs llama.cpp, the second torch::

    python -m privrag_fast.training.slm_tokens --model BASE.gguf --lessons 1500 --out train.npz
    python -m privrag_fast.training.slm --base BASE.gguf --data train.npz --out adapter.npz

The base is frozen in bfloat16, so that a backward pass computes no gradient of its weights; the
factors are float32. A step reads whole token trees, one at a time, without padding.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AutoModelForCausalLM
from transformers.masking_utils import AttentionMaskInterface

from privrag_fast.lora import Adapter, FloatArray, rows_for_llama_cpp, save_adapter
from privrag_fast.training.slm_tokens import TokenTree, load_trees

logger = logging.getLogger(__name__)

# Hugging Face's names inside a layer, and llama.cpp's.
_LINEARS: Final = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_BLOCK_ROWS: Final = 160


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What a training run is; the learning rate follows `minutes`, or `steps` where given."""

    minutes: float = 33.0
    steps: int | None = None
    seed: int = 1
    trees: int = 2  # lessons a step
    rank: int = 16
    alpha: float = 32.0
    lr: float = 1.5e-3
    warm_up: float = 0.03
    threads: int = 2


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """How a run went: `loss` is that of the last tenth of the steps, in nats an answer token."""

    steps: int
    trees: int
    tokens: int
    seconds: float
    loss: float


# --------------------------------------------------------------------------- attention


@dataclass(frozen=True, slots=True)
class Block:
    """Neighboring tokens of a tree that follow each other in one sequence.

    Args:
        rows: Where they stand.
        keys: int64 [K]: all tokens that the last of them sees.
        mask: bfloat16 [rows, K], added to the attention logits.
    """

    rows: slice
    keys: Tensor
    mask: Tensor


def blocks_of(tree: TokenTree) -> list[Block]:
    """The tree cut where a sequence branches off, or after `_BLOCK_ROWS`."""
    visible = tree.visible()
    starts = [0]
    for i, parent in enumerate(tree.parents.tolist()):
        if parent != i - 1 or i - starts[-1] == _BLOCK_ROWS:
            starts.append(i)
    return [_block(visible, start, stop) for start, stop in pairwise([*starts, len(visible)])]


def _block(visible: npt.NDArray[np.bool_], start: int, stop: int) -> Block:
    keys = np.flatnonzero(visible[stop - 1])
    mask = torch.zeros(stop - start, len(keys), dtype=torch.bfloat16)
    mask[torch.from_numpy(~visible[start:stop][:, keys])] = torch.finfo(torch.bfloat16).min
    return Block(slice(start, stop), torch.from_numpy(keys), mask)


def _tree_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: None,
    *,
    blocks: Sequence[Block],
    scaling: float,
    **_: object,
) -> tuple[Tensor, None]:
    """Attention of one tree, [1, heads, T, size] to [1, T, heads, size].

    A quarter of the pairs of tokens see each other: block by block takes less than half the time
    of the fused kernel with a mask.
    """
    heads, groups = query.shape[1], key.shape[1]
    outputs = []
    for block in blocks:
        rows, width = block.mask.shape
        q = scaling * query[0, :, block.rows]
        k = key[0].index_select(1, block.keys)
        v = value[0].index_select(1, block.keys)
        logits = q.reshape(groups, -1, q.shape[-1]) @ k.transpose(1, 2)
        weights = (logits.view(heads, rows, width) + block.mask).softmax(-1)
        outputs.append((weights.view(groups, -1, width) @ v).view(heads, rows, -1))
    return torch.cat(outputs, dim=1).transpose(0, 1)[None].contiguous(), None


AttentionInterface.register("privrag_tree", _tree_attention)
AttentionMaskInterface.register("privrag_tree", lambda *_, **__: None)


# --------------------------------------------------------------------------- model


class LoraLinear(nn.Module):  # type: ignore[misc]  # torch's types are not followed
    """A frozen linear layer with a low-rank change that begins as zero."""

    def __init__(self, linear: nn.Linear, *, rank: int, alpha: float) -> None:
        super().__init__()
        self.linear = linear
        self.scale = alpha / rank
        bound = 1 / math.sqrt(linear.in_features)
        self.a = nn.Parameter(torch.empty(rank, linear.in_features).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        low = nn.functional.linear(x, self.a.to(x.dtype))
        change = nn.functional.linear(low, (self.scale * self.b).to(x.dtype))
        return self.linear(x) + change


class Student(nn.Module):  # type: ignore[misc]
    """A frozen causal model with factors on all linear layers."""

    def __init__(self, model: nn.Module, *, rank: int, alpha: float) -> None:
        super().__init__()
        self.model = model.requires_grad_(False)
        self.rank, self.alpha = rank, alpha
        self.factors: dict[str, LoraLinear] = {}
        for index, layer in enumerate(model.model.layers):
            for path, name in _LINEARS.items():
                parent, _, attribute = path.partition(".")
                module = getattr(layer, parent)
                wrapped = LoraLinear(getattr(module, attribute), rank=rank, alpha=alpha)
                setattr(module, attribute, wrapped)
                self.factors[f"blk.{index}.{name}.weight"] = wrapped

    @classmethod
    def load(cls, base: Path, options: TrainOptions) -> Student:
        """On the weights of a GGUF file, dequantized."""
        model = AutoModelForCausalLM.from_pretrained(
            base.parent,
            gguf_file=base.name,
            dtype=torch.bfloat16,
            attn_implementation="privrag_tree",
        )
        return cls(model, rank=options.rank, alpha=options.alpha)

    def loss(self, tree: TokenTree) -> Tensor:
        """Cross-entropy of the answer tokens, summed."""
        states = self.model.model(
            input_ids=torch.from_numpy(tree.tokens)[None].long(),
            position_ids=torch.from_numpy(tree.positions())[None].long(),
            use_cache=False,
            blocks=blocks_of(tree),
        ).last_hidden_state[0]
        logits = self.model.lm_head(states[torch.from_numpy(tree.sources).long()]).float()
        targets = torch.from_numpy(tree.targets).long()
        return nn.functional.cross_entropy(logits, targets, reduction="sum")

    def trained(self) -> list[nn.Parameter]:
        """The factors."""
        return [p for p in self.parameters() if p.requires_grad]

    def adapter(self) -> Adapter:
        """The factors in llama.cpp's names and order of rows."""
        config = self.model.config
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
        factors: dict[str, tuple[FloatArray, FloatArray]] = {}
        for name, layer in self.factors.items():
            a, b = layer.a.detach().numpy(), layer.b.detach().numpy()
            kind = name.split(".")[2]
            factors[name] = (a, rows_for_llama_cpp(b, heads[kind]) if kind in heads else b)
        return Adapter(self.rank, self.alpha, factors)


# --------------------------------------------------------------------------- training


def _steps(trees: Sequence[TokenTree], options: TrainOptions) -> Iterator[list[TokenTree]]:
    """Batches for ever; each tree comes once before any comes again."""
    rng = random.Random(options.seed)
    queue: list[TokenTree] = []
    while True:
        while len(queue) < options.trees:
            queue += rng.sample(trees, len(trees))
        yield [queue.pop(0) for _ in range(options.trees)]


def train(
    student: Student,
    trees: Sequence[TokenTree],
    options: TrainOptions,
    *,
    checkpoint: Path | None = None,
) -> TrainingReport:
    """AdamW with linear decay, until the time or the steps are used up.

    Args:
        checkpoint: Where the factors are saved every 100 steps.
    """
    parameters = student.trained()
    optimizer = torch.optim.AdamW(
        parameters, lr=options.lr, betas=(0.9, 0.99), weight_decay=0.0, fused=True
    )
    losses: list[float] = []
    tokens, began = 0, time.monotonic()
    for batch in _steps(trees, options):
        done = _progress(len(losses), began, options)
        if done >= 1.0:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.lr * min(1.0, (done + 0.002) / options.warm_up) * (1.0 - done)
        losses.append(_step(student, batch, optimizer, parameters))
        tokens += sum(len(tree.tokens) for tree in batch)
        if len(losses) % 10 == 0:
            recent, rate = np.mean(losses[-20:]), tokens / (time.monotonic() - began)
            logger.info(
                "step %d, %.1f%%, loss %.4f, %.0f tokens/s", len(losses), 100 * done, recent, rate
            )
        if checkpoint is not None and len(losses) % 100 == 0:
            save_adapter(checkpoint, student.adapter())
    last = losses[-max(1, len(losses) // 10) :]
    return TrainingReport(
        steps=len(losses),
        trees=len(losses) * options.trees,
        tokens=tokens,
        seconds=time.monotonic() - began,
        loss=sum(last) / len(last),
    )


def _progress(steps: int, began: float, options: TrainOptions) -> float:
    if options.steps is not None:
        return steps / options.steps
    return (time.monotonic() - began) / (60 * options.minutes)


def _step(
    student: Student,
    batch: Sequence[TokenTree],
    optimizer: torch.optim.Optimizer,
    parameters: Sequence[nn.Parameter],
) -> float:
    """One update; the loss an answer token."""
    answers = sum(len(tree.targets) for tree in batch)
    total = 0.0
    for tree in batch:
        loss = student.loss(tree) / answers
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return total


def measure(student: Student, trees: Sequence[TokenTree]) -> float:
    """Loss an answer token, without training."""
    with torch.no_grad():
        total = sum(float(student.loss(tree)) for tree in trees)
    return total / sum(len(tree.targets) for tree in trees)


# --------------------------------------------------------------------------- command line


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains and exports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True, help="GGUF of a llama model")
    parser.add_argument("--data", type=Path, required=True, help="from slm_tokens")
    parser.add_argument("--dev", type=Path, help="from slm_tokens --dev")
    parser.add_argument("--out", type=Path, required=True, help="adapter (.npz)")
    parser.add_argument("--report", type=Path, help="options and figures (.json)")
    for name, kind in (("minutes", float), ("steps", int), ("seed", int), ("threads", int)):
        parser.add_argument(f"--{name}", type=kind, default=getattr(TrainOptions(), name))
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = TrainOptions(
        minutes=args.minutes, steps=args.steps, seed=args.seed, threads=args.threads
    )
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    student = Student.load(args.base, options)
    report: dict[str, Any] = {"options": asdict(options)}
    trees = load_trees(args.data)
    report["training"] = asdict(train(student, trees, options, checkpoint=args.out))
    save_adapter(args.out, student.adapter())
    if args.dev:
        report["dev_loss"] = measure(student, load_trees(args.dev))
    logger.info("%s", json.dumps(report))
    if args.report:
        args.report.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
