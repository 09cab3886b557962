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


def cases():
  yield from seeded()
  yield from stateless()
  yield from stateful()
