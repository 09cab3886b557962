"""Quantized tensors: integers that stand for the numbers of a range. They are fetched as plain integers."""
from case import *  # noqa: F403

raw = tf.raw_ops
PLAIN_OF = {tf.quint8: tf.uint8, tf.qint8: tf.int8, tf.quint16: tf.uint16, tf.qint16: tf.int16, tf.qint32: tf.int32}


def cases():
  yield from conversions()
  yield from layers()
  yield from arithmetic()
  yield from shapes()


def number(value):
  return np.float32(value)


def quantized(seed, shape, dtype=tf.quint8, low=None, high=None):
  """A quantized tensor of some integers."""
  plain = PLAIN_OF[dtype]
  low, high = plain.min if low is None else low, plain.max if high is None else high
  values = np.random.RandomState(seed).randint(low, high, shape, dtype="int64").astype(plain.as_numpy_dtype)
  return tf.bitcast(tf.constant(values), dtype)


def plain(tensors):
  return [tf.bitcast(t, PLAIN_OF[t.dtype]) if t.dtype in PLAIN_OF else t for t in tensors]


def one(tensors):
  """A scenario's steps: one, of these fetches."""
  return [(plain(tensors), {})]


def run(name, op, make, **options):
  return Scenario(name, [op], lambda: one(make()), **options)


def refused(op, what, **arguments):
  """A call that both sides must refuse; the client is not told any shapes, but for ranks that it asks for."""
  def hide(value):
    if isinstance(value, tf.Tensor):
      return tf.placeholder_with_default(value, [None] * value.shape.rank if op == "Dequantize" else None)
    return tf.placeholder_with_default(value, None) if isinstance(value, (np.ndarray, np.generic)) else value

  def make():
    out = getattr(raw, op)(**{k: hide(v() if callable(v) else v) for k, v in arguments.items()})
    return [out] if isinstance(out, tf.Tensor) else out
  return run("%s: %s" % (op, what), op, make, refused=True)


RANGES = [(0.0, 1.0), (-1.0, 1.0), (-3.5, 10.0), (0.0, 0.0), (2.0, 3.0), (-5.0, -4.0), (0.0, 1e-4)]
MODES = ["MIN_COMBINED", "MIN_FIRST", "SCALED"]


