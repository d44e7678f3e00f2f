from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privrag_fast.retrieval import Embedder, EmbedderOptions
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


@pytest.mark.parametrize("threads", [0, 2, 5])
def test_batches_at_once_change_neither_values_nor_order(encoder_path, tokenizer_path, threads):
    embedder = Embedder(encoder_path, tokenizer_path, threads=threads)
    texts = [f"{text} grant" * (1 + n % 7) for n, text in enumerate(TEXTS * 20)]

    np.testing.assert_allclose(
        embedder.embed(texts),
        Embedder(encoder_path, tokenizer_path, threads=1, batch_size=1).embed(texts),
        atol=1e-6,
    )
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed, [texts] * 8):
            np.testing.assert_array_equal(vectors, embedder.embed(texts))


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
        digest(options=EmbedderOptions(max_tokens=128)),
        digest(options=EmbedderOptions(pooling="cls")),
    }
    assert len(digests) == 5
    assert digest() == digest(batch_size=3)


def test_a_model_of_another_kind_is_refused(tmp_path, tokenizer_path):
    classifier = tiny_models.classifier(tmp_path / "model.onnx", np.ones((1, 2)))
    embedder = Embedder(classifier, tokenizer_path)  # [n, 2] could be a vector ...
    assert embedder.dim == 2  # ... and is one, as far as anyone can tell

    with pytest.raises(ModelError, match=r"no such file"):
        Embedder(tmp_path / "absent.onnx", tokenizer_path)


@pytest.mark.parametrize("options", [{"batch_size": 0}, {"options": EmbedderOptions(max_tokens=4)}])
def test_options_out_of_range(encoder_path, tokenizer_path, options):
    with pytest.raises(InputError, match="or more"):
        Embedder(encoder_path, tokenizer_path, **options)
    with pytest.raises(InputError, match="pooling must be one of mean, cls"):
        EmbedderOptions(pooling="median")


# --------------------------------------------------------------------------- other models


def states_of(text):
    """Of a text's own tokens, float32 [tokens, 8]."""
    return tiny_models.states()[
        [VOCABULARY.get(word, VOCABULARY["[UNK]"]) for word in ["[CLS]", *text.split(), "[SEP]"]]
    ]


BY_HAND = {
    "mean": lambda states: states.mean(axis=0),
    "cls": lambda states: states[0],
    "max": lambda states: states.max(axis=0),
    "lasttoken": lambda states: states[-1],
    "weightedmean": lambda states: np.average(
        states, axis=0, weights=np.arange(1, len(states) + 1)
    ),
}


@pytest.mark.parametrize("pooling", BY_HAND)
def test_pools_as_the_model_was_trained(encoder_path, tokenizer_path, pooling):
    embedder = Embedder(encoder_path, tokenizer_path, options=EmbedderOptions(pooling=pooling))
    texts = ["bread", "the grant is for people", "museum opens"]  # of three lengths: two are padded

    expected = np.stack([BY_HAND[pooling](states_of(text)) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(embedder.embed(texts), expected, atol=1e-5)


def folder_of(path, pooling, *, length=None, modules=("Transformer", "Pooling", "Normalize")):
    (path / "1_Pooling").mkdir()
    (path / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": length}))
    kinds = [{"type": f"sentence_transformers.models.{kind}"} for kind in modules]
    (path / "modules.json").write_text(json.dumps(kinds))
    return path


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_sqrt_len_tokens": True}, "mean"),
        ({"word_embedding_dimension": 384}, "mean"),
        ({"pooling_mode": "lasttoken", "include_prompt": True}, "lasttoken"),
        ({"pooling_mode": ["max"]}, "max"),
        ({"pooling_mode": "mean_sqrt_len_tokens"}, "mean"),
    ],
)
def test_a_hub_folder_tells_pooling_and_length(tmp_path, config, pooling):
    folder = folder_of(tmp_path, config, length=384)
    assert EmbedderOptions.read(folder) == EmbedderOptions(pooling=pooling, max_tokens=384)


def test_a_folder_that_tells_nothing_has_the_defaults(tmp_path):
    assert EmbedderOptions.read(tmp_path) == EmbedderOptions()
    assert EmbedderOptions.read(folder_of(tmp_path, {})) == EmbedderOptions()


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ({"pooling": {"pooling_mode": ["mean", "max"]}}, "not supported: mean, max"),
        ({"pooling": {"pooling_mode": "median"}}, "not supported: median"),
        ({"pooling": {}, "modules": ("Transformer", "Dense")}, "modules that are not .* Dense"),
    ],
)
def test_what_cannot_be_computed_is_refused(tmp_path, folder, told):
    with pytest.raises(ModelError, match=told):
        EmbedderOptions.read(folder_of(tmp_path, **folder))


def test_a_damaged_folder_is_named(tmp_path):
    (tmp_path / "modules.json").write_text("[{")
    with pytest.raises(ModelError, match=r"modules\.json: cannot be read"):
        EmbedderOptions.read(tmp_path)


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
