"""Servers and sessions for system tests."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
for name in ("no_proxy", "NO_PROXY"):
  os.environ[name] = "*"

import tensorflow.compat.v1 as tf  # noqa: E402

tf.disable_v2_behavior()


def free_port():
  with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    return s.getsockname()[1]


class Server:
  """A Downpour server on a free loopback port; stops with the test."""

  def __init__(self, binary, *flags):
    self.port = free_port()
    self.target = "grpc://127.0.0.1:%d" % self.port
    self.process = subprocess.Popen(
        [binary, "serve", "--bind", "127.0.0.1:%d" % self.port, "--log", "warn", *flags], stderr=subprocess.PIPE, text=True)
    for _ in range(600):
      try:
        socket.create_connection(("127.0.0.1", self.port), 1).close()
        return
      except OSError:
        if self.process.poll() is not None:
          raise RuntimeError("the server ended at once: " + self.process.stderr.read())
        time.sleep(0.05)
    raise RuntimeError("the server did not come up")

  def alive(self):
    return self.process.poll() is None

  def stop(self):
    self.process.terminate()
    try:
      code = self.process.wait(30)
    except subprocess.TimeoutExpired:
      self.process.kill()
      raise RuntimeError("the server did not stop within 30 s of SIGTERM")
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
    for _ in range(1200):
      try:
        socket.create_connection((host.strip("[]"), int(port)), 1).close()
        return
      except OSError:
        if self.processes[job, task].poll() is not None:
          raise RuntimeError("%s %d ended at once" % (job, task))
        time.sleep(0.05)
    raise RuntimeError("%s %d did not come up" % (job, task))

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


def log(*words):
  print(*words, flush=True)
  sys.stdout.flush()
