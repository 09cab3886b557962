"""Reading of record and Parquet files: our rate against tf.data's, on the same files.

usage: data_against_tensorflow.py READ_RATE_BINARY [SECONDS]

tf.data has no Parquet reader of its own; it is given batches by pyarrow, if that can be imported.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

try:
  import pyarrow as pa
  import pyarrow.parquet as pq
except ImportError:
  pa = None

BATCH = 256
EXAMPLES, IMAGES, ROWS = 100_000, 20_000, 400_000


def feature(values):
  values = np.asarray(values)
  if values.dtype.kind == "f":
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))
  if values.dtype.kind == "i":
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
  return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def write_records(path, count, make):
  with tf.io.TFRecordWriter(path) as writer:
    for i in range(count):
      features = {k: feature(v) for k, v in make(i).items()}
      example = tf.train.Example(features=tf.train.Features(feature=features))
      writer.write(example.SerializeToString())


def files(folder):
  rng = np.random.RandomState(0)
  dense, sparse = rng.rand(EXAMPLES, 13).astype("f"), rng.randint(0, 1 << 20, (EXAMPLES, 26))
  advertising = os.path.join(folder, "advertising.tfrecord")
  write_records(advertising, EXAMPLES, lambda i: {"dense": dense[i], "sparse": sparse[i], "label": [i % 2]})
  pixels = rng.randint(0, 255, (100, 784)).astype("u1")
  images = os.path.join(folder, "images.tfrecord")
  write_records(images, IMAGES, lambda i: {"image": [pixels[i % 100].tobytes()], "label": [i % 10]})
  parquet = os.path.join(folder, "table.parquet")
  if pa:
    columns = {"f%d" % i: rng.rand(ROWS).astype("f") for i in range(8)}
    columns.update({"i%d" % i: rng.randint(0, 1 << 20, ROWS) for i in range(6)})
    columns.update({"s%d" % i: np.array(["word%d" % v for v in rng.randint(0, 1000, ROWS)]) for i in range(2)})
    pq.write_table(pa.table(columns), parquet, row_group_size=100_000)
  return advertising, images, parquet


ADVERTISING = {
    "dense": tf.io.FixedLenFeature([13], tf.float32), "sparse": tf.io.FixedLenFeature([26], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64)}
IMAGE = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parquet_dataset(path):
  names = pq.ParquetFile(path).schema_arrow.names

  def batches():
    for batch in pq.ParquetFile(path).iter_batches(batch_size=BATCH):
      yield tuple(column.to_numpy(zero_copy_only=False) for column in batch.columns)

  def spec(name):
    dtype = {"f": tf.float32, "i": tf.int64, "s": tf.string}[name[0]]
    return tf.TensorSpec([None], dtype)

  return tf.data.Dataset.from_generator(batches, output_signature=tuple(spec(n) for n in names)).prefetch(2)


def theirs(kind, path):
  """The quickest way to write it: whole batches are parsed, by two threads."""
  if kind == "parquet":
    return parquet_dataset(path)
  data = tf.data.TFRecordDataset(path)
  if kind == "records":
    return data.batch(BATCH)
  features = IMAGE if kind == "images" else ADVERTISING
  parse = lambda batch: tf.io.parse_example(batch, features)  # noqa: E731
  if kind == "shuffled":
    # Serialised records are shuffled: what tf.data's guide advises, and quicker than shuffling rows of tensors.
    data = data.shuffle(10_000, seed=1)
  return data.batch(BATCH).map(parse, num_parallel_calls=2).prefetch(2)


def rate(data, seconds):
  """Elements a second. Batches are counted by a reduction inside of TensorFlow: Python's loop costs it nothing."""
  def add(count, *batch):
    return count + tf.shape(tf.nest.flatten(batch)[0], out_type=tf.int64)[0]

  @tf.function
  def counted():
    return data.reduce(tf.constant(0, tf.int64), add)

  def once():
    start = time.perf_counter()
    return int(counted()) / (time.perf_counter() - start)

  once()
  rates, end = [], time.perf_counter() + seconds
  while time.perf_counter() < end or len(rates) < 3:
    rates.append(once())
  return statistics.median(rates)


def main():
  binary, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 5
  with tempfile.TemporaryDirectory() as folder:
    advertising, images, parquet = files(folder)
    cases = [("records", advertising), ("examples", advertising), ("shuffled", advertising), ("images", images)]
    if pa:
      cases.append(("parquet", parquet))
    else:
      print("pyarrow is not installed: tf.data cannot read Parquet files without it", file=sys.stderr)
    for kind, path in cases:
      ours = json.loads(subprocess.check_output([binary, kind, path, str(BATCH), str(seconds)]))["rate"]
      tensorflow = rate(theirs(kind, path), seconds)
      print("%-10s ours %10.0f/s   tf.data %10.0f/s   ratio %.2f" % (kind, ours, tensorflow, ours / tensorflow), flush=True)


if __name__ == "__main__":
  main()
