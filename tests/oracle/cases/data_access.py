"""Elements of datasets by number, shuffles of whole datasets, and operations that ask something of a dataset."""
from tensorflow.python.data.experimental.ops import distribute, from_list, global_shuffle_op, lookup_ops, map_defun, random_access
from tensorflow.python.data.ops import dataset_ops, map_op
from tensorflow.python.framework import function

from case import *  # noqa: F403
from cases.data import Dataset, numbers, raw, read, sequence, tf


def at(dataset, indices):
  """A step for each index."""
  return [(tf.nest.flatten(random_access.at(dataset, tf.constant(i, tf.int64))), {}) for i in indices]


def looked_up(name, make, indices, ops=(), beyond=1000):
  yield Scenario(name + " by number", ["GetElementAtIndex", *ops], lambda: at(make(), indices))
  for wrong in (-1, beyond):
    yield Scenario("%s by number %d" % (name, wrong), ["GetElementAtIndex", *ops], lambda w=wrong: at(make(), [w]), refused=True)


def preserved(dataset, mapped):
  """A map that keeps the number of elements, as later clients say of every map."""
  return map_op._MapDataset(dataset, mapped, preserve_cardinality=True)


def rows():
  return Dataset.from_tensor_slices((f32([[1, 2], [3, 4], [5, 6]]), {"name": tf.constant(["a", "b", "c"])}))


def by_number():
  yield from looked_up("range", lambda: Dataset.range(3, 20, 4), [4, 0, 2])
  yield from looked_up("range of floats", lambda: Dataset.range(4, output_type=tf.float32), [3, 1])
  yield from looked_up("rows", rows, [2, 0])
  yield from looked_up("one element", lambda: Dataset.from_tensors(i64([1, 2])), [0])
  yield from looked_up("batch", lambda: numbers(7).batch(3), [2, 0])
  yield from looked_up("batch without the rest", lambda: numbers(7).batch(3, drop_remainder=True), [1], beyond=2)
  yield from looked_up("map", lambda: preserved(numbers(5), lambda x: x * 3), [4, 0])
  yield from looked_up("take", lambda: numbers(9).take(4), [3], beyond=4)
  yield from looked_up("skip", lambda: numbers(9).skip(4), [3], beyond=5)
  yield from looked_up("shard", lambda: numbers(9).shard(4, 1), [1, 0], beyond=2)
  yield from looked_up("repeat", lambda: numbers(3).repeat(3), [8, 4, 2], beyond=9)
  yield from looked_up("zip", lambda: Dataset.zip((numbers(4), rows())), [2, 0], beyond=3)
  yield from looked_up("concatenate", lambda: numbers(2).concatenate(Dataset.range(7, 9)), [3, 1, 2, 0], beyond=4)
  yield from looked_up("prefetch", lambda: numbers(5).prefetch(2), [4, 1])
  yield from looked_up("options", lambda: numbers(5).with_options(tf.data.Options()), [4, 1])
  yield from looked_up("shuffle", lambda: numbers(9).shuffle(3, seed=5), list(range(9)))
  yield from looked_up("batch of a shuffle", lambda: numbers(9).shuffle(3, seed=5).batch(2), [4, 1, 0])
  yield from looked_up("unbatch", lambda: numbers(9).batch(4, drop_remainder=True).unbatch(), [7, 3], beyond=8)
  yield Scenario("cache by number", ["GetElementAtIndex"], lambda: at(numbers(9).filter(lambda x: x % 2 > 0).cache(), [3, 0]))
  yield Scenario("cache by number 4", ["GetElementAtIndex"], lambda: at(numbers(9).filter(lambda x: x % 2 > 0).cache(), [4]), refused=True)
  yield Scenario("endless cache by number", ["GetElementAtIndex"], lambda: at(numbers(3).repeat().cache(), [10]))
  for name, make in {"filter": lambda: numbers(3).filter(lambda x: x > 0), "endless": lambda: numbers(3).repeat(),
                     "take of a filter": lambda: numbers(3).filter(lambda x: x > 0).take(1),
                     "unbatch of unknown size": lambda: numbers(5).batch(2).unbatch()}.items():
    yield Scenario(name + " by number", ["GetElementAtIndex"], lambda m=make: at(m(), [0]), refused=True)


def lists():
  pairs = lambda: from_list.from_list([{"a": [1, 2], "b": "x"}, {"a": [3, 4], "b": "y"}, {"a": [5, 6], "b": "z"}])
  yield from sequence("list", ["ListDataset"], pairs, 3)
  yield from looked_up("list", pairs, [2, 0], ops=["ListDataset"])
  yield Scenario("a list that does not come out even", ["ListDataset"], lambda: [([raw.DatasetCardinality(input_dataset=raw.ListDataset(
      tensors=[i64(4)] * 4, output_types=[tf.int64] * 2, output_shapes=[[]] * 2))], {})])


def shuffled(dataset, anew=True, seed=7):
  return global_shuffle_op._global_shuffle(dataset, seed=seed, reshuffle_each_iteration=anew)


