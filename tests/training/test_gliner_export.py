"""`privrag-fast export gliner` on a tiny checkpoint; needs the extra `train`."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest

from privrag_fast.cli import main
from privrag_fast.detection.gliner import Gliner

REASON = "needs torch and gliner: pip install 'privrag_fast[train]'"
torch = pytest.importorskip("torch", reason=REASON)
gliner = pytest.importorskip("gliner", reason=REASON)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Untrained, over a BERT of two layers whose tokens are letters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]",
               "sep_token": "[SEP]", "mask_token": "[MASK]"}  # fmt: skip
    letters = string.ascii_lowercase
    tokens = [*special.values(), *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(
        models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    encoder = tmp_path_factory.mktemp("encoder")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(encoder)
    torch.manual_seed(0)
    BertModel(
        BertConfig(vocab_size=len(tokens), hidden_size=32, num_hidden_layers=2,
                   num_attention_heads=4, intermediate_size=64, max_position_embeddings=128)
    ).save_pretrained(encoder)  # fmt: skip
    config = gliner.GLiNERConfig(
        model_name=str(encoder), hidden_size=24, max_width=4, max_len=64, span_mode="markerV0",
        words_splitter_type="whitespace",
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("checkpoint")
    gliner.GLiNER.from_config(config).save_pretrained(str(folder))
    return folder


def test_an_export_finds_what_the_checkpoint_finds(checkpoint, tmp_path, capsys):
    assert main(["export", "gliner", str(checkpoint), "--out", str(tmp_path), "--full"]) == 0
    assert "differs by" in capsys.readouterr().out
    text, labels = "nora lives in oslo and works there", ["name", "place"]
    # Untrained scores are near one half: at a low threshold there is a span for every word.
    own = Gliner(tmp_path, labels=labels, threshold=0.3).detect([text])[0]
    model = gliner.GLiNER.from_pretrained(str(checkpoint), local_files_only=True)
    theirs = model.predict_entities(text, labels, threshold=0.3)
    assert own
    assert [(e.start, e.end, e.label.lower()) for e in own] == [
        (e["start"], e["end"], e["label"]) for e in theirs
    ]
    assert [e.score for e in own] == pytest.approx([e["score"] for e in theirs], abs=1e-4)


def test_int8_is_smaller_and_runs(checkpoint, tmp_path):
    for name, more in (("full", ["--full"]), ("int8", [])):
        out = str(tmp_path / name)
        assert main(["export", "gliner", str(checkpoint), "--out", out, *more]) == 0
    assert Gliner(tmp_path / "int8", labels=["name"]).detect(["", "nora"])[0] == []
    sizes = [(tmp_path / name / "model.onnx").stat().st_size for name in ("int8", "full")]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"span_mode": "token_level"}, "token-level GLiNER"),
        ({"labels_encoder": "encoder"}, "bi-encoder GLiNER"),
        ({"relations_layer": "mlp"}, "relation-extraction GLiNER"),
    ],
)
def test_other_families_are_refused_before_they_are_read(config, told, tmp_path, capsys):
    usual = {"max_width": 4, "max_len": 64, "span_mode": "markerV0"}
    (tmp_path / "gliner_config.json").write_text(json.dumps(usual | config))
    assert main(["export", "gliner", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert told in capsys.readouterr().err


def test_a_checkpoint_without_weights_is_refused(checkpoint, tmp_path, capsys):
    name = "gliner_config.json"
    (tmp_path / name).write_text((checkpoint / name).read_text())
    assert main(["export", "gliner", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "name a folder" in capsys.readouterr().err
