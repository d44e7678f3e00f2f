"""The passage index: the only importer of hnswlib."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib import metadata
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol

import hnswlib
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from privrag_fast.models import sha256_of
from privrag_fast.retrieval.corpus import Skipped
from privrag_fast.types import (
    CorpusError,
    Hit,
    InputError,
    ModelError,
    Passage,
    SafeText,
    passage_text,
)

FORMAT_VERSION = 1

FloatArray = NDArray[np.float32]

Where = Callable[[Passage], bool]
"""Which passages may be hits, by any of their fields."""

_MANIFEST = "manifest.json"
_REBUILD = "build the index again"
_DIGEST = 16  # hex digits of a file's SHA-256 in its name
_EMBED_AT_ONCE = 1_024
_LINK_AT_ONCE = 64
"""Vectors that enter the graph while searches wait: some 50 ms of work."""

_REPLACED_IN_A_ROW = 20
"""Saves by others that an `open` gives way to."""


def check_target(folder: str | Path) -> bool:
    """Makes a folder ready for an index, before anything is embedded; True where one is there.

    Raises:
        CorpusError: As `Index.save` does.
    """
    folder = Path(folder)
    with _saving(folder), TemporaryFile(dir=folder):
        return (folder / _MANIFEST).exists()


class TextEmbedder(Protocol):
    """What an index asks of an embedder; see `Embedder`."""

    @property
    def dim(self) -> int:
        """Components of a vector."""
        ...

    @property
    def digest(self) -> str:
        """Names everything that the vectors depend on."""
        ...

    def embed(self, texts: Sequence[SafeText]) -> FloatArray:
        """Unit vectors, float32 [n, dim]."""
        ...


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How an index searches; saved with it.

    Args:
        M: Links of a vector in the graph (Malkov and Yashunin, 2016, arXiv:1603.09320).
        ef_construction: Candidates looked at when a vector is linked.
        ef: Candidates looked at by a search; raised to k where k is larger.
        exact_below: Fewer distinct vectors than this are compared one by one, exactly.
    """

    M: int = 16
    ef_construction: int = 200
    ef: int = 100
    exact_below: int = 1_000

    def __post_init__(self) -> None:
        if self.M < 2 or self.ef_construction < 1 or self.ef < 1 or self.exact_below < 0:
            raise InputError(
                "M must be 2 or more, ef_construction and ef 1 or more, exact_below 0 or more"
            )


@dataclass(frozen=True, slots=True)
class Changes:
    """Passages that an `Index.update` added, removed, and found as they were.

    Args:
        skipped: What `assembly.update_index` could not read.
    """

    added: int
    removed: int
    kept: int
    skipped: tuple[Skipped, ...] = ()


