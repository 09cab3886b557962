"""Servers and sessions for system tests."""
import contextlib
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


@contextlib.contextmanager
def session(target, **config):
  options = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1, **config)
  with tf.Session(target, config=options) as s:
    yield s


def log(*words):
  print(*words, flush=True)
  sys.stdout.flush()
