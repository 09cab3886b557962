#!/usr/bin/env python3
"""Clusters of both sides on loopback, driven in turns by one TensorFlow client; prints ratios (TensorFlow's time / ours).

  cargo xtask bench --against tensorflow --cluster [--threads N] [--seconds S] [--repeats R] [--json FILE] [NAME...]

A task is a process. Named "push and pull", TensorFlow's parameter server
is beside our parameter service (what the training strategies use, with a worker of our own: `downpour-bench-service`)
and beside our graphs. While one side is timed the other is idle; R rounds of S seconds each alternate between the two,
so that what disturbs the machine disturbs both. Figures are medians over all rounds.
"""
import argparse
import contextlib
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import time

import cluster_cases as cases
from side_by_side import SIDES, Cluster, in_turns, mlp, tf, times_of

ONE_WORKER = {"ps": 1, "worker": 1}

# (name, graph, with resource variables, goal)
STEPS = [
    ("MLP 784-256-10 training step, batch 64", mlp, True, 2.0),
    ("MLP 784-256-10 training step, batch 64, reference variables", mlp, False, 2.0),
    ("200 variables of 16 floats, Adam", cases.small_variables, True, 5.0),
    ("200 variables of 16 floats, Adam, reference variables", cases.small_variables, False, 5.0),
    ("push of 100 MB, assign_add", cases.push("assign_add"), True, 1.3),
    ("push of 100 MB, assign", cases.push("assign"), True, 1.3),
    ("embedding 1,000,000 x 16, Adagrad, 4,096 ids", cases.embedding, True, 2.0),
    ("embedding 1,000,000 x 64, Adagrad, 512 examples of 26 lookups", cases.wide_embedding, True, 3.0),
    ("CNN as LeNet, batch 32", cases.cnn, True, 1.1),
    ("null step on a remote task", cases.nothing, True, 2.0),
]
WORKERS = 4
ASYNCHRONOUS = "MLP, asynchronous, %d workers" % WORKERS
PUSH_AND_PULL = "push and pull of 100 MB"
MEMORY = "parameter server resident with 1 GB of variables"


class Report:
  """The table, line by line as results come, and the same as JSON at the end."""

  def __init__(self, args):
    self.args, self.rows = args, []
    print("threads per task: %d\n\n| benchmark | TensorFlow | Downpour | ratio | goal |" % args.threads)
    print("| --- | --- | --- | --- | --- |", flush=True)

  def add(self, name, theirs, ours, unit, ratio=None, goal=None, **more):
    self.rows.append(dict(name=name, tensorflow=theirs, downpour=ours, unit=unit, ratio=ratio, goal=goal, **more))
    both = [("%.3g" if value < 100 else "%.0f") % value + " " + unit for value in (theirs, ours)]
    rest = [value if isinstance(value, str) else "" if value is None else "%.2f" % value for value in (ratio, goal)]
    print("| " + " | ".join([name, *both, *rest]) + " |", flush=True)

  def failed(self, name, why):
    self.rows.append(dict(name=name, failed=str(why)))
    print("| %s | failed: %s |||" % (name, " ".join(str(why).split())), flush=True)

  def write(self):
    if self.args.json:
      with open(self.args.json, "w") as out:
        json.dump({"threads": self.args.threads, "rows": self.rows}, out, indent=1)


@contextlib.contextmanager
def both_sides(args, jobs):
  with contextlib.ExitStack() as stack:
    servers = {"tensorflow": None, "downpour": args.server}
    clusters = {side: stack.enter_context(Cluster(servers[side], jobs, args.threads)) for side in SIDES}
    for cluster in clusters.values():
      cluster.wait()
    yield clusters


def time_steps(args, make, resource, sides):
  """Seconds per step of each side, in rounds; for "loopback", of moving as much as a push."""
  with both_sides(args, ONE_WORKER) as clusters, tf.Graph().as_default(), contextlib.ExitStack() as stack:
    with tf.variable_scope("", use_resource=resource):
      fetches, targets, feed = cases.on_cluster(make)
      init = tf.global_variables_initializer()
    sessions = {side: stack.enter_context(clusters[side].session("worker")) for side in SIDES}
    for session in sessions.values():
      session.run(init)

    def step(side):
      try:
        sessions[side].run(fetches + targets, feed)
      except tf.errors.OpError as e:
        raise RuntimeError("%s: %s" % (side, e.message))

    def measure(side):
      return loopback() if side == "loopback" else times_of(lambda: step(side), args.seconds)

    results = in_turns(args, measure, sides)
    return [[t for times in results[side] for t in times] for side in sides]


