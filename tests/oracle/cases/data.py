"""Datasets and iterators."""
import atexit
import functools
import os
import tempfile

import tensorflow.compat.v1 as tf

from case import *  # noqa: F403

raw = tf.raw_ops
Dataset = tf.data.Dataset


def read(dataset, count, again=False):
  """Steps that take the first elements, through an iterator that is initialized; twice if asked."""
  iterator = tf.data.make_initializable_iterator(dataset)
  element, start = tf.nest.flatten(iterator.get_next()), iterator.initializer
  element = [tf.sparse.to_dense(part) if isinstance(part, tf.SparseTensor) else part for part in element]
  once = [([start], {})] + [(element, {})] * count
  return once * (2 if again else 1)


def sequence(name, ops, make, count, **options):
  """The first elements of a dataset, and that there are no more."""
  ops = ops + ["IteratorV2", "MakeIterator", "IteratorGetNext"]
  yield Scenario(name, ops, lambda: read(make(), count), **options)
  yield Scenario(name + ", to its end", ops, lambda: read(make(), count + 1), refused=True, **options)


def numbers(n):
  return Dataset.range(n)


def sources():
  for bounds in ((5,), (2, 11, 3), (9, 1, -4), (3, 3)):
    yield from sequence("range%s" % (bounds,), ["RangeDataset"], lambda b=bounds: Dataset.range(*b), len(range(*bounds)))
  for dtype in (tf.int32, tf.float32, tf.float64):
    yield from sequence("range of %s" % dtype.name, ["RangeDataset"], lambda d=dtype: Dataset.range(4, output_type=d), 4)
  both = lambda: (tf.constant([[1, 2], [3, 4], [5, 6]]), {"name": tf.constant(["a", "b", "c"])})
  yield from sequence("rows of tensors", ["TensorSliceDataset"], lambda: Dataset.from_tensor_slices(both()), 3)
  yield from sequence("tensors", ["TensorDataset"], lambda: Dataset.from_tensors(both()), 1)
  yield Scenario("rows of nothing", ["TensorSliceDataset"], lambda: slices([f32([1, 2]), f32([1])]), refused=True)
  yield Scenario("a range without steps", ["RangeDataset"], lambda: read(Dataset.range(1, 5, 0), 1), refused=True)


def slices(components):
  made = raw.TensorSliceDataset(components=[tf.placeholder_with_default(c, None) for c in components], output_shapes=[[], []])
  return [([raw.DatasetCardinality(input_dataset=made)], {})]


@functools.cache
def written():
  """A file of lines and one of records; they are gone when the program ends."""
  folder = tempfile.TemporaryDirectory(prefix="oracle-data-")
  atexit.register(folder.cleanup)
  text, records = os.path.join(folder.name, "lines.txt"), os.path.join(folder.name, "records.tfrecord")
  with open(text, "w", encoding="utf-8") as file:
    file.write("one\ntwo\n\nfour")
  with tf.io.TFRecordWriter(records) as writer:
    for i in range(3):
      writer.write(b"record %d" % i)
  return text, records


def files():
  yield from sequence("lines", ["TextLineDataset"], lambda: tf.data.TextLineDataset([written()[0]] * 2), 8)
  yield from sequence("records", ["TFRecordDataset"], lambda: tf.data.TFRecordDataset(written()[1]), 3)
  yield Scenario("a file that is not there", ["TextLineDataset"], lambda: read(tf.data.TextLineDataset("/nonexistent/x"), 1), refused=True)


