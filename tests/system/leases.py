"""Leased data: real workers and a coordinator that are killed, stopped and slowed, that come and go as was measured, and every
example counts once an epoch."""
import gzip
import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import threading
import time

from launch import Mark
from strategies import find, progress, starts, wait_until
from train import events

EXAMPLES = 2000
JOB = """
name = "digits"

[model]
kind = "mlp"
hidden = [%(hidden)d]

[data]
source = "idx"
train = "image=%(folder)s/images,label=%(folder)s/labels"
evaluate = "image=%(folder)s/images,label=%(folder)s/labels"
batch = %(batch)d

[optimizer]
kind = "adagrad"
learning_rate = 0.02

[train]
steps = %(steps)d
checkpoint_every = 500
seed = 7

[cluster]
strategy = "%(strategy)s"
ps = 2
workers = %(workers)d
threads = 1
%(extra)s
"""


def write_data(folder):
  """The first of MNIST's images, as plain IDX files."""
  source = pathlib.Path(__file__).resolve().parents[2] / "data" / "mnist"
  for name, file, row in (("images", "train-images-idx3-ubyte.gz", 784), ("labels", "train-labels-idx1-ubyte.gz", 1)):
    with gzip.open(source / file) as data:
      header = data.read(16 if row > 1 else 8)
      rows = data.read(EXAMPLES * row)
    (pathlib.Path(folder) / name).write_bytes(header[:4] + struct.pack(">I", EXAMPLES) + header[8:] + rows)


