"""Checkpoints of the first format."""
import atexit
import functools
import itertools
import os
import tempfile

import tensorflow.compat.v1 as tf

from case import *  # noqa: F403

raw = tf.raw_ops
FILES = itertools.count()
VALUES = {"half": 1.5, "float32": 2.5, "float64": -0.1, "int8": -3, "int16": -300, "int32": -70000, "int64": 1 << 40, "uint8": 200, "uint16": 60000,
          "bool": True, "complex64": 1 - 2j, "complex128": 3 + 4j}


@functools.cache
def folder():
  made = tempfile.TemporaryDirectory(prefix="oracle-first-")
  atexit.register(made.cleanup)
  return made.name


def new_file():
  return os.path.join(folder(), "file%d" % next(FILES))


def values():
  made = {dtype: tf.fill([2, 3], tf.constant(value, dtype)) for dtype, value in VALUES.items()}
  return dict(made, string=tf.constant([b"a", b"\x00\xff"]), scalar=tf.constant(7.0), nothing=tf.zeros([0, 3]))


def save(file, tensors):
  return raw.Save(filename=file, tensor_names=list(tensors), data=list(tensors.values()))


def restore(file, tensors):
  return [raw.Restore(file_pattern=file, tensor_name=name, dt=tensor.dtype) for name, tensor in tensors.items()]


def saved():
  file, tensors = new_file(), values()
  return [([save(file, tensors)], {}), (restore(file, tensors), {})]


@functools.cache
def by_tensorflow():
  """A file that TensorFlow has written."""
  with tf.Graph().as_default(), tf.Session() as session:
    file = new_file()
    session.run(save(file, values()))
  return file


def slices():
  file, whole = new_file(), np.arange(12, dtype="float32").reshape(4, 3)
  steps = []
  for i, part in enumerate(("0,1:-", "1,3:-")):
    rows = whole[:1] if i == 0 else whole[1:]
    steps.append(([raw.SaveSlices(filename="%s-%d" % (file, i), tensor_names=["v"], shapes_and_slices=["4 3 " + part], data=[rows])], {}))
  pattern = file + "-*"
  asked = [raw.RestoreSlice(file_pattern=pattern, tensor_name="v", shape_and_slice=spec, dt=tf.float32) for spec in ("", "4 3 -:1,2", "4 3 0,2:0,1")]
  return steps + [(asked + restore(pattern, {"v": tf.constant(0.0)}), {})]


def refused(file, name, dtype):
  return [(restore(file, {name: tf.zeros([], dtype)}), {})]


def cases():
  yield Scenario("saved and restored", ["Save", "Restore"], saved, bits=True)
  yield Scenario("restored from TensorFlow's", ["Restore"], lambda: [(restore(by_tensorflow(), values()), {})], bits=True)
  yield Scenario("in slices", ["SaveSlices", "RestoreSlice"], slices, bits=True)
  yield Scenario("no file", ["Restore"], lambda: refused("/nonexistent/x", "v", tf.float32), refused=True)
  yield Scenario("no tensor", ["Restore"], lambda: refused(by_tensorflow(), "v", tf.float32), refused=True)
  yield Scenario("another type", ["Restore"], lambda: refused(by_tensorflow(), "float32", tf.int32), refused=True)
