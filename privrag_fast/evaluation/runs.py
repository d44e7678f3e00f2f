"""A run: a folder with a record of what was run, and rows on disk as they come.

`record.json` says what the rows depend on; `NAME.jsonl` holds one line an item, so that a run that
was stopped goes on where it was; `results.json` holds the figures.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from privrag_fast import __version__, models
from privrag_fast.assembly import Models
from privrag_fast.evaluation.bars import machine
from privrag_fast.evaluation.dataset import Dataset, Question
from privrag_fast.types import InputError

T = TypeVar("T")
Row = dict[str, Any]

_PROBED = 3
"""Items that are timed before the rest is estimated."""


class Run:
    """A folder of one evaluation, begun or gone on with.

    Args:
        settings: What the rows depend on, as JSON has it. A folder whose rows were made with other
            settings is refused.
        notes: What a reader wants to know beside them; the latest are kept.
        say: Gets what a person should read while it runs.

    Raises:
        InputError: The folder holds another run.
    """

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, Any],
        notes: Mapping[str, Any] | None = None,
        say: Callable[[str], object] = tqdm.write,
    ) -> None:
        self.folder, self._say = folder, say
        self.record = json.loads(json.dumps({"settings": settings, "notes": notes or {}}))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "record.json"
        if path.exists():
            _check_same(folder, _read_json(path)["settings"], self.record["settings"])
        write_json(path, self.record)

    def each(self, name: str, items: Mapping[str, T], work: Callable[[T], Row]) -> list[Row]:
        """What `work` gives for each item, in the order of `items`.

        Each result is on disk before the next is begun; what is there already is not done again.
        A few items are timed, then the time for the rest is said.
        """
        path = self.folder / f"{name}.jsonl"
        done = _read_rows(path)
        missing = [id_ for id_ in items if id_ not in done]
        start = time.monotonic()
        with path.open("a", encoding="utf-8") as file:
            for count, id_ in enumerate(tqdm(missing, desc=name, disable=None), start=1):
                line = json.dumps({"id": id_, "row": work(items[id_])}, ensure_ascii=False)
                file.write(line + "\n")
                file.flush()
                done[id_] = json.loads(line)["row"]
                if count == _PROBED < len(missing):
                    seconds = (time.monotonic() - start) / count * (len(missing) - count)
                    self._say(f"{name}: {len(missing) - count} to go, about {_in_words(seconds)}")
        return [done[id_] for id_ in items]


def settings_of(dataset: Dataset, sources: Models, **options: object) -> Row:
    """What rows depend on: data, models by digest, versions and options."""
    return {
        "dataset": {
            "name": dataset.name,
            "version": dataset.version,
            "seed": dataset.seed,
            "digest": _digest(dataset),
        },
        "models": {role: _model_digest(role, getattr(sources, role)) for role in models.FILES},
        "versions": {
            "privrag_fast": __version__,
            **{name: metadata.version(name) for name in ("llama-cpp-python", "onnxruntime")},
        },
        "options": options,
    }


def notes_of(sources: Models) -> Row:
    """Where it ran."""
    return {
        "machine": machine(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": sources.threads,
        "providers": list(sources.providers),
        "n_gpu_layers": sources.n_gpu_layers,
        "python": platform.python_version(),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def choose(
    questions: Sequence[Question], *, seed: int, limit: int | None = None
) -> tuple[Question, ...]:
    """At most `limit` questions in an order that the seed draws.

    A smaller limit gives the beginning of a larger one, so that a run can be extended.
    """
    drawn = sorted(questions, key=lambda own: hashlib.sha256(f"{seed}\0{own.id}".encode()).digest())
    return tuple(drawn[:limit])


def write_json(path: Path, data: object) -> None:
    """Writes all or nothing; what is no number becomes null."""
    partial = path.with_name(f".{path.name}.partial")
    text = json.dumps(finite(data), indent=2, ensure_ascii=False, allow_nan=False)
    partial.write_text(text + "\n", encoding="utf-8")
    partial.replace(path)


def finite(data: object) -> Any:
    """What JSON has of it: lists for tuples, None for what is no finite number."""
    if isinstance(data, Mapping):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _read_json(path: Path) -> Row:
    try:
        data: Row = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged: delete the folder, or give another one") from error
    return data


def _read_rows(path: Path) -> dict[str, Row]:
    """Rows by id; a last line that a stop cut short is taken off the file."""
    if not path.exists():
        return {}
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    try:
        lines = [json.loads(line) for line in whole.split(b"\n") if line]
        return {line["id"]: line["row"] for line in lines}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is damaged: delete it to measure again") from error


def _check_same(folder: Path, found: Row, wanted: Row) -> None:
    old, new = dict(_flat(found)), dict(_flat(wanted))
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            raise InputError(
                f"{folder} holds a run with {key} {old.get(key)}, not {new.get(key)}: "
                "give the same options, or another folder"
            )


def _flat(data: Row, prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _digest(dataset: Dataset) -> str:
    digest = hashlib.sha256()
    for part in (dataset.documents, dataset.questions):
        for item in part:
            digest.update(json.dumps(asdict(item)).encode())
    return digest.hexdigest()


def _model_digest(role: models.Role, chosen: str | Path | None) -> str:
    digest = hashlib.sha256()
    for name, path in sorted(models.locate(role, chosen).items()):
        digest.update(f"{name}\0{models.sha256_of(path)}\0".encode())
    return digest.hexdigest()


def _in_words(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
