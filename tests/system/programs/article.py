#!/usr/bin/env python3
"""Softmax regression in the shape that an article on distributed TensorFlow gives it: one process of this per worker.

Variables on "/job:ps", everything else, with the data, on "/job:worker", and a session whose master is the parameter server
(--master=ps) or this worker's own task. It stops at --train_steps and saves on the way.
"""
import sys

from worker import Worker, parser, tf

from mnist_replica import SAMPLE, read


def input_fn(worker, batch_size):
  """This worker's part of the digits, in another order each time."""
  images, labels = read(SAMPLE, "train-images", 16).reshape(-1, 784), read(SAMPLE, "train-labels", 8).astype("int32")
  dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shard(worker.count, worker.task)
  dataset = dataset.map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label))
  return dataset.shuffle(buffer_size=1000, seed=7).repeat().batch(batch_size).prefetch(1)


def main():
  p = parser(__doc__)
  p.add_argument("--master", choices=["ps", "worker"], default="worker")
  p.add_argument("--partitions", type=int, default=1)
  p.add_argument("--save_interval", type=int, default=20)
  worker = Worker(p.parse_args())
  flags = worker.flags
  # The article says only "/job:worker". That is the first one, for whoever asks a parameter server.
  worker_device = "/job:worker" if flags.master == "ps" else worker.device
  partitioner = tf.fixed_size_partitioner(flags.partitions) if flags.partitions > 1 else None
  parameters = tf.train.replica_device_setter(cluster=worker.cluster) if flags.partitions > 1 else "/job:ps/task:0"

  with tf.device(parameters), tf.variable_scope("", partitioner=partitioner):
    weights = tf.get_variable("weights", [784, 10], initializer=tf.random_normal_initializer(stddev=0.01, seed=3))
    biases = tf.get_variable("biases", [10], initializer=tf.zeros_initializer())
    global_step = tf.train.get_or_create_global_step()

  with tf.device(worker_device):
    dataset = input_fn(worker, 32)
    iterator = tf.data.make_initializable_iterator(dataset)
    images, labels = iterator.get_next()

    logits = tf.matmul(images, tf.convert_to_tensor(weights)) + tf.convert_to_tensor(biases)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    opt = tf.train.AdamOptimizer(0.003)
    if flags.sync_replicas:
      opt = worker.synchronized(opt)
    grads_and_vars = opt.compute_gradients(loss)
    update_op = opt.apply_gradients(grads_and_vars, global_step=global_step)
    with tf.control_dependencies([update_op]), tf.colocate_with(global_step):
      step_after = global_step.read_value()

  hooks = [tf.train.StopAtStepHook(last_step=flags.train_steps)]
  if flags.sync_replicas:
    hooks.append(opt.make_session_run_hook(worker.is_chief))

  def initialize(scaffold, session):
    worker.say("initialized, step %d" % session.run(global_step))

  local_init_op = tf.group(tf.train.Scaffold.default_local_init_op(), iterator.initializer)
  if flags.sync_replicas:
    local_init_op = tf.group(local_init_op, opt.chief_init_op if worker.is_chief else opt.local_step_init_op)
  scaffold = tf.train.Scaffold(
      init_fn=initialize, local_init_op=local_init_op, saver=tf.train.Saver(sharded=True, max_to_keep=2),
      ready_for_local_init_op=opt.ready_for_local_init_op if flags.sync_replicas else None)
  saver_hook = tf.train.CheckpointSaverHook(flags.checkpoint_dir, save_steps=flags.save_interval, scaffold=scaffold)
  if flags.master == "ps":
    del worker.config.device_filters[:]
  session = tf.train.MonitoredTrainingSession(
      master="grpc://" + flags.ps_hosts[0] if flags.master == "ps" else worker.target, is_chief=worker.is_chief,
      checkpoint_dir=flags.checkpoint_dir, scaffold=scaffold, hooks=hooks, chief_only_hooks=[saver_hook],
      save_checkpoint_secs=None, save_summaries_steps=1000, config=worker.config, stop_grace_period_secs=1)
  with session:
    worker.run(session, update_op, loss, step_after)
  worker.say("done")


if __name__ == "__main__":
  sys.exit(main())
