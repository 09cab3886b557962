"""Random numbers: equal to the last bit for equal seeds, run after run."""
from case import *  # noqa: F403

SHAPES = [[], [3], [2, 5], [7, 11, 13], [0, 2]]
KEYED = [np.array([77], "uint64"), np.array([2**64 - 2, 5], "uint64"), i32(1)]


def runs(op, inputs, attrs, steps=3, dtype=None):
  """Several runs of one node: its generator moves on with each."""
  def build():
    out = getattr(tf.raw_ops, op)(**{name: tf.constant(value) for name, value in inputs.items()}, **attrs)
    fetches = list(out) if isinstance(out, (list, tuple)) else [out]
    return [(fetches, {})] * steps
  return Scenario("%s %s %s" % (op, attrs, [np.shape(v) for v in inputs.values()]), [op], build, dtype=dtype, bits=True)


def seeded():
  seeds = {"seed": 5, "seed2": -6}
  for op in ["RandomUniform", "RandomStandardNormal", "TruncatedNormal"]:
    for dtype in FLOATS:
      for shape in SHAPES:
        yield runs(op, {"shape": np.array(shape, "int64")}, {**seeds, "dtype": tf.as_dtype(dtype)}, dtype=dtype)
  for dtype in ["int32", "int64"]:
    bounds = {"minval": np.array(-7, dtype), "maxval": np.array(1000, dtype)}
    yield runs("RandomUniformInt", {"shape": i32([5, 3]), **bounds}, seeds, dtype=dtype)
  for dtype in ["half", "float32", "float64"]:
    kind = tf.as_dtype(dtype).as_numpy_dtype
    yield runs("RandomGamma", {"shape": i32([5]), "alpha": np.array([0.5, 1, 7], kind)}, seeds, dtype=dtype)
    yield runs("ParameterizedTruncatedNormal", {"shape": i32([2, 9]), "means": kind(0), "stdevs": kind(1), "minvals": kind(-1), "maxvals": kind(2)}, seeds, dtype=dtype)
    for out in ["half", "float32", "float64", "int32", "int64"]:
      yield runs("RandomPoissonV2", {"shape": i32([5]), "rate": np.array([0.5, 9, 70], kind)}, {**seeds, "dtype": tf.as_dtype(out)}, dtype=out)
  for dtype in FLOATS:
    logits = np.array([[0, 1, 2], [3, 0, -1]]).astype(tf.as_dtype(dtype).as_numpy_dtype)
    yield runs("Multinomial", {"logits": logits, "num_samples": i32(9)}, seeds, dtype=dtype)
  for dtype in ["float32", "int64", "string", "bool"]:
    yield runs("RandomShuffle", {"value": whole(9, 2).array(dtype)}, seeds, dtype=dtype)
  classes = {"true_classes": i64([[0, 5], [1, 7]])}
  for unique in [True, False]:
    attrs = {**seeds, "num_true": 2, "num_sampled": 6, "unique": unique}
    for op in ["Uniform", "LogUniform", "LearnedUnigram", "ThreadUnsafeUnigram"]:
      yield runs(op + "CandidateSampler", classes, {**attrs, "range_max": 10})
    yield runs("FixedUnigramCandidateSampler", classes, {**attrs, "range_max": 8, "distortion": 0.5, "unigrams": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.5]})
    yield runs("AllCandidateSampler", classes, {**attrs, "num_sampled": 8})
  yield Case("ComputeAccidentalHits", [i64([[1, 2], [3, 4]]), i64([4, 9, 1, 4])], {"num_true": 2})


