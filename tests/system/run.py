#!/usr/bin/env python3
"""System tests: real Downpour processes driven by TensorFlow's own client.

  run.py --server target/debug/downpour [NAME...]     names of tests or of modules, or all of them
"""
import argparse
import concurrent.futures
import importlib
import os
import pathlib
import subprocess
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

MODULES = [
    "training", "checkpoints", "formats", "bad_inputs", "memory", "server", "cluster", "collectives", "distributed_loops", "mnist", "failures",
    "launch", "status", "library", "models_alike", "precision", "train", "strategies", "comparison", "faults", "ending", "leases", "rebalance", "pipelines",
    "open_ids", "hostile", "packages", "own_files", "examples", "book",
]
# Stands alone on a line after the output of each test, so that what tests print at the same time is not mixed.
END = "-- end of test --"
# Those that take longest begin first, so that none of them is left alone at the end.
LONGEST = ["faults", "leases", "mnist", "packages", "failures", "strategies", "book"]


def arguments():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--server", required=True)
  p.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="how many modules run at the same time")
  p.add_argument("--module", help="run the tests of this module only, in this process")
  p.add_argument("names", nargs="*")
  args = p.parse_args()
  args.server = str(pathlib.Path(args.server).absolute())  # tests run programs in folders of their own
  return args


def tests(module, names):
  """The tests of a module that are asked for. Reads its text: to import it takes seconds."""
  found = [line[4:line.index("(")] for line in (HERE / (module + ".py")).read_text().splitlines() if line.startswith("def test_")]
  return sorted(name for name in found if not names or name in names or module in names or "%s.%s" % (module, name) in names)


def run_module(module, args):
  """Runs the tests of one module in this process."""
  loaded, failed = importlib.import_module(module), 0
  for name in tests(module, args.names):
    start = time.time()
    try:
      getattr(loaded, name)(args.server)
      said = "ok %s.%s (%.1f s)" % (module, name, time.time() - start)
    except Exception:
      failed += 1
      said = "FAILED %s.%s\n%s" % (module, name, traceback.format_exc())
    print(said + "\n" + END, flush=True)
  return failed


def run_apart(module, args):
  """Runs a module in a process of its own, and shows test by test what it prints."""
  command = [sys.executable, str(HERE / "run.py"), "--server", args.server, "--module", module, *args.names]
  passed, failed, lines = 0, 0, []
  with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
    for line in process.stdout:
      if line.rstrip() != END:
        lines.append(line)
        continue
      good = lines[-1].startswith("ok ")
      passed, failed = passed + good, failed + (not good)
      print("".join(lines), end="", flush=True)
      lines = []
  if process.returncode != 0 and not failed:
    print("%sFAILED %s: the process of its tests ended with code %d" % ("".join(lines), module, process.returncode), flush=True)
    failed = 1
  return passed, failed


def main():
  args = arguments()
  if args.module:
    return 1 if run_module(args.module, args) else 0
  chosen = [module for module in MODULES if tests(module, args.names)]
  known = {name for module in MODULES for name in [module, *tests(module, None)]}
  unknown = [name for name in args.names if name.rsplit(".", 1)[-1] not in known]
  if unknown or not chosen:
    sys.exit("there is no test or module %s" % ", ".join(unknown or args.names))
  chosen.sort(key=lambda module: LONGEST.index(module) if module in LONGEST else len(LONGEST))
  with concurrent.futures.ThreadPoolExecutor(max(args.jobs, 1)) as pool:
    results = list(pool.map(lambda module: run_apart(module, args), chosen))
  print("%d passed, %d failed" % tuple(sum(counts) for counts in zip(*results)))
  return 1 if any(failed for _, failed in results) else 0


if __name__ == "__main__":
  sys.exit(main())
