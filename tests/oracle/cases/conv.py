"""Convolutions, pooling and images."""
from case import *  # noqa: F403


def conv(stride=1, padding="SAME", spatial=2, **more):
  return dict(strides=[1] + [stride] * spatial + [1], padding=padding, **more)


def pool(size=2, stride=2, padding="SAME", spatial=2, **more):
  return dict(ksize=[1] + [size] * spatial + [1], **conv(stride, padding, spatial, **more))


# Inputs of convolutions are small whole numbers: every sum is exact, whatever its order.
def convolutions():
  some = FLOATS + ["int32"]
  for attrs in (conv(), conv(2), conv(1, "VALID"), conv(2, "VALID"), conv(1, "SAME", dilations=[1, 2, 2, 1]),
                conv(1, "EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0])):
    yield Case("Conv2D", [small(2, 7, 6, 3), small(3, 2, 3, 5)], attrs, dtypes=some)
    yield Case("Conv", [small(2, 7, 6, 3), small(3, 2, 3, 5)], attrs, dtypes=["float32"])
  yield Case("Conv2D", [small(2, 5, 5, 4), small(3, 3, 2, 6)], conv(), dtypes=["float32"])
  yield Case("Conv2D", [small(1, 3, 3, 17), small(1, 1, 17, 33)], conv(), dtypes=["float32"])
  yield Refused("Conv2D", [small(1, 3, 3, 3), small(1, 1, 2, 1)], conv(), dtypes=["float32"])
  for stride, padding, out in ((1, "SAME", (7, 6)), (2, "SAME", (4, 3)), (2, "VALID", (3, 3))):
    a = conv(stride, padding)
    dy = small(2, *out, 5)
    yield Case("Conv2DBackpropInput", [i32([2, 7, 6, 3]), small(3, 2, 3, 5), dy], a, dtypes=F32_64)
    yield Case("Conv2DBackpropInput", [i32([2, 7, 6, 9]), small(3, 2, 9, 5), dy], a, dtypes=F32_64)
    yield Case("Conv2DBackpropFilter", [small(2, 7, 6, 3), i32([3, 2, 3, 5]), dy], a, dtypes=F32_64)
    b = conv(stride, padding)
    yield Case("DepthwiseConv2dNative", [small(2, 7, 6, 3), small(3, 2, 3, 2)], b, dtypes=FLOATS)
    dy = small(2, *out, 6)
    yield Case("DepthwiseConv2dNativeBackpropInput", [i32([2, 7, 6, 3]), small(3, 2, 3, 2), dy], b, dtypes=F32_64)
    yield Case("DepthwiseConv2dNativeBackpropFilter", [small(2, 7, 6, 3), i32([3, 2, 3, 2]), dy], b, dtypes=F32_64)
    c = conv(stride, padding, 3)
    deep = (5 - (padding == "VALID") + stride - 1) // stride
    yield Case("Conv3D", [small(2, 5, 7, 6, 3), small(2, 3, 2, 3, 4)], c, dtypes=F32_64)
    dy = small(2, deep, *out, 4)
    yield Case("Conv3DBackpropInputV2", [i32([2, 5, 7, 6, 3]), small(2, 3, 2, 3, 4), dy], c, dtypes=F32_64)
    yield Case("Conv3DBackpropFilterV2", [small(2, 5, 7, 6, 3), i32([2, 3, 2, 3, 4]), dy], c, dtypes=F32_64)
  d = dict(strides=[1, 2, 2, 1], rates=[1, 2, 1, 1], padding="SAME")
  # Distinct values: which of equal sums takes the gradient is a matter of rounding.
  x, w = np.random.RandomState(1).rand(2, 7, 6, 3), np.random.RandomState(2).rand(3, 2, 3)
  yield Case("Dilation2D", [whole(2, 7, 6, 3), whole(3, 2, 3)], d, dtypes=F32_64 + ["int32", "uint8"])
  yield Case("Dilation2DBackpropInput", [x, w, np.ones((2, 4, 3, 3))], d)
  yield Case("Dilation2DBackpropFilter", [x, w, np.ones((2, 4, 3, 3))], d)


def pools():
  for padding, out in (("SAME", (4, 3)), ("VALID", (3, 2))):
    a = pool(3, 2, padding)
    x, y = whole(2, 7, 6, 3), whole(2, *out, 3)
    yield Case("MaxPool", [x], a, dtypes=FLOATS + ["int32", "int64", "uint8", "int16", "int8", "uint16"])
    yield Case("MaxPoolV2", [x, i32(a["ksize"]), i32(a["strides"])], {"padding": padding}, dtypes=F32_64)
    yield Case("AvgPool", [x], a, dtypes=FLOATS)
    yield Case("AvgPoolGrad", [i32([2, 7, 6, 3]), y], a, dtypes=F32_64)
    yield Case("MaxPoolWithArgmax", [x], a, dtypes=["float32", "float64", "int32"])
    yield Case("MaxPoolWithArgmax", [x], dict(a, include_batch_in_index=True), dtypes=["float32"])
    b = pool(3, 2, padding, 3)
    deep = 3 if padding == "SAME" else 2
    x3 = whole(2, 5, 7, 6, 3)
    yield Case("MaxPool3D", [x3], b, dtypes=["float32"])
    yield Case("AvgPool3D", [x3], b, dtypes=["float32"])
    yield Case("AvgPool3DGrad", [i32([2, 5, 7, 6, 3]), whole(2, deep, *out, 3)], b, dtypes=["float32"])

    def gradients(padding=padding, a=a, b=b):
      rng = np.random.RandomState(3)
      steps = []
      for attrs, shape, forward, first, second in (
          (a, (2, 7, 6, 3), "MaxPool", "MaxPoolGrad", "MaxPoolGradGrad"),
          (b, (2, 5, 7, 6, 3), "MaxPool3D", "MaxPool3DGrad", "MaxPool3DGradGrad")):
        x = tf.constant(rng.randint(0, 5, shape).astype("float32"))
        y = getattr(tf.raw_ops, forward)(input=x, **attrs)
        dx = getattr(tf.raw_ops, first)(orig_input=x, orig_output=y, grad=y + 1, **attrs)
        ddy = getattr(tf.raw_ops, second)(orig_input=x, orig_output=y, grad=dx, **attrs)
        steps.append(([dx, ddy], {}))
        if forward == "MaxPool":
          k, s = tf.constant(attrs["ksize"]), tf.constant(attrs["strides"])
          both = dict(ksize=k, strides=s, padding=padding)
          dx = tf.raw_ops.MaxPoolGradV2(orig_input=x, orig_output=y, grad=y + 1, **both)
          ddy = tf.raw_ops.MaxPoolGradGradV2(orig_input=x, orig_output=y, grad=dx, **both)
          top, argmax = tf.raw_ops.MaxPoolWithArgmax(input=x, **attrs)
          back = tf.raw_ops.MaxPoolGradWithArgmax(input=x, grad=top, argmax=argmax, **attrs)
          steps.append(([dx, ddy, back], {}))
      return steps

    yield Scenario("gradients of max pooling, " + padding,
                   ["MaxPoolGrad", "MaxPoolGradGrad", "MaxPoolGradV2", "MaxPoolGradGradV2", "MaxPoolGradWithArgmax",
                    "MaxPool3DGrad", "MaxPool3DGradGrad"], gradients)

  def fractional():
    x = tf.constant(np.random.RandomState(4).randint(0, 50, (2, 11, 13, 3)).astype("float64"))
    steps = []
    for pseudo in (False, True):
      for overlapping in (False, True):
        attrs = dict(pooling_ratio=[1.0, 1.44, 1.73, 1.0], pseudo_random=pseudo, overlapping=overlapping,
                     deterministic=True, seed=5, seed2=7)
        y, r, c = tf.raw_ops.FractionalMaxPool(value=x, **attrs)
        dx = tf.raw_ops.FractionalMaxPoolGrad(orig_input=x, orig_output=y, out_backprop=y, row_pooling_sequence=r,
                                              col_pooling_sequence=c, overlapping=overlapping)
        m, r2, c2 = tf.raw_ops.FractionalAvgPool(value=x, **attrs)
        dm = tf.raw_ops.FractionalAvgPoolGrad(orig_input_tensor_shape=i64([2, 11, 13, 3]), out_backprop=m,
                                              row_pooling_sequence=r2, col_pooling_sequence=c2, overlapping=overlapping)
        steps.append(([y, r, c, dx, m, r2, c2, dm], {}))
    return steps

  yield Scenario("fractional pooling from a seed", ["FractionalMaxPool", "FractionalMaxPoolGrad", "FractionalAvgPool",
                                                    "FractionalAvgPoolGrad"], fractional)


def images():
  types = FLOATS + ["int8", "uint8", "int16", "uint16", "int32", "int64"]
  for attrs in ({}, {"align_corners": True}, {"half_pixel_centers": True}):
    for size in ([3, 9], [11, 2], [5, 4]):
      yield Case("ResizeBilinear", [whole(2, 5, 4, 3), i32(size)], attrs, dtypes=types, rtol=1e-5, atol=1e-5)
      yield Case("ResizeBicubic", [whole(2, 5, 4, 3), i32(size)], attrs, dtypes=["float32", "uint8"], rtol=1e-5, atol=1e-5)
      yield Case("ResizeNearestNeighbor", [whole(2, 5, 4, 3), i32(size)], attrs, dtypes=types)
      dy = f32(np.random.RandomState(5).randint(0, 9, [2] + size + [3]))
      yield Case("ResizeBilinearGrad", [dy, whole(2, 5, 4, 3)], attrs, dtypes=F32_64, rtol=1e-5, atol=1e-5)
      yield Case("ResizeBicubicGrad", [dy, whole(2, 5, 4, 3)], attrs, dtypes=F32_64, rtol=1e-5, atol=1e-5)
      yield Case("ResizeNearestNeighborGrad", [dy, i32([5, 4])], attrs)
      if "half_pixel_centers" not in attrs:
        yield Case("ResizeArea", [whole(2, 5, 4, 3), i32(size)], attrs, dtypes=["float32", "uint8"], rtol=1e-5, atol=1e-5)
  yield Refused("ResizeBilinear", [whole(2, 5, 4, 3), i32([0, 3])], {}, dtypes=["float32"])
  boxes, index = f32([[0, 0, 1, 1], [0.1, -0.2, 0.8, 0.9], [1, 1, 0, 0.3]]), i32([0, 1, 0])
  for method in ("bilinear", "nearest"):
    a = {"method": method}
    yield Case("CropAndResize", [whole(2, 5, 4, 3), boxes, index, i32([4, 3])], dict(a, extrapolation_value=-1.0),
               dtypes=["float32", "uint8"], rtol=1e-5, atol=1e-5)
    dy = f32(np.random.RandomState(6).randint(0, 9, (3, 4, 3, 3)))
    yield Case("CropAndResizeGradImage", [dy, boxes, index, i32([2, 5, 4, 3])], dict(a, T="dtype under test"),
               dtypes=F32_64, rtol=1e-5, atol=1e-5)
  yield Case("CropAndResizeGradBoxes", [dy, whole(2, 5, 4, 3), boxes, index], {}, dtypes=["float32"], rtol=1e-4, atol=1e-4)
  rng = np.random.RandomState(7)
  corners, scores = f32(rng.rand(20, 4)), f32(rng.rand(20))
  n, t, s = np.int32(6), np.float32(0.3), np.float32(0.2)
  yield Case("NonMaxSuppression", [corners, scores, n], {"iou_threshold": 0.3})
  yield Case("NonMaxSuppressionV2", [corners, scores, n, t])
  yield Case("NonMaxSuppressionV3", [corners, scores, n, t, s])
  yield Case("NonMaxSuppressionV4", [corners, scores, np.int32(30), t, s], {"pad_to_max_output_size": True})
  yield Case("NonMaxSuppressionV5", [corners, scores, n, t, s, np.float32(0.4)], rtol=1e-5)
  yield Case("NonMaxSuppressionWithOverlaps", [f32(rng.rand(20, 20)), scores, n, np.float32(0.5), s])
  yield Refused("NonMaxSuppressionV3", [corners, scores, np.int32(-1), t, s])
  edges = f32(rng.rand(2, 3, 4) * 1.4 - 0.2)
  for depth in (1, 3, 4):
    yield Case("DrawBoundingBoxes", [whole(2, 6, 5, depth), edges], {}, dtypes=["float32", "half"])
  yield Case("DrawBoundingBoxesV2", [whole(2, 6, 5, 3), edges, f32(rng.rand(2, 3))], {}, dtypes=["float32"])
  for op in ("RGBToHSV", "HSVToRGB"):
    yield Case(op, [rng.rand(4, 5, 3)], rtol=1e-6, atol=1e-9)
    yield Case(op, [f32(rng.rand(4, 5, 3))], rtol=1e-5, atol=1e-6)
  picture = f32(rng.rand(2, 6, 5, 3))
  for value in (-0.7, 0.0, 0.3):
    yield Case("AdjustHue", [picture, np.float32(value)], rtol=1e-5, atol=1e-6)
    yield Case("AdjustSaturation", [picture, np.float32(value + 1)], rtol=1e-5, atol=1e-6)
    yield Case("AdjustContrastv2", [picture, np.float32(value + 1)], rtol=1e-5, atol=1e-6)


def padded():
  # One image each: TensorFlow takes lines of the first image for those that follow.
  rows = lambda *pairs: i32([[0, 0]] + [list(p) for p in pairs] + [[0, 0]])
  for mode in ("REFLECT", "SYMMETRIC"):
    for padding in ("SAME", "VALID"):
      attrs = {"mode": mode, "padding": padding, "strides": [1, 2, 1, 1]}
      for pads in [rows((0, 0), (0, 0)), rows((1, 2), (3, 0))]:
        yield Case("FusedPadConv2D", [real(1, 5, 6, 3), pads, real(3, 2, 3, 4)], attrs, dtypes=FLOATS, rtol=3e-2, atol=1e-5)
        for align in (False, True):
          yield Case("FusedResizeAndPadConv2D", [real(1, 3, 4, 3), i32([5, 6]), pads, real(3, 2, 3, 4)], {"resize_align_corners": align, **attrs},
                     dtypes=["half"] + F32_64, rtol=3e-2, atol=1e-4)
  for strides in ([1, 1, 1, 1], [1, 2, 2, 1], [1, 4, 4, 1]):
    for padding in ("SAME", "VALID"):
      yield Case("FusedPadConv2D", [real(1, 7, 9, 3), rows((1, 1), (0, 2)), real(1, 2, 3, 4)], {"mode": "REFLECT", "padding": padding, "strides": strides},
                 dtypes=["float32"], rtol=1e-5, atol=1e-5)
  images, kernel, size = np.ones([2, 5, 6, 3], "float32"), np.ones([3, 2, 3, 4], "float32"), i32([5, 6])
  attrs = {"mode": "REFLECT", "padding": "VALID", "strides": [1, 1, 1, 1]}

  def refused(op, **arguments):
    def make():
      hidden = {k: tf.placeholder_with_default(v, [4, 2] if k == "paddings" else [None] * v.ndim) for k, v in arguments.items()}
      return [([getattr(tf.raw_ops, op)(**hidden, **attrs)], {})]
    return Scenario("%s of %s" % (op, {k: v.shape for k, v in arguments.items()}), [op], make, refused=True)
  for pads in [rows((5, 0), (0, 0)), rows((-1, 0), (0, 0)), i32([[1, 0], [0, 0], [0, 0], [0, 0]])]:
    yield refused("FusedPadConv2D", input=images, paddings=pads, filter=kernel)
  yield refused("FusedPadConv2D", input=images, paddings=rows((0, 0), (0, 0)), filter=kernel[:, :, :2])
  yield refused("FusedPadConv2D", input=images[:0], paddings=rows((0, 0), (0, 0)), filter=kernel)
  yield refused("FusedPadConv2D", input=images[:, :2], paddings=rows((0, 0), (0, 0)), filter=kernel)
  yield refused("FusedResizeAndPadConv2D", input=images, size=i32([0, 2]), paddings=rows((0, 0), (0, 0)), filter=kernel)
  yield refused("FusedResizeAndPadConv2D", input=images, size=size[:1], paddings=rows((0, 0), (0, 0)), filter=kernel)


def cases():
  yield from padded()
  yield from convolutions()
  yield from pools()
  yield from images()