def stateless():
  for seed in [i32([1, -2]), i64([2**40, -7])]:
    for op in ["StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"]:
      yield Case(op, [i32([7, 5]), seed], {"dtype": "dtype under test"}, dtypes=FLOATS, bits=True)
    yield Case("StatelessRandomUniformFullInt", [i32([7]), seed], {"dtype": "dtype under test"}, dtypes=["int32", "int64", "uint32", "uint64"])
    yield Case("StatelessRandomUniformInt", [i32([7]), seed, i64(-3), i64(2**40)])
    yield Case("StatelessRandomGetKeyCounter", [seed])
    yield Case("StatelessRandomGetKeyCounterAlg", [seed])
    yield Case("StatelessRandomGammaV2", [i32([5, 3]), seed, positive(3)], dtypes=["half", "float32", "float64"], bits=True)
    yield Case("StatelessRandomPoisson", [i32([5, 3]), seed, positive(3)], {"dtype": tf.int64}, dtypes=["half", "float32", "float64"])
    yield Case("StatelessMultinomial", [real(2, 4), i32(9), seed], dtypes=FLOATS)
    yield Case("StatelessRandomBinomial", [i32([5, 3]), seed, whole(3), f32([0.2, 0.5, 0.9])], {"dtype": tf.int32}, dtypes=["float32"])
    yield Case("StatelessParameterizedTruncatedNormal", [i32([5, 3]), seed, unit(3), positive(3), f32(-2), f32(2)], dtypes=["float32"], bits=True)
  yield Refused("StatelessRandomUniform", [i32([2]), i32([1])])
  for op in ["StatelessRandomUniformV2", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2"]:
    yield Case(op, [i32([7, 5])] + KEYED, {"dtype": "dtype under test"}, dtypes=FLOATS, bits=True)
  yield Case("StatelessRandomUniformFullIntV2", [i32([7])] + KEYED, {"dtype": "dtype under test"}, dtypes=["int32", "int64", "uint32", "uint64"])
  yield Case("StatelessRandomUniformIntV2", [i32([7])] + KEYED + [i32(-3), i32(99)])
  yield Refused("StatelessRandomUniformIntV2", [i32([7])] + KEYED + [i32(3), i32(3)])
  yield Case("StatelessRandomGammaV3", [i32([5, 3])] + KEYED + [positive(3)], dtypes=["half", "float32", "float64"], bits=True)
  yield Case("StatelessShuffle", [whole(9, 2)] + KEYED, dtypes=PLAIN + ["string"])
  yield Case("StatelessRandomGetAlg", [])
  for rounds in [4, 8]:
    for dtype in ["int32", "uint32", "int64", "uint64"]:
      yield Case("RandomIndexShuffle", [np.arange(30).astype(dtype), i32([5, -6, 7]), np.array(1000, dtype)], {"rounds": rounds})
  # TensorFlow computes float32 in float32, where the recurrences lose digits.
  yield Case("RandomGammaGrad", [positive(3), positive(2, 3)], dtypes=["float64"], rtol=1e-9)
  yield Case("RandomGammaGrad", [positive(3), positive(2, 3)], dtypes=["float32"], rtol=1e-4)


def stateful():
  def on_variable(op, steps=3, **arguments):
    def build():
      variable = tf.get_variable("state", initializer=tf.constant([2**40, -7, 99], tf.int64), use_resource=True)
      out = getattr(tf.raw_ops, op)(resource=variable.handle, **{k: tf.constant(v) if isinstance(v, np.ndarray) else v for k, v in arguments.items()})
      return [([variable.initializer], {})] + [([out], {}), ([variable.read_value()], {})] * steps
    return Scenario("%s %s" % (op, {k: v for k, v in arguments.items() if isinstance(v, tf.DType)}), [op], build, bits=True)
  algorithm = i64(1)
  for dtype in FLOATS:
    for op in ["StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"]:
      yield on_variable(op, algorithm=algorithm, shape=i64([5, 3]), dtype=tf.as_dtype(dtype))
  for dtype in ["int32", "int64", "uint32", "uint64"]:
    yield on_variable("StatefulUniformFullInt", algorithm=algorithm, shape=i64([5]), dtype=tf.as_dtype(dtype))
  yield on_variable("StatefulUniformInt", algorithm=algorithm, shape=i64([5]), minval=i64(-3), maxval=i64(1000))
  # One run: TensorFlow loses the new state while a reader shares the old one's buffer.
  def binomial():
    variable = tf.get_variable("state", initializer=tf.constant([2**40, -7, 99], tf.int64), use_resource=True)
    out = tf.raw_ops.StatefulRandomBinomial(resource=variable.handle, algorithm=algorithm, shape=i32([5, 2]), counts=f32([10, 90]), probs=f32([0.3, 0.6]), dtype=tf.int32)
    return [([variable.initializer], {}), ([out], {})]
  yield Scenario("StatefulRandomBinomial", ["StatefulRandomBinomial"], binomial, bits=True)
  yield on_variable("RngReadAndSkip", alg=i32(1), delta=np.array(10, "uint64"))
  yield on_variable("RngSkip", algorithm=algorithm, delta=i64(3))


def designs():
  """Points of sequences, and points to start clusters from."""
  for dim, count, skip in [(1, 1, 0), (2, 10, 0), (5, 100, 7), (1111, 40, 3), (3, 2000, 1000000), (4, 8, (1 << 30) - 100), (4, 8, (1 << 30) + 5)]:
    for dtype in ("float32", "float64"):
      yield Case("SobolSample", [np.int32(dim), np.int32(count), np.int32(skip)], {"dtype": tf.as_dtype(dtype)}, bits=True)
  for bad in [(0, 1, 0), (1 << 20, 1, 0), (1, 0, 0), (1, 1, -1), (1, 1, (1 << 31) - 1), (1111, 1 << 21, 0)]:
    yield Refused("SobolSample", [np.int32(v) for v in bad])
  yield Refused("SobolSample", [i32([1]), np.int32(1), np.int32(0)])
  points = f32(np.random.RandomState(3).randn(60, 3))
  for seed in (1, -5, 1 << 40):
    for count in (1, 2, 9):
      for retries in (-1, 0, 3):
        yield Case("KmeansPlusPlusInitialization", [points, np.int64(count), np.int64(seed), np.int64(retries)])
    yield Case("KMC2ChainInitialization", [f32(np.random.RandomState(4).rand(200)), np.int64(seed)])
  one = np.int64(1)
  for bad in [[points, np.int64(0), one, one], [points, np.int64(61), one, one], [points[0], one, one, one], [points[:0], one, one, one], [points, i64([1]), one, one]]:
    yield Refused("KmeansPlusPlusInitialization", bad)
  yield Refused("KMC2ChainInitialization", [f32([]), one])
  yield Refused("KMC2ChainInitialization", [f32([[1]]), one])


def distorted():
  boxes = f32([[[0.1, 0.2, 0.7, 0.9], [0.5, 0.5, 0.6, 0.6]]])
  whole_image = {"use_image_if_no_bounding_boxes": True}
  none = np.zeros((1, 0, 4), "float32")
  for size in (i32([40, 60, 3]), i64([7, 300, 1]), np.array([100, 90, 3], "int8"), np.array([200, 90, 3], "uint8"),
               np.array([1000, 90, 3], "int16"), i32([0, 0, 3]), i32([1, 1, 1])):
    for seed in range(1, 6):
      for more in ({}, {"aspect_ratio_range": [0.2, 4.0], "area_range": [0.3, 0.9], "max_attempts": 3}):
        a = dict(more, seed=seed, seed2=7)
        yield Case("SampleDistortedBoundingBox", [size, boxes], dict(a, min_object_covered=0.4), bits=True)
        yield Case("SampleDistortedBoundingBoxV2", [size, boxes, np.float32(0.7)], a, bits=True)
        yield Case("StatelessSampleDistortedBoundingBox", [size, boxes, np.float32(0.2), i32([seed, 3])], more, bits=True)
    yield Case("StatelessSampleDistortedBoundingBox", [size, none, np.float32(0.2), i64([9, 3])], whole_image, bits=True)
  yield runs("SampleDistortedBoundingBoxV2", {"image_size": i32([400, 600, 3]), "bounding_boxes": boxes, "min_object_covered": np.float32(0.1)},
             {"seed": 3, "seed2": 4, "max_attempts": 7})
  size, cover, seed = i32([40, 60, 3]), np.float32(0.2), i32([1, 2])
  op = "StatelessSampleDistortedBoundingBox"
  for inputs in ([size, none, cover, seed], [size[:2], boxes, cover, seed], [size, boxes[0], cover, seed], [size, boxes[..., :3], cover, seed],
                 [size, boxes * 3, cover, seed], [size, boxes, np.float32(-1), seed], [size, boxes, f32([0.2]), seed],
                 [size, boxes, cover, i32([1])], [i32([-1, 5, 3]), boxes, cover, seed]):
    yield Refused(op, inputs)
  for attrs in ({"max_attempts": 0}, {"area_range": [0.0, 1.0]}, {"area_range": [0.5, 1.5]}, {"aspect_ratio_range": [1.0]}, {"aspect_ratio_range": [-1.0, 1.0]}):
    yield Refused(op, [size, boxes, cover, seed], attrs)
  yield Refused("SampleDistortedBoundingBox", [size, boxes], {"min_object_covered": -0.5})


def cases():
  yield from designs()
  yield from distorted()
  yield from seeded()
  yield from stateless()
  yield from stateful()
