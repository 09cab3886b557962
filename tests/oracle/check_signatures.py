#!/usr/bin/env python3
"""Every operation's definition, compared with TensorFlow's own: arguments, types, attributes, defaults, flags; and that the
book names those that are missing."""
import argparse
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import tensorflow_environment  # noqa: E402, F401
from google.protobuf import json_format  # noqa: E402
from tensorflow.core.framework import op_def_pb2  # noqa: E402
from tensorflow.python.client import pywrap_tf_session  # noqa: E402
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


def refused():
  """The patterns of the book's table of operations that are refused."""
  chapter = (HERE.parents[1] / "docs" / "src" / "tensorflow.md").read_text()
  table = chapter.split("## Operations that are refused\n")[1].split("\n## ")[0]
  rows = [line for line in table.splitlines() if line.startswith("| `")]
  return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row.split("|")[1])]


def check_book(ours):
  """Prints where the book's table is wrong for the operations we have; returns how often."""
  everything = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
  lines = (HERE / "operations_of_tests.txt").read_text().splitlines()
  known = {name for line in lines if not line.startswith("#") for name in line.split()}
  # Those that begin with an underscore are made by TensorFlow's own rewrites of graphs.
  missing = {op.name for op in everything.op if not op.name.startswith("_")} - set(ours) - known
  patterns = refused()
  unnamed = sorted(name for name in missing if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))
  wrong = ["%s is missing, and the book does not say so" % name for name in unnamed]
  for pattern in patterns:
    there = sorted(name for name in fnmatch.filter(ours, pattern) if not name.startswith("_"))
    wrong += ["%s is there, and refused according to the book (%s)" % (name, pattern) for name in there]
    if not there and not fnmatch.filter(missing, pattern):
      wrong.append("the book refuses %s, which is no operation of TensorFlow" % pattern)
  print("".join(line + "\n" for line in wrong), end="")
  return len(wrong)


def main():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--server", required=True, help="the downpour binary")
  args = p.parse_args()
  lines = subprocess.run([args.server, "ops", "--definitions"], capture_output=True, check=True).stdout.splitlines()
  names = []
  wrong = 0
  compared = 0
  for line in lines:
    ours = op_def_pb2.OpDef()
    ours.ParseFromString(bytes.fromhex(line.decode()))
    names.append(ours.name)
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
  wrong += check_book(names)
  print("%d definitions compared with TensorFlow's" % compared)
  print("%d passed, %d failed" % (max(compared - wrong, 0), wrong))
  return 1 if wrong else 0


if __name__ == "__main__":
  sys.exit(main())
