"""Variables that move between parameter servers while training goes on: real processes, one of them killed."""
import os
import pathlib
import signal
import subprocess
import tempfile

from launch import Mark
from strategies import find, stop, wait_until
from train import events, told, variables
from waiting import until


def job(folder):
  """A large table of which few rows are hot, and small matrices that cost more: by bytes those are all on the other server."""
  ready = pathlib.Path(__file__).parents[2] / "crates/cli/jobs/adult-wide-and-deep.toml"
  text = ready.read_text().replace("native-country = { buckets = 200 }", "native-country = { buckets = 60000, embedding = 16 }")
  text = text.replace("hidden = [100, 50]", "hidden = [300, 200, 200]")
  cluster = 'strategy = "synchronous"\nps = 2\nthreads = 1\nsplit_above_mib = 1000\nsnapshot_every = 0.5\nrebalance = 0.3'
  text = text.replace('strategy = "asynchronous"\nps = 1', cluster)
  path = pathlib.Path(folder) / "job.toml"
  path.write_text(text)
  return str(path)


def test_variables_move_and_a_server_that_dies_then_comes_back_with_them(binary):
  with tempfile.TemporaryDirectory() as folder:
    mark = Mark()
    # Without an end: how soon something moves depends on what is measured.
    process = subprocess.Popen([binary, "train", "--runs", folder, "--json", "--steps", "10000000", job(folder)], env=mark.env,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run = pathlib.Path(folder) / "adult-wide-and-deep"
    try:
      wait_until(lambda: told(run, "worker-0", "moved"), process, "something has moved")
      moved = told(run, "worker-0", "moved")[0]
      assert moved["layout"] == 1 and moved["moved"] and "times the mean" in moved["why"], moved
      # The server that has got something.
      server = moved["moved"][0].rsplit(" to ", 1)[1]
      # The next cut may have begun before the move.
      newest = lambda: max((int(file.name.rsplit("-", 1)[1]) for file in (run / "servers").glob(server.replace("/", "-") + ".cut-*")), default=0)
      before = newest()
      wait_until(lambda: newest() > before + 1, process, "the server has a cut after the move")
      os.kill(find(mark, server), signal.SIGKILL)
      wait_until(lambda: len(told(run, server, "started")) == 2, process, "the server is started again")
      steps = lambda: max(event["step"] for event in told(run, "worker-0", "progress"))
      before = steps()
      until(lambda: steps() > max(before + 50, 250), "training goes on", process, moving=steps)
      result = stop(process)
      assert result["metrics"]["auc"] > 0.8, result
      starts = told(run, server, "started")
      assert [start["restarts"] for start in starts] == [0, 1], starts
      warned = [event["text"] for event in told(run, "ps/0", "warned")]
      assert len(warned) == 1 and server + " at" in warned[0] and "have gone back to update" in warned[0], warned
      first, last = ({v["name"]: v["task"] for v in start["variables"]} for start in (events(run, "worker-0")[0], told(run, "worker-0", "started")[-1]))
      assert first != last, first
      shapes = {getattr(value, "shape", ()) for value in variables(result["checkpoint"]).values()}
      assert (60000, 16) in shapes, shapes
    finally:
      process.kill()
      process.wait()
      mark.assert_gone()
