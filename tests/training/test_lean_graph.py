"""Rewritten graphs against what the exporter wrote."""

from __future__ import annotations

from collections import Counter

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from privrag_fast.training.lean_graph import make_lean

RNG = np.random.default_rng(0)
HEADS, SIZE = 2, 3
WIDTH = HEADS * SIZE
Array = NDArray[np.generic]


def probe(rows: int, tokens: int) -> dict[str, Array]:
    return {"x": RNG.normal(size=(rows, tokens, WIDTH)).astype(np.float32)}


PROBES = [probe(2, 4), probe(5, 7)]


def attention() -> onnx.ModelProto:
    """One layer as exporters write it: shapes computed, guarded, three products of one input."""
    nodes: list[onnx.NodeProto] = []
    constants = {
        "split_heads": np.array([HEADS, SIZE]),
        "joined_heads": np.array([WIDTH]),
        "zero": np.float32(0),
        "first": np.array([0]),
        "second": np.array([2]),
    }

    def add(kind: str, inputs: list[str], made: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [made], **attributes))
        return made

    add("Shape", ["x"], "shape")
    add("Slice", ["shape", "first", "second"], "leading")
    for name in "qkv":
        constants[f"w{name}"] = RNG.normal(size=(WIDTH, WIDTH)).astype(np.float32)
        constants[f"b{name}"] = RNG.normal(size=WIDTH).astype(np.float32)
        add("MatMul", ["x", f"w{name}"], f"product_{name}")
        bias, product = f"b{name}", f"product_{name}"
        add("Add", [bias, product] if name == "k" else [product, bias], f"sum_{name}")
        add("Concat", ["leading", "split_heads"], f"to_{name}", axis=0)
        add("Reshape", [f"sum_{name}", f"to_{name}"], f"split_{name}", allowzero=int(name == "v"))
        order = [0, 2, 3, 1] if name == "k" else [0, 2, 1, 3]
        add("Transpose", [f"split_{name}"], name, perm=order)
    add("MatMul", ["q", "k"], "scores")
    add("Softmax", ["scores"], "shares")
    add("IsNaN", ["shares"], "bad")
    add("Where", ["bad", "zero", "shares"], "guarded")
    add("MatMul", ["guarded", "v"], "seen")
    add("Transpose", ["seen"], "turned", perm=[0, 2, 1, 3])
    add("Concat", ["leading", "joined_heads"], "to_joined", axis=0)
    add("Reshape", ["turned", "to_joined"], "y")
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "attention",
        [value("x", TensorProto.FLOAT, ["b", "n", WIDTH])],
        [value("y", TensorProto.FLOAT, ["b", "n", WIDTH])],
        [numpy_helper.from_array(own, name) for name, own in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def run(model: onnx.ModelProto, feeds: dict[str, Array]) -> Array:
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    [found] = session.run(None, feeds)
    return np.asarray(found)


@pytest.fixture
def pair() -> tuple[onnx.ModelProto, onnx.ModelProto]:
    before = attention()
    after = onnx.ModelProto()
    after.CopyFrom(before)
    make_lean(after, PROBES)
    onnx.checker.check_model(after, full_check=True)
    return before, after


@pytest.mark.parametrize(("rows", "tokens"), [(1, 1), (1, 9), (3, 2), (4, 4)])
def test_values_stay(pair: tuple[onnx.ModelProto, onnx.ModelProto], rows: int, tokens: int) -> None:
    before, after = pair
    feeds = probe(rows, tokens)
    np.testing.assert_allclose(run(after, feeds), run(before, feeds), rtol=1e-5, atol=1e-6)


def test_one_product_no_guard_and_no_computed_shape(
    pair: tuple[onnx.ModelProto, onnx.ModelProto],
) -> None:
    kinds = Counter(node.op_type for node in pair[1].graph.node)
    assert kinds == {
        "MatMul": 3, "Add": 1, "Split": 1, "Reshape": 4, "Transpose": 4, "Softmax": 1,
    }  # fmt: skip


def test_a_shape_with_two_sizes_that_are_not_the_data_s_stays_computed() -> None:
    model = attention()
    [last] = [node for node in model.graph.node if "y" in node.output]
    swap = helper.make_node("Transpose", [last.input[0]], ["swapped"], perm=[1, 0, 2, 3])
    model.graph.node.insert(len(model.graph.node) - 1, swap)
    last.input[0] = "swapped"  # [n, b, ...], made [b, n, ...]
    make_lean(model, PROBES)
    [last] = [node for node in model.graph.node if "y" in node.output]
    assert last.input[1] == "to_joined"
