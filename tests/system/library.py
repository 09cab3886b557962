"""What the Rust library builds, run by TensorFlow, and the same models with TensorFlow's own optimizers."""
import functools
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from harness import tf
from waiting import LIMIT
from tensorflow.python.keras.optimizer_v2 import adam as keras_adam  # AMSGrad is only there

STEPS = 40


@functools.lru_cache(None)
def graphs(server):
  """The folder of graphs that the library's example writes."""
  folder = tempfile.mkdtemp(prefix="downpour-library-")
  program = pathlib.Path(server).absolute().parent / "examples" / "training_graphs"
  subprocess.run([str(program), folder, str(STEPS)], check=True, timeout=LIMIT)
  return pathlib.Path(folder)


def load(server, name):
  folder = graphs(server)
  definition = tf.GraphDef()
  definition.ParseFromString((folder / (name + ".pb")).read_bytes())
  return definition, json.loads((folder / (name + ".json")).read_text())


def close(got, wanted, what):
  np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-7, err_msg=what)


def test_tensorflow_runs_every_graph_of_the_library(server):
  names = sorted(p.stem for p in graphs(server).glob("*.pb"))
  assert len(names) > 20, names
  for name in names:
    definition, facts = load(server, name)
    with tf.Graph().as_default(), tf.Session() as session:
      tf.import_graph_def(definition, name="")
      session.run(facts["init"])
      values = []
      for _ in facts["values"]:
        values.append(session.run(facts["value"]))
        session.run(facts["train"])
    close(values, facts["values"], name)


def model():
  """The example's model, with TensorFlow's initializers and the same seeds."""
  tf.set_random_seed(17)
  with tf.variable_scope("", use_resource=True):
    table = tf.get_variable("table", [6, 4], initializer=tf.random_uniform_initializer(-1.0, 1.0, seed=1))
    kernel = tf.get_variable("dense/kernel", [4, 3], initializer=tf.glorot_uniform_initializer(seed=2))
    bias = tf.get_variable("dense/bias", [3], initializer=tf.zeros_initializer())
  rows = tf.gather(table, [0, 2, 2, 5, 0])
  hidden = tf.tanh(tf.matmul(rows, kernel) + bias)
  wanted = tf.constant([[0.5, -0.5, 0.1], [0.2, 0.3, -0.9], [0.0, 0.6, 0.4], [-0.3, 0.8, 0.7], [0.9, -0.1, -0.2]])
  return tf.reduce_mean(tf.math.squared_difference(hidden, wanted))


def clipped(loss, step):
  rate = tf.where(step < 5, 0.2 * tf.cast(step, tf.float32) / 5.0, 0.2)
  optimizer = tf.train.AdagradOptimizer(rate)
  gradients, variables = zip(*optimizer.compute_gradients(loss))
  gradients, _ = tf.clip_by_global_norm(gradients, 0.3)
  return optimizer.apply_gradients(zip(gradients, variables), step)


def amsgrad(loss, step):
  variables = tf.trainable_variables()
  optimizer = keras_adam.Adam(0.01, epsilon=1e-8, amsgrad=True)
  update = optimizer.apply_gradients(zip(tf.gradients(loss, variables), variables))
  with tf.control_dependencies([update]):
    return tf.assign_add(step, 1)


def adamw(loss, step):
  """Weights shrink by rate * decay before Adam's change; of the table the rows in use."""
  variables = tf.trainable_variables()
  gradients = tf.gradients(loss, variables)
  shrunk = []
  with tf.control_dependencies([g.values if isinstance(g, tf.IndexedSlices) else g for g in gradients]):
    for gradient, variable in zip(gradients, variables):
      if isinstance(gradient, tf.IndexedSlices):
        indices, _ = tf.unique(gradient.indices)
        shrunk.append(tf.scatter_sub(variable, indices, tf.gather(variable, indices) * (0.01 * 0.1)))
      else:
        shrunk.append(variable.assign_sub(variable.read_value() * (0.01 * 0.1)))
  with tf.control_dependencies(shrunk):
    gradients = [g if isinstance(g, tf.IndexedSlices) else tf.identity(g) for g in gradients]
    gradients = [tf.IndexedSlices(tf.identity(g.values), g.indices, g.dense_shape) if isinstance(g, tf.IndexedSlices)
                 else g for g in gradients]
    return tf.train.AdamOptimizer(0.01, name="AdamW").apply_gradients(zip(gradients, variables), step)


def minimize(optimizer):
  return lambda loss, step: optimizer().minimize(loss, step)


OPTIMIZERS = {
    "gradient_descent": minimize(lambda: tf.train.GradientDescentOptimizer(0.1)),
    "momentum": minimize(lambda: tf.train.MomentumOptimizer(0.05, 0.9)),
    "nesterov": minimize(lambda: tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True)),
    "adagrad": minimize(lambda: tf.train.AdagradOptimizer(0.1)),
    "adam": minimize(lambda: tf.train.AdamOptimizer(0.01)),
    "adamw": adamw,
    "amsgrad": amsgrad,
    "rms_prop": minimize(lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5)),
    "centered_rms_prop": minimize(lambda: tf.train.RMSPropOptimizer(0.01, centered=True)),
    "adadelta": minimize(lambda: tf.train.AdadeltaOptimizer(1.0)),
    "ftrl": minimize(lambda: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02)),
    "ftrl_shrinkage": minimize(lambda: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02,
        l2_shrinkage_regularization_strength=0.1)),
    "ftrl_beta": minimize(lambda: tf.train.FtrlOptimizer(0.1, beta=0.5)),
    "clipped_adagrad": clipped,
}