def global_shuffles():
  ops = ["GlobalShuffleDataset"]
  for anew in (True, False):
    name = "global shuffle%s" % (" anew" if anew else "")
    yield from sequence(name, ops, lambda a=anew: shuffled(numbers(20), a).repeat(3), 60)
    yield from sequence(name + " of another size", ops, lambda a=anew: shuffled(numbers(300), a), 300)
    yield from sequence(name + " of rounds", ops, lambda a=anew: shuffled(numbers(5).repeat(3), a), 15)
    yield from sequence(name + " of batches", ops, lambda a=anew: shuffled(numbers(20).batch(3, drop_remainder=True), a), 6)
    yield from sequence(name + " twice", ops, lambda a=anew: shuffled(shuffled(numbers(9), a), a, seed=8), 9)
  inner = lambda: preserved(numbers(20).skip(2).take(15).shard(2, 1).concatenate(numbers(4)), lambda x: x * 10)
  yield from sequence("global shuffle of transformations", ops, lambda: shuffled(inner().prefetch(2)), 11)
  yield from sequence("global shuffle of a zip", ops, lambda: shuffled(Dataset.zip((numbers(6), rows().repeat(2)))), 6)
  yield from sequence("global shuffle of a cache", ops, lambda: shuffled(numbers(8).cache()).repeat(2), 16)
  part = lambda i: lambda: shuffled(distribute._AutoShardDataset(numbers(20), 3, i))
  for index in range(3):
    yield from sequence("global shuffle of part %d" % index, ops + ["AutoShardDataset"], part(index), 7 if index < 2 else 6)
  yield from sequence("global shuffle and what follows", ops, lambda: shuffled(numbers(20)).filter(lambda x: x % 3 > 0).batch(4), 4)
  for name, make in {"filter": lambda: numbers(9).filter(lambda x: x > 0), "batch with the rest": lambda: numbers(9).batch(2), "nothing": lambda: numbers(0),
                     "what is skipped": lambda: numbers(9).skip(-1),
                     "endless": lambda: numbers(3).repeat(), "shuffle": lambda: numbers(9).shuffle(3), "unbatch": lambda: numbers(9).batch(3, drop_remainder=True).unbatch()}.items():
    yield Scenario("global shuffle of " + name, ops, lambda m=make: [([raw.DatasetCardinality(input_dataset=shuffled(m())._variant_tensor)], {})], refused=True)


def flat_maps():
  ops = ["IndexFlatMapDataset"]
  words = lambda count=-2: index_flat_map(Dataset.from_tensor_slices(["0 1 2", "3 4 5", "6 7 8"]), split, in_threes, [tf.string], count)
  yield from sequence("index flat map", ops, words, 9)
  yield from sequence("global shuffle of an index flat map", ops + ["GlobalShuffleDataset"], lambda: shuffled(words(9)), 9)
  yield from sequence("index flat map of components", ops, lambda: index_flat_map(numbers(3), pair, in_twos, [tf.int64]), 6)
  for name, place in {"an offset that is not there": beyond, "a place that is no number": no_number, "half a place": half}.items():
    yield Scenario(name, ops, lambda p=place: read(index_flat_map(numbers(3), pair, p, [tf.int64]), 1), refused=True)
  yield Scenario("a global shuffle of unknown size", ops, lambda: [([shuffled(words())._variant_tensor], {})], refused=True)
  ops = ["WeightedFlatMapDataset"]
  parts = lambda *weights: lambda: weighted([numbers(10), Dataset.range(10, 20), Dataset.range(20, 30)], weights)
  yield from sequence("weighted flat map", ops, parts(1.0, 1.0, 2.0), 20)
  yield from sequence("weighted flat map of equal parts", ops, parts(1.0, 1.0, 1.0), 30)
  yield from sequence("weighted flat map of parts that do not come out even", ops, parts(0.3, 0.7, 0.5), 20)
  yield Scenario("weighted flat map of no weight", ops, lambda: read(parts(0.0, 1.0, 1.0)(), 1), refused=True)
  yield Scenario("weighted flat map of what never ends", ops, lambda: read(weighted([numbers(3), numbers(2).repeat()], [1.0, 1.0]), 1), refused=True)


@function.Defun(tf.string)
def split(line):
  return tf.strings.split([line]).values


@function.Defun(tf.int64)
def pair(x):
  return x, x * 10


@function.Defun(tf.int64)
def in_threes(i):
  return i // 3, i % 3


@function.Defun(tf.int64)
def in_twos(i):
  return i // 2, i % 2


@function.Defun(tf.int64)
def beyond(i):
  return i * 0, i + 5


@function.Defun(tf.int64)
def no_number(i):
  return tf.strings.as_string(i), i


@function.Defun(tf.int64)
def half(i):
  return i


