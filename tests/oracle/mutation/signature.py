"""Plans made of nothing but an operation's definition: no good inputs, but every operation has one."""
import random

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.framework import types_pb2

from mutation.plan import Plan, Step, message
from mutation.tensors import forged

PLAIN = [1, 3, 9, 1, 3, 9, 2, 10, 7, 4, 19, 14, 8, 18]
TENSORS = [np.zeros([]), np.zeros([0]), np.ones([1]), np.arange(3.0), np.ones([2, 2]), np.arange(12.0).reshape(3, 4), np.zeros([0, 3]), np.ones([1, 4, 4, 1]),
           np.ones([1, 2, 4, 4, 2])]
# What stands behind a handle: an operation that makes one, and its attributes.
RESOURCES = [
    ("VarHandleOp", {"dtype": tf.float32, "shape": []}), ("HashTableV2", {"key_dtype": tf.int64, "value_dtype": tf.int64}),
    ("MutableHashTableV2", {"key_dtype": tf.string, "value_dtype": tf.float32}), ("FIFOQueueV2", {"component_types": [tf.float32]}),
    ("StackV2", {"elem_type": tf.float32}), ("TensorArrayV3", {"dtype": tf.float32}), ("IteratorV2", {"output_types": [tf.int64], "output_shapes": [[]]}),
    ("MutexV2", {}), ("ConditionalAccumulator", {"dtype": tf.float32, "shape": []}), ("Barrier", {"component_types": [tf.float32]}), ("TextLineReaderV2", {}),
]
VARIANTS = [("TensorListReserve", {"element_dtype": tf.float32, "shape_type": tf.int32}), ("EmptyTensorMap", {}), ("OptionalNone", {}), ("RangeDataset", {"output_types": [tf.int64], "output_shapes": [[]]})]


