"""Datasets out of files, and datasets that are saved in files."""
import atexit
import contextlib
import functools
import gzip
import itertools
import os
import sqlite3
import tempfile

import tensorflow.compat.v1 as tf
from tensorflow.python.data.experimental.ops import snapshot as older_snapshot
from tensorflow.python.data.ops import dataset_ops, from_generator_op, save_op

from case import *  # noqa: F403
from cases.data import numbers, read, sequence

raw = tf.raw_ops
Dataset = tf.data.Dataset
STRING = tf.TensorSpec([], tf.string)


@functools.cache
def folder():
  """Gone when the program ends."""
  made = tempfile.TemporaryDirectory(prefix="oracle-sources-")
  atexit.register(made.cleanup)
  return made.name


new = itertools.count()


def place():
  """A path nobody has used."""
  return os.path.join(folder(), "place-%d" % next(new))


@functools.cache
def written(contents, packed=False):
  path = place()
  with (gzip.open if packed else open)(path, "wb") as file:
    file.write(contents)
  return path


def made(variant, spec):
  return dataset_ops._VariantDataset(variant, spec)


# Lines with every kind of end, quotes, empty and missing fields.
TABLE = b'name,number,real,big\r\n"a, b",1,1.5,10\nc,2,-.5e3,\r"say ""so""\nthere",NA,inf,-30\n,4,nan,40'
BAD = b'x,1,1,1\ny"z,1,1,1\n"p"q",1,1,1\nx,1,1\nx,1,1,1,1\nx,word,1,1\nx,1,1,99999999999999999999\n\n"open,1,1,1\n'


def csv(path, header=True, compression="", select=(), exclude=None, delimiter=",", quotes=True, op="CSVDatasetV2", defaults=None):
  if defaults is None:
    defaults = [strings("none"), i32([7]), f32([0.5]), i64([70])]
  kinds = [tf.string if d.dtype == object else tf.as_dtype(d.dtype) for d in defaults]
  arguments = dict(filenames=path, compression_type=compression, buffer_size=7, header=header, field_delim=delimiter, use_quote_delim=quotes, na_value="NA",
                   select_cols=i64(select), record_defaults=[tf.placeholder_with_default(d, None) for d in defaults], output_shapes=[[]] * len(kinds))
  if op == "CSVDatasetV2":
    arguments["exclude_cols"] = i64(() if exclude is None else exclude)
  return made(getattr(raw, op)(**arguments), tuple(tf.TensorSpec([], kind) for kind in kinds))


def tables():
  for op in ("CSVDatasetV2", "CSVDataset", "ExperimentalCSVDataset"):
    yield from sequence(op, [op], lambda op=op: csv([written(TABLE)] * 2, op=op), 8)
  ops = ["CSVDatasetV2"]
  yield from sequence("a packed table", ops, lambda: csv(written(TABLE, True), compression="GZIP"), 4)
  yield from sequence("some columns of a table", ops, lambda: csv(written(TABLE), select=(1, 3), defaults=[i32([7]), i64([70])]), 4)
  yield from sequence("all but some columns of a table", ops, lambda: csv(written(TABLE), exclude=(0, 2), defaults=[i32([7]), i64([70])]), 4)
  plain = lambda: csv(written(b'"a" 1\nb 2'), header=False, delimiter=" ", quotes=False, defaults=[strings("none"), np.array([0.5])])
  yield from sequence("a table without quotes", ops, plain, 2)
  for line in BAD.splitlines(True):
    yield Scenario("a bad record %s" % line, ops, lambda l=line: read(csv(written(l), header=False), 1), refused=not line.startswith(b"x,1,1,1\n"))
  yield from sequence("what is good in a bad table", ops, lambda: csv(written(BAD), header=False).ignore_errors(), 1)
  yield Scenario("a table without a header", ops, lambda: read(csv(written(b"")), 1), refused=True)
  yield Scenario("a value that must be there", ops, lambda: read(csv(written(b"\n"), header=False, defaults=[strings()]), 1), refused=True)
  for name, wrong in (("falling columns", dict(select=(3, 1, 0, 2))), ("too few columns", dict(select=(1,))), ("columns and others", dict(select=(0, 1, 2, 3), exclude=(1,))),
                      ("two delimiters", dict(delimiter="ab")), ("two defaults", dict(defaults=[i32([1, 2])])), ("an unknown compression", dict(compression="ZIP"))):
    yield Scenario("a table with " + name, ops, lambda w=wrong: read(csv(written(TABLE), **w), 1), refused=True)


