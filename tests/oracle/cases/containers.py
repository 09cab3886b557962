"""What keeps values between steps: queues, barriers, stages, tables, accumulators, stacks; and the rest of lists, maps and references."""
import itertools
import os
import tempfile

from case import *  # noqa: F403
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

raw = tf.raw_ops
NUMBER = itertools.count()
ROOT = tempfile.mkdtemp(prefix="oracle-containers-")


def name():
  return "containers_%d" % next(NUMBER)


def cases():
  yield from queues()
  yield from barriers()
  yield from stages()
  yield from tables()
  yield from accumulators()
  yield from lists()
  yield from control()


def after(ops, make):
  with tf.control_dependencies([ops] if not isinstance(ops, list) else ops):
    return make()


# Queues

VERBS = "QueueEnqueue QueueEnqueueMany QueueDequeue QueueDequeueMany QueueDequeueUpTo QueueSize QueueClose QueueIsClosed".split()


def queues():
  kinds = {
      "FIFOQueue": {"shapes": [[2], []]},
      "PaddingFIFOQueue": {"shapes": [[None], []]},
      "RandomShuffleQueue": {"shapes": [[2], []], "min_after_dequeue": 0, "seed": 5, "seed2": 6},
  }
  for suffix in ("", "V2"):
    for kind, attrs in kinds.items():
      yield Scenario(kind + suffix, [kind + suffix] + [v + suffix for v in VERBS], lambda k=kind, s=suffix, a=attrs: queue(k, s, a))
    yield Scenario("PriorityQueue" + suffix, ["PriorityQueue" + suffix], lambda s=suffix: priority(s))
    yield Scenario("PaddingFIFOQueue%s that pads" % suffix, ["PaddingFIFOQueue" + suffix], lambda s=suffix: padded(s))
    yield Scenario("QueueClose%s before dequeue" % suffix, ["QueueClose" + suffix], lambda s=suffix: closed(s, False), refused=True)
    yield Scenario("QueueClose%s before enqueue" % suffix, ["QueueClose" + suffix], lambda s=suffix: closed(s, True), refused=True)
    yield Scenario("QueueEnqueue%s of another shape" % suffix, ["QueueEnqueue" + suffix], lambda s=suffix: misshapen(s), refused=True)
  yield Scenario("FakeQueue", ["FakeQueue"], fake_queue)


def queue(kind, suffix, attrs):
  q = getattr(raw, kind + suffix)(component_types=[tf.float32, tf.string], capacity=10, **attrs)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(handle=q, **kw)
  types = [tf.float32, tf.string]
  x, s = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.string, [])
  enqueue = op("QueueEnqueue", components=[x, s])
  steps = [([enqueue], {x: [i, -i], s: "text %d" % i}) for i in range(3)]
  steps.append(([op("QueueEnqueueMany", components=[whole(4, 2).array("float32"), real(4).array("string")])], {}))
  steps.append(([op("QueueSize"), op("QueueIsClosed")], {}))
  steps.append((op("QueueDequeue", component_types=types), {}))
  steps.append((op("QueueDequeueMany", n=3, component_types=types), {}))
  steps.append(([op("QueueSize")], {}))
  steps.append(([op("QueueClose")], {}))
  steps.append(([op("QueueIsClosed")], {}))
  steps.append((op("QueueDequeueUpTo", n=2, component_types=types), {}))
  steps.append((op("QueueDequeueUpTo", n=5, component_types=types), {}))
  return steps


def priority(suffix):
  q = getattr(raw, "PriorityQueue" + suffix)(component_types=[tf.string], shapes=[[]], capacity=20)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(handle=q, **kw)
  types = [tf.int64, tf.string]
  order = i64([5, 2, 9, 1, 7])
  return [
      ([op("QueueEnqueueMany", components=[order, strings(*("p%d" % i for i in order))])], {}),
      (op("QueueDequeue", component_types=types), {}),
      ([op("QueueEnqueue", components=[np.int64(3), "p3"])], {}),
      (op("QueueDequeueMany", n=5, component_types=types), {}),
      ([op("QueueSize")], {}),
  ]


def padded(suffix):
  q = getattr(raw, "PaddingFIFOQueue" + suffix)(component_types=[tf.int32, tf.string], shapes=[[None, 2], [None]], capacity=10)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(handle=q, **kw)
  x, s = tf.placeholder(tf.int32, [None, 2]), tf.placeholder(tf.string, [None])
  enqueue = op("QueueEnqueue", components=[x, s])
  steps = [([enqueue], {x: np.full([n, 2], n), s: ["t"] * (4 - n)}) for n in (1, 3, 0, 2)]
  return steps + [(op("QueueDequeueMany", n=3, component_types=[tf.int32, tf.string]), {})]