def conversions():
  rng = np.random.RandomState(1)
  numbers = np.concatenate([rng.randn(200) * 3, [0, -0.0, 1, -1, 0.5, 1e9, -1e9]]).astype("float32")
  for dtype in PLAIN_OF:
    for mode in MODES:
      for low, high in RANGES:
        for attrs in [{}, {"round_mode": "HALF_TO_EVEN"}, {"narrow_range": True}]:
          # The last bits of floats do not fit into 32-bit integers: TensorFlow's conversion leaves the type there.
          inside = numbers if dtype != tf.qint32 else np.clip(numbers, low, high) * np.float32(0.99)
          if "round_mode" in attrs and mode != "SCALED":
            continue
          yield run("QuantizeV2 %s %s %s %s %s" % (dtype.name, mode, low, high, attrs), "QuantizeV2", lambda d=dtype, m=mode, l=low, h=high, a=attrs, n=inside:
                    raw.QuantizeV2(input=tf.constant(n), min_range=number(l), max_range=number(h), T=d, mode=m, **a))
        for narrow in (False, True):
          yield run("Dequantize %s %s %s %s %s" % (dtype.name, mode, low, high, narrow), "Dequantize", lambda d=dtype, m=mode, l=low, h=high, n=narrow:
                    [raw.Dequantize(input=quantized(2, [300], d), min_range=number(l), max_range=number(h), mode=m, narrow_range=n)])
    yield run("Dequantize %s to bfloat16" % dtype.name, "Dequantize", lambda d=dtype: [tf.cast(raw.Dequantize(
        input=quantized(2, [300], d), min_range=number(-2), max_range=number(3), dtype=tf.bfloat16), tf.float32)])
    for mode in ("MIN_COMBINED", "SCALED"):
      for axis in (0, 1, 2):
        shape = [2, 3, 4]
        low, high = f32([-1, 0, -2, -0.5][:shape[axis]]), f32([1, 2, 0.5, 3][:shape[axis]])
        yield run("Dequantize %s %s axis %d" % (dtype.name, mode, axis), "Dequantize", lambda d=dtype, m=mode, a=axis, l=low, h=high:
                  [raw.Dequantize(input=quantized(3, [2, 3, 4], d), min_range=l, max_range=h, mode=m, axis=a)])
        if dtype != tf.qint32:
          yield run("QuantizeV2 %s %s axis %d" % (dtype.name, mode, axis), "QuantizeV2", lambda d=dtype, m=mode, a=axis, l=low, h=high:
                    raw.QuantizeV2(input=tf.constant(numbers[:24].reshape(2, 3, 4)), min_range=l, max_range=h, T=d, mode=m, axis=a))
  yield run("QuantizeV2 of nothing", "QuantizeV2", lambda: raw.QuantizeV2(input=tf.zeros([0, 2]), min_range=number(0), max_range=number(1), T=tf.quint8))
  x = np.ones([2, 3], "float32")
  zero, top = number(0), number(1)
  yield refused("QuantizeV2", "its range is upside down", input=x, min_range=top, max_range=zero, T=tf.quint8)
  yield refused("QuantizeV2", "two ranges and no axis", input=x, min_range=f32([0, 0]), max_range=f32([1, 1]), T=tf.quint8)
  yield refused("QuantizeV2", "an axis outside", input=x, min_range=f32([0, 0]), max_range=f32([1, 1]), T=tf.quint8, axis=2)
  yield refused("QuantizeV2", "too few ranges", input=x, min_range=f32([0, 0]), max_range=f32([1, 1]), T=tf.quint8, axis=1)
  yield refused("QuantizeV2", "MIN_FIRST along an axis", input=x, min_range=f32([0, 0]), max_range=f32([1, 1]), T=tf.quint8, axis=0, mode="MIN_FIRST")
  yield refused("QuantizeV2", "an empty range", input=x, min_range=f32([]), max_range=f32([]), T=tf.quint8)
  yield refused("Dequantize", "too few ranges", input=lambda: quantized(1, [2, 3]), min_range=f32([0, 0]), max_range=f32([1, 1]), axis=1)
  yield refused("Dequantize", "two ranges and no axis", input=lambda: quantized(1, [2, 3]), min_range=f32([0, 0]), max_range=f32([1, 1]))
  yield refused("Dequantize", "MIN_FIRST along an axis", input=lambda: quantized(1, [2, 3]), min_range=f32([0, 0]), max_range=f32([1, 1]), axis=0, mode="MIN_FIRST")
  for low, high in [(-1, 1), (-1000, 2000), (0, 0.5), (-2, 0)]:
    for values in [(-(1 << 31), (1 << 31) - 1), (0, 1 << 20), (-(1 << 24), -5), (7, 8)]:
      label = "%s of %s" % ((low, high), values)
      x = lambda v=values: quantized(4, [100], tf.qint32, *v)
      bounds = {"input_min": number(low), "input_max": number(high)}
      yield run("RequantizationRange " + label, "RequantizationRange", lambda x=x, b=bounds: raw.RequantizationRange(input=x(), **b))
      yield run("QuantizeDownAndShrinkRange " + label, "QuantizeDownAndShrinkRange", lambda x=x, b=bounds: raw.QuantizeDownAndShrinkRange(input=x(), out_type=tf.quint8, **b))
      for out in (tf.quint8, tf.qint8):
        for wanted in [(-1, 1), (0, 100), (-0.5, 0)]:
          yield run("Requantize %s %s %s" % (label, out.name, wanted), "Requantize", lambda x=x, b=bounds, o=out, w=wanted: raw.Requantize(
              input=x(), requested_output_min=number(w[0]), requested_output_max=number(w[1]), out_type=o, **b))
  words = lambda: quantized(5, [4], tf.qint32)
  yield refused("Requantize", "a range above zero", input=words, input_min=zero, input_max=top, requested_output_min=top, requested_output_max=number(2), out_type=tf.quint8)
  yield refused("Requantize", "a range upside down", input=words, input_min=zero, input_max=top, requested_output_min=number(-1), requested_output_max=number(-2), out_type=tf.quint8)
  yield refused("Requantize", "vectors for a range", input=words, input_min=f32([0]), input_max=f32([1]), requested_output_min=zero, requested_output_max=top, out_type=tf.quint8)
  yield refused("RequantizationRange", "an empty range", input=words, input_min=f32([]), input_max=f32([]))
  yield refused("QuantizeDownAndShrinkRange", "vectors for a range", input=words, input_min=f32([0]), input_max=f32([1]), out_type=tf.quint8)


