#!/usr/bin/env python3
"""Runs the oracle's cases in TensorFlow and on a Downpour server; see README.md."""
import argparse
import collections
import fnmatch
import importlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
for name in ("no_proxy", "NO_PROXY"):
  os.environ[name] = "*"
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import tensorflow.compat.v1 as tf  # noqa: E402

import case as vocabulary  # noqa: E402
import gradients  # noqa: E402
from compare import difference, flat  # noqa: E402


def arguments():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--server", required=True, help="the downpour binary")
  p.add_argument("--family", action="append", help="only this file of cases")
  p.add_argument("--op", default="*", help="only operations that match")
  p.add_argument("--table", default="", help="where to write the table")
  p.add_argument("--gradients", choices=["also", "only", "not"], default="also", help="compare gradients: beside the values, without them, or not")
  p.add_argument("-v", action="store_true", help="a line per case")
  return p.parse_args()


class Server:

  def __init__(self, binary):
    with socket.socket() as s:
      s.bind(("127.0.0.1", 0))
      port = s.getsockname()[1]
    self.target = "grpc://127.0.0.1:%d" % port
    self.process = subprocess.Popen([binary, "serve", "--bind", "127.0.0.1:%d" % port, "--log", "warn"])
    for _ in range(600):
      try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return
      except OSError:
        if self.process.poll() is not None:
          sys.exit("the server ended at once")
        time.sleep(0.05)
    sys.exit("the server did not come up")

  def stop(self):
    self.process.terminate()
    try:
      self.process.wait(20)
    except subprocess.TimeoutExpired:
      self.process.kill()
      return "the server did not stop within 20 s of SIGTERM"
    return None


def run_steps(make, target):
  """All fetched values of all steps, or the error that ended them."""
  with tf.Graph().as_default():
    tf.set_random_seed(87654321)
    try:
      steps = make()
    except (ValueError, TypeError) as e:
      # Refused while building, by the client's own checks: nothing to compare.
      return None, e
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
                            isolate_session_state=True, operation_timeout_in_ms=20000)
    values = []
    with tf.Session(target, config=config) as session:
      for fetches, feed in steps:
        try:
          values.append(flat(session.run(fetches, feed)))
        except tf.errors.OpError as e:
          return values, e
    return values, None


def check(one, dtype, make, target):
  """None when both sides agree, else why not; and the attributes that were compared."""
  theirs, their_error = run_steps(make, "")
  if theirs is None:
    return "cannot be built: %s" % their_error
  ours, our_error = run_steps(make, target)
  if one.refused and their_error is None:
    return "TensorFlow does not refuse this"
  if their_error is not None and not one.refused:
    return "TensorFlow refuses this: %s" % describe(their_error)
  # INTERNAL is TensorFlow tripping over its own check; for the same input we say what is wrong with it.
  better = isinstance(their_error, tf.errors.InternalError) and isinstance(our_error, tf.errors.InvalidArgumentError)
  if type(our_error) is not type(their_error) and not better:
    return "%s, expected %s" % (describe(our_error), describe(their_error))
  for step, (a, b) in enumerate(zip(ours, theirs)):
    if len(a) != len(b):
      return "step %d gave %d values, expected %d" % (step, len(a), len(b))
    for i, (x, y) in enumerate(zip(a, b)):
      why = difference(x, y, one, dtype)
      if why:
        return "step %d output %d: %s" % (step, i, why)
  return None


def describe(error):
  return "success" if error is None else "%s (%s)" % (type(error).__name__, re.sub(r"\s+", " ", str(error))[:200])


