"""`downpour train`: whole runs with real processes, read and repeated by TensorFlow."""
import json
import os
import pathlib
import random
import resource
import shlex
import signal
import subprocess
import tempfile
import time

import numpy as np

from formats import in_tensorflow_2
from harness import tf
from waiting import LIMIT, until

JOB = """
name = "digits"

[model]
kind = "mlp"
hidden = [%(hidden)d]

[data]
source = "mnist"
batch = 32

[optimizer]
kind = "adam"
learning_rate = 0.001

[train]
steps = %(steps)d
checkpoint_every = %(checkpoint_every)d
seed = 7
profile_at = 5

[cluster]
strategy = "%(strategy)s"
ps = 2
workers = 2
threads = 1
"""


def write_job(folder, text=JOB, **values):
  settings = dict(hidden=32, steps=60, checkpoint_every=30, strategy="local")
  settings.update(values)
  path = pathlib.Path(folder) / "job.toml"
  path.write_text(text % settings)
  return str(path)


def train(binary, folder, *arguments, code=0):
  done = subprocess.run([binary, "train", "--runs", str(folder), *arguments], capture_output=True, text=True, timeout=LIMIT)
  assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
  return done


def trained(binary, folder, *arguments):
  return json.loads(train(binary, folder, "--json", *arguments).stdout)


def events(run, task):
  lines = (pathlib.Path(run) / "tasks" / (task + ".jsonl")).read_text().splitlines()
  return [json.loads(line) for line in lines]


def told(run, task, kind):
  """What a task has said so far, without a last line that is not yet whole."""
  path = pathlib.Path(run) / "tasks" / (task.replace("/", "-") + ".jsonl")
  found = []
  for line in path.read_text().splitlines() if path.exists() else []:
    try:
      found.append(json.loads(line))
    except ValueError:
      continue
  return [event for event in found if event["kind"] == kind]


def variables(prefix):
  reader = tf.train.load_checkpoint(prefix)
  return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def test_a_run_is_resumed_and_tensorflow_reads_what_it_left(binary):
  with tempfile.TemporaryDirectory() as folder:
    first = trained(binary, folder, write_job(folder))
    assert first["step"] == 60 and first["metrics"]["accuracy"] > 0.7, first
    run = pathlib.Path(first["run"])
    assert (run / "timeline.json").exists() and "<html" in (run / "report.html").read_text()
    resumed = trained(binary, folder, "--resume", "--steps", "90")
    assert resumed["run"] == first["run"] and resumed["step"] == 90, resumed
    starts = [event["step"] for event in events(run, "local") if event["kind"] == "started"]
    assert starts == [0, 60], starts

    values = variables(resumed["checkpoint"])
    assert values["global_step"] == 90 and values["data_position/worker_0"], sorted(values)
    images = np.random.RandomState(1).randint(0, 256, [5, 28, 28]).astype(np.uint8)
    hidden = images.reshape(5, 784).astype(np.float32) / 255 @ values["dense/kernel"] + values["dense/bias"]
    logits = np.maximum(hidden, 0) @ values["logits/kernel"] + values["logits/bias"]
    given = in_tensorflow_2(
        "import sys, json, numpy as np, tensorflow as tf\n"
        "serve = tf.saved_model.load(sys.argv[1]).signatures['serving_default']\n"
        "images = np.random.RandomState(1).randint(0, 256, [5, 28, 28]).astype(np.uint8)\n"
        "print(json.dumps({k: v.numpy().tolist() for k, v in serve(image=tf.constant(images)).items()}))", run / "export" / "90")
    np.testing.assert_allclose(given["logits"], logits, rtol=1e-3, atol=1e-4)
    assert given["classes"] == logits.argmax(1).tolist()

    from tensorboard.backend.event_processing import event_accumulator
    shown = event_accumulator.EventAccumulator(str(run / "events"))
    shown.Reload()
    assert "loss" in shown.Tags()["scalars"] and shown.Tags()["graph"], shown.Tags()


