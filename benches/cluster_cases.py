"""The graphs of the cluster benchmarks: variables on /job:ps, computation on /job:worker.

Each returns (fetches, targets, feed) as in `side_by_side.mlp`.
"""
from side_by_side import np, tf


def on_cluster(make, task=0):
  """Builds with variables on the parameter server and the rest on one worker."""
  with tf.device(tf.train.replica_device_setter(1, worker_device="/job:worker/task:%d" % task)):
    return make()


def small_variables():
  """200 of 16 floats with Adam: many transfers, no work."""
  total = tf.add_n([tf.reduce_sum(tf.square(tf.get_variable("v%d" % i, [16], initializer=tf.ones_initializer())))
                    for i in range(200)])
  return [total], [tf.train.AdamOptimizer(1e-3).minimize(total)], {}


FLOATS = 25_000_000


def push(apply):
  """100 MB that the worker holds, to a variable of the parameter server."""
  def make():
    with tf.device("/job:worker/task:0"):
      source = tf.get_variable("source", [FLOATS], initializer=tf.ones_initializer())
    with tf.device("/job:ps/task:0"):
      sink = tf.get_variable("sink", [FLOATS], initializer=tf.zeros_initializer())
    with tf.device("/job:worker/task:0"):
      value = source.read_value()
    return [], [getattr(sink, apply)(value).op], {}
  return make


def push_and_pull():
  """100 MB that the worker holds, added to a variable of the parameter server, whose value comes back to the worker."""
  with tf.device("/job:worker/task:0"):
    source = tf.get_variable("source", [FLOATS], initializer=tf.ones_initializer())
    copy = tf.get_variable("copy", [FLOATS], initializer=tf.zeros_initializer())
  with tf.device("/job:ps/task:0"):
    sink = tf.get_variable("sink", [FLOATS], initializer=tf.zeros_initializer())
  with tf.device("/job:worker/task:0"):
    value = source.read_value()
  pushed = sink.assign_add(value).op
  with tf.control_dependencies([pushed]), tf.device("/job:ps/task:0"):
    now = sink.read_value()
  with tf.device("/job:worker/task:0"):
    return [], [copy.assign(now).op], {}


EXAMPLES, LOOKUPS = 512, 26


def wide_embedding():
  """A table of 1,000,000 x 64 with Adagrad, as of click-through models: 512 examples with 26 lookups each, one dense layer."""
  ids = tf.placeholder(tf.int64, [EXAMPLES, LOOKUPS], "ids")
  labels = tf.placeholder(tf.float32, [EXAMPLES, 1], "labels")
  table = tf.get_variable("table", [1_000_000, 64], initializer=tf.constant_initializer(0.1))
  top = tf.get_variable("top", [LOOKUPS * 64, 1], initializer=tf.glorot_uniform_initializer(seed=1))
  rows = tf.reshape(tf.nn.embedding_lookup(table, tf.reshape(ids, [-1])), [EXAMPLES, LOOKUPS * 64])
  loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=tf.matmul(rows, top)))
  train = tf.train.AdagradOptimizer(0.01).minimize(loss)
  rng = np.random.RandomState(0)
  return [loss], [train], {ids: rng.randint(0, 1_000_000, [EXAMPLES, LOOKUPS]), labels: rng.randint(0, 2, [EXAMPLES, 1]).astype("f")}


def embedding():
  """A table of 1,000,000 x 16 with Adagrad; 4,096 rows a step are read and updated."""
  ids = tf.placeholder(tf.int64, [4096], "ids")
  table = tf.get_variable("table", [1_000_000, 16], initializer=tf.constant_initializer(0.1))
  top = tf.get_variable("top", [16, 1], initializer=tf.ones_initializer())
  rows = tf.nn.embedding_lookup(table, ids)
  loss = tf.reduce_mean(tf.square(tf.matmul(rows, top) - 1.0))
  train = tf.train.AdagradOptimizer(0.01).minimize(loss)
  return [loss], [train], {ids: np.random.RandomState(0).randint(0, 1_000_000, 4096)}


def cnn():
  """As LeNet: 28x28x1, two convolutions 5x5 (32, 64) with pooling, 1024, 10; batch 32."""
  x, y = tf.placeholder(tf.float32, [32, 28, 28, 1], "x"), tf.placeholder(tf.int32, [32], "y")
  layer = x
  weights = lambda name, shape, seed: tf.get_variable(name, shape, initializer=tf.glorot_uniform_initializer(seed=seed))
  zeros = lambda name, size: tf.get_variable(name, [size], initializer=tf.zeros_initializer())
  for i, (before, after) in enumerate([(1, 32), (32, 64)]):
    layer = tf.nn.conv2d(layer, weights("k%d" % i, [5, 5, before, after], i), [1, 1, 1, 1], "SAME")
    layer = tf.nn.relu(tf.nn.bias_add(layer, zeros("c%d" % i, after)))
    layer = tf.nn.max_pool(layer, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
  flat = tf.reshape(layer, [32, 7 * 7 * 64])
  hidden = tf.nn.relu(tf.nn.bias_add(tf.matmul(flat, weights("w0", [7 * 7 * 64, 1024], 2)), zeros("b0", 1024)))
  logits = tf.nn.bias_add(tf.matmul(hidden, weights("w1", [1024, 10], 3)), zeros("b1", 10))
  loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
  train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
  rng = np.random.RandomState(0)
  return [loss], [train], {x: rng.rand(32, 28, 28, 1).astype("f"), y: rng.randint(0, 10, 32).astype("i")}


def nothing():
  with tf.device("/job:ps/task:0"):
    return [], [tf.no_op()], {}


def gigabyte(initial):
  """1 GB of variables there, and a push to each of them from the worker: (initializer, push)."""
  with tf.device("/job:ps/task:0"):
    variables = [tf.get_variable("v%d" % i, [FLOATS], initializer=initial(i)) for i in range(10)]
  with tf.device("/job:worker/task:0"):
    deltas = [tf.fill([FLOATS], float(i)) for i in range(10)]
  adds = [v.assign_add(delta).op for v, delta in zip(variables, deltas)]
  return tf.global_variables_initializer(), tf.group(*adds)


# Different in each variable: equal ones could share memory.
INITIAL = {
    "random": lambda i: tf.random_uniform_initializer(seed=i),
    "constant": lambda i: tf.constant_initializer(1.0 + i),
}
