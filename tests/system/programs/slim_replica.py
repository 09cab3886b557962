#!/usr/bin/env python3
"""A convolutional network of tf-slim on MNIST, trained by parameter servers and workers: one process of this per worker."""
import sys

from worker import Worker, parser, tf

from tensorflow.python.framework import ops

# tf-slim looks for them there, where they were in TensorFlow's first years.
ops.Tensor, ops.IndexedSlices = tf.Tensor, tf.IndexedSlices
import tf_slim as slim  # noqa: E402

from mnist_replica import SAMPLE, read  # noqa: E402


def batches(worker, size):
  """The next batch of this worker's part of the data, for ever."""
  images, labels = read(SAMPLE, "train-images", 16).reshape(-1, 28, 28, 1), read(SAMPLE, "train-labels", 8)
  dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shard(worker.count, worker.task)
  dataset = dataset.shuffle(500, seed=5).repeat()
  scale = lambda image, label: (tf.cast(image, tf.float32) / 255.0 - 0.5, tf.cast(label, tf.int64))
  dataset = dataset.map(scale, num_parallel_calls=tf.data.AUTOTUNE).batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
  iterator = tf.data.make_initializable_iterator(dataset)
  tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
  return iterator.get_next()


def network(images, training=True):
  """Logits, by layers that share their settings."""
  regular = slim.l2_regularizer(1e-4)
  # Averages by tf-slim's own code: those of Keras' layers are no part of TensorFlow any more.
  normal = {"is_training": training, "decay": 0.9, "zero_debias_moving_mean": True}
  with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu, weights_regularizer=regular):
    with slim.arg_scope([slim.conv2d], padding="SAME", normalizer_fn=slim.batch_norm, normalizer_params=normal):
      net = slim.max_pool2d(slim.conv2d(images, 8, [5, 5], stride=2, scope="conv1"), [2, 2], scope="pool1")
      net = slim.repeat(net, 2, slim.conv2d, 8, [3, 3], scope="conv2")
    net = slim.fully_connected(slim.flatten(net), 32, scope="hidden")
    net = slim.dropout(net, 0.8, is_training=training, scope="dropout")
    return slim.fully_connected(net, 10, activation_fn=None, scope="logits")


def train_by_slim(worker, train_op, _):
  """slim's own loop: a Supervisor, its threads, and summaries of the chief. Not for synchronous training, at whose end its
  Supervisor waits in vain for the thread that hands out tokens, with TensorFlow's tasks as with ours."""
  flags, ready = worker.flags, []

  def step(session, train_op, global_step, _):
    if not ready:
      worker.wait_for_start()
      ready.append(True)
    loss, at = session.run([train_op, global_step])
    worker.say("step %d, loss %.6f" % (at, loss))
    return loss, at >= flags.train_steps

  slim.learning.train(
      train_op, flags.checkpoint_dir, step, {}, master=worker.target, is_chief=worker.is_chief, session_config=worker.config,
      save_summaries_secs=1, save_interval_secs=3600, startup_delay_steps=0, saver=tf.train.Saver(sharded=True))


def train_by_session(worker, train_op, sync):
  flags = worker.flags
  hooks = [tf.train.StopAtStepHook(last_step=flags.train_steps)]
  hooks += [sync.make_session_run_hook(worker.is_chief)] if sync else []
  with tf.control_dependencies([train_op]):
    step_after = tf.train.get_global_step().read_value()
  with tf.train.MonitoredTrainingSession(
      worker.target, is_chief=worker.is_chief, checkpoint_dir=flags.checkpoint_dir, hooks=hooks, config=worker.config,
      stop_grace_period_secs=1, save_checkpoint_steps=20, save_summaries_steps=10, log_step_count_steps=None) as session:
    worker.run(session, train_op, train_op, step_after)


def main():
  p = parser(__doc__)
  p.add_argument("--loop", choices=["slim", "session"], default="session")
  worker = Worker(p.parse_args())
  with tf.device(worker.setter()):
    global_step = tf.train.get_or_create_global_step()
    images, labels = batches(worker, 32)
    logits = network(images)
    tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = tf.losses.get_total_loss()
    rate = tf.train.exponential_decay(0.005, global_step, 50, 0.9, staircase=True)
    optimizer = tf.train.RMSPropOptimizer(rate, momentum=0.5)
    sync = worker.synchronized(optimizer) if worker.flags.sync_replicas else None
    # It runs the averages of batch_norm, and gives the loss.
    train_op = slim.learning.create_train_op(loss, sync or optimizer, global_step=global_step, clip_gradient_norm=5.0)
    tf.summary.scalar("loss", loss)
    tf.summary.histogram("logits", logits)
  {"slim": train_by_slim, "session": train_by_session}[worker.flags.loop](worker, train_op, sync)
  worker.say("done")


if __name__ == "__main__":
  sys.exit(main())
