"""Retrieval before and after abstraction, on stages whose ranks are known."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from privrag_fast.assembly import Models
from privrag_fast.evaluation import retrieval
from privrag_fast.evaluation.dataset import Dataset, Document, Fact, Question
from privrag_fast.evaluation.runs import Run
from privrag_fast.privacy import DEFAULT_STYLE, STYLES, Style
from privrag_fast.retrieval import Bm25, Chunker, Hybrid, Index
from privrag_fast.types import Detector, Entity, Hit, InputError, Passage, SafeText
from tests.retrieval import tiny_models
from tests.retrieval.conftest import WordEmbedder
from tests.stand_ins import PlantedDetector

INF = math.inf
NAMES = ("alder", "birch", "cedar", "dogwood")


def question(number: int, name: str, value: str, gold: str, attribute: str = "city") -> Question:
    """`I live in {value}. What does {name} cost?`, with the value labeled."""
    turns = (f"I live in {value}.", f"What does {name} cost?")
    fact = Fact(attribute, "LOCATION", 10, 10 + len(value))
    return Question(f"q{number}", "test", "", turns, (fact,), (gold,))


def data() -> Dataset:
    documents = tuple(Document(f"{n}.md", n, f"# {n}\n\nThe {n} costs money.") for n in NAMES)
    questions = (
        question(0, "alder", "Bern", "alder.md"),
        question(1, "birch", "cedar", "birch.md"),
        question(2, "cedar", "Rome", "cedar.md", attribute="home"),
    )
    return Dataset("trees", "1", 0, documents, questions)


class NamesStage:
    """Finds the documents whose names stand in the query, in the order of the query."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, query: SafeText) -> dict[str, Sequence[Hit]]:
        self.seen.append(query)
        words = query.replace(".", " ").replace("?", " ").split()
        # Two passages of each: the second one must not push the next document down.
        hits = [
            Hit(Passage(f"{w}{part}", "", source=f"{w}.md"), 1.0)
            for w in words
            if w in NAMES
            for part in range(2)
        ]
        return {"names": hits, "nothing": []}


def report(
    own: Dataset,
    search: retrieval.Search,
    *,
    styles: Sequence[Style] = STYLES,
    detector: Detector | None = None,
) -> retrieval.RetrievalReport:
    fidelity = retrieval.Fidelity(search, styles=styles, detector=detector)
    rows = [fidelity.measure(question) for question in own.questions]
    return retrieval.summarize(rows, own, "test", detected=detector is not None, seed=3)


def test_ranks_count_documents_by_their_best_passage() -> None:
    hits = NamesStage()(SafeText("cedar alder cedar"))["names"]
    assert retrieval.document_ranks(hits, ("alder.md", "birch.md", "cedar.md")) == (2, INF, 1)
    assert retrieval.document_ranks([], ("alder.md",)) == (INF,)


def test_raw_and_abstracted_messages_are_compared() -> None:
    stage = NamesStage()
    made = report(data(), stage)
    assert stage.seen[:8] == [
        "I live in Bern.\nWhat does alder cost?",
        "I live in LOCATION.\nWhat does alder cost?",
        "I live in place.\nWhat does alder cost?",
        "I live in.\nWhat does alder cost?",
        "I live in cedar.\nWhat does birch cost?",
        "I live in LOCATION.\nWhat does birch cost?",
        "I live in place.\nWhat does birch cost?",
        "I live in.\nWhat does birch cost?",
    ]
    assert [row.raw["names"] for row in made.rows] == [(1,), (2,), (1,)]
    # The city of the second is named like a document: hiding it helps.
    assert [row.abstracted["type"]["names"] for row in made.rows] == [(1,), (1,), (1,)]
    for names, _ in made.styles.values():
        assert names.overall.questions == 3
        recall, mrr = names.overall.metrics["recall@1"], names.overall.metrics["mrr"]
        assert (recall.before, recall.after) == (pytest.approx(2 / 3), 1.0)
        assert recall.ratio == pytest.approx(1.5)
        assert (mrr.before, mrr.after) == (pytest.approx(5 / 6), 1.0)
        assert mrr.difference.value == pytest.approx(1 / 6)
        assert mrr.difference.low == 0.0 < mrr.difference.high <= 0.5
        assert names.overall.metrics["recall@5"].difference == (0, 0, 0)


def test_a_style_is_measured_by_what_it_leaves() -> None:
    def found(query: SafeText) -> dict[str, Sequence[Hit]]:
        right = "birch.md" if "LOCATION" in query else "alder.md"
        return {"only": [Hit(Passage("p", "", source=right), 1.0)]}

    own = replace(data(), questions=(question(0, "birch", "Bern", "birch.md"),))
    styles = report(own, found).styles
    after = {style: stage.overall.metrics["mrr"].after for style, [stage] in styles.items()}
    assert after == {"type": 1.0, "words": 0.0, "dropped": 0.0}


