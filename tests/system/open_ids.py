"""Ids that nobody knows in advance: a job with such a column, on a cluster, and what TensorFlow makes of the model."""
import csv
import io
import pathlib
import random
import subprocess
import tempfile

import numpy as np

from formats import in_tensorflow_2
from train import trained, train, variables
from waiting import LIMIT

JOB = """
name = "clicks"

[model]
kind = "wide_and_deep"
label = "clicked"
positive = "yes"
hidden = [8]

[model.categorical]
user = { capacity = 100, admit_after = 2, max_age = 300, embedding = 4 }

[data]
source = "csv"
train = "%s/clicks.csv"
columns = { user = "string", clicked = "string" }
batch = 32

[optimizer]
kind = "adagrad"
learning_rate = 0.3

[train]
steps = 150
seed = 7

[cluster]
strategy = "asynchronous"
ps = 1
workers = 2
threads = 1
"""


def write(folder):
  """Few users are frequent; each has an answer of its own."""
  random.seed(1)
  ranks = [int(400 ** random.random()) for _ in range(3000)]
  lines = ["user,clicked"] + ["user-%d,%s" % (rank, "yes" if rank * 2654435761 >> 7 & 1 else "no") for rank in ranks]
  (folder / "clicks.csv").write_text("\n".join(lines) + "\n")
  (folder / "job.toml").write_text(JOB % folder)


def test_users_that_nobody_knows_in_advance(binary):
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    write(folder)
    result = trained(binary, folder, str(folder / "job.toml"))
    assert result["step"] >= 150 and result["metrics"]["accuracy"] > 0.7, result
    values = variables(result["checkpoint"])
    for part in ("wide", "deep"):
      ids, seen = values["%s/user/ids" % part][:, 0], values["%s/user/ids" % part][:, 1]
      used = ids[seen > 0]
      size, admitted, evicted = values["%s/user/totals" % part][1:4]
      assert len(set(used)) == len(used) == size <= 100 and admitted - evicted == size and evicted > 0, values["%s/user/totals" % part]

    users = ["user-1", "user-2", "user-3", "user-399", "nobody"]
    (folder / "few.csv").write_text("\n".join(["user"] + users) + "\n")
    said = subprocess.run([binary, "predict", result["run"], "few.csv"], cwd=folder, capture_output=True, text=True, timeout=LIMIT)
    assert said.returncode == 0, said.stderr
    ours = [float(row["probabilities"]) for row in csv.DictReader(io.StringIO(said.stdout))]
    export = max((pathlib.Path(folder) / result["run"] / "export").iterdir(), key=lambda path: int(path.name))
    theirs = in_tensorflow_2(
        "import sys, json, tensorflow as tf\n"
        "serve = tf.saved_model.load(sys.argv[1]).signatures['serving_default']\n"
        "print(json.dumps(serve(user=tf.constant(sys.argv[2:]))['probabilities'].numpy().tolist()))", export, *users)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    assert len({round(p, 6) for p in ours}) > 2, ours

    refused = train(binary, folder, str(folder / "job.toml"), "--strategy", "synchronous", code=1)
    assert "strategy asynchronous" in refused.stderr, refused