class Index:
    """Passages and their vectors; a `Retriever`.

    Safe to call from several threads. One thread at a time changes or saves an index; searches go
    on meanwhile, one at a time, and see all of a change or nothing of it.

    Args:
        embedder: Embeds passages and queries; an index is bound to its digest.
        options: See `IndexOptions`.

    Example:
        >>> index = Index.build(passages, embedder)                 # doctest: +SKIP
        >>> index.search(SafeText("Who may apply?"), k=3)           # doctest: +SKIP
    """

    def __init__(self, embedder: TextEmbedder, *, options: IndexOptions | None = None) -> None:
        self._embedder = embedder
        self._options = options or IndexOptions()
        self._writing = threading.Lock()  # held by whoever changes or saves; taken before _lock
        self._lock = threading.Lock()  # the graph bears no search while it changes
        self._origin: tuple[Path, bytes] | None = None  # where it was opened or saved, and as what
        self._passages: dict[str, Passage] = {}
        self._snapshot: tuple[Passage, ...] | None = None  # of the passages, until they change
        self._labels: dict[str, int] = {}  # by passage id
        self._ids: dict[int, dict[str, None]] = {}  # by label; a dict as an ordered set
        self._vectors = _VectorGraph(_new_graph(embedder.dim, self._options), self._options)

    @classmethod
    def build(
        cls,
        passages: Iterable[Passage],
        embedder: TextEmbedder,
        *,
        options: IndexOptions | None = None,
        progress: bool = False,
    ) -> Index:
        """An index of `passages`; `progress` draws a bar on stderr."""
        index = cls(embedder, options=options)
        index.add(passages, progress=progress)
        return index

    @classmethod
    def open(cls, folder: str | Path, embedder: TextEmbedder) -> Index:
        """The index that `save` left in `folder`, also while another process saves there.

        Raises:
            CorpusError: It is missing, damaged, of another format, or made by another embedder.
        """
        folder = Path(folder)
        for _ in range(_REPLACED_IN_A_ROW):
            stamp = _stamp(folder)
            try:
                return cls._open(folder, embedder, stamp)
            except CorpusError:
                if _stamp(folder) == stamp:
                    raise
        raise CorpusError(f"{folder}: saved anew all the time; try again later")

    @classmethod
    def _open(cls, folder: Path, embedder: TextEmbedder, stamp: bytes) -> Index:
        manifest = _checked_manifest(folder, embedder)
        index = cls(embedder, options=manifest.options)
        for label, passage in _read_passages(folder / manifest.passages.name):
            index._insert(passage, label)
        graph = _load_graph(folder / manifest.vectors.name, embedder.dim)
        try:
            index._vectors = _VectorGraph(graph, index._options, live=index._ids)
        except KeyError:
            raise CorpusError(f"{folder}: passages without a vector; {_REBUILD}") from None
        if len(index) != manifest.count:
            raise CorpusError(
                f"{folder}: {manifest.count} passages expected, found {len(index)}; {_REBUILD}"
            )
        index._origin = folder.resolve(), stamp
        return index

    def __len__(self) -> int:
        return len(self._passages)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, in order of arrival; the same object until one is added or removed."""
        with self._lock:
            if self._snapshot is None:
                self._snapshot = tuple(self._passages.values())
            return self._snapshot

    def search(
        self, query: SafeText, k: int = 10, *, ef: int | None = None, where: Where | None = None
    ) -> list[Hit]:
        """At most `k` hits, best first, scored by cosine; none for a blank query.

        Args:
            ef: Candidates looked at, instead of the index's own number; more is more exact.
            where: Only passages for which it holds are hits. It is asked for every candidate, so
                that a rare match costs more.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        if ef is not None and ef < 1:
            raise InputError(f"ef must be 1 or more, got {ef}")
        if not query.strip() or not self._passages:
            return []
        vector = self._embed([query])[0]
        with self._lock:
            wanted = None if where is None else partial(self._any_at, where)
            nearest = self._vectors.nearest(vector, k, ef or self._options.ef, wanted)
            return self._hits(nearest, k, where)

    def add(self, passages: Iterable[Passage], *, progress: bool = False) -> None:
        """Adds passages, all or none; one with a known id takes the old one's place."""
        new = list({passage.id: passage for passage in passages}.values())
        vectors = self._embed_distinct(list(map(passage_text, new)), progress=progress)
        with self._writing:
            self._change(new, vectors)

    def update(self, passages: Iterable[Passage], *, progress: bool = False) -> Changes:
        """Makes the index hold these passages and no others, embedding only what it does not know.

        >>> index.update(chunker.chunk(read_corpus("docs")))  # doctest: +SKIP
        """
        wanted = {passage.id: passage for passage in passages}
        with self._writing:
            new = [own for own in wanted.values() if self._passages.get(own.id) != own]
            gone = [id_ for id_ in self._passages if id_ not in wanted]
            texts = list(map(passage_text, new))
            known = self._labels_of(set(texts))
            vectors = self._embed_distinct(texts, progress=progress, known=known)
            self._change(new, vectors, gone)
        return Changes(added=len(new), removed=len(gone), kept=len(wanted) - len(new))

    def remove(self, ids: Iterable[str]) -> int:
        """Removes passages by id and counts those that were there."""
        if isinstance(ids, str):
            raise InputError("ids must be a sequence of passage ids, got one string")
        with self._writing:
            known = [id_ for id_ in dict.fromkeys(ids) if id_ in self._passages]
            self._change([], np.empty((0, self._embedder.dim), np.float32), known)
        return len(known)

    def save(self, folder: str | Path) -> None:
        """Writes the index to `folder`, in place of one that is there.

        The manifest is replaced last, in one step: a process killed before that leaves the old
        index, after that the new one. Processes that save to one folder wait for each other.

        Raises:
            CorpusError: The disk is full or the folder is not writable; or another process saved
                there since this index was opened, whose passages would be lost; or its manifest
                is none of an index, or of a newer format. The old files stand.
        """
        folder = Path(folder)
        with self._writing, _saving(folder):
            self._check_origin(folder)
            self._save(folder)
            self._origin = folder.resolve(), _stamp(folder)

    # ------------------------------------------------------------------- passages

    def _hits(self, nearest: Iterable[tuple[int, float]], k: int, where: Where | None) -> list[Hit]:
        hits = (
            Hit(self._passages[id_], score) for label, score in nearest for id_ in self._ids[label]
        )
        return list(islice((hit for hit in hits if where is None or where(hit.passage)), k))

    def _any_at(self, where: Where, label: int) -> bool:
        return any(where(self._passages[id_]) for id_ in self._ids.get(label, ()))

    def _change(
        self, passages: Sequence[Passage], vectors: FloatArray, gone: Iterable[str] = ()
    ) -> None:
        """Puts passages in and takes others out, as one step for whoever searches."""
        try:
            for start in range(0, len(vectors), _LINK_AT_ONCE):
                with self._lock:
                    self._vectors.prepare(vectors[start : start + _LINK_AT_ONCE])
        except BaseException:
            self._vectors.settle()
            raise
        with self._lock:
            # What leaves goes first: its vector may be the very one that another passage takes.
            for id_ in [own.id for own in passages if own.id in self._passages]:
                self._leave(id_)
            for id_ in gone:
                self._leave(id_)
                del self._passages[id_]
            for passage, label in zip(passages, self._vectors.put(vectors), strict=True):
                self._insert(passage, label)
            self._snapshot = None
        if (rebuilt := self._vectors.rebuilt()) is not None:
            with self._lock:
                self._vectors = rebuilt

    def _labels_of(self, texts: Set[str]) -> dict[str, int]:
        """Of those texts that some passage has already."""
        held = ((passage_text(own), self._labels[own.id]) for own in self._passages.values())
        return {text: label for text, label in held if text in texts}

    def _insert(self, passage: Passage, label: int) -> None:
        self._passages[passage.id] = passage
        self._labels[passage.id] = label
        self._ids.setdefault(label, {})[passage.id] = None

    def _leave(self, id_: str) -> None:
        label = self._labels.pop(id_)
        del self._ids[label][id_]
        if not self._ids[label]:
            del self._ids[label]
            self._vectors.drop(label)

    # ------------------------------------------------------------------- embedding

    def _embed(self, texts: Sequence[str]) -> FloatArray:
        # The corpus is public and a query is abstracted: both are safe to embed.
        vectors = self._embedder.embed([SafeText(text) for text in texts])
        if vectors.shape != (len(texts), self._embedder.dim):
            raise ModelError(
                f"the embedder must give [{len(texts)}, {self._embedder.dim}], "
                f"got {list(vectors.shape)}"
            )
        return vectors

    def _embed_distinct(
        self, texts: Sequence[str], *, progress: bool, known: Mapping[str, int] | None = None
    ) -> FloatArray:
        """One vector per text; equal texts are embedded once and get equal vectors.

        Args:
            known: Texts that have a vector, with its label.
        """
        known = known or {}
        row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        vectors = np.empty((len(row_of), self._embedder.dim), np.float32)
        if found := [text for text in row_of if text in known]:
            rows = [row_of[text] for text in found]
            vectors[rows] = self._vectors.items([known[text] for text in found])
        new = [text for text in row_of if text not in known]
        for some in _slices(len(new), progress=progress):
            vectors[[row_of[text] for text in new[some]]] = self._embed(new[some])
        return vectors[[row_of[text] for text in texts]]

    # ------------------------------------------------------------------- saving

    def _check_origin(self, folder: Path) -> None:
        if self._origin is None or self._origin[0] != folder.resolve():
            return
        if (stamp := _stamp(folder)) and stamp != self._origin[1]:
            raise CorpusError(
                f"{folder}: another process saved there since this index was opened; "
                "open it again, change that one and save it"
            )

    def _save(self, folder: Path) -> None:
        manifest = _Manifest(
            embedder=self._embedder.digest,
            dim=self._embedder.dim,
            count=len(self._passages),
            options=self._options,
            vectors=_publish(folder, "vectors", ".hnsw", self._vectors.save),
            passages=_publish(folder, "passages", ".jsonl", self._write_passages),
        )
        _sync_folder(folder)
        _replace(folder / _MANIFEST, lambda path: path.write_text(manifest.to_json(), "utf-8"))
        _sync_folder(folder)
        _sweep(folder, keep={manifest.vectors.name, manifest.passages.name})

    def _write_passages(self, path: Path) -> None:
        with path.open("w", encoding="ascii", newline="\n") as file:
            for id_, passage in self._passages.items():
                # ASCII escapes carry what UTF-8 cannot: a caller's lone surrogate.
                file.write(json.dumps({"label": self._labels[id_], **asdict(passage)}) + "\n")