def closed(suffix, enqueues):
  q = getattr(raw, "FIFOQueue" + suffix)(component_types=[tf.int32], shapes=[[]])
  op = lambda verb, **kw: getattr(raw, verb + suffix)(handle=q, **kw)
  last = [op("QueueEnqueue", components=[1])] if enqueues else op("QueueDequeue", component_types=[tf.int32])
  return [([op("QueueClose", cancel_pending_enqueues=True)], {}), (last, {})]


def misshapen(suffix):
  q = getattr(raw, "FIFOQueue" + suffix)(component_types=[tf.int32], shapes=[[2]])
  return [([getattr(raw, "QueueEnqueue" + suffix)(handle=q, components=[tf.constant([1, 2, 3])])], {})]


def fake_queue():
  q = raw.FIFOQueueV2(component_types=[tf.int32], shapes=[[]])
  fake = raw.FakeQueue(resource=q)
  return [([raw.QueueEnqueueV2(handle=q, components=[4])], {}), ([raw.QueueSize(handle=fake)], {}),
          (raw.QueueDequeue(handle=fake, component_types=[tf.int32]), {})]


# Barriers

def barriers():
  verbs = ["Barrier", "BarrierInsertMany", "BarrierReadySize", "BarrierIncompleteSize", "BarrierTakeMany", "BarrierClose"]
  yield Scenario("a barrier", verbs, barrier)
  yield Scenario("a closed barrier takes no new key", verbs, lambda: closed_barrier(strings("new")), refused=True)
  yield Scenario("a barrier takes a key's component once", verbs, lambda: closed_barrier(strings("a"), False), refused=True)


def barrier():
  types = [tf.float32, tf.string]
  b = raw.Barrier(component_types=types, shapes=[[2], []])
  insert = lambda keys, i, values: raw.BarrierInsertMany(handle=b, keys=keys, values=values, component_index=i)
  sizes = [raw.BarrierReadySize(handle=b), raw.BarrierIncompleteSize(handle=b)]
  take = lambda n, **kw: raw.BarrierTakeMany(handle=b, num_elements=n, component_types=types, **kw)
  return [
      ([insert(["a", "b", "c"], 0, f32([[1, 2], [3, 4], [5, 6]]))], {}),
      (sizes, {}),
      ([insert(["c", "a"], 1, ["text c", "text a"])], {}),
      (sizes, {}),
      (list(take(1)), {}),
      ([insert(["b", "d"], 1, ["text b", "text d"])], {}),
      (sizes, {}),
      ([raw.BarrierClose(handle=b)], {}),
      (list(take(5, allow_small_batch=True)), {}),
      (sizes, {}),
  ]


def closed_barrier(keys, close=True):
  b = raw.Barrier(component_types=[tf.float32, tf.float32], shapes=[[], []])
  insert = lambda k: raw.BarrierInsertMany(handle=b, keys=k, values=f32([1.0]), component_index=0)
  return [([insert(["a"])], {})] + ([([raw.BarrierClose(handle=b)], {})] if close else []) + [([insert(keys)], {})]


# Stages

def stages():
  yield Scenario("Stage", ["Stage", "StagePeek", "StageSize", "Unstage", "StageClear"], stage)
  for kind in ("Map", "OrderedMap"):
    verbs = [kind + v for v in ("Stage", "Peek", "Size", "IncompleteSize", "Unstage", "UnstageNoKey", "Clear")]
    yield Scenario(kind + "Stage", verbs, lambda k=kind: map_stage(k))


def stage():
  kw = dict(dtypes=[tf.float32, tf.string], shared_name=name())
  x = tf.placeholder(tf.float32, [2])
  put = raw.Stage(values=[x, tf.constant("text")], shared_name=kw["shared_name"])
  size = raw.StageSize(**kw)
  return [([put], {x: [i, i]}) for i in range(3)] + [
      ([size], {}), (raw.StagePeek(index=1, **kw), {}), (raw.Unstage(**kw), {}), ([size], {}), ([raw.StageClear(**kw)], {}), ([size], {})]


