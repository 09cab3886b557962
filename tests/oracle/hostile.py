#!/usr/bin/env python3
"""Sends every operation inputs that no good client sends; see README.md."""
import argparse
import fnmatch
import importlib
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import tensorflow_environment  # noqa: E402, F401

# The first stands for the definitions of all operations; every_type repeats the others' cases.
SIGNATURES, LEFT_OUT = "signatures", ("__init__", "every_type")


def arguments():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--server", required=True, help="the downpour binary")
  p.add_argument("--family", action="append", help="only this file of cases, or 'signatures'")
  p.add_argument("--op", default="*", help="only operations that match")
  p.add_argument("--seed", default="1", help="other mutations for each")
  p.add_argument("--count", type=int, default=10, help="mutations for each operation of a family")
  p.add_argument("--seconds", type=float, default=0, help="begin no operation after so long")
  p.add_argument("--only", default="", help="one mutation, as a finding names it")
  p.add_argument("--milliseconds", type=int, default=2000, help="the deadline of a step")
  p.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 2), help="how many processes share the operations")
  p.add_argument("--compare", action="store_true", help="send the same to TensorFlow's own server, and report where one refuses what the other takes")
  p.add_argument("-v", action="store_true", help="a line for each mutation")
  return p.parse_args()


def main():
  args = arguments()
  families = [SIGNATURES] + sorted(p.stem for p in (HERE / "cases").glob("*.py") if p.stem not in LEFT_OUT)
  if args.only:
    families, args.jobs = [args.only.split(":")[0]], 1
  elif args.family:
    families = args.family
  start = time.time()
  with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
    shares = pool.starmap(run_share, [(args, families, share, start) for share in range(args.jobs)], chunksize=1)
  findings = [f for share in shares for f in share.findings]
  ran, answered = sum(share.ran for share in shares), {}
  for share in shares:
    for code, count in share.answers.items():
      answered[code] = answered.get(code, 0) + count
  print("%d operations, %d mutations in %d s; answers: %s" % (
      len(set().union(*(share.ops for share in shares))), ran, time.time() - start, ", ".join("%s %d" % kv for kv in sorted(answered.items()))))
  print("%d passed, %d failed" % (ran - len(findings), len(findings)))
  return 1 if findings else 0


def run_share(args, families, share, start):
  from mutation.judge import Judge
  import tensorflow.compat.v1 as tf
  tf.disable_v2_behavior()
  judge = Judge(args)
  try:
    for number, (family, op, plans) in enumerate(groups(args, families)):
      if number % args.jobs == share and not (args.seconds and time.time() - start > args.seconds):
        judge.examine(family, op, plans)
  finally:
    judge.stop()
  return judge.outcome()


def groups(args, families):
  """(family, operation or scenario, [(key, how to make its plan)])."""
  from mutation import signature
  for family in families:
    if family == SIGNATURES:
      for definition in definitions(args.server):
        if fnmatch.fnmatch(definition.name, args.op):
          # A plan of its own for every mutation: the definition is all they have in common.
          keys = ["%s:%s:%d" % (family, definition.name, n) for n in range(max(args.count, 1))]
          if args.only:
            keys = [args.only.split("#")[0]] if args.only.split(":")[1] == definition.name else []
          yield family, definition.name, [(key, lambda k=key, d=definition: signature.plan_of(d, k, args.seed)) for key in keys]
      continue
    by_op = {}
    for number, one in enumerate(importlib.import_module("cases." + family).cases()):
      ops = [one.op] if hasattr(one, "op") else one.ops
      if not any(fnmatch.fnmatch(op, args.op) for op in ops):
        continue
      for label, dtype, make in one.runs():
        key = "%s:%d:%s" % (family, number, dtype or "")
        if not args.only or args.only.split("#")[0] == key:
          by_op.setdefault(ops[0], []).append((key, lambda m=make, o=ops: plan_of_case(m, o)))
    for op, plans in by_op.items():
      yield family, op, plans


def plan_of_case(make, ops):
  from mutation.plan import plan
  return plan(make, ops)


def definitions(server):
  """Those of all operations but the one that ends the process that runs it."""
  from tensorflow.core.framework import op_def_pb2
  lines = subprocess.run([server, "ops", "--definitions"], capture_output=True, check=True).stdout.splitlines()
  found = [op_def_pb2.OpDef.FromString(bytes.fromhex(line.decode())) for line in lines]
  return [op for op in found if op.name != "Abort"]


if __name__ == "__main__":
  sys.exit(main())
