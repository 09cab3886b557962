"""A client of the master that checks nothing itself: it sends whatever graph, feed and fetch it is given."""
import grpc
import tensorflow.compat.v1 as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from tensorflow.core.protobuf import config_pb2, named_tensor_pb2

Field = descriptor_pb2.FieldDescriptorProto
# message: its fields as (number, name, type, repeated)
MESSAGES = {
    "CreateSessionRequest": [(1, "graph_def", ".tensorflow.GraphDef", False), (2, "config", ".tensorflow.ConfigProto", False)],
    "CreateSessionResponse": [(1, "session_handle", Field.TYPE_STRING, False)],
    "RunStepRequest": [
        (1, "session_handle", Field.TYPE_STRING, False), (2, "feed", ".tensorflow.NamedTensorProto", True), (3, "fetch", Field.TYPE_BYTES, True),
        (4, "target", Field.TYPE_BYTES, True), (5, "options", ".tensorflow.RunOptions", False), (7, "store_errors_in_response_body", Field.TYPE_BOOL, False)],
    "RunStepResponse": [
        (1, "tensor", ".tensorflow.NamedTensorProto", True), (3, "status_code", Field.TYPE_INT32, False), (4, "status_error_message", Field.TYPE_STRING, False)],
    "CloseSessionRequest": [(1, "session_handle", Field.TYPE_STRING, False)],
    "CloseSessionResponse": [],
}


def make_messages():
  """The messages of TensorFlow's master, which its package for Python leaves out."""
  file = descriptor_pb2.FileDescriptorProto(name="hostile_master.proto", package="hostile", syntax="proto3")
  file.dependency.extend([config_pb2.DESCRIPTOR.name, named_tensor_pb2.DESCRIPTOR.name, tf.GraphDef.DESCRIPTOR.file.name])
  for name, fields in MESSAGES.items():
    message = file.message_type.add(name=name)
    for number, field, kind, repeated in fields:
      added = message.field.add(name=field, number=number, label=Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL)
      if isinstance(kind, str):
        added.type, added.type_name = Field.TYPE_MESSAGE, kind
      else:
        added.type = kind
  pool = descriptor_pool.Default()
  pool.Add(file)
  return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName("hostile." + name)) for name in MESSAGES}


MADE = make_messages()
OK, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL = 0, 4, 8, 13
# Our own: the answer is larger than what is read.
TOO_LARGE = 100
# Above this an answer is not read; the server has done its work by then.
LARGEST_ANSWER = 64 << 20


class Failure(Exception):
  """An error the server answered, or the end of the connection."""

  def __init__(self, code, text):
    super().__init__("%s: %s" % (code, text))
    self.code, self.text = code, text


class Unanswered(Exception):
  """No answer came in time, or the connection was lost."""


class Master:

  def __init__(self, address, patience):
    """Calls that take longer than `patience` seconds are given up."""
    options = [("grpc.max_receive_message_length", LARGEST_ANSWER), ("grpc.max_send_message_length", -1)]
    self.channel, self.patience = grpc.insecure_channel(address, options), patience

  def call(self, method, answer, **fields):
    request = MADE[method + "Request"](**fields)
    stub = self.channel.unary_unary("/tensorflow.MasterService/" + method, lambda r: r.SerializeToString(), MADE[answer].FromString)
    try:
      return stub(request, timeout=self.patience, wait_for_ready=False)
    except grpc.RpcError as e:
      code, text = e.code(), e.details() or ""
      if code == grpc.StatusCode.UNAVAILABLE or (code == grpc.StatusCode.DEADLINE_EXCEEDED and text == "Deadline Exceeded"):
        raise Unanswered(text) from e
      if "Received message larger than max" in text:
        raise Failure(TOO_LARGE, text) from e
      raise Failure(code.value[0], text) from e

  def create(self, graph):
    config = tf.ConfigProto(isolate_session_state=True, inter_op_parallelism_threads=1)
    return self.call("CreateSession", "CreateSessionResponse", graph_def=graph, config=config).session_handle

  def close_session(self, session):
    self.call("CloseSession", "CloseSessionResponse", session_handle=session)

  def run(self, session, feeds, fetches, targets, milliseconds):
    """The fetched tensors as messages, by name."""
    feed = [named_tensor_pb2.NamedTensorProto(name=name, tensor=tensor) for name, tensor in feeds.items()]
    options = config_pb2.RunOptions(timeout_in_ms=milliseconds)
    answer = self.call("RunStep", "RunStepResponse", session_handle=session, feed=feed, fetch=[f.encode() for f in fetches],
                       target=[t.encode() for t in targets], options=options, store_errors_in_response_body=True)
    if answer.status_code != OK:
      raise Failure(answer.status_code, answer.status_error_message)
    return {t.name: t.tensor for t in answer.tensor}

  def stop(self):
    self.channel.close()
