"""Models in parts: `downpour train` on several processes gives what one process gives."""
import json
import pathlib
import tempfile

import numpy as np

from train import events, trained, variables

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
strategy = "local"
workers = 1
threads = 1
%s
"""


def run(binary, strategy, keys, *arguments):
  """What a run has ended with, the measures on its way, its variables and where they were."""
  with tempfile.TemporaryDirectory() as folder:
    job = pathlib.Path(folder) / "job.toml"
    job.write_text(JOB % keys)
    result = trained(binary, folder, str(job), "--strategy", strategy, *arguments)
    driver = "local" if strategy == "local" else "worker-0"
    happened = events(result["run"], driver)
    measured = [(e["step"], e["metrics"]["loss"]) for e in happened if e["kind"] == "evaluated"]
    places = {v["name"]: v["task"] for v in happened[0]["variables"]}
    timeline = json.loads((pathlib.Path(result["run"]) / "timeline.json").read_text())
    return result, measured, variables(result["checkpoint"]), places, timeline


def compare(ours, alone, rtol):
  assert [step for step, _ in ours[1]] == [20, 40, 60], ours[1]
  np.testing.assert_allclose([loss for _, loss in ours[1]], [loss for _, loss in alone[1]], rtol=rtol)
  assert sorted(ours[2]) == sorted(alone[2])
  for name, value in alone[2].items():
    if np.asarray(value).dtype == np.float32:
      np.testing.assert_allclose(ours[2][name], value, rtol=1e-2, atol=1e-3, err_msg=name)
  assert ours[2]["data_position/worker_0"] == alone[2]["data_position/worker_0"]


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
