"""The pipelines of the input benchmark: each makes its files once and a dataset that never ends.

A dataset's elements are batches; `Pipeline.rows` says how many elements a batch is made of.
"""
import dataclasses
import os
import typing

from side_by_side import np, tf

THREADS = 2


@dataclasses.dataclass(frozen=True)
class Pipeline:
  name: str
  goal: float
  rows: int
  # Writes what the pipeline reads into a folder and returns the paths.
  write: typing.Callable
  # Makes the dataset of these paths.
  make: typing.Callable


def nothing(_):
  return []


def counted(_):
  dataset = tf.data.Dataset.range(1 << 40)
  return dataset.map(lambda x: tf.cast(x, tf.float32) * 2.0 + 1.0, num_parallel_calls=THREADS).batch(1024).prefetch(2)


DENSE, SPARSE, EXAMPLES = 13, 26, 40_000


def example(dense, sparse, label):
  feature = tf.train.Feature
  return tf.train.Example(features=tf.train.Features(feature={
      "dense": feature(float_list=tf.train.FloatList(value=dense)),
      "sparse": feature(int64_list=tf.train.Int64List(value=sparse)),
      "label": feature(int64_list=tf.train.Int64List(value=[label]))}))


def write_examples(folder):
  rng, path = np.random.RandomState(0), os.path.join(folder, "clicks.tfrecord")
  with tf.io.TFRecordWriter(path) as writer:
    for i in range(EXAMPLES):
      made = example(rng.rand(DENSE), rng.randint(0, 1 << 20, SPARSE), i % 2)
      writer.write(made.SerializeToString())
  return [path]


def parsed(paths):
  features = {"dense": tf.FixedLenFeature([DENSE], tf.float32), "sparse": tf.FixedLenFeature([SPARSE], tf.int64),
              "label": tf.FixedLenFeature([], tf.int64)}
  dataset = tf.data.TFRecordDataset(paths).repeat().batch(256)
  return dataset.map(lambda records: tf.io.parse_example(records, features), num_parallel_calls=THREADS).prefetch(2)


def shuffled(_):
  return tf.data.Dataset.range(1 << 40).shuffle(100_000, seed=1).batch(1024).prefetch(2)


IMAGES = 64


def write_images(folder):
  """Photographs of a kind: smooth in places, rough in others, 256 x 320."""
  rng, paths = np.random.RandomState(0), []
  with tf.Graph().as_default(), tf.Session() as session:
    pixels = tf.placeholder(tf.uint8, [None, None, 3])
    encoded = tf.io.encode_jpeg(pixels, quality=90)
    for i in range(IMAGES):
      coarse = rng.randint(0, 255, (8, 10, 3)).repeat(32, 0).repeat(32, 1)
      image = np.clip(coarse + rng.randn(256, 320, 3) * 12, 0, 255).astype("u1")
      path = os.path.join(folder, "%03d.jpeg" % i)
      with open(path, "wb") as file:
        file.write(session.run(encoded, {pixels: image}))
      paths.append(path)
  return paths


def photographs(paths):
  def decode(path):
    image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize_bilinear(image[tf.newaxis], [224, 224])[0]
  return tf.data.Dataset.from_tensor_slices(paths).repeat().map(decode, num_parallel_calls=THREADS).batch(16).prefetch(1)


FILES, RECORDS = 16, 20_000


def write_records(folder):
  rng, paths = np.random.RandomState(0), []
  for number in range(FILES):
    paths.append(os.path.join(folder, "part-%02d.tfrecord" % number))
    with tf.io.TFRecordWriter(paths[-1]) as writer:
      for _ in range(RECORDS):
        writer.write(rng.bytes(100))
  return paths


def interleaved(paths):
  dataset = tf.data.Dataset.from_tensor_slices(paths).repeat()
  dataset = dataset.interleave(tf.data.TFRecordDataset, cycle_length=FILES, block_length=1, num_parallel_calls=THREADS)
  return dataset.batch(512).prefetch(2)


LINES = 200_000


def write_table(folder):
  rng, path = np.random.RandomState(0), os.path.join(folder, "table.csv")
  with open(path, "w") as file:
    for i in range(LINES):
      numbers = ",".join("%.6g" % x for x in rng.rand(8))
      file.write("%s,%d,%d,word%d,%d\n" % (numbers, rng.randint(1000), rng.randint(1 << 20), rng.randint(500), i % 2))
  return [path]


def table(paths):
  defaults = [0.0] * 8 + [0, 0, "", 0]
  return tf.data.experimental.CsvDataset(paths, defaults).repeat().batch(512).prefetch(2)


PIPELINES = [
    Pipeline("range, map, batch of 1,024", 3.0, 1024, nothing, counted),
    Pipeline("TFRecord, parse Example, batch of 256", 3.0, 256, write_examples, parsed),
    Pipeline("shuffle of 100,000, batch of 1,024", 2.0, 1024, nothing, shuffled),
    Pipeline("JPEG 320x256, decode, resize to 224x224, batch of 16", 1.0, 16, write_images, photographs),
    Pipeline("interleave of 16 TFRecord files, batch of 512", 2.0, 512, write_records, interleaved),
    Pipeline("CSV of 12 columns, batch of 512", 3.0, 512, write_table, table),
]
