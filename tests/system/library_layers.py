"""Layers, losses and metrics of the Rust library against TensorFlow's, with equal first values."""
import numpy as np

from harness import tf
from library import STEPS, close, load
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl


def waves(*shape):
  count = int(np.prod(shape))
  return np.sin(0.37 * np.arange(count)).astype(np.float32).reshape(shape)


def variable(name, shape, initializer):
  with tf.variable_scope("", use_resource=True):
    return tf.get_variable(name, shape, initializer=initializer)


def glorot(seed):
  return tf.glorot_uniform_initializer(seed=seed)


ZEROS, ONES = tf.zeros_initializer(), tf.ones_initializer()


def norm_variables(channels):
  return variable("norm/gamma", [channels], ONES), variable("norm/beta", [channels], ZEROS)


def cnn():
  kernel, bias = variable("conv/kernel", [3, 3, 2, 5], glorot(1)), variable("conv/bias", [5], ZEROS)
  hidden = tf.nn.relu(tf.nn.conv2d(waves(4, 8, 8, 2), kernel, 1, "SAME") + bias)
  hidden, _, _ = tf.nn.fused_batch_norm(hidden, *norm_variables(5), epsilon=1e-3)
  hidden = tf.nn.max_pool2d(hidden, 2, 2, "VALID")
  top = variable("logits/kernel", [80, 3], glorot(2))
  logits = tf.matmul(tf.reshape(hidden, [4, 80]), top) + variable("logits/bias", [3], ZEROS)
  return tf.losses.sparse_softmax_cross_entropy([0, 2, 1, 1], logits)


def mlp():
  he = lambda seed: tf.initializers.he_normal(seed=seed)
  hidden = tf.matmul(waves(6, 4), variable("hidden/kernel", [4, 8], he(1))) + variable("hidden/bias", [8], ZEROS)
  hidden = tf.compat.v2.nn.gelu(hidden)
  gamma, beta = norm_variables(8)
  mean, variance = tf.nn.moments(hidden, [0])
  hidden = tf.nn.batch_normalization(hidden, mean, variance, beta, gamma, 1e-3)
  hidden = tf.nn.dropout(hidden, rate=0.25, seed=5)
  y = tf.matmul(hidden, variable("top/kernel", [8, 1], he(2))) + variable("top/bias", [1], ZEROS)
  return tf.losses.mean_squared_error(waves(6, 1), y)


def recurrent(cell):
  table = variable("words/embeddings", [5, 4], tf.random_uniform_initializer(-1, 1, seed=9))
  words = tf.nn.embedding_lookup(table, [[0, 3, 1], [2, 2, 4]])
  state = cell.zero_state(2, tf.float32)
  outputs = []
  with tf.variable_scope("cell", use_resource=True, initializer=glorot(8)):
    for word in tf.unstack(words, axis=1):
      output, state = cell(word, state)
      outputs.append(output)
  top = variable("top/kernel", [6, 2], glorot(3))
  logits = tf.tensordot(tf.stack(outputs, 1), top, 1) + variable("top/bias", [2], ZEROS)
  return tf.losses.sigmoid_cross_entropy(waves(2, 3, 2), logits)


def attention():
  def dense(name, x):
    kernel = variable("attention/%s/kernel" % name, [4, 4], glorot(4))
    return tf.tensordot(x, kernel, 1) + variable("attention/%s/bias" % name, [4], ZEROS)

  split = lambda x: tf.transpose(tf.reshape(x, [2, 3, 2, 2]), [0, 2, 1, 3])
  x = tf.constant(waves(2, 3, 4))
  query, key, value = (split(dense(name, x)) for name in ("query", "key", "value"))
  scores = tf.matmul(query / np.sqrt(2.0).astype(np.float32), key, transpose_b=True)
  scores = tf.where(np.tril(np.ones([2, 2, 3, 3])) > 0, scores, tf.fill([2, 2, 3, 3], -1e9))
  taken = tf.transpose(tf.matmul(tf.nn.softmax(scores), value), [0, 2, 1, 3])
  y = dense("output", tf.reshape(taken, [2, 3, 4]))
  return tf.losses.huber_loss(tf.fill([2, 3, 4], 0.5), y, delta=0.2)


MODELS = {
    "cnn": cnn,
    "mlp": mlp,
    "lstm": lambda: recurrent(rnn_cell_impl.BasicLSTMCell(6)),
    "gru": lambda: recurrent(rnn_cell_impl.GRUCell(6)),
    "attention": attention,
}


def test_layers_of_the_library_are_those_of_tensorflow(server):
  for name, build in MODELS.items():
    _, facts = load(server, "layers_" + name)
    with tf.Graph().as_default(), tf.Session() as session:
      tf.set_random_seed(23)
      loss = build()
      train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
      session.run(tf.global_variables_initializer())
      losses = []
      for _ in range(STEPS):
        losses.append(session.run(loss))
        session.run(train)
    np.testing.assert_allclose(facts["values"], losses, rtol=2e-4, err_msg=name)


def test_losses_of_the_library_are_those_of_tensorflow(server):
  a = tf.constant(waves(4, 3))
  b, c = tf.cos(a) * 2.0, tf.square(a + 0.25)
  bits = tf.constant([[0.0, 1.0, 1.0]] * 4)
  distance = lambda x, y: tf.reduce_sum(tf.square(x - y), -1)
  wanted = {
      "weighted": tf.losses.mean_squared_error(b, a, weights=[[1.0], [0.0], [2.0], [0.5]]),
      "softmax": tf.losses.softmax_cross_entropy(tf.nn.softmax(a), b),
      "sparse_softmax": tf.losses.sparse_softmax_cross_entropy([2, 0, 1, 2], b),
      "sigmoid": tf.losses.sigmoid_cross_entropy(bits, b),
      "squared": tf.losses.mean_squared_error(b, a),
      "absolute": tf.losses.absolute_difference(b, a),
      "hinge": tf.losses.hinge_loss(bits, b),
      "huber": tf.losses.huber_loss(b, a, delta=0.5),
      "triplet": tf.reduce_mean(tf.maximum(distance(a, b) - distance(a, c) + 0.4, 0.0)),
      "contrastive": tf.reduce_mean(bits * c**2 + (1 - bits) * tf.maximum(1.5 - c, 0.0)**2),
  }
  with tf.Session() as session:
    values = session.run(wanted)
  for name, value in values.items():
    _, facts = load(server, "loss_" + name)
    close(facts["values"][0], value, name)


def test_metrics_of_the_library_are_those_of_tensorflow(server):
  with tf.Graph().as_default(), tf.Session() as session:
    step = tf.placeholder(tf.float32, [])
    predictions = tf.sigmoid(tf.sin(waves(20) + step * 0.3))
    labels = tf.constant(waves(20) > 0.1)
    guesses = predictions > 0.5
    wanted = {
        "mean": tf.metrics.mean(predictions),
        "accuracy": tf.metrics.accuracy(labels, guesses),
        "precision": tf.metrics.precision(labels, guesses),
        "recall": tf.metrics.recall(labels, guesses),
        "auc": tf.metrics.auc(labels, predictions),
        "pr": tf.metrics.auc(labels, predictions, num_thresholds=50, curve="PR", summation_method="trapezoidal"),
    }
    session.run(tf.local_variables_initializer())
    values = []
    for i in range(STEPS):
      values.append(session.run({name: value for name, (value, _) in wanted.items()}))
      session.run([update for _, update in wanted.values()], {step: i})
  for name in wanted:
    _, facts = load(server, "metric_" + name)
    close(facts["values"], [v[name] for v in values], name)
