"""Collective operations in groups of one; tests/system/collectives.py compares groups of several."""
import tensorflow.compat.v1 as tf

from case import *  # noqa: F403

raw = tf.raw_ops
KINDS = ["bfloat16", "half", "float32", "float64", "int32", "int64"]
PLAIN_KINDS = ["half", "float32", "float64", "int32", "int64"]
MERGE = {"merge_op": "Add", "final_op": "Id"}
FIRST = {"group_size": 1, "group_key": 1, "instance_key": 1}
# Size of the group, its key, and the occasion's.
KEYS = [i32(1), i32(1), i32(1)]


def all_to_all():
  # TensorFlow makes what runs collectives only where an operation of another kind asks for it.
  other = raw.CollectiveReduceV2(input=f32([1]), group_size=1, group_key=1, instance_key=1, ordering_token=[], **MERGE)
  x = tf.placeholder(tf.float32, [1, 2])
  out = raw.CollectiveAllToAllV2(input=x, group_size=1, group_key=1, instance_key=2, ordering_token=[])
  return [([out, other], {x: f32([[3, 4]])})]


def chained():
  x = tf.placeholder(tf.float32, [2])
  for instance in range(4):
    x_next = raw.CollectiveReduceV2(input=x * 2.0 if instance else x, group_size=1, group_key=1, instance_key=instance,
                                    ordering_token=[], **MERGE)
    first, x = (x, x_next) if instance == 0 else (first, x_next)
  return [([x], {first: f32([1, 2])}), ([x], {first: f32([3, 4])})]


def cases():
  yield Case("CollectiveReduce", [real(2, 3)], {**FIRST, **MERGE, "subdiv_offsets": [0]}, dtypes=KINDS)
  for merge in ["Min", "Max", "Mul"]:
    yield Case("CollectiveReduceV2", [real(4), *KEYS, []], {"merge_op": merge, "final_op": "Div"}, dtypes=KINDS)
  yield Refused("CollectiveReduceV2", [f32([1]), i32(0), i32(1), i32(1), []], MERGE)
  yield Refused("CollectiveReduceV2", [f32([1]), i32([1, 1]), i32(1), i32(1), []], MERGE)
  yield Case("CollectiveGather", [real(2, 3)], {**FIRST, "shape": [2, 3]}, dtypes=PLAIN_KINDS)
  yield Case("CollectiveGatherV2", [real(2, 3), *KEYS, []], dtypes=PLAIN_KINDS)
  yield Case("CollectiveBcastSend", [real(2, 3)], {**FIRST, "shape": [2, 3]}, dtypes=PLAIN_KINDS + ["bool"])
  yield Case("CollectiveBcastSendV2", [real(2, 3), *KEYS], dtypes=PLAIN_KINDS + ["bool"])
  yield Refused("CollectiveBcastRecv", [], {**FIRST, "shape": [2], "T": tf.float32})
  yield Refused("CollectiveBcastRecvV2", [*KEYS, i32([2])], {"T": tf.float32})
  yield Scenario("all to all", ["CollectiveAllToAllV2"], all_to_all)
  yield Scenario("one after the other", ["CollectiveReduceV2"], chained)
  groups = i32([[0, 1], [2, 3]])
  for device in [0, 3]:
    yield Case("CollectiveAssignGroupV2", [groups, i32(device), i32(7)])
  yield Refused("CollectiveAssignGroupV2", [groups, i32(9), i32(7)])
  yield Refused("CollectiveAssignGroupV2", [i32([0, 1]), i32(1), i32(7)])
