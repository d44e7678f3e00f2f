"""`privrag-fast export` where torch is absent, and on tiny checkpoints where it is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from privrag_fast.cli import main
from privrag_fast.export import export_embedder, export_reranker
from privrag_fast.retrieval import CrossEncoder, Embedder, EmbedderOptions
from privrag_fast.types import Hit, ModelError, Passage, SafeText
from tests.retrieval.tiny_models import VOCABULARY, tokenizer


@pytest.mark.parametrize("role", ["reranker", "embedder", "gliner"])
def test_without_torch_the_extra_is_named(
    role: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("export", "gliner_export"):
        monkeypatch.delitem(sys.modules, f"privrag_fast.training.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["export", role, "checkpoint", "--out", "out"]) == 1
    told = capsys.readouterr().err
    assert "torch is missing" in told
    assert "privrag_fast[train]" in told


# --------------------------------------------------------------------------- with torch


@pytest.fixture
def torch() -> ModuleType:
    for name in ("transformers", "onnxscript"):
        pytest.importorskip(name, reason="needs the extra train", exc_type=ImportError)
    return pytest.importorskip("torch", reason="needs the extra train", exc_type=ImportError)


SIZES = {
    "vocab_size": len(VOCABULARY),
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}


def checkpoint(folder: Path, kind: str, torch: ModuleType, **options: object) -> Path:
    """An untrained BERT with the tiny tokenizer."""
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(**SIZES, **options, initializer_range=0.5)
    getattr(transformers, kind)(config).save_pretrained(folder)
    tokenizer(folder / "tokenizer.json")
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]"})
    )
    return folder


@pytest.mark.parametrize("labels", [1, 2])
def test_a_cross_encoder_scores_as_in_torch(tmp_path: Path, torch: ModuleType, labels: int) -> None:
    kind = "BertForSequenceClassification"
    folder = checkpoint(tmp_path / "in", kind, torch, num_labels=labels)
    out = tmp_path / "out"
    assert export_reranker(folder, out, full=True).difference < 1e-4
    full = CrossEncoder(out / "model.onnx", out / "tokenizer.json", threads=1)
    int8 = export_reranker(folder, tmp_path / "int8").path
    assert int8.stat().st_size < (out / "model.onnx").stat().st_size

    import transformers

    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    texts = ["the grant", "bread butter letter for people over sixty", "museum"]
    hits = [Hit(Passage(str(n), text), 0.0) for n, text in enumerate(texts)]
    found = {hit.passage.id: hit.score for hit in full.rerank(SafeText("who rent"), hits)}
    for n, text in enumerate(texts):  # one by one: no padding at all
        words = ["[CLS]", "who", "rent", "[SEP]", *text.split(), "[SEP]"]
        ids = torch.tensor([[VOCABULARY[word] for word in words]])
        types = torch.tensor([[0] * 4 + [1] * (len(words) - 4)])
        with torch.inference_mode():
            logits = model(input_ids=ids, token_type_ids=types).logits[0]
        expected = float(logits[0] if labels == 1 else logits[1] - logits[0])
        assert found[str(n)] == pytest.approx(expected, abs=1e-4)
    assert len(CrossEncoder(int8, out / "tokenizer.json").rerank(SafeText("who"), hits)) == 3


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "Electra", "DistilBert"])
def test_the_last_layer_is_computed_for_the_first_token(
    tmp_path: Path, torch: ModuleType, kind: str
) -> None:
    import transformers

    from privrag_fast.training.first_token import FirstToken, first_token_only

    config = getattr(transformers, f"{kind}Config")(
        vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_labels=1,
        attn_implementation="eager", initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(1)
    model = getattr(transformers, f"{kind}ForSequenceClassification")(config).eval()
    ids, mask = torch.randint(5, 50, (3, 9)), torch.ones(3, 9, dtype=torch.long)
    mask[-1, 6:] = 0
    lean = first_token_only(model, lambda own: own(ids, attention_mask=mask)[0])
    if kind == "DistilBert":  # has layers of another form
        assert lean is model
        return
    assert isinstance(lean.base_model.encoder.layer[-1], FirstToken)
    assert not isinstance(model.base_model.encoder.layer[-1], FirstToken)
    with torch.inference_mode():
        found, wanted = (own(ids, attention_mask=mask)[0] for own in (lean, model))
    assert torch.allclose(found, wanted, atol=1e-5)


def test_a_classifier_that_reads_more_than_the_first_token_stays(torch: ModuleType) -> None:
    import transformers

    from privrag_fast.training.first_token import first_token_only

    model = transformers.BertForTokenClassification(transformers.BertConfig(**SIZES)).eval()
    ids = torch.randint(5, len(VOCABULARY), (1, 4))
    assert first_token_only(model, lambda own: own(ids)[0]) is model


def test_an_embedder_keeps_its_pooling(tmp_path: Path, torch: ModuleType) -> None:
    folder = checkpoint(tmp_path / "in", "BertModel", torch)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": "cls"}')
    out = export_embedder(folder, tmp_path / "out", full=True).path.parent
    options = EmbedderOptions.read(out)
    assert options.pooling == "cls"
    embedder = Embedder(out / "model.onnx", out / "tokenizer.json", options=options)
    assert embedder.dim == 32
    alone = embedder.embed([SafeText("bread")])
    beside = embedder.embed([SafeText("bread"), SafeText("the grant is for people over sixty")])
    assert abs(alone[0] - beside[0]).max() < 1e-5


def test_what_is_no_such_checkpoint_is_named(tmp_path: Path, torch: ModuleType) -> None:
    for export in (export_reranker, export_embedder):
        with pytest.raises(ModelError, match="not a checkpoint of the right kind"):
            export(tmp_path, tmp_path / "out")
    folder = checkpoint(tmp_path / "in", "BertForSequenceClassification", torch, num_labels=3)
    with pytest.raises(ModelError, match="one or two classes, not 3"):
        export_reranker(folder, tmp_path / "out")
