"""Operations that clients stopped building: they come in graphs of an older version."""
from case import *  # noqa: F403
from tensorflow.core.framework import graph_pb2


NO_BF16 = ["half"] + F32_64


class Old:
  """A graph written by hand, of a version that still has these operations."""

  def __init__(self, version=8):
    self.graph = graph_pb2.GraphDef()
    self.graph.versions.producer = version
    self.feed = {}

  def fed(self, array):
    array = np.asarray(array)
    kind = tf.string if array.dtype == object else tf.as_dtype(array.dtype)
    node = self.add("Placeholder", [], dtype=kind)
    self.feed[node + ":0"] = array
    return node

  def add(self, op, inputs, **attrs):
    node = self.graph.node.add(op=op, name="%s_%d" % (op, len(self.graph.node)))
    node.input.extend(inputs)
    for key, value in attrs.items():
      if isinstance(value, tf.DType):
        node.attr[key].type = value.as_datatype_enum
      elif isinstance(value, bool):
        node.attr[key].b = value
      elif isinstance(value, int):
        node.attr[key].i = value
      elif isinstance(value, float):
        node.attr[key].f = value
      elif isinstance(value, list):
        node.attr[key].list.i.extend(value)
      else:
        node.attr[key].s = value
    return node.name

  def steps(self, fetches):
    tf.import_graph_def(self.graph, name="")
    return [(fetches, self.feed)]


def one(op, inputs, attrs, outputs=1, version=8):
  g = Old(version)
  node = g.add(op, [g.fed(i) for i in inputs], **attrs)
  return g.steps(["%s:%d" % (node, i) for i in range(outputs)])


def cases():
  yield from matrices()
  yield from arrays()
  yield from others()


def matrices():
  rng = np.random.RandomState(3)
  base = rng.randn(2, 3, 3)
  definite = base @ base.transpose(0, 2, 1) + np.eye(3)
  rhs = rng.randn(2, 3, 2)
  for dtype in F32_64:
    t = tf.as_dtype(dtype)
    c = lambda a: a.astype(dtype)
    table = [
        ("BatchCholesky", [definite], {}, 1), ("BatchCholeskyGrad", [np.linalg.cholesky(definite), base], {}, 1),
        ("BatchMatrixDeterminant", [base], {}, 1), ("BatchMatrixInverse", [base], {}, 1), ("BatchMatrixInverse", [base], {"adjoint": True}, 1),
        ("BatchMatrixSolve", [base, rhs], {}, 1), ("BatchMatrixSolve", [base, rhs], {"adjoint": True}, 1),
        ("BatchMatrixTriangularSolve", [definite, rhs], {}, 1), ("BatchMatrixTriangularSolve", [definite, rhs], {"lower": False, "adjoint": True}, 1),
        # Eigenvectors are only known up to their sign.
        ("BatchSelfAdjointEigV2", [definite], {"compute_v": False}, 1), ("BatchSvd", [rhs], {"compute_uv": False}, 1),
    ]
    # Elimination amplifies the rounding of its input.
    loose = dict(dtype=dtype, rtol=1e-4 if dtype == "float32" else 1e-10, atol=1e-4 if dtype == "float32" else 1e-10)
    for op, inputs, attrs, outputs in table:
      yield Scenario("%s %s %s" % (op, dtype, attrs), [op], lambda op=op, i=inputs, a=attrs, o=outputs, t=t, c=c: one(op, [c(x) for x in i], dict(a, T=t), o), **loose)
    yield Scenario("BatchMatrixSolveLs %s" % dtype, ["BatchMatrixSolveLs"], lambda c=c, t=t: one("BatchMatrixSolveLs", [c(base), c(rhs), np.float64(0.1)], {"T": t}), **loose)
    yield Scenario("SelfAdjointEig %s" % dtype, ["SelfAdjointEig"], lambda c=c, t=t: eigenvalues("SelfAdjointEig", c(definite[0]), t), **loose)
    yield Scenario("BatchSelfAdjointEig %s" % dtype, ["BatchSelfAdjointEig"], lambda c=c, t=t: eigenvalues("BatchSelfAdjointEig", c(definite), t), **loose)


def eigenvalues(op, array, t):
  """The first row is the eigenvalues, the others the vectors, of which only the size is sure."""
  g = Old()
  return g.steps([g.add("Abs", [g.add(op, [g.fed(array)], T=t)], T=t) + ":0"])


def arrays():
  verbs = ["Write", "Read", "Size", "Gather", "Scatter", "Concat", "Split", "Grad", "Close"]
  for suffix in ("", "V2"):
    yield Scenario("TensorArray%s" % suffix, ["TensorArray%s%s" % (v, suffix) for v in [""] + verbs], lambda s=suffix: old_array(s))
  yield Scenario("TensorArrayPack", ["TensorArrayPack", "TensorArrayUnpack"], packed)