def map_stage(kind):
  op = lambda verb, dtypes=(tf.float32, tf.string), **args: getattr(raw, kind + verb)(dtypes=list(dtypes), shared_name=shared, **args)
  shared = name()
  key, x = tf.placeholder(tf.int64, []), tf.placeholder(tf.float32, [])
  sizes = [op("Size"), op("IncompleteSize")]
  put = op("Stage", key=key, indices=[0, 1], values=[x, tf.constant("text")])
  first = op("Stage", key=key, indices=[0], values=[x])
  second = op("Stage", key=key, indices=[1], values=[tf.constant("later")])
  every = [0, 1]
  steps = [([put], {key: 7, x: 1.5}), ([first], {key: 3, x: 2.5}), (sizes, {}), ([second], {key: 3}), (sizes, {}),
           (op("Peek", key=key, indices=every), {key: 3}), (op("Unstage", [tf.string], key=key, indices=[1]), {key: 3}), (sizes, {}),
           (op("Unstage", [tf.float32], key=key, indices=[0]), {key: 3})]
  if kind == "OrderedMap":
    steps.append(([put], {key: 5, x: 9.0}))
  taken = op("UnstageNoKey", indices=every)
  return steps + [([taken.key] + list(taken.values), {}), ([put], {key: 8, x: 0.0}), ([op("Clear")], {}), (sizes, {})]


# Tables

PAIRS = [(tf.string, tf.int64), (tf.int64, tf.string), (tf.int64, tf.float32), (tf.string, tf.string), (tf.int32, tf.int32), (tf.string, tf.float32)]


def tables():
  for suffix in ("", "V2"):
    verbs = [v + suffix for v in ("InitializeTable", "LookupTableFind", "LookupTableSize")]
    for k, v in PAIRS:
      yield Scenario("HashTable%s %s %s" % (suffix, k.name, v.name), ["HashTable" + suffix] + verbs, lambda k=k, v=v, s=suffix: fixed_table(k, v, s))
    yield Scenario("HashTable%s initialized differently" % suffix, ["InitializeTable" + suffix], lambda s=suffix: fixed_table(tf.string, tf.int64, s, again=True), refused=True)
    yield Scenario("HashTable%s before it is initialized" % suffix, ["LookupTableFind" + suffix], lambda s=suffix: uninitialized(s), refused=True)
    for columns in TEXTS:
      yield Scenario("InitializeTableFromTextFile%s %s" % (suffix, columns), ["InitializeTableFromTextFile" + suffix], lambda c=columns, s=suffix: text_table(c, s))
    yield Scenario("InitializeTableFromTextFile%s without the file" % suffix, ["InitializeTableFromTextFile" + suffix],
                   lambda s=suffix: text_table(TEXTS[0], s, "/nonexistent/file"), refused=True)
    verbs = [v + suffix for v in ("LookupTableInsert", "LookupTableFind", "LookupTableSize", "LookupTableImport", "LookupTableExport")]
    for kind in ("MutableHashTable", "MutableHashTableOfTensors", "MutableDenseHashTable"):
      if kind + suffix == "MutableDenseHashTable":
        continue  # TensorFlow's kernel asks for an input that the operation does not have
      # Sorted: the order of an export is the hash function's.
      yield Scenario(kind + suffix, [kind + suffix] + verbs, lambda k=kind, s=suffix: mutable(k, s), unordered=True)
  for kind in ("AnonymousHashTable", "AnonymousMutableHashTable", "AnonymousMutableHashTableOfTensors", "AnonymousMutableDenseHashTable"):
    yield Scenario(kind, [kind], lambda k=kind: anonymous(k))


def some(kind, count=3):
  return np.array([b"k%d" % i for i in range(count)], object) if kind == tf.string else np.arange(10, 10 + count).astype(kind.as_numpy_dtype)


def fixed_table(k, v, suffix, again=False):
  table = getattr(raw, "HashTable" + suffix)(key_dtype=k, value_dtype=v)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(table_handle=table, **kw)
  wanted = np.concatenate([some(k, 5)[::-1], some(k, 1)]).reshape(2, 3)
  default = tf.constant("none") if v == tf.string else tf.constant(-1, v)
  steps = [([op("InitializeTable", keys=some(k), values=some(v)[::-1])], {}), ([op("LookupTableSize")], {}),
           ([op("LookupTableFind", keys=wanted, default_value=default)], {})]
  if again:
    steps.append(([op("InitializeTable", keys=strings("a", "a"), values=i64([1, 2]))], {}))
  return steps


def uninitialized(suffix):
  table = getattr(raw, "HashTable" + suffix)(key_dtype=tf.int64, value_dtype=tf.int64)
  return [([getattr(raw, "LookupTableFind" + suffix)(table_handle=table, keys=i64([1]), default_value=np.int64(0))], {})]


