"""Files that the Rust library writes, read by TensorFlow and TensorBoard, and the other way round."""
import functools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from harness import tf
from waiting import LIMIT


def program(binary):
  return str(pathlib.Path(binary).absolute().parent / "examples" / "write_formats")


@functools.lru_cache(None)
def written(binary):
  folder = tempfile.mkdtemp(prefix="downpour-formats-")
  subprocess.run([program(binary), folder], check=True, timeout=LIMIT)
  return pathlib.Path(folder)


def inspect(binary, path, *flags, code=0):
  done = subprocess.run([binary, "inspect", str(path), "--json", *flags], capture_output=True, text=True, timeout=LIMIT)
  assert done.returncode == code, done
  return json.loads(done.stdout)


def in_tensorflow_2(code, *arguments):
  """Runs a program with eager execution, which cannot be had beside the sessions of the other tests."""
  done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT)
  assert done.returncode == 0, done.stderr
  return json.loads(done.stdout.strip().splitlines()[-1])


def test_tensorboard_shows_an_event_file(binary):
  from tensorboard.backend.event_processing import event_accumulator
  from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
  from tensorboard import context, data
  events = written(binary) / "events"
  accumulator = event_accumulator.EventAccumulator(str(events), size_guidance={"images": 0, "scalars": 0})
  accumulator.Reload()
  tags = accumulator.Tags()
  assert sorted(tags["scalars"]) == ["accuracy", "loss"], tags
  assert tags["histograms"] == ["weights"] and tags["graph"] and tags["run_metadata"] == ["step 10"], tags
  loss = accumulator.Scalars("loss")
  np.testing.assert_allclose([e.value for e in loss], 1 / np.arange(1, 101), rtol=1e-6)
  assert [e.step for e in loss] == list(range(100))
  histogram = accumulator.Histograms("weights")[0].histogram_value
  assert histogram.num == 1000 and histogram.min == -5, histogram
  assert len(accumulator.Graph().node) == 9
  images = [accumulator.Images(tag)[0] for tag in sorted(tags["images"])]
  assert [(i.width, i.height) for i in images] == [(5, 4)] * 2
  np.testing.assert_array_equal(tf.Session().run(tf.image.decode_png(images[0].encoded_image_string)), np.full([4, 5, 1], 128))

  # The way TensorBoard's own pages take.
  multiplexer = plugin_event_multiplexer.EventMultiplexer()
  multiplexer.AddRun(str(events), "run")
  multiplexer.Reload()
  provider, ctx = data_provider.MultiplexerDataProvider(multiplexer, str(events)), context.RequestContext()
  everything = data.provider.RunTagFilter(None, None)
  scalars = provider.read_scalars(ctx, experiment_id="", plugin_name="scalars", downsample=1000, run_tag_filter=everything)
  assert len(scalars["run"]["accuracy"]) == 100
  tensors = provider.list_tensors(ctx, experiment_id="", plugin_name="histograms", run_tag_filter=everything)
  assert list(tensors["run"]) == ["weights"]
  assert list(provider.list_tensors(ctx, experiment_id="", plugin_name="text", run_tag_filter=everything)["run"]) == ["notes"]
  blobs = provider.list_blob_sequences(ctx, experiment_id="", plugin_name="images", run_tag_filter=everything)
  assert sorted(blobs["run"]) == ["digits/image/0", "digits/image/1"], blobs
  assert provider.list_blob_sequences(ctx, experiment_id="", plugin_name="graphs", run_tag_filter=everything)["run"]


def test_an_event_file_of_tensorflow_is_inspected(binary):
  with tempfile.TemporaryDirectory() as folder:
    in_tensorflow_2("""
import sys, tensorflow as tf
with tf.summary.create_file_writer(sys.argv[1]).as_default():
  for step in range(5):
    tf.summary.scalar("loss", 1.0 / (step + 1), step)
  tf.summary.histogram("weights", tf.range(10), 4)
print("{}")
""", folder)
    facts = inspect(binary, folder)
    assert facts["kind"] == "events" and facts["tags"]["loss"]["last_value"] == np.float32(0.2), facts
    assert facts["tags"]["weights"]["kind"] == "histogram", facts


