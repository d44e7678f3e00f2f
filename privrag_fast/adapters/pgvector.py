"""PostgreSQL with pgvector: for a corpus that lives where the rest of a service's data does."""

# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
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
    import psycopg
    from psycopg import sql
except ImportError as error:
    raise ProviderError("this adapter needs psycopg: pip install 'privrag_fast[pgvector]'") from (
        error
    )

_FIELDS = tuple(own.name for own in fields(Passage))
_COLUMNS = sql.SQL(", ").join(map(sql.Identifier, _FIELDS))


class PgVectorRetriever:
    """A `Retriever` over one table, which is made where it is absent, with an HNSW index.

    Args:
        connection: An open connection; each call is a transaction of its own, or a savepoint
            inside the caller's.
        table: Its name; a schema goes before a dot.
        embedder: Embeds passages and queries; the table is bound to its digest.

    Raises:
        CorpusError: The table belongs to another embedder, or PostgreSQL refuses.

    >>> rag = open_rag(PgVectorRetriever(connection, "passages", embedder))  # doctest: +SKIP
    """

    def __init__(
        self, connection: psycopg.Connection[Any], table: str, embedder: TextEmbedder
    ) -> None:
        self._connection, self._name, self._embedder = connection, table, embedder
        self._table = sql.Identifier(*table.split("."))
        with self._transaction():
            self._run("CREATE EXTENSION IF NOT EXISTS vector")
            if self._run("SELECT to_regclass({name})").fetchone() == (None,):
                self._make()
        self._check()

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        """At most `k` hits, best first, scored by cosine; none for a blank query.

        How far pgvector looks, and so how many it can find, is its setting `hnsw.ef_search`.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        if not query.strip():
            return []
        vector = _literal(self._embedder.embed([query])[0])
        with self._transaction():
            rows = self._run(
                "SELECT {columns}, 1 - (embedding <=> %(vector)s::vector) FROM {table}"
                " ORDER BY embedding <=> %(vector)s::vector LIMIT %(k)s",
                {"vector": vector, "k": k},
            ).fetchall()
        return [Hit(Passage(*values), score) for *values, score in rows]

    def add(self, passages: Iterable[Passage]) -> None:
        """Adds passages in batches; one with a known id takes the old one's place."""
        for some in embedded(passages, self._embedder):
            rows = [(*map(_storable, astuple(own)), _literal(vector)) for own, vector in some]
            with self._transaction(), self._connection.cursor() as cursor:
                cursor.executemany(self._query(_UPSERT), rows)

    def remove(self, ids: Iterable[str]) -> None:
        """Removes passages by id; those that are not there are passed over."""
        known = checked_ids(ids)
        with self._transaction():
            self._run("DELETE FROM {table} WHERE id = ANY(%(ids)s)", {"ids": known})

    def _make(self) -> None:
        texts = ", ".join(f"{name} text NOT NULL" for name in _FIELDS[1:])
        self._run(
            f"CREATE TABLE {{table}} (id text PRIMARY KEY, {texts},"
            " embedding vector({size}) NOT NULL)"
        )
        self._run("CREATE INDEX ON {table} USING hnsw (embedding vector_cosine_ops)")
        self._run("COMMENT ON TABLE {table} IS {digest}")

    def _check(self) -> None:
        with self._transaction():
            found = self._run(
                "SELECT atttypmod, obj_description(attrelid, 'pg_class') FROM pg_attribute"
                " WHERE attrelid = to_regclass({name}) AND attname = 'embedding'"
            ).fetchone()
        expected = self._embedder.dim, self._embedder.digest
        if found != expected:
            raise CorpusError(
                f"{self._name}: size and embedder {expected} expected, found {found}; "
                "open it with the embedder that made it, or choose another table"
            )

    def _query(self, text: str) -> sql.Composed:
        return sql.SQL(text).format(
            table=self._table,
            columns=_COLUMNS,
            name=sql.Literal(self._table.as_string(self._connection)),
            size=sql.Literal(self._embedder.dim),
            digest=sql.Literal(self._embedder.digest),
        )

    def _run(self, text: str, values: dict[str, Any] | None = None) -> psycopg.Cursor[Any]:
        return self._connection.execute(self._query(text), values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; errors as one of ours, without the text that they may quote."""
        try:
            with self._connection.transaction():
                yield
        except psycopg.Error as error:
            status = error.sqlstate or type(error).__name__
            raise CorpusError(
                f"{self._name}: PostgreSQL failed ({status}); is the server up, pgvector "
                "installed, the role allowed to?"
            ) from None


_UPSERT = (
    "INSERT INTO {table} ({columns}, embedding) VALUES ("
    + "%s, " * len(_FIELDS)
    + "%s::vector) ON CONFLICT (id) DO UPDATE SET "
    + ", ".join(f"{name} = EXCLUDED.{name}" for name in (*_FIELDS[1:], "embedding"))
)


def _literal(vector: Any) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


def _storable(text: str) -> str:
    """PostgreSQL's text holds neither NUL nor lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
