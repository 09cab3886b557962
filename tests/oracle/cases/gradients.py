"""Graphs whose gradients go through what single operations do not: branches, sums of gradients, variables, second derivatives."""
from case import *  # noqa: F403
from tensorflow.python.ops import cond_v2

raw = tf.raw_ops


def cases():
  yield Scenario("a branch", ["Switch", "Merge"], branch)
  yield Scenario("branches inside a branch", ["Switch", "Merge"], nested)
  yield Scenario("one value used often", ["AddN"], shared)
  yield Scenario("rows of a table", ["ResourceGather", "ReadVariableOp"], rows)
  yield Scenario("rows of a reference table", ["GatherV2", "GatherNd"], reference_rows)
  yield Scenario("second derivatives", ["Tanh", "TanhGrad", "MatMul", "Softmax"], second)
  yield Scenario("sums of eigenvalues", ["Eig"], eigenvalues, rtol=1e-9)
  yield Scenario("real Fourier transforms", ["IRFFT", "IRFFT2D"], fourier, rtol=1e-4, atol=1e-4)
  yield Scenario("printed on the way", ["Print"], printed)
  yield Scenario("with a default", ["PlaceholderWithDefault"], default)
  yield Scenario("through variants", ["RaggedTensorToVariant", "RaggedTensorFromVariant", "OptionalFromValue", "OptionalGetValue"], variants)
  yield Scenario("a function called", ["PartitionedCall", "StatefulPartitionedCall"], called)
  yield Scenario("a functional branch", ["If", "StatelessIf"], functional)
  yield Scenario("a small network", ["Conv2D", "BiasAdd", "Relu", "MaxPool", "MatMul", "SparseSoftmaxCrossEntropyWithLogits"], network, rtol=1e-5)


def branch():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([3.0, 4.0])
  y = tf.cond(x[0] > 1, lambda: x * w, lambda: tf.exp(x))
  return [([y], {x: f32(v)}) for v in ([2, 5], [0, 1])]


def nested():
  x, w = tf.placeholder(tf.float32, []), tf.constant(3.0)
  inner = lambda: tf.cond(x > 5, lambda: x * w, lambda: w * w)  # noqa: E731
  y = tf.cond(x > 1, inner, lambda: x + 1) * x
  return [([y], {x: np.float32(v)}) for v in (0, 2, 7)]


def shared():
  x = tf.placeholder(tf.float32, [2, 3])
  a, b, c = tf.unstack(tf.sin(x) * x, axis=1)
  return [([x * x + x, a + b * a], {x: f32([[1, 2, 3], [4, 5, 6]])})]


def rows():
  table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer(), use_resource=True)
  one, two = tf.gather(table, [1, 1, 3]), tf.gather(table, np.int64([0, 3]))
  whole = table * 2
  return [([table.initializer], {}), ([one, two], {}), ([tf.identity(one), whole], {})]


def reference_rows():
  table = tf.get_variable("table", [4, 2], initializer=tf.ones_initializer(), use_resource=False)
  return [([table.initializer], {}), ([tf.gather(table, [1, 1, 3]), tf.gather_nd(table, [[0, 1], [0, 1]])], {})]


def second():
  x, w = tf.placeholder(tf.float64, [2, 3]), tf.constant(np.arange(12.0).reshape(3, 4) / 10)
  y = tf.nn.softmax(tf.tanh(x @ w))
  first = tf.gradients(tf.square(y), [x, w])
  return [(first, {x: np.array([[0.1, -0.2, 0.3], [1, 2, -1]])})]


def eigenvalues():
  x = tf.placeholder(tf.float64, [3, 3])
  values = raw.Eig(input=x, compute_v=True, Tout=tf.complex128).e
  return [([tf.reduce_sum(values * values), tf.reduce_sum(tf.exp(values))], {x: np.array([[2, 1, 0], [0.5, -1, 1], [0, 0.3, 4]])})]


def fourier():
  rng = np.random.RandomState(7)
  z, p = tf.placeholder(tf.complex64, [2, 5]), tf.placeholder(tf.complex64, [2, 4, 3])
  return [([tf.signal.irfft(z, [8]), tf.signal.irfft2d(p, [4, 4])], {
      t: (rng.randn(*t.shape) + 1j * rng.randn(*t.shape)).astype("complex64") for t in (z, p)})]


def printed():
  x = tf.placeholder(tf.float32, [2])
  return [([raw.Print(input=x * x, data=[x], message="oracle ", first_n=1)], {x: f32([1, 2])})]


def default():
  x = tf.placeholder(tf.float32, [2])
  return [([tf.placeholder_with_default(x * 3, [2]) * x], {x: f32([1, 2])})]


def variants():
  x, splits = tf.placeholder(tf.float32, [5, 2]), tf.constant([0, 2, 2, 5], tf.int64)
  encoded = raw.RaggedTensorToVariant(rt_nested_splits=[splits], rt_dense_values=x * x, batched_input=True)
  decoded = raw.RaggedTensorFromVariant(encoded_ragged=encoded, input_ragged_rank=0, output_ragged_rank=1, Tvalues=tf.float32)
  optional = raw.OptionalFromValue(components=[tf.sin(x)])
  value = raw.OptionalGetValue(optional=optional, output_types=[tf.float32], output_shapes=[[5, 2]])
  feed = {x: f32(np.arange(10).reshape(5, 2))}
  return [([decoded.output_dense_values], feed), (list(value), feed)]


def called():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([3.0, 4.0])
  inner = tf.function(lambda a, b: a * tf.sin(b))
  outer = tf.function(lambda a: (inner(a, w) + a, a * 2))
  random = tf.function(lambda a: a * tf.random.stateless_uniform([2], [1, 2]) * tf.random_uniform([2], seed=3))
  return [(list(outer(x)), {x: f32([1, 2])}), ([random(x)], {x: f32([1, 2])})]


def functional():
  x, w = tf.placeholder(tf.float32, [2]), tf.constant([3.0, 4.0])
  y = cond_v2.cond_v2(x[0] > 1, lambda: x * w, lambda: tf.exp(x) + tf.constant([1.0, 2.0]))
  seeded = cond_v2.cond_v2(x[0] > 1, lambda: x * tf.random_uniform([2], seed=4), lambda: -x)
  return [([y, seeded], {x: f32(v)}) for v in ([2, 5], [0, 1])]


def network():
  rng = np.random.RandomState(5)
  images, labels = tf.placeholder(tf.float32, [2, 8, 8, 1]), tf.placeholder(tf.int32, [2])
  weights = {n: tf.constant(rng.randn(*s).astype("float32") * 0.3) for n, s in (
      ("kernel", (3, 3, 1, 4)), ("bias", (4,)), ("dense", (64, 5)))}
  y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(images, weights["kernel"], 1, "SAME"), weights["bias"]))
  y = tf.reshape(tf.nn.max_pool(y, 2, 2, "SAME"), [2, 64]) @ weights["dense"]
  loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=y))
  return [([loss], {images: rng.rand(2, 8, 8, 1).astype("float32"), labels: i32([1, 4])})]
