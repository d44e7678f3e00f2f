"""A GLiNER-shaped ONNX model whose answers are known: planted words score high.

It reads its inputs the way an export does: words through `words_mask`, labels through the
tokens after `<<ENT>>`, spans through `span_idx`, at most `max_tokens` positions.
"""

from __future__ import annotations

import json
import string
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

MAX_WIDTH = 4
MAX_WORDS = 20
MAX_TOKENS = 96

PLANTED = {
    "name": ["nora", "lind", "kai", "aria", "leo", "tom", "john", "smith", "dave", "jones"],
    "location": ["oslo", "zurich", "苏", "黎", "世", "美", "国"],
    "age": ["34", "67"],
    "city": ["oslo", "zurich"],
}
HIGH, LOW, PER_WORD, GAP = 3.0, -4.0, 0.25, -20.0

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "<<ENT>>", "<<SEP>>"]
_CHARACTERS = [*string.ascii_lowercase, *string.digits, *string.punctuation, "住", "我", "在"]


def build(folder: Path, *, max_tokens: int = MAX_TOKENS, **config: object) -> Path:
    """Writes the model's files, `config` over the usual `gliner_config.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    onnx.save(_model(tokenizer, max_tokens), str(folder / "model.onnx"))
    content = {
        "model_type": "gliner_uni_encoder_span",
        "span_mode": "markerV0",
        "max_width": MAX_WIDTH,
        "max_len": MAX_WORDS,
        "encoder_config": {"model_type": "bert", "max_position_embeddings": max_tokens},
    }
    (folder / "gliner_config.json").write_text(json.dumps(content | config))
    return folder


def _vocabulary() -> dict[str, int]:
    words = [word for planted in PLANTED.values() for word in planted]
    tokens = [
        *_SPECIAL,
        *PLANTED,
        *words,
        *_CHARACTERS,
        *(f"##{character}" for character in _CHARACTERS),
    ]
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(
        models.WordPiece(_vocabulary(), unk_token="[UNK]", max_input_chars_per_word=10_000)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(handle_chinese_chars=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(_SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(t, tokenizer.token_to_id(t)) for t in ("[CLS]", "[SEP]")],
    )
    # An export's file often carries both; the runtime must not obey them.
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    return tokenizer


def _affinity(tokenizer: Tokenizer) -> np.ndarray:
    """[vocabulary, vocabulary]: HIGH where the row is a planted word of the column's label."""
    size = tokenizer.get_vocab_size()
    table = np.full((size, size), LOW, np.float32)
    for label, words in PLANTED.items():
        for word in words:
            table[tokenizer.token_to_id(word), tokenizer.token_to_id(label)] = HIGH
    return table


def _model(tokenizer: Tokenizer, max_tokens: int) -> onnx.ModelProto:
    """logits[span, label] = least affinity of its ends + PER_WORD a word + GAP a foreign word."""
    constants = {
        "affinity": _affinity(tokenizer),
        "positions": np.zeros((max_tokens + 1, 1), np.float32),
        "ent": np.int64(tokenizer.token_to_id("<<ENT>>")),
        "one": np.int64(1),
        "axis0": np.array([0], np.int64),
        "axis1": np.array([1], np.int64),
        "axis2": np.array([2], np.int64),
        "minus": np.array([-1], np.int64),
        "width": np.array([MAX_WIDTH], np.int64),
        "low": np.float32(0.0),
        "per_word": np.float32(PER_WORD),
        "gap": np.float32(GAP),
    }
    nodes: list[onnx.NodeProto] = []

    def op(kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind}_{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    ids = op("Mul", "input_ids", "attention_mask")
    shape = op("Shape", ids)
    batch = op("Gather", shape, "axis0")

    # Fails beyond max_tokens, as a position embedding does.
    position = op("Gather", "positions", op("CumSum", "attention_mask", "one"))
    bias = op("ReduceSum", position, keepdims=0)

    words = op("ReduceMax", "text_lengths", "axis0", keepdims=0)
    slots = op("Concat", batch, op("Add", op("Reshape", words, "minus"), "axis1"), axis=0)
    empty = op("ConstantOfShape", slots, value=helper.make_tensor("v", TensorProto.INT64, [1], [0]))
    by_word = op("ScatterElements", empty, "words_mask", ids, axis=1)
    all_slots = op("Gather", op("Shape", by_word), "axis1")
    word_ids = op("Slice", by_word, "axis1", all_slots, "axis1")

    ents = op("NonZero", op("Equal", ids, "ent"))
    columns = op("Squeeze", op("Gather", ents, "axis1", axis=0), "axis0")
    after = op("Reshape", op("Add", columns, "one"), op("Concat", batch, "minus", axis=0))
    label_ids = op("GatherElements", ids, after, axis=1)

    rows = op("Gather", "affinity", word_ids, axis=0)
    labels = op("Gather", op("Shape", label_ids), "axis1")
    word_count = op("Gather", op("Shape", word_ids), "axis1")
    wide = op("Expand", op("Unsqueeze", label_ids, "axis1"),
              op("Concat", batch, word_count, labels, axis=0))  # fmt: skip
    score = op("GatherElements", rows, wide, axis=2)
    foreign = op("Cast", op("Less", score, "low"), to=TensorProto.FLOAT)
    passed = op("CumSum", foreign, "one")

    spans = op("Gather", op("Shape", "span_idx"), "axis1")
    full = op("Concat", batch, spans, labels, axis=0)

    def side(index: str) -> tuple[str, str]:
        flat = op("Squeeze", op("Gather", "span_idx", index, axis=2), "axis2")
        return flat, op("Expand", op("Unsqueeze", flat, "axis2"), full)

    start, start_wide = side("axis0")
    end, end_wide = side("axis1")
    ends = op(
        "Min",
        op("GatherElements", score, start_wide, axis=1),
        op("GatherElements", score, end_wide, axis=1),
    )
    length = op("Cast", op("Sub", end, start), to=TensorProto.FLOAT)
    bonus = op("Unsqueeze", op("Mul", length, "per_word"), "axis2")
    inner = op(
        "Sub",
        op("GatherElements", passed, end_wide, axis=1),
        op("GatherElements", passed, start_wide, axis=1),
    )
    raw = op("Add", op("Add", ends, bonus), op("Mul", inner, "gap"))
    masked = op("Mul", raw, op("Unsqueeze", op("Cast", "span_mask", to=TensorProto.FLOAT), "axis2"))
    grid = op("Concat", batch, word_count, "width", labels, axis=0)
    nodes.append(
        helper.make_node("Reshape", [op("Add", masked, bias), grid], ["logits"], name="logits")
    )

    int64, boolean = TensorProto.INT64, TensorProto.BOOL
    graph = helper.make_graph(
        nodes,
        "tiny_gliner",
        [
            helper.make_tensor_value_info("input_ids", int64, ["B", "S"]),
            helper.make_tensor_value_info("attention_mask", int64, ["B", "S"]),
            helper.make_tensor_value_info("words_mask", int64, ["B", "S"]),
            helper.make_tensor_value_info("text_lengths", int64, ["B", 1]),
            helper.make_tensor_value_info("span_idx", int64, ["B", "N", 2]),
            helper.make_tensor_value_info("span_mask", boolean, ["B", "N"]),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", "W", "K", "C"])],
        [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model