# (key column, value column, key, value, other options); -2 is the line, -1 its number.
TEXTS = [
    (-2, -1, tf.string, tf.int64, ()), (-1, -2, tf.int64, tf.string, ()), (0, 1, tf.string, tf.int64, ()), (1, 0, tf.int64, tf.string, ()),
    (0, 2, tf.string, tf.float32, ()), (-2, -1, tf.string, tf.int64, (("vocab_size", 2),)), (-2, -1, tf.string, tf.int64, (("offset", 1),)),
]


def text_table(columns, suffix, path=None):
  key, value, k, v, options = columns
  if path is None:
    path = os.path.join(ROOT, "table.txt")
    with open(path, "w") as f:
      f.write("one,1,1.5\ntwo,2,2.5\nthree,3,-3\n")
  table = getattr(raw, "HashTable" + suffix)(key_dtype=k, value_dtype=v)
  start = getattr(raw, "InitializeTableFromTextFile" + suffix)(table_handle=table, filename=path, key_index=key, value_index=value, delimiter=",", **dict(options))
  keys = strings("one", "three", "two,2,2.5", "one,1,1.5", "none") if k == tf.string else i64([0, 1, 2, 3])
  default = tf.constant("none") if v == tf.string else tf.constant(-1, v)
  return [([start], {}), ([getattr(raw, "LookupTableSize" + suffix)(table_handle=table)], {}),
          ([getattr(raw, "LookupTableFind" + suffix)(table_handle=table, keys=keys, default_value=default)], {})]


def mutable(kind, suffix):
  vectors = kind.endswith("OfTensors")
  attrs = {"value_shape": [2]} if vectors else {}
  if "Dense" in kind:
    attrs.update(empty_key=np.int64(-1), deleted_key=np.int64(-2))
  else:
    attrs["key_dtype"] = tf.int64
  table = getattr(raw, kind + suffix)(value_dtype=tf.float32, **attrs)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(table_handle=table, **kw)
  values = f32([[1, 2], [3, 4], [5, 6]]) if vectors else f32([1, 2, 3])
  default = f32([-1, -2]) if vectors else np.float32(-1)
  find = op("LookupTableFind", keys=i64([3, 1, 99]), default_value=default)
  size = op("LookupTableSize")
  export = op("LookupTableExport", Tkeys=tf.int64, Tvalues=tf.float32)
  yield [op("LookupTableInsert", keys=i64([1, 2, 3]), values=values)], {}
  yield [find, size], {}
  yield [op("LookupTableInsert", keys=i64([3, 4]), values=-values[:2])], {}
  yield [find, size], {}
  yield [export.keys, export.values], {}
  # What was exported comes back; of a dense table these are all buckets.
  keys, kept = tf.get_default_session().run([export.keys, export.values])
  yield [op("LookupTableInsert", keys=i64([1, 99]), values=values[:2])], {}
  yield [find, size], {}
  fed = [tf.placeholder(tf.int64, None), tf.placeholder(tf.float32, None)]  # a dense table has other shapes than the client thinks
  yield [op("LookupTableImport", keys=fed[0], values=fed[1])], dict(zip(fed, (keys, kept)))
  yield [find, size], {}
  yield [export.keys, export.values], {}


def anonymous(kind):
  vectors = kind.endswith("OfTensors")
  attrs = {"value_shape": [2]} if vectors else {}
  if "Dense" in kind:
    attrs.update(empty_key=np.int64(-1), deleted_key=np.int64(-2))
  else:
    attrs["key_dtype"] = tf.int64
  table = getattr(raw, kind)(value_dtype=tf.float32, **attrs)
  values = f32([[1, 2], [3, 4]]) if vectors else f32([1, 2])
  fill = raw.InitializeTableV2 if kind == "AnonymousHashTable" else raw.LookupTableInsertV2
  filled = fill(table_handle=table, keys=i64([5, 6]), values=values)
  found = after(filled, lambda: [raw.LookupTableFindV2(table_handle=table, keys=i64([6, 7]), default_value=f32([0, 0]) if vectors else np.float32(0)),
                                 raw.LookupTableSizeV2(table_handle=table)])
  return [(found, {})]


# Accumulators

