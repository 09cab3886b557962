"""The vocabulary in which cases are written; see README.md."""
import dataclasses
import inspect
import zlib
from typing import Any, Callable

import numpy as np
import tensorflow.compat.v1 as tf

FLOATS = ["half", "bfloat16", "float32", "float64"]
F32_64 = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
REAL = FLOATS + INTEGERS
NUMBERS = REAL + COMPLEX
PLAIN = NUMBERS + ["bool"]

# Largest relative difference allowed by default.
RTOL = {"half": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-6, "float64": 1e-12, "complex64": 4e-6, "complex128": 1e-12}


class Untyped:
  """An input that takes the dtype under test."""

  def __init__(self, kind, shape):
    self.kind, self.shape = kind, shape

  def array(self, dtype):
    # Seeded by what it is, so that a failing case is the same in every run.
    rng = np.random.RandomState(zlib.crc32(repr((self.kind, self.shape)).encode()))
    t = tf.as_dtype(dtype)
    np_type = t.as_numpy_dtype
    if t == tf.bool:
      return np.asarray(rng.rand(*self.shape) > 0.5)
    if t == tf.string:
      words = np.array([b"", b"a", b"bc", b"\x00\xff", b"longer words"], dtype=object)
      return np.asarray(words[rng.randint(0, len(words), self.shape)], dtype=object)
    values = {
        "real": lambda: rng.randn(*self.shape) * (2 if t.is_floating or t.is_complex else 5),
        "positive": lambda: rng.rand(*self.shape) * 3 + 0.25,
        "unit": lambda: rng.rand(*self.shape) * 1.8 - 0.9,
        "whole": lambda: rng.randint(0, 10, self.shape).astype("float64"),
        "small": lambda: rng.randint(1, 4, self.shape).astype("float64"),
    }[self.kind]()
    values = np.asarray(values)
    if t.is_complex:
      return (values + 1j * rng.randn(*self.shape)).astype(np_type)
    if t.is_integer:
      values = np.floor(values)
      if t.is_unsigned:
        values = np.abs(values)
      if self.kind == "positive":
        values = values + 1
    return values.astype(np_type)


def real(*shape):
  return Untyped("real", shape)


def positive(*shape):
  return Untyped("positive", shape)


def unit(*shape):
  """Inside (-0.9, 0.9)."""
  return Untyped("unit", shape)


def whole(*shape):
  """0 to 9, exact in every type."""
  return Untyped("whole", shape)


def small(*shape):
  """1 to 3, exact in every type."""
  return Untyped("small", shape)


def i32(values):
  return np.array(values, dtype="int32")


def i64(values):
  return np.array(values, dtype="int64")


def f32(values):
  return np.array(values, dtype="float32")


def strings(*values):
  return np.array([v if isinstance(v, bytes) else v.encode() for v in values], dtype=object)


@dataclasses.dataclass
class Case:
  op: str
  inputs: list
  attrs: dict = dataclasses.field(default_factory=dict)
  dtypes: Any = None
  rtol: Any = None
  atol: float = 0.0
  bits: bool = False
  unordered: bool = False
  refused: bool = False
  no_gradient: str = ""

  def runs(self):
    """(label, dtype, step builder) for each dtype."""
    for dtype in self.dtypes or [None]:
      yield "%s %s %s" % (self.op, dtype or "", self.attrs or ""), dtype, lambda d=dtype: self.build(d)

  def build(self, dtype):
    feed = {}

    def place(value):
      if isinstance(value, list):
        return [place(v) for v in value]
      array = value.array(dtype) if isinstance(value, Untyped) else np.asarray(value)
      kind = tf.string if array.dtype == object else tf.as_dtype(array.dtype)
      # What should be refused is shown to the server without its shape, or the client would refuse it first.
      node = tf.placeholder(kind, None if self.refused else array.shape)
      feed[node] = array
      return node

    function = getattr(tf.raw_ops, self.op)
    # The Python wrapper of a few operations calls its arguments differently.
    parameters = list(inspect.signature(function).parameters)
    names = [a.name if a.name in parameters else parameters[i] for i, a in enumerate(tf_op_def(self.op).input_arg)]
    kwargs = {n: place(v) for n, v in zip(names, self.inputs)}
    for name, value in self.attrs.items():
      kwargs[name] = tf.as_dtype(dtype) if value == "dtype under test" else value
    out = function(**kwargs)
    if isinstance(out, tf.Operation):
      return [([out], feed)]
    return [(list(out) if isinstance(out, (list, tuple)) else [out], feed)]


def Refused(op, inputs, attrs=None, **options):
  return Case(op, inputs, attrs or {}, refused=True, **options)


@dataclasses.dataclass
class Scenario:
  name: str
  ops: list
  make: Callable
  dtype: Any = None
  rtol: Any = None
  atol: float = 0.0
  bits: bool = False
  unordered: bool = False
  refused: bool = False
  no_gradient: str = ""

  def runs(self):
    yield self.name, self.dtype, self.make


def tf_op_def(name):
  from tensorflow.python.framework import op_def_registry
  definition = op_def_registry.get(name)
  if definition is None:
    raise ValueError("TensorFlow has no operation " + name)
  return definition
