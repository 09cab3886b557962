"""Loops and conditionals and their gradients: of Enter and Exit as older programs build them, and of functions (While, If, Case)."""
import contextlib

from case import *  # noqa: F403
from tensorflow.python.ops import control_flow_util

raw = tf.raw_ops
FRAMES = ["Enter", "Exit", "NextIteration", "LoopCond", "Switch", "Merge", "StackV2", "StackPushV2", "StackPopV2"]
FUNCTIONS = ["While", "StatelessWhile", "TensorListPushBack", "TensorListPopBack", "EmptyTensorList"]


@contextlib.contextmanager
def functional(on):
  before = control_flow_util.ENABLE_CONTROL_FLOW_V2
  control_flow_util.ENABLE_CONTROL_FLOW_V2 = on
  try:
    yield
  finally:
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = before


def cases():
  for style, ops, on in (("frames", FRAMES, False), ("functions", FUNCTIONS, True)):
    def make(build, on=on):
      def built():
        with functional(on):
          return build()
      return built
    for build in (power, captured, nested, branch_inside, loop_inside_branch, branches, never, growing, arrays, arrays_twice, lstm, rows, variable,
                  one_of_many, stopped, nested_branch_inside, reference, two_exits, called_inside, unused):
      yield Scenario("%s: %s" % (style, build.__name__), ops, make(build), rtol=1e-5)
  yield Scenario("switch_case", ["Case", "StatelessCase"], chosen, rtol=1e-5)
  for build in (second, second_nested, second_branch, second_lists):
    yield Scenario(build.__name__, FUNCTIONS, lambda b=build: with_functions(b), rtol=1e-5)


def with_functions(build):
  with functional(True):
    return build()


def power():
  x = tf.placeholder(tf.float32, [2])
  y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * x + tf.sin(y)), [0, x])[1]
  return [([y], {x: f32([1.5, 2])})]


def captured():
  x, w, n = tf.placeholder(tf.float32, [1, 2]), tf.constant([[1.0, 0.5], [-0.3, 0.8]]), tf.placeholder(tf.int32, [])
  bias = tf.constant([0.1, 0.2])
  y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.tanh(y @ w + bias)), [0, x])[1]
  return [([y, y * x], {x: f32([[1, 2]]), n: np.int32(k)}) for k in (0, 1, 5)]


def nested():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([1.1, 0.9])

  def outer(i, y):
    inner = tf.while_loop(lambda j, z: j < i + 1, lambda j, z: (j + 1, z * w + tf.sin(z * y)), [0, y])[1]
    return i + 1, inner * x

  y = tf.while_loop(lambda i, y: i < 3, outer, [0, x * 2])[1]
  return [([y], {x: f32([0.5, 0.7])})]


def branch_inside():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([1.2, 0.7])

  def body(i, y):
    y = tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(y) * w, lambda: tf.reduce_sum(y * y) + y)
    return i + 1, y

  y = tf.while_loop(lambda i, y: i < 5, body, [0, x])[1]
  return [([y], {x: f32([0.5, 0.7])})]


def nested_branch_inside():
  x, w = tf.placeholder(tf.float32, [3]), tf.constant([1.2, 0.7, 0.1])

  def body(i, y):
    inner = lambda: tf.cond(i > 2, lambda: tf.exp(y) * w, lambda: tf.reshape(y, [3, 1])[:, 0] * y)  # noqa: E731
    return i + 1, tf.cond(tf.equal(i % 2, 0), inner, lambda: tf.cos(y)) + y * x

  y = tf.while_loop(lambda i, y: i < 5, body, [0, x])[1]
  return [([y], {x: f32([0.5, 0.7, -0.2])})]


def loop_inside_branch():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([1.2, 0.7])

  def looped():
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.sin(w) + y * y), [0, x])[1]

  y = tf.cond(x[0] > 1, looped, lambda: x * w)

  def body(i, y):
    inner = lambda: tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, tf.tanh(z * w)), [0, y])[1]  # noqa: E731
    return i + 1, tf.cond(y[0] > 0.4, inner, lambda: y * 3)

  z = tf.while_loop(lambda i, y: i < 4, body, [0, x])[1]
  return [([y, z], {x: f32(v)}) for v in ([2, 0.5], [0.1, 0.3])]