def accumulators():
  for reduction in ("MEAN", "SUM"):
    for prefix in ("", "Resource"):
      verbs = ["ApplyGradient", "NumAccumulated", "SetGlobalStep", "TakeGradient"]
      ops = [prefix + "ConditionalAccumulator"] + [prefix + "Accumulator" + v for v in verbs]
      for dtype in ["float32"] if prefix else ["half"] + F32_64:
        yield Scenario("%s %s %s" % (ops[0], reduction, dtype), ops, lambda p=prefix, r=reduction, d=dtype: accumulator(p, r, d), dtype=dtype)
    for dtype in F32_64:
      yield Scenario("SparseConditionalAccumulator %s %s" % (reduction, dtype),
                     ["SparseConditionalAccumulator", "SparseAccumulatorApplyGradient", "SparseAccumulatorTakeGradient", "AccumulatorNumAccumulated"],
                     lambda r=reduction, d=dtype: sparse_accumulator(r, d), dtype=dtype)
  yield Scenario("AccumulatorApplyGradient of another shape", ["AccumulatorApplyGradient"], misapplied, refused=True)


def accumulator(prefix, reduction, dtype):
  a = getattr(raw, prefix + "ConditionalAccumulator")(dtype=dtype, shape=[2], reduction_type=reduction)
  op = lambda verb, **kw: getattr(raw, prefix + "Accumulator" + verb)(handle=a, **kw)
  x, step = tf.placeholder(dtype, [2]), tf.placeholder(tf.int64, [])
  apply, take, count = op("ApplyGradient", local_step=step, gradient=x), op("TakeGradient", num_required=2, dtype=dtype), op("NumAccumulated")
  return [([apply], {x: [1, 2], step: 0}), ([apply], {x: [4, 8], step: 1}), ([apply], {x: [1, 1], step: 0}), ([count], {}), ([take], {}),
          ([apply], {x: [9, 9], step: 0}), ([count], {}), ([op("SetGlobalStep", new_global_step=np.int64(5))], {}),
          ([apply], {x: [9, 9], step: 4}), ([count], {}), ([apply], {x: [2, 3], step: 5}), ([apply], {x: [3, 4], step: 6}), ([take], {})]


def sparse_accumulator(reduction, dtype):
  a = raw.SparseConditionalAccumulator(dtype=dtype, shape=[4, 2], reduction_type=reduction)
  indices, values = tf.placeholder(tf.int64, [None]), tf.placeholder(dtype, [None, 2])
  apply = raw.SparseAccumulatorApplyGradient(handle=a, local_step=np.int64(0), gradient_indices=indices, gradient_values=values,
                                             gradient_shape=i64([4, 2]), has_known_shape=True)
  take = raw.SparseAccumulatorTakeGradient(handle=a, num_required=2, dtype=dtype)
  return [([apply], {indices: [0, 2], values: [[1, 2], [3, 4]]}), ([apply], {indices: [1, 2], values: [[5, 6], [7, 9]]}),
          ([raw.AccumulatorNumAccumulated(handle=a)], {}), ([take.indices, take.values, take.shape], {})]


def misapplied():
  a = raw.ConditionalAccumulator(dtype=tf.float32, shape=[2])
  return [([raw.AccumulatorApplyGradient(handle=a, local_step=np.int64(0), gradient=tf.constant([1.0, 2.0, 3.0]))], {})]


# Lists, maps, stacks, arrays

def lists():
  yield Scenario("TensorMap", ["EmptyTensorMap", "TensorMapInsert", "TensorMapErase", "TensorMapHasKey", "TensorMapLookup", "TensorMapSize"], tensor_map)
  yield Scenario("TensorMapStackKeys", ["TensorMapStackKeys"], map_keys, unordered=True)
  yield Scenario("TensorMapLookup of an absent key", ["TensorMapLookup"], lambda: absent_key("TensorMapLookup"), refused=True)
  yield Scenario("the rest of lists", ["EmptyTensorList", "TensorListPushBackBatch", "TensorListScatter", "TensorListScatterIntoExistingList", "TensorListConcat"], more_lists)
  for dtype in PLAIN + ["string"]:
    yield Scenario("TensorList %s" % dtype, ["TensorListFromTensor", "TensorListStack", "TensorListGather", "TensorListGetItem", "TensorListSetItem"],
                   lambda d=dtype: typed_list(d), dtype=dtype)
  yield Scenario("TensorListPopBack of an empty list", ["TensorListPopBack"], lambda: wrong_list("TensorListPopBack"), refused=True)
  yield Scenario("TensorListGetItem beyond the end", ["TensorListGetItem"], lambda: wrong_list("TensorListGetItem", index=3), refused=True)
  for suffix in ("", "V2"):
    yield Scenario("Stack" + suffix, [v + suffix for v in ("Stack", "StackPush", "StackPop", "StackClose")], lambda s=suffix: stack(s))
    yield Scenario("StackPop%s of an empty stack" % suffix, ["StackPop" + suffix], lambda s=suffix: empty_stack(s), refused=True)
  yield Scenario("gradients of tensor arrays", ["TensorArrayGradV3", "TensorArrayCloseV3"], array_gradient)
  yield Scenario("TensorArrayGradWithShape", ["TensorArrayGradWithShape"], shaped_gradient)
  yield Scenario("TensorArrayReadV3 beyond the end", ["TensorArrayReadV3"], lambda: wrong_array(5), refused=True)
  yield Scenario("TensorArrayReadV3 twice", ["TensorArrayReadV3"], lambda: wrong_array(0), refused=True)


