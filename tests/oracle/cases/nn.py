"""Normalisation, softmax, losses, recurrent cells and connectionist temporal classification."""
from case import *  # noqa: F403

# Exponentials and sums of a row differ in their last bits between libraries.
SOFT = {"half": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-11}
# What one rounding in the middle of a computation does to a result of size one.
STEP = {"half": 4e-3, "bfloat16": 3e-2, "float32": 2e-6, "float64": 1e-12}


def each(op, inputs, attrs=None, rtol=SOFT):
  """One case per dtype, each with its own tolerance."""
  for dtype, tolerance in rtol.items():
    yield Case(op, inputs, attrs or {}, dtypes=[dtype], rtol=tolerance, atol=STEP[dtype])


def activations():
  for rank in [(3, 4), (2, 3, 4), (2, 1, 3, 4)]:
    yield Case("BiasAdd", [real(*rank), real(4)], dtypes=NUMBERS)
    # TensorFlow adds bfloat16 up in bfloat16; we add in float.
    yield from each("BiasAddGrad", [real(*rank)], rtol={"half": 4e-3, "bfloat16": 5e-2, "float32": 2e-6, "float64": 1e-12})
    yield Case("BiasAddGrad", [real(*rank)], dtypes=INTEGERS + COMPLEX)
  for rank in [(2, 4, 3), (2, 4, 3, 2), (2, 4, 1, 2, 3)]:
    yield Case("BiasAdd", [real(*rank), real(4)], {"data_format": "NCHW"}, dtypes=["float32", "int32"])
    yield Case("BiasAddGrad", [real(*rank)], {"data_format": "NCHW"}, dtypes=["float32", "int32"], rtol=1e-5, atol=1e-5)
  yield Case("BiasAddV1", [real(3, 4), real(4)], dtypes=NUMBERS)
  yield Case("BiasAddGrad", [real(0, 4)], dtypes=["float32"])
  yield Refused("BiasAdd", [real(3, 4), real(3)], dtypes=["float32"])
  for op in ["Softmax", "LogSoftmax"]:
    for shape in [(5,), (3, 7), (2, 3, 9), (0, 3), (3, 0)]:
      yield from each(op, [real(*shape)])
    yield Refused(op, [real()], dtypes=["float32"])
  op = "SoftmaxCrossEntropyWithLogits"
  for logits, labels in [((3, 5), (3, 5)), ((3, 5), (1, 5)), ((1, 5), (3, 5)), ((0, 5), (0, 5))]:
    yield from each(op, [real(*logits), unit(*labels)], rtol={**SOFT, "half": 2e-2, "bfloat16": 0.1})
  yield Refused(op, [real(3, 5), real(2, 5)], dtypes=["float32"])
  op = "SparseSoftmaxCrossEntropyWithLogits"
  yield from each(op, [real(3, 5), i64([4, 0, 2])])
  yield Case(op, [real(3, 5), i32([4, 0, 2])], dtypes=["float32"], rtol=1e-5, atol=1e-6)
  yield Refused(op, [real(3, 5), i32([5, 0, 2])], dtypes=["float32"])
  yield Refused(op, [real(3, 5), i32([0, 2])], dtypes=["float32"])
  scores = f32([[0.1, 0.5, 0.2, 0.2], [0.3, np.nan, 0.1, 0.2], [4, 3, 2, 1], [1, 2, 3, np.inf]])
  for k in [0, 1, 2, 9]:
    yield Case("InTopK", [scores, i32([2, 0, 3, -1])], {"k": k})
    yield Case("InTopKV2", [scores, i64([2, 0, 3, 9]), i64(k)])
  yield Refused("InTopKV2", [scores, i64([2, 0, 3]), i64(1)])


def normalisation():
  statistics = [positive(4), unit(4), unit(4), positive(4)]
  formats = [("NHWC", (2, 3, 2, 4)), ("NCHW", (2, 4, 3, 2))]
  for op, dtypes in [("FusedBatchNorm", ["float32"]), ("FusedBatchNormV2", ["half", "bfloat16", "float32"]),
                     ("FusedBatchNormV3", ["half", "bfloat16", "float32"])]:
    wide = formats + ([("NDHWC", (2, 3, 1, 2, 4)), ("NCDHW", (2, 4, 3, 1, 2))] if op.endswith("V3") else [])
    for data_format, shape in wide:
      for attrs in [{"exponential_avg_factor": 1.0}, {"exponential_avg_factor": 0.25}, {"is_training": False}]:
        for dtype in dtypes:
          inputs = [real(*shape).array(dtype)] + [s.array("float32") for s in statistics]

          def build(op=op, inputs=inputs, attrs=attrs, data_format=data_format):
            names = ["x", "scale", "offset", "mean", "variance"]
            nodes = [tf.placeholder(i.dtype, i.shape) for i in inputs]
            out = getattr(tf.raw_ops, op)(**dict(zip(names, nodes)), data_format=data_format, **attrs)
            # Inference leaves the reserved outputs as they were in memory.
            shown = list(out)[:5] if attrs.get("is_training", True) else list(out)[:3]
            return [([tf.cast(v, tf.float32) for v in shown], dict(zip(nodes, inputs)))]
          yield Scenario("%s %s %s %s" % (op, dtype, data_format, attrs), [op], build, rtol=1e-5, atol=1e-5)
    grad = {"FusedBatchNorm": "FusedBatchNormGrad", "FusedBatchNormV2": "FusedBatchNormGradV2", "FusedBatchNormV3": "FusedBatchNormGradV3"}[op]
    for data_format, shape in wide:
      for training in [True, False]:
        if not training and data_format.startswith("NC"):
          continue
        vectors = [s.array("float32") for s in [positive(4), unit(4), positive(4)]]
        last = [f32(0)] if op.endswith("V3") else []
        yield from each(grad, [unit(*shape), real(*shape)] + vectors + last, {"data_format": data_format, "is_training": training},
                        rtol={d: {"half": 1e-2, "bfloat16": 5e-2, "float32": 2e-5}[d] for d in dtypes})
  for radius, beta in [(1, 0.5), (2, 1.0), (5, 0.75)]:
    attrs = {"depth_radius": radius, "beta": beta, "alpha": 0.3, "bias": 1.5}
    yield from each("LRN", [real(2, 2, 1, 6)], attrs, rtol={"half": 2e-2, "float32": 1e-5})
    yield Case("LRNGrad", [unit(2, 2, 1, 6), real(2, 2, 1, 6), unit(2, 2, 1, 6)], attrs, dtypes=["float32"], rtol=1e-4, atol=1e-5)
  yield Refused("LRN", [real(2, 6)], dtypes=["float32"])


