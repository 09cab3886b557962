"""Matrix products, reductions, segments and other sums."""
from case import *  # noqa: F403

GEMM = FLOATS + ["int32", "int64"] + COMPLEX
LINALG = F32_64 + COMPLEX


def cases():
  yield from products()
  yield from reductions()
  yield from segments()
  yield from counts()
  yield from linalg()
  yield from fourier()
  yield from neighbours()


def products():
  for ta in (False, True):
    for tb in (False, True):
      a, b = ((4, 3) if ta else (3, 4)), ((5, 4) if tb else (4, 5))
      # Sums of products depend on the order of additions.
      yield Case("MatMul", [real(*a), real(*b)], {"transpose_a": ta, "transpose_b": tb}, dtypes=GEMM, rtol=None, atol=1e-5)
      yield Case("BatchMatMulV2", [real(2, 1, *a), real(3, *b)], {"adj_x": ta, "adj_y": tb}, dtypes=GEMM, atol=1e-5)
  yield Case("MatMul", [real(2, 0), real(0, 3)], dtypes=["float32"])
  yield Case("MatMul", [real(65, 130), real(130, 70)], dtypes=["float32"], rtol=1e-4, atol=1e-4)
  yield Refused("MatMul", [real(2, 3), real(2, 3)], dtypes=["float32"])
  yield Case("BatchMatMul", [real(2, 3, 4), real(2, 4, 2)], dtypes=GEMM, atol=1e-5)
  yield Case("BatchMatMulV3", [np.array([[1, 2]], "int8"), np.array([[3], [100]], "int8")], {"Tout": tf.int32})
  yield Case("BatchMatMulV3", [real(2, 3, 4), real(4, 2)], {"Tout": "dtype under test"}, dtypes=["float32", "int32", "complex64"], atol=1e-5)
  for equation, shapes in [
      ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk->ki", [(2, 3), (3, 4)]), ("ii->i", [(3, 3)]), ("i->ii", [(3,)]),
      ("...ij,...jk->...ik", [(2, 1, 2, 3), (3, 3, 2)]), ("abc,cd->d", [(2, 3, 4), (4, 2)]), ("abc->ca", [(2, 3, 4)]),
      ("ab,ab->", [(2, 3), (2, 3)]), ("bij,bkj->bik", [(2, 3, 4), (2, 2, 4)])]:
    yield Case("Einsum", [[real(*s) for s in shapes]], {"equation": equation}, dtypes=["float32", "float64", "complex64", "int32"], atol=1e-5)


def reductions():
  for op, dtypes in [("Sum", NUMBERS), ("Prod", NUMBERS), ("Mean", NUMBERS), ("Max", REAL), ("Min", REAL)]:
    for axes in ([0], [1], [2], [0, 2], [-1, 0], [0, 1, 2], []):
      yield Case(op, [small(3, 4, 5), i32(axes)], {"keep_dims": len(axes) == 2}, dtypes=dtypes, rtol=1e-2 if op == "Prod" else None)
    yield Case(op, [small(0, 3), i64([0])], dtypes=["float32", "float64", "int32"])
  yield Case("EuclideanNorm", [real(3, 4), i32([1])], dtypes=F32_64 + COMPLEX)
  yield Case("Sum", [real(300, 500), i32([0])], dtypes=["float32"], rtol=1e-4, atol=1e-4)
  yield Case("Sum", [real(300, 500), i32([1])], dtypes=["float32"], rtol=1e-4, atol=1e-4)
  yield Case("Max", [f32([[1, np.nan], [3, 2]]), i32([0])])
  for op in ("All", "Any"):
    yield Case(op, [np.array([[True, False], [True, True]]), i32([1])])
    yield Case(op, [np.zeros([0, 2], bool), i32([0])])
  yield Refused("Sum", [real(2, 3), i32([2])], dtypes=["float32"])
  yield Refused("Sum", [real(2, 3), i32([0, 0])], dtypes=["float32"])
  for op in ("ArgMax", "ArgMin"):
    for axis in (0, 1, -1):
      yield Case(op, [whole(3, 4, 2), i32(axis)], dtypes=REAL)
    yield Case(op, [np.array([True, False]), i32(0)], {"output_type": tf.int32})
    yield Refused(op, [f32([]), i32(0)])
  for op in ("Cumsum", "Cumprod"):
    for exclusive in (False, True):
      for reverse in (False, True):
        yield Case(op, [small(3, 4), i32(1)], {"exclusive": exclusive, "reverse": reverse}, dtypes=NUMBERS)
        yield Case(op, [small(3, 4), i32(0)], {"exclusive": exclusive, "reverse": reverse}, dtypes=["float32", "int32"])
  # Sums of logarithms are computed by different series.
  yield Case("CumulativeLogsumexp", [real(3, 4), i32(1)], dtypes=F32_64, rtol=1e-5)
  yield Case("CumulativeLogsumexp", [real(3, 4), i32(1)], {"exclusive": True, "reverse": True}, dtypes=F32_64, rtol=1e-5)
  yield Case("L2Loss", [real(3, 4)], dtypes=FLOATS, rtol=1e-2)
  yield Case("Cross", [real(2, 3), unit(2, 3)], dtypes=["float32", "float64", "int32"], atol=1e-5)
  yield Case("HistogramFixedWidth", [f32([-1, 0, 1.5, 2, 5, 15]), f32([0, 5]), i32(5)])
  yield Refused("HistogramFixedWidth", [f32([1]), f32([5, 0]), i32(5)])