def filled_map():
  m = raw.EmptyTensorMap()
  for k, v in (("a", [1.0]), ("b", [2.0, 3.0]), ("a", [4.0])):
    m = raw.TensorMapInsert(input_handle=m, key=k, value=v)
  return m


def tensor_map():
  m = filled_map()
  less = raw.TensorMapErase(input_handle=m, key="a", value_dtype=tf.float32)
  look = lambda k: raw.TensorMapLookup(input_handle=m, key=k, value_dtype=tf.float32)
  has = lambda h, k: raw.TensorMapHasKey(input_handle=h, key=k)
  return [([look("a"), look("b"), has(m, "a"), has(m, "c"), has(less, "a"), raw.TensorMapSize(input_handle=m), raw.TensorMapSize(input_handle=less),
            raw.TensorMapSize(input_handle=raw.EmptyTensorMap())], {})]


def map_keys():
  return [([raw.TensorMapStackKeys(input_handle=filled_map(), key_dtype=tf.string)], {})]


def absent_key(op):
  return [([getattr(raw, op)(input_handle=filled_map(), key="absent", value_dtype=tf.float32)], {})]


def stacked(handle, dtype=tf.float32, shape=(2,)):
  return raw.TensorListStack(input_handle=handle, element_shape=i32(shape), element_dtype=dtype)


def more_lists():
  empty = raw.EmptyTensorList(element_shape=i32([2]), max_num_elements=-1, element_dtype=tf.float32)
  grown = raw.TensorListPushBack(input_handle=raw.TensorListPushBack(input_handle=empty, tensor=f32([1, 2])), tensor=f32([3, 4]))
  batch = raw.TensorListPushBackBatch(input_handles=tf.stack([grown, grown]), tensor=f32([[5, 6], [7, 8]]))
  scattered = raw.TensorListScatter(tensor=f32([[1, 2], [3, 4]]), indices=[2, 0], element_shape=i32([2]))
  into = raw.TensorListScatterIntoExistingList(input_handle=grown, tensor=f32([[9, 9], [8, 8]]), indices=[1, 2])
  joined = raw.TensorListConcat(input_handle=grown, element_dtype=tf.float32, element_shape=[None])
  return [([stacked(grown), stacked(batch[0]), stacked(batch[1]), stacked(scattered), stacked(into), joined.tensor, joined.lengths,
            raw.TensorListLength(input_handle=empty)], {})]


def typed_list(dtype):
  value = real(3, 2).array(dtype)
  x = tf.placeholder(dtype, [3, 2])
  made = raw.TensorListFromTensor(tensor=x, element_shape=i32([2]))
  kw = dict(element_shape=i32([2]), element_dtype=tf.as_dtype(dtype))
  changed = raw.TensorListSetItem(input_handle=made, index=0, item=x[2])
  return [([stacked(made, tf.as_dtype(dtype)), stacked(changed, tf.as_dtype(dtype)), raw.TensorListGather(input_handle=made, indices=[2, 0], **kw),
            raw.TensorListGetItem(input_handle=made, index=1, **kw)], {x: value})]


def wrong_list(op, **kw):
  empty = raw.EmptyTensorList(element_shape=i32([2]), max_num_elements=-1, element_dtype=tf.float32)
  out = getattr(raw, op)(input_handle=empty, element_shape=i32([2]), element_dtype=tf.float32, **kw)
  return [(list(out) if isinstance(out, tuple) else [out], {})]


def stack(suffix):
  s = raw.StackV2(max_size=5, elem_type=tf.float32) if suffix else raw.Stack(elem_type=tf.float32)
  op = lambda verb, **kw: getattr(raw, verb + suffix)(handle=s, **kw)
  one = op("StackPush", elem=f32([1, 2]))
  two = after(one, lambda: op("StackPush", elem=f32([3]), swap_memory=True))
  first = after(two, lambda: op("StackPop", elem_type=tf.float32))
  second = after(first, lambda: op("StackPop", elem_type=tf.float32))
  close = after(second, lambda: op("StackClose"))
  return [([one, two, first, second, close], {})]


