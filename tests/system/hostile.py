#!/usr/bin/env python3
"""Strangers at the port while others work: a TensorFlow client and a training run, and neither notices.

  hostile.py --server target/release/downpour     prints what the attacks cost those who work, and the servers' memory
"""
import argparse
import contextlib
import os
import pathlib
import stat
import sys
import tempfile
import threading
import time

# As a program of its own it finds what all tests share by itself.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import hostile_client
from faults import Training
from harness import Server, session, tf
from status import report
from strategies import find

PATIENCE = 180
# Attacks at a size that a test can afford, and in full.
SMALL = {"streams": 3000, "links": 40, "headers": 40, "pushes": 20, "idle": 300, "half": 160}
FULL = {"streams": 34_000, "links": 200, "headers": 200, "pushes": 50, "idle": 5_000, "half": 1_000}


def resident(pid):
  """Bytes of a process that are in memory."""
  with open("/proc/%d/statm" % pid) as f:
    return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def until(condition, what):
  end = time.time() + PATIENCE
  while not condition():
    assert time.time() < end, "waited in vain: " + what()
    time.sleep(0.1)


def memory_returns(pid, level):
  """Waits until a process is about as large as it was."""
  until(lambda: resident(pid) < level + (32 << 20), lambda: "%d MB do not go back to %d MB" % (resident(pid) >> 20, level >> 20))


def listening_port(pid):
  """The TCP port a process listens on."""
  mine = set()
  for entry in os.listdir("/proc/%d/fd" % pid):
    with contextlib.suppress(OSError):
      mine.add(os.readlink("/proc/%d/fd/%s" % (pid, entry)))
  with open("/proc/%d/net/tcp" % pid) as f:
    for line in f.readlines()[1:]:
      fields = line.split()
      if fields[3] == "0A" and "socket:[%s]" % fields[9] in mine:
        return int(fields[1].rsplit(":", 1)[1], 16)
  raise AssertionError("process %d listens on no port" % pid)


class Client:
  """A TensorFlow client that runs small steps all the time, and how long each took."""

  def __init__(self, target):
    self.target, self.times, self.error, self.stopped = target, [], None, False
    self.thread = threading.Thread(target=self.run)
    self.thread.start()

  def run(self):
    try:
      with tf.Graph().as_default(), session(self.target) as s:
        x = tf.placeholder(tf.float32, [4])
        y = tf.reduce_sum(x + 1.0)
        while not self.stopped:
          start = time.time()
          assert s.run(y, {x: [1, 2, 3, 4]}) == 14.0
          self.times.append(time.time() - start)
    except Exception as e:  # pylint: disable=broad-except
      self.error = e

  def steps(self, count):
    """Waits for further steps; returns how long each took."""
    first = len(self.times)
    until(lambda: self.error or len(self.times) >= first + count, lambda: "steps of the client")
    assert self.error is None, "a step of the client failed: %r" % self.error
    return self.times[first:]

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.stopped = True
    self.thread.join()


def connects_anew(target):
  """A client that was not there before."""
  with tf.Graph().as_default(), session(target) as s:
    assert s.run(tf.constant(2) + 3) == 5


def test_neither_a_client_nor_training_notices_strangers(binary):
  hostile_client.allow_files()
  with Server(binary) as server, Client(server.target) as client, Training(binary, "downpour") as training:
    workers = ("worker/0", "worker/1")
    training.until(lambda: training.step() > 0, "training begins")
    client.steps(20)
    lives = {task: training.starts(task) for task in workers}
    servers = [server.process.pid] + [find(training.mark, "ps/%d" % n) for n in range(2)]
    levels = {pid: resident(pid) for pid in servers}
    hostile_client.Insider.learn_from(servers[1])
    with contextlib.ExitStack() as swarms:
      for pid in servers:
        address = ("127.0.0.1", listening_port(pid))
        for name, count in SMALL.items():
          swarms.enter_context(hostile_client.ATTACKS[name](address, count))
      client.steps(50)
      connects_anew(server.target)
      training.advances(*workers)
      for pid in servers:
        # 8 GB and more were announced; some megabytes were sent.
        assert resident(pid) < levels[pid] + (400 << 20), (resident(pid) >> 20, levels[pid] >> 20)
    client.steps(50)
    training.advances(*workers)
    assert lives == {task: training.starts(task) for task in workers}, "a worker has begun again"
    for pid in servers:
      memory_returns(pid, levels[pid])


