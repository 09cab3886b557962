"""Tasks and clients that are killed or stopped in the middle of training: who notices, who goes on, what is left behind."""
import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

import models
from harness import Cluster, running, session, tasks, tf
from replicas import PROCESSES, Replica, start_together
from waiting import LIMIT, LIMIT_MS, until

LOST = (tf.errors.UnavailableError, tf.errors.AbortedError)


class Trainer:
  """A client in a thread: trains on its worker until told to stop or until an error ends it."""

  def __init__(self, cluster, task, is_chief):
    self.steps, self.error, self.stopping = 0, None, False
    self.ready = threading.Event()
    self.thread = threading.Thread(target=self.train, args=(cluster, task, is_chief), daemon=True)
    self.thread.start()
    assert self.ready.wait(LIMIT), "no session within %d s" % LIMIT
    self.until_steps(3)

  def train(self, cluster, task, is_chief):
    with tf.Graph().as_default():
      spec = tf.train.ClusterSpec(cluster.addresses)
      with tf.device(tf.train.replica_device_setter(cluster=spec, worker_device="/job:worker/task:%d" % task)):
        feeds, loss, train = models.mlp(1)
      feed = next(feeds)
      # The timeout ends the client's attempts to reach a master that is gone for good.
      s = tf.Session(cluster.target("worker", task), config=tf.ConfigProto(operation_timeout_in_ms=LIMIT_MS))
      try:
        if is_chief:
          s.run(tf.global_variables_initializer())
        self.ready.set()
        while not self.stopping:
          s.run([loss, train], feed)
          self.steps += 1
      except tf.errors.OpError as e:
        self.error = e
      with contextlib.suppress(tf.errors.OpError):
        s.close()

  def until_steps(self, more):
    """Waits for steps beyond those that are done now."""
    goal, end = self.steps + more, time.time() + LIMIT
    while self.steps < goal:
      assert self.thread.is_alive(), "ended by %r" % self.error
      assert time.time() < end, "stuck at step %d" % self.steps
      time.sleep(0.01)

  def fails(self, *words):
    """Waits for the error that ends it: of the right kind, and saying who was lost."""
    self.thread.join(LIMIT)
    assert not self.thread.is_alive(), "no error within %d s" % LIMIT
    assert isinstance(self.error, LOST), repr(self.error)
    for word in words:
      assert word in str(self.error), self.error

  def stop(self):
    self.stopping = True
    self.thread.join(LIMIT)
    assert not self.thread.is_alive() and self.error is None, repr(self.error)


@contextlib.contextmanager
def two_trainers(binary):
  with Cluster(binary, {"ps": 1, "worker": 2}) as cluster:
    yield cluster, Trainer(cluster, 0, True), Trainer(cluster, 1, False)


def test_a_killed_parameter_server_is_named_to_every_worker(binary):
  with two_trainers(binary) as (cluster, chief, other):
    cluster.kill("ps")
    for trainer in (chief, other):
      trainer.fails("/job:ps", "task:0", cluster.addresses["ps"][0])


def test_workers_go_on_when_another_is_killed(binary):
  for lost in (0, 1):
    with two_trainers(binary) as (cluster, chief, other):
      cluster.kill("worker", lost)
      survivor = (other, chief)[lost]
      survivor.until_steps(20)
      # TensorFlow's client tries again until its master is there, which then no longer knows the session.
      cluster.start("worker", lost)
      (chief, other)[lost].fails("is not found")
      survivor.until_steps(20)
      survivor.stop()


def waiting_step(target, started):
  """A client whose step waits on the parameter server, for ever."""
  with tf.Graph().as_default(), tf.Session(target) as s:
    size, _, out = queue_there(0)
    s.run(size)
    started.set()
    with contextlib.suppress(tf.errors.OpError):
      s.run(out)


def queue_there(worker):
  """(size, put, a worker's value from what it takes)"""
  with tf.device("/job:ps/task:0"):
    queue = tf.FIFOQueue(10, tf.float32, shapes=[[]], shared_name="waiting")
    size, put, taken = queue.size(), queue.enqueue(1.0), queue.dequeue()
  with tf.device("/job:worker/task:%d" % worker):
    return size, put, taken + 1.0


