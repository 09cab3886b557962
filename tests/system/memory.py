"""Strings, lists and files against a memory limit, and files that let their readers wait."""
import os
import tempfile
import threading

import numpy as np

from harness import Server, session, tf
from waiting import until

R = tf.raw_ops
LIMIT = 256 << 20
# The limit, what the pool keeps of it for reuse, and the program itself.
RESIDENT = LIMIT + LIMIT // 2 + (300 << 20)


def peak(server):
  """The most memory the server has had at a time, in bytes."""
  with open("/proc/%d/status" % server.process.pid) as status:
    return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def seed():
  """A string of a kilobyte that the client cannot fold into a constant."""
  return tf.placeholder_with_default(tf.constant(b"x" * 1024), [])


def chain(change, times):
  value = seed()
  for _ in range(times):
    value = change(value)
  return R.StringLength(input=value)


def joins():
  return chain(lambda s: R.StringJoin(inputs=[s, s]), 24)


def sums():
  return chain(lambda s: R.Add(x=s, y=s), 24)


def base64():
  return chain(lambda s: R.EncodeBase64(input=s), 60)


def reduce_joins():
  return chain(lambda s: R.ReduceJoin(inputs=tf.fill([16], s), reduction_indices=[0]), 6)


def serialized():
  return chain(lambda s: R.SerializeTensor(tensor=tf.fill([2], s)), 24)


def ngrams():
  data = tf.fill([4000], seed())
  grams = R.StringNGrams(
      data=data, data_splits=tf.constant([0, 4000], tf.int64), separator=b"|", ngram_widths=[1000], left_pad=b"", right_pad=b"",
      pad_width=0, preserve_short_sequences=False)
  return R.StringLength(input=grams.ngrams)


def regex():
  text = R.StringJoin(inputs=[seed()] * 64)
  return R.StringLength(input=R.StaticRegexReplace(input=text, pattern="x", rewrite="y" * 200000))


def dynamic_regex():
  text = R.StringJoin(inputs=[seed()] * 64)
  rewrite = R.StringJoin(inputs=[seed()] * 200)
  return R.StringLength(input=R.RegexReplace(input=text, pattern="x", rewrite=rewrite))


def as_string():
  return R.StringLength(input=R.AsString(input=tf.fill([tf.placeholder_with_default(200000, [])], 1.0), width=60000))


def formatted():
  numbers = tf.fill([tf.placeholder_with_default(100 << 20, [])], tf.constant(1, tf.uint8))
  return R.StringLength(input=R.StringFormat(inputs=[numbers], template="%s", placeholder="%s", summarize=-1))


def split():
  text = R.StringJoin(inputs=[tf.fill([1], seed())] * 16384)
  return R.StringSplit(input=text, delimiter="", skip_empty=False).shape


def segment_join():
  return R.StringLength(input=R.UnsortedSegmentJoin(
      inputs=tf.fill([400000], seed()), segment_ids=tf.zeros([400000], tf.int32), num_segments=1))


def gathered():
  places = tf.zeros([tf.placeholder_with_default(40 << 20, [])], tf.int8)
  return tf.size(tf.gather(tf.fill([1], seed()), tf.cast(places, tf.int32)))


def broadcast():
  one, other = (tf.fill([tf.placeholder_with_default(1 << 20, [])], b"x") for _ in range(2))
  return tf.size(R.Add(x=one[:, None], y=other[None, :]))


def zeros():
  return R.StringLength(input=R.ReadFile(filename="/dev/zero"))


def list_of_small_tensors():
  made = R.TensorListReserve(
      element_shape=tf.constant([], tf.int32), num_elements=tf.placeholder_with_default((1 << 26) - 1, []), element_dtype=tf.float32)
  return R.TensorListLength(input_handle=made)


def queue_without_end():
  queue = tf.FIFOQueue(-1, [tf.int32], [[]])
  body = lambda i: [tf.tuple([i + 1], control_inputs=[queue.enqueue(i)])[0]]
  return tf.while_loop(lambda i: i < 1 << 30, body, [tf.placeholder_with_default(0, [])], parallel_iterations=1)


