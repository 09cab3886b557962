"""Datasets as graphs, their parts for workers, checks of datasets, and settings for running them."""
import tensorflow.compat.v1 as tf
from tensorflow.python.data.experimental.ops import distribute, testing
from tensorflow.python.data.ops import dataset_ops, options as options_lib

from case import *  # noqa: F403
from cases.data import ONE_NUMBER, numbers, raw, read, sequence, written

Dataset = tf.data.Dataset
MANY_NUMBERS = dict(output_types=[tf.int64], output_shapes=[[None]])


def made(variant, spec=tf.TensorSpec([], tf.int64)):
  """A dataset of what a raw operation gives."""
  return dataset_ops._VariantDataset(variant, spec)


def variant(dataset):
  return dataset._variant_tensor


def later(value):
  """A value the client does not know, so that it is the server that checks it."""
  return tf.placeholder_with_default(value, None)


VECTOR = tf.TensorSpec([None], tf.int64)
GRAPHS = ["DatasetToGraph", "DatasetToGraphV2", "DatasetFromGraph"]


def assertions():
  for count in (5, 7, 3, -1):
    assert_ = lambda c=count: numbers(5).apply(tf.data.experimental.assert_cardinality(c))
    if count == 5:
      yield from sequence("a right cardinality", ["AssertCardinalityDataset"], assert_, 5)
    else:
      yield Scenario("a wrong cardinality %d" % count, ["AssertCardinalityDataset"], lambda a=assert_: read(a(), 6), refused=True)
  facts = lambda: [([raw.DatasetCardinality(input_dataset=variant(numbers(5).apply(tf.data.experimental.assert_cardinality(9))))], {})]
  yield Scenario("an asserted cardinality", ["AssertCardinalityDataset"], facts)
  for op in ("AssertNextDataset", "ExperimentalAssertNextDataset"):
    next_ = lambda names, o=op: made(getattr(raw, o)(input_dataset=variant(numbers(4)), transformations=names, **ONE_NUMBER))
    plain = lambda dataset: dataset.with_options(unchanged())
    yield from sequence(op, [op], lambda n=next_: plain(n(["Map", "Batch"]).map(lambda x: x + 1).batch(2)), 2)
    yield Scenario(op + ", another", [op], lambda n=next_: read(plain(n(["Whoops"]).map(lambda x: x)), 1), refused=True)
    yield Scenario(op + ", too few", [op], lambda n=next_: read(plain(n(["Root", "Whoops"])), 1), refused=True)
  batches = lambda: numbers(6).map(lambda x: x, num_parallel_calls=2, deterministic=True).batch(2)
  previous = [("BatchDataset", {}), ("ParallelMapDataset", {"deterministic": "true"})]
  yield from sequence("what was before", ["AssertPrevDataset"], lambda: batches().apply(testing.assert_prev(previous)).with_options(unchanged()), 3)
  for wrong in ([("Whoops", {})], [("BatchDataset", {"whoops": "true"})], previous * 3, [("BatchDataset", {}), ("ParallelMapDataset", {"deterministic": "false"})]):
    yield Scenario("what was not before %s" % wrong[0][0], ["AssertPrevDataset"], lambda w=wrong: read(batches().apply(testing.assert_prev(w)).with_options(unchanged()), 1), refused=True)
  for op in ("NonSerializableDataset", "ExperimentalNonSerializableDataset"):
    refuses = lambda o=op: made(getattr(raw, o)(input_dataset=variant(numbers(3)), **ONE_NUMBER))
    yield from sequence(op, [op], refuses, 3)
    yield Scenario(op + " as a graph", [op] + GRAPHS, lambda r=refuses: [([raw.DatasetToGraphV2(input_dataset=variant(r()))], {})], refused=True)


def unchanged():
  options = options_lib.Options()
  options.experimental_optimization.apply_default_optimizations = False
  return options


