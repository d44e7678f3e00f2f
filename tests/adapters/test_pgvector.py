from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from privrag_fast.types import CorpusError, Entity, InputError, Passage, SafeText
from tests.privacy.marks import mark
from tests.retrieval.conftest import WordEmbedder
from tests.stand_ins import make_rag

pytest.importorskip("psycopg", reason="needs psycopg")
pytest.importorskip("pgserver", reason="needs pgserver, a PostgreSQL in a wheel")

import pgserver
import psycopg

from privrag_fast.adapters.pgvector import PgVectorRetriever
from privrag_fast.retrieval import Index

PASSAGES = [
    Passage(f"p{n}", f"word{n} shared{n % 3}", f"title{n % 5}", "A > B", f"{n % 2}.md")
    for n in range(600)
]


@pytest.fixture(scope="module")
def uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("postgres")
    try:
        server = pgserver.get_server(folder, cleanup_mode="delete")
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def connection(uri: str) -> Iterator[Any]:
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS docs; DROP SCHEMA IF EXISTS mine CASCADE")
        connection.execute("SET hnsw.ef_search = 600")
        yield connection


@pytest.fixture
def retriever(connection: Any) -> PgVectorRetriever:
    made = PgVectorRetriever(connection, "docs", WordEmbedder(dim=64))
    made.add(iter(PASSAGES))  # more than one batch
    return made


def ids(retriever: PgVectorRetriever, query: str, k: int = 10) -> list[str]:
    return [hit.passage.id for hit in retriever.search(SafeText(query), k)]


def test_finds_what_the_index_finds(retriever: PgVectorRetriever) -> None:
    index = Index.build(PASSAGES, WordEmbedder(dim=64))
    for query in ("word7 shared1", "title3 word33", "shared2 word5"):
        found, expected = (each.search(SafeText(query), 5) for each in (retriever, index))
        assert found[0].passage == expected[0].passage
        np.testing.assert_allclose(
            [hit.score for hit in found], [hit.score for hit in expected], atol=1e-5
        )


def test_k_beyond_the_count_blank_queries_and_an_empty_table(connection: Any) -> None:
    retriever = PgVectorRetriever(connection, "docs", WordEmbedder())
    assert ids(retriever, "word1") == []
    retriever.add(PASSAGES[:3])
    assert len(ids(retriever, "word1", 10)) == 3
    assert ids(retriever, " \n") == []
    with pytest.raises(InputError, match="k must be 1 or more"):
        ids(retriever, "word1", 0)


def test_removed_and_added_again(retriever: PgVectorRetriever) -> None:
    retriever.remove(["p7", "absent"])
    assert "p7" not in ids(retriever, "word7 shared1 title2", 600)
    retriever.add([PASSAGES[7], Passage("p8", "new words")])
    assert ids(retriever, "word7 shared1 title2", 1) == ["p7"]
    [hit] = retriever.search(SafeText("new words"), 1)
    assert hit.passage == Passage("p8", "new words")
    with pytest.raises(InputError, match="got one string"):
        retriever.remove("p7")


def test_a_table_is_bound_to_its_embedder(connection: Any, uri: str) -> None:
    PgVectorRetriever(connection, "docs", WordEmbedder()).add(PASSAGES[:3])
    with psycopg.connect(uri) as other:
        assert ids(PgVectorRetriever(other, "docs", WordEmbedder()), "word1 shared1")[0] == "p1"
    for embedder in (WordEmbedder(digest="other"), WordEmbedder(dim=8)):
        with pytest.raises(
            CorpusError, match=r"docs: size and embedder .* expected, found .*words"
        ):
            PgVectorRetriever(connection, "docs", embedder)
    connection.execute("DROP TABLE docs; CREATE TABLE docs (id text)")
    with pytest.raises(CorpusError, match=r"docs: size and embedder .* expected, found None"):
        PgVectorRetriever(connection, "docs", WordEmbedder())


def test_a_table_in_a_schema_under_a_name_that_needs_quotes(connection: Any) -> None:
    connection.execute("CREATE SCHEMA mine")
    retriever = PgVectorRetriever(connection, 'mine.the "docs"', WordEmbedder())
    retriever.add(PASSAGES[:3])
    assert ids(retriever, "word2 shared2", 1) == ["p2"]


def test_any_text(connection: Any) -> None:
    retriever = PgVectorRetriever(connection, "docs", WordEmbedder())
    retriever.add([Passage("é'; --", "nul \0 lone \ud800 100 % {table}", "t", "s", "f")])
    [hit] = retriever.search(SafeText("lone"), 1)
    assert hit.passage == Passage("é'; --", "nul \ufffd lone ? 100 % {table}", "t", "s", "f")


def test_what_fails_is_named_without_the_text_and_leaves_nothing_half_done(
    connection: Any, uri: str
) -> None:
    retriever = PgVectorRetriever(connection, "docs", WordEmbedder())
    connection.execute("ALTER TABLE docs ADD CHECK (text <> 'secret')")
    with pytest.raises(CorpusError, match=r"docs: PostgreSQL failed \(23514\)") as error:
        retriever.add([PASSAGES[0], Passage("p", "secret")])
    assert "secret" not in f"{error.value}{error.value.__cause__}"
    assert ids(retriever, "word0") == []
    closed = psycopg.connect(uri)
    closed.close()
    with pytest.raises(CorpusError, match=r"docs: PostgreSQL failed .*is the server up"):
        PgVectorRetriever(closed, "docs", WordEmbedder())


def test_inside_a_transaction_of_the_caller(connection: Any) -> None:
    retriever = PgVectorRetriever(connection, "docs", WordEmbedder())
    with connection.transaction(force_rollback=True):
        retriever.add(PASSAGES[:3])
        assert len(ids(retriever, "word1")) == 3
    assert ids(retriever, "word1") == []


def test_the_pipeline_never_shows_it_a_value(connection: Any) -> None:
    seen: list[str] = []

    class Watched(WordEmbedder):
        def embed(self, texts: Any) -> Any:
            seen.extend(texts)
            return super().embed(texts)

    class Marker:
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            return [mark(text, PERSON="Nora", LOCATION="Zurich") for text in texts]

    retriever = PgVectorRetriever(connection, "docs", Watched())
    retriever.add(PASSAGES[:20])
    seen.clear()
    rag = make_rag(Marker(), retriever=retriever)  # type: ignore[arg-type]
    assert rag.minimize("I am Nora from Zurich, word7").receipt.hits
    assert seen
    assert not any(value in text for text in seen for value in ("Nora", "Zurich"))
