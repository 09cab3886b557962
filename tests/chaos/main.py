#!/usr/bin/env python3
"""Trains in every way while processes are killed and stopped, disks fill up, files are damaged, clocks jump and strangers
connect; each run must end in its time, with the accuracy of a run without faults and with balanced books.

  cargo xtask chaos --minutes 60 --seed 7        runs one after the other, for an hour
  cargo xtask chaos --seed 7 --run 12            run 12 of that seed again
  cargo xtask chaos --only synchronous,kill_server
                                                 setups and kinds of faults to draw from
  cargo xtask chaos --list                       their names
  cargo xtask chaos --kills-of-servers 200       kills parameter servers, over all setups that have some

A run that shows something is kept under target/chaos, and printed with the command that repeats it; the exit code is then 1.
"""
import argparse
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import books
import checks
import clock
import guard
import isolation
import plan as plans
import setups
from load import Load
from table import Table
from trial import Trial


class Tools:
  """What all runs of this process share."""

  def __init__(self, binary, kept, isolated):
    self.binary, self.kept = binary, kept
    kept.mkdir(parents=True, exist_ok=True)
    if isolated:
      # In memory and seen by nobody else: it is gone when chaos ends, however that happens.
      self.scratch = kept / "scratch"
      self.scratch.mkdir(exist_ok=True)
      subprocess.run(["mount", "-t", "tmpfs", "chaos", str(self.scratch)], check=True)
    else:
      self.scratch = pathlib.Path(tempfile.mkdtemp(dir=kept))
    self.data = self.scratch / "data"
    setups.write_digits(self.data)
    self.load, self.job_seed, self.library = Load(), 7, None
    self.load.start()

  def clock(self):
    self.library = self.library or clock.build(self.scratch)
    return self.library


class Stopped(Exception):
  """Somebody wants chaos to end."""


def stop(*_):
  for number in isolation.SIGNALS:
    signal.signal(number, signal.SIG_IGN)
  raise Stopped


class Chaos:
  def __init__(self, args, tools):
    self.args, self.tools, self.table, self.baselines = args, tools, Table(), {}

  def baseline(self, setup):
    """A run without faults, once for each setup."""
    if setup.name not in self.baselines:
      trial = Trial(plans.Plan(self.args.seed, 0, setup, [], ["max_restarts = 0"]), self.tools)
      trial.go()
      trial.slow = trial.slowness()
      findings = checks.check(trial)
      say("baseline  %-26s %5.1f s, accuracy %s" % (setup.name, trial.seconds, getattr(trial, "accuracy", None)))
      if findings:
        self.report(trial, findings)
        self.table.findings += [(trial.plan, "without faults: " + finding) for finding in findings]
      shutil.rmtree(trial.folder, ignore_errors=True)
      self.baselines[setup.name] = trial
    return self.baselines[setup.name]

  def run(self, plan):
    baseline = self.baseline(plan.setup)
    if not hasattr(baseline, "accuracy"):
      return
    trial = Trial(plan, self.tools, baseline)
    try:
      trial.go()
      findings = checks.check(trial)
      self.table.add(trial, findings, books.lost_updates(trial))
      missed = len(plan.faults) - len(trial.inflicted)
      say("run %-4d  %-26s %5.1f s, %d faults%s, accuracy %s  %s" % (
          plan.number, plan.setup.name, trial.seconds, len(trial.inflicted), " (%d came too late)" % missed if missed else "",
          getattr(trial, "accuracy", None), "FOUND" if findings else "ok"))
      if findings or self.args.verbose:
        say("          " + str(plan))
      if findings:
        self.report(trial, findings)
    finally:
      trial.close()
      shutil.rmtree(trial.folder, ignore_errors=True)

  def report(self, trial, findings):
    plan = trial.plan
    kept = self.tools.kept / ("seed-%d-run-%d-%s" % (plan.seed, plan.number, plan.setup.name))
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(trial.folder, kept, ignore=shutil.ignore_patterns("ballast"))
    kept.joinpath("findings.txt").write_text("\n".join([str(plan), *findings, repeat(self.args, plan)]) + "\n")
    inflicted = [(str(one.fault), round(one.moment - trial.begun, 2), one.step) for one in trial.inflicted]
    kept.joinpath("inflicted.json").write_text(json.dumps(inflicted, indent=1) + "\n")
    for finding in findings:
      say("          found: " + finding)
    say("          repeat: " + repeat(self.args, plan))
    say("          kept:   %s" % kept)


