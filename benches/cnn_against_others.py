"""The example `mnist_cnn` beside Keras' `fit` and PyTorch: the same model, data, batches and threads.

  cargo build --release --example mnist_cnn
  python benches/cnn_against_others.py --ours target/release/examples/mnist_cnn [--steps 400] [--rounds 3]

Each side runs in a process of its own, in turns, and tells how many examples it has trained per second after
its first steps (which compile, allocate and warm up). PyTorch takes part if it is installed.
"""
import argparse
import gzip
import importlib.util
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "mnist"
BATCH, WARM_UP = 128, 50


def images_and_labels():
  import numpy as np
  with gzip.open(DATA / "train-images-idx3-ubyte.gz") as images:
    x = np.frombuffer(images.read(), np.uint8, offset=16).reshape(-1, 28, 28)
  with gzip.open(DATA / "train-labels-idx1-ubyte.gz") as labels:
    y = np.frombuffer(labels.read(), np.uint8, offset=8)
  return x, y


def keras(steps, threads):
  os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
  import tensorflow as tf
  tf.config.threading.set_intra_op_parallelism_threads(threads)
  tf.config.threading.set_inter_op_parallelism_threads(threads)
  x, y = images_and_labels()
  layers = tf.keras.layers
  model = tf.keras.Sequential([
      layers.Input([28, 28]), layers.Rescaling(1 / 255), layers.Reshape([28, 28, 1]),
      layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(2),
      layers.Conv2D(64, 3, activation="relu"), layers.MaxPooling2D(2),
      layers.Flatten(), layers.Dense(128, activation="relu"), layers.Dense(10)])
  loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
  model.compile(tf.keras.optimizers.Adam(1e-3), loss, metrics=["accuracy"])
  data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).repeat().batch(BATCH).prefetch(tf.data.AUTOTUNE)
  model.fit(data, steps_per_epoch=WARM_UP, epochs=1, verbose=0)
  begun = time.perf_counter()
  history = model.fit(data, steps_per_epoch=steps, epochs=1, verbose=0)
  seconds = time.perf_counter() - begun
  return steps * BATCH / seconds, history.history["accuracy"][-1]


def pytorch(steps, threads):
  import torch
  from torch import nn
  torch.set_num_threads(threads)
  x, y = (torch.from_numpy(a.copy()) for a in images_and_labels())
  model = nn.Sequential(
      nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2),
      nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
      nn.Flatten(), nn.Linear(64 * 25, 128), nn.ReLU(), nn.Linear(128, 10))
  optimizer = torch.optim.Adam(model.parameters(), 1e-3)
  cross_entropy = nn.CrossEntropyLoss()
  right = 0
  order = torch.cat([torch.randperm(len(x)) for _ in range((WARM_UP + steps) * BATCH // len(x) + 1)])
  for step in range(WARM_UP + steps):
    if step == WARM_UP:
      begun, right = time.perf_counter(), 0
    chosen = order[step * BATCH:(step + 1) * BATCH]
    images, labels = x[chosen].unsqueeze(1).float() / 255, y[chosen].long()
    optimizer.zero_grad(set_to_none=True)
    logits = model(images)
    loss = cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    right += (logits.argmax(1) == labels).sum().item()
  return steps * BATCH / (time.perf_counter() - begun), right / (steps * BATCH)


def ours(program, steps, threads):
  command = [program, "--steps", str(WARM_UP + steps), "--batch", str(BATCH), "--threads", str(threads)]
  said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
  rate = re.search(r"([0-9.]+) examples/s", said)
  if not rate:
    sys.exit("the example did not tell its examples/s:\n" + said)
  return float(rate[1])


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--ours", help="the example's program")
  parser.add_argument("--steps", type=int, default=400)
  parser.add_argument("--rounds", type=int, default=3)
  parser.add_argument("--threads", type=int, default=os.cpu_count())
  parser.add_argument("--torch-python", default=sys.executable, help="a Python that has PyTorch, if this one has not")
  parser.add_argument("--side", choices=["keras", "pytorch"], help=argparse.SUPPRESS)
  args = parser.parse_args()
  if args.side:
    side = keras if args.side == "keras" else pytorch
    print(json.dumps(side(args.steps, args.threads)))
    return
  sides = {"downpour": [], "keras": []}
  if importlib.util.find_spec("torch") or args.torch_python != sys.executable:
    sides["pytorch"] = []
  for turn in range(args.rounds):
    for name, rates in sides.items():
      if name == "downpour":
        rates.append(ours(args.ours, args.steps, args.threads))
      else:
        python = args.torch_python if name == "pytorch" else sys.executable
        command = [python, __file__, "--side", name, "--steps", str(args.steps), "--threads", str(args.threads)]
        rates.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])[0])
      print("round %d  %-8s  %8.0f examples/s" % (turn + 1, name, rates[-1]), flush=True)
  middle = {name: statistics.median(rates) for name, rates in sides.items()}
  for name in middle:
    if name != "downpour":
      print("downpour / %s: %.2f" % (name, middle["downpour"] / middle[name]))


if __name__ == "__main__":
  main()
