"""Transformations of datasets: windows, groups, scans, and the older forms of interleaving and batching."""
import tensorflow.compat.v1 as tf
from tensorflow.python.data.experimental.ops import grouping, interleave_ops
from tensorflow.python.data.experimental.ops import batching
from tensorflow.python.data.ops import dataset_ops

from case import *  # noqa: F403
from cases.data import Dataset, numbers, raw, raw_dataset, read, sequence

NUMBER = dict(output_types=[tf.int64], output_shapes=[[]])


def function(body, *types):
  """A function of the graph, for operations that no client makes by itself."""
  return _function(body, [tf.TensorSpec([], t) for t in types or [tf.int64]])


def _function(body, specs):
  from tensorflow.python.eager import def_function
  return def_function.function(body, input_signature=specs).get_concrete_function()


def dataset_of(variant, shape=(), dtype=tf.int64):
  return dataset_ops._VariantDataset(variant, tf.TensorSpec(list(shape), dtype))


def fails_at(*bad):
  """Numbers, of which some fail."""
  wrong = lambda x: tf.reduce_any([tf.equal(x, b) for b in bad])
  return lambda x: tf.debugging.check_numerics(1.0 / tf.where(wrong(x), 0.0, 1.0), "bad") * tf.cast(x, tf.float32)


def windows():
  flat = lambda part: part.batch(9)
  for how in ((2,), (3, 1), (2, 3, 2), (3, 2, 1, True), (2, None, 2, True), (20, 1), (20, 1, 1, True)):
    yield from sequence("windows %s" % (how,), ["WindowDataset"], lambda h=how: numbers(7).window(*h).flat_map(flat),
                        {(2,): 4, (3, 1): 7, (2, 3, 2): 3, (3, 2, 1, True): 3, (2, None, 2, True): 3, (20, 1): 7, (20, 1, 1, True): 0}[how])
  pairs = lambda: Dataset.zip((numbers(5), numbers(5).map(tf.strings.as_string)))
  both = lambda a, b: Dataset.zip((a, b)).batch(2)
  yield from sequence("windows of pairs", ["WindowDataset"], lambda: pairs().window(3).flat_map(both), 3)
  uneven = lambda: numbers(5).map(tf.range)
  yield from sequence("windows of different shapes", ["WindowDataset"], lambda: uneven().window(2).flat_map(lambda w: w), 5)
  yield from sequence("windows of windows", ["WindowDataset"], lambda: numbers(8).window(2).window(2).flat_map(lambda w: w.flat_map(lambda v: v.batch(2))), 4)
  yield Scenario("how many windows", ["WindowDataset"], lambda: [(
      [raw.DatasetCardinality(input_dataset=d._variant_tensor) for d in (numbers(7).window(3), numbers(7).window(3, 2, 2, True), numbers(2).repeat().window(4))], {})])
  for bad in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
    yield Scenario("no window %s" % (bad,), ["WindowDataset"], lambda b=bad: read(raw_window(*b), 1), refused=True)
  broken = lambda: numbers(6).map(fails_at(2)).window(2, 1).flat_map(lambda w: w.batch(2))
  yield Scenario("a window that fails", ["WindowDataset"], lambda: read(broken(), 2), refused=True)
  yield from sequence("windows but those that fail", ["WindowDataset"], lambda: broken().ignore_errors(), 4)
  for op, own in (("SlidingWindowDataset", {"drop_remainder": False}), ("SlidingWindowDataset", {}), ("ExperimentalSlidingWindowDataset", {})):
    yield from sequence("%s %s" % (op, own), [op], lambda o=op, w=own: slide(o, **w), 4 if own else 3)
  yield from sequence("WindowOp", ["WindowOp"], window_op, 2)


def raw_window(size, shift, stride):
  made = raw.WindowDataset(input_dataset=numbers(4)._variant_tensor, size=i64(size), shift=i64(shift), stride=i64(stride),
                           drop_remainder=False, output_types=[tf.variant], output_shapes=[[]])
  return dataset_ops._VariantDataset(made, dataset_ops.DatasetSpec(tf.TensorSpec([], tf.int64))).flat_map(lambda w: w)


def slide(op, **own):
  return dataset_of(getattr(raw, op)(input_dataset=numbers(7)._variant_tensor, window_size=i64(2), window_shift=i64(2), window_stride=i64(1),
                                     output_types=[tf.int64], output_shapes=[[None]], **own), [None])


