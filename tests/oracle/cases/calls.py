"""Functions that are called for their gradient or elsewhere, and composite tensors."""
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import composite_tensor_ops, functional_ops

from case import *  # noqa: F403

raw = tf.raw_ops


@function.Defun(tf.float32, tf.float32)
def product(x, y):
  return x * y + tf.sin(x), tf.reduce_sum(y)


def gradients_of(f, xs, grads):
  xs, grads = [tf.constant(x) for x in xs], [tf.constant(g) for g in grads]
  return [(functional_ops.symbolic_gradient(input=xs + grads, Tout=[x.dtype for x in xs], f=f), {})] * 2


def through_a_call():
  x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
  results = product(x, y)
  return [(tf.gradients(results, [x, y]), {})]


def own_gradient():

  @function.Defun(tf.float32, tf.float32)
  def gradient(x, dy):
    return dy * 100.0

  @function.Defun(tf.float32, grad_func=gradient)
  def f(x):
    return x * x

  x = tf.constant([1.0, 2.0])
  return [([f(x)] + tf.gradients(f(x), [x]), {})]


def remote(target):

  @function.Defun(tf.int32, tf.string)
  def f(n, text):
    return n + 1, tf.strings.join([text, tf.as_string(n)])

  return [(functional_ops.remote_call(args=[tf.constant(4), tf.constant("n")], Tout=[tf.int32, tf.string], f=f, target=target), {})] * 2


def composite(value, spec=None):
  encoded = composite_tensor_ops.composite_tensor_to_variants(value())
  back = composite_tensor_ops.composite_tensor_from_variant(encoded, spec or value()._type_spec)
  return [(tf.nest.flatten(back, expand_composites=True), {})]


def ragged():
  return tf.ragged.constant([[1, 2], [], [3]])


def sparse():
  return tf.SparseTensor(i64([[0, 1], [2, 0]]), strings("a", "b"), i64([3, 2]))


def cases():
  ops = ["SymbolicGradient"]
  yield Scenario("gradients of a product", ops, lambda: gradients_of(product, [f32([1, 2]), f32([3, 4])], [f32([1, 10]), f32(7)]))
  yield Scenario("gradients of a call", ops, through_a_call)
  yield Scenario("a gradient of one's own", ops, own_gradient)
  for target in ("/cpu:0", "/job:localhost/replica:0/task:0/device:CPU:0"):
    yield Scenario("a call of " + target, ["RemoteCall"], lambda t=target: remote(t))
  yield Scenario("a call of no device", ["RemoteCall"], lambda: remote("nowhere"), refused=True)
  ops = ["CompositeTensorVariantFromComponents", "CompositeTensorVariantToComponents"]
  yield Scenario("a ragged tensor", ops, lambda: composite(ragged))
  yield Scenario("a sparse tensor", ops, lambda: composite(sparse))
  yield Scenario("a sparse tensor that is none", ops, lambda: composite(ragged, tf.SparseTensorSpec([3, 2], tf.string)), refused=True)