def test_types_hold_the_questions_that_contain_them() -> None:
    made = report(data(), NamesStage(), styles=["type"])
    stage = made.styles["type"][0]
    assert {t: c.questions for t, c in stage.by_type.items()} == {"city": 2, "home": 1}
    assert stage.by_type["city"].metrics["mrr"].before == pytest.approx(0.75)
    assert stage.by_type["home"].metrics["mrr"].before == 1.0


def test_every_stage_is_reported_by_name_and_the_last_one_is_what_ships() -> None:
    made = report(data(), NamesStage())
    assert list(made.styles) == list(STYLES)
    assert [stage.stage for stage in made.styles["words"]] == ["names", "nothing"]
    assert made.shipped is made.styles[DEFAULT_STYLE][1]
    assert report(data(), NamesStage(), styles=["type"]).shipped is None
    nothing = made.shipped.overall.metrics["mrr"]
    assert (nothing.before, nothing.after) == (0.0, 0.0)
    assert math.isnan(nothing.ratio)


def test_a_table_has_a_row_for_each_style_and_stage() -> None:
    head, _, *rows = report(data(), NamesStage(), styles=["type", "dropped"]).table().split("\n")
    assert head.startswith("| style | stage | recall@1 |")
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| type", "names"],
        ["| type", "nothing"],
        ["| dropped", "names"],
        ["| dropped", "nothing"],
    ]
    assert "| 0.667 -> 1.000 | 1.000 -> 1.000 |" in rows[0]
    assert rows[0].count("|") == head.count("|")


def test_a_detector_takes_the_place_of_labels() -> None:
    unlabeled = replace(data(), questions=tuple(replace(q, facts=()) for q in data().questions[:2]))
    message = unlabeled.questions[1].message
    detector = PlantedDetector({message: [(10, 15, "TREE")]})
    stage = NamesStage()
    made = report(unlabeled, stage, styles=["type"], detector=detector)
    # The first question holds nothing that was found, so it is searched for once.
    assert stage.seen == [
        "I live in Bern.\nWhat does alder cost?",
        message,
        "I live in TREE.\nWhat does birch cost?",
    ]
    assert (made.detected, made.unchanged) == (True, 1)
    assert [(row.types, row.changed) for row in made.rows] == [((), False), (("tree",), True)]


def test_further_mentions_of_a_value_are_hidden_as_the_pipeline_does() -> None:
    twice = question(0, "alder", "Bern", "alder.md")
    twice = replace(twice, turns=(*twice.turns, "Is Bern near?"))
    stage = NamesStage()
    report(replace(data(), questions=(twice,)), stage)
    assert "Bern" in stage.seen[0]
    assert not any("Bern" in query for query in stage.seen[1:])


def test_limit_draws_with_the_seed() -> None:
    questions = tuple(question(i, "alder", "Bern", "alder.md") for i in range(50))
    many = replace(data(), questions=questions)

    def drawn(seed: int, limit: int) -> list[str]:
        own = retrieval.answered(many, "test", limit=limit, seed=seed, labeled=True)
        return [each.id for each in own]

    assert drawn(1, 9) == drawn(1, 9) != drawn(2, 9)
    assert drawn(1, 20)[:9] == drawn(1, 9)  # so that a run can be extended
    assert len(set(drawn(1, 99))) == 50


def test_rows_come_back_from_json() -> None:
    for row in report(data(), NamesStage()).rows:
        told = json.loads(json.dumps(row.to_data(), allow_nan=False))
        assert retrieval.Row.from_data(told) == row


def test_the_report_is_plain_json() -> None:
    plain = report(data(), NamesStage()).to_data()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain == report(data(), NamesStage()).to_data()
    nothing = plain["styles"]["type"][1]["overall"]["metrics"]["mrr"]
    assert nothing["ratio"] is None
    assert nothing["difference"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert plain["rows"][0]["raw"] == {"names": [1], "nothing": [None]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"questions": ()}, "no question of the test split"),
        ({"documents": ()}, "names a document that the data set lacks"),
        ({"questions": (replace(question(0, "alder", "Bern", "alder.md"), facts=()),)},
         "pass a detector"),
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_said_before_a_model_is_opened(
    change: dict, message: str, tmp_path: Path
) -> None:
    run = Run(tmp_path, settings={}, notes={})
    with pytest.raises(InputError, match=message):
        retrieval.evaluate(
            replace(data(), **change), "test", run=run, sources=Models(embedder="gone")
        )