def layers():
  bounds = lambda name, low, high: {"min_" + name: number(low), "max_" + name: number(high)}
  for a_range, b_range in [((0, 255), (0, 255)), ((-1, 1), (-2, 3)), ((-10, -1), (2, 5)), ((0.5, 2), (-3, -1))]:
    ranges = {**bounds("a", *a_range), **bounds("b", *b_range)}
    for ta in (False, True):
      for tb in (False, True):
        yield run("QuantizedMatMul %s %s %s %s" % (a_range, b_range, ta, tb), "QuantizedMatMul", lambda r=ranges, ta=ta, tb=tb: raw.QuantizedMatMul(
            a=quantized(6, [5, 3] if ta else [3, 5]), b=quantized(7, [4, 5] if tb else [5, 4]), transpose_a=ta, transpose_b=tb, **r))
    conv = {**bounds("input", *a_range), **bounds("filter", *b_range)}
    for padding in ("SAME", "VALID"):
      for stride in (1, 2, 3):
        for image, kernel in [([2, 5, 6, 3], [3, 3, 3, 2]), ([1, 4, 4, 1], [1, 1, 1, 2]), ([1, 7, 5, 2], [2, 4, 2, 1])]:
          yield run("QuantizedConv2D %s %s %s %s %s %s" % (a_range, b_range, padding, stride, image, kernel), "QuantizedConv2D",
                    lambda c=conv, p=padding, s=stride, i=image, k=kernel: raw.QuantizedConv2D(
                        input=quantized(8, i), filter=quantized(9, k), strides=[1, s, s, 1], padding=p, **c))
    for op in ("QuantizedRelu", "QuantizedRelu6"):
      for dtype in (tf.quint8, tf.qint32):
        yield run("%s %s %s" % (op, dtype.name, a_range), op, lambda o=op, d=dtype, r=a_range: getattr(raw, o)(
            features=quantized(10, [50], d), min_features=number(r[0]), max_features=number(r[1]), out_type=d))
    for dtype in (tf.quint8, tf.qint8):
      yield run("QuantizedBiasAdd %s %s %s" % (dtype.name, a_range, b_range), "QuantizedBiasAdd", lambda d=dtype, a=a_range, b=b_range: raw.QuantizedBiasAdd(
          input=quantized(11, [2, 3, 4], d), bias=quantized(12, [4], d), out_type=tf.qint32, **bounds("input", *a), **bounds("bias", *b)))
  for op in ("QuantizedMaxPool", "QuantizedAvgPool"):
    for padding in ("SAME", "VALID"):
      for size, strides in [([1, 2, 2, 1], [1, 2, 2, 1]), ([1, 3, 2, 1], [1, 1, 2, 1])]:
        yield run("%s %s %s" % (op, padding, size), op, lambda o=op, p=padding, k=size, s=strides: getattr(raw, o)(
            input=quantized(13, [2, 5, 5, 3]), min_input=number(-1), max_input=number(2), ksize=k, strides=s, padding=p))
  for scale in (False, True):
    parts = {n: (13 + i, [3]) for i, n in enumerate("m v beta gamma".split())}
    arguments = lambda p=parts: {**{n: quantized(s, shape) for n, (s, shape) in p.items()},
                                 **{n + "_min": number(0) for n in p}, **{n + "_max": number(4) for n in p}}
    yield run("QuantizedBatchNormWithGlobalNormalization %s" % scale, "QuantizedBatchNormWithGlobalNormalization", lambda s=scale, a=arguments:
              raw.QuantizedBatchNormWithGlobalNormalization(t=quantized(14, [2, 2, 2, 3]), t_min=number(-3), t_max=number(5), out_type=tf.qint32, variance_epsilon=0.001, scale_after_normalization=s, **a()))
  for attrs in [{}, {"output_range_given": True, "given_y_min": -1.0, "given_y_max": 2.0}, {"min_separation": 10.0, "variance_epsilon": 1.0}]:
    yield run("QuantizedInstanceNorm %s" % attrs, "QuantizedInstanceNorm", lambda a=attrs: raw.QuantizedInstanceNorm(x=quantized(15, [2, 4, 4, 3]), x_min=number(-1), x_max=number(3), **a))
  image, kernel = lambda: quantized(1, [1, 3, 3, 2]), lambda: quantized(1, [2, 2, 2, 1])
  conv = {**bounds("input", 0, 1), **bounds("filter", 0, 1), "strides": [1, 1, 1, 1], "padding": "VALID"}
  yield refused("QuantizedMatMul", "inner sizes", a=lambda: quantized(1, [2, 3]), b=lambda: quantized(1, [2, 3]), **bounds("a", 0, 1), **bounds("b", 0, 1))
  yield refused("QuantizedMatMul", "an empty range", a=lambda: quantized(1, [2, 3]), b=lambda: quantized(1, [3, 2]), **bounds("a", 1, 1), **bounds("b", 0, 1))
  yield refused("QuantizedMatMul", "a vector", a=lambda: quantized(1, [3]), b=lambda: quantized(1, [3, 2]), **bounds("a", 0, 1), **bounds("b", 0, 1))
  yield refused("QuantizedConv2D", "channels", input=image, filter=lambda: quantized(1, [2, 2, 3, 1]), **conv)
  yield refused("QuantizedConv2D", "a large filter", input=image, filter=lambda: quantized(1, [6, 2, 2, 1]), **conv)
  yield refused("QuantizedConv2D", "an empty image", input=lambda: quantized(1, [0, 3, 3, 2]), filter=kernel, **conv)
  yield refused("QuantizedConv2D", "rank 3", input=lambda: quantized(1, [3, 3, 2]), filter=kernel, **conv)
  yield refused("QuantizedConv2D", "vectors for a range", input=image, filter=kernel, **{**conv, "min_input": f32([0]), "max_input": f32([1])})
  yield refused("QuantizedBiasAdd", "too few biases", input=lambda: quantized(1, [2, 3]), bias=lambda: quantized(1, [2]), out_type=tf.qint32, **bounds("input", 0, 1), **bounds("bias", 0, 1))
  yield refused("QuantizedBiasAdd", "a vector", input=lambda: quantized(1, [3]), bias=lambda: quantized(1, [3]), out_type=tf.qint32, **bounds("input", 0, 1), **bounds("bias", 0, 1))
  yield refused("QuantizedRelu", "vectors for a range", features=lambda: quantized(1, [3]), min_features=f32([0]), max_features=f32([1]))
  yield refused("QuantizedRelu6", "vectors for a range", features=lambda: quantized(1, [3]), min_features=f32([0]), max_features=f32([1]))
  pool = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}
  for op in ("QuantizedMaxPool", "QuantizedAvgPool"):
    yield refused(op, "rank 3", input=lambda: quantized(1, [3, 3, 2]), **bounds("input", 0, 1), **pool)
    yield refused(op, "vectors for a range", input=image, min_input=f32([0]), max_input=f32([1]), **pool)
  yield refused("QuantizedInstanceNorm", "an empty range", x=image, x_min=number(1), x_max=number(1))


