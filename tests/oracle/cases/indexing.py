"""Gathering, scattering, slicing, selecting; sparse tensors, sets, ragged tensors."""
from case import *  # noqa: F403

ALL = PLAIN + ["string"]
SETS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "string"]


def dense():
  yield Case("Slice", [real(3, 4), i32([1, 1]), i32([2, -1])], dtypes=ALL)
  yield Case("Slice", [real(3, 4), i64([2, 0]), i64([1, 4])], dtypes=["float32"])
  yield Refused("Slice", [real(3), i32([2]), i32([2])], dtypes=["float32"])
  bounds = [i32([0, -1]), i32([3, -4]), i32([2, -2])]
  yield Case("StridedSlice", [real(3, 4)] + bounds, dtypes=ALL)
  yield Case("StridedSlice", [real(3, 4), i64([0, 1]), i64([0, 2]), i64([-1, 1])],
             {"begin_mask": 1, "end_mask": 1, "shrink_axis_mask": 2}, dtypes=["float32"])
  yield Case("StridedSlice", [real(2, 3, 4), i32([1, 0, 0, -1]), i32([2, 0, 0, 0]), i32([1, 1, 1, 1])],
             {"shrink_axis_mask": 9, "ellipsis_mask": 2, "new_axis_mask": 4}, dtypes=["int32"])
  yield Case("StridedSlice", [real(2, 3), i32([-9, 9]), i32([9, -9]), i32([1, -1])], dtypes=["int64"])
  yield Refused("StridedSlice", [real(3), i32([3]), i32([4]), i32([1])], {"shrink_axis_mask": 1}, dtypes=["float32"])
  yield Refused("StridedSlice", [real(3), i32([0]), i32([1]), i32([0])], dtypes=["float32"])
  yield Case("StridedSliceGrad", [i32([3, 4])] + bounds + [real(2, 2)], dtypes=ALL)
  yield Case("TensorStridedSliceUpdate", [real(3, 4)] + bounds + [real(2, 2)], dtypes=ALL)
  yield Case("TensorStridedSliceUpdate", [real(3, 4)] + bounds + [real(1, 2)], dtypes=["float32"])
  yield Refused("TensorStridedSliceUpdate", [real(3, 4)] + bounds + [real(3)], dtypes=["float32"])
  yield Case("Gather", [real(4, 2), i32([[3, 0], [1, 1]])], dtypes=ALL)
  yield Case("GatherV2", [real(4, 2), i32([3, 0, 1]), i32(0)], dtypes=ALL)
  yield Case("GatherV2", [real(2, 4, 3), i64([3, 0]), i32(1)], dtypes=["float32", "string"])
  yield Case("GatherV2", [real(2, 4, 3), i64([[2], [0]]), i32(2)], {"batch_dims": 1}, dtypes=["float64"])
  yield Case("GatherV2", [real(2, 4, 3), i64([[3], [0]]), i32(-2)], {"batch_dims": -1}, dtypes=["float64"])
  yield Refused("GatherV2", [real(4, 2), i32([4]), i32(0)], dtypes=["float32"])
  yield Case("GatherNd", [real(3, 4), i32([[0, 1], [2, 3]])], dtypes=ALL)
  yield Case("GatherNd", [real(3, 4), i64([[[0], [2]]])], dtypes=["float32"])
  yield Refused("GatherNd", [real(3, 4), i32([[0, 4]])], dtypes=["float32"])
  yield Case("ScatterNd", [i32([[1], [3], [1]]), small(3, 2), i32([4, 2])], dtypes=NUMBERS + ["bool"])
  yield Case("ScatterNd", [i64([[0], [2]]), real(2), i64([4])], dtypes=["string"])
  yield Refused("ScatterNd", [i32([[4]]), real(1), i32([4])], dtypes=["float32"])
  yield Refused("ScatterNd", [i32([[0]]), real(1), i32([0])], dtypes=["float32"])
  yield Case("ScatterNdNonAliasingAdd", [real(4), i32([[1], [1]]), small(2)], dtypes=NUMBERS)
  for op in ("TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub"):
    yield Case(op, [real(4, 2), i32([[1], [3]]), small(2, 2)], dtypes=NUMBERS)
  for op in ("TensorScatterMin", "TensorScatterMax"):
    yield Case(op, [real(4, 2), i32([[1], [3]]), small(2, 2)], dtypes=REAL)
  yield Refused("TensorScatterUpdate", [real(4), i32([[9]]), real(1)], dtypes=["float32"])
  yield Case("Unique", [whole(12)], dtypes=REAL + ["string", "bool"])
  yield Case("Unique", [whole(12)], {"out_idx": tf.int64}, dtypes=["int32"])
  yield Case("UniqueV2", [small(6, 2), i64([0])], dtypes=REAL + ["string"])
  yield Case("UniqueV2", [small(2, 6), i64([1])], dtypes=["float32"])
  yield Case("UniqueWithCounts", [whole(12)], dtypes=REAL + ["string"])
  yield Case("UniqueWithCountsV2", [small(6, 2), i64([0])], dtypes=["int64", "string"])
  yield Refused("Unique", [real(2, 2)], dtypes=["float32"])
  yield Case("DynamicPartition", [real(4, 2), i32([1, 0, 2, 1])], {"num_partitions": 4}, dtypes=ALL)
  yield Refused("DynamicPartition", [real(2), i32([0, 2])], {"num_partitions": 2}, dtypes=["float32"])
  for op in ("DynamicStitch", "ParallelDynamicStitch"):
    yield Case(op, [[i32(2), i32([0, 1])], [real(2), real(2, 2)]], dtypes=ALL)
  yield Refused("DynamicStitch", [[i32([-1])], [real(1)]], dtypes=["float32"])
  yield Case("OneHot", [i64([1, -1, 5, 0]), i32(3), small(), whole()], dtypes=ALL)
  yield Case("OneHot", [i32([[1, 0], [2, 2]]), i32(3), small(), whole()], {"axis": 1}, dtypes=["float32"])
  yield Refused("OneHot", [i32([1]), i32(-1), small(), whole()], dtypes=["float32"])
  yield Case("ListDiff", [whole(12), small(3)], dtypes=REAL + ["string"])
  yield Case("TopKV2", [whole(3, 9), i32(4)], dtypes=REAL)
  yield Case("TopKV2", [whole(3, 9), i32(1)], dtypes=REAL)
  yield Case("TopKV2", [whole(3, 9), i32(9)], dtypes=["float32"])
  yield Refused("TopKV2", [whole(3), i32(4)], dtypes=["float32"])
  yield Case("NthElement", [real(3, 9), i32(2)], dtypes=REAL)
  yield Case("NthElement", [real(3, 9), i32(2)], {"reverse": True}, dtypes=["float32"])
  yield Refused("NthElement", [real(3), i32(3)], dtypes=["float32"])
  yield Case("Select", [np.array([True, False, True]), real(3, 2), whole(3, 2)], dtypes=ALL)
  yield Case("Select", [np.array(False), real(3), whole(3)], dtypes=["float32", "string"])
  yield Refused("Select", [np.array([True, False]), real(3), whole(3)], dtypes=["float32"])
  yield Case("SelectV2", [np.array([[True], [False]]), real(3), whole(2, 1)], dtypes=ALL)
  yield Refused("SelectV2", [np.array([True, False]), real(3), whole(1)], dtypes=["float32"])
  for op in ("InplaceUpdate", "InplaceAdd", "InplaceSub"):
    yield Case(op, [real(3, 2), i32([0, -1]), small(2, 2)], dtypes=["float32", "float64", "int32"])

  def assign(resource):
    def make():
      kind = {"use_resource": resource}
      v = tf.get_variable("v", initializer=f32([[1, 2, 3], [4, 5, 6]]), **kind)
      return [(v.initializer, {}), (v[:, ::2].assign(f32([[7, 8], [9, 10]])), {}), (v[0].assign(f32([0, 0, 1])), {}), (v.read_value(), {})]
    return make
  yield Scenario("assigning to slices of a reference variable", ["StridedSliceAssign"], assign(False))
  yield Scenario("assigning to slices of a resource variable", ["ResourceStridedSliceAssign"], assign(True))


