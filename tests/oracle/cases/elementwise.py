"""Element by element: arithmetic, comparison, casting, special functions, activations."""
from case import *  # noqa: F403

FC = FLOATS + COMPLEX
NO_BF16 = ["half", "float32", "float64"]
ADD = FLOATS + SIGNED + ["uint8"] + COMPLEX
SIGNED_FC = FC + SIGNED


def typed(dtype, values):
  return np.array(values).astype(tf.as_dtype(dtype).as_numpy_dtype)


def edges(dtype):
  """Where functions turn, have poles or end."""
  return typed(dtype, [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 1e-3, 20.0, -20.0, np.inf, -np.inf, np.nan])


def cases():
  yield from unary()
  yield from binary()
  yield from integers()
  yield from comparing()
  yield from complexes()
  yield from special()
  yield from activations()
  yield from sums()
  yield from casts()
  yield from shapes()


def unary():
  table = [
      (real, SIGNED_FC, "Neg Sign"),
      (real, FLOATS + SIGNED, "Abs"),
      (real, NUMBERS, "Square"),
      (real, FC, "Exp Expm1 Sin Cos Tan Sinh Cosh Tanh Asinh Atan Sigmoid Inv Reciprocal"),
      (positive, FC, "Log Log1p Sqrt Rsqrt"),
      (unit, FC, "Acos Asin Atanh"),
      (small, FC, "Acosh"),
      (real, FLOATS, "Ceil Floor IsFinite IsInf IsNan"),
      (real, FLOATS, "Round"),  # of integers TensorFlow 2.21 makes zeros
      (real, F32_64, "Rint"),
  ]
  for kind, types, ops in table:
    for op in ops.split():
      yield Case(op, [kind(5, 13)], dtypes=types)
      for dtype in FLOATS:
        if dtype in types and op not in ("Tan",):
          yield Case(op, [edges(dtype)], dtypes=[dtype])
  for op in "Neg Abs Sign Square Ceil Floor Round Rint Softsign Sqrt".split():
    for dtype in F32_64:  # the sign of zero too
      yield Case(op, [edges(dtype)[:-1] if op != "Sqrt" else typed(dtype, [0.0, -0.0, 2.0, 1e-30, np.inf])], dtypes=[dtype], bits=True)
  yield Case("Tan", [typed("float32", [0.0, -0.0, 1.5, -3.0, np.inf, np.nan])])
  for op, array in (("Exp", real), ("Tanh", real), ("Log", positive), ("Rsqrt", positive)):
    yield Case(op, [array(300, 257)], dtypes=F32_64)  # enough for several threads
  for op in "InvGrad ReciprocalGrad RsqrtGrad SigmoidGrad SqrtGrad TanhGrad".split():
    yield Case(op, [positive(5, 13), real(5, 13)], dtypes=FC)
    yield Refused(op, [positive(4), real(3)], dtypes=["float32"])
    for a, b in (((2, 3), (6,)), ((6,), (2, 3))):  # of one size is enough
      yield Case(op, [positive(*a), real(*b)], dtypes=["float32"], no_gradient="the shapes differ")