def index_flat_map(inner, take_apart, place, types, count=-2):
  made = raw.IndexFlatMapDataset(input_dataset=inner._variant_tensor, map_func_other_args=[], index_map_func_other_args=[], output_cardinality=i64(count),
                                 map_func=take_apart, index_map_func=place, output_types=types, output_shapes=[[]])
  return dataset_ops._VariantDataset(made, tf.TensorSpec([], types[0]))


def weighted(inputs, weights):
  made = raw.WeightedFlatMapDataset(input_datasets=[i._variant_tensor for i in inputs], weights=[np.float64(w) for w in weights],
                                    output_types=[tf.int64], output_shapes=[[]])
  return dataset_ops._VariantDataset(made, tf.TensorSpec([], tf.int64))


def further():
  sample = lambda rate: lambda: raw_sample(numbers(40), rate)
  yield from sequence("sample", ["SamplingDataset"], sample(1.0), 40)
  yield from sequence("sample of half", ["SamplingDataset"], lambda: raw_sample(numbers(40), 0.5).batch(40), 1)
  sizes = {"batch": lambda: numbers(7).batch(2), "later": lambda: numbers(7).batch(2).prefetch(1).repeat(2).take(3), "plain": lambda: numbers(7),
           "map": lambda: numbers(7).batch(2).map(lambda x: x), "zip": lambda: Dataset.zip((numbers(9).batch(3), numbers(7).batch(3))),
           "different": lambda: Dataset.zip((numbers(9).batch(3), numbers(7).batch(2))), "padded": lambda: numbers(7).padded_batch(4, []),
           "concatenate": lambda: numbers(7).batch(2).concatenate(numbers(3).batch(2))}
  for name, make in sizes.items():
    yield Scenario("batch size of " + name, ["ComputeBatchSize"], lambda m=make: [([raw.ComputeBatchSize(input_dataset=m()._variant_tensor)], {})])
  for level in (b"", b"\x08\x01"):
    yield Scenario("cardinality at level %r" % level, ["DatasetCardinality"],
                   lambda o=level: [([raw.DatasetCardinality(input_dataset=numbers(4)._variant_tensor, cardinality_options=o)], {})])


def raw_sample(inner, rate):
  made = raw.SamplingDataset(input_dataset=inner._variant_tensor, rate=rate, seed=i64(3), seed2=i64(4), output_types=[tf.int64], output_shapes=[[]])
  return dataset_ops._VariantDataset(made, inner.element_spec)


def map_defuns():
  double = tf.function(lambda x: (x * 2, tf.reduce_sum(x)), input_signature=[tf.TensorSpec([2], tf.float32)])
  columns = f32([[1, 2], [3, 4], [5, 6]])
  run = lambda rows, shapes: [(map_defun.map_defun(double, [tf.placeholder_with_default(rows, [None, 2])], [tf.float32, tf.float32], shapes), {})]
  no_gradient = "TensorFlow has none either"
  yield Scenario("map defun", ["MapDefun"], lambda: run(columns, [(2,), ()]), no_gradient=no_gradient)
  yield Scenario("map defun of unknown shapes", ["MapDefun"], lambda: run(columns, [None, None]), no_gradient=no_gradient)
  yield Scenario("map defun of no rows", ["MapDefun"], lambda: run(columns[:0], [(2,), ()]), no_gradient=no_gradient)
  yield Scenario("map defun of a wrong shape", ["MapDefun"], lambda: run(columns, [(3,), ()]), refused=True)
  yield Scenario("map defun with what it captures", ["MapDefun"], capturing, no_gradient=no_gradient)


def capturing():
  captured = tf.constant(40)
  add = tf.function(lambda x: x + captured, input_signature=[tf.TensorSpec([], tf.int32)])
  return [(map_defun.map_defun(add, [tf.constant([1, 2, 3])], [tf.int32], [()]), {})]


def tables():
  op = ["InitializeTableFromDataset"]
  words = lambda: Dataset.zip((numbers(5), numbers(5).map(lambda x: tf.strings.as_string(x * 2))))
  yield Scenario("a table of a dataset", op, lambda: filled(words()))
  yield Scenario("a table of nothing", op, lambda: filled(words().take(0))[:1], refused=True)
  same = lambda: Dataset.zip((numbers(5).map(lambda x: x * 0), words().map(lambda key, value: value)))
  yield Scenario("a table of different values for one key", op, lambda: filled(same())[:1], refused=True)
  broken = lambda: words().map(lambda key, value: (key, tf.strings.substr(value, 5, 1)))
  yield Scenario("a table of a dataset that fails", op, lambda: filled(broken())[:1], refused=True)


def filled(dataset):
  table = tf.lookup.StaticHashTable(lookup_ops.DatasetInitializer(dataset), default_value="none")
  return [([table.initializer], {}), ([table.initializer], {}), ([table.lookup(tf.constant([4, 0, 9], tf.int64)), table.size()], {})]


def cases():
  yield from by_number()
  yield from lists()
  yield from global_shuffles()
  yield from flat_maps()
  yield from further()
  yield from map_defuns()
  yield from tables()
