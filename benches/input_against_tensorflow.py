#!/usr/bin/env python3
"""Pipelines of `tf.data` on both servers, driven in turns by one TensorFlow client; prints ratios (ours / TensorFlow's).

  cargo xtask bench --against tensorflow --input [--threads N] [--seconds S] [--repeats R] [--json FILE] [NAME...]

A step takes one batch on the server and looks at its first numbers; nothing but an acknowledgement comes back, so what is
timed is the pipeline. While one side is timed the other is stopped, because its pipeline would go on filling its buffers.
Figures are medians over R rounds of S seconds. That both sides make the same batches is checked first.
"""
import argparse
import contextlib
import json
import signal
import statistics
import tempfile

from input_cases import PIPELINES
from side_by_side import SIDES, Cluster, in_turns, np, tf, times_of

# Batches that must be alike on both sides.
COMPARED = 3


def graph(pipeline, paths):
  """The tensors of the next batch, an operation that makes it and takes it, and the initializer."""
  iterator = tf.data.make_initializable_iterator(pipeline.make(paths))
  element = tf.nest.flatten(iterator.get_next())
  looked_at = [tf.shape(part) for part in element]
  return element, tf.group(*looked_at), iterator.initializer


def check_alike(pipeline, sessions, element, initializer):
  batches = {}
  for side, session in sessions.items():
    session.run(initializer)
    batches[side] = [session.run(element) for _ in range(COMPARED)]
  for theirs, ours in zip(batches["tensorflow"], batches["downpour"]):
    for one, other in zip(theirs, ours):
      if one.dtype.kind == "f":
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-4, err_msg=pipeline.name)
      else:
        np.testing.assert_array_equal(other, one, err_msg=pipeline.name)


def rates(pipeline, args):
  """Elements per second of each side, a figure a round."""
  with contextlib.ExitStack() as stack:
    paths = pipeline.write(stack.enter_context(tempfile.TemporaryDirectory(prefix="downpour-input-")))
    servers = {"tensorflow": None, "downpour": args.server}
    clusters = {side: stack.enter_context(Cluster(servers[side], {"worker": 1}, args.threads)) for side in SIDES}
    for cluster in clusters.values():
      cluster.wait()
    stack.enter_context(tf.Graph().as_default())
    element, take, initializer = graph(pipeline, paths)
    sessions = {side: stack.enter_context(clusters[side].session("worker")) for side in SIDES}
    check_alike(pipeline, sessions, element, initializer)

    def signal_to(side, number):
      for process in clusters[side].processes.values():
        process.send_signal(number)

    def measure(side):
      other = SIDES[1 - SIDES.index(side)]
      signal_to(other, signal.SIGSTOP)
      try:
        sessions[side].run(initializer)
        return pipeline.rows / statistics.mean(times_of(lambda: sessions[side].run(take), args.seconds))
      finally:
        signal_to(other, signal.SIGCONT)

    return in_turns(args, measure)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("names", nargs="*", metavar="NAME", help="run only pipelines whose name contains one of these")
  parser.add_argument("--server", required=True, help="our binary")
  parser.add_argument("--local", help=argparse.SUPPRESS)
  parser.add_argument("--against", help=argparse.SUPPRESS)
  parser.add_argument("--input", action="store_true", help=argparse.SUPPRESS)
  parser.add_argument("--threads", type=int, default=2)
  parser.add_argument("--seconds", type=float, default=2.0)
  parser.add_argument("--repeats", type=int, default=3)
  parser.add_argument("--json", help="write the figures to this file, too")
  args = parser.parse_args()
  rows = []
  print("| pipeline, elements/s | TensorFlow | Downpour | ratio | goal |\n| --- | --- | --- | --- | --- |", flush=True)
  for pipeline in PIPELINES:
    if args.names and not any(name in pipeline.name for name in args.names):
      continue
    try:
      found = rates(pipeline, args)
    except (tf.errors.OpError, AssertionError) as error:
      why = " ".join(str(getattr(error, "message", error)).split())
      rows.append(dict(name=pipeline.name, failed=why))
      print("| %s | failed: %s |||" % (pipeline.name, why), flush=True)
      continue
    theirs, ours = (statistics.median(found[side]) for side in SIDES)
    rows.append(dict(name=pipeline.name, tensorflow=theirs, downpour=ours, ratio=ours / theirs, goal=pipeline.goal, rounds=found))
    print("| %s | %s | %s | %.2f | %.0f |" % (pipeline.name, "{:,.0f}".format(theirs), "{:,.0f}".format(ours), ours / theirs, pipeline.goal),
          flush=True)
  if args.json:
    with open(args.json, "w") as out:
      json.dump({"threads": args.threads, "rows": rows}, out, indent=1)


if __name__ == "__main__":
  main()