def binary():
  table = [
      (real, ADD + ["string"], "Add"),
      (real, NUMBERS, "AddV2 Sub Mul"),
      (real, FC, "MulNoNan DivNoNan RealDiv Xdivy"),
      (positive, FC, "Xlogy Xlog1py"),
      (real, FC + ["int32", "int64"], "SquaredDifference"),
      (small, NUMBERS, "Div"),
      (small, REAL, "FloorDiv FloorMod TruncateDiv"),
      (small, F32_64 + ["int32", "int64"], "Mod TruncateMod"),
      (real, REAL, "Maximum Minimum"),
      (real, FLOATS, "Atan2"),
  ]
  for kind, types, ops in table:
    for op in ops.split():
      yield Case(op, [real(4, 1, 5), kind(1, 3, 5)], dtypes=types)
      for shapes in (((4, 6), (4, 6)), ((4, 6), ()), ((), (4, 6)), ((4, 6), (6,)), ((4, 1), (4, 6)), ((0, 6), (1,)), ((2, 1, 3, 1, 2), (2, 1, 4, 1))):
        yield Case(op, [real(*shapes[0]), kind(*shapes[1])], dtypes=["float32"])
      yield Refused(op, [real(4), kind(3)], dtypes=["float32"])
      for dtype in FLOATS:
        if dtype in types:
          yield Case(op, [edges(dtype)[:, None], edges(dtype)])
  yield Case("Pow", [positive(4, 1, 5), real(1, 3, 5)], dtypes=FC)
  yield Case("Pow", [real(4, 1, 5), small(1, 3, 5)], dtypes=SIGNED)
  for dtype in FLOATS:
    yield Case("Pow", [edges(dtype)[:, None], edges(dtype)])
  yield Refused("Pow", [real(3), typed("int32", [1, -1, 2])], dtypes=["int32"])
  yield Refused("Pow", [real(3), real(2)], dtypes=["float32"])
  for dtype in F32_64:
    yield Case("NextAfter", [edges(dtype)[:, None], edges(dtype)], bits=True)
  yield Case("ApproximateEqual", [typed("float32", [1, 2, 3]), typed("float32", [1.05, 2.2, 3])], {"tolerance": 0.1})
  for dtype in F32_64:
    yield Case("ApproximateEqual", [edges(dtype), edges(dtype)])
  yield Refused("ApproximateEqual", [real(3), real(2)], dtypes=["float32"])
  types = FLOATS + SIGNED + ["uint8", "uint16"]
  yield Case("ClipByValue", [real(4, 5), whole(), small()], dtypes=types)
  for dtype in types:
    yield Case("ClipByValue", [real(2, 3), typed(dtype, 1), typed(dtype, 3)], dtypes=[dtype])
    yield Case("ClipByValue", [whole(2, 3), typed(dtype, [[1, 2, 3]] * 2), typed(dtype, [[3, 4, 5]] * 2)], dtypes=[dtype])
    yield Case("ClipByValue", [whole(2, 3), typed(dtype, 1), typed(dtype, [[3, 4, 5]] * 2)], dtypes=[dtype])
    yield Case("ClipByValue", [whole(2, 3), typed(dtype, [[1, 2, 3]] * 2), typed(dtype, 4)], dtypes=[dtype])
  yield Case("ClipByValue", [edges("float32"), typed("float32", -1), typed("float32", 1)])
  yield Refused("ClipByValue", [real(2, 3), real(4), real()], dtypes=["float32"])