def test_records_are_exchanged(binary):
  folder = written(binary)
  for name, compression in [("none", ""), ("gzip", "GZIP"), ("zlib", "ZLIB")]:
    path = folder / (name + ".tfrecord")
    records = list(tf.io.tf_record_iterator(str(path), tf.io.TFRecordOptions(compression)))
    assert len(records) == 100
    example = tf.train.Example.FromString(records[7])
    assert list(example.features.feature["numbers"].int64_list.value) == [7, 49]
    theirs = folder / ("tensorflow_" + name)
    with tf.io.TFRecordWriter(str(theirs), compression) as writer:
      for record in records[:-1]:
        writer.write(record)
    facts = inspect(binary, theirs)
    assert facts["records"] == 99 and facts["compression"] == name, facts
    assert facts["first_features"] == [{"name": "numbers", "kind": "int64", "length": 2, "start": ["0", "0"]}], facts


def test_tensorflow_restores_a_checkpoint_of_the_manager(binary):
  folder = written(binary) / "checkpoints é"
  latest = tf.train.latest_checkpoint(str(folder))
  assert latest == str(folder / "ckpt-30"), latest
  state = tf.train.get_checkpoint_state(str(folder))
  assert [pathlib.Path(p).name for p in state.all_model_checkpoint_paths] == ["ckpt-20", "ckpt-30"]
  assert len(state.all_model_checkpoint_timestamps) == 2
  with tf.Graph().as_default(), tf.Session() as s:
    w = tf.get_variable("w", [2, 2])
    b = tf.get_variable("b", [], tf.bfloat16, initializer=tf.zeros_initializer())
    tf.train.Saver().restore(s, latest)
    np.testing.assert_array_equal(s.run(w), np.full([2, 2], 30.0))
    assert float(s.run(b)) == 0.5
  facts = inspect(binary, folder, "--verify")
  assert facts["latest_good"]["step"] == 30 and facts["latest_good"]["verified"] and not facts["damaged"], facts


def test_damage_in_a_checkpoint_of_tensorflow_is_shown(binary):
  with tempfile.TemporaryDirectory() as folder:
    with tf.Graph().as_default(), tf.Session() as s:
      tf.get_variable("w", initializer=tf.ones([10]))
      s.run(tf.global_variables_initializer())
      saver = tf.train.Saver()
      for step in (1, 2):
        prefix = saver.save(s, folder + "/model.ckpt", global_step=step)
    assert [t["name"] for t in inspect(binary, prefix, "--verify")["tensors"]] == ["w"]
    data = pathlib.Path(prefix + ".data-00000-of-00001")
    contents = bytearray(data.read_bytes())
    contents[3] ^= 1
    data.write_bytes(contents)
    assert "checksum" in inspect(binary, prefix, "--verify", code=1)["tensors"][0]["error"]
    facts = inspect(binary, folder)
    assert facts["latest_good"]["step"] == 1 and facts["damaged"][0]["checkpoint"] == prefix, facts


LOAD_2 = """
import json, sys, tensorflow as tf
model = tf.saved_model.load(sys.argv[1])
feeds = {k: tf.constant(v) for k, v in json.loads(sys.argv[3]).items()}
print(json.dumps({k: v.numpy().tolist() for k, v in model.signatures[sys.argv[2]](**feeds).items()}))
"""


def load_1(folder, signature, feeds):
  with tf.Graph().as_default(), tf.Session() as s:
    meta = tf.saved_model.load(s, ["serve"], str(folder))
    definition = meta.signature_def[signature]
    return s.run({k: v.name for k, v in definition.outputs.items()},
                 {definition.inputs[k].name: v for k, v in feeds.items()})


def run_frozen(path, outputs, feeds):
  with tf.Graph().as_default(), tf.Session() as s:
    definition = tf.GraphDef.FromString(path.read_bytes())
    assert not {"VarHandleOp", "VariableV2"} & {n.op for n in definition.node}
    tf.import_graph_def(definition, name="")
    return s.run(outputs, feeds)