def check_nothing_waits(binary, cluster):
  """That the step of a client or master that is gone ends on the parameter server, and takes nothing from the queue."""
  until(lambda: running(binary, cluster.target("ps"), "parts", "ps") == 0, "the step ends on the parameter server")
  # Without worker 0, which may be gone.
  config = {"operation_timeout_in_ms": LIMIT_MS, "device_filters": ["/job:ps", "/job:worker/task:1"]}
  with tf.Graph().as_default(), session(cluster.target("worker", 1), **config) as s:
    size, put, _ = queue_there(1)
    s.run(put)
    assert s.run(size) == 1, "a step of a client or master that is gone still runs"


def start_waiting(binary, cluster):
  started = PROCESSES.Event()
  client = PROCESSES.Process(target=waiting_step, args=(cluster.target("worker", 0), started))
  client.start()
  assert started.wait(LIMIT)
  until(lambda: running(binary, cluster.target("ps"), "parts", "ps") == 1, "the step waits on the parameter server")
  return client


def test_the_step_of_a_killed_client_ends_on_all_tasks(binary):
  with Cluster(binary, {"ps": 1, "worker": 2}) as cluster:
    client = start_waiting(binary, cluster)
    client.kill()
    client.join()
    check_nothing_waits(binary, cluster)


def test_the_step_of_a_killed_master_ends_on_the_other_tasks(binary):
  with Cluster(binary, {"ps": 1, "worker": 2}) as cluster:
    client = start_waiting(binary, cluster)
    try:
      cluster.kill("worker", 0)
      check_nothing_waits(binary, cluster)
    finally:
      client.kill()
      client.join()


def pushing(target, started):
  """A client that moves 40 MB a step from the worker to the parameter server, until it is killed."""
  with tf.Graph().as_default(), tf.Session(target) as s:
    with tf.device("/job:ps/task:0"):
      v = tf.get_variable("v", [10_000_000], initializer=tf.zeros_initializer(), use_resource=True)
    with tf.device("/job:worker/task:0"):
      delta = tf.random_uniform([10_000_000])
    add = v.assign_add(delta).op
    s.run(v.initializer)
    s.run(add)
    started.set()
    with contextlib.suppress(*LOST):
      while True:
        s.run(add)


def tensor_megabytes(binary, cluster, job):
  return tasks(binary, cluster.target(job))[job, 0]["memory"]["tensor_bytes"] / 1e6


def start_pushing(cluster):
  started = PROCESSES.Event()
  client = PROCESSES.Process(target=pushing, args=(cluster.target("worker"), started))
  client.start()
  assert started.wait(LIMIT)
  return client


def test_killed_clients_leave_no_memory_behind(binary):
  """A step left behind would hold 40 MB each time; the variable stays, as variables of a server do."""
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster:
    for pause in (0.0, 0.02, 0.1, 0.3):
      client = start_pushing(cluster)
      time.sleep(pause)  # it is killed in another part of a step each time
      client.kill()
      client.join()
    until(lambda: tensor_megabytes(binary, cluster, "worker") < 30, "the worker lets everything go")
    until(lambda: tensor_megabytes(binary, cluster, "ps") < 70, "the parameter server has the variable only")


def test_killed_parameter_servers_leave_no_memory_behind_on_the_worker(binary):
  """A step left behind would hold 40 MB each time."""
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster:
    for _ in range(4):
      client = start_pushing(cluster)
      cluster.kill("ps")
      client.join(LIMIT)
      assert not client.is_alive(), "no error within %d s" % LIMIT
      cluster.start("ps", 0)
      cluster.wait("ps", 0)
    until(lambda: tensor_megabytes(binary, cluster, "worker") < 30, "the worker lets everything go")


