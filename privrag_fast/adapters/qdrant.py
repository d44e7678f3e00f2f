"""Qdrant: for a corpus past one machine's memory, or one that several services share."""

# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import Any

from privrag_fast.adapters.batches import checked_ids, embedded
from privrag_fast.retrieval import TextEmbedder
from privrag_fast.types import (
    CorpusError,
    Hit,
    InputError,
    Passage,
    ProviderError,
    SafeText,
)

try:
    from qdrant_client import QdrantClient, models
    from qdrant_client.http.exceptions import ApiException
except ImportError as error:
    raise ProviderError(
        "this adapter needs qdrant-client: pip install 'privrag_fast[qdrant]'"
    ) from error

_FIELDS = fields(Passage)


class QdrantRetriever:
    """A `Retriever` over one collection, which is made where it is absent.

    Args:
        client: Of a server (`QdrantClient(url=...)`), a folder (`path=...`) or `":memory:"`.
        collection: Its name.
        embedder: Embeds passages and queries; the collection is bound to its digest.

    Raises:
        CorpusError: The collection belongs to another embedder, or Qdrant does not answer.

    >>> rag = open_rag(QdrantRetriever(client, "docs", embedder))  # doctest: +SKIP
    """

    def __init__(self, client: QdrantClient, collection: str, embedder: TextEmbedder) -> None:
        self._client = client
        self._collection = collection
        self._embedder = embedder
        with self._named():
            if not client.collection_exists(collection):
                client.create_collection(
                    collection,
                    vectors_config=models.VectorParams(
                        size=embedder.dim, distance=models.Distance.COSINE
                    ),
                    metadata={"embedder": embedder.digest},
                )
            self._check(client.get_collection(collection).config)

    def search(
        self, query: SafeText, k: int = 10, *, where: models.Filter | None = None
    ) -> list[Hit]:
        """At most `k` hits, best first, scored by cosine; none for a blank query.

        Args:
            where: A filter over the fields of `Passage`, as Qdrant has them.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        if not query.strip():
            return []
        vector = self._embedder.embed([query])[0]
        with self._named():
            found = self._client.query_points(
                self._collection, query=vector.tolist(), limit=k, query_filter=where
            )
        return [Hit(self._passage(point.payload or {}), point.score) for point in found.points]

    def add(self, passages: Iterable[Passage]) -> None:
        """Adds passages in batches; one with a known id takes the old one's place."""
        for some in embedded(passages, self._embedder):
            points = [
                models.PointStruct(id=_point(own.id), vector=vector.tolist(), payload=asdict(own))
                for own, vector in some
            ]
            with self._named():
                self._client.upsert(self._collection, points, wait=True)

    def remove(self, ids: Iterable[str]) -> None:
        """Removes passages by id; those that are not there are passed over."""
        known = checked_ids(ids)
        with self._named():
            self._client.delete(self._collection, [_point(id_) for id_ in known], wait=True)

    def _passage(self, payload: Mapping[str, Any]) -> Passage:
        try:
            return Passage(
                **{own.name: payload[own.name] for own in _FIELDS if own.name in payload}
            )
        except TypeError:
            raise CorpusError(
                f"{self._collection}: a point without `id` and `text`; add passages with this class"
            ) from None

    def _check(self, config: Any) -> None:
        found = config.params.vectors.size, (config.metadata or {}).get("embedder")
        # A collection that was made elsewhere names no embedder: its size is all there is.
        expected = self._embedder.dim, found[1] and self._embedder.digest
        if found != expected:
            raise CorpusError(
                f"{self._collection}: size and embedder {expected} expected, found {found}; "
                "open it with the embedder that made it, or choose another collection"
            )

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors of the client as one of ours, without the text that they may quote."""
        try:
            yield
        except ApiException as error:
            status = getattr(error, "status_code", None) or type(error).__name__
            raise CorpusError(
                f"{self._collection}: Qdrant failed ({status}); is the server up, the key right?"
            ) from None


def _point(id_: str) -> str:
    """Qdrant's ids are UUIDs or integers."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, id_))