def fixed(path, header, record, footer, compression=None):
  sizes = dict(filenames=path, header_bytes=i64(header), record_bytes=i64(record), footer_bytes=i64(footer), buffer_size=i64(3))
  if compression is None:
    return made(raw.FixedLengthRecordDataset(**sizes), STRING)
  return made(raw.FixedLengthRecordDatasetV2(compression_type=compression, **sizes), STRING)


def records():
  ops = ["FixedLengthRecordDatasetV2"]
  body = b"head" + bytes(range(30)) + b"foot"
  yield Scenario("records of a length", ["FixedLengthRecordDataset"], lambda: at_once(fixed([written(body)] * 2, 4, 10, 4)))
  yield from sequence("packed records of a length", ops, lambda: fixed(written(body, True), 4, 10, 4, "GZIP"), 3)
  yield from sequence("records without head and foot", ["FixedLengthRecordDatasetV2"], lambda: fixed([written(body)] * 2, 0, 19, 0, ""), 4)
  for name, sizes in (("do not fit", (4, 9, 4)), ("have no length", (4, 0, 4)), ("begin before the file", (-1, 10, 4))):
    yield Scenario("records that " + name, ops, lambda s=sizes: read(fixed(written(body), *s, ""), 1), refused=True)
    yield Scenario("packed records that " + name, ops, lambda s=sizes: read(fixed(written(body, True), *s, "GZIP"), 5), refused=True)
  yield Scenario("records from an offset", ["TFRecordDatasetV2"], lambda: at_once(from_offsets([0, 26])))
  yield Scenario("records from the middle of one", ["TFRecordDatasetV2"], lambda: at_once(from_offsets([5, 0])), refused=True)


def at_once(dataset):
  """All elements in one: TensorFlow's iterators refuse some older operations."""
  return [([tf.data.experimental.get_single_element(dataset.batch(100))], {})]



@functools.cache
def record_file():
  path = place()
  with tf.io.TFRecordWriter(path) as writer:
    for i in range(3):
      writer.write(b"record %d." % i + b"!")
  return path


def from_offsets(offsets):
  variant = raw.TFRecordDatasetV2(filenames=[record_file()] * 2, compression_type="", buffer_size=i64(-1), byte_offsets=i64(offsets))
  return made(variant, STRING)


@functools.cache
def tree():
  root = place()
  for name in ("b/2.txt", "a/1.txt", "a.txt/x.txt", "a/0.csv", "b.txt", "a-1.txt"):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
      file.write(name)
  return root


def matching(patterns, op="MatchingFilesDataset"):
  return made(getattr(raw, op)(patterns=[os.path.join(tree(), p) for p in patterns]), STRING)


def names():
  for patterns, count in ((("*.txt",), 2), (("*/*.txt", "b.txt"), 4), (("[ab]/?.*",), 3), (("none*", "*.txt"), 2)):
    yield from sequence("files like %s" % (patterns,), ["MatchingFilesDataset"], lambda p=patterns: matching(p), count)
  yield from sequence("ExperimentalMatchingFilesDataset", ["ExperimentalMatchingFilesDataset"], lambda: matching(["*/*"], "ExperimentalMatchingFilesDataset"), 4)
  yield Scenario("no files", ["MatchingFilesDataset"], lambda: read(matching(["none*"]), 1), refused=True)


def several():
  """Elements with components of many types and of different shapes."""
  parts = lambda x: {"number": x, "text": tf.strings.as_string(tf.range(x)), "real": tf.cast(x, tf.float32) / 3.0, "flag": x > 2, "wide": tf.cast(tf.fill([2, x], x), tf.complex64)}
  return numbers(6).map(parts)


def full():
  """Those without empty tensors: TensorFlow's older snapshots crash at them."""
  return several().skip(1)


@functools.cache
def saved(compression, shards=1):
  """Where TensorFlow itself has saved those."""
  path = place()
  with tf.Graph().as_default(), tf.Session() as session:
    session.run(several().save(path, compression=compression, shard_func=lambda e: e["number"] % shards))
  return path


def in_order(datasets):
  return datasets.flat_map(lambda dataset: dataset)


def load(path, compression):
  return Dataset.load(path, several().element_spec, compression, in_order)


def saving():
  for compression in (None, "GZIP", "SNAPPY"):
    for shards in (1, 3):
      name = "load %s from %d shards" % (compression, shards)
      yield from sequence(name, ["LoadDataset"], lambda c=compression, s=shards: load(saved(c, s), c), 6)
    yield Scenario("save %s" % compression, ["SaveDataset", "LoadDataset"], lambda c=compression: save_then_load(c))
    yield Scenario("save %s on the way" % compression, ["SaveDatasetV2", "LoadDataset"], lambda c=compression: save_on_the_way(c))
  yield Scenario("load in any order", ["LoadDataset"], lambda: read(Dataset.load(saved(None, 3), several().element_spec).map(lambda e: e["number"]), 6), unordered=True)
  yield Scenario("load what is not there", ["LoadDataset"], lambda: read(load(place(), None), 1), refused=True)
  yield Scenario("a shard that is no number", ["SaveDataset"], lambda: [([several().save(place(), shard_func=lambda e: e["text"])], {})], refused=True)