def test_who_does_not_know_the_key_reaches_nothing_of_a_run(binary):
  hostile_client.Insider.learn("")
  openings = [word + hostile_client.with_length(hostile_client.field(1, hostile_client.PARAMETERS_VERSION))
              for word in (hostile_client.LINK, hostile_client.PARAMETERS, hostile_client.COORDINATOR)]
  with Training(binary, "downpour") as training:
    training.until(lambda: training.step() > 0, "training begins")
    for pid in [find(training.mark, task) for task in ("ps/0", "ps/1", "worker/0")]:
      for opening in openings + [hostile_client.KEY + bytes(32) + opening for opening in openings]:
        with hostile_client.Swarm() as swarm:
          connection = swarm.open(("127.0.0.1", listening_port(pid)), opening)
          answer = b""
          with contextlib.suppress(ConnectionResetError):
            answer = connection.recv(1)
          assert answer == b"", "a stranger is answered"
    training.advances("worker/0", "worker/1")


@contextlib.contextmanager
def with_few_files(binary, files):
  """A program that runs the binary with so many files."""
  with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as script:
    script.write("#!/bin/sh\nulimit -n %d\nexec %s \"$@\"\n" % (files, binary))
  os.chmod(script.name, stat.S_IRWXU)
  try:
    yield script.name
  finally:
    pathlib.Path(script.name).unlink()


def test_silent_connections_do_not_lock_clients_out(binary):
  hostile_client.allow_files()
  with with_few_files(binary, 256) as limited, Server(limited) as server:
    address = ("127.0.0.1", server.port)
    with hostile_client.idle_connections(address, 300), hostile_client.half_hellos(address, 300):
      connects_anew(server.target)


def test_silent_connections_are_closed_soon(binary):
  with Server(binary, "--hello-timeout", "1") as server:
    address = ("127.0.0.1", server.port)
    with hostile_client.idle_connections(address, 20) as idle, hostile_client.half_hellos(address, 27) as half:
      with hostile_client.announcing_headers(address, 10) as headers:
        until(lambda: idle.closed() == 20, lambda: "silent connections are closed")
        until(lambda: half.closed() >= 24, lambda: "half hellos are closed, %d are" % half.closed())
        until(lambda: headers.closed() == 10, lambda: "headers that do not come are not waited for")


def test_a_message_that_stands_still_ends(binary):
  with Server(binary, "--stall-timeout", "1") as server:
    address = ("127.0.0.1", server.port)
    with hostile_client.announcing_pushes(address, 5) as pushes:
      until(lambda: pushes.closed() == 5, lambda: "pushes that do not come are not waited for")
      code, found = report(binary, server.target)
      assert code == 0 and found["tasks"][0]["memory"]["tensor_bytes"] < 1 << 20, found


def test_answers_that_nobody_reads_take_no_memory_and_nobodys_time(binary):
  with Server(binary, "--unread-timeout", "4") as server:
    address, pid = ("127.0.0.1", server.port), server.process.pid
    graph = tf.Graph()
    with graph.as_default():
      v = tf.get_variable("v", initializer=tf.fill([8 << 20], 1.0))
      tf.identity(v, name="large")
      with session(server.target) as s:
        s.run(tf.global_variables_initializer())
    handle = hostile_client.create_session(address, graph.as_graph_def().SerializeToString())
    request = hostile_client.run_step(handle, "large:0")
    with Client(server.target) as client:
      client.steps(10)
      level = resident(pid)
      with hostile_client.slow_readers(address, [(hostile_client.RUN_STEP, request)] * 20) as readers:
        client.steps(100)
        # Twenty answers of 32 MB, all of one variable.
        assert resident(pid) < level + (200 << 20), (resident(pid) >> 20, level >> 20)
        # What is on its way to them is read here, which asks for no more of it.
        until(lambda: readers.closed() == 20, lambda: "%d of 20 who do not read are closed" % readers.closed())
      client.steps(10)
      memory_returns(pid, level)