# --------------------------------------------------------------------------- vectors


class _VectorGraph:
    """Distinct unit vectors in an hnswlib graph that grows, forgets and is rebuilt by itself.

    A vector's label is a hash of its bytes. Equal vectors are thus one node: a graph in which
    many are equal falls apart into islands that a search cannot leave. And a vector that comes
    back after it was dropped only needs its mark removed.
    """

    _SCAN_AT_ONCE = 1_024

    def __init__(self, graph: Any, options: IndexOptions, *, live: Iterable[int] = ()) -> None:
        self._graph = graph
        self._options = options
        self._live = dict.fromkeys(live)  # an ordered set
        self._dropped = set(graph.get_ids_list()) - self._live.keys()
        self._pending: set[int] = set()  # in the graph, for no search to find yet
        self._matrix: FloatArray | None = None  # of the live vectors, while they are few
        if len(self._live) + len(self._dropped) != graph.get_current_count():
            raise KeyError("live labels that are not in the graph")

    def prepare(self, vectors: FloatArray) -> None:
        """Links vectors that no search finds yet; work that `put` then has no more.

        Not by marks of deletion: hnswlib links no new vector to one that is marked.
        """
        labels = [_label(vector) for vector in vectors]
        first_row = {label: row for row, label in reversed(list(enumerate(labels)))}
        new = [
            label
            for label in dict.fromkeys(labels)
            if not (label in self._live or label in self._dropped or label in self._pending)
        ]
        if not new:
            return
        self._grow(len(new))
        # One thread, so that the same passages always make the same graph.
        self._graph.add_items(vectors[[first_row[label] for label in new]], new, num_threads=1)
        self._pending.update(new)

    def put(self, vectors: FloatArray) -> list[int]:
        """The labels of `vectors`, each found from now on."""
        self.prepare(vectors)
        labels = [_label(vector) for vector in vectors]
        for label in dict.fromkeys(labels):
            if label in self._dropped:
                self._graph.unmark_deleted(label)
        self._live.update(dict.fromkeys(labels))
        self._dropped.difference_update(labels)
        self._pending.difference_update(labels)
        self._matrix = None
        return labels

    def settle(self) -> None:
        """Drops what was prepared and not put."""
        for label in self._pending:
            self._graph.mark_deleted(label)
        self._dropped |= self._pending
        self._pending = set()

    def drop(self, label: int) -> None:
        """Forgets a vector."""
        self._graph.mark_deleted(label)
        del self._live[label]
        self._dropped.add(label)
        self._matrix = None

    def nearest(
        self, vector: FloatArray, k: int, ef: int, wanted: Callable[[int], bool] | None = None
    ) -> list[tuple[int, float]]:
        """The best `k` labels with their cosines, best first; of those that are wanted."""
        if k >= len(self._live) or len(self._live) < self._options.exact_below:
            return self._nearest_exactly(vector, k, wanted)
        self._graph.set_ef(max(ef, k))
        if self._pending and wanted is None:
            wanted = self._live.__contains__
        try:
            labels, distances = self._graph.knn_query(vector, k, num_threads=1, filter=wanted)
        except RuntimeError:  # fewer than k within reach
            return self._nearest_exactly(vector, k, wanted)
        return [
            (int(label), 1 - float(distance))
            for label, distance in zip(labels[0], distances[0], strict=True)
        ]

    def items(self, labels: list[int]) -> FloatArray:
        """The vectors of labels, float32 [labels, dim]."""
        if not labels:
            return np.empty((0, self._graph.dim), np.float32)
        return np.asarray(self._graph.get_items(labels), np.float32)

    def rebuilt(self) -> _VectorGraph | None:
        """The same without what was dropped, once that is most of it; searches may go on."""
        if len(self._dropped) <= max(len(self._live), self._options.exact_below):
            return None
        graph = _new_graph(self._graph.dim, self._options, capacity=len(self._live))
        labels = list(self._live)
        for start in range(0, len(labels), self._SCAN_AT_ONCE):
            some = labels[start : start + self._SCAN_AT_ONCE]
            graph.add_items(self.items(some), some, num_threads=1)
        return _VectorGraph(graph, self._options, live=labels)

    def save(self, path: Path) -> None:
        """Writes the graph, dropped vectors included."""
        self._graph.save_index(str(path))
        if path.stat().st_size != self._graph.index_file_size():
            raise OSError("hnswlib wrote only a part of its file; is the disk full?")

    def _nearest_exactly(
        self, vector: FloatArray, k: int, wanted: Callable[[int], bool] | None
    ) -> list[tuple[int, float]]:
        labels = list(self._live)
        rows = [row for row, label in enumerate(labels) if wanted is None or wanted(label)]
        scores = self._scores(vector, labels, rows)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(labels[rows[at]], float(scores[at])) for at in best]

    def _scores(self, vector: FloatArray, labels: list[int], rows: list[int]) -> FloatArray:
        """Cosines of the vectors in `rows` of `labels`, float32 [rows]."""
        if len(labels) < self._options.exact_below:
            if self._matrix is None:
                self._matrix = self.items(labels)
            return self._matrix[rows] @ vector
        scores = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), self._SCAN_AT_ONCE):
            some = rows[start : start + self._SCAN_AT_ONCE]
            scores[start : start + len(some)] = self.items([labels[row] for row in some]) @ vector
        return scores

    def _grow(self, count: int) -> None:
        wanted = self._graph.get_current_count() + count
        if wanted > self._graph.get_max_elements():
            self._graph.resize_index(max(wanted, 2 * self._graph.get_max_elements()))


