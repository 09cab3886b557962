"""Readers: records of files that stand in queues."""
import atexit
import functools
import gzip
import os
import tempfile
import zlib

import tensorflow.compat.v1 as tf

from case import *  # noqa: F403
from cases.older import Old

raw = tf.raw_ops
VERBS = ["ReaderRead", "ReaderReadUpTo", "ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted", "ReaderReset"]
KINDS = ["TFRecordReader", "TextLineReader", "FixedLengthRecordReader", "IdentityReader", "WholeFileReader"]


@functools.cache
def folder():
  """Files of every kind; they are gone when the program ends."""
  made = tempfile.TemporaryDirectory(prefix="oracle-readers-")
  atexit.register(made.cleanup)
  path = lambda name: os.path.join(made.name, name)
  contents = {"lines": b"header\none\r\n\nthree", "short": b"header", "fixed": b"HHabcdefghFF"}
  contents["fixed.gz"] = gzip.compress(contents["fixed"])
  contents["fixed.z"] = zlib.compress(contents["fixed"])
  for name, content in contents.items():
    with open(path(name), "wb") as file:
      file.write(content)
  for name, compression in (("records", ""), ("records.gz", "GZIP"), ("records.z", "ZLIB")):
    with tf.io.TFRecordWriter(path(name), compression) as writer:
      for i in range(3):
        writer.write(b"record %d" % i)
  return made.name


def files(*names):
  return strings(*(os.path.join(folder(), name) for name in names))


class Reading:
  """A reader, a queue of work, and the operations on both."""

  def __init__(self, reader, work, suffix):
    self.reader, self.suffix = reader, suffix
    self.queue = self.op("FIFOQueue", component_types=[tf.string], shapes=[[]])
    fill = self.op("QueueEnqueueMany", handle=self.queue, components=[tf.constant(work)])
    with tf.control_dependencies([fill]):
      close = self.op("QueueClose", handle=self.queue)
    self.start = ([close], {})

  def op(self, name, **arguments):
    return getattr(raw, name + self.suffix)(**arguments)

  def read(self):
    return list(self.op("ReaderRead", reader_handle=self.reader, queue_handle=self.queue))

  def read_up_to(self, count):
    return list(self.op("ReaderReadUpTo", reader_handle=self.reader, queue_handle=self.queue, num_records=count))

  def progress(self):
    return [self.op(name, reader_handle=self.reader) for name in ("ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted")]


def make(kind, suffix, attrs):
  # Shared between sessions by no one.
  attrs = dict(attrs, shared_name="reader")
  if suffix or kind == "WholeFileReader":
    return getattr(raw, kind + suffix)(**attrs)
  graph = Old(25)
  name = graph.add(kind, [], **{key: value.encode() if isinstance(value, str) else value for key, value in attrs.items()})
  return tf.import_graph_def(graph.graph, name="", return_elements=[name + ":0"])[0]


def all_records(kind, suffix, work, count, attrs):
  r = Reading(make(kind, suffix, attrs), work, suffix)
  records, progress = r.read(), r.progress()
  return [r.start] + [(records, {}), (progress, {})] * count


def some_records(kind, suffix, work, attrs):
  r = Reading(make(kind, suffix, attrs), work, suffix)
  few, many, none = r.read_up_to(1), r.read_up_to(100), r.read_up_to(0)
  reset = r.op("ReaderReset", reader_handle=r.reader)
  return [r.start, (few, {}), (many, {}), (r.progress(), {}), (none, {}), ([reset], {}), (r.progress(), {})]


def state(kind, suffix):
  r = Reading(make(kind, suffix, {}), files("lines", "short", "fixed"), suffix)
  saved = r.op("ReaderSerializeState", reader_handle=r.reader)
  given = tf.placeholder(tf.string, [])
  restore = r.op("ReaderRestoreState", reader_handle=r.reader, state=given)
  # One record read, one unit finished, whose name is the current work.
  message = b"\x08\x01\x10\x01\x18\x01"
  return [r.start, (r.read(), {}), ([saved], {}), ([restore], {given: message}), ([saved], {}), (r.progress(), {})]


