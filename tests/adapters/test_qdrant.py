from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.types import CorpusError, Entity, InputError, Passage, SafeText
from tests.privacy.marks import mark
from tests.retrieval.conftest import WordEmbedder
from tests.stand_ins import make_rag

pytest.importorskip("qdrant_client", reason="needs qdrant-client")

from qdrant_client import QdrantClient, models

from privrag_fast.adapters.qdrant import QdrantRetriever
from privrag_fast.retrieval import Index

PASSAGES = [
    Passage(f"p{n}", f"word{n} shared{n % 3}", f"title{n % 5}", "A > B", f"{n % 2}.md")
    for n in range(600)
]


@pytest.fixture
def client() -> Iterator[QdrantClient]:
    client = QdrantClient(":memory:")
    yield client
    client.close()


@pytest.fixture
def retriever(client: QdrantClient) -> QdrantRetriever:
    made = QdrantRetriever(client, "docs", WordEmbedder(dim=64))
    made.add(iter(PASSAGES))  # more than one batch
    return made


def ids(retriever: QdrantRetriever, query: str, k: int = 10, **options: object) -> list[str]:
    return [hit.passage.id for hit in retriever.search(SafeText(query), k, **options)]


def test_finds_what_the_index_finds(retriever: QdrantRetriever) -> None:
    index = Index.build(PASSAGES, WordEmbedder(dim=64))
    for query in ("word7 shared1", "title3 word33", "shared2 word5"):
        found, expected = (each.search(SafeText(query), 5) for each in (retriever, index))
        assert [hit.passage for hit in found] == [hit.passage for hit in expected]
        np.testing.assert_allclose(
            [hit.score for hit in found], [hit.score for hit in expected], atol=1e-5
        )


def test_k_beyond_the_count_blank_queries_and_an_empty_collection(client: QdrantClient) -> None:
    retriever = QdrantRetriever(client, "few", WordEmbedder())
    assert ids(retriever, "word1") == []
    retriever.add(PASSAGES[:3])
    assert len(ids(retriever, "word1", 10)) == 3
    assert ids(retriever, " \n") == []
    with pytest.raises(InputError, match="k must be 1 or more"):
        ids(retriever, "word1", 0)


def test_removed_and_added_again(retriever: QdrantRetriever) -> None:
    retriever.remove(["p7", "absent"])
    assert "p7" not in ids(retriever, "word7 shared1 title2", 600)
    retriever.add([PASSAGES[7], Passage("p8", "new words")])
    assert ids(retriever, "word7 shared1 title2", 1) == ["p7"]
    [hit] = retriever.search(SafeText("new words"), 1)
    assert hit.passage == Passage("p8", "new words")
    with pytest.raises(InputError, match="got one string"):
        retriever.remove("p7")


def test_filters_by_metadata(retriever: QdrantRetriever) -> None:
    odd = models.Filter(
        must=[models.FieldCondition(key="source", match=models.MatchValue(value="1.md"))]
    )
    found = retriever.search(SafeText("word8 shared2"), 5, where=odd)
    assert len(found) == 5
    assert {hit.passage.source for hit in found} == {"1.md"}


def test_a_collection_is_bound_to_its_embedder(tmp_path: Path) -> None:
    client = QdrantClient(path=str(tmp_path))
    QdrantRetriever(client, "docs", WordEmbedder()).add(PASSAGES[:3])
    client.close()

    client = QdrantClient(path=str(tmp_path))
    assert ids(QdrantRetriever(client, "docs", WordEmbedder()), "word1 shared1")[0] == "p1"
    for other in (WordEmbedder(digest="other"), WordEmbedder(dim=8)):
        with pytest.raises(
            CorpusError, match=r"docs: size and embedder .* expected, found .*words"
        ):
            QdrantRetriever(client, "docs", other)
    client.close()


def test_a_collection_of_others_is_judged_by_its_size(client: QdrantClient) -> None:
    client.create_collection(
        "theirs", vectors_config=models.VectorParams(size=16, distance=models.Distance.COSINE)
    )
    retriever = QdrantRetriever(client, "theirs", WordEmbedder(dim=16))
    assert ids(retriever, "word") == []
    points = [models.PointStruct(id=1, vector=[1.0] * 16, payload={"id": "a", "text": "b", "x": 1})]
    client.upsert("theirs", points)
    assert retriever.search(SafeText("word"))[0].passage == Passage("a", "b")
    client.upsert("theirs", [models.PointStruct(id=2, vector=[1.0] * 16)])
    with pytest.raises(CorpusError, match="a point without `id` and `text`"):
        ids(retriever, "word")
    with pytest.raises(CorpusError, match="theirs: size and embedder"):
        QdrantRetriever(client, "theirs", WordEmbedder(dim=8))


def test_a_server_that_is_down_is_named_without_the_query() -> None:
    client = QdrantClient(url="http://127.0.0.1:9", check_compatibility=False)
    with pytest.raises(CorpusError, match=r"docs: Qdrant failed .*is the server up"):
        QdrantRetriever(client, "docs", WordEmbedder())
    client.close()


def test_the_pipeline_never_shows_it_a_value(client: QdrantClient) -> None:
    seen: list[str] = []

    class Watched(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            seen.extend(texts)
            return super().embed(texts)

    class Marker:
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            return [mark(text, PERSON="Nora", LOCATION="Zurich") for text in texts]

    retriever = QdrantRetriever(client, "docs", Watched())
    retriever.add(PASSAGES[:20])
    seen.clear()
    rag = make_rag(Marker(), retriever=retriever)  # type: ignore[arg-type]
    assert rag.minimize("I am Nora from Zurich, word7").receipt.hits
    assert seen
    assert not any(value in text for text in seen for value in ("Nora", "Zurich"))