def batches():
  for op in ("RebatchDataset", "ExperimentalRebatchDataset"):
    cut = lambda n, inner=None, o=op: made(getattr(raw, o)(input_dataset=variant(inner or numbers(10).batch(4)), num_replicas=later(i64(n)), **MANY_NUMBERS), VECTOR)
    for replicas in (1, 2, 3, 7):
      yield Scenario("%s %d" % (op, replicas), [op], lambda n=replicas, c=cut: read(c(n), 3 * n))
    yield Scenario(op + " of nothing", [op], lambda c=cut: read(c(0), 1), refused=True)
    yield Scenario(op + " of scalars", [op], lambda c=cut: read(c(2, numbers(3)), 1), refused=True)
  again = lambda sizes, drop=False, inner=None: made(raw.RebatchDatasetV2(
      input_dataset=variant(inner or numbers(11).batch(4)), batch_sizes=later(i64(sizes)), drop_remainder=drop, **MANY_NUMBERS), VECTOR)
  for sizes, count in (([2], 6), ([3, 1], 5), ([5, 0], 5), ([20], 1), (4, 3)):
    yield from sequence("rebatch %s" % (sizes,), ["RebatchDatasetV2"], lambda s=sizes: again(s), count)
  yield from sequence("rebatch without the rest", ["RebatchDatasetV2"], lambda: again([4, 2], True), 3)
  yield Scenario("rebatch scalars", ["RebatchDatasetV2"], lambda: read(again([2], inner=numbers(3)), 1), refused=True)
  yield Scenario("rebatch by a matrix", ["RebatchDatasetV2"], lambda: read(again([[2]]), 1), refused=True)


def several():
  for op in ("DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset"):
    order = lambda order: Dataset.from_tensor_slices(i64(order))
    woven = lambda chosen, o=op, **attrs: made(getattr(raw, o)(
        selector_input_dataset=variant(chosen), data_input_datasets=[variant(numbers(2)), variant(Dataset.range(10, 15))], **ONE_NUMBER, **attrs))
    yield from sequence(op, [op], lambda w=woven: w(order([0, 1, 1, 0, 0, 1, 0, 1])), 6)
    yield Scenario(op + " of what is not there", [op], lambda w=woven: read(w(order([0, 2])), 2), refused=True)
    yield Scenario(op + " by strings", [op], lambda w=woven: read(w(Dataset.from_tensors("a")), 1), refused=True)
  stops = lambda: Dataset.choose_from_datasets([numbers(2), Dataset.range(10, 15)], Dataset.from_tensor_slices(i64([0, 0, 0, 1])), stop_on_empty_dataset=True)
  yield from sequence("the end of one is the end of all", ["DirectedInterleaveDataset"], stops, 2)
  for op in ("ChooseFastestDataset", "ExperimentalChooseFastestDataset"):
    fastest = lambda o=op, n=2: made(getattr(raw, o)(input_datasets=[variant(numbers(6)), variant(numbers(n * 3))], num_experiments=2, **ONE_NUMBER))
    yield from sequence(op, [op], fastest, 6)
    yield Scenario(op + " of different sizes", [op], lambda f=fastest: read(f(n=3), 1), refused=True)
  yield from sequence("the fastest branch", ["ChooseFastestBranchDataset"], lambda: branches(), 12)
  yield Scenario("a branch of a wrong ratio", ["ChooseFastestBranchDataset"], lambda: read(branches(0), 1), refused=True)


def branches(ratio=1):
  """Two ways to map and batch; the elements are the same."""
  def branch(dataset):
    return variant(made(dataset).map(lambda x: x * 2))
  function = tf.function(branch, input_signature=[tf.TensorSpec([], tf.variant)]).get_concrete_function()
  function.add_to_graph(tf.get_default_graph())
  return made(raw.ChooseFastestBranchDataset(
      input_dataset=variant(numbers(12)), ratio_numerator=later(i64(ratio)), ratio_denominator=later(i64(1)), other_arguments=[],
      num_elements_per_branch=2, branches=[function, function], other_arguments_lengths=[0, 0], **ONE_NUMBER))