def _label(vector: FloatArray) -> int:
    # 63 bits: a collision among a million vectors has a chance of 1 in 18 million.
    return int.from_bytes(hashlib.blake2b(vector.tobytes(), digest_size=8).digest()) >> 1


def _new_graph(dim: int, options: IndexOptions, *, capacity: int = 0) -> Any:
    graph = hnswlib.Index(space="ip", dim=dim)
    graph.init_index(
        max(capacity, 64), M=options.M, ef_construction=options.ef_construction, random_seed=100
    )
    return graph


def _load_graph(path: Path, dim: int) -> Any:
    graph = hnswlib.Index(space="ip", dim=dim)
    try:
        graph.load_index(str(path))
    except RuntimeError as error:
        raise CorpusError(f"{path}: not readable by hnswlib ({error}); {_REBUILD}") from error
    return graph


def _slices(count: int, *, progress: bool) -> Iterator[slice]:
    with tqdm(total=count, desc="embedding", unit=" texts", disable=not progress) as bar:
        for start in range(0, count, _EMBED_AT_ONCE):
            stop = min(start + _EMBED_AT_ONCE, count)
            yield slice(start, stop)
            bar.update(stop - start)


# --------------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class _Manifest:
    embedder: str
    dim: int
    count: int
    options: IndexOptions
    vectors: _File
    passages: _File

    def to_json(self) -> str:
        head = {"format_version": FORMAT_VERSION, "package_version": _package_version()}
        return json.dumps({**head, **asdict(self)}, indent=2) + "\n"

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> _Manifest:
        return cls(
            embedder=str(fields["embedder"]),
            dim=int(fields["dim"]),
            count=int(fields["count"]),
            options=IndexOptions(**fields["options"]),
            vectors=_File(**fields["vectors"]),
            passages=_File(**fields["passages"]),
        )


