"""Loops that span tasks, Downpour's and TensorFlow's, against TensorFlow alone."""
import numpy as np

from harness import Cluster, session, tf
from waiting import LIMIT_MS

PS, WORKER = "/job:ps/task:0", "/job:worker/task:0"


def simple(x):
  """The condition on one task, the body on both."""
  def condition(i, v):
    with tf.device(WORKER):
      return tf.less(i, 7)

  def body(i, v):
    with tf.device(PS):
      scaled = v * 1.25 + x
    with tf.device(WORKER):
      return i + 1, scaled - 0.5 * tf.cast(i, tf.float32)
  return tf.while_loop(condition, body, [tf.constant(0), x], swap_memory=True)[1]


def condition_elsewhere(x):
  """The condition is computed where nothing else of the loop is."""
  def condition(v):
    with tf.device(PS):
      return tf.less(tf.reduce_sum(v), 100.0)
  with tf.device(WORKER):
    return tf.while_loop(condition, lambda v: v * 1.5, [x])


def nested(x):
  def inner(i, v):
    def body(j, w):
      with tf.device(PS):
        w = w + tf.cast(j, tf.float32) * 0.1
      with tf.device(WORKER):
        return j + 1, w * 1.01
    with tf.device(WORKER):
      return tf.while_loop(lambda j, w: j < i, body, [tf.constant(0), v])[1]

  def body(i, v):
    with tf.device(PS):
      v = v + x
    with tf.device(WORKER):
      return i + 1, inner(i, v)
  with tf.device(WORKER):
    return tf.while_loop(lambda i, v: i < 4, body, [tf.constant(0), x], parallel_iterations=1)[1]


def branches(x):
  """Either branch of a conditional in the body is on the other task, so that dead values cross."""
  def body(i, v):
    def there():
      with tf.device(PS):
        return v * 2.0
    with tf.device(WORKER):
      return i + 1, tf.cond(tf.equal(i % 2, 0), there, lambda: v + 1.0)
  with tf.device(WORKER):
    return tf.while_loop(lambda i, v: i < 5, body, [tf.constant(0), x])[1]


def never(x):
  """No iteration at all."""
  def body(v):
    with tf.device(PS):
      return v * 2.0
  with tf.device(WORKER):
    return tf.while_loop(lambda v: tf.reduce_sum(v) > 1e9, body, [x])


def not_entered(x):
  """The loop is in a branch that is not taken."""
  with tf.device(WORKER):
    return tf.cond(tf.reduce_sum(x) > 1e9, lambda: simple(x), lambda: x + 1.0)


def gradient(loop):
  return lambda x: tf.gradients(tf.reduce_sum(tf.square(loop(x))), x)[0]


def variable(x):
  """A variable of the parameter server is read in each iteration."""
  with tf.device(PS):
    w = tf.get_variable("w", initializer=np.float32([[0.9, 0.1], [0.2, 0.7]]))

  def body(i, v):
    with tf.device(WORKER):
      return i + 1, tf.tanh(tf.matmul(v, w))
  with tf.device(WORKER):
    out = tf.while_loop(lambda i, v: i < 6, body, [tf.constant(0), tf.reshape(x, [1, 2])])[1]
    return tf.gradients(tf.reduce_sum(out), w)[0]


CASES = {
    "simple": simple, "condition_elsewhere": condition_elsewhere, "nested": nested, "branches": branches,
    "never": never, "not_entered": not_entered, "gradient_simple": gradient(simple),
    "gradient_nested": gradient(nested), "gradient_branches": gradient(branches), "variable": variable,
}
FEED = np.array([1.5, -0.25], np.float32)


def run(target, make, clear_devices=False):
  with tf.Graph().as_default() as graph:
    x = tf.placeholder(tf.float32, [2], name="x")
    out = make(x)
    init = tf.global_variables_initializer()
    config = {"isolate_session_state": True, "operation_timeout_in_ms": LIMIT_MS}
    if clear_devices:
      config = {"allow_soft_placement": True}
      definition = graph.as_graph_def()
      for node in definition.node:
        node.device = ""
      with tf.Graph().as_default(), session("", **config) as s:
        x, out, init = tf.import_graph_def(definition, name="", return_elements=[x.name, out.name, init.name])
        s.run(init)
        return s.run(out, {x: FEED})
    with session(target, **config) as s:
      s.run(init)
      first = s.run(out, {x: FEED})
      # A step leaves nothing behind that the next one could take for its own.
      for _ in range(3):
        np.testing.assert_array_equal(s.run(out, {x: FEED}), first)
      return first


def check(binary, foreign=()):
  with Cluster(binary, {"ps": 1, "worker": 1}, foreign) as cluster:
    for name, make in CASES.items():
      expected = run("", make, clear_devices=True)
      for job in ("worker", "ps"):
        got = run(cluster.target(job), make)
        np.testing.assert_allclose(got, expected, rtol=1e-5, err_msg="%s, master on %s" % (name, job))


def test_loops_over_our_tasks(binary):
  check(binary)


def test_loops_over_tensorflow_parameter_servers(binary):
  check(binary, foreign=("ps",))


def test_loops_over_tensorflow_workers(binary):
  check(binary, foreign=("worker",))


def test_an_error_in_a_loop_ends_it_on_all_tasks(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    limit = tf.placeholder(tf.float32, [])

    def body(v):
      with tf.device(PS):
        left = tf.debugging.check_numerics(1.0 / (limit - v), "the limit is reached", name="left")
      with tf.device(WORKER):
        return v + 1.0 + 0.0 * left
    with tf.device(WORKER):
      out = tf.while_loop(lambda v: v < 20.0, body, [0.0])
    with session(cluster.target("worker"), operation_timeout_in_ms=LIMIT_MS) as s:
      for _ in range(3):
        try:
          s.run(out, {limit: 12.0})
          raise AssertionError("no error")
        except tf.errors.InvalidArgumentError as e:
          assert "left" in str(e) and "the limit is reached" in str(e), e
        assert s.run(out, {limit: 1e6}) == 20.0