def segments():
  for op, dtypes in [("Sum", NUMBERS), ("Prod", NUMBERS), ("Mean", FLOATS + ["int32"]), ("Max", REAL), ("Min", REAL)]:
    yield Case("Segment" + op, [small(5, 3), i32([0, 0, 1, 3, 3])], dtypes=dtypes)
    if op != "Mean":
      yield Case("UnsortedSegment" + op, [small(5, 3), i32([2, 0, -1, 2, 0]), i32(4)], dtypes=dtypes)
  yield Case("SegmentSum", [small(0, 3), i32([])], dtypes=["float32"])
  yield Refused("SegmentSum", [small(2, 3), i32([1, 0])], dtypes=["float32"])
  yield Refused("UnsortedSegmentSum", [small(2, 3), i32([0, 9]), i32(2)], dtypes=["float32"])
  for op, dtypes in [("Sum", REAL), ("Mean", FLOATS), ("SqrtN", FLOATS)]:
    yield Case("SparseSegment" + op, [small(5, 3), i32([4, 0, 0, 2]), i32([0, 0, 2, 2])], dtypes=dtypes)
    yield Case("SparseSegment%sWithNumSegments" % op, [small(5, 3), i32([4, 0, 0, 2]), i32([0, 0, 2, 2]), i32(4)], dtypes=dtypes)
    yield Case("SparseSegment%sGrad" % op, [small(3, 2), i32([4, 0, 0, 2]), i32([0, 0, 2, 2]), i32(5)], dtypes=FLOATS)
    yield Case("SparseSegment%sGradV2" % op, [small(3, 2), i32([4, 0, 0, 2]), i32([0, 0, 2, 2]), i32(5)], dtypes=FLOATS)
    yield Refused("SparseSegment" + op, [small(5, 3), i32([5]), i32([0])], dtypes=["float32"])


def counts():
  weights = f32([1, 2, 3, 4])
  yield Case("Bincount", [i32([0, 2, 2, 7]), i32(4), f32([])])
  yield Case("Bincount", [i32([0, 2, 2, 7]), i32(4), weights])
  yield Case("DenseBincount", [i32([[0, 2], [2, 7]]), i32(4), f32([[1, 2], [3, 4]])])
  yield Case("DenseBincount", [i64([0, 2, 2, 7]), i64(4), i32([])], {"binary_output": True})
  yield Case("SparseBincount", [i64([[0, 1], [1, 0]]), i32([1, 3]), i64([2, 2]), i32(4), f32([])])
  yield Case("RaggedBincount", [i64([0, 1, 1, 4]), i32([0, 2, 2, 7]), i32(4), weights])
  yield Refused("RaggedBincount", [i64([0, 5]), i32([0]), i32(4), f32([])])
  yield Refused("Bincount", [i32([-1]), i32(4), f32([])])