def sparse():
  rows = lambda: numbers(5).map(lambda x: tf.fill([x], x))
  for size, shape, count in ((2, [12], 3), (3, [None], 2)):
    batch = lambda s=size, r=shape: rows().apply(tf.data.experimental.dense_to_sparse_batch(s, r))
    yield from sequence("sparse batch %d %s" % (size, shape), ["DenseToSparseBatchDataset"], batch, count)
  two = lambda: numbers(4).map(lambda x: tf.strings.as_string(tf.fill([x, 2], x)))
  yield from sequence("sparse batch of matrices", ["DenseToSparseBatchDataset"], lambda: two().apply(tf.data.experimental.dense_to_sparse_batch(3, [None, 4])), 2)
  wrong = lambda shape, dataset=None: (dataset or rows()).apply(tf.data.experimental.dense_to_sparse_batch(4, shape))
  yield Scenario("a sparse batch of another rank", ["DenseToSparseBatchDataset"], lambda: read(wrong([2, 2]), 1), refused=True)
  yield Scenario("a sparse batch that is too small", ["DenseToSparseBatchDataset"], lambda: read(wrong([2]), 1), refused=True)
  older = lambda: dataset_ops._VariantDataset(raw.ExperimentalDenseToSparseBatchDataset(
      input_dataset=variant(rows()), batch_size=i64(2), row_shape=i64([-1]), output_types=[tf.variant], output_shapes=[[None, None]]), tf.SparseTensorSpec([None, None], tf.int64))
  yield from sequence("sparse batch, older", ["ExperimentalDenseToSparseBatchDataset"], older, 3)
  tensor = lambda: tf.SparseTensor(i64([[0, 0], [0, 3], [2, 1], [2, 2]]), tf.constant([1.0, 2.0, 3.0, 4.0]), i64([4, 4]))
  yield from sequence("rows of a sparse tensor", ["SparseTensorSliceDataset"], lambda: Dataset.from_sparse_tensor_slices(tensor()), 4)
  raw_slices = lambda i, v, s: [([raw.DatasetCardinality(input_dataset=raw.SparseTensorSliceDataset(
      indices=later(i64(i).reshape([-1, 2]) if not i else i64(i)), values=later(i32(v)), dense_shape=later(i64(s))))], {})]
  for name, (i, v, s) in {"no indices": ([], [1], [2, 2]), "indices of another rank": ([[0, 0]], [1], [2]), "indices out of order": ([[1, 0], [0, 0]], [1, 2], [2, 2]),
                          "a negative shape": ([[0, 0]], [1], [-2, 2]), "a vector of indices": ([0, 0], [1, 2], [2])}.items():
    yield Scenario("a sparse tensor with " + name, ["SparseTensorSliceDataset"], lambda a=(i, v, s): raw_slices(*a), refused=True)


def settings():
  """What changes how a pipeline runs and not what it gives."""
  for prefix in ("", "Experimental"):
    for op, argument, good, bad in (("SleepDataset", "sleep_microseconds", 100, -1), ("PrivateThreadPoolDataset", "num_threads", 4, -1),
                                    ("PrivateThreadPoolDataset", "num_threads", 0, 1 << 20), ("MaxIntraOpParallelismDataset", "max_intra_op_parallelism", 1, -1)):
      name = prefix + op
      set_ = lambda value, o=name, a=argument: made(getattr(raw, o)(input_dataset=variant(numbers(4)), **{a: later(i64(value))}, **ONE_NUMBER))
      yield from sequence("%s %d" % (name, good), [name], lambda s=set_, g=good: s(g), 4)
      yield Scenario("%s %d" % (name, bad), [name], lambda s=set_, b=bad: read(s(b), 1), refused=True)
    pool = lambda threads, p=prefix: getattr(raw, p + "ThreadPoolHandle")(num_threads=threads, display_name="pool")
    pooled = lambda threads, p=prefix, h=pool: made(getattr(raw, p + "ThreadPoolDataset")(input_dataset=variant(numbers(4)), thread_pool=h(threads), **ONE_NUMBER))
    ops = [prefix + "ThreadPoolHandle", prefix + "ThreadPoolDataset"]
    yield from sequence("%sThreadPool" % prefix, ops, lambda p=pooled: p(2), 4)
    for threads in (-1, 1 << 20):
      yield Scenario("%sThreadPool of %d" % (prefix, threads), ops, lambda t=threads, p=pooled: read(p(t), 1), refused=True)
  names = ["map_and_batch_fusion", "noop_elimination"]
  optimize = lambda: made(raw.OptimizeDataset(input_dataset=variant(numbers(4).map(lambda x: x + 1)), optimizations=names, **ONE_NUMBER))
  yield from sequence("OptimizeDataset", ["OptimizeDataset"], optimize, 4)
  second = lambda: made(raw.OptimizeDatasetV2(input_dataset=variant(numbers(4).take(-1)), optimizations_enabled=names, optimizations_disabled=["map_fusion"], optimizations_default=tf.constant([], tf.string), **ONE_NUMBER))
  yield from sequence("OptimizeDatasetV2", ["OptimizeDatasetV2"], second, 4)
  yield from sequence("FinalizeDataset", ["FinalizeDataset"], lambda: made(raw.FinalizeDataset(input_dataset=variant(numbers(4)), **ONE_NUMBER)), 4)
  rewrite = lambda name: made(raw.RewriteDataset(input_dataset=variant(numbers(4)), rewrite_name=name, **ONE_NUMBER))
  for name in ("replicate_on_split", "noop_elimination", "whoops"):
    yield from sequence("rewrite: " + name, ["RewriteDataset"], lambda n=name: rewrite(n), 4)