def test_tensorflow_loads_a_saved_model_and_a_frozen_graph(binary):
  folder = written(binary)
  x = [[1.0, 2.0], [3.0, -4.0]]
  expected = np.array(x) @ [[2.0], [-1.0]] + 0.5
  np.testing.assert_allclose(load_1(folder / "model", "serving_default", {"x": x})["y"], expected)
  np.testing.assert_allclose(load_1(folder / "model", "rows", {"rows": [1, 1, 0]})["z"], [[-1], [-1], [2]])
  np.testing.assert_allclose(in_tensorflow_2(LOAD_2, folder / "model", "serving_default", json.dumps({"x": x}))["y"], expected)
  y, z = run_frozen(folder / "frozen.pb", ["y:0", "z:0"], {"x:0": x, "rows:0": [0]})
  np.testing.assert_allclose(y, expected)
  np.testing.assert_allclose(z, [[2]])
  facts = inspect(binary, folder / "model", "--verify")
  assert facts["graphs"][0]["signatures"]["serving_default"]["inputs"]["x"]["shape"] == [-1, 2], facts
  assert inspect(binary, folder / "frozen.pb")["unknown_operations"] == []


def test_saved_models_of_tensorflow_1_are_read(binary):
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    x = [[0.1, 0.2, 0.3]]
    with tf.Graph().as_default(), tf.Session() as s:
      inputs = tf.placeholder(tf.float32, [None, 3])
      w = tf.get_variable("w", [3, 4], use_resource=True)
      b = tf.get_variable("b", [4], use_resource=False, initializer=tf.ones_initializer())
      outputs = tf.nn.softmax(tf.matmul(inputs, w) + b)
      s.run(tf.global_variables_initializer())
      expected = s.run(outputs, {inputs: x})
      tf.saved_model.simple_save(s, str(folder / "theirs"), {"x": inputs}, {"p": outputs})
    subprocess.run([program(binary), folder, folder / "theirs"], check=True)
    np.testing.assert_allclose(load_1(folder / "again", "serving_default", {"x": x})["p"], expected, rtol=1e-6)
    got, = run_frozen(folder / "frozen.pb", [outputs.name], {inputs.name: x})
    np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_saved_models_of_tensorflow_2_are_read(binary):
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    expected = in_tensorflow_2("""
import json, sys, tensorflow as tf
class Model(tf.Module):
  def __init__(self):
    self.w, self.count = tf.Variable(tf.random.normal([3, 4])), tf.Variable(7)
  @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
  def __call__(self, x):
    return {"p": tf.nn.softmax(x @ self.w)}
model = Model()
tf.saved_model.save(model, sys.argv[1], signatures=model.__call__)
print(json.dumps(model(tf.constant([[0.1, 0.2, 0.3]]))["p"].numpy().tolist()))
""", folder / "theirs")
    subprocess.run([program(binary), folder, folder / "theirs"], check=True, capture_output=True)
    feeds = {"x": [[0.1, 0.2, 0.3]]}
    np.testing.assert_allclose(load_1(folder / "again", "serving_default", feeds)["p"], expected, rtol=1e-6)
    loaded = in_tensorflow_2(LOAD_2, folder / "again", "serving_default", json.dumps(feeds))
    np.testing.assert_allclose(loaded["p"], expected, rtol=1e-6)


def test_what_cannot_be_inspected_is_said_with_a_hint(binary):
  with tempfile.TemporaryDirectory() as folder:
    nonsense = pathlib.Path(folder) / "nonsense"
    nonsense.write_bytes(b"\x00\xff nothing that anybody knows")
    for path in (nonsense, folder, folder + "/absent", folder + "/absent.index"):
      done = subprocess.run([binary, "inspect", str(path)], capture_output=True, text=True, timeout=LIMIT)
      assert done.returncode == 1 and done.stdout == "", done
      assert done.stderr.startswith("error: ") and "\nhint: " in done.stderr, done.stderr
    text = subprocess.run([binary, "inspect", str(written(binary) / "weights.safetensors")], capture_output=True, text=True)
    assert "bfloat16" in text.stdout and text.returncode == 0, text