def integers():
  for dtype in INTEGERS:
    limits = np.iinfo(dtype)
    ends = np.array([limits.min, limits.max, limits.max - 1, 0, 1, 2, 7, limits.max // 2], dtype)
    divisors = np.array([1, 2, 3, 7, limits.max], dtype)
    signed = np.array([-1, -3, -7], dtype) if limits.min < 0 else np.array([], dtype)
    for op in ("AddV2", "Sub", "Mul"):  # they wrap
      yield Case(op, [ends[:, None], ends])
    for op in ("Maximum", "Minimum", "BitwiseAnd", "BitwiseOr", "BitwiseXor"):
      yield Case(op, [ends[:, None], ends])
      yield Case(op, [real(3, 4), real(4)], dtypes=[dtype])
    for op in ("Invert", "PopulationCount", "Square"):
      yield Case(op, [ends])
    for op in ("Div", "FloorDiv", "TruncateDiv", "FloorMod") + (("Mod", "TruncateMod") if dtype in ("int32", "int64") else ()):
      yield Case(op, [ends[:, None], divisors])
      yield Case(op, [ends[1:, None], np.concatenate([signed, divisors])])
      yield Case(op, [real(3, 4), small(4)], dtypes=[dtype])
      yield Refused(op, [whole(3), np.array([1, 0, 2], dtype)], dtypes=[dtype])
      yield Refused(op, [whole(3), np.array(0, dtype)], dtypes=[dtype])
    width = np.dtype(dtype).itemsize * 8
    counts = np.array([0, 1, 3, width - 1, width, width + 5], dtype)
    for op in ("LeftShift", "RightShift"):
      yield Case(op, [ends[:, None], counts])
      yield Case(op, [ends[:, None], signed])
  for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift"):
    yield Refused(op, [whole(3), whole(2)], dtypes=["int32"])
  for dtype in SIGNED:
    limits = np.iinfo(dtype)
    for op in ("Neg", "Abs", "Sign"):
      yield Case(op, [np.array([limits.min, -1, 0, 1, limits.max], dtype)])


def comparing():
  for op in ("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"):
    equality = op.endswith("qual") and op[0] in "EN"
    types = PLAIN + ["string"] if equality else REAL
    yield Case(op, [small(4, 1, 5), small(1, 3, 5)], dtypes=types)
    for left, right in (((4, 6), (4, 6)), ((4, 6), ()), ((), (4, 6)), ((0, 2), (2,))):
      yield Case(op, [small(*left), small(*right)], dtypes=["float32", "int64"] + (["string"] if equality else []))
    for dtype in FLOATS:
      yield Case(op, [edges(dtype)[:, None], edges(dtype)])
    for dtype in INTEGERS:
      ends = np.array([np.iinfo(dtype).min, 0, 1, np.iinfo(dtype).max], dtype)
      yield Case(op, [ends[:, None], ends])
    yield Refused(op, [whole(3), whole(2)], dtypes=["float32"])
    if equality:
      yield Case(op, [whole(3), whole(2)], {"incompatible_shape_error": False}, dtypes=["float32", "string"])
      yield Case(op, [whole(3), whole(2, 3)], {"incompatible_shape_error": False}, dtypes=["float32"])
      for kind, of in (("qint8", "int8"), ("quint8", "uint8"), ("qint32", "int32")):
        yield Scenario("%s %s" % (op, kind), [op], lambda op=op, kind=kind, of=of: quantized_equal(op, kind, of), dtype=kind)
  for op in ("LogicalAnd", "LogicalOr"):
    yield Case(op, [real(4, 1, 5), real(1, 3, 5)], dtypes=["bool"])
    yield Case(op, [real(4, 6), real()], dtypes=["bool"])
    yield Refused(op, [real(3), real(2)], dtypes=["bool"])
  yield Case("LogicalNot", [real(4, 6)], dtypes=["bool"])


def quantized_equal(op, kind, of):
  a, b = (tf.placeholder(of, [4]) for _ in range(2))
  out = getattr(tf.raw_ops, op)(x=tf.bitcast(a, kind), y=tf.bitcast(b, kind))
  return [([out], {a: np.array([1, 2, 3, 4], of), b: np.array([1, 0, 3, 5], of)})]


def complexes():
  parts = {"complex64": tf.float32, "complex128": tf.float64}
  for whole_type, part in parts.items():
    for op in ("Real", "Imag", "Angle", "ComplexAbs"):
      yield Case(op, [real(4, 6)], {"Tout": part}, dtypes=[whole_type])
      ends = np.array([0, 1, -1, 1j, -1j, 3 + 4j, 1e30 + 1e30j, complex(np.inf, 1), complex(np.nan, 1)], whole_type)
      # 1/(inf + i) is 0, and NaN in TensorFlow.
      yield Case(op, [ends], {"Tout": part}, dtypes=[whole_type], no_gradient="infinite" if op == "Angle" else "")
    yield Case("Complex", [typed(part, [[1], [2]]), typed(part, [3, 4, 5])], {"Tout": tf.as_dtype(whole_type)}, dtypes=[whole_type])
  yield Refused("Complex", [real(3), real(2)], dtypes=["float32"])
  yield Case("Conj", [real(4, 6)], dtypes=COMPLEX)


def special():
  # Both sides sum series of their own; a few more units in the last place differ than in plain arithmetic.
  loose = {"half": 2e-3, "bfloat16": 1.6e-2, "float32": 1e-5, "float64": 1e-11}
  fractions = [1e-6, 0.01, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 0.99, 0.999]

  def each(op, inputs, types, **options):
    for dtype in types:
      yield Case(op, [typed(dtype, i) if isinstance(i, list) else i for i in inputs], dtypes=[dtype], rtol=loose[dtype], **options)

  for op in "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1".split():
    yield from each(op, [real(5, 13)], NO_BF16)
    yield from each(op, [[0.0, 1e-3, 1.0, 4.9, 5.1, 8.1, 9.5, -9.5, 12.0]], NO_BF16)
  for op in "BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1".split():
    yield from each(op, [positive(5, 13)], NO_BF16)
    yield from each(op, [[0.01, 1.0, 2.1, 4.9, 5.1, 8.1, 9.5, 12.0]], NO_BF16)
    if op != "BesselY1":  # there -inf is right, and TensorFlow's float gives NaN
      yield from each(op, [[0.0]], F32_64, no_gradient="its gradient is BesselY1" if op == "BesselY0" else "")
  for op in ("Erf", "Erfc"):
    yield from each(op, [real(5, 13)], FLOATS)
    yield from each(op, [[0.0, 0.4, 0.5, 0.9, 1.1, 2.0, 3.5, -3.5, 30.0, -30.0, np.nan]], FLOATS)
    # TensorFlow's double gives NaN for Erf of infinity.
    yield from each(op, [[np.inf, -np.inf]], FLOATS[:3])
  for op in ("Lgamma", "Digamma"):
    yield from each(op, [positive(5, 13)], NO_BF16)
    yield from each(op, [[0.25, 0.5, 1.5, 3.25, 10.0, 30.0, -0.5, -1.75, -2.25]], NO_BF16)
    yield from each(op, [[0.0, -1.0, -2.0, np.inf, np.nan]], F32_64)
  for op in ("Dawsn", "FresnelCos", "FresnelSin"):
    yield from each(op, [real(5, 13)], F32_64)
    yield from each(op, [[0.0, 0.1, 1.0, 1.7, 3.0, 4.5, 7.0, -7.0, 40.0]], F32_64)
  for op in ("Spence", "Expint"):
    yield from each(op, [positive(5, 13)], F32_64)
    yield from each(op, [[0.01, 0.3, 0.5, 1.0, 1.5, 2.0, 3.5, 8.0, 20.0, 60.0]], F32_64)
  yield from each("Spence", [[0.0, -1.0, np.nan]], F32_64)
  yield from each("Erfinv", [unit(5, 13)], F32_64)
  yield from each("Erfinv", [[0.0, 0.99, -0.999, 1.0, -1.0]], F32_64)
  yield from each("Ndtri", [fractions], F32_64)
  yield from each("Ndtri", [[0.0, 1.0, -1.0]], F32_64)
  for op in ("Igamma", "Igammac", "IgammaGradA"):
    yield from each(op, [positive(5, 1), positive(13)], F32_64)
    yield from each(op, [[0.5, 1.0, 5.0, 20.0, 50.0], [0.25, 1.0, 6.0, 10.0, 60.0]], F32_64)
    yield Refused(op, [positive(3), positive(2)], dtypes=["float32"])
  for op in ("Igamma", "Igammac"):
    yield from each(op, [[1.0, 0.0, -1.0, 1.0, np.nan], [0.0, 1.0, 1.0, -1.0, 1.0]], F32_64)
  yield from each("Zeta", [[[1.5], [2.0], [4.0], [9.0]], [0.5, 1.0, 2.5, 10.0]], F32_64)
  yield from each("Zeta", [[1.0, 0.5, 2.0, 2.0, 2.5], [1.0, 1.0, -1.0, -1.5, -1.5]], F32_64)
  yield from each("Polygamma", [[[0.0], [1.0], [2.0], [4.0]], [0.5, 1.0, 2.5, 10.0]], F32_64)
  yield from each("Polygamma", [[0.5, -1.0], [1.0, 1.0]], F32_64)
  yield from each("Betainc", [[0.5, 1.0, 2.0, 5.0, 10.0] * 2, [3.0, 0.5, 1.0, 2.0, 8.0] * 2, fractions], F32_64)
  yield from each("Betainc", [positive(), positive(), fractions], F32_64)
  yield from each("Betainc", [positive(3), positive(3), [0.0, 1.0, 2.0]], F32_64)
  yield Refused("Betainc", [positive(3), positive(2), positive(3)], dtypes=["float32"])


def activations():
  for op in ("Relu", "Relu6"):
    yield Case(op, [real(5, 13)], dtypes=REAL)
    yield Case(op + "Grad", [real(5, 13), whole(5, 13)], dtypes=REAL)
    yield Case(op + "Grad", [whole(5, 13), real(5, 13)], dtypes=REAL)
  for alpha in (0.2, 0.75, 1.5, -0.5):
    yield Case("LeakyRelu", [real(5, 13)], {"alpha": alpha}, dtypes=FLOATS)
    yield Case("LeakyReluGrad", [whole(5, 13), real(5, 13)], {"alpha": alpha}, dtypes=FLOATS)
  for op in ("Elu", "Selu", "Softplus", "Softsign"):
    yield Case(op, [real(5, 13)], dtypes=FLOATS)
    yield Case(op + "Grad", [whole(5, 13), real(5, 13)], dtypes=FLOATS)
  for op in "Relu Relu6 LeakyRelu Elu Selu Softplus Softsign".split():
    for dtype in FLOATS:
      yield Case(op, [edges(dtype)])
      yield Case(op + "Grad", [np.ones_like(edges(dtype)), edges(dtype)])
    for a, b in (((4,), (3,)), ((2, 3), (6,)), ((6,), (2, 3)), ((1, 6), (6,)), ((2, 3), (3,)), ((2, 3), ())):
      yield Refused(op + "Grad", [real(*a), real(*b)], dtypes=["float32", "half"])


def sums():
  yield Case("AddN", [[real(4, 6), whole(4, 6), small(4, 6)]], dtypes=NUMBERS)
  yield Case("AddN", [[real(4, 6)]], dtypes=["float32"])
  yield Case("AddN", [[real(7)] * 11], dtypes=["float32", "half"])
  yield Refused("AddN", [[real(3), real(2)]], dtypes=["float32"])
  yield Case("AccumulateNV2", [[real(4, 6), whole(4, 6), small(4, 6)]], {"shape": [4, 6]}, dtypes=["half", "bfloat16"] + F32_64 + ["int32", "int64"])
  yield Scenario("AddN of lists", ["AddN"], sum_of_lists, dtype="variant")


def sum_of_lists():
  a, b = (tf.placeholder(tf.float32, [3, 2]) for _ in range(2))
  lists = [tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=tf.constant([2])) for x in (a, b)]
  total = tf.raw_ops.AddN(inputs=lists)
  out = tf.raw_ops.TensorListStack(input_handle=total, element_shape=tf.constant([2]), element_dtype=tf.float32)
  return [([out], {a: np.arange(6.0).reshape(3, 2), b: np.ones([3, 2])})]


# Cutting to a complex type, TensorFlow loses all bits.
CUT = [t for t in PLAIN if t not in COMPLEX]


def casts():
  for source in PLAIN:
    # Negative fractions have no defined unsigned value.
    floating = tf.as_dtype(source).is_floating or tf.as_dtype(source).is_complex
    for truncate in (False, True):
      yield Scenario("Cast %s to all, Truncate %s" % (source, truncate), ["Cast"],
                     lambda s=source, k=positive if floating else real, t=truncate: cast_to_all(k(5, 13), s, CUT if t else PLAIN, t), dtype=source)
    if source in FLOATS:
      yield Scenario("Cast negative %s" % source, ["Cast"], lambda s=source: cast_to_all(real(5, 13), s, SIGNED + FC + ["bool"]), dtype=source)
      yield Scenario("Cast edges of %s" % source, ["Cast"], lambda s=source: cast_to_all(edges(s), s, FLOATS + ["bool"]), dtype=source)
    if source in INTEGERS:
      ends = np.array([np.iinfo(source).min, np.iinfo(source).max, 0, 1, 100], source)
      yield Scenario("Cast limits of %s" % source, ["Cast"], lambda e=ends, s=source: cast_to_all(e, s, PLAIN), dtype=source)
  for small_type in ("float8_e5m2", "float8_e4m3fn"):
    for source in FLOATS:
      yield Scenario("Cast %s to %s" % (source, small_type), ["Cast"], lambda s=source, t=small_type: through(s, t), dtype=small_type)
  values = np.array([1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, 65519.0, 65521.0, 1e6, 2.0**-24, 1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8, 3.4e38], "float64")
  for truncate in (False, True):
    for source in F32_64:
      yield Scenario("Cast that rounds, %s, Truncate %s" % (source, truncate), ["Cast"],
                     lambda s=source, t=truncate: cast_to_all(values.astype(s), s, FLOATS, t), dtype=source, bits=True)


def cast_to_all(array, source, targets, truncate=False):
  x = array.array(source) if isinstance(array, Untyped) else array
  node = tf.placeholder(source, x.shape)
  return [([tf.raw_ops.Cast(x=node, DstT=tf.as_dtype(t), Truncate=truncate) for t in targets], {node: x})]


def through(source, small_type):
  x = np.concatenate([edges(source), typed(source, [448.0, 465.0, 1e4, 5e4, 0.3, 1.0625, 1.1875, 0.001953125, 1e-5])])
  node = tf.placeholder(source, x.shape)
  middle = tf.cast(node, getattr(tf.dtypes, small_type, None) or tf.as_dtype(small_type))
  return [([tf.cast(middle, t) for t in FLOATS], {node: x})]


def shapes():
  """Scalars, nothing at all, and many dimensions."""
  for op in ("Exp", "Neg", "Relu", "Tanh"):
    for shape in ((), (0,), (2, 0, 3), (1,), (2, 1, 2, 1, 2, 1, 2)):
      yield Case(op, [real(*shape)], dtypes=["float32", "half"])
  yield Case("AddV2", [real(2, 1, 2, 1, 2, 3), real(3, 1, 3, 1, 1)], dtypes=["float32", "int32"])
  yield Case("Mul", [real(300, 1), real(257)], dtypes=F32_64)
  yield Case("Less", [real(300, 257), real(300, 1)], dtypes=F32_64)
