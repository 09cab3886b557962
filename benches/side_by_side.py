"""What the comparisons with TensorFlow share: its client, tasks of either side, and timing."""
import json
import os
import socket
import statistics
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
for name in ("no_proxy", "NO_PROXY"):
  os.environ[name] = "*"

import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

tf.logging.set_verbosity(tf.logging.ERROR)
tf.disable_v2_behavior()


def mlp():
  x, y = tf.placeholder(tf.float32, [64, 784], "x"), tf.placeholder(tf.int32, [64], "y")
  w1 = tf.get_variable("w1", [784, 256], initializer=tf.glorot_uniform_initializer(seed=1))
  w2 = tf.get_variable("w2", [256, 10], initializer=tf.glorot_uniform_initializer(seed=2))
  b1 = tf.get_variable("b1", [256], initializer=tf.zeros_initializer())
  b2 = tf.get_variable("b2", [10], initializer=tf.zeros_initializer())
  logits = tf.nn.bias_add(tf.matmul(tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w1), b1)), w2), b2)
  loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
  train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
  rng = np.random.RandomState(0)
  return [loss], [train], {x: rng.rand(64, 784).astype("f"), y: rng.randint(0, 10, 64).astype("i")}


def times_of(step, seconds, least=5):
  """Seconds that each call took, for about `seconds` after a warm-up of a fifth of it."""
  end = time.perf_counter() + seconds / 5
  while time.perf_counter() < end:
    step()
  times, end = [], time.perf_counter() + seconds
  while time.perf_counter() < end or len(times) < least:
    start = time.perf_counter()
    step()
    times.append(time.perf_counter() - start)
  return times


def timed(step, seconds):
  return statistics.median(times_of(step, seconds))


SIDES = ("tensorflow", "downpour")


def in_turns(args, measure, sides=SIDES):
  """What `measure(side)` gave in each of `args.repeats` rounds, by side."""
  results = {side: [] for side in sides}
  for _ in range(args.repeats):
    for side in sides:
      results[side].append(measure(side))
  return results


def free_port():
  with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    return s.getsockname()[1]


def memory_mb(pid, field="VmRSS"):
  for line in open("/proc/%d/status" % pid):
    if line.startswith(field + ":"):
      return int(line.split()[1]) / 1024


TENSORFLOW_TASK = """
import json, sys, tensorflow.compat.v1 as tf
cluster, job, task, threads = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
tf.train.Server(cluster, job_name=job, task_index=task, config=config).join()
"""


class Cluster:
  """One side's tasks, a process each, on free loopback ports: `server` is our binary, or None for TensorFlow."""

  def __init__(self, server, jobs, threads):
    self.addresses = {job: ["127.0.0.1:%d" % free_port() for _ in range(n)] for job, n in jobs.items()}
    self.processes = {}
    cluster = json.dumps(self.addresses)
    for job, tasks in self.addresses.items():
      for task in range(len(tasks)):
        place = [cluster, job, str(task), str(threads)]
        if server:
          flags = ["--cluster", "--job", "--task", "--threads"]
          command = [server, "serve", "--log", "error"] + [word for pair in zip(flags, place) for word in pair]
        else:
          command = [sys.executable, "-c", TENSORFLOW_TASK] + place
        self.processes[job, task] = subprocess.Popen(command)

  def wait(self):
    for (job, task), process in self.processes.items():
      host, port = self.addresses[job][task].split(":")
      while True:
        try:
          socket.create_connection((host, int(port)), 1).close()
          break
        except OSError:
          if process.poll() is not None:
            raise RuntimeError("%s %d ended at once" % (job, task))
          time.sleep(0.001)

  def target(self, job, task=0):
    return "grpc://" + self.addresses[job][task]

  def session(self, job, task=0):
    """A session whose steps end with an error instead of a hang."""
    return tf.Session(self.target(job, task), config=tf.ConfigProto(operation_timeout_in_ms=60_000))

  def memory_mb(self, job, field="VmRSS"):
    return memory_mb(self.processes[job, 0].pid, field)

  def __enter__(self):
    return self

  def __exit__(self, *_):
    for process in self.processes.values():
      process.kill()
    for process in self.processes.values():
      process.wait()