def functions():
  offset = lambda: tf.constant(100, tf.int64)
  plain = lambda x: (x * 2, tf.strings.as_string(x))
  yield from sequence("map", ["MapDataset"], lambda: numbers(5).map(plain), 5)
  yield from sequence("map with what it captures", ["MapDataset"], lambda: (lambda o: numbers(4).map(lambda x: x + o))(offset()), 4)
  yield from sequence("parallel map", ["ParallelMapDatasetV2"], lambda: numbers(20).map(plain, num_parallel_calls=3), 20)
  yield from sequence("parallel map as it likes", ["ParallelMapDatasetV2"], lambda: numbers(6).map(plain, num_parallel_calls=-1), 6)
  yield from sequence("a loop in a map", ["MapDataset"], lambda: numbers(4).map(lambda x: tf.while_loop(lambda i, s: i < x, lambda i, s: [i + 1, s + i], [offset() - 100, x])), 4)
  yield from sequence("filter", ["FilterDataset"], lambda: numbers(10).filter(lambda x: tf.equal(x % 3, 1)), 3)
  inner = lambda x: Dataset.from_tensors(x).repeat(x)
  yield from sequence("flat map", ["FlatMapDataset"], lambda: numbers(4).flat_map(inner), 6)
  longer = lambda x: Dataset.range(x * 10, x * 10 + 3)
  for cycle, block in ((2, 1), (3, 2), (5, 4)):
    name = "interleave %d %d" % (cycle, block)
    yield from sequence(name, ["InterleaveDataset"], lambda c=cycle, b=block: numbers(4).interleave(longer, c, b), 12)
    yield from sequence("parallel " + name, ["ParallelInterleaveDatasetV4"], lambda c=cycle, b=block: numbers(4).interleave(longer, c, b, num_parallel_calls=2), 12)
  yield Scenario("an error in a map", ["MapDataset"], lambda: read(numbers(3).map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x, tf.float32), "zero")), 1), refused=True)


def shapes_of_datasets():
  yield from sequence("batch", ["BatchDatasetV2"], lambda: numbers(7).batch(3), 3)
  yield from sequence("batch without the rest", ["BatchDatasetV2"], lambda: numbers(7).batch(3, drop_remainder=True), 2)
  yield from sequence("batches of batches", ["BatchDatasetV2"], lambda: numbers(8).batch(2).batch(2), 2)
  yield from sequence("batches made at the same time", ["ParallelBatchDataset"], lambda: numbers(7).batch(3, num_parallel_calls=2), 3)
  yield Scenario("a batch of nothing", ["BatchDatasetV2"], lambda: read(numbers(3).batch(0), 1), refused=True)
  uneven = lambda: numbers(3).map(lambda x: tf.range(x))
  yield Scenario("a batch of different shapes", ["BatchDatasetV2"], lambda: read(uneven().batch(2), 1), refused=True)
  padded = ["PaddedBatchDatasetV2"]
  yield from sequence("padded batch", padded, lambda: uneven().padded_batch(2), 2)
  yield from sequence("padded batch of a given size", padded, lambda: uneven().padded_batch(2, [5], tf.constant(-1, tf.int64), drop_remainder=True), 1)
  pair = lambda: Dataset.zip((uneven(), uneven().map(tf.strings.as_string)))
  yield from sequence("padded batch of pairs", padded, lambda: pair().padded_batch(3, ([None], [4]), (tf.constant(7, tf.int64), "none")), 1)
  yield Scenario("padded to less", padded, lambda: read(uneven().padded_batch(3, [1]), 1), refused=True)
  for count in (0, 2, -1):
    name = "repeat %d" % count
    yield Scenario(name, ["RepeatDataset"], lambda c=count: read(numbers(3).repeat(c), 0 if c == 0 else 6))
  yield from sequence("take", ["TakeDataset"], lambda: numbers(5).take(3), 3)
  yield from sequence("take all", ["TakeDataset"], lambda: numbers(3).take(-1), 3)
  yield from sequence("skip", ["SkipDataset"], lambda: numbers(5).skip(3), 2)
  yield from sequence("skip all", ["SkipDataset"], lambda: numbers(5).skip(-1), 0)
  yield from sequence("shard", ["ShardDataset"], lambda: numbers(10).shard(4, 1), 3)
  yield Scenario("a shard that is not there", ["ShardDataset"], lambda: read(raw_shard(4, 4), 1), refused=True)
  yield from sequence("zip", ["ZipDataset"], lambda: Dataset.zip((numbers(3), {"a": numbers(5).skip(1), "b": numbers(4)})), 3)
  yield from sequence("concatenate", ["ConcatenateDataset"], lambda: numbers(2).concatenate(Dataset.range(7, 9)), 4)
  yield from sequence("prefetch", ["PrefetchDataset"], lambda: numbers(5).prefetch(2), 5)
  yield from sequence("prefetch as it likes", ["PrefetchDataset"], lambda: numbers(5).prefetch(-1), 5)
  yield from sequence("cache", ["CacheDataset"], lambda: numbers(3).cache().repeat(2), 6)
  yield from sequence("options", ["OptionsDataset"], lambda: numbers(3).with_options(options()), 3)