def recurrent():
  def weights(inputs, cell):
    return [unit(inputs + cell, 4 * cell), unit(cell), unit(cell), unit(cell), unit(4 * cell)]
  loose = {"half": 2e-2, "float32": 2e-5}
  for peephole in [False, True]:
    attrs = {"use_peephole": peephole, "cell_clip": 0.7, "forget_bias": 0.5}
    yield from each("LSTMBlockCell", [real(2, 3), unit(2, 4), unit(2, 4)] + weights(3, 4), attrs, rtol=loose)
    yield Case("LSTMBlockCellGrad", [real(2, 3), unit(2, 4), unit(2, 4)] + weights(3, 4) + [unit(2, 4)] * 8,
               {"use_peephole": peephole}, dtypes=["float32"], rtol=2e-5, atol=1e-5)
    # All five steps: of steps that do not count, TensorFlow leaves most outputs unwritten.
    sequence = [i64(5), real(5, 2, 3), unit(2, 4), unit(2, 4)] + weights(3, 4)
    yield from each("BlockLSTM", sequence, attrs, rtol=loose)
    yield Case("BlockLSTMV2", sequence, {"use_peephole": peephole, "cell_clip": 0.7}, dtypes=["float32"], rtol=2e-5, atol=1e-5)
    for op in ["BlockLSTMGrad", "BlockLSTMGradV2"]:
      yield Case(op, [i64(4)] + sequence[1:] + [unit(5, 2, 4)] * 9, {"use_peephole": peephole}, dtypes=["float32"], rtol=1e-4, atol=1e-5)
  gru = [real(2, 3), unit(2, 4), unit(7, 8), unit(7, 4), unit(8), unit(4)]
  yield Case("GRUBlockCell", gru, dtypes=["float32"], rtol=2e-5, atol=1e-6)
  yield Case("GRUBlockCellGrad", gru + [unit(2, 4)] * 4, dtypes=["float32"], rtol=2e-5, atol=1e-5)


def classification():
  indices, values, lengths = i64([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]]), i32([1, 1, 0, 3, 2, 2]), i32([6, 4, 5])
  for attrs in [{}, {"ctc_merge_repeated": False}, {"preprocess_collapse_repeated": True}]:
    yield Case("CTCLoss", [real(6, 3, 5), indices, values, lengths], attrs, dtypes=F32_64, rtol=1e-4, atol=1e-4)
  yield Case("CTCLoss", [real(6, 3, 5), indices, values, i32([6, 4, 2])], {"ignore_longer_outputs_than_inputs": True}, dtypes=["float32"], rtol=1e-4, atol=1e-4)
  yield Refused("CTCLoss", [real(6, 3, 5), indices, values, i32([6, 4, 2])], dtypes=["float32"])
  yield Refused("CTCLoss", [real(6, 3, 5), indices, values, i32([6, 4])], dtypes=["float32"])
  for merge in [True, False]:
    yield Case("CTCGreedyDecoder", [real(6, 3, 5), lengths], {"merge_repeated": merge}, dtypes=F32_64, rtol=1e-5)
    yield Case("CTCGreedyDecoder", [real(6, 3, 5), lengths], {"merge_repeated": merge, "blank_index": 1}, dtypes=["float32"], rtol=1e-5)
    yield Case("CTCBeamSearchDecoder", [real(6, 3, 5), lengths], {"merge_repeated": merge, "beam_width": 8, "top_paths": 3}, dtypes=F32_64, rtol=1e-4)
  yield Refused("CTCBeamSearchDecoder", [real(6, 3, 5), lengths], {"beam_width": 2, "top_paths": 3}, dtypes=["float32"])


def cases():
  yield from activations()
  yield from normalisation()
  yield from recurrent()
  yield from classification()