IDX, SHAPE = i64([[0, 1], [1, 0], [1, 3]]), i64([2, 4])


def sparse():
  yield Case("SparseToDense", [i64([[0, 1], [1, 0]]), i64([2, 2]), real(2), small()], dtypes=ALL)
  yield Case("SparseToDense", [i32([1, 3]), i32([5]), small(), whole()], dtypes=["float32"])
  yield Refused("SparseToDense", [i32([3, 1]), i32([5]), real(2), whole()], dtypes=["float32"])
  yield Case("SparseReshape", [IDX, SHAPE, i64([4, -1])])
  yield Refused("SparseReshape", [IDX, SHAPE, i64([3, -1])])
  yield Case("SparseReorder", [i64([[1, 3], [0, 1], [1, 0]]), real(3), SHAPE], dtypes=ALL)
  yield Case("SparseFillEmptyRows", [i64([[2, 1], [0, 3]]), real(2), i64([4, 4]), small()], dtypes=ALL)
  yield Refused("SparseFillEmptyRows", [i64([[2, 1]]), real(1), i64([2, 4]), small()], dtypes=["float32"])
  yield Case("SparseFillEmptyRowsGrad", [i64([2, 0]), real(4)], dtypes=NUMBERS)
  yield Case("SparseTensorDenseMatMul", [IDX, real(3), SHAPE, real(4, 3)],
             dtypes=["half", "bfloat16", "float32", "float64", "int32", "complex64", "complex128"])
  yield Case("SparseTensorDenseMatMul", [IDX, real(3), SHAPE, real(3, 2)], {"adjoint_a": True, "adjoint_b": True},
             dtypes=["float32", "complex64"])
  yield Refused("SparseTensorDenseMatMul", [i64([[0, 9]]), real(1), SHAPE, real(4, 3)], dtypes=["float32"])
  yield Case("SparseTensorDenseAdd", [IDX, real(3), SHAPE, real(2, 4)], dtypes=NUMBERS)
  for dtype, kind in (("float32", np.float32), ("float64", np.float64), ("int32", np.int32), ("int64", np.int64), ("int16", np.int16)):
    yield Case("SparseAdd", [IDX, real(3), SHAPE, i64([[0, 1], [0, 2]]), real(2), SHAPE, kind(0)], dtypes=[dtype])
  yield Case("SparseAdd", [IDX, real(3), SHAPE, i64([[0, 1], [0, 2]]), real(2), SHAPE, np.float32(1)], dtypes=["complex64"])
  yield Case("SparseAddGrad", [real(4), IDX, i64([[0, 1], [0, 2]]), i64([[0, 1], [0, 2], [1, 0], [1, 3]])], dtypes=["float32", "int32", "complex64"])
  yield Case("SparseConcat", [[IDX, i64([[0, 0]])], [real(3), real(1)], [SHAPE, i64([2, 3])]], {"concat_dim": 1}, dtypes=ALL)
  yield Refused("SparseConcat", [[IDX, i64([[0, 0]])], [real(3), real(1)], [SHAPE, i64([2, 3])]], {"concat_dim": 0}, dtypes=["float32"])
  yield Case("SparseSplit", [i64(1), IDX, real(3), i64([2, 5])], {"num_split": 2}, dtypes=ALL)
  yield Refused("SparseSplit", [i64(2), IDX, real(3), SHAPE], {"num_split": 2}, dtypes=["float32"])
  yield Case("SparseSlice", [IDX, real(3), SHAPE, i64([0, 1]), i64([2, 9])], dtypes=ALL)
  yield Case("SparseSliceGrad", [real(2), IDX, i64([0, 1]), i64([[0, 0], [1, 2]])], dtypes=["float32", "int32"])
  yield Case("SparseSoftmax", [IDX, real(3), SHAPE], dtypes=["half", "float32", "float64"], rtol=2e-3)
  for keep in (False, True):
    yield Case("SparseReduceSum", [IDX, real(3), SHAPE, i32([1])], {"keep_dims": keep}, dtypes=NUMBERS)
    yield Case("SparseReduceMax", [IDX, real(3), SHAPE, i32([1])], {"keep_dims": keep}, dtypes=REAL)
    yield Case("SparseReduceSumSparse", [IDX, real(3), SHAPE, i32([0])], {"keep_dims": keep}, dtypes=["float32", "int32"])
    yield Case("SparseReduceMaxSparse", [IDX, real(3), SHAPE, i32(-1)], {"keep_dims": keep}, dtypes=["float32", "int32"])
  for op in ("SparseDenseCwiseMul", "SparseDenseCwiseDiv", "SparseDenseCwiseAdd"):
    yield Case(op, [IDX, real(3), SHAPE, positive(1, 4)], dtypes=REAL)
  yield Refused("SparseDenseCwiseMul", [IDX, real(3), SHAPE, positive(3)], dtypes=["float32"])
  for op in ("SparseSparseMaximum", "SparseSparseMinimum"):
    yield Case(op, [IDX, real(3), SHAPE, i64([[0, 1], [0, 2]]), real(2), SHAPE], dtypes=REAL)
  yield Case("SparseMatMul", [real(3, 4), real(4, 2)], {"a_is_sparse": True}, dtypes=["float32"])
  yield Case("SparseMatMul", [f32([[1, 0], [0, 2]]), f32([[3, 4], [5, 6]])], {"transpose_a": True, "transpose_b": True})
  words = [strings("a", "b"), strings("x", "y", "z")]
  cross = [[i64([[0, 0], [1, 0]]), i64([[0, 0], [1, 0], [1, 1]])], words, [i64([2, 1]), i64([2, 2])], [i64([[7], [8]])]]
  for out in (tf.int64, tf.string):
    yield Case("SparseCross", cross, {"hashed_output": out == tf.int64, "num_buckets": 0, "hash_key": 956888297470, "out_type": out, "internal_type": tf.int64})
  yield Case("SparseCrossV2", cross + [np.array(b"|", dtype=object)])
  yield Case("SparseCrossHashed", cross + [i64(1000), np.array(False), i64([1, 2])])
  yield Case("SparseCrossHashed", cross[:3] + [[strings("p", "q").reshape(2, 1)], i64(1000), np.array(True), i64([1, 2])])

  def serialized():
    ix, values, shape = tf.constant(IDX), tf.constant(f32([1, 2, 3])), tf.constant(SHAPE)
    fetches = []
    for kind in (tf.string, tf.variant):
      for op in (tf.raw_ops.SerializeSparse, tf.raw_ops.SerializeManySparse):
        text = op(sparse_indices=ix, sparse_values=values, sparse_shape=shape, out_type=kind)
        fetches += list(tf.raw_ops.DeserializeSparse(serialized_sparse=text, dtype=tf.float32))
    many = tf.raw_ops.SerializeManySparse(sparse_indices=ix, sparse_values=values, sparse_shape=shape)
    fetches += list(tf.raw_ops.DeserializeManySparse(serialized_sparse=many, dtype=tf.float32))
    return [(fetches, {})]
  yield Scenario("sparse tensors as strings and variants and back",
                 ["SerializeSparse", "SerializeManySparse", "DeserializeSparse", "DeserializeManySparse"], serialized)

  def mapped():
    args = dict(sparse_indices=tf.constant(IDX), sparse_values=tf.constant(f32([1, 2, 3])), sparse_shape=tf.constant(SHAPE), shared_name="oracle")
    one = tf.raw_ops.AddSparseToTensorsMap(**args)
    many = tf.raw_ops.AddManySparseToTensorsMap(**args)
    take = lambda h: list(tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=h, dtype=tf.float32, shared_name="oracle"))
    return [(take(tf.reshape(one, [1])), {}), (take(many), {})]
  yield Scenario("sparse tensors through a map", ["AddSparseToTensorsMap", "AddManySparseToTensorsMap", "TakeManySparseFromTensorsMap"], mapped)