def raw_shard(count, index):
  inner = numbers(10)
  made = raw.ShardDataset(input_dataset=inner._variant_tensor, num_shards=i64(count), index=i64(index), output_types=[tf.int64], output_shapes=[[]])
  from tensorflow.python.data.ops import dataset_ops
  return dataset_ops._VariantDataset(made, inner.element_spec)


def options():
  chosen = tf.data.Options()
  chosen.deterministic = False
  return chosen


def further():
  yield from sequence("unbatch", ["UnbatchDataset"], lambda: Dataset.from_tensor_slices(([[1, 2], [3, 4]], [["a", "b"], ["c", "d"]])).unbatch(), 4)
  yield Scenario("unbatch scalars", ["UnbatchDataset"], lambda: read(raw_dataset(raw.UnbatchDataset, numbers(3)), 1), refused=True)
  broken = lambda: numbers(6).map(lambda x: tf.debugging.check_numerics(6.0 / (tf.cast(x, tf.float32) - 2.0), "broken"))
  yield from sequence("without what cannot be made", ["IgnoreErrorsDataset"], lambda: broken().ignore_errors(), 5)
  squares = lambda: numbers(9).map(lambda x: x * x)
  yield from sequence("take while", ["TakeWhileDataset"], lambda: squares().take_while(lambda y: y < 20), 5)
  yield Scenario("reduce", ["ReduceDataset"], lambda: [([numbers(6).reduce(tf.constant(3, tf.int64), lambda s, x: s * 2 + x)], {})])
  pair = lambda s, x: (s[0] + 1, s[1] + tf.cast(x, tf.float32))
  yield Scenario("reduce to a pair", ["ReduceDataset"], lambda: [(list(numbers(6).reduce((0, 0.5), pair)), {})])
  yield Scenario("reduce what fails", ["ReduceDataset"], lambda: [([broken().reduce(0.0, lambda s, x: s + x)], {})], refused=True)


def older():
  """Operations that today's client does not make by itself."""
  for op in ("ModelDataset", "ExperimentalIgnoreErrorsDataset"):
    yield Scenario(op, [op], lambda op=op: read(raw_dataset(getattr(raw, op), numbers(6)), 6))
  yield Scenario("ExperimentalUnbatchDataset", ["ExperimentalUnbatchDataset"],
                 lambda: read(raw_dataset(raw.ExperimentalUnbatchDataset, numbers(6).batch(2)), 6))
  yield Scenario("PaddedBatchDataset", ["PaddedBatchDataset"], padded)
  count = lambda: [([raw.ExperimentalDatasetCardinality(input_dataset=numbers(6)._variant_tensor)], {})]
  yield Scenario("ExperimentalDatasetCardinality", ["ExperimentalDatasetCardinality"], count)
  for op in ("AnonymousIterator", "AnonymousIteratorV2", "AnonymousIteratorV3"):
    yield Scenario(op, [op, "DeleteIterator"], lambda o=op: anonymous(o))
  yield Scenario("Iterator", ["Iterator", "IteratorGetNextSync"], sync)


def padded():
  inner = numbers(3).map(lambda x: tf.range(x))
  made = raw.PaddedBatchDataset(
      input_dataset=inner._variant_tensor, batch_size=i64(2), padded_shapes=[i64([4])], padding_values=[i64(9)], output_shapes=[[None, 4]])
  element = raw.DatasetToSingleElement(
      dataset=raw.TakeDataset(input_dataset=made, count=i64(1), output_types=[tf.int64], output_shapes=[[None, 4]]),
      output_types=[tf.int64], output_shapes=[[None, 4]])
  return [(element, {})]


ONE_NUMBER = dict(output_types=[tf.int64], output_shapes=[[]])