def save_then_load(compression):
  # The folder is there while the graph is built, the elements are not.
  path = place()
  save = several().save(path, compression=compression, shard_func=lambda e: e["number"] % 2)
  return [([save], {})] + read(load(path, compression), 6)


def save_on_the_way(compression):
  path = place()
  through = save_op._SaveDataset(several(), path, lambda e: e["number"] % 2, compression)
  # The element behind the last says that all are written.
  return read(through.concatenate(several().take(1)), 7) + read(load(path, compression), 6)


def snapshots():
  for compression in (None, "AUTO", "GZIP", "SNAPPY"):
    name = "snapshot %s" % compression
    both = ["SnapshotDatasetV2"]
    yield Scenario(name, both, lambda c=compression: read(several().snapshot(place(), compression=c or "NONE", reader_func=in_order, shard_func=lambda e: e["number"] % 2).repeat(2), 12))
    older = ["SnapshotDataset"]
    if compression != "AUTO":
      yield Scenario("older " + name, older, lambda c=compression: read(full().apply(older_snapshot.legacy_snapshot(place(), compression=c)).repeat(2), 10))
  yield Scenario("a snapshot of small files", ["SnapshotDataset"], lambda: read(numbers(50).apply(older_snapshot.legacy_snapshot(place(), shard_size_bytes=100)).repeat(2), 100))
  yield Scenario("a snapshot that is passed by", ["SnapshotDataset"], lambda: read(numbers(3).apply(older_snapshot.legacy_snapshot(place(), mode="passthrough")), 3))
  yield Scenario("a snapshot that is not there", ["SnapshotDataset"], lambda: read(numbers(3).apply(older_snapshot.legacy_snapshot(place(), mode="read")), 1), refused=True)
  yield Scenario("a snapshot in no mode", ["SnapshotDataset"], lambda: read(numbers(3).apply(older_snapshot.legacy_snapshot(place(), mode="some")), 1), refused=True)


def to_records(op, compression):
  path = place()
  words = numbers(4).map(tf.strings.as_string)
  write = getattr(raw, op)(input_dataset=words._variant_tensor, filename=path, compression_type=compression)
  return [([write], {})] + read(tf.data.TFRecordDataset(path, compression_type=compression), 4)


def writing():
  for op in ("DatasetToTFRecord", "ExperimentalDatasetToTFRecord"):
    for compression in ("", "GZIP", "ZLIB"):
      yield Scenario("%s %s" % (op, compression), [op], lambda o=op, c=compression: to_records(o, c))
  numbered = lambda: raw.DatasetToTFRecord(input_dataset=numbers(3)._variant_tensor, filename=place(), compression_type="")
  yield Scenario("records of numbers", ["DatasetToTFRecord"], lambda: [([numbered()], {})], refused=True)


def compressed(components):
  return raw.CompressElement(components=[tf.constant(c) for c in components])


def compressing():
  parts = [f32([[1, 2], [3, 4]]), strings("a", "", "words"), i64([]), np.array(True), np.array(["x"], dtype=object).reshape([1, 1]), np.array([1 + 2j])]
  kinds = [tf.float32, tf.string, tf.int64, tf.bool, tf.string, tf.complex128]
  both = ["CompressElement", "UncompressElement"]
  back = lambda types, parts=parts: [(list(raw.UncompressElement(compressed=compressed(parts), output_types=types, output_shapes=[None] * len(types))), {})]
  yield Scenario("compressed and back", both, lambda: back(kinds))
  yield Scenario("compressed as other types", both, lambda: back([tf.int32] * 6), refused=True)
  yield Scenario("compressed as fewer", both, lambda: back(kinds[:2]), refused=True)
  yield Scenario("not compressed", both, lambda: [(list(raw.UncompressElement(compressed=numbers(2)._variant_tensor, output_types=[tf.int64], output_shapes=[[]])), {})], refused=True)
  through = lambda: several().map(lambda e: raw.CompressElement(components=tf.nest.flatten(e))).map(
      lambda c: tuple(raw.UncompressElement(compressed=c, output_types=[s.dtype for s in tf.nest.flatten(several().element_spec)],
                                            output_shapes=[s.shape for s in tf.nest.flatten(several().element_spec)])))
  yield from sequence("compressed in a dataset", both, through, 6)


