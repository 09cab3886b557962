"""Programs that packages beside TensorFlow build, and the shapes of programs that articles show, on Downpour's tasks."""
import contextlib
import json
import pathlib
import re
import sys
import tempfile

import numpy as np

from harness import Cluster, Server, tf
from replicas import PROGRAMS, Program, start_together

sys.path.append(str(PROGRAMS))
import people  # noqa: E402


def program(name):
  return PROGRAMS / (name + ".py")


def run(cluster, folder, steps, name, *flags, target=True, workers=2):
  """All workers to their end; the losses in order of the global step."""
  with contextlib.ExitStack() as stack:
    flags = ("--checkpoint_dir=" + folder, "--train_steps=%d" % steps) + flags
    replicas = start_together(stack, cluster, workers, *flags, target=target, program=program(name))
    return sorted(loss for replica in replicas for loss in replica.finish())


def check_falls(losses, to=0.8):
  first, last = np.mean([loss for _, loss in losses[:8]]), np.mean([loss for _, loss in losses[-8:]])
  assert last < to * first, "the loss did not fall: %r" % losses


def check_checkpoint(folder, steps, *names):
  """That TensorFlow reads the newest one, that training stopped at its step, and that these variables are in it."""
  newest = tf.train.latest_checkpoint(folder)
  assert newest, "no checkpoint in " + folder
  reader = tf.train.load_checkpoint(newest)
  # With two workers a step of the other may be under way when the last one is taken. tf-slim reads the step beside the
  # update, not after it: each worker may take one more.
  step = int(reader.get_tensor("global_step"))
  assert steps <= step <= steps + 4, (newest, step)
  shapes = reader.get_variable_to_shape_map()
  assert all(name in shapes for name in names), shapes
  for name in shapes:
    value = reader.get_tensor(name)
    assert value.dtype.kind not in "fc" or np.isfinite(value).all(), name
  return step


def check(binary, name, *flags, servers=1, names=(), foreign=(), steps=60):
  """Trains, ends every process, starts all anew and goes on from the checkpoint."""
  jobs = {"ps": servers, "worker": 2}
  with tempfile.TemporaryDirectory() as folder:
    with Cluster(binary, jobs, foreign) as cluster:
      check_falls(run(cluster, folder, steps, name, *flags))
      saved = check_checkpoint(folder, steps, *names)
    with Cluster(binary, jobs, foreign) as cluster:
      losses = run(cluster, folder, saved + 10, name, *flags)
      # Synchronous workers begin with a token each, which they may take before the first update.
      assert saved <= losses[0][0] <= saved + 3, "begins at %r, the checkpoint was of step %d" % (losses[0], saved)
      check_checkpoint(folder, saved + 10, *names)


SLIM_NAMES = ("conv1/weights", "conv2/conv2_2/BatchNorm/moving_mean", "hidden/weights/RMSProp", "logits/biases")


def test_slim_network_with_a_monitored_session(binary):
  check(binary, "slim_replica", names=SLIM_NAMES)


def test_slim_network_synchronous(binary):
  check(binary, "slim_replica", "--sync_replicas", servers=2, names=SLIM_NAMES)


def test_slim_network_with_the_loop_of_slim(binary):
  check(binary, "slim_replica", "--loop=slim", names=SLIM_NAMES)


COLUMN_NAMES = (
    "model/wide/linear_model/age_bucketized_X_job/weights", "model/wide/linear_model/city/weights/Ftrl",
    "model/deep/input_layer/city_embedding/embedding_weights/Adagrad", "model/deep/kernel_0")


def check_columns(binary, kind, *flags, servers=1):
  with tempfile.TemporaryDirectory() as folder:
    people.write(folder)
    check(binary, "columns_replica", "--files=%s/*.%s" % (folder, kind), *flags, servers=servers, names=COLUMN_NAMES)


def test_feature_columns_over_csv(binary):
  check_columns(binary, "csv")


def test_feature_columns_over_examples(binary):
  check_columns(binary, "tfrecord", "--use_resource", servers=2)


def test_feature_columns_over_examples_synchronous(binary):
  check_columns(binary, "tfrecord", "--sync_replicas")


def train_and_evaluate(stack, cluster, folder, *flags, target=True, evaluation=""):
  """A chief, a worker and an evaluator to their end, as TF_CONFIG tells each what it is."""
  addresses = {job: hosts for job, hosts in cluster.addresses.items()}
  started = {}
  for job in ("chief", "worker", "evaluator"):
    config = {"cluster": addresses, "task": {"type": job, "index": 0}}
    if job == "evaluator":
      config["eval_session_master"] = evaluation
    elif target:
      # The process does not start a task of its own, but uses the one that runs.
      config.update(environment="google", session_master=cluster.target(job))
    flags_of = ("--model_dir=" + folder, *flags)
    environment = {"TF_CONFIG": json.dumps(config)}
    started[job] = stack.enter_context(Program(program("estimator_train"), *flags_of, environment=environment))
  return {job: process.finish() for job, process in started.items()}, started["evaluator"].lines


def check_estimator(binary, kind, servers=1, target=True):
  jobs = {"chief": 1, "ps": servers, "worker": 1}
  with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
    people.write(folder)
    models = str(pathlib.Path(folder) / "models")
    cluster = stack.enter_context(Cluster(binary, jobs, absent=() if target else ("chief", "worker")))
    evaluation = stack.enter_context(Server(binary)).target
    flags = ("--files=%s/*.%s" % (folder, kind), "--max_steps=120")
    losses, said = train_and_evaluate(stack, cluster, models, *flags, target=target, evaluation=evaluation)
    check_falls(sorted(losses["chief"] + losses["worker"]))
    check_checkpoint(models, 120)
    measured = [re.search(r"an accuracy of (\S+) at step (\d+)", line) for line in said]
    measured = [(int(m[2]), float(m[1])) for m in measured if m]
    assert measured and measured[-1][0] >= 120 and measured[-1][1] > 0.8, said


def test_estimator_trained_and_evaluated_over_examples(binary):
  check_estimator(binary, "tfrecord")


def test_estimator_whose_processes_are_tasks_themselves(binary):
  check_estimator(binary, "csv", servers=2, target=False)


ARTICLE_NAMES = ("weights", "biases", "weights/Adam", "weights/Adam_1", "beta1_power")


def test_program_of_an_article(binary):
  check(binary, "article", names=ARTICLE_NAMES)


def test_program_of_an_article_whose_master_is_the_parameter_server(binary):
  check(binary, "article", "--master=ps", names=ARTICLE_NAMES)


def test_program_of_an_article_synchronous(binary):
  check(binary, "article", "--sync_replicas", names=ARTICLE_NAMES)


def test_program_of_an_article_with_partitioned_variables(binary):
  check(binary, "article", "--partitions=3", servers=2, names=ARTICLE_NAMES)
  check(binary, "article", "--partitions=2", "--sync_replicas", servers=2, names=ARTICLE_NAMES)


def test_program_of_an_article_over_tasks_of_both_kinds(binary):
  for foreign in (("ps",), ("worker",)):
    for flags in (("--sync_replicas",), ("--master=ps",)):
      with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 1, "worker": 2}, foreign) as cluster:
        check_falls(run(cluster, folder, 60, "article", *flags))
        check_checkpoint(folder, 60, *ARTICLE_NAMES)
