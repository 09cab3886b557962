"""Every way to train: real processes that learn, are killed, and go on."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from launch import Mark, processes
from train import events, told, trained, variables, write_job
from waiting import LIMIT, until


def job(folder, strategy, extra="", **values):
  path = pathlib.Path(write_job(folder, strategy=strategy, **values))
  path.write_text(path.read_text() + extra)
  return str(path)


def check(binary, strategy, extra="", **values):
  with tempfile.TemporaryDirectory() as folder:
    batch = values.pop("batch", 32)
    result = trained(binary, folder, job(folder, strategy, extra, **values), "--batch", str(batch))
    assert result["metrics"]["accuracy"] > 0.7, result
    return result


def test_downpour_sgd_learns(binary):
  assert check(binary, "downpour", steps=120)["step"] >= 120
  check(binary, "downpour", "fetch_every = 3\npush_every = 2\nwarm_start = 20\n", steps=150)


def test_synchronous_training_with_a_backup_learns(binary):
  check(binary, "synchronous", "backups = 1\n", steps=120)


def test_bounded_staleness_learns(binary):
  check(binary, "bounded", "staleness = 2\n", steps=80)


def test_replicas_of_one_process_learn(binary):
  result = check(binary, "mirrored", "replicas = 3\n", steps=80)
  assert result["step"] == 80, result


def test_all_reduce_learns(binary):
  result = check(binary, "all_reduce", steps=80)
  assert result["step"] == 80, result


def test_sandblaster_learns(binary):
  result = check(binary, "sandblaster", steps=8, batch=500)
  assert result["step"] == 8, result


def test_hybrid_training_of_large_tables_learns(binary):
  """Tables that are taken by rows, cut over two servers, and whole in the checkpoint."""
  ready = pathlib.Path(__file__).parents[2] / "crates/cli/jobs/adult-wide-and-deep.toml"
  text = ready.read_text().replace('native-country = { buckets = 200 }', 'native-country = { buckets = 9000, embedding = 4 }')
  text = text.replace('columns = ["native-country", "occupation"]\nbuckets = 1000', 'columns = ["native-country", "occupation"]\nbuckets = 30000')
  text = text.replace('strategy = "asynchronous"\nps = 1', 'strategy = "hybrid"\nps = 2\nthreads = 1\nsplit_above_mib = 0')
  with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "job.toml"
    path.write_text(text)
    result = trained(binary, folder, str(path), "--steps", "150")
    assert result["step"] == 150 and result["metrics"]["auc"] > 0.8, result
    placed = [v for event in events(result["run"], "worker-0") if event["kind"] == "started" for v in event["variables"]]
    held = [sum(v["bytes"] for v in placed if v["task"] == "ps/%d" % server) for server in range(2)]
    assert abs(held[0] - held[1]) < 0.05 * sum(held), placed
    shapes = {getattr(value, "shape", ()) for value in variables(result["checkpoint"]).values()}
    assert (9000, 4) in shapes, shapes


def test_compressed_gradients_learn(binary):
  check(binary, "synchronous", 'compression = "int8"\n', steps=80)
  check(binary, "all_reduce", 'compression = "top-k:0.2"\n', steps=80)


def task_of(pid):
  environment = (pathlib.Path("/proc") / str(pid) / "environ").read_bytes().split(b"\0")
  for entry in environment:
    if entry.startswith(b"TF_CONFIG="):
      task = json.loads(entry[len(b"TF_CONFIG="):])["task"]
      return "%s/%s" % (task["type"], task["index"])
  return None


def find(mark, task):
  for pid in processes(mark.text):
    try:
      if task_of(pid) == task:
        return pid
    except OSError:
      pass
  raise AssertionError("no process is %s" % task)


def progress(folder, task):
  path = pathlib.Path(folder) / "digits" / "tasks" / (task + ".jsonl")
  if not path.exists():
    return -1
  steps = [-1]
  for line in path.read_text().splitlines():
    try:
      event = json.loads(line)
    except ValueError:
      continue
    if event["kind"] == "progress":
      steps.append(event["step"])
  return max(steps)


def wait_until(condition, process, what):
  until(condition, what, process)


def stop(process):
  """Ends a run that has no last step, as Ctrl-C does; what it says at its end."""
  process.terminate()
  out, err = process.communicate(timeout=LIMIT)
  assert process.returncode == 143, (process.returncode, out, err)
  return json.loads(out)


def begun(folder, task):
  """How often a task has begun, as far as it has told."""
  return len(told(pathlib.Path(folder) / "digits", task, "started"))


def kill_in_the_middle(binary, strategy, task, ready, extra="snapshot_every = 0.5\n"):
  """Kills a task when `ready`, lets all go on, and returns what the tasks have told. The run has no last step, so that
  it is never over too soon; resumed, it goes to its end."""
  with tempfile.TemporaryDirectory() as folder:
    mark = Mark()
    path = job(folder, strategy, extra, steps=10_000_000, checkpoint_every=200)
    process = subprocess.Popen([binary, "train", "--runs", folder, "--json", path], env=mark.env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
      # On a busy machine the chief may have trained for a while before another task has begun.
      until(lambda: progress(folder, "worker-0") > 50 and begun(folder, task) == 1 and ready(folder), "training goes on", process)
      os.kill(find(mark, task), signal.SIGKILL)
      until(lambda: begun(folder, task) == 2, "%s is started again" % task, process)
      for worker in ("worker-0", "worker-1"):
        lines = lambda: len(told(pathlib.Path(folder) / "digits", worker, "progress"))
        before = lines()
        # A line may have been under way.
        until(lambda: lines() > before + 1, "%s goes on" % worker, process)
      steps = lambda: progress(folder, "worker-0")
      until(lambda: steps() > 400, "the model is good", process, moving=steps)
      result = stop(process)
      run = pathlib.Path(folder) / "digits"
      found = {path.stem: events(run, path.stem) for path in (run / "tasks").glob("*.jsonl")}
      last = str(result["step"] + 20)
      ended = trained(binary, folder, "--resume", str(run), "--steps", last)
      assert ended["step"] >= int(last) and ended["metrics"]["accuracy"] > 0.8, ended
      return found
    finally:
      process.kill()
      process.wait()
      mark.assert_gone()


def test_sandblaster_whose_chief_is_killed_keeps_its_history(binary):
  with tempfile.TemporaryDirectory() as folder:
    mark = Mark()
    path = job(folder, "sandblaster", steps=10_000_000, checkpoint_every=1000)
    process = subprocess.Popen([binary, "train", "--runs", folder, "--json", "--batch", "500", path], env=mark.env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    state = pathlib.Path(folder) / "digits" / "servers" / "sandblaster.json"
    saved = lambda: json.loads(state.read_text())["state"] if state.exists() else {"iterations": 0, "slots": []}
    try:
      until(lambda: saved()["iterations"] >= 4, "the first iterations", process)
      os.kill(find(mark, "worker/0"), signal.SIGKILL)
      before = saved()
      assert before["slots"], before
      until(lambda: begun(folder, "worker-0") == 2, "the chief is started again", process)
      until(lambda: saved()["iterations"] >= before["iterations"] + 4, "further iterations", process)
      # Counted on from what was saved, not begun anew.
      counts = [event["step"] for event in told(pathlib.Path(folder) / "digits", "worker-0", "started")]
      assert counts[1] > 0 and len(saved()["slots"]) > 4, (counts, saved())
      stop(process)
    finally:
      process.kill()
      process.wait()
      mark.assert_gone()


def starts(found, task):
  return [event for event in found[task] if event["kind"] == "started"]


def snapshot_is_there(folder):
  return any((pathlib.Path(folder) / "digits" / "servers").glob("ps-0.cut-*"))


def test_a_parameter_server_that_is_killed_goes_on_from_its_snapshot(binary):
  found = kill_in_the_middle(binary, "downpour", "ps/0", snapshot_is_there)
  assert [event["restarts"] for event in starts(found, "ps-0")] == [0, 1], starts(found, "ps-0")
  # All servers have gone back to one update, and said so; the workers' processes were not started again.
  warned = [event["text"] for event in found["ps-0"] if event["kind"] == "warned"]
  assert len(warned) == 1 and "ps/0 at" in warned[0] and "have gone back to update" in warned[0], warned
  for worker in ("worker-0", "worker-1"):
    assert all(event["restarts"] == 0 for event in starts(found, worker)), starts(found, worker)


def test_a_parameter_server_of_synchronous_training_is_killed(binary):
  found = kill_in_the_middle(binary, "synchronous", "ps/1", snapshot_is_there)
  assert len(starts(found, "ps-1")) == 2, starts(found, "ps-1")


def test_a_worker_that_is_killed_joins_again(binary):
  for strategy in ("downpour", "synchronous"):
    found = kill_in_the_middle(binary, strategy, "worker/1", lambda _: True)
    assert [event["restarts"] for event in starts(found, "worker-1")] == [0, 1], strategy
    assert len(starts(found, "worker-0")) == 1, strategy


def test_a_worker_of_all_reduce_that_is_killed_comes_back_to_the_others(binary):
  found = kill_in_the_middle(binary, "all_reduce", "worker/1", lambda _: True, extra="")
  begun = [event["step"] for event in starts(found, "worker-0")]
  # The survivor has kept what it had: it does not go back to the last checkpoint.
  assert len(begun) == 2 and begun[1] > 50, begun
