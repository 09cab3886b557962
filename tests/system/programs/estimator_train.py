#!/usr/bin/env python3
"""train_and_evaluate of a tf.estimator over CSV or TFRecord files: one process of this per task, which TF_CONFIG describes."""
import argparse
import sys

from estimators import estimator, tf

import people


def model_fn(features, labels, mode, params):
  """A wide and deep model of one's own."""
  wide, deep = people.columns()
  parameters = max(1, params["parameter_servers"])
  partitioner = tf.min_max_variable_partitioner(max_partitions=parameters, min_slice_size=64)
  with tf.variable_scope("model", partitioner=partitioner):
    logits = people.logits(features, wide, deep)
  probabilities = tf.sigmoid(logits)
  if mode == estimator.ModeKeys.PREDICT:
    return estimator.EstimatorSpec(mode, predictions={"probability": probabilities})
  loss = tf.losses.sigmoid_cross_entropy(labels, logits)
  accuracy = tf.metrics.accuracy(labels, tf.round(probabilities))
  if mode == estimator.ModeKeys.EVAL:
    return estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
  train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
  return estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class Steps(tf.train.SessionRunHook):
  """Says each step and its loss."""

  def begin(self):
    self.fetches = [tf.train.get_global_step(), tf.get_collection(tf.GraphKeys.LOSSES)[0]]

  def before_run(self, _):
    return tf.train.SessionRunArgs(self.fetches)

  def after_run(self, _, values):
    print("step %d, loss %.6f" % tuple(values.results), flush=True)


class Report(estimator.Exporter):
  """Says what the evaluator has measured."""
  name = "report"

  def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
    measure = (eval_result["accuracy"], eval_result["global_step"])
    print("measured an accuracy of %.3f at step %d" % measure, flush=True)


def main():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--files", required=True)
  p.add_argument("--model_dir", required=True)
  p.add_argument("--max_steps", type=int, default=100)
  args = p.parse_args()
  tf.disable_v2_behavior()
  tf.logging.set_verbosity(tf.logging.ERROR)
  config = estimator.RunConfig(args.model_dir, tf_random_seed=1, save_checkpoints_steps=20, save_summary_steps=20)
  params = {"parameter_servers": config.num_ps_replicas}
  model = estimator.Estimator(model_fn, config=config, params=params)
  train = estimator.TrainSpec(lambda: people.input_fn(args.files), max_steps=args.max_steps, hooks=[Steps()])
  evaluate = estimator.EvalSpec(
      lambda: people.input_fn(args.files, epochs=1), steps=None, start_delay_secs=0, throttle_secs=1, exporters=Report())
  estimator.train_and_evaluate(model, train, evaluate)
  print("done", flush=True)


if __name__ == "__main__":
  sys.exit(main())
