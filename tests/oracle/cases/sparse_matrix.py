"""Sparse matrices with compressed rows."""
from case import *  # noqa: F403

raw = tf.raw_ops
TYPES = F32_64 + COMPLEX
# What TensorFlow builds for GPUs only (SparseMatrixAdd, Mul, Softmax, SoftmaxGrad, Zeros) is in exempt.txt.


def cases():
  yield from conversions()
  yield from products()
  yield from factors()
  yield from gradients()


def numbers(seed, shape, dtype, density=0.5):
  """An array with zeros in it."""
  rng = np.random.RandomState(seed)
  values = rng.randn(*shape)
  if tf.as_dtype(dtype).is_complex:
    values = values + 1j * rng.randn(*shape)
  return (values * (rng.rand(*shape) < density)).astype(dtype)


def compressed(array):
  """A sparse matrix of an array's places that are not zero."""
  return raw.DenseToCSRSparseMatrix(dense_input=tf.constant(array), indices=np.argwhere(array))


def dense(matrix, dtype):
  return raw.CSRSparseMatrixToDense(sparse_input=matrix, type=tf.as_dtype(dtype))


def one(fetches):
  """A scenario's steps: one, of these fetches."""
  return [(list(fetches), {})]


def refused(op, **arguments):
  """A call that both sides must refuse; the client is told ranks, without which it would refuse itself."""
  def make():
    def place(array):
      shape = [None] * array.ndim if array.ndim == 1 else [None] * (array.ndim - 1) + [array.shape[-1]]
      return tf.placeholder_with_default(array, array.shape if op.startswith("Dense") or array.dtype == "int64" and array.ndim == 1 else shape)
    matrix = getattr(raw, op)(**{k: place(v) for k, v in arguments.items()})
    return one([raw.SparseMatrixNNZ(sparse_matrix=matrix)])
  return Scenario("%s of %s" % (op, {k: v.tolist() for k, v in arguments.items()}), [op], make, refused=True)


def conversions():
  for dtype in TYPES:
    for shape in [(3, 4), (2, 3, 4), (1, 5, 1), (0, 3), (3, 0), (2, 0, 3)]:
      yield Scenario("a sparse matrix of %s %s" % (dtype, shape), ["DenseToCSRSparseMatrix", "CSRSparseMatrixToDense", "CSRSparseMatrixToSparseTensor",
                     "CSRSparseMatrixComponents", "SparseMatrixNNZ"], lambda s=shape, d=dtype: converted(numbers(1, s, d)), dtype=dtype)
    for shape in [(4, 3), (3, 4, 2)]:
      for conjugate in (False, True):
        yield Scenario("SparseMatrixTranspose %s %s %s" % (dtype, shape, conjugate), ["SparseMatrixTranspose"],
                       lambda s=shape, d=dtype, c=conjugate: one([dense(raw.SparseMatrixTranspose(
                           input=compressed(numbers(2, s, d)), conjugate=c, type=tf.as_dtype(d)), d)]), dtype=dtype)
    yield Scenario("SparseTensorToCSRSparseMatrix %s" % dtype, ["SparseTensorToCSRSparseMatrix"], lambda d=dtype: from_sparse_tensor(d), dtype=dtype)
  for dtype in COMPLEX + ["float32"]:
    yield Scenario("Conj of a sparse matrix %s" % dtype, ["Conj"], lambda d=dtype: one([dense(raw.Conj(input=compressed(numbers(3, (2, 3), d))), d)]), dtype=dtype)
  yield refused("DenseToCSRSparseMatrix", dense_input=np.ones([2, 2], "float32"), indices=i64([[0, 2]]))
  yield refused("DenseToCSRSparseMatrix", dense_input=np.ones([2, 2], "float32"), indices=i64([[-1, 0]]))
  yield refused("DenseToCSRSparseMatrix", dense_input=np.ones([2, 1, 2], "float32"), indices=i64([[0, 1, 0]]))
  values = np.ones([1], "float32")
  for places, shape in [([[0, 1]], [2, 1]), ([[0, -1]], [2, 2]), ([[0, 0]], [-1, 2]), ([[0, 0]], [1 << 40, 2]), ([[0, 0, 0]], [1 << 31, 1, 1]), ([[2, 0, 0]], [2, 1, 1])]:
    yield refused("SparseTensorToCSRSparseMatrix", indices=i64(places), values=values, dense_shape=i64(shape))
  yield refused("SparseTensorToCSRSparseMatrix", indices=i64([[0, 1]]), values=np.ones([2], "float32"), dense_shape=i64([2, 2]))
  for index in (2, -1):
    yield Scenario("CSRSparseMatrixComponents of matrix %d" % index, ["CSRSparseMatrixComponents"], lambda i=index: one(raw.CSRSparseMatrixComponents(
        csr_sparse_matrix=compressed(numbers(4, (2, 2, 2), "float32")), index=i, type=tf.float32)), refused=True)
  for op, argument in [("CSRSparseMatrixToDense", "sparse_input"), ("CSRSparseMatrixToSparseTensor", "sparse_matrix"), ("SparseMatrixTranspose", "input")]:
    yield Scenario("%s of another type" % op, [op], lambda o=op, a=argument: of_another_type(o, a), refused=True)