def sets_and_ragged():
  yield Case("SetSize", [i64([[0, 0], [0, 1], [2, 0]]), small(3), i64([3, 2])], dtypes=SETS)
  for op in ("a-b", "b-a", "intersection", "union"):
    yield Case("DenseToDenseSetOperation", [whole(2, 4), small(2, 3)], {"set_operation": op}, dtypes=SETS)
    yield Case("DenseToSparseSetOperation", [whole(2, 4), IDX, small(3), SHAPE], {"set_operation": op}, dtypes=["int32", "string"])
    yield Case("SparseToSparseSetOperation", [IDX, whole(3), SHAPE, i64([[0, 0], [1, 1]]), small(2), SHAPE], {"set_operation": op}, dtypes=["int64", "string"])
  yield Refused("DenseToDenseSetOperation", [whole(2, 4), small(3, 3)], {"set_operation": "union"}, dtypes=["int32"])
  yield Case("RaggedRange", [whole(3), positive(3), small(3)], dtypes=["float32", "float64", "int32", "int64"])
  yield Case("RaggedRange", [i32(8), i32([5, 9]), i32([-1, 2])], {"Tsplits": tf.int32})
  yield Refused("RaggedRange", [i32(0), i32(1), i32(0)])
  yield Case("RaggedGather", [[i64([0, 2, 2, 4])], real(4), i64([[2, 0]])], {"OUTPUT_RAGGED_RANK": 2}, dtypes=ALL)
  yield Refused("RaggedGather", [[i64([0, 2, 2, 4])], real(4), i64([3])], {"OUTPUT_RAGGED_RANK": 1}, dtypes=["float32"])
  yield Case("RaggedTensorToTensor", [i64([-1, 3]), real(6), small(), [i64([0, 1, 1, 6])]], {"row_partition_types": ["ROW_SPLITS"]}, dtypes=ALL)
  yield Case("RaggedTensorToTensor", [i64([4, 3]), real(6), small(), [i64(4), i64([0, 0, 0, 2, 2, 3])]],
             {"row_partition_types": ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]}, dtypes=["float32"])
  yield from counts()
  yield from ragged_crosses()
  yield Case("RaggedTensorToSparse", [[i64([0, 2, 3]), i64([0, 1, 1, 3])], real(3, 2)], dtypes=ALL)
  yield Refused("RaggedTensorToSparse", [[i64([0, 2])], real(3)], dtypes=["float32"])
  yield Case("RaggedFillEmptyRows", [i64([0, 3, 3]), real(3), i64(4), small()], dtypes=ALL)
  yield Case("RaggedFillEmptyRowsGrad", [i64([2, 0]), real(4)], dtypes=NUMBERS)

  def variants():
    splits = [tf.constant(i64([0, 2, 2, 3])), tf.constant(i64([0, 1, 3, 4]))]
    values = tf.constant(f32([1, 2, 3, 4]))
    rows = tf.raw_ops.RaggedTensorToVariant(rt_nested_splits=splits, rt_dense_values=values, batched_input=True)
    back = tf.raw_ops.RaggedTensorFromVariant(encoded_ragged=rows, input_ragged_rank=1, output_ragged_rank=2, Tvalues=tf.float32)
    grad = tf.raw_ops.RaggedTensorToVariantGradient(encoded_ragged_grad=rows, row_splits=i64([0, 3, 3, 4]), dense_values_shape=i32([4]), Tvalues=tf.float32)
    return [(list(back.output_nested_splits) + [back.output_dense_values, grad], {})]
  yield Scenario("ragged tensors as variants", ["RaggedTensorToVariant", "RaggedTensorFromVariant", "RaggedTensorToVariantGradient"], variants)


