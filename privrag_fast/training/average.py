"""The mean of two detectors, of which one was trained on from the other.

    python -m privrag_fast.training.average WORK_1 WORK_2 --out DIR --work WORK

What a further run learns on its own data it partly forgets elsewhere; halfway between the weights
most of the first is there, and little of the second (Wortsman et al., CVPR 2022, "Robust
fine-tuning of zero-shot models").
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from gliner import GLiNER

from privrag_fast.training.gliner import ABOUT, export

logger = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> None:
    """Average, export, and write both runs' ``training.json`` as one."""
    parser = argparse.ArgumentParser(description="The mean of two detectors.")
    parser.add_argument("first", type=Path, help="--work of a run")
    parser.add_argument("second", type=Path, help="--work of a run that went on from it")
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0 to 1")
    parser.add_argument("--out", type=Path, required=True, help="folder for the package's files")
    parser.add_argument("--work", type=Path, required=True, help="folder for torch weights")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model, other = (GLiNER.from_pretrained(str(folder)) for folder in (args.first, args.second))
    later = other.model.state_dict()
    for name, weight in model.model.state_dict().items():
        # A run may have had more token types than the first knows; those are left out.
        weight.lerp_(later[name][: len(weight)] if weight.dim() else later[name], args.share)
    export(model, args.out, args.work)
    about = {
        "average": {"share": args.share},
        "first": json.loads((args.first / ABOUT).read_text("utf8")),
        "second": json.loads((args.second / ABOUT).read_text("utf8")),
    }
    for folder in (args.work, args.out):
        (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf8")
    logger.info("written: %s", args.out)


if __name__ == "__main__":
    main()
