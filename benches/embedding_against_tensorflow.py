#!/usr/bin/env python3
"""A table of 1,000,000 x 64 with Adagrad, 26 lookups per example: TensorFlow's parameter server beside ours.

  cargo xtask bench --against tensorflow --embedding [--rounds 3] [--steps 300] [--json FILE] [NAME...]

Both train the same model on the same batches from the same first values: 512 examples, logistic loss over one dense
layer, one parameter server and one worker, a process each, one thread each. Sides take turns; each starts its processes
anew, and counts the steps after its first 50. Sides are

  tensorflow ...         its servers and its client: batches fed, or kept on the worker. The faster is what the ratios are to
                         (reference variables would be half as fast)
  downpour serve ...     our servers under the same client and the same graph
  downpour ...           our trainer: `asynchronous` is a graph over both tasks, the others use the parameter service

That both sides train is checked: losses of steps without overlap must be TensorFlow's, step by step, and the others' must
fall as far. Adagrad begins with sums of 1e-8, so that the first gradients of a row change it visibly.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from side_by_side import Cluster, free_port, np, tf

ROWS, WIDTH, EXAMPLES, LOOKUPS, BATCHES = 1_000_000, 64, 512, 26, 32
WARM_UP = 50
PATIENCE = 600

# Whether batches are fed.
THEIRS = {"tensorflow, fed": True, "tensorflow, kept": False}
CLIENTS = {"downpour serve, fed": True, "downpour serve, kept": False}
# Those whose every step sees the one before.
EXACT = {"downpour, asynchronous": "asynchronous", "downpour, synchronous": "synchronous"}
OVERLAPPING = {"downpour, downpour": "downpour"}
SIDES = [*THEIRS, *CLIENTS, *EXACT, *OVERLAPPING]


def write_data(folder):
  rng = np.random.RandomState(0)
  arrays = {
      "ids": rng.randint(0, ROWS, [BATCHES, EXAMPLES, LOOKUPS]),
      "labels": rng.randint(0, 2, [BATCHES, EXAMPLES, 1]).astype("f"),
      "top": rng.uniform(-0.06, 0.06, [LOOKUPS * WIDTH, 1]).astype("f"),
  }
  for name, array in arrays.items():
    array.tofile(folder / name)
  return arrays


def batches(data, fed):
  """Placeholders, or the batch whose turn it is of all that the worker keeps."""
  if fed:
    return tf.placeholder(tf.int64, [EXAMPLES, LOOKUPS]), tf.placeholder(tf.float32, [EXAMPLES, 1])
  with tf.device("/job:worker/task:0"):
    kept = [tf.get_variable(name, initializer=data[name], trainable=False) for name in ("ids", "labels")]
    turn = tf.get_variable("turn", initializer=np.int64(-1), trainable=False)
    now = turn.assign_add(1, read_value=True) % BATCHES
    return [tf.gather(values, now) for values in kept]


def model(data, fed):
  ids, labels = batches(data, fed)
  table = tf.get_variable("table", [ROWS, WIDTH], initializer=tf.constant_initializer(0.1))
  top = tf.get_variable("top", initializer=data["top"])
  rows = tf.reshape(tf.nn.embedding_lookup(table, tf.reshape(ids, [-1])), [EXAMPLES, LOOKUPS * WIDTH])
  loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=tf.matmul(rows, top)))
  train = tf.train.AdagradOptimizer(0.01, initial_accumulator_value=1e-8).minimize(loss)
  return ids, labels, loss, train


def through_client(server, data, fed, steps):
  """Losses of all steps, and when each ended."""
  with Cluster(server, {"ps": 1, "worker": 1}, 1) as cluster, tf.Graph().as_default():
    place = tf.train.replica_device_setter(1, worker_device="/job:worker/task:0")
    with tf.device(place), tf.variable_scope("", use_resource=True):
      ids, labels, loss, train = model(data, fed)
      init = tf.global_variables_initializer()
    cluster.wait()
    losses, ended = [], []
    with cluster.session("worker") as session:
      session.run(init)
      for step in range(steps):
        batch = step % BATCHES
        feed = {ids: data["ids"][batch], labels: data["labels"][batch]} if fed else {}
        losses.append(float(session.run([loss, train], feed)[0]))
        ended.append(time.perf_counter())
    return losses, ended


def through_trainer(program, folder, strategy, steps):
  cluster = {job: ["127.0.0.1:%d" % free_port()] for job in ("ps", "worker")}
  command = [program, strategy, folder, str(steps)]

  def start(job, **more):
    config = json.dumps({"cluster": cluster, "task": {"type": job, "index": 0}})
    return subprocess.Popen(command, env={**os.environ, "TF_CONFIG": config}, text=True, **more)

  server = start("ps", stdout=subprocess.DEVNULL)
  try:
    worker = start("worker", stdout=subprocess.PIPE)
    try:
      said = worker.communicate(timeout=PATIENCE)[0].splitlines()
    finally:
      worker.kill()
      worker.wait()
    if worker.returncode != 0 or len(said) < 2:
      raise RuntimeError("%s ended with %s" % (strategy, worker.returncode))
    return json.loads(said[-2]), json.loads(said[-1])
  finally:
    server.kill()
    server.wait()


def run(args, side, data, folder):
  steps = WARM_UP + args.steps
  if side in THEIRS or side in CLIENTS:
    server, fed = (None, THEIRS[side]) if side in THEIRS else (args.server, CLIENTS[side])
    losses, ended = through_client(server, data, fed, steps)
  else:
    program = pathlib.Path(args.server).with_name("downpour-bench-embedding")
    losses, ended = through_trainer(program, folder, {**EXACT, **OVERLAPPING}[side], steps)
  return losses, args.steps * EXAMPLES / (ended[-1] - ended[WARM_UP - 1])


def check(side, losses, theirs):
  """Complains if a side has not trained as TensorFlow has."""
  last = lambda of: statistics.mean(of[-BATCHES:])
  apart = max(abs(a - b) for a, b in zip(losses, theirs))
  if side not in OVERLAPPING and apart > 1e-3:
    return "its losses are %.2g from TensorFlow's" % apart
  # Parameters that are a step older make Adagrad's first steps, which are large, overshoot: the same sums in numpy, one
  # step late, end with 0.099 after 250 steps where those in time end with 0.060.
  if not last(losses) < last(theirs) * 1.05 + (0.05 if side in OVERLAPPING else 0.005):
    return "its loss ends with %.4f, TensorFlow's with %.4f" % (last(losses), last(theirs))
  return None


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--against", choices=["tensorflow"])
  p.add_argument("--embedding", action="store_true")
  p.add_argument("--server", required=True)
  p.add_argument("--local", help=argparse.SUPPRESS)
  p.add_argument("--steps", type=int, default=300, help="that are counted")
  p.add_argument("--rounds", type=int, default=3, help="of each side")
  p.add_argument("--json", metavar="FILE", help="write the results there too")
  p.add_argument("names", nargs="*", help="only sides whose name contains one of these")
  args = p.parse_args()
  sides = [side for side in SIDES if not args.names or any(name in side for name in args.names)]
  rates, wrong, losses = {side: [] for side in sides}, {}, {}
  with tempfile.TemporaryDirectory() as folder:
    data = write_data(pathlib.Path(folder))
    for turn in range(args.rounds):
      for side in sides:
        losses[side], rate = run(args, side, data, folder)
        rates[side].append(rate)
        print("round %d  %-40s %8.0f examples/s, loss %.4f ... %.4f" % (
            turn + 1, side, rate, losses[side][0], statistics.mean(losses[side][-BATCHES:])), flush=True)
        reference = next((losses[theirs] for theirs in THEIRS if theirs in losses), None)
        found = check(side, losses[side], reference) if reference and side not in THEIRS else None
        if found:
          wrong[side] = found
  median = {side: statistics.median(found) for side, found in rates.items()}
  best = max((median[side] for side in sides if side in THEIRS), default=None)
  print("\n| side | examples/s | of each round | to TensorFlow's best |\n| --- | --- | --- | --- |")
  for side, rate in median.items():
    ratio = "%.2f" % (rate / best) if best else ""
    print("| %s | %.0f | %s | %s |" % (side, rate, ", ".join("%.0f" % r for r in rates[side]), ratio))
  for side, why in wrong.items():
    print("WRONG: %s: %s" % (side, why))
  if args.json:
    with open(args.json, "w") as out:
      json.dump({"rates": rates, "best": best, "wrong": wrong}, out, indent=1)
  if wrong:
    raise SystemExit(1)


if __name__ == "__main__":
  main()