def table_without_end():
  table = R.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.int64)

  def body(i):
    keys = tf.range(i, i + 10000)
    with tf.control_dependencies([R.LookupTableInsertV2(table_handle=table, keys=keys, values=keys)]):
      return [i + 10000]

  start = tf.placeholder_with_default(tf.constant(0, tf.int64), [])
  return tf.while_loop(lambda i: i < 1 << 40, body, [start], parallel_iterations=1)


def number(n):
  """A size that the client cannot fold into a constant."""
  return tf.placeholder_with_default(tf.constant(n), [])


def large(count, part):
  """A string of `count` times these bytes, made on the server; `count` is a power of 64."""
  text = tf.placeholder_with_default(tf.constant(part), [])
  while count > 1:
    text, count = R.StringJoin(inputs=[text] * 64), count // 64
  return text


def shared_tags():
  return R.StringLength(input=R.ScalarSummary(tags=tf.fill([number(2000)], large(64**3, b"x")), values=tf.zeros([number(2000)])))


def empty_summaries():
  return R.StringLength(input=R.MergeSummary(inputs=[large(64**4, b"\n\0"), seed()]))


def histogram():
  return R.StringLength(input=R.HistogramSummary(tag="x", values=tf.fill([number(100 << 20)], tf.constant(1, tf.uint8))))


def empty_handles():
  return tf.shape(R.ParseTensor(serialized=large(64**4, b"\x72\0"), out_type=tf.resource))


def shared_names():
  n = 2000
  names = tf.fill([number(n)], large(64**3, b"x"))
  return R.RestoreV2(prefix="/nonexistent", tensor_names=names, shape_and_slices=tf.fill([number(n)], b""), dtypes=[tf.float32] * n)[0]


def rows_of_nothing(n):
  return dict(
      sparse_indices=tf.zeros([0, 2], tf.int64), sparse_values=tf.zeros([0]),
      sparse_shape=tf.placeholder_with_default(tf.constant([n, 1], tf.int64), [2]))


def many_sparse():
  return R.SerializeManySparse(out_type=tf.variant, **rows_of_nothing(1 << 20))[:1, 0]


def many_kept_sparse():
  return R.AddManySparseToTensorsMap(**rows_of_nothing(1 << 20))[:1]


def ragged_rows():
  splits = tf.zeros([number(2 << 20)], tf.int32)
  return tf.shape(R.RaggedTensorToVariant(rt_nested_splits=[splits], rt_dense_values=tf.zeros([0]), batched_input=True)[:1])


def sets():
  one, other = (tf.zeros([number(20 << 20), 1], tf.int8) for _ in range(2))
  return R.DenseToDenseSetOperation(set1=one, set2=other, set_operation="union")[2]


def distinct_rows():
  return R.UniqueV2(x=tf.zeros([number(100 << 20), 1], tf.int8), axis=tf.constant([0]))[0][:1]


def keys_to_find():
  table = R.MutableHashTableV2(key_dtype=tf.int32, value_dtype=tf.int32)
  return R.LookupTableFindV2(table_handle=table, keys=tf.zeros([number(20 << 20)], tf.int32), default_value=number(1))[:1]


def fields():
  return R.DecodeCSV(records=[large(64**4, b"1,")], record_defaults=[tf.constant([1.0])])[0]


def weights():
  n = 100 << 20
  return R.FixedUnigramCandidateSampler(
      true_classes=tf.zeros([1, 1], tf.int64), num_true=1, num_sampled=1, unique=False, range_max=n + 1, num_reserved_ids=n,
      unigrams=[1.0])[0][:1]


def partitions():
  return R.DynamicPartition(data=tf.zeros([number(30 << 20)], tf.int8), partitions=tf.zeros([number(30 << 20)], tf.int32), num_partitions=1)[0][:1]


def shared_lists():
  """A list of two lists of two lists, and so on: a kilobyte here and four gigabytes as a message."""
  empty = lambda dtype: R.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=dtype)
  inner = R.TensorListPushBack(input_handle=empty(tf.float32), tensor=tf.placeholder_with_default(1.0, []))
  for _ in range(26):
    outer = empty(tf.variant)
    for _ in range(2):
      outer = R.TensorListPushBack(input_handle=outer, tensor=inner)
    inner = outer
  return R.StringLength(input=R.SerializeTensor(tensor=inner))