class Builder:

  def __init__(self, definition, rng):
    self.op, self.rng = definition, rng
    self.graph = tf.GraphDef()
    self.graph.versions.producer = tf.GraphDef().versions.producer or 1882
    self.feeds = {}
    function = self.graph.library.function.add()
    function.signature.name = "double"
    function.signature.input_arg.add(name="x", type=9)
    function.signature.output_arg.add(name="y", type=9)
    body = function.node_def.add(name="sum", op="AddV2", input=["x", "x"])
    body.attr["T"].type = 9
    function.ret["y"] = "sum:z:0"

  def node(self, op, inputs=(), **attrs):
    node = self.graph.node.add(name="%s_%d" % (op.lower().lstrip("_"), len(self.graph.node)), op=op, input=inputs)
    for name, value in attrs.items():
      if isinstance(value, tf.DType):
        node.attr[name].type = value.as_datatype_enum
      elif isinstance(value, int):
        node.attr[name].type = value
      elif isinstance(value, list) and value and isinstance(value[0], tf.DType):
        node.attr[name].list.type.extend(v.as_datatype_enum for v in value)
      elif isinstance(value, list) and value:
        node.attr[name].list.shape.add()
      else:
        node.attr[name].shape.SetInParent()
    return node.name

  def input(self, dtype):
    """A tensor of a type to be fed, or something that holds a handle."""
    rng = self.rng
    reference, dtype = dtype > 100, dtype % 100
    if reference:
      return self.node("VariableV2", dtype=dtype, shape=[]) if dtype not in (20, 21) else self.node("VariableV2", dtype=1, shape=[])
    if dtype in (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT) and rng.random() < 0.7:
      op, attrs = rng.choice(RESOURCES if dtype == types_pb2.DT_RESOURCE else VARIANTS)
      definition = [9] * 3 if op == "RangeDataset" else [3] * 2 if op == "TensorListReserve" else [3] if op in ("TensorArrayV3", "StackV2") else []
      return self.node(op, [self.constant(d) for d in definition], **attrs)
    name = self.node("Placeholder", dtype=dtype)
    self.graph.node[-1].attr["shape"].shape.unknown_rank = True
    self.feeds[name + ":0"] = self.tensor(dtype)
    return name

  def constant(self, dtype):
    name = self.node("Const", dtype=dtype)
    self.graph.node[-1].attr["value"].tensor.CopyFrom(message(2, tf.as_dtype(dtype)))
    return name

  def tensor(self, number):
    rng = self.rng
    if number in (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT):
      return forged(rng, number)[0]
    try:
      dtype = tf.as_dtype(number)
      array = rng.choice(TENSORS) + rng.choice([0, 0, 1])
      if dtype == tf.string:
        return message(np.vectorize(lambda x: b"%d" % x, otypes=[object])(array) if array.size else np.zeros(array.shape, object), dtype)
      return message(array.astype(dtype.as_numpy_dtype), dtype)
    except (TypeError, ValueError):
      proto = message(0.0, tf.float32)
      proto.dtype = number
      return proto

  def attribute(self, a, types):
    """Gives a value to an attribute; types are noted."""
    rng, value = self.rng, self.added[a.name]
    allowed = list(a.allowed_values.list.type)
    pick = lambda: rng.choice([t for t in PLAIN if t in allowed] or allowed) if allowed else rng.choice(PLAIN)
    if a.type == "type":
      value.type = types[a.name] = a.default_value.type if a.HasField("default_value") and rng.random() < 0.5 else pick()
    elif a.type == "list(type)":
      types[a.name] = [pick() for _ in range(rng.choice([0, 1, 1, 2]))]
      value.list.type.extend(types[a.name])
      value.list.SetInParent()
    elif a.HasField("default_value") and rng.random() < 0.8 and not is_count(self.op, a.name):
      value.CopyFrom(a.default_value)
    elif a.type == "int":
      low = a.minimum if a.has_minimum else 0
      value.i = types[a.name] = low + rng.choice([0, 1, 1, 2])
    elif a.type == "float":
      value.f = rng.choice([0.0, 0.5, 1.0, -1.0])
    elif a.type == "bool":
      value.b = rng.random() < 0.5
    elif a.type == "string":
      choices = list(a.allowed_values.list.s) or [b"", b"name", b"SAME", b"/job:localhost/replica:0/task:0/device:CPU:0", b"float32"]
      value.s = rng.choice(choices)
    elif a.type == "shape":
      value.shape.unknown_rank = rng.random() < 0.3
    elif a.type == "tensor":
      value.tensor.CopyFrom(self.tensor(rng.choice([1, 3, 9])))
    elif a.type == "func":
      value.func.name = "double"
    elif a.type == "list(int)":
      value.list.i.extend([rng.choice([1, 1, 2, 0, 3])] * rng.choice([4, 4, 5, 1, 2, 0]))
      value.list.SetInParent()
    elif a.type == "list(float)":
      value.list.f.extend([0.5] * rng.choice([0, 1, 2]))
      value.list.SetInParent()
    elif a.type == "list(shape)":
      for _ in range(rng.choice([0, 1, 1, 2])):
        value.list.shape.add()
      value.list.SetInParent()
    elif a.type == "list(func)":
      value.list.func.add(name="double")
    else:
      value.list.SetInParent()

  def plan(self):
    target = tf.NodeDef(name="target", op=self.op.name)
    self.added, types = target.attr, {}
    for a in self.op.attr:
      self.attribute(a, types)
    for a in self.op.input_arg:
      wanted = [a.type or types.get(a.type_attr, 1)]
      if a.type_list_attr:
        wanted = types.get(a.type_list_attr, [])
      elif a.number_attr:
        wanted = wanted * int(types.get(a.number_attr, 1))
      for dtype in wanted:
        target.input.append(self.input(dtype + 100 if a.is_ref else dtype))
    self.graph.node.append(target)
    return Plan(self.graph, [Step(self.feeds, self.outputs(types), ["target"])], [self.op.name])

  def outputs(self, types):
    """What can be fetched: the outputs that are values, up to the first whose number is not known."""
    fetches, at = [], 0
    for a in self.op.output_arg:
      if a.number_attr or a.type_list_attr:
        break
      dtype = a.type or types.get(a.type_attr, 1)
      if dtype not in (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT) and not a.is_ref:
        fetches.append("target:%d" % at)
      at += 1
    return fetches


def is_count(op, name):
  return any(a.number_attr == name for a in op.input_arg)


def plan_of(definition, key, seed):
  return Builder(definition, random.Random("%s %s" % (seed, key))).plan()
