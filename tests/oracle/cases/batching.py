"""Calls that are computed in batches."""
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function

from case import *  # noqa: F403

raw = tf.raw_ops
LIMITS = dict(num_batch_threads=1, max_batch_size=4, batch_timeout_micros=1000)


def together(rows, **attrs):
  """Calls of one queue; each row says with how many others it was computed."""

  @function.Defun(tf.float32, tf.float32)
  def f(x, by):
    return x * by, x + tf.cast(tf.shape(x)[0], tf.float32)

  fed = [tf.placeholder(tf.float32, [None]) for _ in rows]
  attrs = dict(LIMITS, shared_name="calls", **attrs)
  made = [raw.BatchFunction(in_tensors=[x], captured_tensors=[tf.constant(2.0)], f=f, Tout=[tf.float32, tf.float32], **attrs) for x in fed]
  return [([part for outputs in made for part in outputs], dict(zip(fed, rows)))] * 2


def alone(feed, function_of_batch):
  """What one step gets that batches with nobody."""
  x = tf.placeholder(tf.float32, [None, 2])
  batched, index, key = raw.Batch(in_tensors=[x], grad_timeout_micros=1000000, allowed_batch_sizes=[3, 4], **LIMITS)
  return [(function_of_batch(x, batched[0], index, key), {x: feed})] * 2


def parts(x, batched, index, key):
  # Keys are drawn at random.
  return [batched, index[:, 1:], tf.reduce_all(tf.equal(index[:, 0], key))]


def unbatched(x, batched, index, key):
  return [raw.Unbatch(batched_tensor=batched * 2.0, batch_index=index, id=key, timeout_micros=1000000)]


def gradient(x, batched, index, key):
  grad = raw.UnbatchGrad(original_input=batched, batch_index=index, grad=x * 3.0, id=key)
  return [grad]


def cases():
  ones = lambda n: np.arange(n, dtype="float32")
  for name, rows, attrs in (
      ("one call", [ones(2)], {}),
      ("a full batch", [ones(4)], {}),
      ("padded", [ones(1)], {"allowed_batch_sizes": [3, 4]}),
      ("spread", [ones(4)], {"allowed_batch_sizes": [3], "enable_large_batch_splitting": True}),
      ("two calls that fill a batch", [ones(2), ones(2) + 5], {"batch_timeout_micros": 100000000}),
      ("no rows", [ones(0)], {})):
    attrs = dict(attrs)
    timeout = attrs.pop("batch_timeout_micros", None)
    yield Scenario(name, ["BatchFunction"], lambda r=rows, a=attrs, t=timeout: limited(r, a, t), no_gradient="calls of one step meet those of another")
  yield Scenario("too many rows", ["BatchFunction"], lambda: together([ones(5)]), refused=True)
  yield Scenario("sizes in no order", ["BatchFunction"], lambda: together([ones(1)], allowed_batch_sizes=[3, 2, 4]), refused=True)
  yield Scenario("sizes without the largest", ["BatchFunction"], lambda: together([ones(1)], allowed_batch_sizes=[3]), refused=True)
  feed = np.arange(4, dtype="float32").reshape(2, 2)
  reason = "each run draws other keys"
  yield Scenario("a batch", ["Batch"], lambda: alone(feed, parts), no_gradient=reason)
  yield Scenario("its rows", ["Batch", "Unbatch"], lambda: alone(feed, unbatched), no_gradient=reason)
  yield Scenario("its gradient", ["Batch", "UnbatchGrad"], lambda: alone(feed, gradient), no_gradient=reason)
  yield Scenario("no batch of scalars", ["Batch"], scalars, refused=True)
  batch, key = np.zeros([2, 2], "float32"), np.int64(5)
  for index in ([[5, 0]], [[5, 0, 1]] * 3):
    yield Refused("Unbatch", [batch, i64(index), key], {"timeout_micros": 1000})
  yield Refused("Unbatch", [batch, i64([[5, 0, 1]]), i64([5])], {"timeout_micros": 1000})
  yield Refused("UnbatchGrad", [batch, i64([[5, 0]]), batch, key])
  yield Refused("UnbatchGrad", [batch, np.zeros([0, 3], "int64"), batch, key])
  yield Refused("UnbatchGrad", [batch, i64([[5, 0, 1]]), batch, i64([5])])


def scalars():
  x = tf.placeholder(tf.float32)
  return [(raw.Batch(in_tensors=[x], grad_timeout_micros=1, **LIMITS)[0], {x: 1.0})]


def limited(rows, attrs, timeout):
  if timeout is None:
    return together(rows, **attrs)
  before = LIMITS["batch_timeout_micros"]
  LIMITS["batch_timeout_micros"] = timeout
  try:
    return together(rows, **attrs)
  finally:
    LIMITS["batch_timeout_micros"] = before
