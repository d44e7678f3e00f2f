from __future__ import annotations

import numpy as np
import pytest

from privrag_fast.retrieval import Embedder
from privrag_fast.types import InputError, ModelError
from tests.retrieval import tiny_models
from tests.retrieval.tiny_models import VOCABULARY


def pooled_by_hand(text, *, max_words=254):
    """The mean state of the text's own tokens, [CLS] and [SEP] among them, at length 1."""
    words = text.lower().split()[:max_words]
    ids = [VOCABULARY.get(word, VOCABULARY["[UNK]"]) for word in ["[CLS]", *words, "[SEP]"]]
    mean = tiny_models.states()[ids].mean(axis=0)
    return mean / np.linalg.norm(mean)


TEXTS = [
    "the grant is for people over sixty",
    "bread",
    "",
    "the museum opens on monday",
    "Bread Butter zyzzyva",
    "free",
]


def test_embeds_the_normalized_mean_of_the_texts_own_tokens(tiny_embedder):
    vectors = tiny_embedder.embed(TEXTS)

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), tiny_embedder.dim)
    np.testing.assert_allclose(vectors, [pooled_by_hand(text) for text in TEXTS], atol=1e-5)


@pytest.mark.parametrize("batch_size", [1, 2, 5, 32])
def test_batches_change_neither_values_nor_order(encoder_path, tokenizer_path, batch_size):
    embedder = Embedder(encoder_path, tokenizer_path, batch_size=batch_size, threads=1)

    np.testing.assert_allclose(
        embedder.embed(TEXTS), [pooled_by_hand(text) for text in TEXTS], atol=1e-5
    )


def test_truncates_to_the_length_that_the_model_knows(tiny_embedder):
    long = "bread " * 300 + "museum " * 300

    np.testing.assert_allclose(
        tiny_embedder.embed([long])[0], pooled_by_hand("bread " * 254), atol=1e-5
    )


def test_reads_only_the_head_of_ten_megabytes(tiny_embedder):
    np.testing.assert_allclose(
        tiny_embedder.embed(["bread " * 2_000_000])[0], pooled_by_hand("bread " * 254), atol=1e-5
    )


def test_no_text_gives_no_vector(tiny_embedder):
    assert tiny_embedder.embed([]).shape == (0, tiny_embedder.dim)


def test_one_string_is_not_a_sequence_of_texts(tiny_embedder):
    with pytest.raises(InputError, match="sequence of strings"):
        tiny_embedder.embed("bread")


@pytest.mark.parametrize("text", ["\ud800", "\udfff bread", "\0", "ქართული", "🙂" * 40, "\u202e"])
def test_any_text_has_a_vector(tiny_embedder, text):
    assert np.linalg.norm(tiny_embedder.embed([text])[0]) == pytest.approx(1, abs=1e-5)


def test_takes_the_export_s_own_pooling_where_there_is_one(tmp_path, tokenizer_path):
    embedder = Embedder(tiny_models.pooled_encoder(tmp_path / "pooled.onnx"), tokenizer_path)
    first = tiny_models.states()[VOCABULARY["[CLS]"]]

    np.testing.assert_allclose(
        embedder.embed(["bread"])[0], first / np.linalg.norm(first), atol=1e-5
    )


def test_digest_names_model_tokenizer_and_length(tmp_path, encoder_path, tokenizer_path):
    def digest(model=encoder_path, tokenizer=tokenizer_path, **options):
        return Embedder(model, tokenizer, **options).digest

    other_model = tiny_models.pooled_encoder(tmp_path / "other.onnx")
    other_tokenizer = tmp_path / "tokenizer.json"
    other_tokenizer.write_text(tokenizer_path.read_text() + "\n")

    digests = {
        digest(),
        digest(model=other_model),
        digest(tokenizer=other_tokenizer),
        digest(max_tokens=128),
    }
    assert len(digests) == 4
    assert digest() == digest(batch_size=3)


def test_a_model_of_another_kind_is_refused(tmp_path, tokenizer_path):
    classifier = tiny_models.classifier(tmp_path / "model.onnx", np.ones((1, 2)))
    embedder = Embedder(classifier, tokenizer_path)  # [n, 2] could be a vector ...
    assert embedder.dim == 2  # ... and is one, as far as anyone can tell

    with pytest.raises(ModelError, match=r"no such file"):
        Embedder(tmp_path / "absent.onnx", tokenizer_path)


@pytest.mark.parametrize("options", [{"batch_size": 0}, {"max_tokens": 4}])
def test_options_out_of_range(encoder_path, tokenizer_path, options):
    with pytest.raises(InputError, match="or more"):
        Embedder(encoder_path, tokenizer_path, **options)


def test_broken_arithmetic_is_an_error_without_the_text(tmp_path, tokenizer_path, monkeypatch):
    table = tiny_models.states()
    table[VOCABULARY["museum"]] = np.nan
    monkeypatch.setattr(tiny_models, "states", lambda: table)
    embedder = Embedder(tiny_models.encoder(tmp_path / "model.onnx"), tokenizer_path)

    with pytest.raises(ModelError, match="not finite") as caught:
        embedder.embed(["museum ticket"])
    assert "museum" not in str(caught.value)


# --------------------------------------------------------------------------- real weights


@pytest.mark.weights
def test_real_embeddings_put_like_beside_like(real_embedder):
    asked, answer, other = real_embedder.embed(
        [
            "Who can apply for the heating grant?",
            "Households with a low income may ask for help with the cost of heating.",
            "The museum shows paintings from the north of the country.",
        ]
    )
    assert asked @ answer > 0.5
    assert asked @ other < 0.2


@pytest.mark.weights
def test_real_embeddings_do_not_depend_on_the_batch(real_embedder):
    texts = ["tea", "a long sentence about the price of bread in winter " * 12, "", "free ticket"]

    together = real_embedder.embed(texts)
    alone = np.concatenate([real_embedder.embed([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.9999