def _stamp(folder: Path) -> bytes:
    """Tells one save from another; empty where nothing was saved."""
    with suppress(OSError):
        return (folder / _MANIFEST).read_bytes()
    return b""


@contextmanager
def _saving(folder: Path) -> Iterator[None]:
    """Holds the folder, made if need be, for a save that may replace what is in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            _check_replaceable(folder / _MANIFEST)
            yield
    except OSError as error:
        raise CorpusError(
            f"{folder}: the index was not saved: {error}; name a folder that can be written"
        ) from error


def _check_replaceable(path: Path) -> None:
    if not path.exists():
        return
    try:
        fields = json.loads(path.read_bytes())
        version = int(fields["format_version"])
        fields["package_version"]  # beside it in every index
    except (ValueError, KeyError, TypeError):
        raise CorpusError(
            f"{path}: not an index's; delete it, or name another folder for the index"
        ) from None
    if version > FORMAT_VERSION:
        raise CorpusError(
            f"{path}: format version {version} is newer than {FORMAT_VERSION}; "
            "upgrade privrag_fast, or name another folder"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Waits until no other process saves to `folder`; a killed one holds nothing."""
    with (folder / ".lock").open("a") as file:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _package_version() -> str:
    try:
        return metadata.version("privrag_fast")
    except metadata.PackageNotFoundError:
        return "unknown"


