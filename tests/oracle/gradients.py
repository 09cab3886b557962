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

from compare import difference, flat

# A gradient is a chain of several operations, each of which may be as far off as the case allows its operation to be;
# the two sides also write some of the same formulas in a different order.
FACTOR = 4

TRAINABLE = [tf.half, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128, tf.resource, tf.variant]
NUMBERS = TRAINABLE[:6]
SOURCES = ["Placeholder", "PlaceholderWithDefault", "Const", "VariableV2", "Variable", "VarHandleOp"]


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


def check(one, ops, make, target, differentiator):
  """Compares the gradients of one case; expects its values to agree already."""
  if one.refused:
    return Outcome()
  with tf.Graph().as_default() as graph:
    tf.set_random_seed(87654321)
    steps = make()
    if not isinstance(steps, list):
      return Outcome(note="its steps follow from each other's results")
    steps = [(tensors(graph, fetches), {k if isinstance(k, str) else k.name: v for k, v in feed.items()}) for fetches, feed in steps]
    picked = pick(graph, steps)
    if picked is None:
      return Outcome(note="no path of numbers from an input to an output")
    last, ys, xs, between = picked
    with session("") as s:
      try:
        shapes = [np.shape(v) for v in run(s, steps, last, ys, steps[last][1])]
      except tf.errors.OpError as e:
        return Outcome(note="runs only beside its other values: %s" % short(e))
    feed = dict(steps[last][1])
    starts = []
    for i, (y, shape) in enumerate(zip(ys, shapes)):
      starts.append(tf.placeholder(y.dtype.base_dtype, shape, name="oracle_start_%d" % i))
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
  for x, a, b in zip(names[1], ours, theirs):
    if (a is None) != (b is None):
      return Outcome(why="by %s: we have %s, TensorFlow %s" % (x, "none" if a is None else "a gradient", "none" if b is None else "a gradient"))
  with tf.Graph().as_default():
    tf.import_graph_def(augmented, name="")
    with session(target) as s:
      by_name = [([t.name for t in fetches], f) for fetches, f in steps]
      try:
        given = run(s, by_name, last, [g for g in ours if g is not None], feed)
      except tf.errors.OpError as e:
        return Outcome(why="our gradient fails: %s" % short(e))
  tolerant = dataclasses.replace(one, bits=False, unordered=False, atol=one.atol * FACTOR)
  for x, a, b in zip([x for x, g in zip(names[1], ours) if g is not None], given, expected):
    why = difference(a, b, tolerant, None, FACTOR)
    if why:
      return Outcome(why="by %s: %s" % (x, why))
  return Outcome(through=between)


def run(s, steps, last, gradients, feed):
  for fetches, f in steps[:last]:
    s.run(fetches, f)
  return s.run(gradients, feed)


def session(target):
  config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
                          isolate_session_state=True, operation_timeout_in_ms=20000)
  return tf.Session(target, config=config)


def tensors(graph, fetches):
  found = [graph.as_graph_element(t) if isinstance(t, str) else t for t in flat(fetches)]
  return [t for t in found if isinstance(t, (tf.Tensor, tf.Operation))]


def pick(graph, steps):
  """The last step with something to differentiate: its number, outputs, inputs, and what lies between."""
  xs = [t for op in graph.get_operations() if op.type in SOURCES for t in op.outputs
        if t.dtype.base_dtype in NUMBERS + [tf.resource]
        # The gradient of something inside a branch or a loop can be fetched there only.
        and op._get_control_flow_context() is None]  # pylint: disable=protected-access
  after = reach([x.op for x in xs], lambda op: [c for t in op.outputs if t.dtype.base_dtype in TRAINABLE for c in t.consumers()])
  for last in reversed(range(len(steps))):
    ys = [t for t in steps[last][0] if isinstance(t, tf.Tensor) and t.dtype.base_dtype in NUMBERS and t.op in after
          and t.op.type not in SOURCES]
    if ys:
      before = reach([y.op for y in ys], lambda op: [t.op for t in op.inputs if t.dtype.base_dtype in TRAINABLE])
      through = {(op.type, dtype_of(op)) for op in after & before if op.type not in SOURCES}
      used = [x for x in xs if x.op in before]
      return last, list(dict.fromkeys(ys)), used, through
  return None


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