def anonymous(op):
  made = getattr(raw, op)(**ONE_NUMBER)
  handle = made.handle if op == "AnonymousIteratorV2" else made
  start = raw.MakeIterator(dataset=numbers(3)._variant_tensor, iterator=handle)
  with tf.control_dependencies([start]):
    first = raw.IteratorGetNext(iterator=handle, **ONE_NUMBER)
  if op == "AnonymousIteratorV2":
    with tf.control_dependencies(first):
      with tf.control_dependencies([raw.DeleteIterator(handle=handle, deleter=made.deleter)]):
        first = [tf.identity(part) for part in first]
  return [(first, {})] * 2


def sync():
  handle = raw.Iterator(shared_name="", container="", **ONE_NUMBER)
  start = raw.MakeIterator(dataset=numbers(3)._variant_tensor, iterator=handle)
  return [([start], {})] + [(raw.IteratorGetNextSync(iterator=handle, **ONE_NUMBER), {})] * 3


def raw_dataset(make, inner, shape=()):
  from tensorflow.python.data.ops import dataset_ops
  made = make(input_dataset=inner._variant_tensor, output_types=[tf.int64], output_shapes=[list(shape)])
  return dataset_ops._VariantDataset(made, tf.TensorSpec(list(shape), tf.int64))


def shuffles():
  for buffer in (1, 3, 10, 100):
    for anew in (True, False):
      name = "shuffle %d%s" % (buffer, " anew" if anew else "")
      make = lambda b=buffer, a=anew: numbers(10).shuffle(b, seed=7, reshuffle_each_iteration=a).repeat(3)
      yield from sequence(name, ["ShuffleDataset"], make, 30)
  yield Scenario("shuffle twice", ["ShuffleDataset"], lambda: read(numbers(10).shuffle(4, seed=3).batch(4), 3, again=True))
  yield Scenario("a shuffle of nothing", ["ShuffleDataset"], lambda: read(numbers(10).shuffle(0, seed=3), 1), refused=True)


def one_shot():
  element = tf.data.make_one_shot_iterator(numbers(4).map(lambda x: x + 1)).get_next()
  return [([element], {})] * 4


def by_string():
  first, second = (tf.data.make_initializable_iterator(numbers(3).map(lambda x, n=n: x + n)) for n in (10, 20))
  handle = tf.placeholder(tf.string, [])
  element = tf.cond(tf.equal(handle, "first"), lambda: again(first), lambda: again(second))
  return [([first.initializer, second.initializer], {}), ([element], {handle: "first"}), ([element], {handle: "second"}), ([element], {handle: "first"})]


def again(iterator):
  """The next element, by way of the iterator's string handle."""
  same = tf.data.Iterator.from_string_handle(iterator.string_handle(), tf.int64, [])
  return same.get_next()


def facts():
  made = {"range": numbers(7), "batch": numbers(7).batch(2), "endless": numbers(3).repeat(), "filter": numbers(3).filter(lambda x: x > 0),
          "zip": Dataset.zip((numbers(3), numbers(9))), "skip": numbers(4).skip(9), "shard": numbers(10).shard(4, 1)}
  return [([raw.DatasetCardinality(input_dataset=d._variant_tensor) for d in made.values()], {})]


def single(count):
  return [([tf.data.experimental.get_single_element(numbers(count))], {})]


def iterators():
  yield Scenario("one shot", ["OneShotIterator", "IteratorGetNext"], one_shot)
  yield Scenario("string handles", ["IteratorToStringHandle", "IteratorFromStringHandleV2", "IteratorFromStringHandle"], by_string)
  yield Scenario("not initialized", ["IteratorV2"], lambda: read(numbers(3), 1)[1:], refused=True)
  yield Scenario("cardinality", ["DatasetCardinality"], facts)
  yield Scenario("single element", ["DatasetToSingleElement"], lambda: single(1))
  yield Scenario("no single element", ["DatasetToSingleElement"], lambda: single(0), refused=True)
  yield Scenario("more than a single element", ["DatasetToSingleElement"], lambda: single(2), refused=True)


def cases():
  yield from sources()
  yield from files()
  yield from functions()
  yield from shapes_of_datasets()
  yield from further()
  yield from older()
  yield from shuffles()
  yield from iterators()