def statistics():
  for prefix in ("", "Experimental"):
    for handle in ["StatsAggregatorHandle"] + ([] if prefix else ["StatsAggregatorHandleV2"]):
      for kind in ("BytesProducedStatsDataset", "LatencyStatsDataset"):
        ops = [prefix + op for op in (handle, kind, "SetStatsAggregatorDataset", "StatsAggregatorSummary")]
        yield Scenario("%s%s for %s" % (prefix, kind, handle), ops, lambda o=ops, k=kind: summarized(o, k))
  alone = lambda: made(raw.LatencyStatsDataset(input_dataset=variant(numbers(4)), tag="tag", **ONE_NUMBER))
  yield from sequence("statistics that nobody asks for", ["LatencyStatsDataset"], alone, 4)


def summarized(ops, kind):
  """How large elements are can be compared, how long they take cannot."""
  make, measure, tell, summarize = (getattr(raw, op) for op in ops)
  handle = make()
  measured = measure(input_dataset=variant(numbers(4)), tag="tag", **ONE_NUMBER)
  told = made(tell(input_dataset=measured, stats_aggregator=handle, tag="all", counter_prefix="", **ONE_NUMBER))
  summary = summarize(iterator=handle)
  return read(told, 4) + [([summary if kind.startswith("Bytes") else tf.not_equal(summary, "")], {})]


def pipelines():
  """Datasets of most kinds that may be written as graphs."""
  offset = lambda: tf.constant(100, tf.int64)
  return {
      "range": lambda: numbers(5),
      "map and batch": lambda: numbers(7).map(lambda x: x * 2).batch(3, drop_remainder=True).unbatch(),
      "captures": lambda: (lambda o: numbers(3).map(lambda x: x + o))(offset()),
      "flat map": lambda: numbers(3).flat_map(lambda x: numbers(x + 1)),
      "interleave": lambda: numbers(3).interleave(lambda x: Dataset.range(x, x + 3), 2, 2, num_parallel_calls=2),
      "filter": lambda: numbers(9).filter(lambda x: x > 4),
      "several": lambda: Dataset.zip((numbers(3), numbers(3).concatenate(numbers(2)))).map(lambda a, b: a * 10 + b),
      "repeat and take": lambda: numbers(3).repeat(3).skip(1).take(5).prefetch(1).cache(),
      "a large tensor": lambda: Dataset.from_tensor_slices(tf.range(1000, dtype=tf.int64)).shard(100, 3),
      "a dataset twice": lambda: (lambda d: d.concatenate(d))(numbers(2)),
      "datasets in a tensor": lambda: Dataset.from_tensor_slices([numbers(2), numbers(3)]).flat_map(lambda d: d),
      "options": lambda: numbers(3).with_options(unchanged()),
  }


