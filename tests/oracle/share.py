"""A share of the oracle's cases, run in TensorFlow and on a server of its own."""
import collections
import dataclasses
import fnmatch
import importlib
import pathlib
import re
import socket
import subprocess
import sys
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import tensorflow_environment  # noqa: E402, F401
import tensorflow.compat.v1 as tf  # noqa: E402

import case as vocabulary  # noqa: E402
import gradients  # noqa: E402
from compare import difference, flat  # noqa: E402
from ports import free_port  # noqa: E402
from waiting import LIMIT, LIMIT_MS, until  # noqa: E402


class Server:

  def __init__(self, binary):
    port = free_port()
    self.target = "grpc://127.0.0.1:%d" % port
    self.process = subprocess.Popen([binary, "serve", "--bind", "127.0.0.1:%d" % port, "--log", "warn"])
    until(lambda: self.answers(port), "the server comes up", self.process)

  def answers(self, port):
    try:
      socket.create_connection(("127.0.0.1", port), LIMIT).close()
      return True
    except OSError:
      return False

  def stop(self):
    self.process.terminate()
    try:
      self.process.wait(LIMIT)
    except subprocess.TimeoutExpired:
      self.process.kill()
      return "the server did not stop within %d s of SIGTERM" % LIMIT
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
                            isolate_session_state=True, operation_timeout_in_ms=LIMIT_MS)
    values = []
    with tf.Session(target, config=config) as session:
      for fetches, feed in steps:
        try:
          values.append(flat(session.run(fetches, feed)))
        except tf.errors.OpError as e:
          return values, e
    return values, None


def check(one, dtype, make, target):
  """None when both sides agree, else why not."""
  theirs = run_steps(make, "")
  if theirs[0] is None:
    return "cannot be built: %s" % theirs[1]
  ours = run_steps(make, target)
  why = compared(one, dtype, ours, theirs)
  # TensorFlow contradicts itself now and then, on a busy machine: its second answer decides, ours stays the same.
  second = why and compared(one, dtype, ours, run_steps(make, ""))
  if why and not second:
    print("TensorFlow gave two answers, and we the second: %s" % why, flush=True)
  return second


def compared(one, dtype, ours, theirs):
  """None when both answers agree, else why not."""
  (ours, our_error), (theirs, their_error) = ours, theirs
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
  """The kind of an error and what the server said, without where the client's program has made the node."""
  if error is None:
    return "success"
  said = str(error).split("Original stack trace for")[0]
  said = said[said.find("\nNode: ") + 1:] if "\nNode: " in said else said
  return "%s (%s)" % (type(error).__name__, re.sub(r"\s+", " ", said)[:300])


def coverage():
  return {"runs": 0, "dtypes": set(), "attrs": set()}


@dataclasses.dataclass
class Result:
  """What a share has found."""
  passed: int = 0
  failed: list = dataclasses.field(default_factory=list)
  covered: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(coverage))
  record: gradients.Record = dataclasses.field(default_factory=gradients.Record)
  compared: int = 0
  complaints: list = dataclasses.field(default_factory=list)

  def add(self, other):
    self.passed += other.passed
    self.failed += other.failed
    self.compared += other.compared
    self.complaints += other.complaints
    self.record.merge(other.record)
    for op, entry in other.covered.items():
      own = self.covered[op]
      own["runs"] += entry["runs"]
      own["dtypes"] |= entry["dtypes"]
      own["attrs"] |= entry["attrs"]


def runs(names, pattern, share, shares):
  """Every run whose turn it is: (family, case, its operations, label, dtype, how to build it)."""
  number = 0
  for name in names:
    for one in importlib.import_module("cases." + name).cases():
      ops = one.ops if isinstance(one, vocabulary.Scenario) else [one.op]
      if not any(fnmatch.fnmatch(op, pattern) for op in ops):
        continue
      for label, dtype, make in one.runs():
        number += 1
        if number % shares == share:
          yield name, one, ops, label, dtype, make


def run_share(args, names, exempt_gradients, share, shares):
  """Compares this share of the runs."""
  tf.disable_v2_behavior()
  result = Result()
  server = Server(args.server)
  differentiator = None if args.gradients == "not" else gradients.Differentiator(args.server)
  try:
    for name, one, ops, label, dtype, make in runs(names, args.op, share, shares):
      try:
        why = None if args.gradients == "only" else check(one, dtype, make, server.target)
      except Exception:  # A broken case must not hide the others.
        why = traceback.format_exc(limit=3)
      if differentiator and not why and not all(op in exempt_gradients for op in ops):
        try:
          outcome = gradients.check(one, make, server.target, differentiator)
        except Exception:
          outcome = gradients.Outcome(why=traceback.format_exc(limit=3))
        result.record.add(ops, outcome)
        result.compared += bool(outcome.through)
        if outcome.why:
          result.failed.append((name, label, outcome.why))
          print("FAILED GRADIENT %s: %s: %s" % (name, label, outcome.why), flush=True)
        elif args.v and outcome.note:
          print("no gradient %s: %s: %s" % (name, label, outcome.note), flush=True)
      if why:
        result.failed.append((name, label, why))
        print("FAILED %s: %s: %s" % (name, label, why), flush=True)
      else:
        result.passed += 1
        if args.v:
          print("ok %s: %s" % (name, label), flush=True)
        for op in ops:
          entry = result.covered[op]
          entry["runs"] += 1
          if dtype:
            entry["dtypes"].add(dtype)
          if not isinstance(one, vocabulary.Scenario):
            entry["attrs"].update("%s=%s" % kv for kv in one.attrs.items())
      if server.process.poll() is not None:
        result.complaints.append("the server died at %s: %s" % (name, label))
        break
  finally:
    complaint = server.stop()
    if complaint:
      result.complaints.append(complaint)
    if differentiator:
      differentiator.stop()
  return result