def old_array(suffix):
  g = Old()
  op = lambda verb, inputs, **attrs: g.add("TensorArray%s%s" % (verb, suffix), inputs, **attrs)
  t = {"dtype": tf.float32}
  a = op("", [g.fed(np.int32(3))], clear_after_read=False, **t)
  start = g.fed(np.float32(0))
  flow = op("Write", [a, g.fed(np.int32(1)), g.fed(f32([5, 6])), start], T=tf.float32)
  flow = op("Scatter", [a, g.fed(i32([2, 0])), g.fed(f32([[1, 2], [3, 4]])), flow], T=tf.float32)
  fetches = [op("Gather", [a, g.fed(i32([0, 1, 2])), flow], **t), op("Read", [a, g.fed(np.int32(2)), flow], **t), op("Size", [a, flow])]
  joined = op("Concat", [a, flow], **t)
  fetches += [joined, joined + ":1"]
  b = op("", [g.fed(np.int32(2))], **t)
  cut = op("Split", [b, g.fed(f32([1, 2, 3])), g.fed(i64([1, 2])), start], T=tf.float32)
  fetches.append(op("Read", [b, g.fed(np.int32(1)), cut], **t))
  grad = op("Grad", [a, flow], source=b"gradients")
  back = start
  for value in ([1, 1], [2, 5]):
    back = op("Write", [grad, g.fed(np.int32(0)), g.fed(f32(value)), back], T=tf.float32)
  last = op("Read", [grad, g.fed(np.int32(0)), back], **t)
  others = [f + ":0" if ":" not in f else f for f in fetches + [last]]
  close = op("Close", [a] + ["^" + f.split(":")[0] for f in others])
  return g.steps(others + [close])


def packed():
  g = Old()
  a = g.add("TensorArray", [g.fed(np.int32(3))], dtype=tf.float32)
  flow = g.add("TensorArrayUnpack", [a, g.fed(f32([[1, 2], [3, 4], [5, 6]])), g.fed(np.float32(0))], T=tf.float32)
  return g.steps([g.add("TensorArrayPack", [a, flow], dtype=tf.float32) + ":0"])


def poisson(dtype):
  g = Old()
  rate = np.array([0.5, 3.0, 30.0]).astype(tf.as_dtype(dtype).as_numpy_dtype)
  return g.steps([g.add("RandomPoisson", [g.fed(i32([5])), g.fed(rate)], seed=3, seed2=4, S=tf.int32, dtype=tf.as_dtype(dtype)) + ":0"])


def others():
  def run(op, inputs, attrs=None, outputs=1, version=8, dtype="float32", **options):
    arrays = [i.array(dtype) if isinstance(i, Untyped) else i for i in inputs]
    kind = {"T": tf.as_dtype(dtype)}
    return Scenario("%s %s %s" % (op, dtype, attrs or ""), [op], lambda: one(op, arrays, dict(kind, **(attrs or {})), outputs, version), dtype=dtype, **options)

  for dtype in PLAIN:
    yield run("BatchMatrixDiag", [real(2, 3)], dtype=dtype)
    yield run("BatchMatrixDiagPart", [real(2, 3, 4)], dtype=dtype)
    yield run("BatchMatrixSetDiag", [real(2, 3, 4), whole(2, 3)], dtype=dtype)
    if dtype != "bool":
      yield run("BatchMatrixBandPart", [real(2, 3, 4), np.int64(1), np.int64(0)], dtype=dtype)
  for dtype in NO_BF16:
    yield Scenario("RandomPoisson %s" % dtype, ["RandomPoisson"], lambda d=dtype: poisson(d), dtype=dtype)
  for dtype in F32_64:
    yield run("QuantizeAndDequantize", [real(4, 6)], {"num_bits": 5}, dtype=dtype)
    yield run("QuantizeAndDequantize", [real(4, 6)], {"range_given": True, "input_min": -1.5, "input_max": 2.0, "signed_input": True}, dtype=dtype)
  for scale in (False, True):
    attrs = {"variance_epsilon": 0.01, "scale_after_normalization": scale}
    yield run("BatchNormWithGlobalNormalization", [real(2, 3, 3, 4), real(4), positive(4), whole(4), small(4)], attrs, rtol=1e-5)  # a root and a quotient
    yield run("BatchNormWithGlobalNormalizationGrad", [real(2, 3, 3, 4), whole(4), positive(4), small(4), unit(2, 3, 3, 4)], attrs, 5, rtol=1e-5)
  strides = {"strides": [1, 2, 1, 1, 1], "padding": b"SAME"}
  image, filters, out = real(2, 4, 3, 3, 2), real(2, 2, 2, 2, 3), real(2, 2, 3, 3, 3)
  for dtype in F32_64:  # sums of products depend on their order
    yield run("Conv3DBackpropInput", [image, filters, out], strides, dtype=dtype, rtol=1e-5 if dtype == "float32" else 1e-11)
    yield run("Conv3DBackpropFilter", [image, filters, out], strides, dtype=dtype, rtol=1e-5 if dtype == "float32" else 1e-11)