def check_recovers(binary, job, task, *flags):
  """MonitoredTrainingSessions go on by themselves when a task was killed and is there again."""
  with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
    cluster = stack.enter_context(Cluster(binary, {"ps": 1, "worker": 2}))
    flags += ("--checkpoint_dir=" + folder, "--save_steps=10", "--train_steps=1000000")
    replicas = start_together(stack, cluster, 2, *flags)
    for replica in replicas:
      replica.until_step(30)
    cluster.kill(job, task)
    time.sleep(0.5)
    cluster.start(job, task)
    cluster.wait(job, task)
    for replica in replicas:
      before = len(replica.losses())
      replica.until(lambda: len(replica.losses()) > before + 30, "more steps after %d" % before)
      assert replica.losses()[-1][0] > 30, "began anew: %r" % replica.losses()[before:]
      assert replica.losses()[-1][1] < 2, "what was learned is lost: %r" % replica.losses()[-5:]


def test_training_recovers_when_the_parameter_server_is_restarted(binary):
  check_recovers(binary, "ps", 0)


def test_training_recovers_when_the_chief_worker_is_restarted(binary):
  check_recovers(binary, "worker", 0)


def test_training_recovers_when_another_worker_is_restarted(binary):
  check_recovers(binary, "worker", 1)


def test_a_worker_with_a_pipeline_recovers_when_it_is_restarted(binary):
  """Its iterator was lost with it: the session that goes on makes another."""
  check_recovers(binary, "worker", 1, "--dataset")


def test_a_new_client_takes_over_from_a_killed_one(binary):
  with tempfile.TemporaryDirectory() as folder, Cluster(binary, {"ps": 1, "worker": 1}) as cluster:
    flags = ("--checkpoint_dir=" + folder, "--save_steps=10")
    with Replica(cluster, 0, "--train_steps=1000000", *flags) as first:
      first.until_step(30)
      first.kill()
    saved = int(tf.train.latest_checkpoint(folder).rsplit("-", 1)[1])
    with Replica(cluster, 0, "--train_steps=%d" % (saved + 20), *flags) as second:
      losses = second.finish()
    assert losses[0][0] == saved + 1 and losses[-1][0] == saved + 20, losses


def test_training_goes_on_when_a_task_was_stopped_for_a_while(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster:
    trainer = Trainer(cluster, 0, True)
    for job in ("ps", "worker"):
      pid = cluster.processes[job, 0].pid
      os.kill(pid, signal.SIGSTOP)
      try:
        before = trainer.steps
        time.sleep(2.0)
        # The end of a step may have been under way to the client.
        assert trainer.steps <= before + 1 and trainer.error is None, "%d steps without %s" % (trainer.steps - before, job)
      finally:
        os.kill(pid, signal.SIGCONT)
      trainer.until_steps(10)
    trainer.stop()


def test_a_task_that_does_not_come_up_is_named_in_the_log(binary):
  """A session waits for it, but not in silence."""
  with Cluster(binary, {"ps": 1, "worker": 1}, absent=("ps", "worker")) as cluster:
    command = [binary, "serve", "--cluster", str(cluster.addresses).replace("'", '"'), "--job", "worker", "--log", "warn"]
    worker = cluster.processes["worker", 0] = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    cluster.wait("worker", 0)
    opened = threading.Thread(target=lambda: open_late(cluster), daemon=True)
    opened.start()
    line = worker.stderr.readline()
    assert "/job:ps" in line and cluster.addresses["ps"][0] in line and re.search(r"since \d+ s", line), line
    cluster.start("ps", 0)
    opened.join(LIMIT)
    assert not opened.is_alive(), "the session did not open when the last task came up"
    worker.kill()
    worker.stderr.close()


def open_late(cluster):
  with tf.Graph().as_default(), session(cluster.target("worker")) as s:
    s.run(tf.no_op())


def test_a_session_that_waits_in_vain_says_for_whom(binary):
  """When the client's own limit comes first, the error still names the task, its address and how long it was waited for."""
  with Cluster(binary, {"ps": 1, "worker": 1}, absent=("ps",)) as cluster, tf.Graph().as_default():
    try:
      # The server answers after three quarters of it: the rest is room for a busy machine.
      with session(cluster.target("worker"), operation_timeout_in_ms=16_000) as s:
        s.run(tf.no_op())
      raise AssertionError("no error")
    except (tf.errors.DeadlineExceededError, tf.errors.UnavailableError) as e:
      assert "/job:ps" in str(e) and cluster.addresses["ps"][0] in str(e) and " s" in str(e), e