def check_cluster(binary, strategy):
  with tempfile.TemporaryDirectory() as folder:
    result = trained(binary, folder, write_job(folder, strategy=strategy, steps=80))
    assert result["step"] >= 80 and result["metrics"]["accuracy"] > 0.7, result
    for task in ("ps-0", "ps-1", "worker-0", "worker-1"):
      assert events(result["run"], task)[0]["kind"] == "started", task
    progress = [event for event in events(result["run"], "worker-1") if event["kind"] == "progress"]
    assert progress[-1]["steps"] > 0, progress
    chief = events(result["run"], "worker-0")[0]
    assert {place["task"] for place in chief["variables"]} == {"ps/0", "ps/1"}, chief
    if strategy == "synchronous":
      assert result["step"] == 80 and progress[-1]["steps"] == 80, (result, progress[-1])


def test_asynchronous_training_on_a_cluster(binary):
  check_cluster(binary, "asynchronous")


def test_synchronous_training_on_a_cluster(binary):
  check_cluster(binary, "synchronous")


def test_a_run_that_is_killed_again_and_again_ends_as_if_it_was_not(binary):
  """Checkpoint and data position are exact: the variables are the same to the last bit."""
  kills = int(os.environ.get("DOWNPOUR_KILLS", "4"))
  with tempfile.TemporaryDirectory() as folder:
    job = write_job(folder, checkpoint_every=5)
    run = pathlib.Path(trained(binary, folder, job, "--steps", "1")["run"])
    chance = random.Random(3)
    for _ in range(kills):
      before = len(read_lines(run))
      # Without an end, so that each kill hits a process that trains.
      process = subprocess.Popen([binary, "train", "--runs", folder, "--resume", str(run), "--steps", "10000000"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      until(lambda: any(e["kind"] == "progress" for e in read_lines(run)[before:]), "training goes on", process)
      time.sleep(chance.random() * 0.3)
      process.send_signal(signal.SIGKILL)
      assert process.wait() == -signal.SIGKILL
    # From the files: the last checkpoints may be there though their process died before it could report them.
    steps = newest_step(run) + 10
    ended = trained(binary, folder, "--resume", str(run), "--steps", str(steps))
    whole = trained(binary, folder, job, "--steps", str(steps))
    assert ended["step"] == whole["step"] == steps
    lost = [(saved, start) for saved, start in checkpoints_and_starts(run) if start < saved]
    assert not lost, lost
    assert_same_variables(whole, ended)
    # A place in the data can be written in several ways, so what counts is what follows: the same batches.
    further = str(steps + 10)
    assert_same_variables(*(trained(binary, folder, "--resume", str(r), "--steps", further) for r in (whole["run"], run)))


def test_a_run_whose_last_checkpoint_was_never_reported_ends_with_it(binary):
  """A process can die between writing a checkpoint and its line in the journal."""
  with tempfile.TemporaryDirectory() as folder:
    whole = trained(binary, folder, write_job(folder))
    journal = pathlib.Path(whole["run"]) / "tasks" / "local.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    last = max(at for at, line in enumerate(lines) if json.loads(line)["kind"] == "saved")
    assert json.loads(lines[last])["step"] == 60, lines[last]
    journal.write_text("".join(lines[:last]))
    resumed = trained(binary, folder, "--resume", whole["run"])
    assert resumed["step"] == 60 and resumed["checkpoint"] == whole["checkpoint"], (resumed, whole)
    assert_same_variables(whole, resumed)


def newest_step(run):
  state = tf.train.get_checkpoint_state(str(pathlib.Path(run) / "checkpoints"))
  return int(state.model_checkpoint_path.rsplit("-", 1)[1])


def assert_same_variables(one, other):
  expected, actual = variables(one["checkpoint"]), variables(other["checkpoint"])
  assert expected.keys() == actual.keys()
  for name in expected:
    assert name.startswith("data_position/") or np.array_equal(expected[name], actual[name]), name


def read_lines(run):
  """Events, without a last line that is not yet whole."""
  found = []
  for line in (pathlib.Path(run) / "tasks" / "local.jsonl").read_text().splitlines():
    try:
      found.append(json.loads(line))
    except ValueError:
      pass
  return found


def checkpoints_and_starts(run):
  """For every start, the last checkpoint that was reported before it."""
  saved, found = 0, []
  for event in read_lines(run):
    if event["kind"] == "saved":
      saved = max(saved, event["step"])
    if event["kind"] == "started":
      found.append((saved, event["step"]))
  return found


def test_mistakes_are_shown_where_they_are(binary):
  with tempfile.TemporaryDirectory() as folder:
    def refused(text, *arguments):
      path = write_job(folder, text)
      return train(binary, folder, path, *arguments, code=1).stderr

    good = JOB
    assert "unknown field `hiden`" in refused(good.replace("hidden", "hiden", 1))
    wrong = refused(good.replace('"mlp"', '"mpl"'))
    assert "there is no model 'mpl'" in wrong and "kind = \"mpl\"" in wrong, wrong
    wrong = refused(good.replace('"adam"', '"adma"'))
    assert "adma" in wrong and "job.toml:13" in wrong, wrong
    assert "learning_rate must be a number above 0" in refused(good.replace("0.001", "-1.0"))
    assert "batch must be at least 1" in refused(good.replace("batch = 32", "batch = 0"))
    wrong = refused(good.replace('source = "mnist"', 'source = "mnits"'))
    assert "there is no source 'mnits'" in wrong and "mnist, adult" in wrong, wrong
    wrong = refused(good.replace('source = "mnist"', 'source = "mnist"\nfolder = "/nowhere"'))
    assert "/nowhere" in wrong, wrong
    assert "cannot read the job" in train(binary, folder, "nothing.toml", code=1).stderr
    assert "is not the folder of a run" in train(binary, folder, "--resume", "/", code=1).stderr
    locked = pathlib.Path(folder) / "file"
    locked.write_text("")
    assert "cannot make the folder" in train(binary, locked, write_job(folder), code=1).stderr


def small_disk(folder, commands):
  """Runs commands one after the other where files cannot grow beyond a limit, the last one without it."""
  mounted = 'mount -t tmpfs -o size=700k none "$1" && shift && '
  for namespace in ("-m", "-Urm"):
    if subprocess.run(["unshare", namespace, "sh", "-c", mounted + "true", "sh", folder], capture_output=True).returncode == 0:
      script = mounted + "%s\ncode=$?; mount -o remount,size=99m " + shlex.quote(folder) + "; %s; echo $code"
      script %= tuple(shlex.join(command) for command in commands)
      return subprocess.run(["unshare", namespace, "sh", "-c", script, "sh", folder], capture_output=True, text=True, timeout=LIMIT)
  # Without the right to mount: a limit for each file, below the size of a checkpoint.
  limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 10, 200 << 10))
  first = subprocess.run(commands[0], capture_output=True, text=True, timeout=LIMIT, preexec_fn=limit, restore_signals=False)
  rest = subprocess.run(commands[1], capture_output=True, text=True, timeout=LIMIT)
  rest.stdout, rest.stderr = "%s%d\n" % (rest.stdout, first.returncode), first.stderr + rest.stderr
  return rest