def length(s, text):
  """The length of a text, or None where there is no memory for it."""
  try:
    return s.run(text)
  except tf.errors.ResourceExhaustedError:
    return None


ATTACKS = [
    joins, sums, base64, reduce_joins, serialized, ngrams, regex, dynamic_regex, as_string, formatted, split, segment_join, gathered, broadcast,
    zeros, list_of_small_tensors, keys_to_find, queue_without_end, table_without_end, shared_tags, empty_summaries, histogram, empty_handles,
    shared_names, many_sparse, many_kept_sparse, ragged_rows, sets, distinct_rows, fields, weights, partitions, shared_lists,
]


def test_no_operation_passes_the_memory_limit(binary):
  with Server(binary, "--memory-limit", str(LIMIT)) as server:
    for attack in ATTACKS:
      with tf.Graph().as_default(), session(server.target) as s:
        out = attack()
        one = tf.placeholder(tf.float32, [])
        try:
          s.run(out)
          raise AssertionError("%s passed the memory limit" % attack.__name__)
        except tf.errors.ResourceExhaustedError as e:
          assert str(LIMIT) in e.message and "memory-limit" in e.message, e.message
        assert server.alive(), attack.__name__
        assert s.run(one + 1, {one: 1.0}) == 2.0
        assert peak(server) < RESIDENT, (attack.__name__, peak(server))
      tf.Session.reset(server.target)
    # Everything is given back: what fits the limit alone can be made.
    with tf.Graph().as_default(), session(server.target) as s:
      large = chain(lambda x: R.StringJoin(inputs=[x, x]), 16)
      until(lambda: length(s, large) == 64 << 20, "a million small tensors are freed")


def wrapped(wrap, start, times):
  kept = [tf.TensorShape([]), tf.TensorShape(None)]
  count, value = tf.while_loop(
      lambda i, _: i < times, lambda i, v: [i + 1, wrap(v)], [tf.placeholder_with_default(0, []), start], parallel_iterations=1,
      shape_invariants=kept)
  with tf.control_dependencies([value]):
    return tf.identity(count)


def test_variants_nested_without_end_are_refused(binary):
  """Each level would take a part of the stack when the value is dropped."""
  empty = lambda: R.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.variant)
  wraps = {
      "list": (lambda v: R.TensorListPushBack(input_handle=empty(), tensor=v), empty),
      "optional": (lambda v: R.OptionalFromValue(components=[v]), empty),
      "map": (lambda v: R.TensorMapInsert(input_handle=R.EmptyTensorMap(), key=1, value=v), R.EmptyTensorMap),
  }
  with Server(binary) as server:
    for name, (wrap, start) in wraps.items():
      with tf.Graph().as_default(), session(server.target) as s:
        assert s.run(wrapped(wrap, start(), 49)) == 49
        try:
          s.run(wrapped(wrap, start(), 300000))
          raise AssertionError("a %s was nested 300,000 deep" % name)
        except tf.errors.InvalidArgumentError as e:
          assert "nested more than 50 deep" in e.message, e.message
      assert server.alive(), name


def test_at_the_memory_limit_sessions_can_be_closed_and_servers_reset(binary):
  with Server(binary, "--memory-limit", "64M") as server, tf.Graph().as_default():
    s = tf.Session(server.target)
    queue = tf.FIFOQueue(-1, [tf.int32], [[1 << 16]], shared_name="full")
    body = lambda i: [tf.tuple([i + 1], control_inputs=[queue.enqueue([tf.fill([1 << 16], i)])])[0]]
    fill = tf.while_loop(lambda i: i < 1 << 30, body, [tf.placeholder_with_default(0, [])], parallel_iterations=1)
    assert length(s, fill) is None, "a queue took more than the memory limit"
    s.close()
    tf.Session.reset(server.target)
    with tf.Graph().as_default(), session(server.target) as other:
      one = tf.placeholder(tf.float32, [])
      assert other.run(one + 1, {one: 1.0}) == 2.0


