#!/usr/bin/env python3
"""A wide and deep model by feature columns over CSV or TFRecord files: one process of this per worker."""
import sys

from worker import Worker, parser, tf

import people


def main():
  p = parser(__doc__)
  p.add_argument("--files", required=True, help="a pattern of CSV files, or of TFRecord files of Examples")
  p.add_argument("--use_resource", action="store_true")
  worker = Worker(p.parse_args())
  flags = worker.flags
  wide, deep = people.columns()
  with tf.device(worker.setter()):
    global_step = tf.train.get_or_create_global_step()
  with tf.device(worker.setter()):
    with tf.device(worker.device):
      iterator = tf.data.make_initializable_iterator(people.input_fn(flags.files, worker.count, worker.task))
      tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
      features, labels = iterator.get_next()
    with tf.variable_scope("model", use_resource=flags.use_resource):
      logits = people.logits(features, wide, deep)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    part = lambda name: tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="model/" + name)
    # Each part has its own optimizer; the step counts updates of the deep one.
    wide_op = tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.001).minimize(loss, var_list=part("wide"))
    optimizer, hooks = tf.train.AdagradOptimizer(0.05), [tf.train.StopAtStepHook(last_step=flags.train_steps)]
    if flags.sync_replicas:
      optimizer = worker.synchronized(optimizer)
      hooks.append(optimizer.make_session_run_hook(worker.is_chief))
    train_op = tf.group(wide_op, optimizer.minimize(loss, var_list=part("deep"), global_step=global_step))
    with tf.control_dependencies([train_op]):
      step_after = global_step.read_value()
  with tf.train.MonitoredTrainingSession(
      worker.target, is_chief=worker.is_chief, checkpoint_dir=flags.checkpoint_dir, hooks=hooks, config=worker.config,
      stop_grace_period_secs=1, save_checkpoint_steps=20, save_summaries_steps=None, save_summaries_secs=None,
      log_step_count_steps=None) as session:
    worker.run(session, train_op, loss, step_after)
  worker.say("done")


if __name__ == "__main__":
  sys.exit(main())
