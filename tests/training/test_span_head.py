"""The span head of an export costs words, and computes what it did."""

from __future__ import annotations

from collections import Counter

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from privrag_fast.training.span_head import rewrite_span_head

HIDDEN, INNER, WIDTH = 6, 24, 3


def export(seed: int = 0, *, join: str = "Relu") -> onnx.ModelProto:
    """A head as the `gliner` library's exporter writes it; `join` follows the pair of ends."""
    rng = np.random.default_rng(seed)
    weights = {
        "w": rng.normal(size=(2 * HIDDEN, INNER)), "b": rng.normal(size=INNER),
        "v": rng.normal(size=(INNER, HIDDEN)), "c": rng.normal(size=HIDDEN),
    }  # fmt: skip
    constants = {name: value.astype(np.float32) for name, value in weights.items()}
    constants |= {"zero": np.int64(0), "one": np.int64(1), "last": np.array([-1]),
                  "three": np.array([0, 1, 2]), "size": np.array([WIDTH, HIDDEN])}  # fmt: skip
    nodes: list[onnx.NodeProto] = []

    def op(kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind}_{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def end(which: str) -> str:
        index = op("Unsqueeze", op("Gather", "span_idx", which, axis=2), "last")
        wide = op("Expand", index, op("Concat", op("Shape", index, end=2), "h", axis=0))
        return op("GatherElements", f"words_{which}", wide, axis=1)

    constants["h"] = np.array([HIDDEN])
    ends = op(join, op("Concat", end("zero"), end("one"), axis=-1))
    inner = op("Relu", op("Add", "b", op("MatMul", ends, "w")))
    spans = op("Add", "c", op("MatMul", inner, "v"))
    grid = op("Concat", op("Shape", "words_zero", end=2), "size", axis=0)
    nodes.append(
        helper.make_node(
            "Einsum", [op("Reshape", spans, grid), "prompts"], ["logits"], equation="BLKD,BCD->BLKC"
        )
    )
    real = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "head",
        [
            helper.make_tensor_value_info("words_zero", real, ["B", "W", HIDDEN]),
            helper.make_tensor_value_info("words_one", real, ["B", "W", HIDDEN]),
            helper.make_tensor_value_info("prompts", real, ["B", "C", HIDDEN]),
            helper.make_tensor_value_info("span_idx", TensorProto.INT64, ["B", "N", 2]),
        ],
        [helper.make_tensor_value_info("logits", real, ["B", "W", WIDTH, "C"])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def feeds(batch: int, words: int, labels: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(words)
    first = np.repeat(np.arange(words), WIDTH)
    last = np.minimum(first + np.tile(np.arange(WIDTH), words), words - 1)
    shapes = {"words_zero": words, "words_one": words, "prompts": labels}
    values = {
        name: rng.normal(size=(batch, size, HIDDEN)).astype(np.float32)
        for name, size in shapes.items()
    }
    return values | {"span_idx": np.tile(np.stack([first, last], 1), (batch, 1, 1))}


def run(model: onnx.ModelProto, values: dict[str, np.ndarray]) -> np.ndarray:
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, values)[0]


@pytest.mark.parametrize(("batch", "words", "labels"), [(1, 1, 1), (1, 9, 4), (3, 5, 30)])
def test_the_logits_stay_the_same(batch, words, labels):
    model = export(words)
    values = feeds(batch, words, labels)
    before = run(model, values)
    assert rewrite_span_head(model)
    onnx.checker.check_model(model)
    after = run(model, values)
    assert after.shape == before.shape == (batch, words, WIDTH, labels)
    np.testing.assert_allclose(after, before, rtol=1e-4, atol=1e-4)


def test_no_weight_is_multiplied_with_spans_any_more():
    model = export()
    rewrite_span_head(model)
    kinds = Counter(node.op_type for node in model.graph.node)
    assert not kinds.keys() & {"Einsum", "GatherElements", "Expand"}
    weights = {own.name: list(own.dims) for own in model.graph.initializer}
    products = [node for node in model.graph.node if node.op_type == "MatMul"]
    used = sorted(weights[own] for node in products for own in node.input if own in weights)
    assert used == [[HIDDEN, INNER]] * 3
    assert all(any(own in node.input for node in model.graph.node) for own in weights)


@pytest.mark.parametrize("model", [lambda: export(join="Tanh"), lambda: rewritten()])
def test_another_head_is_left_as_it_is(model):
    model = model()
    before = model.SerializeToString()
    assert not rewrite_span_head(model)
    assert model.SerializeToString() == before


def rewritten() -> onnx.ModelProto:
    model = export()
    rewrite_span_head(model)
    return model
