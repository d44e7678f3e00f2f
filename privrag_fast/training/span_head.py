"""The span head of a GLiNER export, rewritten to cost words instead of spans.

Of a span's two ends [h, h] the exported head computes, for each of words * max_width spans,

    logits = (relu(relu([start, end]) W + b) V + c) promptsᵀ

The product with W falls into one of the start and one of the end, each computed once a word; and
(x V + c) promptsᵀ = x (prompts Vᵀ)ᵀ + prompts c, where the prompts are fewer than the columns of
V. The values are the same up to the order of summation.
"""

from __future__ import annotations

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from privrag_fast.onnx_graph import drop_unread

Array = NDArray[np.float32]


def rewrite_span_head(model: onnx.ModelProto) -> bool:
    """Rewrites the head in place; False where the graph has no head of this form (`markerV0`)."""
    head = _Head.find(_Graph(model))
    if head is None:
        return False
    head.replace()
    return True


class _Graph:
    """Who makes a value, and what the constants are."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.proto = model.graph
        self.makers = {out: node for node in self.proto.node for out in node.output}
        self.constants = {init.name: init for init in self.proto.initializer}

    def maker(self, name: str, kind: str) -> onnx.NodeProto:
        """The node of that kind that makes a value."""
        node = self.makers.get(name)
        if node is None or node.op_type != kind:
            raise _NoSuchHeadError
        return node

    def weighted(self, name: str, kind: str) -> tuple[str, Array]:
        """What a value is made of by one node with one constant: the rest, and the constant."""
        inputs = list(self.maker(name, kind).input)
        constant = next((own for own in inputs if own in self.constants), None)
        if constant is None:
            raise _NoSuchHeadError
        inputs.remove(constant)
        return inputs[0], numpy_helper.to_array(self.constants[constant])

    def linear(self, name: str) -> tuple[str, Array, Array]:
        """Input, weight and bias of a linear layer's output."""
        product, bias = self.weighted(name, "Add")
        value, weight = self.weighted(product, "MatMul")
        return value, weight, bias


class _NoSuchHeadError(Exception):
    pass


class _Head:
    """The parts of the head that stay, and the nodes that take the place of the others."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self._nodes: list[onnx.NodeProto] = []
        [self._logits] = [out.name for out in graph.proto.output]
        spans, self._prompts = graph.maker(self._logits, "Einsum").input
        reshape = graph.maker(spans, "Reshape")
        self._shape = reshape.input[1]  # [batch, words, max_width, h]
        hidden, self._out, self._out_bias = graph.linear(reshape.input[0])
        ends, self._in, self._in_bias = graph.linear(graph.maker(hidden, "Relu").input[0])
        concat = graph.maker(graph.maker(ends, "Relu").input[0], "Concat")
        (self._start, self._first), (self._end, self._last) = map(self._picked, concat.input)

    @classmethod
    def find(cls, graph: _Graph) -> _Head | None:
        try:
            return cls(graph)
        except (_NoSuchHeadError, ValueError):
            return None

    def _picked(self, name: str) -> tuple[str, str]:
        """Words float32 [batch, words, h], and which of them: int64 [batch, spans, 1]."""
        words, wide = self._graph.maker(name, "GatherElements").input
        return words, self._graph.maker(wide, "Expand").input[0]

    def replace(self) -> None:
        half = len(self._in) // 2
        starts = self._op("MatMul", self._op("Relu", self._start), self._constant(self._in[:half]))
        ends = self._op("MatMul", self._op("Relu", self._end), self._constant(self._in[half:]))
        ends = self._op("Add", ends, self._constant(self._in_bias))
        spans = self._op(
            "Add",
            self._op("GatherND", starts, self._first, batch_dims=1),
            self._op("GatherND", ends, self._last, batch_dims=1),
        )
        prompts = self._op("MatMul", self._prompts, self._constant(self._out.T))
        scores = self._op(
            "MatMul", self._op("Relu", spans), self._op("Transpose", prompts, perm=[0, 2, 1])
        )
        offsets = self._op(
            "ReduceSum",
            self._op("Mul", self._prompts, self._constant(self._out_bias)),
            self._constant(np.array([2])),
        )
        scores = self._op("Add", scores, self._op("Transpose", offsets, perm=[0, 2, 1]))
        self._op("Reshape", scores, self._grid())
        self._finish()

    def _grid(self) -> str:
        """[batch, words, max_width, labels]"""
        first, last = self._constant(np.array([0])), self._constant(np.array([3]))
        spans = self._op("Slice", self._shape, first, last)
        return self._op("Concat", spans, self._op("Shape", self._prompts, start=1, end=2), axis=0)

    def _op(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"span_head/{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def _constant(self, value: NDArray[np.generic]) -> str:
        proto = self._graph.proto
        name = f"span_head/constant_{len(proto.initializer)}"
        proto.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _finish(self) -> None:
        """The new nodes in place of the old ones, and what nobody reads any more is gone."""
        proto = self._graph.proto
        self._nodes[-1].output[0] = self._logits
        old = self._graph.makers[self._logits]
        nodes = [*(node for node in proto.node if node is not old), *self._nodes]
        del proto.node[:]
        proto.node.extend(nodes)
        drop_unread(proto)
