"""Tasks of every way to train that are stopped, continued and killed: who is given up, who comes back, what is lost.

Runs have no last step: each is ended when it has gone through everything, so that nothing depends on how fast it is.
"""
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from launch import Mark
from strategies import find, job
from train import events, told, train
from waiting import LIMIT, until

# Seconds after which servers give up a worker here.
SILENCE = 2
MNIST = pathlib.Path(__file__).resolve().parents[2] / "data" / "mnist"


def few_digits(folder):
  """Some of MNIST's examples, so that tasks are up soon and Sandblaster's steps are short."""
  for name, examples in (("train", 4000), ("t10k", 1000)):
    for kind, head, size in (("images-idx3", 16, 784), ("labels-idx1", 8, 1)):
      file = "%s-%s-ubyte.gz" % (name, kind)
      with gzip.open(MNIST / file) as whole:
        part = bytearray(whole.read(head + examples * size))
      part[4:8] = examples.to_bytes(4, "big")
      with gzip.open(pathlib.Path(folder) / file, "wb", compresslevel=1) as out:
        out.write(part)


class Training:
  """A run of `downpour train` whose tasks can be stopped, continued and killed."""

  def __init__(self, binary, strategy, extra="", workers=2, arguments=(), environment=None, **values):
    self.folder = tempfile.mkdtemp()
    self.run = pathlib.Path(self.folder) / "digits"
    self.mark = Mark()
    extra += "max_restarts = 20\n"
    settings = dict(steps=10_000_000, checkpoint_every=10_000_000)
    settings.update(values)
    path = pathlib.Path(job(self.folder, strategy, extra, **settings))
    few_digits(self.folder)
    path.write_text(path.read_text().replace('source = "mnist"', 'source = "mnist"\nfolder = "%s"' % self.folder))
    self.process = subprocess.Popen(
        [binary, "train", "--runs", self.folder, "--json", "--workers", str(workers), *arguments, str(path)],
        env={**self.mark.env, **(environment or {})}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

  def __enter__(self):
    return self

  def __exit__(self, kind, *_):
    if kind is not None:
      for log in sorted((self.run / "logs").glob("*")):
        print("--- %s\n%s" % (log.name, log.read_text()[-3000:]))
    self.process.kill()
    self.process.communicate()
    self.mark.assert_gone()
    shutil.rmtree(self.folder)

  def until(self, condition, what):
    until(condition, what, self.process)

  def told(self, task, kind):
    return told(self.run, task, kind)

  def log(self, task):
    path = self.run / "logs" / (task.replace("/", "-") + ".log")
    return path.read_text() if path.exists() else ""

  def step(self, task="worker/0"):
    return max((event["step"] for event in self.told(task, "progress")), default=-1)

  def starts(self, task):
    return len(self.told(task, "started"))

  def advances(self, *tasks):
    """Each of them trains on from here."""
    before = {task: len(self.told(task, "progress")) for task in tasks}
    for task in tasks:
      # The line that comes next may have been under way.
      self.until(lambda: len(self.told(task, "progress")) > before[task] + 1, "%s goes on" % task)

  def signal(self, number, *tasks):
    found = [find(self.mark, task) for task in tasks]
    for pid in found:
      os.kill(pid, number)

  def stop(self, *tasks):
    self.signal(signal.SIGSTOP, *tasks)

  def go_on(self, *tasks):
    self.signal(signal.SIGCONT, *tasks)

  def kill(self, *tasks):
    self.signal(signal.SIGKILL, *tasks)

  def given_up(self, worker, servers=2):
    text = "worker %d was silent" % worker
    return min(self.log("ps/%d" % server).count(text) for server in range(servers))

  def stop_until_given_up(self, worker, others):
    """Stops a worker until the servers have given it up, and the others have gone on without it."""
    task = "worker/%d" % worker
    before, lives = self.given_up(worker), self.starts(task)
    self.stop(task)
    self.until(lambda: self.given_up(worker) > before, "%s is given up" % task)
    self.advances(*others)
    self.go_on(task)
    self.until(lambda: self.starts(task) > lives, "%s joins again" % task)
    self.advances(task)

  def stop_for_a_while(self, task, workers, seconds=SILENCE + 1):
    """Stops a task that all need: training stands still, nobody is given up or begins again, and it goes on."""
    lives = {worker: self.starts(worker) for worker in workers}
    gone = [self.given_up(worker) for worker in range(len(workers))]
    self.stop(task)

    def stands_still():
      # What is under way may end; after that nobody tells of anything.
      before = [len(self.told(worker, "progress")) for worker in workers]
      time.sleep(seconds)
      return before == [len(self.told(worker, "progress")) for worker in workers]
    self.until(stands_still, "training stands still without %s" % task)
    self.go_on(task)
    self.advances(*workers)
    assert lives == {worker: self.starts(worker) for worker in workers}, "somebody has begun again"
    assert gone == [self.given_up(worker) for worker in range(len(workers))], "somebody was given up"

  def kill_and_recover(self, *tasks, workers):
    """Kills tasks at once; all of them come back, and the workers go on."""
    lives = {task: self.starts(task) for task in tasks}
    self.kill(*tasks)
    for task in tasks:
      self.until(lambda: self.starts(task) > lives[task], "%s is started again" % task)
    self.advances(*workers)

  def has_learned(self):
    """Whether the loss of the chief's last steps is that of a good model."""
    losses = [event["loss"] for event in self.told("worker/0", "progress")][-3:]
    return len(losses) == 3 and all(loss is not None and loss < 0.7 for loss in losses)

  def end(self):
    """Ends the run when the model is good, which it becomes whatever was done to its tasks; what its servers have counted and
    how many updates of its workers were used, by server."""
    self.until(self.has_learned, "the model has learned")
    self.process.terminate()
    out, err = self.process.communicate(timeout=LIMIT)
    assert self.process.returncode == 143, (self.process.returncode, out, err)
    result = json.loads(out)
    assert result["metrics"]["accuracy"] > 0.7, result
    tasks = sorted(path.stem for path in (self.run / "tasks").glob("*.jsonl"))
    last = {task: {event["kind"]: event for event in events(self.run, task)} for task in tasks}
    failed = {task: kinds["finished"]["reason"] for task, kinds in last.items() if kinds["finished"]["failed"]}
    assert not failed, failed
    served = [kinds["served"]["books"] for task, kinds in last.items() if task.startswith("ps-")]
    used = [kinds["pushed"]["used"] for task, kinds in last.items() if "pushed" in kinds]
    return served, [list(of_server) for of_server in zip(*used)]


def test_a_silence_nobody_could_keep_is_refused(binary):
  with tempfile.TemporaryDirectory() as folder:
    for strategy, silence, why in (("downpour", 0.1, "of 1 or more"), ("all_reduce", 5, "goes with the strategies")):
      said = train(binary, folder, job(folder, strategy), "--silence", str(silence), code=1).stderr
      assert "silence" in said and why in said, said
    shown = train(binary, folder, job(folder, "downpour"), "--silence", "7.5", "--show").stdout
    assert "silence = 7.5" in shown, shown


def check_each_update_counts_once(served, used):
  """Where every push is an update: what workers were told of is what is in the variables, by this push or an earlier one of the same
  examples, or was reported as lost."""
  for server, pushes in zip(served, used):
    assert sum(pushes) == server["steps"] + server.get("known", 0) + server["lost"], (server, pushes)


def test_stopped_tasks_of_downpour_sgd(binary):
  with Training(binary, "downpour", "silence = %d\n" % SILENCE) as training:
    training.advances("worker/0", "worker/1")
    training.stop_until_given_up(1, ["worker/0"])
    training.stop_until_given_up(0, ["worker/1"])
    training.stop_for_a_while("ps/0", ["worker/0", "worker/1"])
    served, used = training.end()
    check_each_update_counts_once(served, used)
    for server in served:
      assert server["lost"] == 0 and server["updates"] == server["steps"], server


def test_stopped_tasks_of_synchronous_training(binary):
  with Training(binary, "synchronous", "silence = %d\n" % SILENCE) as training:
    training.advances("worker/0", "worker/1")
    training.stop_until_given_up(1, ["worker/0"])
    training.stop_until_given_up(0, ["worker/1"])
    training.stop_for_a_while("ps/1", ["worker/0", "worker/1"])
    served, used = training.end()
    for server, pushes in zip(served, used):
      # Nobody is in a step twice, and everybody was missing in some.
      assert server["lost"] == 0 and max(pushes) < server["updates"] <= sum(pushes), (server, pushes)


def test_a_worker_that_wakes_when_training_is_over_ends_too(binary):
  with Training(binary, "synchronous", "silence = %d\n" % SILENCE, steps=600) as training:
    training.until(lambda: training.starts("worker/1"), "worker/1 has begun")
    training.stop("worker/1")
    training.until(lambda: training.told("worker/0", "finished"), "worker/0 trains to the end alone")
    training.go_on("worker/1")
    out, err = training.process.communicate(timeout=LIMIT)
    assert training.process.returncode == 0 and json.loads(out)["step"] == 600, (out, err)
    ends = [event["failed"] for event in training.told("worker/1", "finished")]
    assert ends == [False] and training.starts("worker/1") == 2, training.told("worker/1", "finished")


def test_nobody_waits_for_a_stopped_worker_if_there_is_a_backup(binary):
  with Training(binary, "synchronous", "backups = 1\n", workers=3) as training:
    training.advances("worker/0", "worker/1", "worker/2")
    training.stop("worker/1")
    training.advances("worker/0", "worker/2")
    training.go_on("worker/1")
    training.advances("worker/1")
    assert training.given_up(1) == 0 and training.starts("worker/1") == 1
    served, used = training.end()
    for server, pushes in zip(served, used):
      assert max(pushes) <= server["updates"] and server["dropped"] > 0, (server, pushes)


def test_stopped_workers_of_bounded_staleness(binary):
  with Training(binary, "bounded", "staleness = 2\nsilence = %d\n" % SILENCE) as training:
    training.advances("worker/0", "worker/1")
    training.stop_until_given_up(0, ["worker/1"])
    served, used = training.end()
    for server, pushes in zip(served, used):
      assert sum(pushes) == server["updates"] + server.get("known", 0) and server["lost"] == 0, (server, pushes)


def test_stopped_workers_of_sandblaster(binary):
  with Training(binary, "sandblaster", "silence = %d\n" % SILENCE, arguments=["--batch", "500"]) as training:
    training.advances("worker/0")
    before = training.given_up(1)
    training.stop("worker/1")
    # Its units go to others before it is given up, and after.
    training.advances("worker/0")
    training.until(lambda: training.given_up(1) > before, "worker/1 is given up")
    training.advances("worker/0")
    training.go_on("worker/1")
    training.until(lambda: training.starts("worker/1") == 2, "worker/1 joins again")
    training.advances("worker/0")
    # The chief coordinates: all wait for it.
    training.stop("worker/0")
    training.until(lambda: training.given_up(0) > 0, "worker/0 is given up")
    training.go_on("worker/0")
    training.until(lambda: training.starts("worker/0") == 2, "worker/0 joins again")
    training.advances("worker/0")
    # A chief that has lost its place has not ended training.
    assert not training.told("worker/1", "finished"), training.told("worker/1", "finished")
    training.end()


def test_killed_tasks_of_sandblaster(binary):
  extra = "snapshot_every = 0.5\nsilence = %d\n" % SILENCE
  with Training(binary, "sandblaster", extra, arguments=["--batch", "500"]) as training:
    training.advances("worker/0")
    training.until(lambda: list((training.run / "servers").glob("ps-0.cut-*")), "the first snapshot")
    # The first server has the board of units, the chief the coordinator.
    training.kill_and_recover("ps/0", "worker/1", workers=["worker/0"])
    training.kill_and_recover("ps/1", "worker/0", workers=["worker/0"])
    assert training.told("worker/0", "started")[-1]["step"] > 0, "what was learned is lost"
    assert not training.told("worker/1", "finished"), training.told("worker/1", "finished")
    # All servers go back to the same iteration, and the chief tells. One that dies right after a snapshot has lost nothing.
    went_back = lambda: [event["text"] for event in training.told("worker/0", "warned") if "have gone back to iteration" in event["text"]]
    told = len(went_back())
    while len(went_back()) == told:
      training.kill_and_recover("ps/1", workers=["worker/0"])
    assert "and training goes on from step" in went_back()[-1], went_back()
    training.end()


def test_stopped_and_killed_workers_of_all_reduce(binary):
  with Training(binary, "all_reduce", checkpoint_every=100) as training:
    both = ["worker/0", "worker/1"]
    training.advances(*both)
    training.stop_for_a_while("worker/1", both)
    training.stop_for_a_while("worker/0", both)
    training.until(lambda: training.told("worker/0", "saved"), "a checkpoint")
    saved = training.told("worker/0", "saved")[-1]["step"]
    training.kill_and_recover(*both, workers=both)
    assert training.told("worker/1", "started")[-1]["step"] >= saved, "what was saved is not what they went on from"
    # Only the survivor knows more than the last checkpoint.
    # Of this life: before the kill it may have been further than the checkpoint.
    reached = training.told("worker/1", "progress")[-1]["step"]
    training.kill_and_recover("worker/0", workers=both)
    assert training.told("worker/0", "started")[-1]["step"] >= reached, "the survivor's variables are lost"
    training.end()


def cuts(run, task):
  """The numbers of the states that a server could go back to."""
  return [int(path.suffix.removeprefix(".cut-")) for path in (run / "servers").glob(task.replace("/", "-") + ".cut-*")]


def check_of_one_age(training):
  """All servers have gone back to the same update whenever one of them had died."""
  warned = [event["text"] for event in training.told("ps/0", "warned")]
  assert warned and all("have gone back to update" in text for text in warned), warned


def test_killed_servers_all_go_back_to_one_update_and_say_so(binary):
  with Training(binary, "downpour", "snapshot_every = 0.5\nsilence = %d\n" % SILENCE) as training:
    both = ["worker/0", "worker/1"]
    training.advances(*both)
    training.until(lambda: cuts(training.run, "ps/0"), "the first snapshot")
    known, first = training.step(), max(cuts(training.run, "ps/0"))
    # The next may have been taken before `known` was; the one after it was not.
    training.until(lambda: min(max(cuts(training.run, server), default=0) for server in ("ps/0", "ps/1")) > first + 2, "further snapshots")
    training.kill_and_recover("ps/0", workers=both)
    training.until(lambda: training.told("ps/0", "warned"), "it is said")
    text = training.told("ps/0", "warned")[-1]["text"]
    restored = int(text.rsplit("from step ", 1)[1])
    assert restored >= known, "step %d was answered before the last snapshot: %s" % (known, text)
    # Two at once.
    training.kill_and_recover("ps/1", "worker/1", workers=both)
    training.kill_and_recover("ps/0", "worker/0", workers=both)
    training.kill_and_recover("ps/0", "ps/1", workers=both)
    training.kill_and_recover(*both, workers=both)
    check_of_one_age(training)
    check_each_update_counts_once(*training.end())


def test_killed_tasks_of_synchronous_training(binary):
  with Training(binary, "synchronous", "snapshot_every = 0.5\nsilence = %d\n" % SILENCE) as training:
    both = ["worker/0", "worker/1"]
    training.advances(*both)
    training.kill_and_recover("ps/0", "worker/1", workers=both)
    training.kill_and_recover("ps/1", "worker/0", workers=both)
    training.kill_and_recover("ps/0", "ps/1", workers=both)
    # A worker that is stopped while a server dies: neither knows what the other has forgotten.
    training.stop("worker/1")
    training.kill_and_recover("ps/0", workers=["worker/0"])
    lives = training.starts("worker/1")
    training.go_on("worker/1")
    training.advances(*both)
    assert training.starts("worker/1") >= lives
    check_of_one_age(training)
    training.end()
