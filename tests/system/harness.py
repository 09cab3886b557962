"""Servers and sessions for system tests."""
import contextlib
import json
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tensorflow_environment  # noqa: E402, F401
import tensorflow.compat.v1 as tf  # noqa: E402

from ports import free_port  # noqa: E402
from waiting import LIMIT, until  # noqa: E402

tf.disable_v2_behavior()


def answers(host, port):
  try:
    socket.create_connection((host, port), LIMIT).close()
    return True
  except OSError:
    return False


class Server:
  """A Downpour server on a free loopback port; stops with the test."""

  def __init__(self, binary, *flags):
    self.port = free_port()
    self.target = "grpc://127.0.0.1:%d" % self.port
    self.process = subprocess.Popen(
        [binary, "serve", "--bind", "127.0.0.1:%d" % self.port, "--log", "warn", *flags], stderr=subprocess.PIPE, text=True)
    until(lambda: answers("127.0.0.1", self.port), "the server comes up", self.process)

  def alive(self):
    return self.process.poll() is None

  def stop(self):
    self.process.terminate()
    try:
      code = self.process.wait(LIMIT)
    except subprocess.TimeoutExpired:
      self.process.kill()
      raise RuntimeError("the server did not stop within %d s of SIGTERM" % LIMIT)
    if code != 0:
      raise RuntimeError("the server ended with code %d: %s" % (code, self.process.stderr.read()))

  def __enter__(self):
    return self

  def __exit__(self, *_):
    if self.alive():
      self.stop()


TENSORFLOW_TASK = """
import json, sys, tensorflow.compat.v1 as tf
config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
tf.train.Server(json.loads(sys.argv[1]), job_name=sys.argv[2], task_index=int(sys.argv[3]), config=config).join()
"""


class Cluster:
  """Tasks on free loopback ports: `jobs` says how many of each job, `host` by which name the tasks know each other.

  `foreign` names those that are real TensorFlow and `absent` those that are not started, as a job or as (job, task).
  """

  def __init__(self, binary, jobs, foreign=(), absent=(), host="127.0.0.1"):
    self.binary, self.foreign = binary, foreign
    self.addresses = {job: ["%s:%d" % (host, free_port()) for _ in range(n)] for job, n in jobs.items()}
    self.processes = {}
    tasks = [(job, task) for job, n in jobs.items() for task in range(n) if job not in absent and (job, task) not in absent]
    for job, task in tasks:
      self.start(job, task)
    for job, task in tasks:
      self.wait(job, task)

  def start(self, job, task):
    cluster = json.dumps(self.addresses)
    if job in self.foreign or (job, task) in self.foreign:
      command = [sys.executable, "-c", TENSORFLOW_TASK, cluster, job, str(task)]
    else:
      command = [self.binary, "serve", "--cluster", cluster, "--job", job, "--task", str(task), "--log", "error"]
    self.processes[job, task] = subprocess.Popen(command)

  def wait(self, job, task):
    host, port = self.addresses[job][task].rsplit(":", 1)
    until(lambda: answers(host.strip("[]"), int(port)), "%s %d comes up" % (job, task), self.processes[job, task])

  def target(self, job, task=0):
    return "grpc://" + self.addresses[job][task]

  def kill(self, job, task=0):
    self.processes[job, task].kill()
    self.processes[job, task].wait()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    for process in self.processes.values():
      process.kill()
    for process in self.processes.values():
      process.wait()


@contextlib.contextmanager
def session(target, **config):
  options = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1, **config)
  with tf.Session(target, config=options) as s:
    yield s


def tasks(binary, target):
  """What the tasks of a cluster tell about themselves, by job and number."""
  command = [binary, "status", target, "--json", "--timeout", str(LIMIT)]
  told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=2 * LIMIT).stdout)
  return {(task["job"], task["task"]): task for task in told["tasks"]}


def running(binary, target, kind="steps", job=None):
  """How many steps the tasks of a cluster run as their masters, or how many "parts" of steps; of all jobs, or of one."""
  told = [task for (of, _), task in tasks(binary, target).items() if job in (None, of)]
  return sum(task["load"]["running_" + kind] for task in told if task["load"])
