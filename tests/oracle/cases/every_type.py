"""The dtypes that the other files leave out: each operation's first case, again, in every dtype TensorFlow's CPU kernels take."""
import collections
import dataclasses
import importlib
import pathlib

from case import *  # noqa: F403
from tensorflow.python.framework import kernels

# TensorFlow's own kernel is wrong or cannot be compared in these.
LEFT_OUT = {
    "Round": INTEGERS,  # gives zeros
    "Empty": PLAIN,  # holds anything
    "Where": ["half"],  # registered, but refuses to run
    "Conv3DBackpropFilterV2": ["bfloat16"],  # adds up in bfloat16 itself, and is 12 % from the exact sum (ours: 0.2 %)
}
# Looser because TensorFlow rounds inside: sums of a filter's gradient to bfloat16, gates to half.
LOOSE = {("Conv2DBackpropFilter", "bfloat16"): 4e-2, ("BlockLSTMV2", "half"): 2e-2, ("BlockLSTMGrad", "half"): 2e-2, ("BlockLSTMGradV2", "half"): 4e-2}
# Operations whose fixed inputs of float follow the dtype under test.
TIED = {"QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4", "QuantizeAndDequantizeV4Grad", "SparseAdd", "StatelessRandomBinomial"}


def cases():
  first, seen = {}, collections.defaultdict(set)
  for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
    if path.stem in ("__init__", "every_type"):
      continue
    for one in importlib.import_module("cases." + path.stem).cases():
      if one.refused:
        continue
      if isinstance(one, Case):
        seen[one.op].update(one.dtypes or [])
        if one.dtypes and any(isinstance(i, Untyped) for i in flat(one.inputs)):
          first.setdefault(one.op, one)
      elif one.dtype:
        for op in one.ops:
          seen[op].add(one.dtype)
  for op, one in first.items():
    for dtype in supported(op):
      if dtype not in seen[op] and dtype not in LEFT_OUT.get(op, ()):
        # A wider dtype would pass with the first one's tolerance too, a narrower one needs its own.
        rtol = None if one.rtol is None else max(one.rtol, RTOL.get(dtype, 0.0))
        inputs = [follow(i, dtype) for i in one.inputs] if op in TIED else one.inputs
        yield dataclasses.replace(one, inputs=inputs, dtypes=[dtype], rtol=LOOSE.get((op, dtype), rtol))


def follow(value, dtype):
  if getattr(value, "dtype", None) != np.float32:
    return value
  return np.asarray(value).astype(tf.as_dtype(dtype).real_dtype.as_numpy_dtype)


def flat(inputs):
  return [i for item in inputs for i in (item if isinstance(item, list) else [item])]


def supported(op):
  """The dtypes of the operation's main type attribute that have a CPU kernel."""
  allowed = {a.name: set(a.allowed_values.list.type) for a in tf_op_def(op).attr if a.type == "type"}
  name = next((n for n in ("T", "Tparams") if n in allowed), None)
  found = set()
  for kernel in kernels.get_registered_kernels_for_op(op).kernel:
    for constraint in kernel.constraint:
      if kernel.device_type == "CPU" and constraint.name == name:
        found.update(constraint.allowed_values.list.type)
  if name and allowed[name]:
    found &= allowed[name]
  return [d for d in PLAIN + ["string"] if tf.as_dtype(d).as_datatype_enum in found]