def test_an_abstracted_index_needs_a_detector(tmp_path: Path) -> None:
    run = Run(tmp_path, settings={}, notes={})
    with pytest.raises(InputError, match="values have to be detected: pass a detector"):
        retrieval.evaluate(data(), "test", run=run, sources=Models(), index_style="type")
    with pytest.raises(InputError, match="a style is one of"):
        retrieval.evaluate(data(), "test", run=run, sources=Models(), index_style="shout")  # type: ignore[arg-type]


def test_passages_may_be_abstracted_as_messages_are() -> None:
    class Towns:
        def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
            return [
                [Entity(m.start(), m.end(), "LOCATION") for m in re.finditer("Bern", text)]
                for text in texts
            ]

    found = [Passage("a", "Open in Bern.", title="Bern"), Passage("b", "Closed.")]
    typed, dropped = (retrieval.abstracted(found, Towns(), style) for style in ("type", "dropped"))
    assert [own.text for own in typed] == ["Open in LOCATION.", "Closed."]
    assert [own.text for own in dropped] == ["Open in.", "Closed."]
    assert [own.id for own in typed] == ["a-type", "b-type"]
    assert typed[0].title == "Bern"


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="limit must be 1 or more"):
        retrieval.answered(data(), "test", limit=0, seed=0, labeled=True)


# --------------------------------------------------------------------------- the stages


class Backwards:
    """A reranker that turns the order round."""

    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        return list(reversed(hits))[:k]


def test_the_stages_are_those_of_the_product(chunker: Chunker) -> None:
    index = Index.build(retrieval.passages(data().documents, chunker), WordEmbedder())
    query = SafeText("the cedar costs")
    found = retrieval.Stages(index, Backwards(), candidates=3)(query)
    assert list(found) == ["embedder", "lexical", "fused", "reranked"]
    assert found["embedder"] == index.search(query, 100)
    assert found["lexical"] == Bm25(index.passages).search(query, 100)
    assert found["fused"] == Hybrid(index).search(query, 100)
    assert found["reranked"] == list(reversed(found["fused"][:3]))


# --------------------------------------------------------------------------- the index


@pytest.fixture(scope="module")
def chunker(tmp_path_factory: pytest.TempPathFactory) -> Chunker:
    return Chunker(tiny_models.tokenizer(tmp_path_factory.mktemp("tokens") / "tokenizer.json"))


def test_passages_bear_the_document_ids(chunker: Chunker) -> None:
    nested = Document("a/b/c.md", "C", "# C\n\nDeep text.\n\n## Part\n\nMore text.")
    made = retrieval.passages([*data().documents, nested], chunker)
    assert {p.source for p in made} == {*(f"{n}.md" for n in NAMES), "a/b/c.md"}
    assert [(p.title, p.section) for p in made if p.source == "a/b/c.md"] == [
        ("C", ""),
        ("C", "Part"),
    ]


@pytest.mark.parametrize("id_", ["../up.md", "/etc/x.md", "a/../../up.md"])
def test_an_id_cannot_leave_the_folder(id_: str, chunker: Chunker) -> None:
    with pytest.raises(InputError, match="inside the corpus folder"):
        retrieval.passages([Document(id_, "T", "# T\n\nText.")], chunker)


def test_the_index_is_built_once(tmp_path: Path, chunker: Chunker) -> None:
    made = retrieval.passages(data().documents, chunker)
    embedder = WordEmbedder()
    first = retrieval.cached_index(made, embedder, tmp_path)
    embedded = embedder.embedded
    again = retrieval.cached_index(made, embedder, tmp_path)
    assert embedder.embedded == embedded == len(made)
    query = SafeText("the cedar costs")
    assert again.search(query, 4) == first.search(query, 4)
    assert first.search(query, 1)[0].passage.source == "cedar.md"


def test_other_documents_or_another_embedder_get_another_index(
    tmp_path: Path, chunker: Chunker
) -> None:
    made = retrieval.passages(data().documents, chunker)
    embedder = WordEmbedder()
    retrieval.cached_index(made, embedder, tmp_path)
    assert len(retrieval.cached_index(made[:2], embedder, tmp_path)) == 2
    titled = [replace(made[0], title="Another"), *made[1:]]
    found = retrieval.cached_index(titled, embedder, tmp_path).search(SafeText("Another"), 1)
    assert found[0].passage.title == "Another"
    retrieval.cached_index(made, WordEmbedder(digest="other"), tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_damaged_index_is_built_anew(tmp_path: Path, chunker: Chunker) -> None:
    made = retrieval.passages(data().documents, chunker)
    embedder = WordEmbedder()
    retrieval.cached_index(made, embedder, tmp_path)
    [folder] = tmp_path.iterdir()
    (folder / "manifest.json").write_text("{}")
    assert len(retrieval.cached_index(made, embedder, tmp_path)) == len(made)
    embedded = embedder.embedded
    retrieval.cached_index(made, embedder, tmp_path)
    assert embedder.embedded == embedded
