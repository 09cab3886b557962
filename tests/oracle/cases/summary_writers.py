"""Summary writers: what they write is read again, without the times."""
import atexit
import functools
import itertools
import os
import tempfile

import tensorflow.compat.v1 as tf

from case import *  # noqa: F403

raw = tf.raw_ops
NUMBERS_OF_WRITERS = itertools.count()


@functools.cache
def folder():
  made = tempfile.TemporaryDirectory(prefix="oracle-summaries-")
  atexit.register(made.cleanup)
  return made.name


def written(write, events, queue=10, compared=True):
  """Steps that make a writer, write, close it, and read the file that it has written."""
  name = "writer%d" % next(NUMBERS_OF_WRITERS)
  logs = os.path.join(folder(), name)
  writer = raw.SummaryWriter(shared_name=name)
  create = raw.CreateSummaryFileWriter(writer=writer, logdir=logs, max_queue=queue, flush_millis=100000, filename_suffix=".v2")
  steps = [([create], {})] + [([op], {}) for op in write(writer)]
  steps += [([raw.FlushSummaryWriter(writer=writer)], {}), ([raw.CloseSummaryWriter(writer=writer)], {})]
  files = raw.MatchingFiles(pattern=os.path.join(logs, "events.out.tfevents.*.v2"))
  work = raw.FIFOQueueV2(component_types=[tf.string], shapes=[[]])
  steps.append(([raw.QueueEnqueueManyV2(handle=work, components=[files])], {}))
  reader = raw.TFRecordReaderV2(shared_name=name)
  _, event = raw.ReaderReadV2(reader_handle=reader, queue_handle=work)
  # The first event names who wrote it; every event begins with its time, nine bytes.
  steps.append(([tf.strings.substr(event, 0, 1)], {}))
  what = tf.strings.substr(event, 9, tf.strings.length(event) - 9) if compared else tf.strings.substr(event, 0, 1)
  return steps + [([what], {})] * events


def scalar(writer, step, value, tag="loss"):
  return raw.WriteScalarSummary(writer=writer, step=step, tag=tag, value=value)


def everything(writer):
  return [raw.WriteSummary(writer=writer, step=3, tensor=tf.constant([[1.5, 2.5]]), tag="t", summary_metadata=b""),
          raw.WriteSummary(writer=writer, step=300, tensor=tf.constant(["a", "b"]), tag="s", summary_metadata=b"\x12\x01d"),
          scalar(writer, 4, tf.constant(7)),
          scalar(writer, -1, tf.constant(0.25, tf.float64)),
          raw.WriteHistogramSummary(writer=writer, step=5, tag="h", values=tf.constant([1.0, 2.0, 2.0, -3.0])),
          raw.WriteHistogramSummary(writer=writer, step=5, tag="h", values=tf.constant([True, False])),
          raw.WriteAudioSummary(writer=writer, step=6, tag="a", tensor=tf.constant([[0.5, -0.5, 0.25]]), sample_rate=8000.0),
          raw.WriteRawProtoSummary(writer=writer, step=7, tensor=tf.constant([b"\x0a\x03\x0a\x01x", b"\x0a\x03\x0a\x01y"])),
          raw.WriteGraphSummary(writer=writer, step=8, tensor=tf.constant(tf.Graph().as_graph_def().SerializeToString())),
          raw.ImportEvent(writer=writer, event=tf.summary.Event(wall_time=5, step=9).SerializeToString() if hasattr(tf.summary, "Event") else event())]


def event():
  from tensorflow.core.util import event_pb2
  return event_pb2.Event(wall_time=5, step=9, file_version="v").SerializeToString()


def image(writer):
  picture = tf.constant(np.arange(12, dtype="float32").reshape(1, 2, 2, 3))
  return [raw.WriteImageSummary(writer=writer, step=1, tag="i", tensor=picture, bad_color=np.array([255, 0, 0], "uint8"))]


def closed():
  return written(lambda w: [scalar(w, 1, tf.constant(1.0)), raw.CloseSummaryWriter(writer=w), scalar(w, 2, tf.constant(1.0))], 1)


OPS = ["SummaryWriter", "CreateSummaryFileWriter", "FlushSummaryWriter", "CloseSummaryWriter"]
WRITES = ["WriteSummary", "WriteScalarSummary", "WriteHistogramSummary", "WriteAudioSummary", "WriteRawProtoSummary", "WriteGraphSummary",
          "ImportEvent"]


def cases():
  for queue in (0, 3, 100):
    yield Scenario("everything, in a queue of %d" % queue, OPS + WRITES, lambda q=queue: written(everything, 10, q))
  yield Scenario("an image", OPS + ["WriteImageSummary"], lambda: written(image, 1, compared=False))
  yield Scenario("written when it is closed", OPS, closed, refused=True)
  for name, write in (
      ("a summary that is none", lambda w: raw.WriteRawProtoSummary(writer=w, step=1, tensor=tf.constant([b"\x7fbad"]))),
      ("an event that is none", lambda w: raw.ImportEvent(writer=w, event=b"\x7fbad")),
      ("a graph that is none", lambda w: raw.WriteGraphSummary(writer=w, step=1, tensor=b"\x7fbad")),
      ("a histogram of NaN", lambda w: raw.WriteHistogramSummary(writer=w, step=1, tag="h", values=tf.constant(float("nan")))),
      ("an image of two channels", lambda w: raw.WriteImageSummary(writer=w, step=1, tag="i", tensor=tf.zeros([1, 1, 1, 2]), bad_color=np.array([1, 2], "uint8")))):
    yield Scenario(name, OPS, lambda x=write: written(lambda w: [x(w)], 0), refused=True)
