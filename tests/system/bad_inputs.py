"""Inputs that have crashed peers: a clear error that names the node, the server alive, the next step right."""
import re

import numpy as np

from harness import Server, session, tf
from waiting import LIMIT

R = tf.raw_ops


def i32(v):
  return tf.constant(v, tf.int32)


def i64(v):
  return tf.constant(v, tf.int64)


def fed(value, dtype=tf.float32):
  """A value the client cannot look into while building the graph."""
  return (dtype, value)


# name, operation, builder, feeds, acceptable outcomes. "empty" means a valid empty result is right too.
INVALID = ["InvalidArgumentError"]
CASES = [
    ("reshape_255_zeros", "Reshape", lambda x, s: R.Reshape(tensor=x, shape=s), [fed(np.zeros(0)), fed([0] * 255, tf.int32)], INVALID),
    ("tile_overflow", "Tile", lambda x, m: R.Tile(input=x, multiples=m), [fed(np.ones([3, 3])), fed([2**62, 2**62], tf.int64)], INVALID),
    ("segment_sum_huge_id", "SegmentSum", lambda x, s: R.SegmentSum(data=x, segment_ids=s), [fed(np.ones([1, 2])), fed([1676240524292489355], tf.int64)], INVALID + ["ResourceExhaustedError"]),
    ("unsorted_segment_sum_huge", "UnsortedSegmentSum", lambda x, s, n: R.UnsortedSegmentSum(data=x, segment_ids=s, num_segments=n), [fed(np.ones([2])), fed([0, 1], tf.int64), fed(2**60, tf.int64)], INVALID + ["ResourceExhaustedError"]),
    ("fill_overflow", "Fill", lambda d: R.Fill(dims=d, value=1.0), [fed([2**40, 2**40], tf.int64)], INVALID),
    ("concat_extreme_axis", "ConcatV2", lambda a, x: R.ConcatV2(values=[x, x], axis=a), [fed(-2**31, tf.int32), fed(np.ones([2, 2]))], INVALID),
    ("reverse_empty", "ReverseV2", lambda x, a: R.ReverseV2(tensor=x, axis=a), [fed(np.zeros([0, 3])), fed([0], tf.int32)], ["empty"]),
    ("dynamic_stitch_bad_index", "DynamicStitch", lambda i, d: R.DynamicStitch(indices=[i], data=[d]), [fed([0xdeadbeef - 2**32], tf.int32), fed(np.ones([1]))], INVALID),
    ("unique_of_nothing", "UniqueV2", lambda x, a: R.UniqueV2(x=x, axis=a), [fed(np.zeros([0])), fed([0], tf.int32)], ["empty"]),
    ("conv2d_empty_filter", "Conv2D", lambda x, f: R.Conv2D(input=x, filter=f, strides=[1, 1, 1, 1], padding="VALID"), [fed(np.ones([1, 4, 4, 1])), fed(np.ones([0, 1, 1, 1]))], INVALID + ["empty"]),
    ("conv2d_backprop_filter_mismatch", "Conv2DBackpropFilter", lambda x, s, g: R.Conv2DBackpropFilter(input=x, filter_sizes=s, out_backprop=g, strides=[1, 1, 1, 1], padding="SAME"), [fed(np.ones([1, 1, 3, 3])), fed([1, 1, 1, 1], tf.int32), fed(np.ones([1, 1, 3, 3]))], INVALID),
    ("max_pool_zero_ksize", "MaxPoolV2", lambda x, k: R.MaxPoolV2(input=x, ksize=k, strides=[1, 1, 1, 1], padding="VALID"), [fed(np.ones([1, 4, 4, 1])), fed([1, 0, 0, 1], tf.int32)], INVALID),
    ("avg_pool_grad_negative", "AvgPoolGrad", lambda s, g: R.AvgPoolGrad(orig_input_shape=s, grad=g, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID"), [fed([-536870912] * 4, tf.int32), fed(np.ones([1, 1, 1, 1]))], INVALID),
    ("fused_batch_norm_scale", "FusedBatchNormV3", lambda x, s: R.FusedBatchNormV3(x=x, scale=s, offset=[1.0, 1.0], mean=[1.0, 1.0], variance=[1.0, 1.0], is_training=False).y, [fed(np.ones([2, 2, 2, 2])), fed(np.ones([3]))], INVALID),
    ("matrix_diag_empty_k", "MatrixDiagV3", lambda d, k: R.MatrixDiagV3(diagonal=d, k=k, num_rows=3, num_cols=3, padding_value=0.0), [fed(np.ones([2])), fed([], tf.int32)], INVALID),
    ("gather_out_of_range", "GatherV2", lambda x, i: R.GatherV2(params=x, indices=i, axis=0), [fed(np.ones([3])), fed([5], tf.int32)], INVALID),
    ("scatter_nd_out_of_range", "ScatterNd", lambda i, u: R.ScatterNd(indices=i, updates=u, shape=[2]), [fed([[7]], tf.int32), fed(np.ones([1]))], INVALID),
    ("integer_division_by_zero", "FloorDiv", lambda x, y: R.FloorDiv(x=x, y=y), [fed([1], tf.int32), fed([0], tf.int32)], INVALID),
    ("sparse_to_dense_huge", "SparseToDense", lambda s, v: R.SparseToDense(sparse_indices=i64([0]), output_shape=s, sparse_values=v, default_value=0.0), [fed([2**60], tf.int64), fed(1.0)], INVALID + ["ResourceExhaustedError"]),
    ("one_hot_huge_depth", "OneHot", lambda i, d: R.OneHot(indices=i, depth=d, on_value=1.0, off_value=0.0), [fed([1, 2], tf.int32), fed(2**31 - 1, tf.int32)], INVALID + ["ResourceExhaustedError", "big"]),
    ("range_too_long", "Range", lambda n: R.Range(start=i64(0), limit=n, delta=i64(1)), [fed(2**62, tf.int64)], INVALID + ["ResourceExhaustedError"]),
    ("linspace_negative", "LinSpace", lambda n: R.LinSpace(start=0.0, stop=1.0, num=n), [fed(-3, tf.int32)], INVALID),
    ("top_k_negative", "TopKV2", lambda x, k: R.TopKV2(input=x, k=k).values, [fed([1.0, 2.0]), fed(-1, tf.int32)], INVALID),
    ("transpose_bad_permutation", "Transpose", lambda x, p: R.Transpose(x=x, perm=p), [fed(np.ones([2, 3])), fed([0, 7], tf.int32)], INVALID),
    ("strided_slice_zero_stride", "StridedSlice", lambda x, s: R.StridedSlice(input=x, begin=[0], end=[2], strides=s), [fed([1.0, 2.0]), fed([0], tf.int32)], INVALID),
    ("matmul_mismatch", "MatMul", lambda a, b: R.MatMul(a=a, b=b), [fed(np.ones([2, 3])), fed(np.ones([4, 5]))], INVALID),
    ("reverse_sequence_negative", "ReverseSequence", lambda x, n: R.ReverseSequence(input=x, seq_lengths=n, seq_dim=1, batch_dim=0), [fed(np.ones([2, 3])), fed([-1, 2], tf.int64)], INVALID),
    ("tensor_list_reserve_negative", "TensorListReserve", lambda n: R.TensorListLength(input_handle=R.TensorListReserve(element_shape=i32([1]), num_elements=n, element_dtype=tf.float32)), [fed(-1, tf.int32)], INVALID),
    ("split_uneven", "Split", lambda x: R.Split(axis=i32(0), value=x, num_split=2)[0], [fed(np.ones([3]))], INVALID),
    ("pad_negative", "Pad", lambda x, p: R.Pad(input=x, paddings=p), [fed([1.0]), fed([[-1, 0]], tf.int32)], INVALID),
    ("space_to_batch_bad_block", "SpaceToBatchND", lambda x, b: R.SpaceToBatchND(input=x, block_shape=tf.reshape(b, [1]), paddings=[[0, 0]]), [fed(np.ones([1, 4, 1])), fed([0], tf.int32)], INVALID),
    ("restore_without_names", "RestoreV2", lambda n: R.RestoreV2(prefix="/nonexistent/checkpoint", tensor_names=n, shape_and_slices=[""], dtypes=[tf.float32])[0], [fed([], tf.string)], INVALID),
    ("assign_uninitialized", "Assign", None, [], ["FailedPreconditionError"]),
]


def attempt(s, build, feeds):
  holders, values = [], {}
  for dtype, value in feeds:
    # Dimensions unknown to the client, so that the server is the one to judge.
    holder = tf.placeholder(dtype, [None] * np.ndim(value))
    holders.append(holder)
    values[holder] = value
  out = build(*holders)
  return s.run(out, values)


def assign_uninitialized(s):
  a = tf.Variable(1.0, use_resource=False)
  b = tf.Variable(2.0, use_resource=False)
  s.run(R.Assign(ref=a._ref() if hasattr(a, "_ref") else a, value=b.value()))


def test_inputs_that_crashed_others(binary):
  wrong = []
  with Server(binary, "--memory-limit", "4G") as server:
    for name, op, build, feeds, allowed in CASES:
      with tf.Graph().as_default(), session(server.target, isolate_session_state=True) as s:
        probe = tf.placeholder(tf.float32, [2])
        right = probe * 2.0
        try:
          got = assign_uninitialized(s) if build is None else attempt(s, build, feeds)
          size = sum(np.size(g) for g in (got if isinstance(got, (list, tuple)) else [got]) if g is not None)
          outcome = "empty" if size == 0 else "big" if size > 1 << 20 else "success"
          message = ""
        except tf.errors.OpError as e:
          outcome, message = type(e).__name__, e.message
        except (ValueError, TypeError) as e:
          outcome, message = "client:" + type(e).__name__, str(e)
        if not server.alive():
          raise AssertionError("%s: the server died" % name)
        if outcome not in allowed:
          wrong.append("%s: %s, expected %s (%s)" % (name, outcome, " or ".join(allowed), message[:200]))
        elif message and not re.search(r"node [\w/]*%s" % op, message) and build is not None:
          wrong.append("%s: the message does not name the node: %s" % (name, message[:200]))
        if list(s.run(right, {probe: [1.0, 2.0]})) != [2.0, 4.0]:
          wrong.append("%s: the next step was wrong" % name)
  assert not wrong, "\n" + "\n".join(wrong)


def test_forged_graphs_are_refused(binary):
  from tensorflow.core.framework import graph_pb2

  def node(graph, name, op, *inputs):
    n = graph.node.add(name=name, op=op)
    n.input.extend(inputs)
    return n

  def wrong_type():
    g = graph_pb2.GraphDef()
    a = node(g, "a", "Placeholder")
    a.attr["dtype"].type = 1
    b = node(g, "b", "Neg", "a")
    b.attr["T"].type = 3
    return g

  def unknown_input():
    g = graph_pb2.GraphDef()
    node(g, "b", "NoOp", "^nobody")
    return g

  def duplicate_name():
    g = graph_pb2.GraphDef()
    node(g, "b", "NoOp")
    node(g, "b", "NoOp")
    return g

  def output_out_of_range():
    g = graph_pb2.GraphDef()
    node(g, "a", "Placeholder").attr["dtype"].type = 1
    node(g, "b", "Neg", "a:3").attr["T"].type = 1
    return g

  def bad_constant():
    g = graph_pb2.GraphDef()
    n = node(g, "c", "Const")
    n.attr["dtype"].type = 1
    n.attr["value"].tensor.dtype = 1
    n.attr["value"].tensor.tensor_shape.dim.add(size=2**62)
    n.attr["value"].tensor.tensor_shape.dim.add(size=2**62)
    return g

  with Server(binary) as server:
    for forge in (wrong_type, unknown_input, duplicate_name, output_out_of_range, bad_constant):
      try:
        raw_create_session(server.port, forge())
        raise AssertionError("%s was accepted" % forge.__name__)
      except RuntimeError as e:
        assert "INVALID_ARGUMENT" in str(e), (forge.__name__, e)
      assert server.alive(), forge.__name__
    with tf.Graph().as_default(), session(server.target) as s:
      assert s.run(tf.constant(3) + 4) == 7


def raw_create_session(port, graph):
  """CreateSession without the client's own checks: the request is written by hand."""
  import grpc
  body = graph.SerializeToString()
  length, varint = len(body), b""
  while True:
    length, low = length >> 7, length & 0x7F
    varint += bytes([low | (0x80 if length else 0)])
    if not length:
      break
  request = b"\x0a" + varint + body
  with grpc.insecure_channel("127.0.0.1:%d" % port) as channel:
    call = channel.unary_unary("/tensorflow.MasterService/CreateSession", lambda b: b, lambda b: b)
    try:
      call(request, timeout=LIMIT)
    except grpc.RpcError as e:
      raise RuntimeError("%s: %s" % (e.code().name, e.details()))
