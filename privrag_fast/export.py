"""`privrag-fast export`: a checkpoint in torch becomes a folder that this package loads."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privrag_fast.types import ProviderError

if TYPE_CHECKING:
    from privrag_fast.training.export import Exported


def export_reranker(folder: str | Path, out: str | Path, *, full: bool = False) -> Exported:
    """Any cross-encoder for `CrossEncoder`: `model.onnx` and `tokenizer.json` in `out`.

    Args:
        folder: A sequence classifier as transformers saves it, with one logit or two.
        full: Weights stay F32; otherwise they become int8, a quarter of the size.

    Raises:
        ProviderError: The extra `train` is not installed.
        ModelError: The folder holds something else, or the graph does not compute the same.
    """
    exported: Exported = _torch_side().export_reranker(Path(folder), Path(out), full=full)
    return exported


def export_embedder(folder: str | Path, out: str | Path, *, full: bool = False) -> Exported:
    """A sentence-transformers folder for `Embedder`; see `export_reranker`."""
    exported: Exported = _torch_side().export_embedder(Path(folder), Path(out), full=full)
    return exported


def export_gliner(folder: str | Path, out: str | Path, *, full: bool = False) -> Exported:
    """A span-mode GLiNER of one encoder for `Gliner`; see `export_reranker`.

    Token-level, bi-encoder, generative, relation, streaming and multitask models are refused by
    name: see docs/detection.md.
    """
    exported: Exported = _torch_side("gliner_export").export_gliner(
        Path(folder), Path(out), full=full
    )
    return exported


def add_command(commands: Any) -> None:
    """Adds `export` and what it exports to the commands of `privrag-fast`."""
    group = commands.add_parser("export", help="turn a checkpoint in torch into ONNX")
    roles = group.add_subparsers(required=True, metavar="role")
    for role, name, export in (
        ("reranker", "reranker", export_reranker),
        ("embedder", "embedder", export_embedder),
        ("detector", "gliner", export_gliner),
    ):
        parser = roles.add_parser(name, help=f"for --{role}")
        parser.add_argument("folder", help="the checkpoint, as a hub has it")
        parser.add_argument("--out", required=True, metavar="DIR", help="where the export goes")
        parser.add_argument("--full", action="store_true", help="F32 weights instead of int8")
        parser.set_defaults(command=_run, export=export)


def _run(options: argparse.Namespace) -> int:
    exported = options.export(options.folder, options.out, full=options.full)
    size = exported.path.stat().st_size / 1e6
    print(f"{exported.path}: {size:.1f} MB; F32 differs by {exported.difference:.1e} from torch")
    return 0


def _torch_side(module: str = "export") -> Any:
    try:
        return importlib.import_module(f"privrag_fast.training.{module}")
    except ImportError as error:
        raise ProviderError(
            f"{error.name} is missing: pip install torch (the CPU build where no GPU is wanted), "
            "then pip install 'privrag_fast[train]'"
        ) from error
