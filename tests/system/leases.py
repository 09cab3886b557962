"""Leased data: real workers and a coordinator that are killed, stopped and slowed, that come and go as was measured, and every
example counts once an epoch."""
import gzip
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import threading
import time

from launch import Mark
from strategies import begun, find, progress, starts, stop, wait_until
from train import events, told
from waiting import until

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


def leased_run(binary, disturb, extra="", strategy="downpour", workers=3, hidden=16, batch=20):
  """Trains while `disturb` does harm, and for some epochs after it; what the tasks have said. The run has no last step, so
  that it is never over before the harm is done."""
  with tempfile.TemporaryDirectory() as folder:
    write_data(folder)
    job = pathlib.Path(folder) / "job.toml"
    job.write_text(JOB % dict(folder=folder, steps=10_000_000, extra=extra, strategy=strategy, workers=workers, hidden=hidden, batch=batch))
    mark = Mark()
    process = subprocess.Popen([binary, "train", "--runs", folder, "--json", str(job)], env=mark.env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
      wait_until(lambda: min(progress(folder, "worker-%d" % n) for n in range(workers)) > 50, process, "all have begun")
      disturb(folder, mark, process)
      run = pathlib.Path(folder) / "digits"
      steps = lambda: max(progress(folder, "worker-%d" % n) for n in range(workers))
      until(lambda: whole_epochs(run) >= 6, "every example was in six epochs", process, moving=steps)
      assert stop(process)["metrics"]["accuracy"] > 0.6
      return {path.stem: events(run, path.stem) for path in (run / "tasks").glob("*.jsonl")}
    finally:
      process.kill()
      process.wait()
      mark.assert_gone()


def whole_epochs(run):
  """How many epochs are complete on both servers, as far as they have told."""
  served = [[event["books"] for event in told(run, server, "served") if event.get("books")] for server in ("ps-0", "ps-1")]
  return min(sum(count == EXAMPLES for _, count in books[-1]["data_epochs"]) if books else 0 for books in served)


class Slow(threading.Thread):
  """Lets processes run for a tenth of the time, or as told in seconds."""

  def __init__(self, *pids, stopped=0.27, running=0.03):
    super().__init__(daemon=True)
    self.pids, self.stopped, self.running, self.over = pids, stopped, running, threading.Event()

  def run(self):
    while not self.over.is_set():
      self.signal(signal.SIGSTOP)
      time.sleep(self.stopped)
      self.signal(signal.SIGCONT)
      time.sleep(self.running)

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


def lives(lines, what):
  """The last that each life of a task has told: counters of steps begin anew with each."""
  ends = [one for one, following in zip(lines, lines[1:] + [{"steps": 0}]) if following["steps"] < one["steps"]]
  return [one[what] for one in ends]


def leases(found, task):
  """What became of a worker's leases, over all its lives."""
  counts = lives([event for event in found[task] if event["kind"] == "progress"], "leases")
  return {key: sum(one[key] for one in counts) for key in counts[0]} if counts else {}


def test_leases_survive_the_death_of_a_worker_and_of_the_coordinator(binary):
  def kill(folder, mark, process):
    os.kill(find(mark, "worker/1"), signal.SIGKILL)
    at = progress(folder, "worker-0")
    wait_until(lambda: progress(folder, "worker-0") > at + 100, process, "the others go on")
    wait_until(lambda: begun(folder, "worker-1") == 2, process, "the worker is started again")
    os.kill(find(mark, "coordinator/0"), signal.SIGKILL)
    wait_until(lambda: begun(folder, "coordinator-0") == 2, process, "the coordinator is started again")

  found = leased_run(binary, kill)
  check_every_example_counts_once(found)
  assert [event["restarts"] for event in starts(found, "worker-1")] == [0, 1], starts(found, "worker-1")
  assert [event["restarts"] for event in starts(found, "coordinator-0")] == [0, 1], starts(found, "coordinator-0")
  # Nobody's session was lost with the coordinator.
  assert len(starts(found, "worker-0")) == 1 and len(starts(found, "worker-2")) == 1, found["worker-0"]


def test_a_slow_worker_gets_less_and_a_paused_one_is_refused_and_joins_again(binary):
  def disturb(folder, mark, process):
    run = pathlib.Path(folder) / "digits"
    count = lambda task, what: sum(one[what] for one in lives(told(run, task, "progress"), "leases"))
    members = lambda: [event["members"] for event in told(run, "coordinator-0", "leased")][-1:]
    # The coordinator tells once a second.
    wait_until(lambda: members() and "worker/2" in members()[0], process, "the coordinator tells who takes part")
    with Slow(find(mark, "worker/1"), stopped=0.2, running=0.05):
      before = [count("worker-%d" % n, "examples") for n in range(2)]
      paused = find(mark, "worker/2")
      os.kill(paused, signal.SIGSTOP)
      try:
        wait_until(lambda: "worker/2" not in members()[0], process, "the paused worker is given up")
      finally:
        os.kill(paused, signal.SIGCONT)
      wait_until(lambda: count("worker-2", "fenced") >= 1, process, "the paused worker hears that it was given up")
      done = count("worker-2", "completed")
      wait_until(lambda: count("worker-2", "completed") > done, process, "it works on")
      gained = lambda n: count("worker-%d" % n, "examples") - before[n]
      wait_until(lambda: gained(1) < gained(0) / 2, process, "the slow worker gets less")

  found = leased_run(binary, disturb, extra="silence = 1.0\n")
  check_every_example_counts_once(found)
  # It is the same process, which has joined again.
  assert all(start["restarts"] == 0 for start in starts(found, "worker-2")), starts(found, "worker-2")


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

  found = leased_run(binary, change, extra="max_workers = 4\nelastic_after = 1000.0\n")
  check_every_example_counts_once(found)
  assert found["worker-3"][-1]["reason"] == "stopped by a signal", found["worker-3"][-1]
  assert leases(found, "worker-3")["examples"] > 0, leases(found, "worker-3")
  assert "worker-4" not in found and len(starts(found, "worker-3")) == 1, sorted(found)


def test_a_worker_that_all_wait_for_is_replaced_as_was_measured(binary):
  def slow_one(folder, mark, process):
    with Slow(find(mark, "worker/1")):
      # On a busy machine another may seem slow before, and be replaced first.
      started = lambda: re.search(r"starting worker/(\d) for worker/1: worker/1 makes 0\.", log(folder))
      wait_until(started, process, "another takes its place")
      replaced_by.append("worker-" + started()[1])
      lines = lambda: len(told(pathlib.Path(folder) / "digits", replaced_by[0], "progress"))
      before = lines()
      wait_until(lambda: lines() > before + 1, process, "it trains")
      wait_until(lambda: finished(folder, "worker-1"), process, "the slow one has ended")

  replaced_by = []
  found = leased_run(binary, slow_one, extra="leases = true\nmax_workers = 4\nelastic_after = 1.0\n", strategy="synchronous",
                     hidden=128, batch=100)
  check_every_example_counts_once(found)
  decided = [event for event in found["coordinator-0"] if event["kind"] == "decided" and event["worker"] == "worker/1"][0]
  assert decided["add"], decided
  assert "of the median pace and all wait for it" in decided["why"] and "replace it" in decided["why"], decided
  # It may take the place of another later.
  ended = [event for event in found["worker-1"] if event["kind"] == "finished"][0]
  assert ended["reason"] == "stopped by a signal", ended
  assert leases(found, replaced_by[0])["completed"] > 0, leases(found, replaced_by[0])


def test_workers_are_added_while_all_are_busy_and_dropped_when_all_wait_for_servers(binary):
  def let_wait(folder, mark, process):
    wait_until(lambda: progress(folder, "worker-1") > 0, process, "another worker is added, and trains")
    assert "starting worker/1: members wait only 0." in log(folder), log(folder)
    # Stopped for much longer than workers compute between two pushes.
    with Slow(find(mark, "ps/0"), find(mark, "ps/1"), stopped=3.0):
      wait_until(lambda: finished(folder, "worker-1"), process, "one worker ends")
    assert "ending worker/1: members wait " in log(folder), log(folder)

  # Workers that push seldom wait little, also for servers that a busy machine lets run late.
  found = leased_run(binary, let_wait, extra="max_workers = 2\nelastic_after = 1.0\nfetch_every = 10\npush_every = 10\n",
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

  found = leased_run(binary, hang, extra="min_workers = 2\nelastic_after = 1000.0\n")
  check_every_example_counts_once(found)
  assert [len(starts(found, "worker-%d" % n)) for n in range(3)] == [1, 1, 1], found["worker-2"]
  assert not any(event["kind"] == "finished" for event in found["worker-2"]), found["worker-2"]