def cases():
  yield from dense()
  yield from sparse()
  yield from sets_and_ragged()


COUNTED = ["int32", "int64", "float32", "float64"]


def counts():
  matrix = i64([[3, 1, 3], [0, 5, 5]])
  for dtype in COUNTED:
    none = np.array([], dtype)
    weights = (np.arange(6).reshape(2, 3) + 1).astype(dtype)
    for limits in ({}, {"minlength": 9}, {"maxlength": 4}, {"minlength": 2, "maxlength": 3}, {"maxlength": 0}):
      for binary in (True, False):
        attrs = {"binary_output": binary, **limits}
        for given in (none, weights):
          for values in (matrix, matrix.astype(np.int32)):
            yield Case("DenseCountSparseOutput", [values, given], attrs)
            flat = given.reshape(-1)
            yield Case("DenseCountSparseOutput", [values.reshape(-1), flat], attrs)
            yield Case("RaggedCountSparseOutput", [i64([0, 0, 4, 6, 6]), values.reshape(-1), flat], attrs)
            places = i64([[2, 0], [0, 1], [2, 1], [2, 3], [0, 4], [3, 0]])
            yield Case("SparseCountSparseOutput", [places, values.reshape(-1), i64([5, 6]), flat], attrs)
            yield Case("SparseCountSparseOutput", [i64([[0], [2], [3], [4], [7], [1]]), values.reshape(-1), i64([9]), flat], attrs)
  attrs = {"binary_output": False}
  none = f32([])
  yield Case("DenseCountSparseOutput", [i64([]), none], attrs)
  yield Case("DenseCountSparseOutput", [np.zeros([2, 0], np.int64), none], attrs)
  yield Case("RaggedCountSparseOutput", [i64([0, 0]), i64([]), none], attrs)
  yield Case("SparseCountSparseOutput", [np.zeros([0, 2], np.int64), i64([]), i64([3, 4]), none], attrs)
  for bad in (i64(3), i64([[[1]]]), i64([-1]), np.zeros([0, 3], np.int64)):
    yield Refused("DenseCountSparseOutput", [bad, none], attrs)
  yield Refused("DenseCountSparseOutput", [i64([1, 2]), f32([1])], attrs)
  for splits in ([], [0], [1, 2], [0, 1], [0, 5]):
    yield Refused("RaggedCountSparseOutput", [i64(splits), i64([1, 2]), none], attrs)
  yield Refused("RaggedCountSparseOutput", [i64([0, 2]), i64([1, -2]), none], attrs)
  yield Refused("RaggedCountSparseOutput", [i64([0, 2]), i64([1, 2]), f32([1])], attrs)
  for places, values, shape, weights in (
      ([[0, 0]], [1], [2**31, 2**32], []), ([[0, 0]], [1], [-1, 2], []), ([[0, 2]], [1], [2, 2], []), ([[-1, 0]], [1], [2, 2], []), ([[0, 0]], [1, 2], [2, 2], []),
      ([[0, 0]], [1], [2], []), ([[0, 0]], [-1], [2, 2], []), ([[0, 0]], [1], [2, 2], [1, 2]), ([0, 0], [1], [2, 2], []), ([[0, 0]], [[1]], [2, 2], []),
      ([[0, 0]], [1], [[2, 2]], [])):
    yield Refused("SparseCountSparseOutput", [i64(places), i64(values), i64(shape), f32(weights)], attrs)