def window_op(count=4):
  # TensorFlow would fold datasets of constants, and fails then.
  one = tf.random.uniform([], 1, 2, tf.int64)
  inputs = [part for row in range(2) for part in (one + row, tf.strings.as_string(one * row))][:count]
  made = raw.WindowOp(inputs=inputs, output_types=[tf.int64, tf.string], output_shapes=[[], []])
  return dataset_ops._VariantDataset(made, (tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.string)))


def scans():
  total = lambda s, x: (s + x, s * x)
  yield from sequence("scan", ["ScanDataset"], lambda: numbers(6).scan(tf.constant(1, tf.int64), total), 6)
  pair = lambda s, x: ((s[0] + 1, tf.strings.join([s[1], tf.strings.as_string(x)])), (s[1], x))
  yield from sequence("scan of pairs", ["ScanDataset"], lambda: numbers(4).scan((0, ""), pair), 4)
  yield from sequence("scan with what it captures", ["ScanDataset"], lambda: (lambda o: numbers(4).scan(o, lambda s, x: (s + x + o, s)))(tf.constant(5, tf.int64)), 4)
  broken = lambda s, x: (s + 1.0, fails_at(2)(x) + s)
  yield Scenario("a scan that fails", ["ScanDataset"], lambda: read(numbers(4).scan(0.0, broken), 3), refused=True)
  yield from sequence("a scan goes on after a failure", ["ScanDataset"], lambda: numbers(5).scan(0.0, broken).ignore_errors(), 4)
  yield Scenario("how many are scanned", ["ScanDataset"], lambda: [([raw.DatasetCardinality(input_dataset=numbers(4).scan(tf.constant(1, tf.int64), total)._variant_tensor)], {})])
  yield from sequence("ExperimentalScanDataset", ["ExperimentalScanDataset"], experimental_scan, 4)


def experimental_scan():
  f = function(lambda s, x: (s + x, s), tf.int64, tf.int64)
  return dataset_of(raw.ExperimentalScanDataset(
      input_dataset=numbers(4)._variant_tensor, initial_state=[tf.constant(3, tf.int64)], other_arguments=[], f=f, **NUMBER))


def groups():
  key, sized = (lambda x: x % 3), (lambda k: k + 1)
  batched = lambda k, w: w.batch(9).map(lambda b: (k, b))
  by_window = ["GroupByWindowDataset"]
  yield from sequence("groups of a size", by_window, lambda: numbers(11).group_by_window(key, batched, window_size=2), 6)
  yield from sequence("groups of different sizes", by_window, lambda: numbers(11).group_by_window(key, batched, window_size_func=sized), 7)
  yield from sequence("groups made into nothing", by_window, lambda: numbers(9).group_by_window(key, lambda k, w: w.filter(lambda x: x > 4), window_size=2), 4)
  yield from sequence("groups of negative keys", by_window, lambda: numbers(5).group_by_window(lambda x: 2 - x, batched, window_size=3), 5)
  yield Scenario("groups of nothing", by_window, lambda: read(numbers(5).group_by_window(key, batched, window_size_func=lambda k: tf.constant(0, tf.int64)), 1), refused=True)
  buckets = lambda: numbers(12).map(tf.range).bucket_by_sequence_length(tf.size, [4, 8], [2, 2, 3], pad_to_bucket_boundary=False)
  yield from sequence("buckets by length", by_window, buckets, 6)
  counted = lambda: grouping.Reducer(lambda k: (k, tf.constant(0, tf.int64)), lambda s, x: (s[0], s[1] + x), lambda k, total: (k, total))
  by_reducer = ["GroupByReducerDataset"]
  yield from sequence("groups reduced", by_reducer, lambda: numbers(10).apply(grouping.group_by_reducer(key, counted())), 3)
  yield from sequence("groups of nothing reduced", by_reducer, lambda: numbers(0).apply(grouping.group_by_reducer(key, counted())), 0)
  for op in ("ExperimentalGroupByWindowDataset", "ExperimentalGroupByReducerDataset"):
    yield from sequence(op, [op], lambda o=op: experimental_groups(o), 5 if "Window" in op else 2)


