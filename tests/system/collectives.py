"""Collective operations: groups within a task and over several, as TensorFlow has them over its devices."""
import numpy as np

from harness import Cluster, Server, session, tf
from waiting import LIMIT_MS

raw = tf.raw_ops
ADD = {"merge_op": "Add", "final_op": "Id"}
KINDS = {
    "reduce": lambda x, key: raw.CollectiveReduceV2(
        input=x, group_size=2, group_key=1, instance_key=key, ordering_token=[], merge_op="Max", final_op="Div"),
    "first reduce": lambda x, key: raw.CollectiveReduce(
        input=x, group_size=2, group_key=1, instance_key=key, subdiv_offsets=[0], **ADD),
    "gather": lambda x, key: raw.CollectiveGatherV2(
        input=x, group_size=2, group_key=1, instance_key=key, ordering_token=[]),
    "first gather": lambda x, key: raw.CollectiveGather(
        input=x, group_size=2, group_key=1, instance_key=key, shape=[4, 3]),
    "all to all": lambda x, key: raw.CollectiveAllToAllV2(
        input=x, group_size=2, group_key=1, instance_key=key, ordering_token=[]),
}


def members(devices):
  """What every member of every kind of group gets; the devices are named in reverse, for their order counts."""
  results = []
  for key, make in enumerate(KINDS.values()):
    for i, device in reversed(list(enumerate(devices))):
      with tf.device(device):
        x = tf.constant(np.arange(6).reshape(2, 3) * (i + 1) - 2, tf.float32)
        results.append(make(x, key + 1))
  common = {"group_size": 2, "group_key": 1, "instance_key": 77}
  with tf.device(devices[1]):
    results.append(raw.CollectiveBcastRecvV2(T=tf.float32, shape=[2], **common))
  with tf.device(devices[0]):
    results.append(raw.CollectiveBcastSendV2(input=tf.constant([7.0, 8.0]), **common))
  # One after the other, what a member gets and computes with.
  for key in (100, 101):
    results.append([])
    for device, x in zip(devices, results[-2] if key > 100 else results[:2]):
      with tf.device(device):
        results[-1].append(KINDS["first reduce"](x * 0.5, key))
  return results


def values(target, devices, **config):
  with tf.Graph().as_default():
    results = members(devices)
    with session(target, operation_timeout_in_ms=LIMIT_MS, **config) as s:
      first = s.run(results)
      return [np.asarray(v) for v in tf.nest.flatten(first) + tf.nest.flatten(s.run(results))]


def compare(ours):
  expected = values("", ["/cpu:0", "/cpu:1"], device_count={"CPU": 2})
  assert len(ours) == len(expected)
  for a, b in zip(ours, expected):
    np.testing.assert_allclose(a, b, rtol=1e-6)


def test_groups_within_a_task(binary):
  with Server(binary) as server:
    compare(values(server.target, ["/cpu:0", "/cpu:1"], allow_soft_placement=True))


def test_groups_over_several_tasks(binary):
  with Cluster(binary, {"worker": 2}) as cluster:
    for master in (0, 1):
      compare(values(cluster.target("worker", master), ["/job:worker/task:0", "/job:worker/task:1"]))


def fails(target, limit, nodes):
  """The error of a step in which these members meet."""
  with tf.Graph().as_default():
    made = [tf.group(*[node() for node in nodes])]
    try:
      with session(target, allow_soft_placement=True, operation_timeout_in_ms=LIMIT_MS) as s:
        s.run(made, options=tf.RunOptions(timeout_in_ms=limit))
    except tf.errors.OpError as e:
      return e
  raise AssertionError("nothing failed")


def test_groups_that_do_not_come_together_fail_and_the_server_stays(binary):
  def reduce(x, size=2, **more):
    return lambda: raw.CollectiveReduceV2(
        input=x, group_size=size, group_key=1, instance_key=1, ordering_token=[], **ADD, **more)

  with Server(binary) as server:
    cases = [
        (0, tf.errors.DeadlineExceededError, "1 of 2 members; only 'CollectiveReduceV2'", [reduce([1.0], timeout_seconds=0.2)]),
        (0, tf.errors.InvalidArgumentError, "mismatch", [reduce([1.0]), reduce([1.0, 2.0])]),
        (0, tf.errors.InvalidArgumentError, "mismatch", [reduce([1.0]), reduce([1])]),
        (0, tf.errors.InvalidArgumentError, "positive integer", [reduce([1.0], size=0)]),
        # Nobody comes, and the step's own deadline ends it.
        (500, tf.errors.DeadlineExceededError, "", [reduce([1.0])]),
        # Another node fails while a member waits.
        (0, tf.errors.InvalidArgumentError, "assertion failed",
         [reduce([1.0]), lambda: tf.Assert(tf.placeholder_with_default(False, []), ["why"])]),
    ]
    for limit, kind, words, nodes in cases:
      error = fails(server.target, limit, nodes)
      assert isinstance(error, kind) and words in str(error), error
    compare(values(server.target, ["/cpu:0", "/cpu:1"], allow_soft_placement=True))