def test_session_tensors_end_with_their_session(binary):
  with Server(binary, "--memory-limit", "64M") as server:
    for _ in range(4):
      with tf.Graph().as_default(), session(server.target) as s:
        count = tf.placeholder_with_default(6 << 20, [])
        s.run(R.GetSessionHandle(value=tf.zeros([count])))


def test_the_refusal_names_the_operation(binary):
  with Server(binary, "--memory-limit", "64M") as server, tf.Graph().as_default(), session(server.target) as s:
    try:
      s.run(R.StringLength(input=R.ReadFile(filename="/dev/zero", name="endless")))
      raise AssertionError("/dev/zero has an end")
    except tf.errors.ResourceExhaustedError as e:
      for part in ("ReadFile", "/dev/zero", "endless", "67108864"):
        assert part in e.message, e.message


def test_fed_strings_count(binary):
  with Server(binary, "--memory-limit", "64M") as server, tf.Graph().as_default(), session(server.target) as s:
    text = tf.placeholder(tf.string, [None])
    queue = tf.FIFOQueue(-1, [tf.string])
    put, size = queue.enqueue([text]), queue.size()
    try:
      for _ in range(64):
        s.run(put, {text: [os.urandom(4 << 20)]})
      raise AssertionError("a queue took more than the memory limit")
    except tf.errors.ResourceExhaustedError:
      pass
    assert 8 < s.run(size) < 17


def test_pipes_hold_no_threads(binary):
  """Thirty reads of pipes that nobody writes to, on two compute threads: all else goes on, and deadlines end them."""
  with tempfile.TemporaryDirectory() as folder, Server(binary, "--threads", "2") as server, tf.Graph().as_default():
    silent, spoken = os.path.join(folder, "silent"), os.path.join(folder, "spoken")
    os.mkfifo(silent)
    os.mkfifo(spoken)
    plain = os.path.join(folder, "plain")
    with open(plain, "w") as file:
      file.write("rain")
    name = tf.placeholder(tf.string, [])
    contents = tf.read_file(name)
    x = tf.placeholder(tf.float32, [None, None])
    product = tf.reduce_sum(tf.matmul(x, x))
    outcomes = []
    with session(server.target) as s:

      def read(path, milliseconds):
        try:
          outcomes.append(s.run(contents, {name: path}, options=tf.RunOptions(timeout_in_ms=milliseconds)))
        except tf.errors.OpError as e:
          outcomes.append(type(e).__name__)

      waiting = [threading.Thread(target=read, args=(silent, 15000)) for _ in range(30)]
      heard = threading.Thread(target=read, args=(spoken, 60000))
      for thread in waiting + [heard]:
        thread.start()
      for _ in range(20):
        assert s.run(product, {x: np.ones([50, 50])}) == 50**3
        assert s.run(contents, {name: plain}) == b"rain"
      with open(spoken, "w") as file:
        file.write("drop")
      heard.join()
      assert outcomes == [b"drop"], outcomes
      for thread in waiting:
        thread.join()
      assert outcomes[1:] == ["DeadlineExceededError"] * 30, outcomes
      assert s.run(contents, {name: plain}) == b"rain"
      # Closing the session ends what still waits.
      last = threading.Thread(target=read, args=(silent, 600000))
      last.start()
    last.join(60)
    assert not last.is_alive(), "a closed session's step goes on"
    assert server.alive()


def test_what_is_no_regular_file_is_no_checkpoint(binary):
  with tempfile.TemporaryDirectory() as folder, Server(binary) as server, tf.Graph().as_default(), session(server.target) as s:
    os.mkfifo(os.path.join(folder, "model.index"))
    restore = R.RestoreV2(prefix=os.path.join(folder, "model"), tensor_names=["v"], shape_and_slices=[""], dtypes=[tf.float32])
    try:
      s.run(restore, options=tf.RunOptions(timeout_in_ms=60000))
      raise AssertionError("a pipe was restored")
    except tf.errors.UnknownError as e:
      assert "not a regular file" in e.message, e.message