def empty_stack(suffix):
  s = raw.StackV2(max_size=5, elem_type=tf.float32) if suffix else raw.Stack(elem_type=tf.float32)
  return [([getattr(raw, "StackPop" + suffix)(handle=s, elem_type=tf.float32)], {})]


def array_gradient():
  a = raw.TensorArrayV3(size=2, dtype=tf.float32, element_shape=[2], clear_after_read=False)
  flow = raw.TensorArrayScatterV3(handle=a.handle, indices=[0, 1], value=f32([[1, 2], [3, 4]]), flow_in=a.flow)
  g = raw.TensorArrayGradV3(handle=a.handle, flow_in=flow, source="gradients")
  for index, value in ((0, [5.0, 6.0]), (0, [1.0, 1.0]), (1, [2.0, 3.0])):  # gradients add up
    flow = raw.TensorArrayWriteV3(handle=g.grad_handle, index=index, value=value, flow_in=after(flow, lambda: tf.identity(g.flow_out)))
  out = raw.TensorArrayGatherV3(handle=g.grad_handle, indices=[0, 1], flow_in=flow, dtype=tf.float32)
  return [([out, after(out, lambda: raw.TensorArrayCloseV3(handle=a.handle))], {})]


def shaped_gradient():
  a = raw.TensorArrayV3(size=2, dtype=tf.float32, element_shape=[2], clear_after_read=False)
  flow = raw.TensorArrayScatterV3(handle=a.handle, indices=[0, 1], value=f32([[1, 2], [3, 4]]), flow_in=a.flow)
  g = raw.TensorArrayGradWithShape(handle=a.handle, flow_in=flow, shape_to_prepend=[3], source="gradients")
  flow = raw.TensorArrayWriteV3(handle=g.grad_handle, index=1, value=whole(3, 2).array("float32"), flow_in=g.flow_out)
  return [([raw.TensorArrayReadV3(handle=g.grad_handle, index=i, flow_in=flow, dtype=tf.float32) for i in (1, 0)], {})]


def wrong_array(index):
  a = raw.TensorArrayV3(size=2, dtype=tf.float32)
  flow = raw.TensorArrayWriteV3(handle=a.handle, index=0, value=f32([1]), flow_in=a.flow)
  read = lambda: raw.TensorArrayReadV3(handle=a.handle, index=index, flow_in=flow, dtype=tf.float32)
  first = read()
  return [([first, after(first, read)], {})]


# References, and what has no better place

def control():
  yield Scenario("loops over references", ["RefEnter", "RefMerge", "RefSwitch", "RefIdentity", "RefNextIteration", "RefExit"], reference_loop,
                 no_gradient="loops cannot be differentiated yet")
  yield Scenario("RefSelect", ["RefSelect"], lambda: reference_select([0, 1]))
  yield Scenario("RefSelect of none", ["RefSelect"], lambda: reference_select([2]), refused=True)
  yield Scenario("For", ["For"], counted_loop)
  for prefix in ("", "Stateless"):
    yield Scenario("%sIf" % prefix, [prefix + "If"], lambda p=prefix: branch(p))
    yield Scenario("%sCase" % prefix, [prefix + "Case"], lambda p=prefix: several(p))
    yield Scenario("%sWhile" % prefix, [prefix + "While"], lambda p=prefix: loop(p))
  for op in ("PartitionedCall", "StatefulPartitionedCall"):
    yield Scenario(op, [op], lambda o=op: called(o))
  yield Scenario("NoOp", ["NoOp", "ControlTrigger"], lambda: [([raw.NoOp(), raw.ControlTrigger()], {})])
  yield Scenario("Print", ["Print"], lambda: [([raw.Print(input=tf.constant([1, 2]), data=[tf.constant([1.0]), tf.constant("x")], message="oracle ", first_n=1)], {})])
  yield Scenario("PrintV2", ["PrintV2"], lambda: [([raw.PrintV2(input="oracle prints", output_stream="stderr")], {})])
  yield Scenario("optional values", ["OptionalFromValue", "OptionalNone", "OptionalHasValue", "OptionalGetValue"], optional)
  yield Scenario("OptionalGetValue of none", ["OptionalGetValue"], lambda: [(value_of(raw.OptionalNone()), {})], refused=True)
  yield Scenario("OptionalGetValue of another type", ["OptionalGetValue"], lambda: [(value_of(raw.OptionalFromValue(components=[i32([1]), i32([2])])), {})], refused=True)
  yield Scenario("OptionalGetValue of another shape", ["OptionalGetValue"], lambda: [(value_of(raw.OptionalFromValue(components=[f32([1]), tf.constant("x")])), {})], refused=True)
  yield Scenario("session handles", ["GetSessionHandle", "GetSessionTensor", "DeleteSessionTensor"], handles)


