"""Graphs whose weights are int8, computed in int8 too.

Some exports store int8 weights and multiply in F32: `MatMul(x, Cast(weight) * scale)`, one scale a
column. `onnxruntime` has faster products for what its own quantizer writes, which is the same with
x in uint8 as well: `MatMulInteger(quantized x, weight) * (scale of x * scale)`. The weights stay as
they are, bit for bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
from onnx import helper, numpy_helper

from privrag_fast.onnx_graph import drop_guards, drop_unread
from privrag_fast.types import ModelError


def compute_in_int8(source: Path, target: Path, *, narrowing_in_float: int = 0) -> int:
    """Writes the graph with such products; the same bytes wherever it runs.

    Args:
        narrowing_in_float: So many products to fewer columns than x has stay as they are, first
            ones first. What a feed-forward layer narrows has a few large values, to which one
            scale for all of x gives most of its 256 steps; early errors go through all layers.

    Returns:
        How many products there are.

    Raises:
        ModelError: There are none.
    """
    model = onnx.load(source)
    graph = _Graph(model.graph)
    products = [found for node in model.graph.node if (found := graph.product(node))]
    narrowing = [own for own in products if graph.narrows(own.weight)][:narrowing_in_float]
    products = [own for own in products if own not in narrowing]
    if not products:
        raise ModelError(f"{source}: no product with int8 weights is in this graph")
    for product in products:
        graph.replace(product)
    graph.finish()
    drop_guards(model.graph)
    drop_unread(model.graph)
    target.write_bytes(model.SerializeToString(deterministic=True))
    return len(products)


class _Product(NamedTuple):
    node: onnx.NodeProto
    weight: str
    scale: str


class _Graph:
    def __init__(self, proto: onnx.GraphProto) -> None:
        self._proto = proto
        self._makers = {out: node for node in proto.node for out in node.output}
        self._constants = {constant.name: constant for constant in proto.initializer}
        self._new: dict[str, list[onnx.NodeProto]] = {}  # by the output that they make
        self._quantized: set[str] = set()

    def product(self, node: onnx.NodeProto) -> _Product | None:
        """What a node is, where it multiplies by such a weight."""
        if node.op_type != "MatMul" or (scaled := self._makers.get(node.input[1])) is None:
            return None
        if scaled.op_type != "Mul" or scaled.input[1] not in self._constants:
            return None
        cast = self._makers.get(scaled.input[0])
        if cast is None or cast.op_type != "Cast" or cast.input[0] not in self._constants:
            return None
        weight, scale = (self._constants[name] for name in (cast.input[0], scaled.input[1]))
        columns = weight.dims[1] if len(weight.dims) == 2 else 0
        if weight.data_type != onnx.TensorProto.INT8 or list(scale.dims) != [1, columns]:
            return None
        return _Product(node, weight.name, scale.name)

    def narrows(self, weight: str) -> bool:
        rows, columns = self._constants[weight].dims
        return bool(columns < rows)

    def replace(self, product: _Product) -> None:
        node, weight, scale = product
        value, made = node.input[0], node.output[0]
        nodes: list[onnx.NodeProto] = []

        def add(kind: str, inputs: list[str], outputs: list[str], **attributes: int) -> str:
            nodes.append(helper.make_node(kind, inputs, outputs, outputs[0], **attributes))
            return outputs[0]

        parts = [f"{value}_{part}" for part in ("quantized", "scale", "zero_point")]
        if value not in self._quantized:  # queries, keys and values share their input
            self._quantized.add(value)
            add("DynamicQuantizeLinear", [value], parts)
        quantized, value_scale, zero_point = parts
        both = add("Mul", [value_scale, self._flat(scale)], [f"{made}_scales"])
        sums = add("MatMulInteger", [quantized, weight, zero_point], [f"{made}_sums"])
        floats = add("Cast", [sums], [f"{made}_floats"], to=onnx.TensorProto.FLOAT)
        add("Mul", [floats, both], [made])
        self._new[made] = nodes

    def _flat(self, scale: str) -> str:
        """The name of the same scale as float32 [columns]."""
        name = f"{scale}_flat"
        if name not in self._constants:
            value = numpy_helper.to_array(self._constants[scale]).reshape(-1).astype(np.float32)
            self._constants[name] = numpy_helper.from_array(value, name)
            self._proto.initializer.append(self._constants[name])
        return name

    def finish(self) -> None:
        """The new nodes in place of the old ones."""
        nodes = [new for old in self._proto.node for new in self._instead(old)]
        del self._proto.node[:]
        self._proto.node.extend(nodes)

    def _instead(self, node: onnx.NodeProto) -> list[onnx.NodeProto]:
        return self._new.get(node.output[0] if node.output else "", [node])
