"""Teach the small language model to state what documents ask for: a LoRA adapter, on CPU.

Two commands make it; the first needs llama.cpp, the second torch::

    python -m privrag_fast.training.slm_tokens --model BASE.gguf --lessons 1500 --out train.npz
    python -m privrag_fast.training.slm_tokens --model BASE.gguf --text plain.txt --out plain.npz
    python -m privrag_fast.training.slm --base BASE.gguf --data train.npz --plain plain.npz \\
        --out adapter.npz

The base is frozen in bfloat16, so that a backward pass computes no gradient of its weights; the
factors are float32. A step reads whole token trees, one a thread, without padding. On plain text
the model is held to what it said before: without this, perplexity rose by half.

glibc hands memory back after every tree unless it is told not to, which costs a tenth of the time:
`MALLOC_TRIM_THRESHOLD_=16000000000 MALLOC_MMAP_THRESHOLD_=4000000000`.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
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

from privrag_fast.lora import (
    Adapter,
    FloatArray,
    load_adapter,
    rows_for_hugging_face,
    rows_for_llama_cpp,
    save_adapter,
)
from privrag_fast.training.progress import batches, progress
from privrag_fast.training.slm_tokens import TokenTree, load_trees
from privrag_fast.types import InputError

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
    trees: int = 3  # lessons a step
    texts: int = 1  # plain texts a step, where there are any
    hold: float = 1.0  # weight of a nat of divergence on plain text beside one of answers
    rank: int = 16
    alpha: float = 32.0
    lr: float = 1.5e-3
    warm_up: float = 0.03
    threads: int = 2


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """How a run went.

    Args:
        loss: Nats an answer token, over the last tenth of the steps.
        drift: Divergence from the base in nats a token of plain text, over the same.
    """

    steps: int
    trees: int
    tokens: int
    seconds: float
    loss: float
    drift: float


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


class _TreeAttention(torch.autograd.Function):  # type: ignore[misc]  # torch's types are not followed
    """Attention block by block: a quarter of the pairs of tokens of a tree see each other.

    By hand, since the gradient of each slice would be a tensor as large as the whole.
    """

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, key: Tensor, value: Tensor, blocks: Sequence[Block]
    ) -> Tensor:
        """[heads, T, size], twice [groups, T, size], to [heads, T, size]; `query` is scaled."""
        heads, groups = len(query), len(key)
        output = torch.empty_like(query)
        weights = []
        for block in blocks:
            q = _grouped(query[:, block.rows], groups)
            logits = q @ key.index_select(1, block.keys).transpose(1, 2)
            logits.view(heads, *block.mask.shape).add_(block.mask)
            weights.append(logits.softmax(-1))
            mixed = weights[-1] @ value.index_select(1, block.keys)
            output[:, block.rows] = mixed.view(heads, -1, mixed.shape[-1])
        ctx.blocks = blocks
        ctx.save_for_backward(query, key, value, *weights)
        return output

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        """Of query, key and value."""
        query, key, value, *weights = ctx.saved_tensors
        heads, groups = len(query), len(key)
        of_query = torch.empty_like(query)
        of_key, of_value = torch.zeros_like(key), torch.zeros_like(value)
        for block, mixing in zip(ctx.blocks, weights, strict=True):
            own = _grouped(gradient[:, block.rows], groups)
            of_value.index_add_(1, block.keys, mixing.transpose(1, 2) @ own)
            of_mixing = own @ value.index_select(1, block.keys).transpose(1, 2)
            of_logits = torch._softmax_backward_data(of_mixing, mixing, -1, mixing.dtype)
            q = _grouped(query[:, block.rows], groups)
            of_key.index_add_(1, block.keys, of_logits.transpose(1, 2) @ q)
            of_q = of_logits @ key.index_select(1, block.keys)
            of_query[:, block.rows] = of_q.view(heads, -1, of_q.shape[-1])
        return of_query, of_key, of_value, None


def _grouped(rows: Tensor, groups: int) -> Tensor:
    """[heads, R, size] to [groups, heads / groups * R, size]."""
    return rows.reshape(groups, -1, rows.shape[-1])


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
    """Attention of one tree, [1, heads, T, size] to [1, T, heads, size]."""
    output = _TreeAttention.apply(scaling * query[0], key[0], value[0], blocks)
    return output.transpose(0, 1)[None].contiguous(), None


AttentionInterface.register("privrag_tree", _tree_attention)
AttentionMaskInterface.register("privrag_tree", lambda *_, **__: None)


# --------------------------------------------------------------------------- model


class _LoraProduct(torch.autograd.Function):  # type: ignore[misc]
    """`x @ (w + b @ a).T`, without the pass over the output that adding the change would take."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, a: Tensor, b: Tensor) -> Tensor:
        """[N, in], [out, in], [rank, in], [out, rank], to [N, out]."""
        low = x @ a.T
        ctx.save_for_backward(x, w, a, b, low)
        return (x @ w.T).addmm_(low, b.T)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor, Tensor]:
        """Of all but the frozen weight."""
        x, w, a, b, low = ctx.saved_tensors
        of_low = gradient @ b
        return (gradient @ w).addmm_(of_low, a), None, of_low.T @ x, gradient.T @ low


