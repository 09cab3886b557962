"""Mixed precision: the rewritten graphs run by TensorFlow, and what Keras and TensorFlow's own rewrite make of the same models."""
import functools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from harness import tf
from waiting import LIMIT

STEPS = 30
# How far losses of the same graph may differ: TensorFlow adds up products of 16 bits in 16 bits, and we in 32.
TOLERANCE = {"float32": 1e-4, "bfloat16": 4e-2, "float16": 5e-3}


@functools.lru_cache(None)
def folder(server):
  """What the library's example writes: graphs, losses, first values."""
  made = tempfile.mkdtemp(prefix="downpour-precision-")
  example = pathlib.Path(server).absolute().parent / "examples" / "mixed_precision"
  subprocess.run([str(example), made, str(STEPS)], check=True, timeout=LIMIT)
  return pathlib.Path(made)


def load(server, name):
  definition = tf.GraphDef()
  definition.ParseFromString((folder(server) / (name + ".pb")).read_bytes())
  return definition, json.loads((folder(server) / (name + ".json")).read_text())


def losses_of(definition, facts, steps=STEPS, config=None):
  with tf.Graph().as_default(), tf.Session(config=config) as session:
    tf.import_graph_def(definition, name="")
    session.run(facts["init"])
    for name, value in facts["first"].items():
      handle = session.graph.get_tensor_by_name(name + ":0")
      shape = session.graph.get_operation_by_name(name).get_attr("shape")
      value = np.reshape(np.array(value, np.float32), [d.size for d in shape.dim])
      session.run(tf.raw_ops.AssignVariableOp(resource=handle, value=value))
    return [session.run([facts["loss"], facts["train"]])[0] for _ in range(steps)]


def test_tensorflow_runs_rewritten_graphs(server):
  for model in ("mlp", "cnn", "resnet", "lstm"):
    for precision, tolerance in TOLERANCE.items():
      name = "%s-%s" % (model, precision)
      definition, facts = load(server, name)
      theirs, ours = losses_of(definition, facts), np.array(facts["losses"])
      worst = np.max(np.abs(ours / theirs - 1))
      print("  %s: losses from %.4f to %.4f, largest relative difference %.1e, %d nodes of 16 bits" % (
          name, ours[0], ours[-1], worst, len(facts["rewritten"])))
      assert ours[-1] < ours[0], name
      np.testing.assert_allclose(ours, theirs, rtol=tolerance, err_msg=name)


def program(name, *args):
  """What one of our Python programs prints as its last line."""
  path = pathlib.Path(__file__).resolve().parent / "programs" / name
  said = subprocess.run([sys.executable, str(path), *args], check=True, timeout=LIMIT, capture_output=True, text=True)
  return json.loads(said.stdout.splitlines()[-1])


def test_tensorflows_own_rewrite_gives_the_same_losses(server):
  """TensorFlow's pass for bfloat16 over the graph of float32, against TensorFlow on the graph of our pass."""
  for model in ("mlp", "cnn"):
    both = program("rewritten_by_tensorflow.py", str(folder(server)), model, str(STEPS))
    theirs, ours = both["theirs"], both["ours"]
    plain = load(server, model + "-float32")[1]["losses"]
    print("  %s: largest relative difference %.1e, to float32 %.1e" % (
        model, np.max(np.abs(np.array(ours) / theirs - 1)), np.max(np.abs(np.array(plain) / theirs - 1))))
    assert np.max(np.abs(np.array(theirs) / plain - 1)) > 1e-4, "TensorFlow has rewritten nothing"
    # Before the first update the passes show that they have chosen the same nodes.
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-5, err_msg=model)
    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE["bfloat16"], err_msg=model)


def test_the_loss_scale_goes_as_with_keras(server):
  facts = load(server, "scales")[1]
  keras = program("loss_scales.py", json.dumps(facts["fed"]))
  assert facts["scales"] == keras["scales"], (facts["scales"], keras["scales"])
  np.testing.assert_allclose(facts["weights"], keras["weights"], rtol=1e-3)


def test_tensorflow_skips_the_same_updates(server):
  """The Switch that leaves updates out means the same in TensorFlow."""
  definition, facts = load(server, "scales")
  with tf.Graph().as_default(), tf.Session() as session:
    tf.import_graph_def(definition, name="")
    session.run(facts["init"])
    scales, weights = [], []
    for value in facts["fed"]:
      session.run(facts["train"], {"fed:0": [[value]]})
      scale, weight = session.run([facts["scale"], facts["weight"]])
      scales.append(float(scale))
      weights.append(float(weight[0][0]))
  assert scales == facts["scales"], (scales, facts["scales"])
  np.testing.assert_allclose(weights, facts["weights"], rtol=1e-3)