def graphs():
  for name, pipeline in pipelines().items():
    for op in GRAPHS[:2]:
      attrs = {"allow_stateful": True} if op == "DatasetToGraph" else {"strip_device_assignment": True}
      back = lambda p=pipeline, o=op, a=attrs: made(raw.DatasetFromGraph(graph_def=getattr(raw, o)(input_dataset=variant(p()), **a)))
      yield Scenario("%s, %s" % (op, name), [op, "DatasetFromGraph"], lambda b=back: [([b().reduce(i64(1), lambda n, x: n * 3 + x)], {})])
  noise = lambda: numbers(3).map(lambda x: x + tf.random.uniform([], 0, 9, tf.int64))
  for op, attrs, refused in (("DatasetToGraph", {}, True), ("DatasetToGraphV2", {"external_state_policy": 2}, True)):
    yield Scenario("%s of what has state" % op, [op], lambda o=op, a=attrs: [([getattr(raw, o)(input_dataset=variant(noise()), **a)], {})], refused=refused)
  ignoring = lambda: [([tf.equal(raw.DatasetToGraphV2(input_dataset=variant(noise()), external_state_policy=1), "")], {})]
  yield Scenario("a graph without its state", ["DatasetToGraphV2"], ignoring)
  for text in (b"", b"\xff\xff\xff"):
    yield Scenario("no graph %r" % text, ["DatasetFromGraph"], lambda t=text: [([raw.DatasetCardinality(input_dataset=raw.DatasetFromGraph(graph_def=later(t)))], {})], refused=True)
  same = lambda a, b: tf.equal(raw.DatasetFingerprint(input_dataset=variant(a)), raw.DatasetFingerprint(input_dataset=variant(b)))
  plus = lambda n: numbers(3).map(lambda x: x + n)
  prints = lambda: [([same(plus(1), plus(1)), same(plus(1), plus(2)), same(numbers(3), numbers(4)), same(numbers(3).batch(2), numbers(3).batch(2)), same(numbers(3).take(1), numbers(3).skip(1))], {})]
  yield Scenario("fingerprints", ["DatasetFingerprint"], prints)


def policy(name, dataset):
  options = options_lib.Options()
  options.experimental_distribute.auto_shard_policy = getattr(tf.data.experimental.AutoShardPolicy, name)
  return dataset.with_options(options)


def shards():
  ops = ["AutoShardDataset"]
  lines = lambda: Dataset.from_tensor_slices([written()[0]] * 4).flat_map(tf.data.TextLineDataset)
  cases = {
      "numbers": lambda: numbers(10), "batches": lambda: numbers(12).batch(2), "a buffer": lambda: numbers(10).prefetch(2),
      "shuffled": lambda: numbers(9).shuffle(9, seed=3), "files": lambda: lines().map(tf.strings.length),
  }
  for name, pipeline in cases.items():
    for chosen in ("AUTO", "DATA", "OFF"):
      part = lambda index, p=pipeline, c=chosen: distribute._AutoShardDataset(policy(c, p()), 3, index)
      for index in range(3 if chosen != "OFF" else 1):
        yield Scenario("%s by %s, part %d" % (name, chosen, index), ops, lambda i=index, p=part: read(p(i), 2))
  yield Scenario("numbers by FILE", ops, lambda: read(distribute._AutoShardDataset(policy("FILE", numbers(10)), 3, 1), 1), refused=True)
  yield Scenario("files by FILE", ops, lambda: read(distribute._AutoShardDataset(policy("FILE", lines()), 2, 1), 8))
  yield Scenario("files by FILE, in random order", ops, lambda: read(distribute._AutoShardDataset(policy("FILE", Dataset.from_tensor_slices([written()[0]] * 4).shuffle(4, seed=2).flat_map(tf.data.TextLineDataset)), 4, 1), 4))
  yield Scenario("fewer files than workers", ops, lambda: read(distribute._AutoShardDataset(policy("FILE", lines()), 5, 1), 1), refused=True)
  hinted = lambda index: distribute._AutoShardDataset(policy("HINT", numbers(10).shard(tf.data.experimental.SHARD_HINT, tf.data.experimental.SHARD_HINT).map(lambda x: x + 1)), 3, index)
  yield Scenario("by HINT", ops + ["ShardDataset"], lambda: read(hinted(1), 3))
  yield Scenario("a hint that nobody takes", ["ShardDataset"], lambda: read(numbers(4).shard(tf.data.experimental.SHARD_HINT, tf.data.experimental.SHARD_HINT), 1), refused=True)
  for workers, index in ((0, 0), (2, 2), (2, -1)):
    wrong = lambda w=workers, i=index: made(raw.AutoShardDataset(input_dataset=variant(numbers(4)), num_workers=later(i64(w)), index=later(i64(i)), **ONE_NUMBER))
    yield Scenario("part %d of %d" % (index, workers), ops, lambda d=wrong: read(d(), 1), refused=True)
  rebatched = lambda replicas: made(raw.AutoShardDataset(
      input_dataset=raw.RebatchDatasetV2(input_dataset=variant(numbers(12).batch(4)), batch_sizes=i64([2]), drop_remainder=False, **MANY_NUMBERS),
      num_workers=i64(2), index=i64(1), num_replicas=replicas, **MANY_NUMBERS), VECTOR)
  yield Scenario("batches for replicas", ops, lambda: read(rebatched(2), 3))
  yield Scenario("batches for no replicas", ops, lambda: read(rebatched(0), 1), refused=True)
  older = lambda: made(raw.ExperimentalAutoShardDataset(input_dataset=variant(numbers(6)), num_workers=i64(2), index=i64(1), **ONE_NUMBER))
  yield from sequence("parts, older", ["ExperimentalAutoShardDataset"], older, 3)