def converted(array):
  matrix = compressed(array)
  dtype = tf.as_dtype(array.dtype)
  fetches = [dense(matrix, array.dtype), raw.SparseMatrixNNZ(sparse_matrix=matrix)]
  fetches += raw.CSRSparseMatrixToSparseTensor(sparse_matrix=matrix, type=dtype)
  fetches += raw.CSRSparseMatrixComponents(csr_sparse_matrix=matrix, index=0, type=dtype)
  if array.ndim == 3 and array.shape[0] == 2:
    fetches += raw.CSRSparseMatrixComponents(csr_sparse_matrix=matrix, index=1, type=dtype)
  return one(fetches)


def from_sparse_tensor(dtype):
  array = numbers(5, (4, 3, 2), dtype)
  array[1:3] = 0
  array[0, 0] = 1
  places = np.argwhere(array)
  matrix = raw.SparseTensorToCSRSparseMatrix(indices=places, values=tf.constant(array[tuple(places.T)]), dense_shape=array.shape)
  return one([dense(matrix, dtype), raw.SparseMatrixNNZ(sparse_matrix=matrix)] +
             list(raw.CSRSparseMatrixComponents(csr_sparse_matrix=matrix, index=3, type=tf.as_dtype(dtype))))


def of_another_type(op, argument):
  matrix = compressed(numbers(6, (2, 2), "float32"))
  out = getattr(raw, op)(type=tf.float64, **{argument: matrix})
  if op == "SparseMatrixTranspose":
    out = raw.SparseMatrixNNZ(sparse_matrix=out)
  return one(out if isinstance(out, tuple) else [out])


TURNS = [{}, {"transpose": True}, {"adjoint": True}]


def turned(array, turn):
  """What a product must be given to turn it into `array`."""
  last = array.ndim - 1
  return np.swapaxes(array, last - 1, last).copy() if turn else array


def named(turn_a, turn_b):
  return {**{k + "_a": v for k, v in turn_a.items()}, **{k + "_b": v for k, v in turn_b.items()}}