def linalg():
  rng = np.random.RandomState(7)
  square = rng.randn(2, 4, 4)
  definite = square @ square.transpose(0, 2, 1) + np.eye(4)
  lower = np.tril(square) + 3 * np.eye(4)
  rhs = rng.randn(2, 4, 3)
  for t in ("float32", "float64", "complex64", "complex128"):
    loose = dict(rtol=1e-3 if t in ("float32", "complex64") else 1e-9, atol=1e-4)
    c = lambda a: a.astype(t)
    yield Case("MatrixInverse", [c(square)], {"adjoint": False}, **loose)
    yield Case("MatrixInverse", [c(square)], {"adjoint": True}, **loose)
    yield Case("MatrixDeterminant", [c(square)], **loose)
    yield Case("LogMatrixDeterminant", [c(square)], **loose)
    yield Case("MatrixSolve", [c(square), c(rhs)], {"adjoint": True}, **loose)
    yield Case("MatrixTriangularSolve", [c(lower), c(rhs)], {"lower": True, "adjoint": True}, **loose)
    yield Case("MatrixTriangularSolve", [c(lower.transpose(0, 2, 1)), c(rhs)], {"lower": False}, **loose)
    yield Case("Cholesky", [c(definite)], **loose)
    yield Case("Lu", [c(square)], **loose)
    yield Case("Qr", [c(square)], **loose)
    yield Case("Qr", [c(rhs)], {"full_matrices": True}, **loose)
    for full in (False, True):
      yield decomposition("Svd", c(rhs), {"compute_uv": True, "full_matrices": full}, t, **loose)
    yield decomposition("Svd", c(rhs), {"compute_uv": False}, t, **loose)
    for vectors in (False, True):
      yield decomposition("SelfAdjointEigV2", c(definite), {"compute_v": vectors}, t, **loose)
    yield Case("MatrixSolveLs", [c(rhs), c(square), np.array(0.1)], **loose)
    yield Case("MatrixSquareRoot", [c(definite)], **loose)
    yield Case("TridiagonalSolve", [c(rng.randn(2, 3, 4) + np.array([[[0], [4], [0]]])), c(rhs)], **loose)
    yield Case("TridiagonalMatMul", [c(square[:, :1]), c(square[:, 1:2]), c(square[:, 2:3]), c(rhs)], **loose)
    yield Case("BandedTriangularSolve", [c(np.abs(square[:, :2]) + 1), c(rhs)], **loose)
  for t in ("float32", "float64"):
    loose = dict(rtol=1e-3 if t == "float32" else 1e-9, atol=1e-4)
    yield Case("CholeskyGrad", [np.linalg.cholesky(definite).astype(t), square.astype(t)], **loose)
  for t in ("complex64", "complex128"):
    yield Case("MatrixLogarithm", [definite.astype(t)], rtol=1e-3, atol=1e-4)
  yield decomposition("Eig", definite.astype("float64"), {"compute_v": False, "Tout": tf.complex128}, rtol=1e-9, atol=1e-9, unordered=True)
  yield Refused("MatrixInverse", [np.zeros([2, 2], "float32")])
  yield Refused("Cholesky", [np.zeros([2, 3], "float32")])


def decomposition(op, array, attrs, dtype=None, **options):
  def make():
    x = tf.placeholder(array.dtype, array.shape)
    values, *vectors = getattr(tf.raw_ops, op)(input=x, **attrs)
    # Vectors are known up to a factor of size 1; those not asked for hold anything.
    return [([values] + [tf.abs(v) for v in vectors if any(attrs.get(a) for a in ("compute_uv", "compute_v"))], {x: array})]

  return Scenario("%s %s %s" % (op, array.dtype, attrs), [op], make, dtype=dtype, **options)


def fourier():
  for rank in (1, 2, 3):
    suffix = "" if rank == 1 else "%dD" % rank
    for op in ("FFT", "IFFT"):
      yield Case(op + suffix, [real(2, 3, 4, 5)], dtypes=COMPLEX, rtol=1e-4, atol=1e-4)
    for length in (4, 5):
      lengths = i32([3, 4, length][-rank:])
      yield Case("RFFT" + suffix, [real(2, 3, 4, 5)] + [lengths], dtypes=["float32"], rtol=1e-4, atol=1e-4)
      yield Case("IRFFT" + suffix, [real(2, 3, 4, 5)] + [lengths], dtypes=["complex64"], rtol=1e-4, atol=1e-4)
      yield Case("RFFT" + suffix, [real(2, 3, 4, 5)] + [lengths], {"Tcomplex": tf.complex128}, dtypes=["float64"], rtol=1e-9, atol=1e-9)
      yield Case("IRFFT" + suffix, [real(2, 3, 4, 5)] + [lengths], {"Treal": tf.float64}, dtypes=["complex128"], rtol=1e-9, atol=1e-9)
  yield Refused("RFFT", [real(3), i32([5])], dtypes=["float32"])


def neighbours():
  for count, centers, width, k in [(5, 4, 3, 1), (7, 6, 2, 3), (3, 2, 4, 9), (4, 5, 1, 0), (2, 1500, 3, 1), (2, 1500, 3, 5)]:
    rng = np.random.RandomState(count)
    yield Case("NearestNeighbors", [f32(rng.randn(count, width)), f32(rng.randn(centers, width)), np.int64(k)], rtol=1e-5, atol=1e-5)
  yield Refused("NearestNeighbors", [f32([[1, 2]]), f32([[1]]), np.int64(1)])
  yield Refused("NearestNeighbors", [f32([1, 2]), f32([[1]]), np.int64(1)])
  yield Refused("NearestNeighbors", [np.zeros([0, 1], "float32"), f32([[1]]), np.int64(1)])
  yield Refused("NearestNeighbors", [f32([[1]]), f32([[1]]), i64([1])])
  for dtypes, out in [(FLOATS, "dtype under test"), (["int8", "int16"], tf.float32), (["int32", "int64"], tf.float64)]:
    for shape in [(6,), (3, 7), (2, 3, 4), (2, 0)]:
      # TensorFlow's gradient takes matrices only, and none without rows.
      yield Case("IsotonicRegression", [whole(*shape)], {"output_dtype": out}, dtypes=dtypes, rtol=1e-2 if "half" in dtypes else 1e-6,
                 no_gradient="" if shape == (3, 7) else "TensorFlow's gradient is made for matrices")
