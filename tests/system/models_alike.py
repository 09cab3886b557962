"""The library's ready-made models, trained by TensorFlow's own layers and optimizers from the same first values."""
import functools
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from harness import tf
from waiting import LIMIT
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl
from tensorflow.python.keras.legacy_tf_layers import convolutional, core, pooling

STEPS = 200


@functools.lru_cache(None)
def folder(server):
  """What the library's example writes: first values, batches, losses."""
  made = tempfile.mkdtemp(prefix="downpour-models-")
  program = pathlib.Path(server).absolute().parent / "examples" / "model_losses"
  subprocess.run([str(program), made, str(STEPS)], check=True, timeout=LIMIT)
  return pathlib.Path(made)


def classified(labels, logits):
  # tf.losses would go through float32.
  return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(labels, tf.int32), logits=logits))


def mlp(batch):
  x = tf.reshape(tf.cast(batch["image"], tf.float32) / 255.0, [-1, 784])
  squares = lambda kernel: 1e-4 * tf.reduce_sum(tf.square(kernel))
  for units in (64, 32):
    x = core.dense(x, units, tf.nn.relu, kernel_regularizer=squares)
  logits = core.dense(x, 10, kernel_regularizer=squares, name="logits")
  return classified(batch["label"], logits) + tf.losses.get_regularization_loss()


def cnn(batch):
  x = batch["image"][..., None]  # bytes, or float64; the program that makes it says why
  x = tf.cast(x, tf.float32) / 255.0 if x.dtype == tf.uint8 else x
  for filters in (8, 16):
    x = convolutional.conv2d(x, filters, 5, padding="same", activation=tf.nn.relu)
    x = pooling.max_pooling2d(x, 2, 2)
  x = core.dense(core.flatten(x), 32, tf.nn.relu)
  return classified(batch["label"], core.dense(x, 10, name="logits"))


def lstm(batch):
  x = tf.unstack(tf.cast(batch["image"], tf.float32) / 255.0, axis=1)
  for scope in ("rnn", "rnn_1"):
    x, _ = tf.nn.static_rnn(rnn_cell_impl.LSTMCell(24, name="lstm_cell"), x, dtype=tf.float32, scope=scope)
  return classified(batch["label"], core.dense(x[-1], 10, name="logits"))


def wide_and_deep(batch):
  labels = tf.cast(tf.equal(batch["income"], ">50K"), tf.float32)
  age = tf.cast(batch["age"], tf.float32)
  ranges = tf.searchsorted([25.0, 35.0, 45.0, 55.0, 65.0], age, side="right")
  gain = tf.math.log1p(tf.cast(batch["capital-gain"], tf.float32)) / 3.0
  female, male = (tf.equal(batch["gender"], name) for name in ("Female", "Male"))
  gender = tf.where(female, tf.zeros_like(ranges), tf.where(male, tf.ones_like(ranges), 2 * tf.ones_like(ranges)))
  hashed = lambda text, buckets: tf.cast(tf.strings.to_hash_bucket_fast(text, buckets), tf.int32)
  education, occupation = hashed(batch["education"], 40), hashed(batch["occupation"], 60)
  crossed = [hashed(tf.strings.join([batch["education"], batch["occupation"]], "_X_"), 300),
             hashed(tf.strings.join([tf.strings.as_string(ranges), batch["gender"]], "_X_"), 50)]
  columns = [(ranges, 6), (education, 40), (gender, 3), (occupation, 60), (crossed[0], 300), (crossed[1], 50)]
  with tf.variable_scope("wide"):
    offsets = np.cumsum([0] + [count for _, count in columns])
    weights = tf.get_variable("weights", [offsets[-1]])
    ids = tf.stack([column + int(offset) for (column, _), offset in zip(columns, offsets)], 1)
    wide = tf.reduce_sum(tf.gather(weights, ids), 1) + tf.get_variable("bias", [1])
  with tf.variable_scope("deep"):
    parts = [tf.stack([(age - 38.6) / 13.7, gain], 1)]
    for name, ids, count, size in (("education", education, 40, 8), ("gender", gender, 3, 2), ("occupation", occupation, 60, 8)):
      parts.append(tf.nn.embedding_lookup(tf.get_variable(name + "/embeddings", [count, size]), ids))
    x = tf.concat(parts, 1)
    for units in (32, 16):
      x = core.dense(x, units, tf.nn.relu)
    deep = core.dense(x, 1, name="logits")[:, 0]
  return tf.losses.sigmoid_cross_entropy(labels, wide + deep)


def scoped(loss):
  """FTRL for the wide part, Adagrad for the deep one."""
  ftrl, adagrad = tf.train.FtrlOptimizer(0.05), tf.train.AdagradOptimizer(0.05)
  return tf.group(ftrl.minimize(loss, var_list=tf.trainable_variables("wide/")),
                  adagrad.minimize(loss, var_list=tf.trainable_variables("deep/")))


MODELS = {
    "mlp": (mlp, lambda loss: tf.train.AdamOptimizer(1e-3).minimize(loss)),
    "cnn": (cnn, lambda loss: tf.train.AdamOptimizer(1e-4).minimize(loss)),
    "cnn_float64": (cnn, lambda loss: tf.train.MomentumOptimizer(1 / 128, 0.875).minimize(loss)),
    "lstm": (lstm, lambda loss: tf.train.AdamOptimizer(1e-3).minimize(loss)),
    "wide_and_deep": (wide_and_deep, scoped),
}


def train(prefix, build, minimize):
  reader = tf.train.load_checkpoint(str(prefix))
  names = reader.get_variable_to_shape_map()
  columns = sorted({name.split("/")[1] for name in names if name.startswith("data/")})
  first = {name: reader.get_tensor(name) for name in names if not name.startswith("data/")}
  with tf.Graph().as_default(), tf.Session() as session:
    with tf.variable_scope("", use_resource=True):
      batch = {}
      for name in columns:
        example = reader.get_tensor("data/%s/0" % name)
        batch[name] = tf.placeholder(reader.get_variable_to_dtype_map()["data/%s/0" % name], example.shape)
      loss = build(batch)
    made = {v.op.name: v for v in tf.trainable_variables()}
    assert sorted(made) == sorted(first), (sorted(made), sorted(first))
    step = minimize(loss)
    session.run(tf.global_variables_initializer())
    for name, variable in made.items():
      variable.load(first[name], session)
    losses = []
    for i in range(STEPS):
      feeds = {place: reader.get_tensor("data/%s/%d" % (name, i)) for name, place in batch.items()}
      losses.append(session.run([loss, step], feeds)[0])
  return losses


def test_models_train_as_in_tensorflow(server):
  for name, (build, minimize) in MODELS.items():
    ours = json.loads((folder(server) / (name + ".json")).read_text())
    theirs = train(folder(server) / name, build, minimize)
    assert np.mean(ours[-20:]) < 0.8 * ours[0], (name, ours)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, err_msg=name)
    print("  %s: losses from %.4f to %.4f, largest relative difference %.1e" % (
        name, ours[0], ours[-1], np.max(np.abs(np.array(ours) / theirs - 1))))