def products():
  for dtype in TYPES:
    for turn_a in TURNS:
      for turn_b in TURNS:
        for batch in [(), (3,)]:
          attrs = named(turn_a, turn_b)
          label = "%s %s %s" % (dtype, batch, sorted(attrs))
          yield Scenario("SparseMatrixSparseMatMul " + label, ["SparseMatrixSparseMatMul"], lambda d=dtype, b=batch, t=(turn_a, turn_b): sparse_product(d, b, b, *t),
                         dtype=dtype, atol=1e-6 if dtype in ("float32", "complex64") else 1e-14)
          for output in [{}, {"transpose_output": True}, {"conjugate_output": True}, {"transpose_output": True, "conjugate_output": True}]:
            yield Scenario("SparseMatrixMatMul %s %s" % (label, sorted(output)), ["SparseMatrixMatMul"],
                           lambda d=dtype, b=batch, t=(turn_a, turn_b), o=output: product(d, b, *t, o),
                           dtype=dtype, atol=1e-6 if dtype in ("float32", "complex64") else 1e-14)
  yield Scenario("SparseMatrixSparseMatMul of one and many", ["SparseMatrixSparseMatMul"], lambda: sparse_product("float64", (1,), (3,), {}, {}), no_gradient="gradients need equal batches")
  yield Scenario("SparseMatrixSparseMatMul of many and one", ["SparseMatrixSparseMatMul"], lambda: sparse_product("float64", (3,), (1,), {}, {}), no_gradient="gradients need equal batches")
  for name, a, b in [("inner sizes", (2, 3), (2, 3)), ("batches", (2, 1, 3), (3, 3, 1))]:
    yield Scenario("SparseMatrixMatMul with other %s" % name, ["SparseMatrixMatMul"], lambda a=a, b=b: unlike(a, b, False), refused=True)
    yield Scenario("SparseMatrixSparseMatMul with other %s" % name, ["SparseMatrixSparseMatMul"], lambda a=a, b=b: unlike(a, b, True), refused=True)
  yield Scenario("SparseMatrixMatMul with another rank", ["SparseMatrixMatMul"], lambda: unlike((2, 3), (1, 3, 2), False), refused=True)


def product(dtype, batch, turn_a, turn_b, output):
  a = turned(numbers(7, batch + (4, 5), dtype), turn_a)
  b = tf.constant(turned(numbers(8, batch + (5, 3), dtype, 1), turn_b))
  return one([raw.SparseMatrixMatMul(a=compressed(a), b=b, **named(turn_a, turn_b), **output)])


def sparse_product(dtype, batch_a, batch_b, turn_a, turn_b):
  a = compressed(turned(numbers(9, batch_a + (4, 5), dtype), turn_a))
  b = compressed(turned(numbers(10, batch_b + (5, 3), dtype), turn_b))
  c = raw.SparseMatrixSparseMatMul(a=a, b=b, type=tf.as_dtype(dtype), **named(turn_a, turn_b))
  return one([dense(c, dtype), raw.SparseMatrixNNZ(sparse_matrix=c)] + list(raw.CSRSparseMatrixToSparseTensor(sparse_matrix=c, type=tf.as_dtype(dtype))[:1]))


def unlike(a, b, sparse):
  """A product of matrices that do not fit; the client is not told their shapes."""
  x, y = (numbers(11, shape, "float32") for shape in (a, b))
  places = tf.placeholder_with_default(np.argwhere(x), [None, len(a)])
  sizes = tf.placeholder_with_default(i64(a), [len(a)])
  matrix = raw.SparseTensorToCSRSparseMatrix(indices=places, values=tf.constant(x[x != 0]), dense_shape=sizes)
  if sparse:
    places = tf.placeholder_with_default(np.argwhere(y), [None, len(b)])
    sizes = tf.placeholder_with_default(i64(b), [len(b)])
    other = raw.SparseTensorToCSRSparseMatrix(indices=places, values=tf.constant(y[y != 0]), dense_shape=sizes)
    return one([raw.SparseMatrixNNZ(sparse_matrix=raw.SparseMatrixSparseMatMul(a=matrix, b=other, type=tf.float32))])
  return one([raw.SparseMatrixMatMul(a=matrix, b=tf.placeholder_with_default(y, None))])


