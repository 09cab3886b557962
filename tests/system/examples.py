"""The programs in examples/, run as a reader would, with few steps."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from waiting import LIMIT

ROOT = pathlib.Path(__file__).resolve().parents[2]


def names():
  return re.findall(r'(?m)^name = "(\w+)"$', (ROOT / "examples" / "Cargo.toml").read_text())


def program(server, name):
  return str(pathlib.Path(server).absolute().parent / "examples" / name)


def run(command, folder, **environment):
  done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, cwd=folder, env={**os.environ, **environment})
  assert done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
  return done.stdout


def number(pattern, text):
  found = re.search(pattern, text)
  assert found, (pattern, text)
  return float(found.group(1))


def check_linear_regression(output, folder):
  assert "y = 3.00 x + -1.00" in output, output


def check_digits(output, folder):
  assert number(r'step 150: .*"accuracy": ([\d.]+)', output) > 0.8, output
  assert (folder / "runs/digits/export/150/saved_model.pb").exists()


def check_mnist_cnn(output, folder):
  assert number(r"8 steps of 32: (\d+) examples/s", output) >= 0
  assert number(r"test accuracy ([\d.]+)", output) > 0.15, output


def check_own_model(output, folder):
  assert number(r"step 250: test accuracy ([\d.]+)", output) > 0.6, output


def check_own_data(output, folder):
  assert "the same batch follows" in output and "features [30,3]" in output, output
  assert number(r"Parquet: (\d+) people", output) > 10_000, output
  assert "40 images of day and night" in output and "[8,16,16,3]" in output and "5 batches" in output, output


def check_control_flow(output, folder):
  assert abs(number(r"throw 0: ([\d.]+) m", output) - 40) > 10, output
  assert abs(number(r"throw 60: ([\d.]+) m", output) - 40) < 2, output


def check_open_stream(output, folder):
  found = re.search(r"right answers: ([\d.]+) with a table of \d+ rows, ([\d.]+) with as many buckets", output)
  assert found and float(found.group(1)) > float(found.group(2)) > 0.5, output
  assert number(r"20000 rows: ([\d.]+) million known ids/s", output) >= 0, output


def check_text_lstm(output, folder):
  assert number(r"loss ([\d.]+), and it writes: the rain", output) < 2.5, output


def check_custom_hook(output, folder):
  assert "training begins at step 0\n" in output and "training begins at step 120\n" in output, output
  assert "ended at step 120: reached step 120\n" in output and "ended at step 220: " in output, output


def check_cluster(output, folder):
  done = [int(steps) for steps in re.findall(r"worker \d: (\d+) of", output)]
  # Steps that are under way when the last one is reached still count.
  assert len(done) == 2 and 100 <= sum(done) <= 110, output
  assert "parameter server: served to the end" in output, output


def check_pipeline(output, folder):
  losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", output)]
  assert len(losses) == 3 and losses[0] < 0.1, output
  assert max(losses) - min(losses) < 2.5e-5, output


def check_strategies(output, folder):
  losses = dict(re.findall(r"(?m)^(.{24}) +\d+ +\d+ +[\d.]+ +([\d.]+)$", output))
  losses = {name.strip(): float(loss) for name, loss in losses.items()}
  assert len(losses) == 8 and all(loss < 0.4 for loss in losses.values()), output


def check_import_export(output, folder):
  assert "dense/kernel: float [2,1]" in output, output
  assert abs(number(r"2 \+ 3 = \[([\d.]+),", output) - 5) < 0.05, output
  assert abs(number(r"kernel \[([\d.]+),", output) - 2) < 0.05, output


ARGUMENTS = {
    "digits": ["150"],
    "mnist_cnn": ["--steps", "8", "--batch", "32", "--threads", "1", "--test", "300"],
    "own_model": ["250"],
    "text_lstm": ["30"],
    "custom_hook": ["120"],
    "cluster": ["100"],
    "pipeline": ["60"],
    "strategies": ["800"],
    "open_stream": ["500", "20000"],
}


def test_every_example_does_what_it_says(server):
  assert len(names()) > 5, names()
  for name in names():
    with tempfile.TemporaryDirectory() as folder:
      output = run([program(server, name), *ARGUMENTS.get(name, [])], folder)
      globals()["check_" + name](output, pathlib.Path(folder))


def test_a_model_of_ones_own_learns_in_16_bits(server):
  with tempfile.TemporaryDirectory() as folder:
    output = run([program(server, "own_model"), "150", "bfloat16"], folder)
    assert number(r"step 150: test accuracy ([\d.]+)", output) > 0.5, output


def test_the_cluster_example_is_every_task(server):
  with tempfile.TemporaryDirectory() as folder:
    output = run([server, "run", "--ps", "1", "--workers", "2", "--all", "--", program(server, "cluster"), "60"], folder)
    assert len(re.findall(r"steps of my own", output)) >= 2, output
