#!/usr/bin/env python3
"""What snapshots of parameter servers cost: training with one every second (the default) beside training with none.

  cargo build --release -p downpour-cli
  benches/snapshot_cost.py [--binary target/release/downpour] [--rounds 5] [--seconds 8] [NAME...]

2 parameter servers and 2 workers are processes (`downpour train`) on this machine, with its own data. Both sides run in
turn, in several rounds; who begins changes with the round. Printed are the medians of the chief's steps per second, their
ratio, the mean time between two snapshots, and whether the goal is met: snapshots cost less than 3 %.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
PATIENCE, NEVER = 120, 1e6
SIDES = {"every second": "", "never": "snapshot_every = %g" % NEVER}
# (name, strategy, hidden layers, batch): models of 0.1, 1.9 and 50 MB, and as much again for the optimizer's sums.
CASES = [
    ("downpour, small", "downpour", [32], 32),
    ("downpour, medium", "downpour", [512, 128], 64),
    ("downpour, large", "downpour", [4096, 2048], 64),
    ("synchronous, small", "synchronous", [32], 32),
    ("synchronous, medium", "synchronous", [512, 128], 64),
    ("synchronous, large", "synchronous", [4096, 2048], 64),
    ("bounded, medium", "bounded", [512, 128], 64),
]
JOB = """
name = "snapshots"
[model]
kind = "mlp"
hidden = %(hidden)s
[data]
source = "mnist"
folder = "%(data)s"
batch = %(batch)d
[optimizer]
kind = "adagrad"
learning_rate = 0.01
[train]
steps = 100000000
checkpoint_every = 100000000
[cluster]
strategy = "%(strategy)s"
ps = 2
workers = 2
threads = 1
%(extra)s
"""


def events(run, task, kind):
  path = run / "tasks" / (task + ".jsonl")
  found = []
  for line in path.read_text().splitlines() if path.exists() else []:
    try:
      event = json.loads(line)
    except ValueError:  # It is being written.
      continue
    if event["kind"] == kind:
      found.append(event)
  return found


def newest_cut(run):
  """The number of the newest snapshot that the first server has written."""
  numbers = [int(path.name.rsplit("-", 1)[1]) for path in run.rglob("ps-0.cut-*") if path.name.rsplit("-", 1)[1].isdigit()]
  return max(numbers, default=0)


def measure(binary, strategy, hidden, batch, extra, seconds):
  """The chief's steps per second, and how many snapshots were written meanwhile."""
  folder = pathlib.Path(tempfile.mkdtemp())
  job, run = folder / "job.toml", folder / "snapshots"
  job.write_text(JOB % dict(hidden=hidden, data=REPOSITORY / "data" / "mnist", batch=batch, strategy=strategy, extra=extra))
  process = subprocess.Popen([binary, "train", "--runs", str(folder), "--json", str(job)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
  try:
    until = time.time() + PATIENCE
    while len(events(run, "worker-0", "progress")) < 3:
      if process.poll() is not None or time.time() > until:
        sys.exit("no steps of %s: %s" % (strategy, process.stderr.read() if process.poll() is not None else "it hangs"))
      time.sleep(0.1)
    time.sleep(1.0)
    begun, cuts = time.time(), newest_cut(run)
    time.sleep(seconds)
    ended = time.time()
    cuts = newest_cut(run) - cuts
    seen = [(event["time"], event["step"]) for event in events(run, "worker-0", "progress") if begun <= event["time"] <= ended]
    if len(seen) < 3:
      sys.exit("only %d reports of %s in %.0f s: more --seconds are needed" % (len(seen), strategy, seconds))
    (first, low), (last, high) = seen[0], seen[-1]
    return (high - low) / (last - first), cuts
  finally:
    process.terminate()
    process.communicate(timeout=PATIENCE)
    shutil.rmtree(folder)


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--binary", type=pathlib.Path, default=pathlib.Path("target/release/downpour"))
  p.add_argument("--rounds", type=int, default=5)
  p.add_argument("--seconds", type=float, default=8.0)
  p.add_argument("names", nargs="*", help="cases to measure (default: all)")
  args = p.parse_args()
  missed = 0
  print("%-22s %14s %12s %7s   %s" % ("", "every second", "never", "ratio", "seconds between snapshots"))
  for name, strategy, hidden, batch in CASES:
    if args.names and name not in args.names:
      continue
    rates, cuts = {side: [] for side in SIDES}, 0
    for number in range(args.rounds):
      for side in sorted(SIDES, reverse=number % 2 == 1):
        rate, taken = measure(args.binary.absolute(), strategy, hidden, batch, SIDES[side], args.seconds)
        rates[side].append(rate)
        cuts += taken if side == "every second" else 0
    every, never = (statistics.median(rates[side]) for side in SIDES)
    missed += every < 0.97 * never
    print("%-22s %8.1f steps/s %8.1f /s %7.3f   %.1f  %s" % (
        name, every, never, every / never, args.rounds * args.seconds / max(cuts, 1), "ok" if every >= 0.97 * never else "MISSED"), flush=True)
  return 1 if missed else 0


if __name__ == "__main__":
  sys.exit(main())