def arithmetic():
  bounds = lambda x, y: {"min_x": number(x[0]), "max_x": number(x[1]), "min_y": number(y[0]), "max_y": number(y[1])}
  for op in ("QuantizedAdd", "QuantizedMul"):
    for x_range, y_range in [((0, 255), (0, 255)), ((-1, 1), (-2, 300)), ((0.5, 2), (-3, -1))]:
      for x, y in [([3, 4], [3, 4]), ([], [2, 3]), ([2, 3], [1]), ([2, 3, 4], [4]), ([3, 4], [2, 3, 4]), ([1, 4], [2, 3, 4]), ([0], [0]), ([1, 1], [1])]:
        yield run("%s %s %s %s %s" % (op, x_range, y_range, x, y), op, lambda o=op, x=x, y=y, b=bounds(x_range, y_range): getattr(raw, o)(
            x=quantized(16, x), y=quantized(17, y), **b))
    for what, x, y in [("shapes", [2, 3], [2, 2]), ("broadcasting in the middle", [2, 1, 2], [1, 3, 1])]:
      yield refused(op, what, x=lambda x=x: quantized(1, x), y=lambda y=y: quantized(1, y), **bounds((0, 1), (0, 1)))
    yield refused(op, "an empty range", x=lambda: quantized(1, [2]), y=lambda: quantized(1, [2]), **bounds((1, 1), (0, 1)))
    yield refused(op, "a range upside down", x=lambda: quantized(1, [2]), y=lambda: quantized(1, [2]), **bounds((0, 1), (1, 0)))


