"""Models in parts: `downpour train` on several processes gives what one process gives."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import numpy as np

from train import events, trained, variables
from waiting import LIMIT, until

JOB = """
name = "digits"

[model]
kind = "mlp"
hidden = [48, 32, 32]

[data]
source = "mnist"
batch = 50

[optimizer]
kind = "adam"
learning_rate = 0.001

[train]
steps = 60
checkpoint_every = 30
evaluate_every = 20
seed = 7
profile_at = 5

[cluster]
strategy = "%s"
workers = 1
threads = 1
%s
"""


def run(binary, strategy, keys, *arguments):
  """What a run has ended with, the measures on its way, its variables and where they were."""
  with tempfile.TemporaryDirectory() as folder:
    job = pathlib.Path(folder) / "job.toml"
    job.write_text(JOB % (strategy, keys))
    result = trained(binary, folder, str(job), *arguments)
    # What follows tells whether the place in the data was saved rightly.
    result = trained(binary, folder, "--resume", result["run"], "--steps", "80")
    driver = "local" if strategy == "local" else "worker-0"
    happened = events(result["run"], driver)
    measured = [(e["step"], e["metrics"]["loss"]) for e in happened if e["kind"] == "evaluated"]
    places = {v["name"]: v["task"] for v in happened[0]["variables"]}
    timeline = json.loads((pathlib.Path(result["run"]) / "timeline.json").read_text())
    return result, measured, variables(result["checkpoint"]), places, timeline


def compare(ours, alone, rtol):
  assert [step for step, _ in ours[1]] == [20, 40, 60, 80], ours[1]
  np.testing.assert_allclose([loss for _, loss in ours[1]], [loss for _, loss in alone[1]], rtol=rtol)
  assert sorted(ours[2]) == sorted(alone[2])
  for name, value in alone[2].items():
    if np.asarray(value).dtype == np.float32:
      np.testing.assert_allclose(ours[2][name], value, rtol=1e-2, atol=1e-3, err_msg=name)


def assert_order(trace, parts, ahead):
  """The worker takes a part backward before so many further parts have gone forward."""
  products = [e for e in trace if e["pid"] == 0 and "MatMul" in e.get("args", {}).get("op", "")]

  def times(scope):
    # Gradients are named `update/backward_0/gradients/micro_batch_0/...`.
    own = [e for e in products if scope in e["args"]["node"].split("/gradients/")[0].split("/")]
    assert own, (scope, [e["args"]["node"] for e in products])
    return min(e["ts"] for e in own), max(e["ts"] + e["dur"] for e in own)

  forward = [times("micro_batch_%d" % part) for part in range(parts)]
  backward = [times("backward_%d" % part) for part in range(parts)]
  for part in range(parts):
    gone = min(part + ahead, parts)
    assert all(forward[m][1] <= backward[part][0] for m in range(gone)), (part, forward, backward)
    assert all(backward[part][1] <= forward[m][0] for m in range(gone, parts)), (part, forward, backward)


def test_a_pipeline_of_processes_learns_what_one_process_learns(binary):
  alone = run(binary, "local", "")
  for keys in ('stages = 2\nschedule = "1f1b"\nmicro_batches = 4', 'stages = 2\nschedule = "gpipe"\nmicro_batches = 3'):
    ours = run(binary, "pipeline", keys)
    compare(ours, alone, 1e-4)
    assert {ours[3]["dense/kernel"], ours[3]["dense/kernel/Adam"]} == {"worker/0"}, ours[3]
    assert {ours[3]["logits/kernel"], ours[3]["logits/kernel/Adam"]} == {"ps/0"}, ours[3]
    # Both processes have multiplied matrices for every part.
    parts = int(keys[-1])
    products = [e["pid"] for e in ours[4]["traceEvents"] if e.get("args", {}).get("op") == "MatMul"]
    assert all(products.count(pid) >= parts for pid in (0, 1)), products
    assert_order(ours[4]["traceEvents"], parts, ahead=2 if "1f1b" in keys else parts)


def test_parts_of_a_model_on_processes_by_their_scopes(binary):
  alone = run(binary, "local", "")
  ours = run(binary, "model_parallel", "parts = { dense = 0, dense_1 = 1, dense_2 = 2, logits = 2 }")
  compare(ours, alone, 1e-5)
  placed = [ours[3][name] for name in ("dense/kernel", "dense_1/kernel", "dense_2/kernel", "logits/bias")]
  assert placed == ["worker/0", "ps/0", "ps/1", "ps/1"], ours[3]


def test_two_pipelines_share_their_variables(binary):
  result, measured, _, places, _ = run(binary, "pipeline", "stages = 2", "--workers", "2")
  assert result["step"] >= 60 and result["metrics"]["accuracy"] > 0.6, result
  assert {task for task in places.values()} == {"ps/0", "ps/1"}, places


def stage_process(run):
  """The process of a run's first server."""
  for place in pathlib.Path("/proc").glob("[0-9]*"):
    try:
      words = (place / "cmdline").read_bytes().split(b"\0")
      config = [line for line in (place / "environ").read_bytes().split(b"\0") if line.startswith(b"TF_CONFIG=")]
    except OSError:
      continue  # it has ended, or is not ours
    if b"train-task" in words and os.fsencode(str(run)) in words and config:
      task = json.loads(config[0][len(b"TF_CONFIG="):])["task"]
      if task["type"] == "ps" and int(task["index"]) == 0:
        return int(place.name)
  return None


def test_a_stage_that_is_killed_comes_back_with_its_variables(binary):
  """The others wait, all go back to the last checkpoint, and the end is as if nothing had happened."""
  job = JOB.replace("steps = 60", "steps = 300").replace("evaluate_every = 20", "evaluate_every = 0")
  with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "job.toml"
    path.write_text(job % ("local", ""))
    alone = trained(binary, folder + "/alone", str(path))
    path.write_text(job % ("pipeline", "stages = 2"))
    run = pathlib.Path(folder) / "cut" / "digits"
    command = [binary, "train", str(path), "--runs", str(run.parent), "--json"]
    training = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
      stage = until(lambda: stage_process(run), "the stage has begun", training)
      # In short pieces, so that training is not over before the first checkpoint is seen: all wait for the stage.
      while not list(run.glob("checkpoints/ckpt-*.index")):
        os.kill(stage, signal.SIGSTOP)
        time.sleep(0.02)
        os.kill(stage, signal.SIGCONT)
        time.sleep(0.02)
        assert training.poll() is None, training.communicate()
      os.kill(stage, signal.SIGKILL)
      out, err = training.communicate(timeout=LIMIT)
    finally:
      training.kill()
    assert training.returncode == 0, (out, err)
    ended = json.loads(out)
    assert ended["step"] == 300, ended
    starts = [event["step"] for event in events(run, "worker-0") if event["kind"] == "started"]
    assert len(starts) == 2 and starts[1] >= 30 and starts[1] % 30 == 0, starts
    theirs, ours = variables(alone["checkpoint"]), variables(ended["checkpoint"])
    for name in ("dense/kernel", "dense_2/kernel", "logits/bias"):
      np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-2, atol=2e-3, err_msg=name)
