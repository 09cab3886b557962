#!/usr/bin/env python3
"""Runs the oracle's cases in TensorFlow and on a Downpour server; see README.md."""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from share import Result, run_share  # noqa: E402


def arguments():
  p = argparse.ArgumentParser(description=__doc__)
  p.add_argument("--server", required=True, help="the downpour binary")
  p.add_argument("--family", action="append", help="only this file of cases")
  p.add_argument("--op", default="*", help="only operations that match")
  p.add_argument("--table", default="", help="where to write the table")
  p.add_argument("--gradients", choices=["also", "only", "not"], default="also", help="compare gradients: beside the values, without them, or not")
  p.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="how many processes share the cases")
  p.add_argument("-v", action="store_true", help="a line per case")
  return p.parse_args()


def main():
  args = arguments()
  names = args.family or sorted(p.stem for p in (HERE / "cases").glob("*.py") if p.stem != "__init__")
  listed = subprocess.run([args.server, "ops", "--json"], capture_output=True, text=True, check=True).stdout
  known = {o["name"]: o for o in map(json.loads, listed.splitlines())}
  exempt, exempt_gradients = reasons("exempt.txt"), reasons("exempt_gradients.txt")
  result = Result()
  shares = max(args.jobs, 1)
  # New processes: TensorFlow's threads do not survive a fork. One that crashes ends the run.
  with concurrent.futures.ProcessPoolExecutor(shares, multiprocessing.get_context("spawn")) as pool:
    work = [pool.submit(run_share, args, names, exempt_gradients, share, shares) for share in range(shares)]
    for found in work:
      result.add(found.result())
  missing = []
  if not args.family and args.op == "*":
    missing = [op for op in sorted(known) if op not in result.covered and op not in exempt and args.gradients != "only"]
    table = pathlib.Path(args.table or HERE.parent.parent / "target" / "oracle" / "table.md")
    table.parent.mkdir(parents=True, exist_ok=True)
    verdicts = result.record.judge(known, exempt_gradients) if args.gradients != "not" else {}
    write_table(table, known, result.covered, exempt, verdicts)
    for op in missing:
      print("NO CASE for %s" % op)
    for op, (text, wrong) in verdicts.items():
      if wrong:
        missing.append(op)
        print("GRADIENT of %s: %s" % (op, text))
    print("gradients: %d runs compared, %d operations" % (result.compared, len(result.record.dtypes)))
    print("table: %s" % table)
  for complaint in result.complaints:
    print(complaint)
  wrong = len(result.failed) + len(missing) + len(result.complaints)
  print("%d passed, %d failed" % (result.passed, wrong))
  return 1 if wrong else 0


def reasons(file):
  """By operation, why it is left out."""
  lines = (HERE / file).read_text().splitlines()
  return dict(line.split(" ", 1) for line in lines if line.strip() and not line.startswith("#"))


def write_table(path, known, covered, exempt, verdicts):
  lines = ["| operation | runs | dtypes | attributes | gradient rule | gradient compared in |", "| --- | --- | --- | --- | --- | --- |"]
  for op in sorted(known):
    entry = covered.get(op)
    gradient = "%s | %s" % (known[op]["gradient"], verdicts.get(op, ("", False))[0].replace("|", "/"))
    if entry:
      lines.append("| %s | %d | %s | %s | %s |" % (op, entry["runs"], " ".join(sorted(entry["dtypes"])),
                                              " ".join(sorted(entry["attrs"])).replace("|", "/"), gradient))
    else:
      lines.append("| %s | 0 | | %s | %s |" % (op, exempt.get(op, "NOT COMPARED"), gradient))
  path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
  sys.exit(main())