def receive(port, size, rounds):
  """The other end of `loopback`: takes `size` bytes and answers with one, `rounds` times."""
  buffer = memoryview(bytearray(size))
  with socket.create_connection(("127.0.0.1", port)) as connection:
    for _ in range(rounds):
      got = 0
      while got < size:
        got += connection.recv_into(buffer[got:])
      connection.sendall(b".")


def loopback(size=cases.FLOATS * 4, rounds=10):
  """Seconds that two processes take to move as much as a push through a plain socket."""
  with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    other = multiprocessing.Process(target=receive, args=(listener.getsockname()[1], size, rounds))
    other.start()
    connection, _ = listener.accept()
    data, times = bytearray(size), []
    with connection:
      for _ in range(rounds):
        start = time.perf_counter()
        connection.sendall(data)
        connection.recv(1)
        times.append(time.perf_counter() - start)
    other.join()
  return times[2:]


def client(pipe, task):
  """A process with a session on its own worker of each side; runs steps when told to."""
  sessions = {}
  with tf.variable_scope("", use_resource=True):
    fetches, targets, feed = cases.on_cluster(mlp, task)
  init = tf.global_variables_initializer()
  while (message := pipe.recv()) is not None:
    command, side, detail = message
    if command == "open":
      sessions[side] = tf.Session(detail)
      answer = None
    elif command == "init":
      answer = sessions[side].run(init)
    else:
      step = lambda: sessions[side].run(fetches + targets, feed)
      start, count = time.perf_counter(), 0
      while time.perf_counter() < start + detail:
        step()
        count += 1
      answer = count / (time.perf_counter() - start)
    pipe.send(answer)


def asynchronous(args):
  """Steps per second of all workers together, by side and round; each worker has its own client process."""
  with both_sides(args, {"ps": 1, "worker": WORKERS}) as clusters:
    pairs = [multiprocessing.Pipe() for _ in range(WORKERS)]
    clients = [multiprocessing.Process(target=client, args=(theirs, i)) for i, (_, theirs) in enumerate(pairs)]
    pipes = [ours for ours, _ in pairs]
    for process in clients:
      process.start()

    def all_do(command, side, detail):
      for i, pipe in enumerate(pipes):
        pipe.send((command, side, detail(i) if callable(detail) else detail))
      return [pipe.recv() for pipe in pipes]

    for side in SIDES:
      all_do("open", side, lambda i: clusters[side].target("worker", i))
      pipes[0].send(("init", side, None))
      pipes[0].recv()
      all_do("run", side, args.seconds / 5)
    results = in_turns(args, lambda side: sum(all_do("run", side, args.seconds)))
    for pipe in pipes:
      pipe.send(None)
    for process in clients:
      process.join()
  return [results[side] for side in SIDES]


def memory(args, initial):
  """For each side: GB of the parameter server with 1 GB of variables, after five pushes to all of them, and at most."""
  results = []
  for server in (None, args.server):
    with Cluster(server, ONE_WORKER, args.threads) as cluster, tf.Graph().as_default():
      with tf.variable_scope("", use_resource=True):
        init, push = cases.gigabyte(initial)
      cluster.wait()
      resident = lambda field="VmRSS": cluster.memory_mb("ps", field) * 2**20 / 1e9
      with cluster.session("worker") as session:
        session.run(init)
        time.sleep(0.5)
        initialised = resident()
        for _ in range(5):
          session.run(push)
        # What a step needed besides is given back when it has lain unused for a few seconds.
        time.sleep(6)
        results.append((initialised, resident(), resident("VmHWM")))
  return results