def test_optimizers_of_the_library_are_those_of_tensorflow(server):
  for name, build in OPTIMIZERS.items():
    _, facts = load(server, name)
    with tf.Graph().as_default(), tf.Session() as session:
      loss = model()
      step = tf.train.get_or_create_global_step()
      train = build(loss, step)
      session.run(tf.global_variables_initializer())
      losses = []
      for _ in range(STEPS):
        losses.append(session.run(loss))
        session.run(train)
      if name != "amsgrad":  # Keras names its slots otherwise
        assert sorted(v.op.name for v in tf.global_variables()) == sorted(facts["variables"]), (
            name, sorted(v.op.name for v in tf.global_variables()), sorted(facts["variables"]))
    close(facts["values"], losses, name)


def schedules(step):
  from tensorflow.python.keras.optimizer_v2 import legacy_learning_rate_decay as decay
  exponential = lambda staircase=False: decay.exponential_decay(0.1, step, 7.0, 0.9, staircase)
  return {
      "exponential": exponential(),
      "exponential_staircase": exponential(True),
      "piecewise": decay.piecewise_constant(step, [5, 20], [0.1, 0.05, 0.01]),
      "polynomial": decay.polynomial_decay(0.1, step, 12.0, 0.01, 2.0),
      "polynomial_cycle": decay.polynomial_decay(0.1, step, 12.0, 0.01, 2.0, cycle=True),
      "cosine": decay.cosine_decay(0.1, step, 20.0, 0.05),
      "cosine_restarts": decay.cosine_decay_restarts(0.1, step, 5.0, 2.0, 0.8, 0.1),
      "cosine_restarts_equal": decay.cosine_decay_restarts(0.1, step, 5.0, 1.0, 0.8, 0.1),
      "inverse_time": decay.inverse_time_decay(0.1, step, 4.0, 0.5),
      "warm_up": tf.where(step < 6, 0.1 * 0.9 ** (6 / 7) * tf.cast(step, tf.float32) / 6.0, exponential()),
  }


def test_learning_rates_of_the_library_are_those_of_tensorflow(server):
  with tf.Graph().as_default(), tf.Session() as session:
    step = tf.placeholder(tf.int64, [])
    rates = schedules(step)
    values = [session.run(rates, {step: i}) for i in range(STEPS)]
  for name in rates:
    _, facts = load(server, "schedule_" + name)
    close(facts["values"], [v[name] for v in values], name)


def test_first_values_are_those_of_tensorflow_bit_for_bit(server):
  initializers = [
      ("random_uniform", tf.random_uniform_initializer, (-2.0, 3.0)),
      ("random_normal", tf.random_normal_initializer, (0.5, 2.0)),
      ("truncated_normal", tf.truncated_normal_initializer, (0.5, 2.0)),
      ("glorot_uniform", tf.glorot_uniform_initializer, ()),
      ("glorot_normal", tf.glorot_normal_initializer, ()),
      ("he_uniform", tf.initializers.he_uniform, ()),
      ("he_normal", tf.initializers.he_normal, ()),
      ("lecun_uniform", tf.initializers.lecun_uniform, ()),
      ("lecun_normal", tf.initializers.lecun_normal, ()),
      ("orthogonal", tf.orthogonal_initializer, (1.5,)),
  ]
  with tf.Graph().as_default(), tf.Session() as session:
    tf.set_random_seed(1234)
    wanted = {name: make(*args, seed=i)([30, 20]) for i, (name, make, args) in enumerate(initializers)}
    wanted["kernel"] = tf.initializers.he_normal(seed=99)([3, 3, 8, 4])
    wanted["identity"] = tf.initializers.identity(2.0)([30, 20])
    wanted["zeros"], wanted["ones"] = tf.zeros([30, 20]), tf.ones([30, 20])
    wanted = session.run(wanted)
  # TensorFlow runs our graph ...
  definition, facts = load(server, "initializers")
  with tf.Graph().as_default(), tf.Session() as session:
    tf.import_graph_def(definition, name="")
    session.run(facts["init"])
    for name, value in wanted.items():
      got = session.run(name + "/Read/ReadVariableOp:0")
      if name == "orthogonal":
        np.testing.assert_allclose(got, value, rtol=1e-5, atol=1e-6)
      else:
        np.testing.assert_array_equal(got, value, err_msg=name)
  # ... and so does Downpour.
  from harness import Server
  with Server(server) as running, tf.Graph().as_default(), tf.Session(running.target) as session:
    tf.import_graph_def(definition, name="")
    session.run(facts["init"])
    for name, value in wanted.items():
      got = session.run(name + "/Read/ReadVariableOp:0")
      if name == "orthogonal":
        np.testing.assert_allclose(got, value, rtol=1e-4, atol=1e-5)
      else:
        np.testing.assert_array_equal(got, value, err_msg=name)