def reference_loop():
  v = tf.get_variable(name(), initializer=tf.constant(1.0), use_resource=False)
  with tf.control_dependencies([]):
    out = tf.while_loop(lambda x: x < 5.0, lambda x: tf.assign_add(x, tf.constant(1.5)), [v._ref()])
  return [([v.initializer], {}), ([out], {}), ([v.read_value()], {})]


def reference_select(indices):
  vs = [tf.get_variable(name(), initializer=tf.constant([float(i)]), use_resource=False) for i in range(2)]
  index = tf.placeholder(tf.int32, [])
  chosen = raw.RefSelect(index=index, inputs=[v._ref() for v in vs])
  add = tf.assign_add(chosen, [10.0])
  return [([v.initializer for v in vs], {})] + [([add], {index: i}) for i in indices] + [([v.read_value() for v in vs], {})]


@function.Defun(tf.int32, tf.float32)
def doubled(i, x):
  return i + 1, x * 2.0 + tf.cast(i, tf.float32)


@function.Defun(tf.int32, tf.float32)
def negated(i, x):
  return i - 1, -x


@function.Defun(tf.int32, tf.float32)
def below(i, x):
  return tf.logical_and(i < 7, tf.reduce_sum(x) < 500.0)


def pair():
  return [tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [2])]


def branch(prefix):
  steps = []
  # Not only bool decides: a number by not being zero, anything else by having elements.
  for conditions in ((np.array(True), np.array(False)), (i32(3), i32(0)), (f32(0.5), f32(0)), (f32([1]), f32([])), (np.array(b"x", object), np.array(b"", object))):
    inputs = pair()
    kind = tf.string if conditions[0].dtype == object else tf.as_dtype(conditions[0].dtype)
    condition = tf.placeholder(kind, None)
    out = getattr(raw, prefix + "If")(cond=condition, input=inputs, Tout=[tf.int32, tf.float32], then_branch=doubled, else_branch=negated)
    steps += [(list(out), {condition: c, inputs[0]: 3, inputs[1]: [1, 2]}) for c in conditions]
  return steps


def several(prefix):
  inputs, index = pair(), tf.placeholder(tf.int32, [])
  out = getattr(raw, prefix + "Case")(branch_index=index, input=inputs, Tout=[tf.int32, tf.float32], branches=[doubled, negated, doubled])
  return [(list(out), {index: i, inputs[0]: 3, inputs[1]: [1, 2]}) for i in (0, 1, 2, -1, 7)]  # outside, the last one


def loop(prefix):
  inputs = pair()
  out = getattr(raw, prefix + "While")(input=inputs, cond=below, body=doubled)
  return [(list(out), {inputs[0]: i, inputs[1]: x}) for i, x in ((0, [1, 2]), (9, [1, 2]), (-20, [1, 1]))]


def called(op):
  inputs = pair()
  out = getattr(raw, op)(args=inputs, Tout=[tf.int32, tf.float32], f=doubled)
  return [(list(out), {inputs[0]: 3, inputs[1]: [1, 2]})]


def counted_loop():
  @function.Defun(tf.int32, tf.float32)
  def body(i, x):
    return x * 2.0 + tf.cast(i, tf.float32)

  bounds = [tf.placeholder(tf.int32, []) for _ in range(3)]
  out = functional_ops.For(*bounds, [tf.constant(1.0)], body)
  return [(out, dict(zip(bounds, b))) for b in ((0, 4, 1), (1, 10, 3), (5, 5, 1), (5, 1, -2))]


def value_of(handle):
  return raw.OptionalGetValue(optional=handle, output_types=[tf.float32, tf.string], output_shapes=[[2], []])


def optional():
  x = tf.placeholder(tf.float32, [2])
  some_value, none = raw.OptionalFromValue(components=[x, tf.constant("text")]), raw.OptionalNone()
  return [(value_of(some_value) + [raw.OptionalHasValue(optional=o) for o in (some_value, none)], {x: [1, 2]})]


def handles():
  x = tf.constant([1.0, 2.0, 3.0])
  handle = tf.get_session_handle(x)
  yield [x], {}
  kept = tf.get_default_session().run(handle)
  holder, value = tf.get_session_tensor(kept.handle, tf.float32)
  yield [value * 2.0], {holder: kept.handle}
  holder, delete = tf.delete_session_tensor(kept.handle)
  yield [delete], {holder: kept.handle}