class Service:
  """Our own worker at a parameter server of ours; see benches/src/service.rs."""

  def __init__(self, program, address):
    self.process = subprocess.Popen([program, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

  def times(self, seconds):
    self.process.stdin.write("%f\n" % seconds)
    self.process.stdin.flush()
    line = self.process.stdout.readline()
    if not line:
      raise RuntimeError("downpour-bench-service ended with %s" % self.process.wait())
    return json.loads(line)

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.process.kill()
    self.process.wait()


def push_and_pull(args):
  """Seconds of a push and a pull: of TensorFlow's parameter server, our parameter service, and a graph of ours."""
  sides = ("tensorflow", "service", "downpour")
  with both_sides(args, ONE_WORKER) as clusters, tf.Graph().as_default(), contextlib.ExitStack() as stack:
    alone = stack.enter_context(Cluster(args.server, {"ps": 1}, args.threads))
    alone.wait()
    program = os.path.join(os.path.dirname(args.local or args.server), "downpour-bench-service")
    service = stack.enter_context(Service(program, alone.addresses["ps"][0]))
    with tf.variable_scope("", use_resource=True):
      _, targets, _ = cases.on_cluster(cases.push_and_pull)
      init = tf.global_variables_initializer()
    sessions = {side: stack.enter_context(clusters[side].session("worker")) for side in SIDES}
    for session in sessions.values():
      session.run(init)

    def measure(side):
      if side == "service":
        service.times(args.seconds / 5)
        return service.times(args.seconds)
      return times_of(lambda: sessions[side].run(targets), args.seconds)

    results = in_turns(args, measure, sides)
    return [[t for times in results[side] for t in times] for side in sides]


def run_push_and_pull(args, report):
  theirs, service, graph = [statistics.median(times) for times in push_and_pull(args)]
  report.add(PUSH_AND_PULL + ", parameter service", theirs * 1e3, service * 1e3, "ms", theirs / service, 2.0)
  report.add(PUSH_AND_PULL + ", graph", theirs * 1e3, graph * 1e3, "ms", theirs / graph)


def run_steps(args, report, name, make, resource, goal):
  sides = SIDES + ("loopback",) if name.startswith("push of") else SIDES
  results = time_steps(args, make, resource, sides)
  theirs, ours, *plain = [statistics.median(times) for times in results]
  report.add(name, theirs * 1e3, ours * 1e3, "ms", theirs / ours, goal, steps=[len(times) for times in results])
  if make is cases.wide_embedding:
    report.add("  its examples", cases.EXAMPLES / theirs, cases.EXAMPLES / ours, "/s")
  for raw in plain:
    rate = lambda seconds: cases.FLOATS * 4 / seconds / 1e6
    report.add("  its rate", rate(theirs), rate(ours), "MB/s")
    report.add("  its share of plain loopback TCP (%.0f MB/s)" % rate(raw), 100 * raw / theirs, 100 * raw / ours, "%")


def run_asynchronous(args, report):
  theirs, ours = [statistics.median(rates) for rates in asynchronous(args)]
  report.add(ASYNCHRONOUS, theirs, ours, "steps/s", ours / theirs, 2.0)


def run_memory(args, report):
  for kind, initial in cases.INITIAL.items():
    for when, theirs, ours in zip(("", ", after 5 pushes to all of them", ", at most"), *memory(args, initial)):
      goal = None if when == ", at most" else "<= 1.1 GB"
      report.add("%s (%s)%s" % (MEMORY, kind, when), theirs, ours, "GB", theirs / ours, goal)


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--against", choices=["tensorflow"])
  p.add_argument("--cluster", action="store_true")
  p.add_argument("--server", required=True)
  p.add_argument("--local", help="beside it lies downpour-bench-service")
  p.add_argument("--threads", type=int, default=1)
  p.add_argument("--seconds", type=float, default=1.0, help="length of a round")
  p.add_argument("--repeats", type=int, default=5, help="rounds of each side")
  p.add_argument("--json", metavar="FILE", help="write the results there too")
  p.add_argument("names", nargs="*", help="only benchmarks whose name contains one of these")
  args = p.parse_args()
  multiprocessing.set_start_method("spawn")
  wanted = lambda name: not args.names or any(n in name for n in args.names)
  report = Report(args)
  everything = [(name, lambda name=name, case=case: run_steps(args, report, name, *case)) for name, *case in STEPS]
  everything.append((ASYNCHRONOUS, lambda: run_asynchronous(args, report)))
  everything.append((PUSH_AND_PULL, lambda: run_push_and_pull(args, report)))
  everything.append((MEMORY, lambda: run_memory(args, report)))
  for name, run in everything:
    if wanted(name):
      try:
        run()
      except (RuntimeError, tf.errors.OpError) as e:
        report.failed(name, e)
  report.write()


if __name__ == "__main__":
  main()
