#!/usr/bin/env python3
"""What one slow worker of four costs: synchronous training without and with a backup, Sandblaster, and Downpour SGD with
leased data.

  cargo build --release -p downpour-cli -p downpour-bench
  benches/slow_worker.py [--folder target/release] [--rounds 5] [--seconds 10] [--smoke]

4 workers and 2 parameter servers are processes (`downpour run --all`, benches/src/slow_worker.rs). One worker that is not
the chief is slowed to a quarter of its speed by SIGSTOP and SIGCONT: it runs 30 of 120 ms. Steps mostly wait, in ticks of
1 ms of which a stopped process gets fewer: so few cores are enough for the processes not to slow each other. What
coordination costs is real, what computing costs is simulated. Each case runs in turn, in several rounds; medians and the
ratios between them are printed, and whether the goals are met:

  one backup loses less than 15 % of the steps per second that four workers of full speed make together
  Sandblaster's steps take at most 1.3 times as long (1.23 is possible: 4 workers of which one does a quarter)
  with leases all make at least 0.75 of what four of full speed make (0.81 is possible), and the slow one gets less of the
  data than half of an equal share (0.08 of it would be as much as its speed)
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

WORKERS, SERVERS, SLOW = 4, 2, "worker/3"
RUNS, PERIOD = 0.030, 0.120
PATIENCE = 120

# (name, strategy, backups, whether a worker is slow)
CASES = [
    ("synchronous", "synchronous", 0, False),
    ("synchronous, one slow", "synchronous", 0, True),
    ("one backup", "synchronous", 1, False),
    ("one backup, one slow", "synchronous", 1, True),
    ("sandblaster", "sandblaster", 0, False),
    ("sandblaster, one slow", "sandblaster", 0, True),
    ("leased", "leased", 0, False),
    ("leased, one slow", "leased", 0, True),
]


class Pulses(threading.Thread):
  """Lets a process run for a part of the time."""

  def __init__(self, pid):
    super().__init__(daemon=True)
    self.pid, self.over, self.ran, self.stopped = pid, threading.Event(), 0.0, 0.0

  def run(self):
    while not self.over.is_set():
      begun = time.perf_counter()
      os.kill(self.pid, signal.SIGCONT)
      time.sleep(RUNS)
      middle = time.perf_counter()
      os.kill(self.pid, signal.SIGSTOP)
      time.sleep(PERIOD - RUNS)
      self.ran += middle - begun
      self.stopped += time.perf_counter() - middle
    os.kill(self.pid, signal.SIGCONT)

  def end(self):
    self.over.set()
    self.join()
    return self.ran / (self.ran + self.stopped)


def find(launcher, task):
  """The process of a task, among those that descend from the launcher."""
  job, index = task.split("/")
  wanted = {"type": job, "index": int(index)}
  parents = {}
  for folder in pathlib.Path("/proc").glob("[0-9]*"):
    try:
      parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
      pass
  for pid in parents:
    above = pid
    while above in parents and above != launcher:
      above = parents[above]
    if above != launcher:
      continue
    try:
      for entry in (pathlib.Path("/proc") / str(pid) / "environ").read_bytes().split(b"\0"):
        if entry.startswith(b"TF_CONFIG=") and json.loads(entry[10:])["task"] == wanted:
          return pid
    except OSError:
      pass
  sys.exit("no process is " + task)


def progress(folder, worker=0, what=lambda event: event["step"]):
  """(time, step) of a worker, the chief if not said otherwise."""
  path = folder / "tasks" / ("worker-%d.jsonl" % worker)
  found = []
  for line in path.read_text().splitlines() if path.exists() else []:
    try:
      event = json.loads(line)
    except ValueError:
      continue
    if event["kind"] == "progress":
      found.append((event["time"], what(event)))
  return found


def examples(folder, begun, ended):
  """What each worker has trained on between two times."""
  made = []
  for worker in range(WORKERS):
    seen = [count for when, count in progress(folder, worker, lambda event: event["leases"]["examples"]) if begun <= when <= ended]
    made.append(seen[-1] - seen[0] if seen else 0)
  return made


def measure(binaries, strategy, backups, slow, seconds):
  """Steps per second, the share of time the slow worker had, and with leases what share of the data each worker got."""
  folder = pathlib.Path(tempfile.mkdtemp())
  command = [binaries / "downpour", "run", "--all", "--ps", str(SERVERS), "--workers", str(WORKERS),
             *(["--coordinator"] if strategy == "leased" else []), "--",
             str(binaries / "downpour-bench-worker"), strategy, str(backups), str(folder)]
  launcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
  try:
    until = time.time() + PATIENCE
    while min(len(progress(folder, worker)) for worker in range(WORKERS if strategy == "leased" else 1)) < 3:
      if launcher.poll() is not None or time.time() > until:
        sys.exit("no steps of %s: %s" % (strategy, launcher.stderr.read() if launcher.poll() is not None else "it hangs"))
      time.sleep(0.1)
    pulses = Pulses(find(launcher.pid, SLOW)) if slow else None
    if pulses:
      pulses.start()
    # What was under way when it became slow does not count.
    time.sleep(1.0)
    begun = time.time()
    time.sleep(seconds)
    ended = time.time()
    share = pulses.end() if pulses else 1.0
    seen = [(when, step) for when, step in progress(folder) if begun <= when <= ended]
    if len(seen) < 3:
      sys.exit("only %d steps of %s in %.0f s: more --seconds are needed" % (len(seen), strategy, seconds))
    (first, low), (last, high) = seen[0], seen[-1]
    if strategy == "sandblaster":
      # Now and then a step needs a second look at the data: the usual one counts.
      return 1 / statistics.median(after - before for (before, _), (after, _) in zip(seen, seen[1:])), share, None
    made = examples(folder, begun, ended) if strategy == "leased" else None
    return (high - low) / (last - first), share, made and [one / max(sum(made), 1) for one in made]
  finally:
    launcher.terminate()
    launcher.communicate(timeout=PATIENCE)
    shutil.rmtree(folder)


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("target/release"), help="where the programs are")
  p.add_argument("--rounds", type=int, default=5)
  p.add_argument("--seconds", type=float, default=10.0)
  p.add_argument("--smoke", action="store_true", help="one short round: shows that it works, not how fast")
  args = p.parse_args()
  rounds, seconds = (1, 6.0) if args.smoke else (args.rounds, args.seconds)
  rates = {name: [] for name, *_ in CASES}
  shares, data = [], []
  for _ in range(rounds):
    for name, strategy, backups, slow in CASES:
      rate, share, parts = measure(args.folder.absolute(), strategy, backups, slow, seconds)
      rates[name].append(rate)
      shares += [share] if slow else []
      data += [parts] if slow and parts else []
  median = {name: statistics.median(found) for name, found in rates.items()}
  for name, found in rates.items():
    print("%-24s %7.2f steps/s  (%s)" % (name, median[name], ", ".join("%.2f" % rate for rate in found)))
  print("the slow worker ran %.0f %% of the time" % (100 * statistics.median(shares)))
  parts = [statistics.median(one) for one in zip(*data)]
  print("with leases the workers got %s of the data" % ", ".join("%.2f" % part for part in parts))
  full = median["synchronous"]
  goals = [
      ("without a backup, of full speed", median["synchronous, one slow"] / full, None),
      ("with a backup, of full speed", median["one backup, one slow"] / full, lambda ratio: ratio > 0.85),
      ("sandblaster's steps, times as long", median["sandblaster"] / median["sandblaster, one slow"], lambda ratio: ratio <= 1.3),
      ("leased, of full speed", median["leased, one slow"] / median["leased"], lambda ratio: ratio >= 0.75),
      ("the slow one's part of leased data", parts[-1], lambda ratio: ratio < 0.5 / WORKERS),
  ]
  for what, ratio, met in goals:
    print("%-36s %.2f %s" % (what, ratio, "" if met is None else "ok" if met(ratio) else "MISSED"))


if __name__ == "__main__":
  main()