def factors():
  for dtype in TYPES:
    for batch in [(), (3,)]:
      yield Scenario("SparseMatrixSparseCholesky %s %s" % (dtype, batch), ["SparseMatrixSparseCholesky"], lambda d=dtype, b=batch: cholesky(d, b), dtype=dtype)
  # Where an order without any fill exists, both sides must find one; elsewhere the orders of equal degrees may differ.
  yield Scenario("SparseMatrixOrderingAMD of trees", ["SparseMatrixOrderingAMD"], orderings)
  yield Scenario("SparseMatrixSparseCholesky of a matrix that is not positive definite", ["SparseMatrixSparseCholesky"],
                 lambda: factor(np.float32([[1, 2], [2, 1]]), i32([0, 1])), refused=True)
  yield Scenario("SparseMatrixSparseCholesky of a matrix without a diagonal", ["SparseMatrixSparseCholesky"],
                 lambda: factor(np.float32([[0, 2], [2, 0]]), i32([0, 1])), refused=True)
  yield Scenario("SparseMatrixSparseCholesky with too short an order", ["SparseMatrixSparseCholesky"],
                 lambda: factor(np.float32([[2, 1], [1, 2]]), tf.placeholder_with_default(i32([0]), [None])), refused=True)
  yield Scenario("SparseMatrixOrderingAMD of a matrix that is not square", ["SparseMatrixOrderingAMD"], not_square, refused=True)


def definite(dtype, batch, seed=12):
  a = numbers(seed, batch + (8, 8), dtype, 0.2)
  a = a + np.conj(np.swapaxes(a, -1, -2))
  return (a + 10 * np.eye(8)).astype(dtype)


def cholesky(dtype, batch):
  a = definite(dtype, batch)
  rng = np.random.RandomState(13)
  order = np.stack([rng.permutation(8) for _ in range(int(np.prod(batch)))]).reshape(batch + (8,)).astype("int32")
  matrix = compressed(a)
  out = raw.SparseMatrixSparseCholesky(input=matrix, permutation=order, type=tf.as_dtype(dtype))
  return one([dense(out, dtype)] + list(raw.CSRSparseMatrixToSparseTensor(sparse_matrix=out, type=tf.as_dtype(dtype))[:2]))


def factor(a, order):
  return one([raw.SparseMatrixNNZ(sparse_matrix=raw.SparseMatrixSparseCholesky(input=compressed(a), permutation=order, type=tf.float32))])


def orderings():
  fetches = []
  for edges in [[(0, i) for i in range(1, 9)], [(i, i + 1) for i in range(8)], [((i - 1) // 2, i) for i in range(1, 9)]]:
    a = 9 * np.eye(9, dtype="float32")
    for i, j in edges:
      a[i, j] = a[j, i] = -1
    matrix = compressed(np.stack([a, np.eye(9, dtype="float32")]))
    order = raw.SparseMatrixOrderingAMD(input=matrix)
    out = raw.SparseMatrixSparseCholesky(input=matrix, permutation=order, type=tf.float32)
    fetches += [tf.sort(order), raw.SparseMatrixNNZ(sparse_matrix=out)]
  return one(fetches)


def not_square():
  a = numbers(14, (2, 3), "float32")
  places = tf.placeholder_with_default(np.argwhere(a), [None, 2])
  matrix = raw.SparseTensorToCSRSparseMatrix(indices=places, values=tf.constant(a[a != 0]), dense_shape=tf.placeholder_with_default(i64([2, 3]), [2]))
  return one([raw.SparseMatrixOrderingAMD(input=matrix)])


def gradients():
  """Chains of operations that only their gradients tell apart."""
  def chain(dtype):
    b = tf.constant(numbers(15, (3, 4), dtype, 1))
    values = tf.constant(numbers(16, (4,), dtype, 1))
    matrix = raw.SparseTensorToCSRSparseMatrix(indices=i64([[0, 1], [1, 0], [1, 2], [3, 2]]), values=values, dense_shape=i64([4, 3]))
    turned_matrix = raw.SparseMatrixTranspose(input=matrix, conjugate=True, type=tf.as_dtype(dtype))
    product = raw.SparseMatrixMatMul(a=turned_matrix, b=b, transpose_b=True)
    return one([product])
  for dtype in TYPES:
    yield Scenario("gradients through sparse matrices %s" % dtype, ["SparseMatrixMatMul", "SparseMatrixTranspose", "SparseTensorToCSRSparseMatrix"], lambda d=dtype: chain(d), dtype=dtype)
