"""ONNX models and a tokenizer small enough to know their answers by heart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordLevel

WORDS = (
    *("the", "is", "for", "in", "on", "who", "a", "b", "c", "d"),
    *("grant", "people", "over", "sixty", "rent", "own", "home", "heat", "winter", "apply", "form"),
    *("museum", "opens", "monday", "ticket", "cost", "free", "bread", "butter", "letter"),
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = {word: number for number, word in enumerate((*SPECIAL, *WORDS))}


def tokenizer(path: Path) -> Path:
    """One token a word; pads and truncates unless told not to, as published files do."""
    made = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, VOCABULARY[name]) for name in ("[CLS]", "[SEP]")],
    )
    made.enable_padding(length=128)
    made.enable_truncation(128)
    made.save(str(path))
    return path


def states() -> np.ndarray:
    """The encoder's state of each token, float32 [vocabulary, 8]; padding must not be read."""
    table = np.random.default_rng(7).normal(size=(len(VOCABULARY), 8)).astype(np.float32)
    table[VOCABULARY["[PAD]"]] = 1e6
    return table


def encoder(path: Path) -> Path:
    """`last_hidden_state[n, t] = states[input_ids[n, t]]`."""
    return _save(
        path,
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        {"table": states()},
        outputs={"last_hidden_state": ["n", "t", 8]},
    )


def pooled_encoder(path: Path) -> Path:
    """Token states, and beside them a pooled vector: twice the state of the first token."""
    return _save(
        path,
        [
            helper.make_node("Gather", ["table", "input_ids"], ["token_embeddings"]),
            helper.make_node("Gather", ["token_embeddings", "first"], ["one"], axis=1),
            helper.make_node("Squeeze", ["one", "axis"], ["squeezed"]),
            helper.make_node("Mul", ["squeezed", "two"], ["sentence_embedding"]),
        ],
        {
            "table": states(),
            "first": np.array([0], np.int64),
            "axis": np.array([1], np.int64),
            "two": np.array(2, np.float32),
        },
        outputs={"token_embeddings": ["n", "t", 8], "sentence_embedding": ["n", 8]},
    )


def classifier(path: Path, classes: np.ndarray) -> Path:
    """Logits = number of words that query and passage share, times `classes` float32 [1, c]."""
    one_hot = np.eye(len(VOCABULARY), dtype=np.float32)
    one_hot[: len(SPECIAL)] = 0
    return _save(
        path,
        [
            helper.make_node("Gather", ["one_hot", "input_ids"], ["words"]),
            helper.make_node("Cast", ["token_type_ids"], ["type"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["type", "last"], ["in_passage"]),
            helper.make_node("Sub", ["one", "in_passage"], ["in_query"]),
            helper.make_node("Mul", ["words", "in_passage"], ["passage_words"]),
            helper.make_node("Mul", ["words", "in_query"], ["query_words"]),
            helper.make_node("ReduceSum", ["passage_words", "tokens"], ["passage"], keepdims=0),
            helper.make_node("ReduceSum", ["query_words", "tokens"], ["query"], keepdims=0),
            helper.make_node("Mul", ["passage", "query"], ["shared"]),
            helper.make_node("ReduceSum", ["shared", "tokens"], ["count"], keepdims=1),
            helper.make_node("MatMul", ["count", "classes"], ["logits"]),
        ],
        {
            "one_hot": one_hot,
            "one": np.array(1, np.float32),
            "last": np.array([2], np.int64),
            "tokens": np.array([1], np.int64),
            "classes": classes.astype(np.float32),
        },
        outputs={"logits": ["n", classes.shape[1]]},
    )


def _save(path, nodes, constants, outputs):
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        inputs,
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in outputs.items()
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    save(model, path)
    return path
