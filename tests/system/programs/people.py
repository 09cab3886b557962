"""Made-up people: their files, the pipeline that reads them, and feature columns over them."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

JOBS = ["nurse", "teacher", "pilot", "baker"]
CITIES = ["Rome", "Oslo", "Lima", "Kyoto", "Accra", "Quito", "Perth"]


def write(folder, files=2, rows=800):
  """Writes the same people as CSV and as TFRecord files: age, hours, job, city, and whether they are well paid."""
  rng = np.random.RandomState(4)
  for number in range(files):
    with open(os.path.join(folder, "people-%d.csv" % number), "w") as text, \
        tf.io.TFRecordWriter(os.path.join(folder, "people-%d.tfrecord" % number), "GZIP") as records:
      text.write("age,hours,job,city,paid\n")
      for _ in range(rows):
        age, hours = int(rng.randint(18, 70)), round(float(rng.uniform(10, 60)), 1)
        job, city = JOBS[rng.randint(len(JOBS))], CITIES[rng.randint(len(CITIES))]
        paid = int((job == "pilot") + (30 < age < 55) + (hours > 38) + (city in ("Oslo", "Perth")) >= 2)
        text.write("%d,%s,%s,%s,%d\n" % (age, hours, job, city, paid))
        records.write(example(age, hours, job, city, paid))


def example(age, hours, job, city, paid):
  bytes_of = lambda value: tf.train.Feature(bytes_list=tf.train.BytesList(value=[value.encode()]))
  ints = lambda value: tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))
  floats = tf.train.Feature(float_list=tf.train.FloatList(value=[hours]))
  features = {"age": ints(age), "hours": floats, "job": bytes_of(job), "city": bytes_of(city), "paid": ints(paid)}
  return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def from_csv(lines):
  """A batch of lines as features and labels."""
  age, hours, job, city, paid = tf.io.decode_csv(lines, [[0], [0.0], [""], [""], [0]])
  return {"age": age, "hours": hours, "job": job, "city": city}, tf.cast(paid, tf.float32)[:, tf.newaxis]


def from_examples(records):
  """The same of Examples; jobs and cities are sparse, as columns of any number of words are."""
  features = tf.io.parse_example(records, {
      "age": tf.io.FixedLenFeature([1], tf.int64), "hours": tf.io.FixedLenFeature([1], tf.float32, [0.0]),
      "job": tf.io.VarLenFeature(tf.string), "city": tf.io.VarLenFeature(tf.string),
      "paid": tf.io.FixedLenFeature([1], tf.int64)})
  return features, tf.cast(features.pop("paid"), tf.float32)


def input_fn(pattern, shards=1, index=0, batch=64, epochs=None):
  """Batches of a pattern's files, of which this worker reads its own rows."""
  files = tf.data.Dataset.list_files(pattern, shuffle=False)
  if "csv" in pattern:
    rows, parse = files.interleave(lambda file: tf.data.TextLineDataset(file).skip(1), cycle_length=2, block_length=8), from_csv
  else:
    read = lambda file: tf.data.TFRecordDataset(file, compression_type="GZIP")
    rows, parse = files.interleave(read, cycle_length=2, num_parallel_calls=2), from_examples
  rows = rows.shard(shards, index)
  rows = rows.shuffle(400, seed=9).repeat(epochs) if epochs is None else rows.repeat(epochs)
  return rows.batch(batch).map(parse, num_parallel_calls=2).prefetch(2)


def columns():
  """(wide, deep): sparse columns for a linear model, dense ones for layers."""
  column = tf.feature_column
  age, hours = column.numeric_column("age"), column.numeric_column("hours", normalizer_fn=lambda h: (h - 35.0) / 15.0)
  ages = column.bucketized_column(age, [25, 30, 40, 55, 65])
  job = column.categorical_column_with_vocabulary_list("job", JOBS, num_oov_buckets=1)
  city = column.categorical_column_with_hash_bucket("city", 50)
  crossed = column.crossed_column([ages, "job"], 100)
  wide = [ages, job, city, crossed]
  deep = [hours, ages, column.embedding_column(city, 4, combiner="mean"), column.indicator_column(job)]
  return wide, deep


def logits(features, wide, deep):
  """A linear model of the wide columns and two layers over the deep ones, added up."""
  with tf.variable_scope("wide"):
    linear = tf.feature_column.linear_model(features, wide)
  with tf.variable_scope("deep"):
    layer = tf.feature_column.input_layer(features, deep)
    for number, size in enumerate((16, 1)):
      width = int(layer.shape[1])
      kernel = tf.get_variable("kernel_%d" % number, [width, size], initializer=tf.glorot_uniform_initializer(seed=number))
      layer = tf.matmul(layer, kernel) + tf.get_variable("bias_%d" % number, [size], initializer=tf.zeros_initializer())
      layer = tf.nn.relu(layer) if size > 1 else layer
  return linear + layer
