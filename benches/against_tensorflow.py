#!/usr/bin/env python3
"""Both sides in one run, with equal thread limits; prints ratios (TensorFlow's time / ours).

  cargo xtask bench --against tensorflow [--threads N] [--seconds S] [NAME...]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

from side_by_side import Cluster, mlp, np, tf, timed


def while_loop():
  n = tf.placeholder(tf.int32, [], "n")
  return [tf.while_loop(lambda i: i < n, lambda i: i + 1, [0])], [], {n: np.int32(1000)}


def scalar_adds():
  x = tf.placeholder(tf.float32, [], "x")
  v = x
  for i in range(2000):
    v = v + float(i % 7)
  return [v], [], {x: np.float32(1)}


def product(m, k, n):
  def make():
    a, b = tf.placeholder(tf.float32, [m, k], "a"), tf.placeholder(tf.float32, [k, n], "b")
    rng = np.random.RandomState(0)
    # Run, not fetched: copying the result into Python does not count.
    return [], [tf.matmul(a, b).op], {a: rng.rand(m, k).astype("f"), b: rng.rand(k, n).astype("f")}
  return make


def chain():
  x = tf.placeholder(tf.float32, [10_000_000], "x")
  v = x
  for i in range(2):
    v = tf.nn.relu(v * 1.5 + 0.5) - 0.25
  return [], [v.op], {x: np.random.RandomState(0).rand(10_000_000).astype("f")}


LOCAL = [
    ("MLP 784-256-10 training step, batch 64", mlp, 1.5),
    ("while loop of 1,000 iterations", while_loop, 5.0),
    ("graph of 2,000 scalar adds", scalar_adds, 4.0),
    ("matrix product 64x784x256", product(64, 784, 256), 0.95),
    ("matrix product 512x512x512", product(512, 512, 512), 0.95),
    ("matrix product 1024x1024x1024", product(1024, 1024, 1024), 0.95),
    ("chain of 8 element-wise operations on 10 M floats", chain, 2.5),
]


def local(make, args, folder):
  """(TensorFlow's, our) seconds per step in one process each."""
  with tf.Graph().as_default() as graph:
    fetches, targets, feed = make()
    init = tf.global_variables_initializer()
    config = tf.ConfigProto(intra_op_parallelism_threads=args.threads, inter_op_parallelism_threads=args.threads)
    with tf.Session(config=config) as s:
      s.run(init)
      callable_ = s.make_callable(fetches + targets, list(feed))
      values = list(feed.values())
      theirs = timed(lambda: callable_(*values), args.seconds)
    spec = {"graph": str(folder / "graph.pb"), "init": [init.name], "fetches": [t.name for t in fetches],
            "targets": [t.name for t in targets], "threads": args.threads, "seconds": args.seconds, "feeds": {}}
    (folder / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    for i, (t, value) in enumerate(feed.items()):
      file = folder / ("feed%d.pb" % i)
      file.write_bytes(tf.make_tensor_proto(value).SerializeToString())
      spec["feeds"][t.name] = str(file)
    (folder / "spec.json").write_text(json.dumps(spec))
  out = subprocess.run([args.local, str(folder / "spec.json")], capture_output=True, text=True)
  if out.returncode:
    raise RuntimeError(out.stderr)
  return theirs, json.loads(out.stdout)["median_ns"] / 1e9


def served(args):
  """Null step through gRPC, start-up and memory, for (TensorFlow, ours)."""
  results = []
  for server in (None, args.server):
    start = time.perf_counter()
    with Cluster(server, {"localhost": 1}, args.threads) as alone:
      alone.wait()
      ready = time.perf_counter() - start
      time.sleep(0.3)
      memory = alone.memory_mb("localhost")
      with tf.Graph().as_default(), tf.Session(alone.target("localhost")) as s:
        nothing = tf.no_op()
        step = timed(lambda: s.run(nothing), args.seconds)
    results.append((step, ready, memory))
  return results


def main():
  p = argparse.ArgumentParser()
  p.add_argument("--against", choices=["tensorflow"])
  p.add_argument("--server", required=True)
  p.add_argument("--local", required=True)
  p.add_argument("--threads", type=int, default=1)
  p.add_argument("--seconds", type=float, default=2.0)
  p.add_argument("names", nargs="*", help="only benchmarks whose name contains one of these")
  args = p.parse_args()
  wanted = lambda name: not args.names or any(n in name for n in args.names)
  print("threads: %d" % args.threads)
  print("| benchmark | TensorFlow | Downpour | ratio | goal |\n| --- | --- | --- | --- | --- |")
  with tempfile.TemporaryDirectory() as folder:
    for name, make, goal in LOCAL:
      if wanted(name):
        theirs, ours = local(make, args, pathlib.Path(folder))
        print("| %s | %.3f ms | %.3f ms | %.2f | %.2f |" % (name, theirs * 1e3, ours * 1e3, theirs / ours, goal), flush=True)
  if wanted("server"):
    (t_step, t_ready, t_mem), (o_step, o_ready, o_mem) = served(args)
    print("| null RunStep through gRPC | %.3f ms | %.3f ms | %.2f | 1.50 |" % (t_step * 1e3, o_step * 1e3, t_step / o_step))
    print("| server ready | %.0f ms | %.0f ms | %.1f | < 100 ms |" % (t_ready * 1e3, o_ready * 1e3, t_ready / o_ready))
    print("| server resident when idle | %.0f MB | %.0f MB | %.1f | < 40 MB |" % (t_mem, o_mem, t_mem / o_mem))


if __name__ == "__main__":
  main()
