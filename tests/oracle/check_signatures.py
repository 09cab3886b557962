#!/usr/bin/env python3
"""Every operation's definition, compared with TensorFlow's own: arguments, types, attributes, defaults, flags."""
import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tensorflow_environment  # noqa: E402, F401
from google.protobuf import json_format  # noqa: E402
from tensorflow.python.framework import op_def_registry, tensor_util  # noqa: E402

# What we define differently on purpose, each with its reason.
DIFFERENT = {
    "AddV2": "also takes strings and variants, so that one kernel serves Add and AddV2",
}


def plain(op):
  """A definition as nested plain values, in which what is absent and what is default are the same."""
  def arg(a):
    return (a.name, a.type, a.type_attr, a.type_list_attr, a.number_attr, a.is_ref)

  def value(v):
    if v.HasField("tensor"):
      # The same numbers can be written in several ways.
      array = tensor_util.MakeNdarray(v.tensor)
      return {"tensor": (str(array.dtype), array.tolist())}
    return json_format.MessageToDict(v)

  def allowed(v):
    # The order of allowed values means nothing.
    return {kind: sorted(values) for kind, values in value(v).get("list", {}).items()}

  attrs = {}
  for a in op.attr:
    attrs[a.name] = (a.type, value(a.default_value) if a.HasField("default_value") else None,
                     allowed(a.allowed_values) if a.HasField("allowed_values") else None, a.minimum if a.has_minimum else None)
  return {"inputs": [arg(a) for a in op.input_arg], "outputs": [arg(a) for a in op.output_arg], "attrs": attrs,
          "flags": (op.is_stateful, op.is_commutative, op.is_aggregate, op.allows_uninitialized_input)}


def main():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--server", required=True, help="the downpour binary")
  args = p.parse_args()
  from tensorflow.core.framework import op_def_pb2
  lines = subprocess.run([args.server, "ops", "--definitions"], capture_output=True, check=True).stdout.splitlines()
  wrong = 0
  compared = 0
  for line in lines:
    ours = op_def_pb2.OpDef()
    ours.ParseFromString(bytes.fromhex(line.decode()))
    theirs = op_def_registry.get(ours.name)
    if theirs is None:
      if not ours.name.startswith("_"):
        print("%s is no operation of TensorFlow" % ours.name)
        wrong += 1
      continue
    compared += 1
    if ours.name in DIFFERENT:
      continue
    a, b = plain(ours), plain(theirs)
    for part in a:
      if a[part] != b[part]:
        print("%s: %s\n  ours:   %s\n  theirs: %s" % (ours.name, part, json.dumps(a[part]), json.dumps(b[part])))
        wrong += 1
  print("%d definitions compared with TensorFlow's" % compared)
  print("%d passed, %d failed" % (compared - wrong, wrong))
  return 1 if wrong else 0


if __name__ == "__main__":
  sys.exit(main())