def repeat(args, plan):
  words = ["cargo xtask chaos --seed %d --run %d" % (plan.seed, plan.number)]
  words += ["--only " + args.only] if args.only else []
  words += ["--kills-of-servers %d" % args.kills_of_servers] if args.kills_of_servers else []
  words += ["--binary %s" % args.binary] if args.given else []
  return " ".join(words)


def say(text):
  print(text, flush=True)


def arguments():
  p = argparse.ArgumentParser(prog="cargo xtask chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--minutes", type=float, default=10, metavar="N", help="begin runs for so many minutes (default: 10)")
  p.add_argument("--seed", type=int, metavar="S", help="draw all plans from this number (default: from the clock)")
  p.add_argument("--run", type=int, metavar="K", help="make only this run of the seed")
  p.add_argument("--first", type=int, default=0, metavar="K", help="begin with this run of the seed")
  p.add_argument("--only", default="", metavar="NAME,...", help="draw from these setups or kinds of faults only")
  p.add_argument("--kills-of-servers", type=int, metavar="N", help="kill parameter servers N times, and nothing else")
  p.add_argument("--kills-per-run", type=int, default=4, help=argparse.SUPPRESS)
  p.add_argument("--binary", type=pathlib.Path, metavar="PATH", help="test this program (default: build it)")
  p.add_argument("--profile", help="build it with this profile (default: release)")
  p.add_argument("--given", action="store_true", help=argparse.SUPPRESS)
  p.add_argument("--target", type=pathlib.Path, default=pathlib.Path("target"), help=argparse.SUPPRESS)
  p.add_argument("--list", action="store_true", help="list setups and kinds of faults")
  p.add_argument("--verbose", action="store_true", help="print the plan of every run")
  args = p.parse_args()
  if args.seed is None:
    args.seed = int(time.time()) % 100_000
  unknown = set(filter(None, args.only.split(","))) - plans.NAMES - {s.name for s in setups.SETUPS} - {s.strategy for s in setups.SETUPS}
  if not args.binary and not args.list:
    p.error("--binary is missing; `cargo xtask chaos` builds and names one")
  if unknown:
    p.error("nothing is called %s; --list prints the names" % ", ".join(sorted(unknown)))
  return args


def main():
  args = arguments()
  if args.list:
    say("setups: " + " ".join(setup.name for setup in setups.SETUPS))
    say("faults: " + " ".join(sorted(plans.NAMES)))
    return 0
  isolated = isolation.enter()
  for number in isolation.SIGNALS:
    signal.signal(number, stop)
  guard.be_ended_first()
  say("seed %d, %s" % (args.seed, args.binary))
  tools = Tools(args.binary.resolve(), args.target.resolve() / "chaos", isolated)
  chaos = Chaos(args, tools)
  only = [word for word in args.only.split(",") if word]
  end, number = time.monotonic() + 60 * args.minutes, args.first
  try:
    while True:
      if args.run is not None:
        number = args.run
      if args.kills_of_servers:
        plan = plans.draw_kills(args.seed, number, args.kills_per_run, only)
      else:
        plan = plans.draw(args.seed, number, only, isolated)
      chaos.run(plan)
      number += 1
      enough = chaos.table.server_kills >= args.kills_of_servers if args.kills_of_servers else time.monotonic() > end
      if args.run is not None or enough:
        break
  except Stopped:
    say("stopped")
  finally:
    shutil.rmtree(tools.scratch, ignore_errors=True)  # A mount stays, empty, and goes with the namespace.
  say(str(chaos.table))
  return 1 if chaos.table.findings else 0


if __name__ == "__main__":
  sys.exit(main())