def generated(stop):
  """Counts in a variable from ten on, and leaves the count behind."""
  counter = tf.Variable(0, dtype=tf.int64, use_resource=True, trainable=False)
  ended = tf.Variable(0, dtype=tf.int64, use_resource=True, trainable=False)

  def begin(start):
    with tf.control_dependencies([counter.assign(start, read_value=False)]):
      return tf.identity(start)

  def following(start):
    value = counter.assign_add(1)
    return value + tf.cond(value - start >= stop, out_of_range, lambda: tf.constant(0, tf.int64))

  def end(start):
    with tf.control_dependencies([ended.assign_add(1, read_value=False)]):
      return tf.identity(start)

  dataset = from_generator_op._GeneratorDataset(tf.constant(10, tf.int64), begin, following, end, tf.TensorSpec([], tf.int64))
  return [counter.initializer, ended.initializer], dataset, ended


def out_of_range():
  """OUT_OF_RANGE: an empty dataset has no first element."""
  iterator = tf.raw_ops.AnonymousIteratorV3(output_types=[tf.int64], output_shapes=[[]])
  start = tf.raw_ops.MakeIterator(dataset=numbers(0)._variant_tensor, iterator=iterator)
  with tf.control_dependencies([start]):
    [value] = tf.raw_ops.IteratorGetNext(iterator=iterator, output_types=[tf.int64], output_shapes=[[]])
  return value


def generating():
  yield Scenario("generated", ["GeneratorDataset"], lambda: generate(3))
  yield Scenario("generated to its end", ["GeneratorDataset"], lambda: generate(3, 1), refused=True)
  yield Scenario("generated and ended", ["GeneratorDataset"], lambda: ended(3))


def generate(stop, beyond=0):
  start, dataset, _ = generated(stop)
  return [(start, {})] + read(dataset, stop - 1 + beyond)


def ended(stop):
  """The last function has been called once for each of two passes."""
  start, dataset, count = generated(stop)
  return [(start, {})] + read(dataset.repeat(2).concatenate(numbers(1)), 2 * (stop - 1) + 1) + [([count], {})]


@functools.cache
def database():
  path = place()
  with contextlib.closing(sqlite3.connect(path)) as connection:
    connection.executescript("""
      CREATE TABLE people (name TEXT, age INTEGER, height REAL, big INTEGER);
      INSERT INTO people VALUES ('Ada', 36, 1.65, 9223372036854775807), (NULL, NULL, NULL, NULL), ('Alan', -41, 1e20, -1), ('12 words', 300, -0.5, 70000);
    """)
  return path


def query(text, kinds, driver="sqlite", op="SqlDataset"):
  shapes = dict(output_types=kinds, output_shapes=[[]] * len(kinds))
  variant = getattr(raw, op)(driver_name=driver, data_source_name=database(), query=text, **shapes)
  return made(variant, tuple(tf.TensorSpec([], kind) for kind in kinds))


def queries():
  everything = "SELECT name, age, height, big FROM people ORDER BY rowid"
  for op in ("SqlDataset", "ExperimentalSqlDataset"):
    yield from sequence(op, [op], lambda op=op: query(everything, [tf.string, tf.int64, tf.double, tf.int64], op=op), 4)
  for kind in (tf.int8, tf.int16, tf.int32, tf.uint8, tf.uint16, tf.bool, tf.string, tf.double):
    yield from sequence("ages as %s" % kind.name, ["SqlDataset"], lambda k=kind: query("SELECT age FROM people ORDER BY rowid", [k]), 4)
  yield from sequence("texts as numbers", ["SqlDataset"], lambda: query("SELECT name, name FROM people ORDER BY rowid", [tf.int64, tf.double]), 4)
  yield from sequence("no rows", ["SqlDataset"], lambda: query("SELECT name FROM people WHERE age > 1000", [tf.string]), 0)
  for name, text in (("no such table", "SELECT a FROM none"), ("no query", "SELEKT"), ("too many columns", everything)):
    yield Scenario(name, ["SqlDataset"], lambda t=text: read(query(t, [tf.string]), 1), refused=True)
  yield Scenario("another database", ["SqlDataset"], lambda: read(query(everything, [tf.string], driver="mysql"), 1), refused=True)
  yield Scenario("another type", ["SqlDataset"], lambda: read(query(everything, [tf.float32]), 1), refused=True)


def cases():
  yield from tables()
  yield from records()
  yield from names()
  yield from saving()
  yield from snapshots()
  yield from writing()
  yield from compressing()
  yield from generating()
  yield from queries()
