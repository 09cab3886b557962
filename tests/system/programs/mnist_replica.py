#!/usr/bin/env python3
"""Trains on MNIST with parameter servers and workers: one process of this per worker, as articles on distributed TensorFlow have it.

  mnist_replica.py --ps_hosts=HOST:PORT,... --worker_hosts=HOST:PORT,... --job_name=worker --task_index=0

Without --target the process is a task itself (tf.train.Server); with it, it is only the client of a task that already
runs. Without hosts everything is local.
"""
import argparse
import functools
import gzip
import itertools
import os
import pathlib
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "data" / "mnist"


def flags():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  hosts = lambda text: [host for host in text.split(",") if host]
  p.add_argument("--ps_hosts", type=hosts, default=[])
  p.add_argument("--worker_hosts", type=hosts, default=[])
  p.add_argument("--job_name", choices=["ps", "worker"], default="worker")
  p.add_argument("--task_index", type=int, default=0)
  p.add_argument("--target", help="the running task that this process is the client of")
  p.add_argument("--data_dir", default=SAMPLE, help="where train-images* and train-labels* are: IDX files or bare bytes, gzipped or not")
  p.add_argument("--checkpoint_dir")
  p.add_argument("--save_steps", type=int, default=20)
  p.add_argument("--train_steps", type=int, default=100, help="stop at this global step")
  p.add_argument("--log_interval", type=int, default=1)
  p.add_argument("--batch_size", type=int, default=32)
  p.add_argument("--hidden_units", type=int, default=64)
  p.add_argument("--learning_rate", type=float, default=0.003)
  p.add_argument("--sync_replicas", action="store_true", help="average the gradients of all workers for each update")
  p.add_argument("--partitions", type=int, default=1, help="cut variables into this many parts, spread by size")
  p.add_argument("--use_resource", action="store_true")
  p.add_argument("--dataset", action="store_true", help="read through a tf.data pipeline instead of feeding")
  p.add_argument("--start_file", help="do not train before this file is there")
  p.add_argument("--recovery_wait_secs", type=int, default=1, help="how often to look whether the session can go on")
  return p.parse_args()


def read(folder, name, header):
  """The bytes of a data file; an IDX file's header starts with two zeros and the type of its elements."""
  path = sorted(pathlib.Path(folder).glob(name + "*"))[0]
  data = (gzip.open if path.suffix == ".gz" else open)(path, "rb").read()
  is_idx = data[:3] == b"\x00\x00\x08" and data[3] == (header - 4) // 4
  return np.frombuffer(data, np.uint8, offset=header if is_idx else 0)


def batches(args):
  """Each worker begins elsewhere in the data and takes its own batches, for ever."""
  images = read(args.data_dir, "train-images", 16).reshape(-1, 784).astype("float32") / 255.0
  labels = read(args.data_dir, "train-labels", 8).astype("int32")
  count, workers = len(images) // args.batch_size, max(1, len(args.worker_hosts))
  number = args.task_index
  while True:
    at = number % count * args.batch_size
    yield images[at:at + args.batch_size], labels[at:at + args.batch_size]
    number += workers


def pipeline(args):
  """The next batch of this worker's part of the data, shuffled anew in each epoch, for ever."""
  images = read(args.data_dir, "train-images", 16).reshape(-1, 784)
  labels = read(args.data_dir, "train-labels", 8).astype("int32")
  dataset = tf.data.Dataset.from_tensor_slices((images, labels))
  dataset = dataset.shard(max(1, len(args.worker_hosts)), args.task_index).shuffle(500, seed=5).repeat()
  scale = lambda image, label: (tf.cast(image, tf.float32) / 255.0, label)
  dataset = dataset.map(scale, num_parallel_calls=2).batch(args.batch_size, drop_remainder=True).prefetch(2)
  iterator = tf.data.make_initializable_iterator(dataset)
  # Run with every session that is made, on the worker's own task.
  tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
  return iterator.get_next()


def by_size(tasks):
  """For each variable the parameter server that holds the fewest bytes so far."""
  held = [0] * tasks

  def choose(op):
    least = held.index(min(held))
    shape = tf.TensorShape(op.get_attr("shape"))
    held[least] += (shape.num_elements() or 1) * tf.as_dtype(op.get_attr("dtype")).size
    return least
  return choose