def branches():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([3.0, 4.0])
  y = tf.cond(x[0] > 1, lambda: (x * tf.exp(w * x), x), lambda: (tf.reduce_sum(tf.sin(x)) + x, w))
  return [(list(y), {x: f32(v)}) for v in ([2, 0.5], [0, 1])]


def never():
  x = tf.placeholder(tf.float32, [2])
  y = tf.while_loop(lambda i, y, z: i < 0, lambda i, y, z: (i + 1, y * z, z), [0, x, x * 3])
  return [([y[1], y[2]], {x: f32([1, 2])})]


def growing():
  x = tf.placeholder(tf.float32, [1, 2])
  shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.concat([y, y * y[:1]], 0)), [0, x], shape_invariants=shapes)[1]
  return [([y], {x: f32([[1.1, 0.9]])})]


def arrays():
  x = tf.placeholder(tf.float32, [4, 2])
  given = tf.TensorArray(tf.float32, 4, element_shape=[2]).unstack(x)
  out = tf.TensorArray(tf.float32, 4, element_shape=[2])

  def body(i, state, out):
    state = tf.tanh(state + given.read(i))
    return i + 1, state, out.write(i, state * state)

  _, last, out = tf.while_loop(lambda i, s, o: i < 4, body, [0, tf.zeros([2]), out])
  return [([out.stack(), last], {x: f32(np.arange(8).reshape(4, 2) / 5)})]


def arrays_twice():
  x = tf.placeholder(tf.float32, [3, 2])
  array = tf.TensorArray(tf.float32, 3, element_shape=[2], clear_after_read=False).unstack(x)
  y = array.read(0) * array.read(1)
  return [([y, tf.gradients(y, [x])[0]], {x: f32(np.arange(6).reshape(3, 2) / 5)})]


class Cell:
  """A long short-term memory in the shape tf.nn.dynamic_rnn asks for."""
  output_size, state_size = 3, (3, 3)

  def __init__(self, inputs):
    rng = np.random.RandomState(3)
    self.kernel = tf.get_variable("kernel", initializer=(rng.randn(inputs + 3, 12) * 0.4).astype("float32"), use_resource=False)
    self.bias = tf.get_variable("bias", initializer=(rng.randn(12) * 0.1).astype("float32"), use_resource=True)

  def zero_state(self, batch, dtype):
    return tf.zeros([batch, 3], dtype), tf.zeros([batch, 3], dtype)

  def __call__(self, x, state, scope=None):
    c, h = state
    i, j, f, o = tf.split(tf.nn.bias_add(tf.concat([x, h], 1) @ self.kernel, self.bias), 4, 1)
    c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
    h = tf.tanh(c) * tf.sigmoid(o)
    return h, (c, h)


def lstm():
  x, lengths = tf.placeholder(tf.float32, [2, None, 4]), tf.placeholder(tf.int32, [2])
  outputs, state = tf.nn.dynamic_rnn(Cell(4), x, sequence_length=lengths, dtype=tf.float32)
  loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(state[0] * state[1])
  rng = np.random.RandomState(4)
  feed = {x: rng.randn(2, 5, 4).astype("float32"), lengths: i32([5, 3])}
  return [([tf.global_variables_initializer()], {}), ([loss, outputs], feed)]


def rows():
  table = tf.get_variable("table", initializer=np.arange(8.0).reshape(4, 2).astype("float32") / 7, use_resource=True)
  plain = tf.constant([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])

  def body(i, y):
    return i + 1, y * tf.gather(table, [i, 3])[0] + tf.gather(plain, i % 3)

  y = tf.while_loop(lambda i, y: i < 4, body, [0, tf.ones([2])])[1]
  return [([table.initializer], {}), ([y], {})]


