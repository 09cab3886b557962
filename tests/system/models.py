"""The models whose training is compared; each returns (feeds per step, loss, train op)."""
import gzip
import pathlib

import numpy as np

from harness import tf

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "mnist"


def digits(count=6400):
  """The first MNIST training images, as floats, and their labels."""
  images = np.frombuffer(gzip.open(DATA / "train-images-6400.gz").read(), np.uint8)
  labels = np.frombuffer(gzip.open(DATA / "train-labels-6400.gz").read(), np.uint8)
  return images.reshape(-1, 784)[:count].astype("float32") / 255.0, labels[:count].astype("int32")


def weights(name, shape, seed):
  return tf.get_variable(name, shape, initializer=tf.glorot_uniform_initializer(seed=seed))


def zeros(name, shape):
  return tf.get_variable(name, shape, initializer=tf.zeros_initializer())


def classification_loss(labels, logits):
  return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def batches(x, y, steps, batch=32):
  images, labels = digits()
  for i in range(steps):
    at = (i * batch) % (len(images) - batch)
    yield {x: images[at:at + batch], y: labels[at:at + batch]}


def mlp(steps):
  x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
  hidden = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, weights("w1", [784, 64], 1)), zeros("b1", [64])))
  loss = classification_loss(y, tf.matmul(hidden, weights("w2", [64, 10], 2)) + zeros("b2", [10]))
  return batches(x, y, steps), loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def cnn(steps, optimizer=None, batch=32):
  """Two convolutions with pooling, by default at a learning rate at which rounding does not decide the losses.

  A relu whose input is zero but for rounding passes its gradient or not, and training carries that on. So
  TensorFlow differs from itself when its initial weights are off in the last place. Over 200 steps the losses
  differ by up to 5e-4 as here (six runs off by one unit in the last place, six by up to ten), by up to 4e-2 with
  a rate of 0.05 (eight runs, one unit), and with momentum 0.9, rate 0.01 and batches of 16 by 7e-2 in one run of
  nine: at step 67 one relu's input, computed in float64, is 3e-8.
  """
  x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
  image = tf.reshape(x, [-1, 28, 28, 1])
  for i, channels in enumerate([8, 16]):
    kernel = weights("k%d" % i, [5, 5, int(image.shape[-1]), channels], 3 + i)
    image = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(image, kernel, [1, 1, 1, 1], "SAME"), zeros("c%d" % i, [channels])))
    image = tf.nn.max_pool(image, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
  flat = tf.reshape(image, [-1, 7 * 7 * 16])
  loss = classification_loss(y, tf.matmul(flat, weights("w", [7 * 7 * 16, 10], 7)) + zeros("b", [10]))
  optimizer = optimizer or tf.train.GradientDescentOptimizer(0.01)
  return batches(x, y, steps, batch), loss, optimizer.minimize(loss)


def lstm(steps):
  """An LSTM by while loop over the image's rows, with gradients through the loop."""
  x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
  rows = tf.transpose(tf.reshape(x, [-1, 28, 28]), [1, 0, 2])
  size = 24
  kernel, bias = weights("lstm", [28 + size, 4 * size], 11), zeros("lstm_bias", [4 * size])
  inputs = tf.TensorArray(tf.float32, 28).unstack(rows)
  batch = tf.shape(x)[0]

  def body(i, c, h):
    gates = tf.matmul(tf.concat([inputs.read(i), h], 1), kernel) + bias
    new, keep, forget, out = tf.split(gates, 4, 1)
    c = tf.sigmoid(forget + 1.0) * c + tf.sigmoid(keep) * tf.tanh(new)
    return i + 1, c, tf.sigmoid(out) * tf.tanh(c)

  zero = tf.zeros([batch, size])
  _, _, h = tf.while_loop(lambda i, *_: i < 28, body, [0, zero, zero])
  loss = classification_loss(y, tf.matmul(h, weights("out", [size, 10], 12)))
  return batches(x, y, steps, 16), loss, tf.train.AdamOptimizer(0.003).minimize(loss)


def embedding(steps, optimizer):
  rng = np.random.RandomState(5)
  ids, y = tf.placeholder(tf.int64, [None, 6]), tf.placeholder(tf.float32, [None])
  table = weights("table", [1000, 8], 21)
  pooled = tf.reduce_mean(tf.nn.embedding_lookup(table, ids), 1)
  logit = tf.squeeze(tf.matmul(pooled, weights("top", [8, 1], 22)), 1) + zeros("bias", [1])
  loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logit))
  feeds = []
  for _ in range(steps):
    chosen = rng.zipf(1.3, (64, 6)) % 1000
    feeds.append({ids: chosen, y: (chosen.sum(1) % 2).astype("float32")})
  return feeds, loss, optimizer.minimize(loss)