class LoraLinear(nn.Module):  # type: ignore[misc]
    """A frozen linear layer with a low-rank change that begins as zero."""

    def __init__(self, linear: nn.Linear, *, rank: int, alpha: float) -> None:
        super().__init__()
        self.linear = linear
        self.scale = alpha / rank
        bound = 1 / math.sqrt(linear.in_features)
        self.a = nn.Parameter(torch.empty(rank, linear.in_features).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        rows = x.view(-1, x.shape[-1])
        b = (self.scale * self.b).to(x.dtype)
        changed = _LoraProduct.apply(rows, self.linear.weight, self.a.to(x.dtype), b)
        return changed.view(*x.shape[:-1], -1)


class Student(nn.Module):  # type: ignore[misc]
    """A frozen causal model with factors on all linear layers."""

    def __init__(self, model: nn.Module, *, rank: int, alpha: float) -> None:
        super().__init__()
        self.model = model.requires_grad_(False)
        # The same weights, without factors.
        self.base = copy.deepcopy(model, {id(p): p for p in model.parameters()})
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
        """Cross-entropy of the answer tokens by their weights, summed."""
        targets, weights = torch.from_numpy(tree.targets).long(), torch.from_numpy(tree.weights)
        losses = nn.functional.cross_entropy(_logits(self.model, tree), targets, reduction="none")
        return losses @ weights

    def drift(self, tree: TokenTree) -> Tensor:
        """Divergence of the base's next tokens from the student's, summed over the tree's."""
        with torch.no_grad():
            before = _logits(self.base, tree).log_softmax(-1)
        now = _logits(self.model, tree).log_softmax(-1)
        return nn.functional.kl_div(now, before, reduction="sum", log_target=True)

    def resume(self, adapter: Adapter) -> None:
        """Goes on from factors that an earlier run saved."""
        if (adapter.rank, adapter.alpha) != (self.rank, self.alpha):
            raise InputError(
                f"the adapter has rank {adapter.rank} and alpha {adapter.alpha:g}; give these"
            )
        for name, layer in self.factors.items():
            a, b = adapter.factors[name]
            heads = self._heads(name)
            layer.a.data.copy_(torch.from_numpy(a))
            layer.b.data.copy_(torch.from_numpy(rows_for_hugging_face(b, heads) if heads else b))

    def trained(self) -> list[nn.Parameter]:
        """The factors."""
        return [p for p in self.parameters() if p.requires_grad]

    def adapter(self) -> Adapter:
        """The factors in llama.cpp's names and order of rows."""
        factors: dict[str, tuple[FloatArray, FloatArray]] = {}
        for name, layer in self.factors.items():
            a, b = layer.a.detach().numpy(), layer.b.detach().numpy()
            heads = self._heads(name)
            factors[name] = (a, rows_for_llama_cpp(b, heads) if heads else b)
        return Adapter(self.rank, self.alpha, factors)

    def _heads(self, name: str) -> int:
        """Those of a tensor whose rows llama.cpp orders otherwise; 0 of any other."""
        config = self.model.config
        heads: dict[str, int] = {
            "attn_q": config.num_attention_heads,
            "attn_k": config.num_key_value_heads,
        }
        return heads.get(name.split(".")[2], 0)


def _logits(model: nn.Module, tree: TokenTree) -> Tensor:
    """After the sources of a tree: float32 [A, vocabulary]."""
    states = model.model(
        input_ids=torch.from_numpy(tree.tokens)[None].long(),
        position_ids=torch.from_numpy(tree.positions())[None].long(),
        use_cache=False,
        blocks=blocks_of(tree),
    ).last_hidden_state[0]
    return model.lm_head(states[torch.from_numpy(tree.sources).long()]).float()


# --------------------------------------------------------------------------- training


def train(
    student: Student,
    trees: Sequence[TokenTree],
    texts: Sequence[TokenTree],
    options: TrainOptions,
    *,
    checkpoint: Path | None = None,
) -> TrainingReport:
    """AdamW with linear decay, until the time or the steps are used up.

    Args:
        texts: Plain ones, on which the model is to stay as it was; none trains without.
        checkpoint: Where the factors are saved every 100 steps.
    """
    parameters = student.trained()
    optimizer = torch.optim.AdamW(
        parameters, lr=options.lr, betas=(0.9, 0.99), weight_decay=0.0, fused=True
    )
    lessons = batches(trees, options.trees, options.seed)
    plain = batches(texts, options.texts if texts else 0, options.seed)
    losses: list[tuple[float, float]] = []
    tokens, began = 0, time.monotonic()
    # One thread a tree: they wait for each other once a step, not at every product.
    with ThreadPoolExecutor(options.threads, initializer=torch.set_num_threads, initargs=(1,)) as e:
        while (done := progress(len(losses), began, options)) < 1.0:
            for group in optimizer.param_groups:
                group["lr"] = options.lr * min(1.0, (done + 0.002) / options.warm_up) * (1.0 - done)
            batch, held = next(lessons), next(plain)
            losses.append(_gradients(student, batch, held, options.hold, e))
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            tokens += sum(len(tree.tokens) for tree in (*batch, *held))
            if len(losses) % 10 == 0:
                loss, drift = np.mean(losses[-20:], axis=0)
                rate = tokens / (time.monotonic() - began)
                logger.info(
                    "step %d, %.1f%%, loss %.4f, drift %.4f, %.0f tokens/s",
                    *(len(losses), 100 * done, loss, drift, rate),
                )
            if checkpoint is not None and len(losses) % 100 == 0:
                save_adapter(checkpoint, student.adapter())
    loss, drift = np.mean(losses[-max(1, len(losses) // 10) :], axis=0)
    return TrainingReport(
        steps=len(losses),
        trees=len(losses) * options.trees,
        tokens=tokens,
        seconds=time.monotonic() - began,
        loss=float(loss),
        drift=float(drift),
    )


def _gradients(
    student: Student,
    trees: Sequence[TokenTree],
    texts: Sequence[TokenTree],
    hold: float,
    executor: Executor,
) -> tuple[float, float]:
    """Leaves the gradients of a step in the factors; the loss an answer token, and the drift."""
    parameters = student.trained()

    def part(of: Callable[[TokenTree], Tensor], tree: TokenTree, weight: float) -> Any:
        loss = weight * of(tree)
        return loss.item(), torch.autograd.grad(loss, parameters)

    def parts(of: Callable[[TokenTree], Tensor], batch: Sequence[TokenTree], weight: float) -> Any:
        weight /= max(1.0, sum(float(tree.weights.sum()) for tree in batch))
        longest_first = sorted(batch, key=lambda tree: -len(tree.tokens))
        return [executor.submit(part, of, tree, weight) for tree in longest_first]

    of_answers, of_texts = parts(student.loss, trees, 1.0), parts(student.drift, texts, hold)
    results = [future.result() for future in (*of_answers, *of_texts)]
    for parameter, *gradients in zip(parameters, *(own for _, own in results), strict=True):
        parameter.grad = torch.stack(gradients).sum(0)
    losses = [loss for loss, _ in results]
    return sum(losses[: len(trees)]), sum(losses[len(trees) :]) / hold


def measure(student: Student, trees: Sequence[TokenTree]) -> float:
    """Loss an answer token, without training."""
    with torch.no_grad():
        total = sum(float(student.loss(tree)) for tree in trees)
    return total / sum(float(tree.weights.sum()) for tree in trees)


# --------------------------------------------------------------------------- command line


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains and exports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True, help="GGUF of a llama model")
    parser.add_argument("--data", type=Path, required=True, help="from slm_tokens")
    parser.add_argument("--plain", type=Path, help="from slm_tokens --text")
    parser.add_argument("--resume", type=Path, help="adapter of an earlier run (.npz)")
    parser.add_argument("--dev", type=Path, help="from slm_tokens --dev")
    parser.add_argument("--out", type=Path, required=True, help="adapter (.npz)")
    parser.add_argument("--report", type=Path, help="options and figures (.json)")
    for name, default in asdict(TrainOptions()).items():
        kind = int if default is None else type(default)
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default)
    args = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = TrainOptions(**{name: getattr(args, name) for name in asdict(TrainOptions())})
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    student = Student.load(args.base, options)
    if args.resume:
        student.resume(load_adapter(args.resume))
    report: dict[str, Any] = {"options": asdict(options)}
    texts = load_trees(args.plain) if args.plain else []
    trained = train(student, load_trees(args.data), texts, options, checkpoint=args.out)
    report["training"] = asdict(trained)
    save_adapter(args.out, student.adapter())
    if args.dev:
        report["dev_loss"] = measure(student, load_trees(args.dev))
    logger.info("%s", json.dumps(report))
    if args.report:
        args.report.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