def shapes():
  for dtype in (tf.quint8, tf.qint32):
    for ranges in [((0, 1), (0, 1), (0, 1)), ((-1, 1), (0, 5), (-7, 2)), ((1, 2), (2, 3), (1, 2))]:
      for axis, others in [(0, ([2, 3], [1, 3], [0, 3])), (1, ([2, 1], [2, 4], [2, 2]))]:
        yield run("QuantizedConcat %s %s %d" % (dtype.name, ranges, axis), "QuantizedConcat", lambda d=dtype, r=ranges, a=axis, o=others: raw.QuantizedConcat(
            concat_dim=a, values=[quantized(18 + i, s, d) for i, s in enumerate(o)], input_mins=[number(x) for x, _ in r], input_maxes=[number(x) for _, x in r]))
    yield run("QuantizedReshape %s" % dtype.name, "QuantizedReshape", lambda d=dtype: raw.QuantizedReshape(
        tensor=quantized(19, [2, 6], d), shape=i32([3, -1]), input_min=number(-1), input_max=number(2)))
  ends = {"input_mins": [number(0)] * 2, "input_maxes": [number(1)] * 2}
  for what, axis, a, b in [("sizes", 0, [2, 1], [1, 2]), ("ranks", 0, [2], [1, 2]), ("an axis", 2, [2, 1], [2, 1]), ("an axis below zero", -1, [2, 1], [2, 1])]:
    yield run("QuantizedConcat with other %s" % what, "QuantizedConcat", lambda x=axis, a=a, b=b: raw.QuantizedConcat(
        concat_dim=tf.placeholder_with_default(np.int32(x), None), values=[tf.placeholder_with_default(quantized(1, s), None) for s in (a, b)], **ends), refused=True)
  for sizes in ([5], [-1, -1], [4, -1], [-2, 3]):
    yield refused("QuantizedReshape", "%s" % sizes, tensor=lambda: quantized(1, [6]), shape=i32(sizes), input_min=number(0), input_max=number(1))
  yield refused("QuantizedReshape", "two numbers for a range", tensor=lambda: quantized(1, [6]), shape=i32([6]), input_min=f32([0, 0]), input_max=f32([1, 1]))
