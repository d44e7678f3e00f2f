"""An exported encoder with fewer and larger operators: the same values, in less time.

What exporters write computes shapes that are known, looks for attention that sees nothing, and
multiplies a layer's input three times, by the weights of queries, of keys and of values. In int8
each of those products quantizes that input anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from privrag_fast.onnx_graph import drop_guards, drop_unread

Feeds = Mapping[str, NDArray[np.generic]]
_UNKNOWN: Final = -1


def make_lean(model: onnx.ModelProto, probes: Sequence[Feeds]) -> None:
    """Rewrites a graph in place.

    Args:
        probes: Inputs of the graph, no two sizes of which are equal within one of them or between
            them, unless they must be: what a shape has in common with its data in all of them, it
            always has.
    """
    drop_guards(model.graph)
    _merge_products(model.graph)
    _fix_shapes(model, probes)
    drop_unread(model.graph)


def _merge_products(graph: onnx.GraphProto) -> None:
    """Linear layers of one input become one, split after it."""
    constants = {own.name: own for own in graph.initializer}
    biased = {
        value: (node, bias)
        for node in graph.node
        if node.op_type == "Add"
        for value, bias in (node.input, reversed(node.input))
        if bias in constants and len(constants[bias].dims) == 1
    }
    layers: dict[str, list[_Layer]] = defaultdict(list)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants and node.output[0] in biased:
            layers[node.input[0]].append(_Layer(node, *biased[node.output[0]]))
    for same in layers.values():
        if len(same) > 1:
            _merge(graph, constants, same)


class _Layer(NamedTuple):
    """A product, and the node that adds the bias."""

    product: onnx.NodeProto
    added: onnx.NodeProto
    bias: str


def _merge(
    graph: onnx.GraphProto, constants: Mapping[str, onnx.TensorProto], layers: Sequence[_Layer]
) -> None:
    value, name = layers[0].product.input[0], layers[0].product.output[0]

    def constant(kind: str, array: NDArray[np.generic]) -> str:
        graph.initializer.append(numpy_helper.from_array(array, f"{name}_{kind}"))
        return f"{name}_{kind}"

    weights = [numpy_helper.to_array(constants[own.product.input[1]]) for own in layers]
    biases = [numpy_helper.to_array(constants[own.bias]) for own in layers]
    sizes = np.array([len(own) for own in biases], np.int64)
    results = [own.added.output[0] for own in layers]
    products, sums = f"{name}_products", f"{name}_sums"
    together = [
        helper.make_node(
            "MatMul", [value, constant("weights", np.concatenate(weights, 1))], [products]
        ),
        helper.make_node("Add", [products, constant("biases", np.concatenate(biases))], [sums]),
        helper.make_node("Split", [sums, constant("sizes", sizes)], results, axis=-1),
    ]
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if name in node.output:
            nodes += together
        if not set(results).intersection(node.output):
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def _fix_shapes(model: onnx.ModelProto, probes: Sequence[Feeds]) -> None:
    """Shapes that are computed, though each size is the data's own, or a constant."""
    constants = {own.name for own in model.graph.initializer}
    reshapes = [
        node
        for node in model.graph.node
        if node.op_type == "Reshape" and node.input[1] not in constants
    ]
    for node, known in zip(reshapes, _probed(model, reshapes, probes), strict=True):
        target = [_size(known, i) for i in range(len(known[0][1]))]
        if target.count(_UNKNOWN) > 1:
            continue
        name = f"{node.output[0]}_shape"
        value = np.array(target, np.int64)
        model.graph.initializer.append(numpy_helper.from_array(value, name))
        node.input[1] = name
        del node.attribute[:]  # `allowzero` takes 0 by its word


Sizes = tuple[tuple[int, ...], tuple[int, ...]]
"""Of what is reshaped, before and after."""


def _size(known: Sequence[Sizes], i: int) -> int:
    """As `Reshape` takes it: 0 is the data's own."""
    if all(i < len(data) and data[i] == made[i] for data, made in known):
        return 0
    sizes = {made[i] for _, made in known}
    return sizes.pop() if len(sizes) == 1 else _UNKNOWN


def _probed(
    model: onnx.ModelProto, nodes: Sequence[onnx.NodeProto], probes: Sequence[Feeds]
) -> list[list[Sizes]]:
    """Of each node its sizes, probe by probe."""
    seen = onnx.ModelProto()
    seen.CopyFrom(model)
    names = list(dict.fromkeys(name for node in nodes for name in (node.input[0], node.output[0])))
    del seen.graph.output[:]
    for i, name in enumerate(names):
        seen.graph.node.append(helper.make_node("Shape", [name], [f"shape_{i}"]))
        seen.graph.output.append(
            helper.make_tensor_value_info(f"shape_{i}", onnx.TensorProto.INT64, None)
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        seen.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    taken = {own.name for own in session.get_inputs()}
    found: list[list[Sizes]] = [[] for _ in nodes]
    for feeds in probes:
        given = {name: value for name, value in feeds.items() if name in taken}
        sizes = dict(zip(names, (tuple(s.tolist()) for s in session.run(None, given)), strict=True))
        for own, node in zip(found, nodes, strict=True):
            own.append((sizes[node.input[0]], sizes[node.output[0]]))
    return found