def experimental_groups(op):
  key = function(lambda x: x % 2)
  common = dict(input_dataset=numbers(5)._variant_tensor, key_func_other_arguments=[], reduce_func_other_arguments=[], key_func=key, **NUMBER)
  if op == "ExperimentalGroupByReducerDataset":
    return dataset_of(raw.ExperimentalGroupByReducerDataset(
        init_func_other_arguments=[], finalize_func_other_arguments=[], init_func=function(lambda k: k * 100),
        reduce_func=function(lambda s, x: s + x, tf.int64, tf.int64), finalize_func=function(lambda s: -s), **common))
  same = _function(lambda k, group: tf.identity(group), [tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.variant)])
  return dataset_of(raw.ExperimentalGroupByWindowDataset(
      window_size_func_other_arguments=[], reduce_func=same, window_size_func=function(lambda k: k + 2), **common))


def uniques():
  repeated = lambda: numbers(9).map(lambda x: x * x % 5)
  yield from sequence("unique", ["UniqueDataset"], lambda: repeated().unique(), 3)
  yield from sequence("unique strings", ["UniqueDataset"], lambda: repeated().map(tf.strings.as_string).unique(), 3)
  yield from sequence("unique of different shapes", ["UniqueDataset"], lambda: repeated().map(lambda x: tf.zeros([x], tf.int32)).unique(), 3)
  yield Scenario("unique floats", ["UniqueDataset"], lambda: [([raw.DatasetCardinality(input_dataset=raw.UniqueDataset(
      input_dataset=repeated().map(lambda x: tf.cast(x, tf.float32))._variant_tensor, output_types=[tf.float32], output_shapes=[[]]))], {})], refused=True)
  yield from sequence("ExperimentalUniqueDataset", ["ExperimentalUniqueDataset"], lambda: raw_dataset(raw.ExperimentalUniqueDataset, repeated()), 3)


def interleaves():
  longer = lambda x: Dataset.range(x * 10, x * 10 + x)
  legacy = ["LegacyParallelInterleaveDatasetV2"]
  for cycle, block in ((1, 1), (2, 1), (3, 2), (9, 1)):
    yield from sequence("legacy parallel interleave %d %d" % (cycle, block), legacy,
                        lambda c=cycle, b=block: numbers(5).apply(interleave_ops.parallel_interleave(longer, c, b, sloppy=False)), 10)
  f = lambda: _function(lambda x: longer(x)._variant_tensor, [tf.TensorSpec([], tf.int64)])
  base = lambda: dict(input_dataset=numbers(5)._variant_tensor, other_arguments=[], cycle_length=i64(2), block_length=i64(3), f=f(), **NUMBER)
  old = dict(sloppy=False, buffer_output_elements=i64(2), prefetch_input_elements=i64(1))
  for op, own in (("ParallelInterleaveDataset", old), ("ExperimentalParallelInterleaveDataset", old),
                  ("ParallelInterleaveDatasetV2", dict(num_parallel_calls=i64(2))), ("ParallelInterleaveDatasetV3", dict(num_parallel_calls=i64(2), deterministic="true"))):
    yield from sequence(op, [op], lambda o=op, w=own: dataset_of(getattr(raw, o)(**base(), **w)), 10)
  for wrong in (dict(cycle_length=i64(0)), dict(block_length=i64(0)), dict(buffer_output_elements=i64(0)), dict(prefetch_input_elements=i64(-1))):
    yield Scenario("an interleave with %s" % list(wrong)[0], ["ParallelInterleaveDataset"],
                   lambda w=wrong: read(dataset_of(raw.ParallelInterleaveDataset(**{**base(), **old, **w})), 1), refused=True)


