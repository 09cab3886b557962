"""Gradients: `tf.gradients` beside `downpour gradients`, over the graphs the cases build; see README.md."""
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile
import zlib

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import ops as tf_ops

from case import RTOL
from compare import difference, flat
from waiting import LIMIT_MS

# A gradient is a chain of several operations, each of which may be as far off as the case allows its operation to be;
# the two sides also write some of the same formulas in a different order. In 16 bits TensorFlow rounds after every
# addition of some sums that we round once.
FACTOR = {"half": 8, "bfloat16": 8}
USUAL_FACTOR = 4

TRAINABLE = [tf.half, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128, tf.resource, tf.variant]
NUMBERS = TRAINABLE[:6]
SOURCES = ["Placeholder", "Const", "VariableV2", "Variable", "VarHandleOp"]


class Differentiator:
  """Our side: one process that answers a request a line."""

  def __init__(self, binary):
    self.folder = tempfile.TemporaryDirectory(prefix="oracle-gradients-")
    self.process = subprocess.Popen([binary, "gradients", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

  def gradients(self, graph_def, of, by, start):
    """The graph with gradients and their names (None where nothing flows), or an error's text."""
    graph, out = (str(pathlib.Path(self.folder.name) / n) for n in ("graph.pb", "out.pb"))
    pathlib.Path(graph).write_bytes(graph_def.SerializeToString())
    request = {"graph": graph, "of": of, "by": by, "start": start, "out": out, "dense": True}
    self.process.stdin.write(json.dumps(request) + "\n")
    self.process.stdin.flush()
    line = self.process.stdout.readline()
    if not line:
      raise RuntimeError("`downpour gradients --batch` ended at %s" % of)
    answer = json.loads(line)
    if "error" in answer:
      return None, "%s (%s)" % (answer["error"], answer["code"])
    result = tf.GraphDef.FromString(pathlib.Path(out).read_bytes())
    return result, [g and g["tensor"] for g in answer["gradients"]]

  def stop(self):
    self.process.stdin.close()
    self.process.wait(20)
    self.folder.cleanup()


@dataclasses.dataclass
class Outcome:
  """What came of one case: `why` says what is wrong, `note` why there was nothing to compare."""
  why: str = None
  note: str = None
  # (operation, dtype) of everything the gradients went through.
  through: set = dataclasses.field(default_factory=set)


class Record:
  """For every operation: the dtypes its gradient was compared in, and what stood in the way where it was not."""

  def __init__(self):
    self.dtypes = collections.defaultdict(set)
    self.notes = collections.defaultdict(collections.Counter)

  def add(self, ops, outcome):
    for op, dtype in outcome.through:
      self.dtypes[op].add(dtype)
    if outcome.note:
      for op in ops:
        self.notes[op][outcome.note] += 1

  def merge(self, other):
    for op, dtypes in other.dtypes.items():
      self.dtypes[op] |= dtypes
    for op, notes in other.notes.items():
      self.notes[op] += notes

  def judge(self, known, exempt):
    """By operation: (what the table says, whether that is a failure)."""
    registry = tf_ops.gradient_registry._registry  # pylint: disable=protected-access
    registered = {name: entry["type"] for name, entry in registry.items()}
    verdicts = {}
    for op in sorted(known):
      ours, theirs = known[op]["gradient"], registered.get(op, "absent")
      if self.dtypes.get(op):
        verdicts[op] = " ".join(sorted(self.dtypes[op])), False
      elif op in exempt:
        verdicts[op] = exempt[op], False
      elif theirs is None:
        verdicts[op] = ("none on both sides", False) if ours == "none" else ("TensorFlow declares none, we have: " + ours, True)
      elif theirs == "absent" and ours == "missing":
        verdicts[op] = "missing on both sides", False
      elif theirs == "absent":
        verdicts[op] = "TensorFlow has no gradient; ours: " + ours, False
      elif ours == "missing":
        verdicts[op] = "MISSING: TensorFlow has a gradient", True
      else:
        notes = "; ".join(n for n, _ in self.notes[op].most_common(2)) or "no case reaches it"
        verdicts[op] = "NOT COMPARED: " + notes, True
    return verdicts


def check(one, make, target, differentiator):
  """Compares the gradients of every step of a case; expects its values to agree already."""
  if one.refused:
    return Outcome()
  if one.no_gradient or one.unordered:
    return Outcome(note=one.no_gradient or "its results come in no particular order")
  with tf.Graph().as_default() as graph:
    tf.set_random_seed(87654321)
    steps = make()
    if not isinstance(steps, list):
      return Outcome(note="its steps follow from each other's results")
    steps = [(tensors(graph, fetches), {k if isinstance(k, str) else k.name: v for k, v in feed.items()}) for fetches, feed in steps]
    whole = Outcome()
    for last in range(len(steps)):
      xs, ys = ends(graph, steps[last][0])
      if ys:
        whole = joined(whole, compare(one, graph, steps, last, xs, ys, target, differentiator))
    if not whole.through and not whole.note:
      whole.note = "no path of numbers from an input to an output"
    return whole


def joined(a, b):
  return Outcome(a.why or b.why, a.note or b.note, a.through | b.through)


def compare(one, graph, steps, last, xs, ys, target, differentiator):
  """Differentiates `ys` together, or one by one where TensorFlow cannot differentiate some of them."""
  outcome = compare_together(one, graph, steps, last, xs, ys, target, differentiator)
  if outcome.note and len(ys) > 1:
    outcome = Outcome()
    for y in ys:
      outcome = joined(outcome, compare_together(one, graph, steps, last, xs, [y], target, differentiator))
  return outcome


def compare_together(one, graph, steps, last, xs, ys, target, differentiator):
  before = reach([y.op for y in ys], lambda op: [t.op for t in op.inputs if t.dtype.base_dtype in TRAINABLE])
  xs = [x for x in xs if x.op in before]
  after = reach([x.op for x in xs], consumers)
  through = {(op.type, dtype_of(op)) for op in after & before if op.type not in SOURCES}
  feed = dict(steps[last][1])
  with session("") as s:
    try:
      shapes = [np.shape(v) for v in run(s, steps, last, ys, feed)]
    except tf.errors.OpError as e:
      return Outcome(note="runs only beside its other values: %s" % short(e))
  starts = []
  for y, shape in zip(ys, shapes):
    starts.append(tf.placeholder(y.dtype.base_dtype, shape, name="oracle_start"))
    feed[starts[-1].name] = random_start(y.dtype.base_dtype, shape, y.name)
  graph_def = graph.as_graph_def()
  names = ([y.name for y in ys], [x.name for x in xs], [t.name for t in starts])
  try:
    theirs = tf.gradients(ys, xs, starts)
  except LookupError as e:
    missing = re.search(r"op type: (\w+)", str(e))
    return Outcome(note="TensorFlow has no gradient for %s" % (missing.group(1) if missing else e))
  except (ValueError, TypeError, NotImplementedError, AttributeError, IndexError) as e:
    return Outcome(note="TensorFlow cannot differentiate: %s" % short(e))
  theirs = [None if g is None else tf.convert_to_tensor(g) for g in theirs]
  with session("") as s:
    try:
      expected = run(s, steps, last, [g for g in theirs if g is not None], feed)
    except tf.errors.OpError as e:
      return Outcome(note="TensorFlow's gradient fails: %s" % short(e))
  augmented, ours = differentiator.gradients(graph_def, *names)
  if augmented is None:
    return Outcome(why="refused: %s" % ours)
  values = iter(expected)
  expected = [None if b is None else next(values) for b in theirs]
  if any(op in ("While", "StatelessWhile") for op, _ in through):
    # There TensorFlow also has a gradient of zeros for what does not lead to the value.
    theirs = [None if a is None and b is not None and not np.any(v) else b for a, b, v in zip(ours, theirs, expected)]
  for x, a, b in zip(names[1], ours, theirs):
    if (a is None) != (b is None):
      return Outcome(why="by %s: we have %s, TensorFlow %s" % (x, *("none" if g is None else "a gradient" for g in (a, b))))
  with tf.Graph().as_default():
    tf.import_graph_def(augmented, name="")
    with session(target) as s:
      by_name = [([t.name for t in fetches], f) for fetches, f in steps]
      try:
        given = run(s, by_name, last, [g for g in ours if g is not None], feed)
      except tf.errors.OpError as e:
        return Outcome(why="our gradient fails: %s" % short(e))
  expected = [v for v, g in zip(expected, ours) if g is not None]
  for x, a, b in zip([x for x, g in zip(names[1], ours) if g is not None], given, expected):
    why = difference(a, b, tolerant(one, b), None)
    if why:
      return Outcome(why="by %s: %s" % (x, why))
  return Outcome(through=through)


def tolerant(one, value):
  """The case with the tolerance its gradients get."""
  kind = tf.as_dtype(value.dtype).name.replace("float16", "half") if value.dtype == np.float16 else tf.as_dtype(value.dtype).name
  factor = FACTOR.get(kind, USUAL_FACTOR)
  # A case may be exact where it yields another type than it takes.
  rtol = max(one.rtol or 0, RTOL.get(kind, 0)) * factor
  return dataclasses.replace(one, bits=False, rtol=rtol, atol=one.atol * factor)


def run(s, steps, last, gradients, feed):
  for fetches, f in steps[:last]:
    s.run(fetches, f)
  return s.run(gradients, feed)


def session(target):
  config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
                          isolate_session_state=True, operation_timeout_in_ms=LIMIT_MS)
  return tf.Session(target, config=config)


def tensors(graph, fetches):
  found = [graph.as_graph_element(t) if isinstance(t, str) else t for t in flat(fetches)]
  return [t for t in found if isinstance(t, (tf.Tensor, tf.Operation))]


def ends(graph, fetches):
  """What a step's numbers can be differentiated by, and those of its fetches that depend on it."""
  xs = [t for op in graph.get_operations() if op.type in SOURCES and not op.name.startswith("oracle_start") for t in op.outputs
        if t.dtype.base_dtype in NUMBERS + [tf.resource]
        # The gradient of something inside a branch or a loop can be fetched there only.
        and op._get_control_flow_context() is None]  # pylint: disable=protected-access
  after = reach([x.op for x in xs], consumers)
  ys = [t for t in fetches if isinstance(t, tf.Tensor) and t.dtype.base_dtype in NUMBERS and t.op in after and t.op.type not in SOURCES]
  return xs, list(dict.fromkeys(ys))


def consumers(op):
  return [c for t in op.outputs if t.dtype.base_dtype in TRAINABLE for c in t.consumers()]


def reach(start, following):
  seen, queue = set(), list(start)
  while queue:
    op = queue.pop()
    if op not in seen:
      seen.add(op)
      queue.extend(following(op))
  return seen


def dtype_of(op):
  kinds = [t.dtype.base_dtype for t in list(op.inputs) + list(op.outputs)]
  number = next((k for k in kinds if k in NUMBERS), kinds[0])
  return "half" if number == tf.half else number.name


def random_start(dtype, shape, seed):
  rng = np.random.RandomState(zlib.crc32(seed.encode()))
  values = rng.randn(*shape)
  if dtype.is_complex:
    values = values + 1j * rng.randn(*shape)
  return np.asarray(values).astype(dtype.as_numpy_dtype)


def short(error):
  return re.sub(r"\s+", " ", "%s %s" % (type(error).__name__, error))[:200]
