#!/usr/bin/env python3
"""Makes onnx/model_quantized.onnx from a dynamically quantized ONNX file of ms-marco-MiniLM-L-12-v2.

Usage: make-model.py QUANTIZED.onnx OUT.onnx     (needs numpy, onnx)
The int8 weights, with one scale per tensor, become int8 in seven bits with one scale per column, so that CPUs with and
without VNNI compute the same without saturating.
"""
import sys
import numpy as np
import onnx
from onnx import numpy_helper

model = onnx.load(sys.argv[1])
initializers = {tensor.name: tensor for tensor in model.graph.initializer}
producer = {output: node for node in model.graph.node for output in node.output}
consumers = {}
for node in model.graph.node:
    for name in node.input:
        consumers.setdefault(name, []).append(node)


def replace(name, array):
    initializers[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array), name))


for node in model.graph.node:
    if node.op_type != "MatMulInteger" or node.input[1] not in initializers:
        continue
    # MatMulInteger → Cast → Mul by the product of the scales of the activations and of the weights.
    cast = consumers[node.output[0]][0]
    product = consumers[cast.output[0]][0]
    scales = producer[next(name for name in product.input if name != cast.output[0])]
    scale = next(name for name in scales.input if name in initializers)
    quantized = numpy_helper.to_array(initializers[node.input[1]])
    assert quantized.dtype == np.int8
    weights = quantized.astype(np.float32) * numpy_helper.to_array(initializers[scale])
    per_column = (np.abs(weights).max(0) / 64).astype(np.float32)
    per_column[per_column == 0] = 1
    replace(node.input[1], np.clip(np.round(weights / per_column), -64, 64).astype(np.int8))
    replace(scale, per_column)
onnx.save(model, sys.argv[2])