def main():
  args = arguments()
  tf.disable_v2_behavior()
  names = args.family or sorted(p.stem for p in (HERE / "cases").glob("*.py") if p.stem != "__init__")
  listed = subprocess.run([args.server, "ops", "--json"], capture_output=True, text=True, check=True).stdout
  known = {o["name"]: o for o in map(json.loads, listed.splitlines())}
  exempt, exempt_gradients = reasons("exempt.txt"), reasons("exempt_gradients.txt")
  server = Server(args.server)
  differentiator = None if args.gradients == "not" else gradients.Differentiator(args.server)
  record, compared = gradients.Record(), 0
  covered = collections.defaultdict(lambda: {"runs": 0, "dtypes": set(), "attrs": set()})
  failed, passed = [], 0
  try:
    for name in names:
      module = importlib.import_module("cases." + name)
      for one in module.cases():
        ops = one.ops if isinstance(one, vocabulary.Scenario) else [one.op]
        if not any(fnmatch.fnmatch(op, args.op) for op in ops):
          continue
        for label, dtype, make in one.runs():
          try:
            why = None if args.gradients == "only" else check(one, dtype, make, server.target)
          except Exception:  # A broken case must not hide the others.
            why = traceback.format_exc(limit=3)
          if differentiator and not why and not all(op in exempt_gradients for op in ops):
            try:
              outcome = gradients.check(one, make, server.target, differentiator)
            except Exception:
              outcome = gradients.Outcome(why=traceback.format_exc(limit=3))
            record.add(ops, outcome)
            compared += bool(outcome.through)
            if outcome.why:
              failed.append((name, label, outcome.why))
              print("FAILED GRADIENT %s: %s: %s" % (name, label, outcome.why), flush=True)
            elif args.v and outcome.note:
              print("no gradient %s: %s: %s" % (name, label, outcome.note), flush=True)
          if why:
            failed.append((name, label, why))
            print("FAILED %s: %s: %s" % (name, label, why), flush=True)
          else:
            passed += 1
            if args.v:
              print("ok %s: %s" % (name, label), flush=True)
            for op in ops:
              entry = covered[op]
              entry["runs"] += 1
              if dtype:
                entry["dtypes"].add(dtype)
              if not isinstance(one, vocabulary.Scenario):
                entry["attrs"].update("%s=%s" % kv for kv in one.attrs.items())
          if server.process.poll() is not None:
            sys.exit("the server died at %s: %s" % (name, label))
  finally:
    complaint = server.stop()
    if differentiator:
      differentiator.stop()
  missing = []
  if not args.family and args.op == "*":
    missing = [op for op in sorted(known) if op not in covered and op not in exempt and args.gradients != "only"]
    table = pathlib.Path(args.table or HERE.parent.parent / "target" / "oracle" / "table.md")
    table.parent.mkdir(parents=True, exist_ok=True)
    verdicts = record.judge(known, exempt_gradients) if differentiator else {}
    write_table(table, known, covered, exempt, verdicts)
    for op in missing:
      print("NO CASE for %s" % op)
    for op, (text, wrong) in verdicts.items():
      if wrong:
        missing.append(op)
        print("GRADIENT of %s: %s" % (op, text))
    print("gradients: %d runs compared, %d operations" % (compared, len(record.dtypes)))
    print("table: %s" % table)
  if complaint:
    print(complaint)
  print("%d passed, %d failed" % (passed, len(failed) + len(missing) + bool(complaint)))
  return 1 if failed or missing or complaint else 0


def reasons(file):
  """By operation, why it is left out."""
  lines = (HERE / file).read_text().splitlines()
  return dict(line.split(" ", 1) for line in lines if line.strip() and not line.startswith("#"))


def write_table(path, known, covered, exempt, verdicts):
  lines = ["| operation | runs | dtypes | attributes | gradient rule | gradient compared in |", "| --- | --- | --- | --- | --- | --- |"]
  for op in sorted(known):
    entry = covered.get(op)
    gradient = "%s | %s" % (known[op]["gradient"], verdicts.get(op, ("", False))[0].replace("|", "/"))
    if entry:
      lines.append("| %s | %d | %s | %s | %s |" % (op, entry["runs"], " ".join(sorted(entry["dtypes"])),
                                              " ".join(sorted(entry["attrs"])).replace("|", "/"), gradient))
    else:
      lines.append("| %s | 0 | | %s | %s |" % (op, exempt.get(op, "NOT COMPARED"), gradient))
  path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
  sys.exit(main())
