"""Iterators: where they stand, their optionals, seeds and caches that they share."""
import functools
import os
import tempfile

import tensorflow.compat.v1 as tf
from tensorflow.python.data.ops import dataset_ops

from case import *  # noqa: F403
from cases.data import ONE_NUMBER, Dataset, numbers, raw, read, sequence


def number_dataset(variant):
  return dataset_ops._VariantDataset(variant, tf.TensorSpec([], tf.int64))


def saved(make, before, after, policy=2):
  """Saves an iterator after some elements, reads on, and restores it twice: as it has gone on, and as it begins anew."""
  iterator = tf.data.make_initializable_iterator(make())
  element, start = tf.nest.flatten(iterator.get_next()), iterator.initializer
  handle = iterator._iterator_resource
  place = dict(prefix=os.path.join(tempfile.mkdtemp(prefix="oracle-iterators-"), "state"), tensor_names=["state"], shape_and_slices=[""])
  save = raw.SaveV2(tensors=[raw.SerializeIterator(resource_handle=handle, external_state_policy=policy)], **place)
  restore = raw.DeserializeIterator(resource_handle=handle, serialized=raw.RestoreV2(dtypes=[tf.variant], **place)[0])
  rest = [(element, {})] * after
  return [([start], {})] + [(element, {})] * before + [([save], {})] + rest + [([restore], {})] + rest + [([start], {}), ([restore], {})] + rest