def _checked_manifest(folder: Path, embedder: TextEmbedder) -> _Manifest:
    path = folder / _MANIFEST
    try:
        fields = json.loads(path.read_bytes())
        version = fields["format_version"]
        _expect(path, "format version", FORMAT_VERSION, version)
        manifest = _Manifest.from_json(fields)
    except FileNotFoundError:
        raise CorpusError(f"{path}: no such file; build and save an index there first") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be opened: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{path}: damaged ({type(error).__name__}); {_REBUILD}") from error
    _expect(
        path,
        "embedder",
        embedder.digest,
        manifest.embedder,
        cure=f"open it with the embedder that made it, or {_REBUILD}",
    )
    _expect(path, "dimensions", embedder.dim, manifest.dim)
    for file in (manifest.vectors, manifest.passages):
        _check_file(folder, file)
    return manifest


def _check_file(folder: Path, file: _File) -> None:
    if Path(file.name).name != file.name:
        raise CorpusError(f"{folder / _MANIFEST}: names a file outside its folder; {_REBUILD}")
    path = folder / file.name
    try:
        found = sha256_of(path)
    except OSError as error:
        raise CorpusError(f"{path}: cannot be opened: {error.strerror}; {_REBUILD}") from error
    _expect(path, "SHA-256", file.sha256, found)


def _expect(
    path: Path, what: str, expected: object, found: object, *, cure: str = _REBUILD
) -> None:
    if expected != found:
        raise CorpusError(f"{path}: {what} {expected} expected, found {found}; {cure}")


def _read_passages(path: Path) -> Iterator[tuple[int, Passage]]:
    try:
        with path.open(encoding="ascii", newline="\n") as file:
            for line in file:
                fields = json.loads(line)
                yield fields.pop("label"), Passage(**fields)
    except OSError as error:
        raise CorpusError(f"{path}: cannot be opened: {error.strerror}; {_REBUILD}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path}: damaged ({type(error).__name__}); {_REBUILD}") from error


def _publish(folder: Path, stem: str, suffix: str, write: Callable[[Path], object]) -> _File:
    """Writes a file under a name made of its content, so that it never replaces an older one."""
    temporary = folder / f".{stem}{suffix}.tmp"
    _write(temporary, write)
    sha256 = sha256_of(temporary)
    name = f"{stem}-{sha256[:_DIGEST]}{suffix}"
    temporary.replace(folder / name)
    return _File(name, sha256)


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    _write(temporary, write)
    temporary.replace(path)


def _write(path: Path, write: Callable[[Path], object]) -> None:
    try:
        write(path)
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there, and renames need no sync
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sweep(folder: Path, *, keep: set[str]) -> None:
    """Deletes the files of earlier saves; they are harmless where that fails."""
    digest = "[0-9a-f]" * _DIGEST
    for pattern in (f"vectors-{digest}.hnsw", f"passages-{digest}.jsonl"):
        for path in folder.glob(pattern):
            if path.name not in keep:
                with suppress(OSError):
                    path.unlink()