def test_small_answers_that_nobody_reads_end_their_connection(binary):
  with Server(binary, "--unread-timeout", "4") as server:
    address, pid = ("127.0.0.1", server.port), server.process.pid
    graph = tf.Graph()
    with graph.as_default():
      tf.fill([15_000], 1.0, name="small")
    handle = hostile_client.create_session(address, graph.as_graph_def().SerializeToString())
    connects_anew(server.target)
    level = resident(pid)
    with hostile_client.unread_answers(address, hostile_client.run_step(handle, "small:0"), 2_000) as unread:
      until(lambda: unread.closed() == 1, lambda: "who has no room for answers is closed")
      memory_returns(pid, level)
      connects_anew(server.target)


def test_few_bytes_do_not_become_many(binary):
  with Server(binary) as server:
    address, pid = ("127.0.0.1", server.port), server.process.pid
    connects_anew(server.target)
    level = resident(pid)
    with hostile_client.empty_parts(address), hostile_client.unknown_steps(address) as link:
      until(lambda: link.closed() == 1, lambda: "a link of steps that nobody runs is closed")
      connects_anew(server.target)
      assert resident(pid) < level + (200 << 20), (resident(pid) >> 20, level >> 20)
      memory_returns(pid, level)


def test_sessions_of_clients_that_are_gone_are_closed(binary):
  with Server(binary, "--dropped-session-timeout", "2") as server, tf.Graph().as_default():
    address = ("127.0.0.1", server.port)
    x = tf.constant(2) + 3
    graph = tf.get_default_graph().as_graph_def().SerializeToString()
    with session(server.target) as s:
      assert s.run(x) == 5
      for _ in range(5):
        hostile_client.create_session(address, graph)
      sessions = lambda: report(binary, server.target)[1]["tasks"][0]["sessions"]
      until(lambda: len(sessions()) == 1, lambda: "sessions without a client are closed, %d are there" % len(sessions()))
      time.sleep(3)
      # Its client has done nothing for longer, but is still there.
      assert s.run(x) == 5


# ---- the demonstration --------------------------------------------------------------------------------------------

def quantiles(times):
  times = sorted(times)
  return "%6.1f %7.1f %7.0f" % tuple(1e3 * times[min(int(len(times) * q), len(times) - 1)] for q in (0.5, 0.99, 1.0))


def measured(client, training, seconds):
  """Step times of the client and steps per second of training over a while."""
  first, step, start = len(client.times), training.step(), time.time()
  time.sleep(seconds)
  client.steps(1)
  return "%s %10.1f" % (quantiles(client.times[first:]), (training.step() - step) / (time.time() - start))


def demonstrate(binary, seconds):
  hostile_client.allow_files()
  line = "%-34s %s   %s"
  with Server(binary) as server, Client(server.target) as client, Training(binary, "downpour") as training:
    training.until(lambda: training.step() > 0, "training begins")
    client.steps(100)
    servers = [server.process.pid] + [find(training.mark, "ps/%d" % n) for n in range(2)]
    hostile_client.Insider.learn_from(servers[1])
    size = lambda: " ".join("%5d" % (resident(pid) >> 20) for pid in servers)
    print(line % ("", " client's step, ms:     training,", "memory, MB:"))
    print(line % ("", "median     99%     max    steps/s", "server ps/0 ps/1"), flush=True)
    print(line % ("nobody else", measured(client, training, seconds), size()), flush=True)
    with contextlib.ExitStack() as swarms:
      for name, count in FULL.items():
        opened, start, first, step = [], time.time(), len(client.times), training.step()
        for pid in servers:
          opened.append(swarms.enter_context(hostile_client.ATTACKS[name](("127.0.0.1", listening_port(pid)), count)))
        what = "%d %s to each" % (count, name)
        time.sleep(max(0, seconds - (time.time() - start)))
        client.steps(1)
        times = "%s %10.1f" % (quantiles(client.times[first:]), (training.step() - step) / (time.time() - start))
        print(line % (what, times, size()), flush=True)
      print(line % ("all of them at once", measured(client, training, seconds), size()), flush=True)
    time.sleep(6)
    print(line % ("after they have gone", measured(client, training, seconds), size()), flush=True)
    assert server.alive() and training.starts("worker/0") == 1, "somebody has ended"


if __name__ == "__main__":
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--server", required=True)
  p.add_argument("--seconds", type=float, default=10, help="how long each line is measured")
  args = p.parse_args()
  sys.exit(demonstrate(str(pathlib.Path(args.server).absolute()), args.seconds))