def example(**features):
  kinds = {int: ("int64_list", tf.train.Int64List), float: ("float_list", tf.train.FloatList), bytes: ("bytes_list", tf.train.BytesList)}
  made_ = {}
  for name, values in features.items():
    field, kind = kinds[type(values[0]) if values else int]
    made_[name] = tf.train.Feature(**{field: kind(value=values)})
  return tf.train.Example(features=tf.train.Features(feature=made_)).SerializeToString()


def examples():
  messages = [example(a=[1, 2], b=[b"x"], c=[0.5], d=[7]), example(a=[3, 4], b=[b"y", b"z"], d=[]), example(a=[5, 6], c=[1.5, 2.5, 3.5], d=[8, 9])]
  batches_ = lambda: Dataset.from_tensor_slices(tf.constant(messages)).batch(2)
  features = {"a": tf.io.FixedLenFeature([2], tf.int64), "b": tf.io.VarLenFeature(tf.string), "d": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
  parse = lambda chosen, calls=1, **options: batches_().apply(tf.data.experimental.parse_example_dataset(chosen, calls, **options))
  both = ["ParseExampleDatasetV2"]
  for calls in (1, 3, -1):
    yield from sequence("Examples %d" % calls, both, lambda c=calls: parse(features, c), 2)
  missing = {"c": tf.io.FixedLenFeature([], tf.float32, -1.0), "e": tf.io.FixedLenFeature([], tf.string, "none")}
  yield Scenario("an Example with too many values", both, lambda: read(parse(missing), 2), refused=True)
  yield Scenario("an Example without a value", both, lambda: read(parse({"e": tf.io.FixedLenFeature([], tf.string)}), 1), refused=True)
  yield Scenario("an Example of another type", both, lambda: read(parse({"a": tf.io.FixedLenFeature([2], tf.string)}), 1), refused=True)
  yield Scenario("what is no Example", both, lambda: read(Dataset.from_tensors(tf.constant([b"junk"])).apply(tf.data.experimental.parse_example_dataset(features)), 1), refused=True)
  def ragged():
    dataset = parse({"a": tf.io.RaggedFeature(tf.int64), "c": tf.io.RaggedFeature(tf.float32, row_splits_dtype=tf.int64)})
    return dataset.map(lambda f: (f["a"].to_tensor(-1), f["c"].values, f["c"].row_splits))
  yield from sequence("ragged Examples", both, ragged, 2)
  attrs = lambda: dict(dense_defaults=[tf.constant([0, 0], tf.int64)], sparse_keys=["b"], dense_keys=["a"], sparse_types=[tf.string], dense_shapes=[[2]],
               output_types=[tf.int64, tf.variant], output_shapes=[[None, 2], [None]])
  spec = (tf.TensorSpec([None, 2], tf.int64), tf.SparseTensorSpec([None, None], tf.string))
  for op in ("ParseExampleDataset", "ExperimentalParseExampleDataset"):
    older = lambda calls=2, o=op: dataset_ops._VariantDataset(getattr(raw, o)(input_dataset=variant(batches_()), num_parallel_calls=later(i64(calls)), **attrs()), spec)
    yield from sequence(op, [op], older, 2)
    yield Scenario(op + " by nobody", [op], lambda d=older: read(d(0), 1), refused=True)


def cases():
  yield from assertions()
  yield from batches()
  yield from several()
  yield from sparse()
  yield from settings()
  yield from statistics()
  yield from graphs()
  yield from shards()
  yield from examples()