def positions():
  ops = ["SerializeIterator", "DeserializeIterator"]
  def resumed(name, make, count, stops=None):
    for stop in stops or (0, count // 2, count):
      yield Scenario("%s, saved after %d" % (name, stop), ops, functools.partial(saved, make, stop, count - stop))
  shuffled = lambda n=6: numbers(n).shuffle(4, seed=5)
  doubled = lambda x: x * 2
  inner = lambda x: Dataset.range(x * 10, x * 10 + 3)
  yield from resumed("range", lambda: numbers(7), 7)
  yield from resumed("map", lambda: numbers(7).map(doubled), 7)
  yield from resumed("parallel map", lambda: numbers(7).map(doubled, num_parallel_calls=2), 7)
  yield from resumed("filter", lambda: numbers(9).filter(lambda x: x % 2 > 0), 4)
  yield from resumed("batch", lambda: numbers(9).batch(2), 5)
  yield from resumed("take while", lambda: numbers(9).take_while(lambda x: x < 5), 5)
  yield from resumed("flat map", lambda: numbers(3).flat_map(inner), 9)
  yield from resumed("interleave", lambda: numbers(4).interleave(inner, 2, 2), 12)
  yield from resumed("parallel interleave", lambda: numbers(4).interleave(inner, 2, 2, num_parallel_calls=2), 12)
  yield from resumed("zip", lambda: Dataset.zip((numbers(4), numbers(5).skip(1))), 4)
  yield from resumed("concatenate", lambda: numbers(3).concatenate(numbers(2)), 5)
  yield from resumed("repeat and prefetch", lambda: numbers(3).repeat(2).prefetch(2), 6)
  yield from resumed("shuffle anew", lambda: shuffled().repeat(3), 18, (0, 3, 6, 9, 18))
  yield from resumed("shuffle once", lambda: numbers(6).shuffle(4, seed=5, reshuffle_each_iteration=False).repeat(2), 12)
  yield from resumed("shuffle of a shuffle", lambda: shuffled().repeat(2).shuffle(5, seed=3).repeat(2), 24, (7, 13))
  yield from resumed("cache of a shuffle", lambda: shuffled().cache().repeat(3), 18, (0, 4, 8, 15))
  yield from resumed("random numbers", lambda: Dataset.random(seed=4).take(5), 5)
  stateful = lambda: numbers(3).map(lambda x: tf.cast(x, tf.float32) + tf.random.uniform([]))
  yield Scenario("saved with state outside", ops, lambda: saved(stateful, 1, 0), refused=True)
  yield Scenario("saved before it begins", ops, lambda: saved(lambda: numbers(3), 0, 0)[1:], refused=True)
  yield Scenario("restored before it begins", ops, lambda: saved(lambda: numbers(3), 0, 0)[2:], refused=True)
  yield Scenario("restored to its end", ops, lambda: saved(lambda: numbers(3), 3, 0) + read(numbers(2), 3), refused=True)


def optionals():
  iterator = tf.data.make_initializable_iterator(numbers(2).map(lambda x: (x, tf.strings.as_string(x))))
  optional = iterator.get_next_as_optional()
  value = tf.cond(optional.has_value(), lambda: list(optional.get_value()), lambda: [tf.constant(-1, tf.int64), tf.constant("none")])
  return [([iterator.initializer], {})] + [([optional.has_value()] + value, {})] * 4


def optional_not_initialized():
  iterator = tf.data.make_initializable_iterator(numbers(2))
  return [([iterator.get_next_as_optional().has_value()], {})]


def generator(renew=True):
  return raw.AnonymousSeedGenerator(seed=i64(3), seed2=i64(4), reshuffle=renew)


def shuffled(op, count=None, seeds=(3, 4), buffer=4, **options):
  def make():
    inputs = dict(options)
    if not op.endswith("V2") or op != "ShuffleDatasetV2":
      inputs.update(seed=i64(seeds[0]), seed2=i64(seeds[1]))
    if count is not None:
      inputs.update(count=i64(count))
    if op.endswith(("V2", "V3")):
      inputs.setdefault("seed_generator", raw.DummySeedGenerator())
    return number_dataset(getattr(raw, op)(input_dataset=numbers(6)._variant_tensor, buffer_size=i64(buffer), **inputs, **ONE_NUMBER))
  return make


def with_generator():
  """Two datasets of one generator, each in one step."""
  made = generator()
  variant = lambda: shuffled("ShuffleDatasetV3", seed_generator=made.handle)()._variant_tensor
  return [(reduced([variant(), variant()]), {})] * 2


def reduced(variants):
  """The sums of the datasets' elements."""
  return [number_dataset(variant).reduce(tf.constant(0, tf.int64), lambda s, x: s + x) for variant in variants]


def shuffles():
  for renew in (True, False):
    more = dict(reshuffle_each_iteration=renew)
    label = " anew" if renew else ""
    yield from sequence("shuffle V3" + label, ["ShuffleDatasetV3", "DummySeedGenerator"], lambda m=more: shuffled("ShuffleDatasetV3", **m)().repeat(3), 18)
    for buffer in (1, 4, 6, 9, 100, -2):
      for op in ("ShuffleAndRepeatDataset", "ShuffleAndRepeatDatasetV2"):
        name = "%s %d%s" % (op, buffer, label)
        yield from sequence(name, [op], shuffled(op, 3, buffer=buffer, **more), 18)
  yield Scenario("endless shuffle", ["ShuffleAndRepeatDataset"], lambda: read(shuffled("ShuffleAndRepeatDataset", -1)(), 20))
  yield Scenario("no repetition", ["ShuffleAndRepeatDataset"], lambda: read(shuffled("ShuffleAndRepeatDataset", 0)(), 1), refused=True)
  # Without a generator of its own its order is any; a buffer of one has one order.
  yield from sequence("shuffle V2", ["ShuffleDatasetV2"], shuffled("ShuffleDatasetV2", buffer=1), 6)
  yield Scenario("shuffles of one generator", ["AnonymousSeedGenerator"], with_generator)
  yield Scenario("shuffle all", ["ShuffleDataset"], lambda: read(numbers(10).shuffle(-2, seed=7).repeat(2), 20))
  yield Scenario("a buffer of no size", ["ShuffleDataset"], lambda: read(numbers(10).shuffle(-1, seed=7), 1), refused=True)
  yield Scenario("a generator of two seeds", ["AnonymousSeedGenerator"], lambda: [(generator(tf.constant([True, False])).handle.op, {})], refused=True)
  # The client has no use for it: any dataset that takes a seed generator takes this handle.
  counter = lambda: shuffled("ShuffleDatasetV3", seed_generator=raw.DummyIterationCounter())()
  yield from sequence("a counter of iterations", ["DummyIterationCounter"], counter, 6)


def randoms():
  make = lambda op, **more: number_dataset(getattr(raw, op)(seed=i64(5), seed2=i64(6), **more, **ONE_NUMBER))
  yield Scenario("random numbers", ["RandomDataset"], lambda: read(make("RandomDataset").take(7).repeat(2), 14))
  # TensorFlow can read its older form only without an iterator of the client's.
  older = lambda: make("ExperimentalRandomDataset").take(7).batch(7)
  yield Scenario("older random numbers", ["ExperimentalRandomDataset"], lambda: [([tf.data.experimental.get_single_element(older())], {})])
  for renew in (True, False):
    more = lambda r=renew: dict(seed_generator=raw.DummySeedGenerator(), rerandomize_each_iteration=r)
    yield Scenario("random numbers %s" % renew, ["RandomDatasetV2"], lambda m=more: read(make("RandomDatasetV2", **m()).take(7).repeat(3), 21, again=True))


def cached(memory):
  return number_dataset(raw.CacheDatasetV2(input_dataset=numbers(4)._variant_tensor, filename="", cache=memory, **ONE_NUMBER))


def with_cache():
  made = raw.AnonymousMemoryCache()
  return [(reduced([cached(made.handle)._variant_tensor]), {})] * 2


def caches():
  yield from sequence("cache V2", ["CacheDatasetV2", "DummyMemoryCache"], lambda: cached(raw.DummyMemoryCache()).repeat(2), 8)
  yield Scenario("a cache of its own", ["CacheDatasetV2", "AnonymousMemoryCache"], with_cache)


def wrapped():
  again = raw.UnwrapDatasetVariant(input_handle=raw.WrapDatasetVariant(input_handle=numbers(4)._variant_tensor))
  return read(number_dataset(again), 4)


def not_wrapped():
  return read(number_dataset(raw.UnwrapDatasetVariant(input_handle=numbers(4)._variant_tensor)), 1)


def device(op):
  iterator = tf.data.make_initializable_iterator(numbers(3))
  name = getattr(raw, op)(resource=iterator._iterator_resource)
  return [([tf.strings.regex_replace(name, "^/job:.*/device", "device")], {})]


def model():
  options = tf.data.Options()
  options.autotune.enabled = False
  iterator = tf.data.make_initializable_iterator(numbers(3).with_options(options))
  return [([iterator.initializer], {}), ([raw.IteratorGetModelProto(iterator=iterator._iterator_resource)], {})]


def facts():
  yield Scenario("a wrapped dataset", ["WrapDatasetVariant", "UnwrapDatasetVariant"], wrapped)
  yield Scenario("a dataset that is not wrapped", ["UnwrapDatasetVariant"], not_wrapped, refused=True)
  for op in ("IteratorGetDevice", "ExperimentalIteratorGetDevice"):
    yield Scenario(op, [op], lambda o=op: device(o))
  yield Scenario("the model of an iterator that is not tuned", ["IteratorGetModelProto"], model, refused=True)


def cases():
  yield from positions()
  yield Scenario("optional elements", ["IteratorGetNextAsOptional"], optionals)
  yield Scenario("optional, not initialized", ["IteratorGetNextAsOptional"], optional_not_initialized, refused=True)
  yield from shuffles()
  yield from randoms()
  yield from caches()
  yield from facts()