def variable():
  v = tf.get_variable("v", initializer=f32([0.5, 1.5]), use_resource=True)
  w = tf.get_variable("w", initializer=f32([0.2, 0.3]), use_resource=False)
  x = tf.placeholder(tf.float32, [2])
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v + tf.sin(w * y)), [0, x])[1]
  z = tf.cond(x[0] > 1, lambda: v * x, lambda: x * w)
  return [([tf.global_variables_initializer()], {}), ([y, z], {x: f32([1.5, 2])}), ([y, z], {x: f32([0.5, 2])})]


def one_of_many():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([1.1, 1.2])
  out = tf.while_loop(lambda i, a, b, c: i < 3, lambda i, a, b, c: (i + 1, a * w, tf.sin(a) * b, c + 1), [0, x, x * x, x + 1])
  return [([out[2]], {x: f32([0.5, 2])}), ([out[1]], {x: f32([0.5, 2])}), ([out[3]], {x: f32([0.5, 2])})]


def stopped():
  x = tf.placeholder(tf.float32, [2])
  out = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * tf.stop_gradient(b), tf.stop_gradient(b * a)), [0, x, x * x])
  return [([out[1]], {x: f32([0.5, 2])})]


def reference():
  v = tf.get_variable("v", initializer=f32([0.5, 1.5]), use_resource=False)
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v), [0, v * 2])[1]
  return [([v.initializer], {}), ([y], {})]


def two_exits():
  x = tf.placeholder(tf.float32, [2])
  out = tf.while_loop(lambda i, a, b: tf.reduce_sum(a) < 20.0, lambda i, a, b: (i + 1, a * 1.5 + b, b * b), [0, x, x * 0.5])
  return [([out[1] * out[2], out[2]], {x: f32([0.5, 2])})]


def called_inside():
  x = tf.placeholder(tf.float32, [2])
  inner = tf.function(lambda a: a * tf.sin(a) + tf.constant([0.5, 0.25]))
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, inner(y) * x), [0, x])[1]
  return [([y], {x: f32([0.5, 2])})]


def unused():
  x = tf.placeholder(tf.float32, [2])

  def body(i, a, b):
    inner = tf.while_loop(lambda j, c, d: j < 2, lambda j, c, d: (j + 1, c * d, tf.sin(d)), [0, a, b])
    return i + 1, inner[1], b

  out = tf.while_loop(lambda i, a, b: i < 2, body, [0, x, x * x])
  return [([out[1]], {x: f32([0.5, 2])})]


def chosen():
  x, k = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
  w = tf.constant([0.5, 0.2])
  with functional(True):
    y = tf.switch_case(k, [lambda: tf.sin(x) * w, lambda: x * x * x, lambda: w], default=lambda: tf.exp(x * w))
  return [([y], {x: f32([0.5, 2]), k: np.int32(i)}) for i in range(5)]


def second():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([0.9, 1.1])
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x * w), [0, x])[1]
  return [(tf.gradients(y * y, [x, w]), {x: f32([0.5, 2])})]


def second_nested():
  x = tf.placeholder(tf.float32, [2])

  def body(i, y):
    return i + 1, tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, tf.sin(z) * x), [0, y])[1]

  y = tf.while_loop(lambda i, y: i < 2, body, [0, x])[1]
  return [(tf.gradients(y, [x]), {x: f32([0.5, 2])})]


def second_branch():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([0.9, 1.1])
  y = tf.cond(x[0] > 1, lambda: tf.exp(x * w) * x, lambda: tf.sin(x * x))
  return [(tf.gradients(y, [x, w]), {x: f32(v)}) for v in ([1.5, 2], [0.5, 1])]


def second_lists():
  x = tf.placeholder(tf.float32, [3, 2])
  given = tf.TensorArray(tf.float32, 3, element_shape=[2]).unstack(x)
  y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y * given.read(i) + given.read(i))), [0, tf.ones([2])])[1]
  return [(tf.gradients(y, [x]), {x: f32(np.arange(6).reshape(3, 2) / 5)})]
