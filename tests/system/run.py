#!/usr/bin/env python3
"""System tests: real Downpour processes driven by TensorFlow's own client.

  run.py --server target/debug/downpour [NAME...]     names of tests, or all of them
"""
import argparse
import importlib
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

MODULES = [
    "training", "checkpoints", "formats", "bad_inputs", "memory", "server", "cluster", "collectives", "distributed_loops", "mnist", "failures",
    "launch", "status", "library", "models_alike", "precision", "train", "strategies", "comparison", "faults", "leases", "rebalance", "pipelines",
    "open_ids", "examples", "book",
]


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--server", required=True)
  p.add_argument("names", nargs="*")
  args = p.parse_args()
  args.server = str(pathlib.Path(args.server).absolute())  # tests run programs in folders of their own
  passed, failed = 0, 0
  for module in MODULES:
    tests = importlib.import_module(module)
    for name, test in sorted(vars(tests).items()):
      if not name.startswith("test_") or (args.names and name not in args.names):
        continue
      start = time.time()
      try:
        test(args.server)
        passed += 1
        print("ok %s.%s (%.1f s)" % (module, name, time.time() - start), flush=True)
      except Exception:
        failed += 1
        print("FAILED %s.%s\n%s" % (module, name, traceback.format_exc()), flush=True)
  print("%d passed, %d failed" % (passed, failed))
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