def leased_run(binary, disturb, steps, extra="", strategy="downpour", workers=3, hidden=16, batch=20):
  """Trains while `disturb` does harm; what the tasks have said."""
  with tempfile.TemporaryDirectory() as folder:
    write_data(folder)
    job = pathlib.Path(folder) / "job.toml"
    job.write_text(JOB % dict(folder=folder, steps=steps, extra=extra, strategy=strategy, workers=workers, hidden=hidden, batch=batch))
    mark = Mark()
    process = subprocess.Popen([binary, "train", "--runs", folder, "--json", str(job)], env=mark.env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
      wait_until(lambda: min(progress(folder, "worker-%d" % n) for n in range(workers)) > 50, process, "all have begun")
      disturb(folder, mark, process)
      out, err = process.communicate(timeout=300)
      assert process.returncode == 0, (out, err)
      assert json.loads(out)["metrics"]["accuracy"] > 0.6, out
      run = pathlib.Path(folder) / "digits"
      return {path.stem: events(run, path.stem) for path in (run / "tasks").glob("*.jsonl")}
    finally:
      process.kill()
      process.wait()
      mark.assert_gone()


class Slow(threading.Thread):
  """Lets processes run for a tenth of the time."""

  def __init__(self, *pids):
    super().__init__(daemon=True)
    self.pids, self.over = pids, threading.Event()

  def run(self):
    while not self.over.is_set():
      self.signal(signal.SIGSTOP)
      time.sleep(0.27)
      self.signal(signal.SIGCONT)
      time.sleep(0.03)

  def signal(self, number):
    for pid in self.pids:
      try:
        os.kill(pid, number)
      except ProcessLookupError:
        pass

  def __enter__(self):
    self.start()

  def __exit__(self, *_):
    self.over.set()
    self.join()
    self.signal(signal.SIGCONT)


def log(folder):
  return (pathlib.Path(folder) / "digits" / "logs" / "downpour.log").read_text()


def finished(folder, task):
  return '"kind":"finished"' in (pathlib.Path(folder) / "digits" / "tasks" / (task + ".jsonl")).read_text()


def check_every_example_counts_once(found):
  for server in ("ps-0", "ps-1"):
    served = [event for event in found[server] if event["kind"] == "served"][-1]["books"]
    epochs = dict(served["data_epochs"])
    # The coordinator has at most three epochs under way.
    under_way = [epoch for epoch in range(max(epochs) + 1) if epochs.get(epoch, 0) != EXAMPLES]
    assert len(under_way) <= 3 and len(epochs) - len(under_way) >= 3, epochs
    # Nothing was applied twice: as many examples were in updates as there are different ones.
    assert served["examples"] == sum(epochs.values()), served


def leases(found, task):
  """What became of a worker's leases, over all its lives."""
  total = {}
  last = None
  for event in found[task] + [{"kind": "started"}]:
    if event["kind"] == "progress":
      last = event["leases"]
    if event["kind"] == "started" and last:
      total = {key: total.get(key, 0) + value for key, value in last.items()}
      last = None
  return total


def test_leases_survive_the_death_of_a_worker_and_of_the_coordinator(binary):
  def kill(folder, mark, process):
    os.kill(find(mark, "worker/1"), signal.SIGKILL)
    at = progress(folder, "worker-0")
    wait_until(lambda: progress(folder, "worker-0") > at + 100, process, "the others go on")
    os.kill(find(mark, "coordinator/0"), signal.SIGKILL)

  found = leased_run(binary, kill, steps=1500)
  check_every_example_counts_once(found)
  assert [event["restarts"] for event in starts(found, "worker-1")] == [0, 1], starts(found, "worker-1")
  assert [event["restarts"] for event in starts(found, "coordinator-0")] == [0, 1], starts(found, "coordinator-0")
  # Nobody's session was lost with the coordinator, and what the dead one had was done by somebody.
  assert len(starts(found, "worker-0")) == 1 and len(starts(found, "worker-2")) == 1, found["worker-0"]
  assert sum(leases(found, "worker-%d" % n).get("returned", 0) for n in range(3)) >= 1, leases(found, "worker-0")


def test_a_slow_worker_gets_less_and_a_paused_one_is_refused_and_joins_again(binary):
  def stop(folder, mark, process):
    slow, paused = find(mark, "worker/1"), find(mark, "worker/2")
    os.kill(paused, signal.SIGSTOP)
    begun = time.time()
    try:
      # Longer than the coordinator waits for it.
      while time.time() - begun < 2.5:
        os.kill(slow, signal.SIGSTOP)
        time.sleep(0.2)
        os.kill(slow, signal.SIGCONT)
        time.sleep(0.05)
    finally:
      os.kill(paused, signal.SIGCONT)
    at = lambda: max(progress(folder, "worker-%d" % n) for n in range(3))
    wait_until(lambda: lost(folder) >= 1, process, "the paused worker hears that it was given up")
    while process.poll() is None and at() < 2000:
      os.kill(slow, signal.SIGSTOP)
      time.sleep(0.2)
      os.kill(slow, signal.SIGCONT)
      time.sleep(0.05)

  def lost(folder):
    path = pathlib.Path(folder) / "digits" / "tasks" / "worker-2.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return max([event["leases"]["fenced"] for event in lines if event["kind"] == "progress"] + [0])

  found = leased_run(binary, stop, steps=2000, extra="silence = 1.0\n")
  check_every_example_counts_once(found)
  counts = {n: leases(found, "worker-%d" % n) for n in range(3)}
  assert counts[1]["examples"] < counts[0]["examples"], counts
  # It was refused, its leases went to others, and it has worked on since.
  assert counts[2]["fenced"] >= 1 and sum(counts[n]["returned"] for n in range(3)) >= 1, counts
  assert all(start["restarts"] == 0 for start in starts(found, "worker-2")) and counts[2]["taken"] > counts[2]["lost"], counts


def decide(folder, add, worker):
  """What the coordinator would write down."""
  line = {"kind": "decided", "time": time.time(), "add": add, "worker": worker, "why": "the test wants it so"}
  with open(pathlib.Path(folder) / "digits" / "tasks" / "coordinator-0.jsonl", "a") as journal:
    journal.write(json.dumps(line) + "\n")


def test_workers_come_and_go_as_the_coordinator_decides(binary):
  def change(folder, mark, process):
    decide(folder, True, "")
    decide(folder, True, "")  # There is room for one.
    wait_until(lambda: progress(folder, "worker-3") > 0, process, "another worker trains")
    decide(folder, False, "worker/3")
    wait_until(lambda: finished(folder, "worker-3"), process, "it has ended")

  found = leased_run(binary, change, steps=2500, extra="max_workers = 4\nelastic_after = 1000.0\n")
  check_every_example_counts_once(found)
  assert found["worker-3"][-1]["reason"] == "stopped by a signal", found["worker-3"][-1]
  assert leases(found, "worker-3")["examples"] > 0, leases(found, "worker-3")
  assert "worker-4" not in found and len(starts(found, "worker-3")) == 1, sorted(found)


def test_a_worker_that_all_wait_for_is_replaced_as_was_measured(binary):
  def slow_one(folder, mark, process):
    with Slow(find(mark, "worker/1")):
      wait_until(lambda: progress(folder, "worker-3") > 0, process, "another takes its place, and trains")
      assert "starting worker/3 for worker/1: worker/1 makes 0." in log(folder), log(folder)
      wait_until(lambda: finished(folder, "worker-1"), process, "the slow one has ended")

  found = leased_run(binary, slow_one, steps=1200, extra="leases = true\nmax_workers = 4\nelastic_after = 1.0\n", strategy="synchronous",
                     hidden=128, batch=100)
  check_every_example_counts_once(found)
  decided = [event for event in found["coordinator-0"] if event["kind"] == "decided"][0]
  assert decided["add"] and decided["worker"] == "worker/1", decided
  assert "of the median pace and all wait for it" in decided["why"] and "replace it" in decided["why"], decided
  # It may take the place of another later.
  ended = [event for event in found["worker-1"] if event["kind"] == "finished"][0]
  assert ended["reason"] == "stopped by a signal", ended
  assert leases(found, "worker-3")["completed"] > 0, leases(found, "worker-3")


def test_workers_are_added_while_all_are_busy_and_dropped_when_all_wait_for_servers(binary):
  def let_wait(folder, mark, process):
    wait_until(lambda: progress(folder, "worker-1") > 0, process, "another worker is added, and trains")
    assert "starting worker/1: members wait only 0." in log(folder), log(folder)
    with Slow(find(mark, "ps/0"), find(mark, "ps/1")):
      wait_until(lambda: finished(folder, "worker-1"), process, "one worker ends")
    assert "ending worker/1: members wait " in log(folder), log(folder)

  found = leased_run(binary, let_wait, steps=2500, extra="max_workers = 2\nelastic_after = 1.0\nfetch_every = 4\npush_every = 4\n",
                     workers=1, hidden=128, batch=100)
  check_every_example_counts_once(found)
  decided = [event for event in found["coordinator-0"] if event["kind"] == "decided"]
  assert decided[0]["add"] and not decided[0]["worker"] and "there is data left" in decided[0]["why"], decided
  dropped = [event for event in decided if event["worker"] == "worker/1"]
  assert dropped and not dropped[0]["add"] and "of their time: fewer would be as quick" in dropped[0]["why"], decided
  assert leases(found, "worker-1")["examples"] > 0, leases(found, "worker-1")


def test_a_worker_that_does_not_end_when_it_is_asked_to_is_killed_and_missed_by_nobody(binary):
  def hang(folder, mark, process):
    os.kill(find(mark, "worker/2"), signal.SIGSTOP)
    decide(folder, False, "worker/0")  # The first stays.
    decide(folder, False, "worker/2")
    decide(folder, False, "worker/1")  # There are as few as there may be.
    wait_until(lambda: "worker/2 has not ended: killing it" in log(folder), process, "it is killed")
    assert "'worker/0' stays" in log(folder) and "no fewer than 2 workers" in log(folder), log(folder)

  found = leased_run(binary, hang, steps=1500, extra="min_workers = 2\nelastic_after = 1000.0\n")
  check_every_example_counts_once(found)
  assert [len(starts(found, "worker-%d" % n)) for n in range(3)] == [1, 1, 1], found["worker-2"]
  assert not any(event["kind"] == "finished" for event in found["worker-2"]), found["worker-2"]
