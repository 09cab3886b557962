"""Runs mutations on a server and decides which answers are findings."""
import dataclasses
import math
import random
import re
import sys
import time
import traceback

from mutation import master
from mutation.master import Failure, Unanswered
from mutation.plan import message
from mutation.trial import Maker
from mutation.watch import MEMORY_LIMIT, MIB, SLACK, Server

import tensorflow.compat.v1 as tf

# Seconds beyond a step's deadline until it must have ended; many, since the machine may be busy.
LATE = 120
# Seconds until TensorFlow's server is given up and started again.
PATIENCE = 30


@dataclasses.dataclass
class Outcome:
  findings: list
  ran: int
  ops: set
  answers: dict


class Judge:

  def __init__(self, args):
    self.args = args
    self.findings, self.ran, self.ops, self.answers = [], 0, set(), {}
    self.server = None
    self.reference = None
    if args.compare:
      from mutation.reference import Reference
      self.reference = Reference(PATIENCE)
    self.start_server()

  def start_server(self):
    self.server = Server(self.args.server, self.args.milliseconds / 1000 + LATE)
    self.good = self.server.master.create(good_graph())
    self.kept = None
    self.idle = self.server.memory("VmRSS")

  def restart(self):
    self.server.kill()
    self.start_server()

  def outcome(self):
    return Outcome(self.findings, self.ran, self.ops, self.answers)

  def stop(self):
    if self.reference:
      self.reference.stop()
    complaint = self.server.stop()
    if complaint:
      self.report("", complaint, "")

  def report(self, key, why, what):
    self.findings.append((key, why))
    print("FINDING %s: %s\n  input: %s\n  again: %s --server %s --seed %s%s --only '%s'" % (
        key, why, what[:300], sys.argv[0], self.args.server, self.args.seed, " --compare" if self.args.compare else "", key), flush=True)

  def examine(self, family, op, plans):
    """Shares the mutations out among the operation's plans."""
    rng = random.Random("%s %s %s" % (self.args.seed, family, op))
    if self.args.only:
      work = [(key, make, [int(self.args.only.split("#")[1])]) for key, make in plans]
    else:
      chosen = list(plans)
      rng.shuffle(chosen)
      chosen = chosen[:self.args.count]
      each = [self.args.count // len(chosen) + (i < self.args.count % len(chosen)) for i in range(len(chosen))] if chosen else []
      work = [(key, make, range(n)) for (key, make), n in zip(chosen, each)]
    for key, make, numbers in work:
      try:
        plan = make()
      except Exception:  # A case that cannot be built is the oracle's finding, not ours.
        if self.args.v:
          print("not built %s: %s" % (key, traceback.format_exc(limit=2)))
        continue
      if plan is not None:
        self.ops.update(plan.ops)
        self.examine_plan(key, plan, numbers)

  def examine_plan(self, key, plan, numbers):
    maker = Maker(plan, key, self.args.seed)
    self.server.forget_peak()
    for number in numbers:
      trial = maker.make(number)
      self.ran += 1
      name = "%s#%d" % (key, number)
      why = self.judge(trial, trial.graph is plan.graph and not plan.stateful())
      if not why and self.reference:
        why = self.reference.disagreement(trial, self.answered, self.args.milliseconds)
      if why:
        self.report(name, why, trial.what)
        if self.spoiled:
          self.restart()
      elif self.args.v:
        print("ok %s: %s: %s" % (name, trial.what, self.last), flush=True)
    self.forget_session()
    why = self.still_good()
    if why:
      self.report(key, why, "all of its mutations")
      self.restart()

  def judge(self, trial, shared):
    """Why what the server did is wrong, or None. It may be `spoiled` then, and no fair judge of what follows."""
    self.spoiled = True
    start = time.time()
    try:
      code, text, wrong = self.attempt(trial, shared)
    except Unanswered as e:
      time.sleep(0.5)
      if not self.server.alive():
        return "the server died: %s" % (self.server.panics() or e)
      if time.time() - start < LATE / 2:
        return "the connection was lost: %s" % e
      return "no answer within %d s of the deadline" % LATE
    self.last = "%s %s" % (code, text[:150].replace("\n", " "))
    self.answers[code] = self.answers.get(code, 0) + 1
    panic = self.server.panics()
    if panic:
      return "a panic: %s; answer: %s" % (panic, self.last)
    if not self.server.alive():
      return "the server died"
    if code == master.DEADLINE_EXCEEDED and not self.server.calms_down(20):
      return "it computes on after its deadline"
    peak = self.server.peak() - self.idle
    if peak > MEMORY_LIMIT + SLACK:
      return "%d MiB were resident, with a limit of %d; answer: %s" % (peak // MIB, MEMORY_LIMIT // MIB, self.last)
    self.spoiled = False
    if wrong:
      return wrong
    if code not in PLACELESS and not PLACE.search(text):
      return "the error does not say where: %s" % self.last
    if code == master.INTERNAL:
      return "internal error: %s" % text[:300]
    return None

  def attempt(self, trial, shared):
    """The first error, or success; and what makes the answers themselves wrong, if anything."""
    self.answered = []
    if not shared or self.kept is None or self.kept[0] is not trial.graph:
      self.forget_session()
      try:
        session = self.server.master.create(trial.graph)
      except Failure as e:
        self.answered.append(e)
        return e.code, e.text, None
      self.kept = (trial.graph, session)
    first, wrong = (master.OK, ""), None
    for step in trial.steps:
      try:
        got = self.run(step)
        self.answered.append(got)
        # Whatever was not computed differs from one time to the next.
        if shared and any(encoded(self.run(step).get(name)) != encoded(tensor) for name, tensor in got.items()):
          wrong = "the same step gives two results"
        wrong = wrong or next(("%s %s" % (name, why) for name, tensor in got.items() if (why := misshapen(tensor))), None)
      except Failure as e:
        self.answered.append(e)
        if first[0] == master.OK:
          first = (e.code, e.text)
        if e.code == master.DEADLINE_EXCEEDED:
          break
    if not shared:
      self.forget_session()
    return *first, wrong

  def run(self, step):
    return self.server.master.run(self.kept[1], step.feeds, step.fetches, step.targets, self.args.milliseconds)

  def forget_session(self):
    if self.kept is not None:
      session, self.kept = self.kept[1], None
      try:
        self.server.master.close_session(session)
      except Failure:
        pass  # closed by an error of its own

  def still_good(self):
    """Whether a step as any client makes it gives the right numbers."""
    try:
      answer = self.server.master.run(self.good, {"x:0": message([1.0, 2.0], tf.float32)}, ["y:0"], [], LATE * 1000)
    except (Failure, Unanswered) as e:
      return "a good step fails afterwards: %s" % e
    got = tf.make_ndarray(answer["y:0"]).tolist()
    return None if got == [2.0, 4.0] else "a good step gives %s afterwards" % got


# Answers that need not say where: a step as a whole is late, or what it gives together is too much.
PLACELESS = (master.OK, master.DEADLINE_EXCEEDED, master.RESOURCE_EXHAUSTED, master.TOO_LARGE)
# A place in the graph or the request.
PLACE = re.compile(r"\b([Nn]odes?|feed|fed|Tensor|[Ff]unction|[Gg]raph|fetch)\b")


def encoded(tensor):
  return None if tensor is None else tensor.SerializeToString(deterministic=True)


def misshapen(tensor):
  """Why a fetched message is no tensor, or None."""
  dtype = tf.as_dtype(tensor.dtype)
  count = math.prod(dim.size for dim in tensor.tensor_shape.dim)
  if any(dim.size < 0 for dim in tensor.tensor_shape.dim):
    return "has a negative size"
  if tensor.tensor_content and len(tensor.tensor_content) != count * dtype.size:
    return "has %d bytes for %d elements" % (len(tensor.tensor_content), count)
  if dtype == tf.string and len(tensor.string_val) not in (count, min(count, 1)):
    return "has %d strings for %d elements" % (len(tensor.string_val), count)
  return None


def good_graph():
  with tf.Graph().as_default() as graph:
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.add(x, x, name="y")
    return graph.as_graph_def()
