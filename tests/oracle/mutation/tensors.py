"""Bad tensors, made of good ones."""
import math

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.framework import tensor_pb2, types_pb2

INTEGERS = [-1, 0, 1, -2, 2, 255, 65536, 1 << 20, 10**9, 2**31 - 1, -2**31, 2**32, 2**40, 2**62, 2**63 - 1, -2**63]
FLOATS = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, -1.0, 3e38, -3e38, 1e-45, 2.0**31, 2.0**63, 1e300]
TEXTS = [
    b"", b"\0", b"\xff\xfe\xfd", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a" * (1 << 20), b"(" * 100000, b"[" * 100000, b"%s%n", b"-9223372036854775809", b"1e999999999",
    b"nan", b"\xff" * 1000, b"\x0a\xff\xff\xff\xff\x0f", b"\x08\x96\x01" * 50, b"*" * 40 + b"a", b"(a*)*" * 20, b"\n\r,\"'\\", b"{\"a\":" * 2000,
]
HANDLES = [types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT]
SHAPES = [[2**62, 2**62], [2**40], [-1], [0, 2**62], [2**31, 2**31], [1] * 254, [1] * 300, [2**63 - 1], [-2**63]]

# Elements of a tensor that is changed; one that claims more has been changed already.
LARGEST = 1 << 22


def change(rng, proto):
  """A bad tensor like this good one, and in a few words what is bad; None if it is of a kind that has no changes."""
  if proto.dtype % 100 in HANDLES:
    return forged(rng, proto.dtype % 100)
  kind = rng.random()
  if kind < 0.04:
    return another_type(rng, proto)
  if kind < 0.09 or not 0 <= elements(proto) <= LARGEST:
    return damaged(rng, proto)
  try:
    array = tf.make_ndarray(proto)
  except (TypeError, ValueError):
    return damaged(rng, proto)
  dtype = tf.as_dtype(proto.dtype)
  if array.dtype.names:
    # Quantized kinds hold a number as the integer of their size.
    array = array.view(array.dtype[0])
  if kind < 0.45 or array.size == 0:
    changed, what = other_shape(rng, array)
  else:
    changed, what = other_values(rng, array, dtype)
  return as_proto(changed, dtype), what


def elements(proto):
  return math.prod(dim.size for dim in proto.tensor_shape.dim)


def as_proto(array, dtype):
  """Like make_tensor_proto, which takes no strings that numpy pads and is slow for large ones."""
  proto = tensor_pb2.TensorProto(dtype=dtype.as_datatype_enum)
  for n in array.shape:
    proto.tensor_shape.dim.add(size=n)
  if dtype == tf.string:
    proto.string_val.extend(array.ravel().tolist())
  else:
    proto.tensor_content = np.ascontiguousarray(array).tobytes()
  return proto


def other_shape(rng, array):
  ways = {
      "no elements": lambda: np.zeros([0], array.dtype),
      "first dimension 0": lambda: array[:0] if array.ndim else np.zeros([0, 0], array.dtype),
      "last dimension 0": lambda: array[..., :0] if array.ndim else np.zeros([3, 0], array.dtype),
      "a scalar": lambda: array.ravel()[0] if array.size else np.zeros([], array.dtype),
      "a dimension more in front": lambda: array[None],
      "a dimension more behind": lambda: array[..., None],
      "flat": lambda: array.ravel(),
      "a row less": lambda: array[:-1] if array.ndim else array,
      "a row more": lambda: np.concatenate([array, array[-1:]]) if array.ndim else np.stack([array] * 2),
      "twice as many rows": lambda: np.concatenate([array, array]) if array.ndim else np.stack([array] * 3),
      "a column less": lambda: array[..., :-1] if array.ndim else array,
      "a column more": lambda: np.concatenate([array, array[..., -1:]], -1) if array.ndim else np.stack([array] * 2),
      "one element of the same rank": lambda: array[(slice(0, 1),) * array.ndim],
      "transposed": lambda: array.T,
      "a matrix without rows": lambda: np.zeros([0, 3], array.dtype),
      "no elements but many rows": lambda: long_and_empty(rng, array),
      "rank 9": lambda: array.reshape(array.shape + (1,) * max(0, 9 - array.ndim)),
  }
  what = rng.choice(list(ways))
  changed = np.asarray(ways[what](), array.dtype)
  if array.dtype == object and changed.size and not isinstance(changed.ravel()[0], bytes):
    changed = np.full(changed.shape, b"", object)
  return changed, what


def long_and_empty(rng, array):
  """No elements, since one dimension is 0; what counts another has much to do."""
  shape = list(array.shape) if array.ndim > 1 else [0, 0]
  long, empty = rng.sample(range(len(shape)), 2)
  shape[long], shape[empty] = rng.choice([1 << 24, 1 << 31, 1 << 40]), 0
  if math.prod(size for size in shape if size) >= 1 << 58:
    return np.zeros([1 << 40, 0], array.dtype)  # numpy counts bytes
  return np.zeros(shape, array.dtype)


def other_values(rng, array, dtype):
  flat = array.ravel().copy()
  where = [rng.randrange(flat.size)] if rng.random() < 0.6 else range(flat.size)
  if dtype == tf.string:
    what = "?"
    for i in where[:50]:
      flat[i], what = other_text(rng, flat[i])
    return flat.reshape(array.shape), what
  if dtype == tf.bool:
    flat[where] = ~flat[where]
    return flat.reshape(array.shape), "other truth"
  if rng.random() < 0.12:
    order = list(range(flat.size))
    rng.shuffle(order)
    return flat[order].reshape(array.shape), "shuffled"
  if dtype.is_integer or dtype.is_quantized:
    value = rng.choice(INTEGERS + [int(flat[0]) + 1, int(flat[0]) - 1, int(flat.max()) + 1, flat.size])
    bits = 8 * flat.dtype.itemsize
    wrapped = value & ((1 << bits) - 1)
    flat[list(where)] = np.frombuffer(wrapped.to_bytes(bits // 8, "little"), flat.dtype)[0]
  else:
    value = rng.choice(FLOATS)
    with np.errstate(all="ignore"):
      flat[list(where)] = np.array(value).astype(flat.dtype)
  return flat.reshape(array.shape), "%s %s" % ("one is" if len(where) == 1 else "all are", value)


def other_text(rng, text):
  text = text if isinstance(text, bytes) else str(text).encode()
  if text.startswith(b"/"):
    # A path: nothing outside its folder may be meant.
    return rng.choice([text + b"x", text + b"/a/b", text + b"\0", text + b"\xff" * 300, b"", text + b"*"]), "another path"
  choice = rng.random()
  if choice < 0.35 or not text:
    chosen = rng.choice(TEXTS)
    return chosen, "text %r" % chosen[:12]
  if choice < 0.5:
    return text[:rng.randrange(len(text))], "cut text"
  if choice < 0.55:
    return bytes(rng.randrange(256) for _ in range(rng.choice([1, 7, 64]))), "random bytes"
  changed = bytearray(text)
  # What says how the rest is to be read stands at the beginning of most formats.
  reach = len(changed) if rng.random() < 0.5 else min(len(changed), 64)
  for _ in range(rng.choice([1, 1, 2, 4, 16])):
    at = rng.randrange(reach)
    if rng.random() < 0.6:
      changed[at] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
    elif rng.random() < 0.5:
      changed[at] ^= 1 << rng.randrange(8)
    else:
      changed[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 4])))
  return bytes(changed), "changed bytes"


def another_type(rng, proto):
  dtype = rng.choice([types_pb2.DT_FLOAT, types_pb2.DT_INT32, types_pb2.DT_INT64, types_pb2.DT_STRING, types_pb2.DT_BOOL, types_pb2.DT_HALF,
                      types_pb2.DT_COMPLEX128, types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT, types_pb2.DT_FLOAT_REF, 0, 99])
  changed = tensor_pb2.TensorProto()
  changed.CopyFrom(proto)
  changed.dtype = dtype
  return changed, "type %d" % dtype


def damaged(rng, proto):
  """A message that contradicts itself."""
  changed = tensor_pb2.TensorProto()
  changed.CopyFrom(proto)
  if rng.random() < 0.6:
    shape = rng.choice(SHAPES)
    del changed.tensor_shape.dim[:]
    for n in shape:
      changed.tensor_shape.dim.add(size=n)
    if rng.random() < 0.5:
      # The short form, in which one value stands for all.
      changed.tensor_content = b""
      for values in (changed.float_val, changed.int_val, changed.int64_val, changed.double_val, changed.half_val):
        values[:] = [1]
    return changed, "claims to have shape %s" % (shape[:3],)
  if rng.random() < 0.3:
    changed.tensor_shape.unknown_rank = True
    return changed, "of unknown rank"
  changed.tensor_content = changed.tensor_content[:-1] or b"\x01\x02\x03"
  return changed, "content of a wrong length"


def forged(rng, dtype):
  """A handle or variant that stands for nothing."""
  proto = tensor_pb2.TensorProto(dtype=dtype)
  count = rng.choice([1, 1, 1, 1, 0, 2])
  if rng.random() < 0.3:
    proto.tensor_shape.dim.add(size=count)
  for _ in range(count):
    if dtype == types_pb2.DT_RESOURCE:
      handle = proto.resource_handle_val.add()
      handle.device = rng.choice(["", "/job:localhost/replica:0/task:0/device:CPU:0", "/job:nobody/task:9999999999"])
      handle.container, handle.name = rng.choice(["", "localhost"]), rng.choice(["", "nobody", "\x01", "a" * 1000])
      handle.hash_code = rng.choice([0, 1, 2**64 - 1])
      handle.maybe_type_name = rng.choice(["", "Var", "tensorflow::QueueInterface", "N10tensorflow3VarE"])
    else:
      variant = proto.variant_val.add()
      variant.type_name = rng.choice(VARIANTS)
      variant.metadata = rng.choice([b"", b"\0", b"\xff" * 20, bytes(rng.randrange(256) for _ in range(24)), b"\x00\x01" + b"\xff" * 9 + b"\x01"])
      for _ in range(rng.choice([0, 0, 1, 3])):
        inner = variant.tensors.add(dtype=rng.choice([1, 3, 7, 9, 21]))
        inner.tensor_shape.dim.add(size=rng.choice([0, 1, 3, 2**40]))
  return proto, "a forged " + ("handle" if dtype == types_pb2.DT_RESOURCE else "variant")


VARIANTS = ["", "int", "tensorflow::TensorList", "tensorflow::TensorMap", "tensorflow::CSRSparseMatrix", "RaggedTensorVariant", "tensorflow::RaggedTensorVariant",
            "tensorflow::data::Optional", "tensorflow::OptionalVariant", "tensorflow::DatasetVariantWrapper", "tensorflow::Iterator", "nothing", "tensorflow::Tensor"]