def test_a_full_disk_ends_the_run_and_loses_nothing_that_was_saved(binary):
  with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as runs:
    job = write_job(folder, checkpoint_every=10)
    started = [binary, "train", job, "--runs", runs]
    done = small_disk(runs, [started, [binary, "train", "--resume", "--runs", runs, "--json"]])
    assert "was not saved" in done.stderr and "Make room" in done.stderr, done.stderr
    assert "No space left" in done.stderr or "File too large" in done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "1" and json.loads(lines[-2])["step"] == 60, done


def test_a_checkpoint_of_other_shapes_is_refused_by_name(binary):
  with tempfile.TemporaryDirectory() as folder:
    run = pathlib.Path(trained(binary, folder, write_job(folder, steps=4))["run"])
    job = run / "job.toml"
    job.write_text(job.read_text().replace("hidden = [32]", "hidden = [16]"))
    said = train(binary, folder, "--resume", "--steps", "8", code=1).stderr
    assert "dense/kernel" in said and "[784,32]" in said and "[784,16]" in said, said


def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(binary):
  with tempfile.TemporaryDirectory() as folder:
    result = trained(binary, folder, write_job(folder))
    data = pathlib.Path(result["checkpoint"] + ".data-00000-of-00001")
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    done = train(binary, folder, "--resume", "--steps", "70")
    assert "ckpt-60" in done.stderr and "damaged" in done.stderr, done.stderr
    starts = [event["step"] for event in events(result["run"], "local") if event["kind"] == "started"]
    assert starts == [0, 30], starts
