"""Graphs with int8 weights, computed in int8."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from privrag_fast import models
from privrag_fast.int8 import compute_in_int8
from privrag_fast.models import Asset, Int8Products, PackageFile
from privrag_fast.onnx import OnnxModel
from privrag_fast.types import ModelError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 5, 8)).astype(np.float32)
WEIGHTS = [RNG.integers(-127, 128, (8, 6)).astype(np.int8) for _ in range(2)]
SCALES = [RNG.uniform(0.001, 0.1, (1, 6)).astype(np.float32) for _ in range(2)]


def graph(path: Path, *, weights: type[np.generic] = np.int8) -> Path:
    """x times two int8 weights, added up; that under attention to itself, guarded."""
    nodes, constants = [], []
    for i, (weight, scale) in enumerate(zip(WEIGHTS, SCALES, strict=True)):
        constants += [
            numpy_helper.from_array(weight.astype(weights), f"w{i}"),
            numpy_helper.from_array(scale, f"s{i}"),
        ]
        nodes += [
            helper.make_node("Cast", [f"w{i}"], [f"c{i}"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"c{i}", f"s{i}"], [f"f{i}"]),
            helper.make_node("MatMul", ["x", f"f{i}"], [f"y{i}"]),
        ]
    nodes += [
        helper.make_node("Add", ["y0", "y1"], ["sum"]),
        helper.make_node("Transpose", ["sum"], ["turned"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["sum", "turned"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["shares"]),
        helper.make_node("IsNaN", ["shares"], ["bad"]),
        helper.make_node("Where", ["bad", "zero", "shares"], ["guarded"]),
        helper.make_node("MatMul", ["guarded", "sum"], ["y"]),
    ]
    constants.append(numpy_helper.from_array(np.float32(0), "zero"))
    value = helper.make_tensor_value_info
    made = helper.make_graph(
        nodes,
        "tiny",
        [value("x", TensorProto.FLOAT, ["b", "n", 8])],
        [value("y", TensorProto.FLOAT, ["b", "n", 6])],
        constants,
    )
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=9), path)
    return path


def run(path: Path) -> NDArray[np.float32]:
    return OnnxModel(path, threads=1).run({"x": X})[0]


def quantized(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """As ONNX's DynamicQuantizeLinear has it, and back."""
    low, high = min(x.min(), 0), max(x.max(), 0)
    scale = np.float32((high - low) / 255)
    zero = np.round(-low / scale)
    return np.float32(scale) * (np.clip(np.round(x / scale) + zero, 0, 255) - zero)


def test_products_are_those_of_the_quantized_input(tmp_path: Path) -> None:
    source = graph(tmp_path / "a.onnx")
    assert compute_in_int8(source, tmp_path / "b.onnx") == 2
    found, before = run(tmp_path / "b.onnx"), run(source)
    x = quantized(X)
    total = sum(x @ (w * s) for w, s in zip(WEIGHTS, SCALES, strict=True))
    scores = total @ total.transpose(0, 2, 1)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = shares / shares.sum(-1, keepdims=True) @ total
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4)
    assert 0 < np.abs(found - before).mean() < 0.05 * np.abs(before).mean()


def test_an_input_is_quantized_once_and_nothing_else_stays(tmp_path: Path) -> None:
    compute_in_int8(graph(tmp_path / "a.onnx"), tmp_path / "b.onnx")
    made = onnx.load(tmp_path / "b.onnx")
    onnx.checker.check_model(made, full_check=True)
    kinds = Counter(node.op_type for node in made.graph.node)
    assert kinds == {
        "DynamicQuantizeLinear": 1, "MatMulInteger": 2, "Cast": 2, "Mul": 4, "Add": 1,
        "Transpose": 1, "MatMul": 2, "Softmax": 1,
    }  # fmt: skip
    constants = {own.name: numpy_helper.to_array(own) for own in made.graph.initializer}
    assert set(constants) == {"w0", "w1", "s0_flat", "s1_flat"}
    np.testing.assert_array_equal(constants["w1"], WEIGHTS[1])


def test_what_narrows_may_stay_in_float(tmp_path: Path) -> None:
    source = graph(tmp_path / "a.onnx")  # from 8 columns to 6
    assert compute_in_int8(source, tmp_path / "b.onnx", narrowing_in_float=1) == 1
    kinds = Counter(node.op_type for node in onnx.load(tmp_path / "b.onnx").graph.node)
    assert kinds["MatMulInteger"] == 1
    assert kinds["MatMul"] == 3
    whole = tmp_path / "c.onnx"
    compute_in_int8(source, whole)
    wanted = run(source)
    assert np.abs(run(tmp_path / "b.onnx") - wanted).mean() < np.abs(run(whole) - wanted).mean()


def test_a_graph_without_such_weights_is_refused(tmp_path: Path) -> None:
    source = graph(tmp_path / "a.onnx", weights=np.int32)
    with pytest.raises(ModelError, match="no product with int8 weights"):
        compute_in_int8(source, tmp_path / "b.onnx")
    assert not (tmp_path / "b.onnx").exists()


def test_made_once_and_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "PACKAGE_WEIGHTS", tmp_path)
    monkeypatch.setenv(models.CACHE_VARIABLE, str(tmp_path / "cache"))
    source = graph(tmp_path / "a.onnx")
    compute_in_int8(source, tmp_path / "b.onnx")
    base = Asset("a.onnx", PackageFile("a.onnx"), models.sha256_of(source))
    asset = Asset("model.onnx", Int8Products(base), models.sha256_of(tmp_path / "b.onnx"))
    path = models.ensure(asset)
    assert path.read_bytes() == (tmp_path / "b.onnx").read_bytes()
    written = path.stat().st_mtime_ns
    assert models.ensure(asset).stat().st_mtime_ns == written
    with pytest.raises(ModelError, match="SHA-256"):
        models.ensure(Asset("model.onnx", Int8Products(base), "0" * 64))
    assert not (tmp_path / "cache" / ("0" * 12) / "model.onnx").exists()