def maps_and_batches():
  twice = lambda x: (x * 2, tf.strings.as_string(x))
  both = ["MapAndBatchDataset"]
  for drop in (False, True):
    yield from sequence("map and batch%s" % (" whole" if drop else ""), both,
                        lambda d=drop: numbers(7).apply(batching.map_and_batch(twice, 3, drop_remainder=d, num_parallel_calls=2)), 2 if drop else 3)
  broken = lambda: numbers(10).apply(batching.map_and_batch(fails_at(3, 4), 2, num_parallel_calls=3))
  yield Scenario("a batch that fails", both, lambda: read(broken(), 2), refused=True)
  yield from sequence("batches but those that fail", both, lambda: broken().ignore_errors(), 3)
  yield from sequence("batches behind failures", ["BatchDatasetV2"], lambda: numbers(10).map(fails_at(3)).batch(2).ignore_errors(), 4)
  yield from sequence("padded batches behind failures", ["PaddedBatchDatasetV2"], lambda: numbers(10).map(fails_at(3)).padded_batch(2).ignore_errors(), 4)
  yield Scenario("map and batch of different shapes", both, lambda: read(numbers(4).apply(batching.map_and_batch(tf.range, 2)), 1), refused=True)
  yield Scenario("map and batch of nothing", both, lambda: read(numbers(4).apply(batching.map_and_batch(twice, 0)), 1), refused=True)
  yield from sequence("ExperimentalMapAndBatchDataset", ["ExperimentalMapAndBatchDataset"], experimental_batch, 3)
  filtered = lambda deterministic: plain(raw.ParallelFilterDataset(
      input_dataset=numbers(20)._variant_tensor, other_arguments=[], num_parallel_calls=i64(3), predicate=function(lambda x: tf.equal(x % 3, 1)),
      deterministic=deterministic, **NUMBER))
  for deterministic in ("true", "default"):
    yield from sequence("parallel filter, deterministic %s" % deterministic, ["ParallelFilterDataset"], lambda d=deterministic: filtered(d), 7)
  yield Scenario("parallel filter by numbers", ["ParallelFilterDataset"], lambda: read(plain(raw.ParallelFilterDataset(
      input_dataset=numbers(3)._variant_tensor, other_arguments=[], num_parallel_calls=i64(2), predicate=function(lambda x: x), **NUMBER)), 1), refused=True)


def plain(variant):
  """A dataset that TensorFlow does not rewrite: it cannot describe a parallel filter."""
  options = tf.data.Options()
  options.experimental_optimization.apply_default_optimizations = False
  options.autotune.enabled = False
  return dataset_of(variant).with_options(options)


def experimental_batch():
  return dataset_of(raw.ExperimentalMapAndBatchDataset(
      input_dataset=numbers(5)._variant_tensor, other_arguments=[], batch_size=i64(2), num_parallel_calls=i64(2), drop_remainder=False,
      f=function(lambda x: x + 7), output_types=[tf.int64], output_shapes=[[None]]), [None])


def ends():
  """A function of a map that has nothing more to give ends the dataset."""
  for op, calls in (("MapDataset", None), ("ParallelMapDatasetV2", 1)):
    yield Scenario("a queue ends a %s" % op, [op], lambda c=calls: queue_map(c, 2))
    yield Scenario("a queue ends a %s, to its end" % op, [op], lambda c=calls: queue_map(c, 3), refused=True)


def queue_map(calls, count):
  queue = tf.FIFOQueue(9, tf.int64, [[]])
  mapped = Dataset.from_tensors(0).repeat().map(lambda _: queue.dequeue(), num_parallel_calls=calls)
  return [([queue.enqueue_many([i64([4, 5])])], {}), ([queue.close()], {})] + read(mapped, count)


def shards():
  make = lambda n, count, index: dataset_of(raw.ShardDataset(
      input_dataset=numbers(n)._variant_tensor, num_shards=i64(count), index=i64(index), require_non_empty=True, **NUMBER))
  yield from sequence("a shard that is not empty", ["ShardDataset"], lambda: make(10, 4, 1), 3)
  yield Scenario("a shard that others have nothing of", ["ShardDataset"], lambda: read(make(3, 4, 1), 1), refused=True)


def random_numbers():
  """A function that draws random numbers with a seed draws the same in each iterator, and goes on in its repetitions."""
  drawn = lambda x: tf.random.uniform([], seed=5) + tf.cast(x, tf.float32)
  called = lambda x: tf.cond(x > 1, lambda: drawn(x), lambda: tf.cast(x, tf.float32))
  # TensorFlow's rewrites of pipelines would make a copy of the map for each place it is read in.
  plain = tf.data.Options()
  plain.experimental_optimization.apply_default_optimizations = False
  twice = lambda one: one.concatenate(one).with_options(plain)
  yield Scenario("random numbers in a map", ["MapDataset"], lambda: read(numbers(4).map(drawn), 4, again=True))
  yield Scenario("random numbers in a map that is repeated", ["MapDataset"], lambda: read(numbers(2).map(drawn).repeat(3), 6, again=True))
  yield Scenario("random numbers in a branch of a map", ["MapDataset"], lambda: read(numbers(4).map(called), 4, again=True))
  yield Scenario("random numbers in a map that is read twice", ["MapDataset"], lambda: read(twice(numbers(3).map(drawn)), 6, again=True))


def cases():
  yield from windows()
  yield from scans()
  yield from groups()
  yield from uniques()
  yield from interleaves()
  yield from maps_and_batches()
  yield from ends()
  yield from shards()
  yield from random_numbers()
