"""The mean of two runs' weights, of which one was trained on from the other.

    python -m privrag_fast.training.average detector WORK_1 WORK_2 --out DIR --work WORK
    python -m privrag_fast.training.average prior WORK_1 WORK_2 --encoder MINILM_DIR \\
        --out DIR --work WORK

What a further run learns on its own data it partly forgets elsewhere; halfway between the weights
most of the first is there, and little of the second is lost (Wortsman et al., CVPR 2022, "Robust
fine-tuning of zero-shot models").
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

logger = logging.getLogger(__name__)


def blend(
    first: Mapping[str, Tensor], second: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Weights of the first, moved towards those of the second.

    Args:
        share: Of the second, 0 to 1.
    """
    mixed = {}
    for name, weight in first.items():
        # A run may have had more token types than the first knows; those are left out.
        later = second[name][: len(weight)] if weight.dim() else second[name]
        mixed[name] = torch.lerp(weight, later, share) if weight.is_floating_point() else weight
    return mixed


def average_detectors(first: Path, second: Path, share: float, *, out: Path, work: Path) -> None:
    """Averages, exports, and writes both runs' ``training.json`` as one."""
    from gliner import GLiNER

    from privrag_fast.training.gliner import ABOUT, export

    model, other = (GLiNER.from_pretrained(str(folder)) for folder in (first, second))
    weights = blend(model.model.state_dict(), other.model.state_dict(), share)
    model.model.load_state_dict(weights)
    export(model, out, work)
    runs = (json.loads((folder / ABOUT).read_text("utf8")) for folder in (first, second))
    about = {"average": {"share": share}, **dict(zip(("first", "second"), runs, strict=True))}
    for folder in (work, out):
        (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf8")


def average_priors(
    first: Path, second: Path, share: float, *, encoder: Path, out: Path, work: Path
) -> None:
    """Averages and exports."""
    from privrag_fast.relevance.prior import TOKENIZER_FILE
    from privrag_fast.training.prior import CHECKPOINT, SpanScorer, export

    earlier, later = (
        torch.load(folder / CHECKPOINT, weights_only=True) for folder in (first, second)
    )
    model = SpanScorer.load(encoder)
    model.resume(earlier)  # it may have known fewer roles
    earlier = {name: weight.clone() for name, weight in model.state_dict().items()}
    model.load_state_dict(blend(earlier, later, share))
    export(model, first / TOKENIZER_FILE, out=out, work=work)
    torch.save(model.state_dict(), work / CHECKPOINT)


def main(argv: Sequence[str] | None = None) -> None:
    """Averages two detectors or two priors."""
    parser = argparse.ArgumentParser(description="The mean of two runs' weights.")
    parser.add_argument("kind", choices=("detector", "prior"))
    parser.add_argument("first", type=Path, help="--work of a run")
    parser.add_argument("second", type=Path, help="--work of a run that went on from it")
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0 to 1")
    parser.add_argument("--encoder", type=Path, help="prior: folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True, help="folder for the package's files")
    parser.add_argument("--work", type=Path, required=True, help="folder for torch weights")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folders = {"out": args.out, "work": args.work}
    if args.kind == "detector":
        average_detectors(args.first, args.second, args.share, **folders)
    elif args.encoder is None:
        parser.error("a prior needs --encoder")
    else:
        average_priors(args.first, args.second, args.share, encoder=args.encoder, **folders)
    logger.info("written: %s", args.out)


if __name__ == "__main__":
    main()