def model(args):
  """(images, labels, loss)"""
  if args.dataset:
    images, labels = pipeline(args)
  else:
    images, labels = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
  partitioner = tf.fixed_size_partitioner(args.partitions) if args.partitions > 1 else None
  with tf.variable_scope("model", use_resource=args.use_resource, partitioner=partitioner):
    layer = images
    for name, size, seed in (("hidden", args.hidden_units, 1), ("softmax", 10, 2)):
      weights = tf.get_variable(
          name + "_w", [int(layer.shape[1]), size], initializer=tf.truncated_normal_initializer(stddev=0.05, seed=seed))
      biases = tf.get_variable(name + "_b", [size], initializer=tf.zeros_initializer())
      layer = tf.matmul(layer, weights) + biases
      layer = tf.nn.relu(layer) if name == "hidden" else layer
  return images, labels, tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=layer))


class SpareTokenHook(tf.train.SessionRunHook):
  """Lets the other replicas of a SyncReplicasOptimizer end when this one has ended.

  A step waits for a token that only an update gives. A replica that saw an old global step just before the last
  update begins one step more, and its gradient alone makes no update: without a token it would wait for ever.
  """

  def __init__(self, optimizer, others):
    self.optimizer, self.others = optimizer, others

  def begin(self):
    tokens = tf.fill([self.others], tf.cast(tf.train.get_global_step(), tf.int64))
    self.leave = self.optimizer._sync_token_queue.enqueue_many((tokens,))

  def end(self, session):
    session.run(self.leave)


def train(args, target, setter):
  is_chief = args.task_index == 0
  hooks = [tf.train.StopAtStepHook(last_step=args.train_steps)]
  with tf.device(setter):
    global_step = tf.train.get_or_create_global_step()
    images, labels, loss = model(args)
    optimizer = tf.train.AdamOptimizer(args.learning_rate)
    if args.sync_replicas:
      replicas = len(args.worker_hosts)
      optimizer = tf.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=replicas, total_num_replicas=replicas)
      hooks.append(optimizer.make_session_run_hook(is_chief))
      if replicas > 1:
        hooks.append(SpareTokenHook(optimizer, replicas - 1))
    # Read where it is, after the update: elsewhere or beside it, either value could come.
    with tf.control_dependencies([optimizer.minimize(loss, global_step=global_step)]), tf.colocate_with(global_step):
      step_after = global_step.read_value()
  # MonitoredTrainingSession has no argument for it, and its 30 seconds are long for a test.
  tf.train.SessionManager.__init__ = functools.partialmethod(
      tf.train.SessionManager.__init__, recovery_wait_secs=args.recovery_wait_secs)
  say = lambda *words: print("worker %d:" % args.task_index, *words, flush=True)
  # The session sees only what it needs: a worker does not wait for the other workers.
  config = tf.ConfigProto(
      allow_soft_placement=True, intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
      device_filters=["/job:ps", "/job:worker/task:%d" % args.task_index] if args.ps_hosts else [])
  # The grace is for the chief's thread that waits for gradients of the next update: they will not come.
  with tf.train.MonitoredTrainingSession(
      target, is_chief=is_chief, checkpoint_dir=args.checkpoint_dir, hooks=hooks, config=config, stop_grace_period_secs=1,
      save_checkpoint_steps=args.save_steps, save_summaries_steps=None, save_summaries_secs=None,
      log_step_count_steps=None) as session:
    say("session is ready")
    while args.start_file and not os.path.exists(args.start_file):
      time.sleep(0.02)
    step = 0
    feeds = itertools.repeat({}) if args.dataset else ({images: i, labels: l} for i, l in batches(args))
    for feed in feeds:
      if session.should_stop():
        break
      value, step = session.run([loss, step_after], feed)
      if step % args.log_interval == 0:
        say("step %d, loss %.6f" % (step, value))
  say("done at step %d" % step)


def main():
  args = flags()
  tf.disable_v2_behavior()
  tf.logging.set_verbosity(tf.logging.ERROR)
  tf.set_random_seed(1)
  if not args.ps_hosts:
    return train(args, args.target or "", None)
  cluster = tf.train.ClusterSpec({"ps": args.ps_hosts, "worker": args.worker_hosts})
  target = args.target
  if not target:
    server = tf.train.Server(cluster, job_name=args.job_name, task_index=args.task_index)
    target = server.target
  if args.job_name == "ps":
    return server.join()
  train(args, target, tf.train.replica_device_setter(
      cluster=cluster, worker_device="/job:worker/task:%d" % args.task_index, ps_strategy=by_size(len(args.ps_hosts))))


if __name__ == "__main__":
  main()
