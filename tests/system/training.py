"""Training runs with fixed seeds: the same losses as TensorFlow's own runtime."""
import numpy as np

import models
from harness import Server, session, tf


def losses(make, steps, target, resource):
  with tf.Graph().as_default():
    tf.set_random_seed(1234)
    with tf.variable_scope("", use_resource=resource):
      feeds, loss, train = make(steps)
      init = tf.global_variables_initializer()
    out = []
    with session(target) as s:
      s.run(init)
      for feed in feeds:
        out.append(s.run([loss, train], feed)[0])
    return np.array(out)


def compare(binary, make, steps, resource, rtol=1e-3):
  theirs = losses(make, steps, "", resource)
  with Server(binary) as server:
    ours = losses(make, steps, server.target, resource)
  assert np.isfinite(ours).all()
  difference = np.abs(ours - theirs) / np.abs(theirs)
  assert difference.max() <= rtol, "step %d: %g, expected %g" % (
      difference.argmax(), ours[difference.argmax()], theirs[difference.argmax()])
  assert np.mean(ours[-10:]) < np.mean(ours[:10]), "the loss did not fall: %r" % ours


def test_mlp_with_reference_variables(binary):
  compare(binary, models.mlp, 200, resource=False)


def test_mlp_with_resource_variables(binary):
  compare(binary, models.mlp, 200, resource=True)


def test_cnn_with_reference_variables(binary):
  compare(binary, models.cnn, 200, resource=False)


def test_cnn_with_resource_variables(binary):
  compare(binary, models.cnn, 200, resource=True)


def test_cnn_with_momentum(binary):
  # Few steps: see the model for what rounding does to this setting later on.
  compare(binary, lambda steps: models.cnn(steps, tf.train.MomentumOptimizer(0.01, 0.9), 16), 40, resource=True)


def test_lstm_by_while_loop(binary):
  compare(binary, models.lstm, 30, resource=True)


def test_embedding_with_sparse_adagrad(binary):
  compare(binary, lambda steps: models.embedding(steps, tf.train.AdagradOptimizer(0.3)), 60, resource=False)


def test_embedding_with_ftrl(binary):
  compare(binary, lambda steps: models.embedding(steps, tf.train.FtrlOptimizer(0.3)), 60, resource=True)


def test_function_through_partitioned_call(binary):
  """A tf.function's graph, called by PartitionedCall."""

  def run(target):
    with tf.Graph().as_default():
      @tf.function
      def step(x, n):
        for _ in tf.range(n):
          x = x * 2.0 + tf.reduce_sum(x)
        return x, tf.cond(tf.reduce_sum(x) > 100.0, lambda: tf.constant(1), lambda: tf.constant(2))

      x = tf.placeholder(tf.float32, [3])
      n = tf.placeholder(tf.int32, [])
      out = step(x, n)
      ops = {op.type for op in tf.get_default_graph().get_operations()}
      assert ops & {"PartitionedCall", "StatefulPartitionedCall"}, ops
      with session(target) as s:
        return [s.run(out, {x: [1.0, 2.0, 3.0], n: k}) for k in (0, 1, 5)]

  theirs = run("")
  with Server(binary) as server:
    ours = run(server.target)
  for a, b in zip(ours, theirs):
    np.testing.assert_allclose(a[0], b[0], rtol=1e-6)
    assert a[1] == b[1]