def ragged_crosses():
  letters, numbers = strings("a", "bb", "c", "dd"), i64([7, -8, 9, 10])
  places = i64([[0, 0], [1, 0], [1, 1], [2, 0]])

  def cross(order, ragged=(), sparse=(), dense=(), output=tf.string, splits=tf.int64, buckets=0, refused=False):
    make = Refused if refused else Case
    attrs = {"input_order": order, "hashed_output": output == tf.int64, "num_buckets": buckets, "hash_key": 956888297470, "out_values_type": output,
             "out_row_splits_type": splits}
    lists = [[v for v, _ in ragged], [s for _, s in ragged], [p for p, _, _ in sparse], [v for _, v, _ in sparse], [s for _, _, s in sparse], list(dense)]
    return make("RaggedCross", lists, attrs)

  matrix = np.array([[b"x", b"y"], [b"z", b""], [b"u", b"v"]], dtype=object)
  whole_matrix = i64([[1, 2], [3, 4], [5, 6]])
  for output in (tf.string, tf.int64):
    for buckets in (0, 100):
      for splits, ends in ((tf.int64, i64([0, 2, 2, 4])), (tf.int32, i32([0, 1, 3, 4]))):
        more = {"output": output, "buckets": buckets, "splits": splits}
        yield cross("R", [(letters, ends)], **more)
        yield cross("RR", [(letters, ends), (numbers, ends)], **more)
        yield cross("DSR", [(letters, ends)], [(places, numbers, i64([3, 2]))], [matrix], **more)
        yield cross("RSDD", [(numbers, ends)], [(places, letters, i64([3, 2]))], [matrix, whole_matrix], **more)
        yield cross("S", [], [(places, letters, i64([3, 2]))], **more)
        yield cross("D", [], [], [whole_matrix], **more)
  ends = i64([0, 2, 2, 4])
  for refused in (
      cross("R", [(letters, i64([0, 2, 5]))], refused=True), cross("R", [(letters, i64([0, 3, 2, 4]))], refused=True), cross("R", [(letters, i64([1, 4]))], refused=True),
      cross("X", [(letters, ends)], refused=True), cross("RR", [(letters, ends)], refused=True), cross("S", [(letters, ends)], refused=True),
      cross("RR", [(letters, ends), (numbers, i64([0, 4]))], refused=True), cross("RD", [(letters, ends)], [], [matrix[:2]], refused=True),
      cross("RS", [(letters, ends)], [(places, numbers, i64([4, 2]))], refused=True), cross("S", [], [(places, numbers, i64([3]))], refused=True),
      cross("D", [], [], [letters], refused=True)):
    yield refused