def restored(suffix, message):
  r = Reading(make("IdentityReader", suffix, {}), files("lines"), suffix)
  return [([r.op("ReaderRestoreState", reader_handle=r.reader, state=message)], {})]


def record_input(names, batch, parallelism, compression=""):
  made = raw.RecordInput(file_pattern=os.path.join(folder(), names), file_buffer_size=100, file_parallelism=parallelism, batch_size=batch,
                         compression_type=compression)
  # Whole epochs, in any order.
  return [([tf.sort(tf.strings.to_hash_bucket_fast(made, 1 << 30))], {})] * 3


def cases():
  fixed = {"header_bytes": 2, "record_bytes": 3, "footer_bytes": 2}
  for suffix in ("", "V2"):
    ops = lambda kind, *others: [kind + suffix] + [o + suffix for o in ("ReaderRead", "ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted", *others)]
    for kind, work, count, attrs in (
        ("TFRecordReader", files("records", "records"), 6, {}),
        ("TextLineReader", files("lines", "short", "lines"), 9, {}),
        ("TextLineReader", files("lines", "short", "lines"), 4, {"skip_header_lines": 2}),
        ("FixedLengthRecordReader", files("fixed", "fixed"), 4, fixed),
        ("FixedLengthRecordReader", files("fixed"), 6, dict(fixed, hop_bytes=1)),
        ("FixedLengthRecordReader", files("fixed"), 2, dict(fixed, hop_bytes=5)),
        ("IdentityReader", strings("a", "", "c"), 3, {}),
        ("WholeFileReader", files("lines", "fixed"), 2, {})):
      if kind == "FixedLengthRecordReader" and not suffix:
        continue
      name = "%s%s %s" % (kind, suffix, attrs or "")
      yield Scenario(name, ops(kind), lambda a=(kind, suffix, work, count, attrs): all_records(*a))
      yield Scenario(name + ", to its end", ops(kind), lambda a=(kind, suffix, work, count + 1, attrs): all_records(*a), refused=True)
      yield Scenario(name + ", several at once", ops(kind, "ReaderReadUpTo", "ReaderReset"), lambda a=(kind, suffix, work, attrs): some_records(*a))
    for kind in ("IdentityReader", "WholeFileReader"):
      yield Scenario(kind + suffix + ", saved", ops(kind, "ReaderSerializeState", "ReaderRestoreState"), lambda a=(kind, suffix): state(*a))
    for message in (b"\xff", b"\x08\x02\x10\x01", b"\x08" + b"\xff" * 9 + b"\x01"):
      yield Scenario("a state that cannot be", ["ReaderRestoreState" + suffix], lambda a=(suffix, message): restored(*a), refused=True)
    yield Scenario("a file that is not there", ops("TextLineReader"), lambda s=suffix: all_records("TextLineReader", s, files("none"), 1, {}), refused=True)
  yield Scenario("a header that is longer than the file", ["FixedLengthRecordReaderV2"],
                 lambda: all_records("FixedLengthRecordReader", "V2", files("short"), 1, {"header_bytes": 99, "record_bytes": 1}), refused=True)
  for name, compression in (("gz", "GZIP"), ("z", "ZLIB")):
    yield Scenario("records of " + name, ["TFRecordReaderV2"],
                   lambda n=name, c=compression: all_records("TFRecordReader", "V2", files("records." + n), 3, {"compression_type": c}))
    yield Scenario("fixed records of " + name, ["FixedLengthRecordReaderV2"],
                   lambda n=name, c=compression: all_records("FixedLengthRecordReader", "V2", files("fixed." + n), 2, dict(fixed, encoding=c)))
  for parallelism in (1, 2):
    yield Scenario("record input %d" % parallelism, ["RecordInput"], lambda p=parallelism: record_input("records", 3, p))
  yield Scenario("record input of gz", ["RecordInput"], lambda: record_input("records.gz", 3, 1, "GZIP"))
  yield Scenario("record input of nothing", ["RecordInput"], lambda: record_input("nothing*", 3, 1), refused=True)
