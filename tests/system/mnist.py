"""The program of articles on distributed TensorFlow, unchanged, with Downpour's tasks doing the work."""
import contextlib
import os
import tempfile

import numpy as np

from harness import Cluster, tf
from replicas import Replica, start_together


def run(cluster, folder, steps, *flags, target=True):
  """Both workers to their end; the losses in order of the global step."""
  with contextlib.ExitStack() as stack:
    flags = ("--checkpoint_dir=" + folder, "--train_steps=%d" % steps) + flags
    workers = start_together(stack, cluster, 2, *flags, target=target)
    losses = [worker.finish() for worker in workers]
  # On a busy machine one of them may have taken all steps.
  assert losses[0] + losses[1], losses
  return sorted(losses[0] + losses[1])


def check_falls(losses):
  first, last = np.mean([loss for _, loss in losses[:8]]), np.mean([loss for _, loss in losses[-8:]])
  assert last < 0.8 * first, "the loss did not fall: %r" % losses


def check_checkpoint(folder, steps):
  """That TensorFlow reads the newest one, and that it was written when training stopped."""
  newest = tf.train.latest_checkpoint(folder)
  reader = tf.train.load_checkpoint(newest)
  step = int(reader.get_tensor("global_step"))
  # With two workers a step of the other may be under way when the last one is taken.
  assert steps <= step <= steps + 2 and newest.endswith("-%d" % step), (newest, step)
  shapes = reader.get_variable_to_shape_map()
  assert shapes["model/hidden_w"] == [784, 64] and shapes["model/hidden_w/Adam"] == [784, 64], shapes
  for name in shapes:
    assert np.isfinite(reader.get_tensor(name)).all(), name
  assert np.abs(reader.get_tensor("model/softmax_b")).max() > 0
  return step


def check(binary, servers, *flags, foreign=()):
  """Trains, kills everything, starts all anew and goes on from the checkpoint."""
  jobs = {"ps": servers, "worker": 2}
  with tempfile.TemporaryDirectory() as folder:
    with Cluster(binary, jobs, foreign) as cluster:
      check_falls(run(cluster, folder, 60, *flags))
      saved = check_checkpoint(folder, 60)
    with Cluster(binary, jobs, foreign) as cluster:
      losses = run(cluster, folder, saved + 20, *flags)
      # Synchronous workers begin with a token each, which they may take before the first update.
      assert saved <= losses[0][0] <= saved + 3, "begins at %r, the checkpoint was of step %d" % (losses[0], saved)
      assert np.mean([loss for _, loss in losses]) < 1.5, "what was learned is lost: %r" % losses
      check_checkpoint(folder, saved + 20)


def test_mnist_asynchronous_with_one_parameter_server(binary):
  check(binary, 1)


def test_mnist_asynchronous_with_two_parameter_servers(binary):
  check(binary, 2, "--use_resource")


def test_mnist_synchronous_with_one_parameter_server(binary):
  check(binary, 1, "--sync_replicas", "--use_resource")


def test_mnist_synchronous_with_two_parameter_servers(binary):
  check(binary, 2, "--sync_replicas")


def test_mnist_with_partitioned_variables(binary):
  check(binary, 2, "--partitions=3", "--use_resource")


def test_mnist_with_partitioned_variables_synchronous(binary):
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 2, "worker": 2}) as cluster:
    check_falls(run(cluster, folder, 60, "--partitions=3", "--sync_replicas"))
    check_checkpoint(folder, 60)


def test_mnist_where_each_worker_is_a_tensorflow_task_itself(binary):
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 2, "worker": 2}, absent=("worker",)) as cluster:
    check_falls(run(cluster, folder, 60, target=False))
    check_checkpoint(folder, 60)


def test_mnist_synchronous_over_tasks_of_both_kinds(binary):
  foreign = (("ps", 1), ("worker", 0))
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 2, "worker": 2}, foreign) as cluster:
    check_falls(run(cluster, folder, 60, "--sync_replicas"))
    check_checkpoint(folder, 60)


def test_mnist_has_the_losses_of_local_tensorflow(binary):
  """One worker is deterministic, whichever tasks are TensorFlow's; a checkpoint of one kind goes on in the other."""
  steps = "--train_steps=40"
  with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
    start = lambda *args: stack.enter_context(Replica(*args))
    local = start(None, 0, steps)
    jobs = {"ps": 2, "worker": 1}
    for foreign in ((), ("worker",), (("ps", 0),)):
      cluster = stack.enter_context(Cluster(binary, jobs, foreign))
      ours = start(cluster, 0, steps, "--checkpoint_dir=" + os.path.join(folder, str(foreign))).finish()
      np.testing.assert_allclose(ours, local.finish(), rtol=1e-3, err_msg=str(foreign))
    resume = lambda cluster, kind: start(cluster, 0, "--train_steps=60", "--checkpoint_dir=" + os.path.join(folder, kind))
    theirs, ours = resume(None, "()").finish(), resume(cluster, "('worker',)").finish()
    assert theirs[0][0] == ours[0][0] == 41
    np.testing.assert_allclose(ours, theirs, rtol=1e-3)


def test_mnist_through_a_dataset_asynchronous(binary):
  check(binary, 1, "--dataset")


def test_mnist_through_a_dataset_synchronous(binary):
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 2, "worker": 2}) as cluster:
    check_falls(run(cluster, folder, 60, "--dataset", "--sync_replicas", "--use_resource"))
    check_checkpoint(folder, 60)


def test_mnist_through_a_dataset_with_partitioned_variables(binary):
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 2, "worker": 2}) as cluster:
    check_falls(run(cluster, folder, 60, "--dataset", "--partitions=3"))
    check_checkpoint(folder, 60)


def test_mnist_through_a_dataset_over_tasks_of_both_kinds(binary):
  for foreign in (("ps",), ("worker",)):
    with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 1, "worker": 2}, foreign) as cluster:
      check_falls(run(cluster, folder, 40, "--dataset"))
      check_checkpoint(folder, 40)


def test_mnist_through_a_dataset_has_the_losses_of_local_tensorflow(binary):
  steps = ("--train_steps=40", "--dataset")
  with contextlib.ExitStack() as stack:
    local = stack.enter_context(Replica(None, 0, *steps)).finish()
    cluster = stack.enter_context(Cluster(binary, {"ps": 1, "worker": 1}))
    ours = stack.enter_context(Replica(cluster, 0, *steps)).finish()
    np.testing.assert_allclose(ours, local, rtol=1e-3)
