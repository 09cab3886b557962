"""Checkpoints, files, strings, summaries. Both sides work on the same folders, one after the other."""
import os
import shutil
import tempfile

from case import *  # noqa: F403

ROOT = tempfile.mkdtemp(prefix="oracle-io-")
SAVED = PLAIN + ["string"]
# TensorFlow saves, but does not restore, parts of the others.
SLICED = [t for t in PLAIN if t not in ("half", "uint16", "uint32", "uint64")]


def fresh(name):
  """An empty folder, at the same place for both sides."""
  folder = os.path.join(ROOT, name.replace(" ", "-"))
  shutil.rmtree(folder, ignore_errors=True)
  os.makedirs(folder)
  return folder


def sounds():
  text = lambda data: np.array(data, dtype=object)
  sound = f32(np.sin(np.arange(24)).reshape(12, 2) * 1.2)
  pack = lambda *numbers: b"".join(int(n).to_bytes(size, "little") for n, size in numbers)

  def wav(body=bytes(range(40)), rate=8000, channels=2, bits=16, form=1, size=16, before=b"", behind=b""):
    frame = channels * 2
    head = before + b"fmt " + pack((size, 4), (form, 2), (channels, 2), (rate, 4), (rate * frame, 4), (frame, 2), (bits, 2)) + bytes(size - 16)
    rest = b"WAVE" + head + b"data" + pack((len(body), 4)) + body + behind
    return text(b"RIFF" + pack((len(rest), 4)) + rest)

  junk = b"JUNK" + pack((6, 4)) + b"abcdef"
  for data in (wav(), wav(channels=1), wav(size=18), wav(before=junk), wav(behind=b"note" + pack((3, 4)) + b"abc")):
    for attrs in ({}, {"desired_channels": 1}, {"desired_channels": 3, "desired_samples": 4}, {"desired_samples": 30}, {"desired_samples": 0}):
      yield Case("DecodeWav", [data], attrs)
  whole = wav()[()]
  for data in (whole[:10], whole[:30], whole[:-5], b"", b"RIFF", whole[:8] + b"AVI " + whole[12:]):
    yield Refused("DecodeWav", [text(data)])
  for data in (wav(body=bytes(38)), wav(bits=8), wav(form=3), wav(size=20), wav(channels=0), wav(before=b"what" + pack((0, 4))), wav(behind=b"data" + pack((0, 4)))):
    yield Refused("DecodeWav", [data])
  yield Refused("DecodeWav", [strings(whole)])
  for rate in (1, 44100, 2**31 - 1):
    yield Case("EncodeWav", [sound, np.int32(rate)])
  yield Case("EncodeWav", [f32([[np.nan], [np.inf], [-np.inf], [1.0], [-1.0]]), np.int32(5)])
  yield Case("EncodeWav", [np.zeros((0, 2), "float32"), np.int32(5)])
  yield Refused("EncodeWav", [sound, np.int32(0)])
  yield Refused("EncodeWav", [sound, np.int32(-1)])
  yield Refused("EncodeWav", [sound, i32([1])])
  yield Refused("EncodeWav", [sound[0], np.int32(8000)])
  yield Refused("EncodeWav", [np.zeros((3, 0), "float32"), np.int32(8000)])
  three = f32(np.sin(np.arange(60)).reshape(5, 6, 2))
  yield Case("AudioSummaryV2", [text(b"sound"), three, np.float32(8000.5)])
  yield Case("AudioSummaryV2", [text(b"sound"), three[..., 0], f32([[0.2]])], {"max_outputs": 1})
  for inputs in ([strings(b"sound"), three, np.float32(1)], [text(b"sound"), three[0, 0], np.float32(1)], [text(b"sound"), three, np.float32(0)],
                 [text(b"sound"), three, f32([1, 2])], [text(b"sound"), three[..., :0], np.float32(1)]):
    yield Refused("AudioSummaryV2", inputs)


def pictures():
  """The files differ, for no two compressors are alike; the pixels must not. They begin behind tag and size."""
  name = np.array(b"picture", dtype=object)

  def build(values, attrs):
    x = tf.placeholder(tf.as_dtype(values.dtype), values.shape)
    out = tf.raw_ops.ImageSummary(tag=tf.constant(b"picture"), tensor=x, **attrs)
    # Lengths of 128 bytes to 16 KiB take two bytes each.
    label = b"picture/image" + (b"" if attrs.get("max_images") == 1 else b"/0")
    head = 3 + 2 + len(label) + 3 + 2 * 3 + 3
    file = tf.strings.substr(out, head, tf.strings.length(out) - head)
    return [([tf.strings.substr(out, 3, 2 + len(label)), tf.raw_ops.DecodePng(contents=file)], {x: values})]

  rng = np.random.RandomState(6)
  for depth in (1, 3, 4):
    for dtype in ("uint8", "half", "float32", "float64"):
      noise = rng.randn(1, 17, 19, depth)
      for low, values in (("negative", noise), ("positive", np.abs(noise)), ("strange", np.where(noise > 2, np.nan, noise))):
        if dtype == "uint8":
          values = np.abs(np.nan_to_num(values) * 60) % 256
        values = values.astype(tf.as_dtype(dtype).as_numpy_dtype)
        attrs = {"max_images": 1} if low == "positive" else {}
        yield Scenario("ImageSummary %s %d %s" % (low, depth, dtype), ["ImageSummary"], lambda v=values, a=attrs: build(v, a), dtype=dtype)
  for shape in ((1, 2, 3), (1, 2, 3, 2), (1, 0, 3, 1)):
    yield Refused("ImageSummary", [name, np.zeros(shape, "float32")])
  yield Refused("ImageSummary", [strings("a", "b"), np.zeros((1, 2, 2, 1), "float32")])


def cases():
  yield from pictures()
  yield from sounds()
  yield from checkpoints()
  yield from slices()
  yield from merging()
  yield from files()
  yield from joining()
  yield from summaries()
  shutil.rmtree(ROOT, ignore_errors=True)


def save(prefix, tensors, specs=None):
  return tf.raw_ops.SaveV2(prefix=prefix, tensor_names=list(tensors), shape_and_slices=[""] * len(tensors) if specs is None else specs, tensors=list(tensors.values()))


def restore(prefix, names, types, specs=None):
  return tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=names, shape_and_slices=[""] * len(names) if specs is None else specs, dtypes=types)


def read(path):
  return tf.raw_ops.ReadFile(filename=path)


def data(prefix):
  """Byte by byte what TensorFlow writes; the index may be packed differently."""
  return prefix + ".data-00000-of-00001"


def checkpoints():
  for dtype in SAVED:
    yield Scenario("SaveV2 %s" % dtype, ["SaveV2", "RestoreV2"], lambda d=dtype: saved_and_restored(d), dtype=dtype, bits=True)
    yield Scenario("RestoreV2 %s that TensorFlow saved" % dtype, ["RestoreV2"], lambda d=dtype: restored(d), dtype=dtype, bits=True)
  yield Scenario("SaveV2 of many", ["SaveV2", "RestoreV2"], many, bits=True)
  yield Scenario("SaveV2 over an older one", ["SaveV2", "RestoreV2"], twice)
  yield Scenario("SaveV2 into a new folder", ["SaveV2", "RestoreV2"], new_folder)
  names, none = strings("a", "b"), strings("", "")
  prefix = np.array(os.path.join(ROOT, "nowhere").encode(), dtype=object)
  yield Refused("SaveV2", [prefix, names, none, [real(2)]], dtypes=["float32"])
  yield Refused("SaveV2", [prefix, names, strings(""), [real(2), real(2)]], dtypes=["float32"])
  yield Refused("SaveV2", [names, names, none, [real(2), real(2)]], dtypes=["float32"])
  yield Refused("SaveV2", [prefix, strings("a", "a"), none, [real(2), real(2)]], dtypes=["float32"])
  yield Refused("RestoreV2", [prefix, names, none], {"dtypes": [tf.float32] * 2})
  yield Refused("RestoreV2", [prefix, names, none], {"dtypes": [tf.float32]})
  for name, key, kind, spec in (("name", "b", tf.float32, ""), ("type", "a", tf.int32, ""), ("slice", "a", tf.float32, "4 3 0,5:-"),
                                ("shape", "a", tf.float32, "5 3 -:-"), ("specification", "a", tf.float32, "4 3 x")):
    yield Scenario("RestoreV2 with a wrong " + name, ["RestoreV2"],
                   lambda n=name, k=key, t=kind, s=spec: wrongly_restored(n, k, t, s), refused=True)


def saved_and_restored(dtype):
  prefix = os.path.join(fresh("save " + dtype), "model")
  arrays = {"v": real(4, 3).array(dtype), "w/scalar": real().array(dtype), "empty": real(0, 3).array(dtype)}
  fed = {k: tf.placeholder(dtype, a.shape) for k, a in arrays.items()}
  kinds = [tf.as_dtype(dtype)] * 3
  out = restore(prefix, ["w/scalar", "empty", "v"], kinds)
  if dtype in SLICED:
    out += restore(prefix, ["v"], kinds[:1], ["4 3 1,2:0,1"])
  yield [save(prefix, fed)], {fed[k]: arrays[k] for k in fed}
  yield out, {}
  yield [read(data(prefix))], {}
  # What was saved, as TensorFlow itself reads it.
  reader = tf.train.load_checkpoint(prefix)
  seen = tf.placeholder(dtype, [4, 3])
  yield [tf.identity(seen)], {seen: reader.get_tensor("v")}


def by_tensorflow(folder, arrays, specs=None):
  """A checkpoint that TensorFlow wrote."""
  prefix = os.path.join(folder, "model")
  with tf.Graph().as_default(), tf.Session() as session:
    session.run(save(prefix, {k: tf.constant(a) for k, a in arrays.items()}, specs))
  return prefix


def restored(dtype):
  prefix = by_tensorflow(fresh("restore " + dtype), {"v": real(4, 3).array(dtype), "s": real().array(dtype)})
  kinds = [tf.as_dtype(dtype)] * 2
  steps = [(restore(prefix, ["s", "v"], kinds), {})]
  return steps + [(restore(prefix, ["v"], kinds[:1], ["4 3 -:1,2"]), {})] if dtype in SLICED else steps


def wrongly_restored(name, key, kind, spec):
  prefix = by_tensorflow(fresh("wrong " + name), {"a": np.ones([4, 3], np.float32)})
  fed = tf.placeholder(tf.string, [1])  # a constant the client would check first
  return [(restore(prefix, [key], [kind], fed), {fed: [spec]})]


def many():
  """So many names that the index has several blocks."""
  prefix = os.path.join(fresh("many"), "model")
  names = ["layer_%d/kernel" % i for i in range(500)]
  tensors = {n: tf.fill([i % 7 + 1], tf.constant(i)) for i, n in enumerate(names)}
  return [([save(prefix, tensors)], {}), (restore(prefix, names[::-1], [tf.int32] * 500), {}), ([read(data(prefix))], {})]


def twice():
  prefix = os.path.join(fresh("twice"), "model")
  value = tf.placeholder(tf.float32, [2])
  saving = save(prefix, {"v": value})
  return [([saving], {value: [1, 2]}), ([saving], {value: [3, 4]}), (restore(prefix, ["v"], [tf.float32]), {})]


def new_folder():
  prefix = os.path.join(fresh("folder"), "new", "model")
  return [([save(prefix, {"v": tf.constant([1.0])})], {}), (restore(prefix, ["v"], [tf.float32]), {})]


def slices():
  for dtype in SLICED:
    yield Scenario("SaveV2 in slices, %s" % dtype, ["SaveV2", "RestoreV2"], lambda d=dtype: saved_in_slices(d), dtype=dtype)
  yield Scenario("SaveV2 of a slice that does not fit", ["SaveV2"], lambda: [([save(fresh("misfit") + "/m", {"v": tf.ones([2])}, ["4 0,3"])], {})], refused=True)
  yield Scenario("RestoreV2 of slices TensorFlow saved", ["RestoreV2"], restored_slices)


def whole_and_parts(prefix, dtype):
  specs = ["", "4 3 0,2:-", "4 3 1,2:-", "4 3 1,2:1,2", "4 3 3,1:-"]
  return restore(prefix, ["v"] * len(specs), [tf.as_dtype(dtype)] * len(specs), specs)


def saved_in_slices(dtype):
  folder = fresh("slices " + dtype)
  value = real(4, 3).array(dtype)
  x = tf.placeholder(dtype, [4, 3])
  steps = []
  for i, spec in enumerate(("4 3 0,1:-", "4 3 1,3:-")):
    rows = x[:1] if i == 0 else x[1:]
    steps.append(([save("%s/part%d" % (folder, i), {"v": rows}, [spec])], {x: value}))
  parts = ["%s/part%d" % (folder, i) for i in range(2)]
  merged = folder + "/model"
  steps.append(([tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=merged)], {}))
  steps.append((whole_and_parts(merged, dtype), {}))
  return steps


def restored_slices():
  folder = fresh("given slices")
  value = np.arange(12, dtype=np.float32).reshape(4, 3)
  with tf.Graph().as_default(), tf.Session() as session:
    for i, (spec, part) in enumerate((("4 3 0,2:0,2", value[:2, :2]), ("4 3 0,2:2,1", value[:2, 2:]), ("4 3 2,2:-", value[2:]))):
      session.run(save("%s/part%d" % (folder, i), {"v": tf.constant(part)}, [spec]))
    session.run(tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=["%s/part%d" % (folder, i) for i in range(3)], destination_prefix=folder + "/model"))
  return [(whole_and_parts(folder + "/model", "float32"), {})]


def merging():
  for options in ({}, {"delete_old_dirs": False}, {"allow_missing_files": True}):
    yield Scenario("MergeV2Checkpoints %s" % options, ["MergeV2Checkpoints", "MatchingFiles"], lambda o=options: merged(o))
  yield Scenario("MergeV2Checkpoints of nothing", ["MergeV2Checkpoints"], lambda: merged({}, absent=True), refused=True)
  yield Scenario("MergeV2Checkpoints with one absent", ["MergeV2Checkpoints"], lambda: merged({"allow_missing_files": True}, absent=True))
  basename = np.array(b"/some/model", dtype=object)
  for shard, count in ((0, 1), (3, 12), (123456, 200000)):
    yield Case("ShardedFilename", [basename, i32(shard), i32(count)])
    yield Case("ShardedFilespec", [basename, i32(count)])


def merged(options, absent=False):
  folder = fresh("merge")
  parts = []
  steps = []
  for i in range(3):
    parts.append("%s/temp%d/part" % (folder, i))
    if not (absent and i == 1):
      os.makedirs(os.path.dirname(parts[-1]))
      steps.append(([save(parts[-1], {"v%d" % i: tf.fill([i + 1], float(i)), "s%d" % i: tf.constant("text %d" % i)})], {}))
  whole_prefix = folder + "/model"
  steps.append(([tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=whole_prefix, **options)], {}))
  names = ["v0", "s0", "v2", "s2"] + ([] if absent else ["v1"])
  steps.append((restore(whole_prefix, names, [tf.string if n[0] == "s" else tf.float32 for n in names]), {}))
  steps.append(([tf.raw_ops.MatchingFiles(pattern=[folder + "/*", folder + "/*/*"])], {}))
  return steps


def files():
  for i, contents in enumerate((b"", b"some text\n", bytes(range(256)) * 300)):
    yield Scenario("WriteFile %d" % i, ["WriteFile", "ReadFile"], lambda c=contents: written(c))
  yield Scenario("WriteFile over a longer file", ["WriteFile", "ReadFile"], written_over)
  yield Refused("ReadFile", [np.array(os.path.join(ROOT, "absent").encode(), dtype=object)])
  yield Refused("ReadFile", [strings("a", "b")])
  yield Refused("WriteFile", [strings("a", "b"), strings("c", "d")])
  yield Scenario("ReadFile of a folder", ["ReadFile"], lambda: [([read(fresh("a folder"))], {})], refused=True)
  yield Scenario("MatchingFiles", ["MatchingFiles"], matching)


def written(contents):
  path = os.path.join(fresh("files"), "new", "folder", "file")
  return [([tf.raw_ops.WriteFile(filename=path, contents=contents)], {}), ([read(path)], {})]


def written_over():
  path = os.path.join(fresh("files"), "file")
  return [([tf.raw_ops.WriteFile(filename=path, contents=c)], {}) for c in ("long contents", "short")] + [([read(path)], {})]


def matching():
  folder = fresh("matching")
  for name in ("a1.txt", "a2.txt", "b1.txt", "a10.txt", ".hidden.txt", "sub/a1.txt", "sub/deep/c.dat", "sub2/a1.txt"):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
      f.write(name)
  patterns = ["*.txt", "a?.txt", "[ab]1.txt", "[!a]1.txt", "a[0-9]*.txt", "*/a1.txt", "sub*/*", "a1.txt", "absent", "absent/*", "*", "su[a-c]/deep/*", "sub/*/c.dat"]
  one = [tf.raw_ops.MatchingFiles(pattern="%s/%s" % (folder, p)) for p in patterns]
  several = tf.raw_ops.MatchingFiles(pattern=["%s/%s" % (folder, p) for p in ("b*", "a*", "sub/*")])
  none = tf.raw_ops.MatchingFiles(pattern=tf.constant([], tf.string))
  return [([o], {}) for o in one + [several, none]]


def joining():
  for separator in ("", ", ", "ü"):
    yield Case("StringJoin", [[real(2, 3), real(), real(2, 3)]], {"separator": separator}, dtypes=["string"])
  yield Case("StringJoin", [[real(), whole()]], {"separator": "/"}, dtypes=["string"])
  yield Case("StringJoin", [[real(4)]], {"separator": "/"}, dtypes=["string"])
  yield Case("StringJoin", [[real(0, 2), whole()]], dtypes=["string"])
  yield Refused("StringJoin", [[real(2), real(3)]], dtypes=["string"])


def summaries():
  tag = np.array(b"tag", dtype=object)
  yield Case("ScalarSummary", [strings("a", "b/c", ""), real(3)], dtypes=REAL)
  yield Case("ScalarSummary", [tag, real()], dtypes=REAL)
  yield Refused("ScalarSummary", [strings("a"), real()], dtypes=["float32"])
  yield Case("ScalarSummary", [tag, np.array(np.nan, np.float32)])
  yield Refused("ScalarSummary", [strings("a", "b"), real(3)], dtypes=["float32"])
  yield Refused("ScalarSummary", [strings("a", "b"), real()], dtypes=["float32"])
  yield Case("HistogramSummary", [tag, real(40)], dtypes=REAL)
  yield Case("HistogramSummary", [tag, real(3, 0)], dtypes=["float32"])
  yield Case("HistogramSummary", [tag, real()], dtypes=["float32"])
  yield Case("HistogramSummary", [tag, np.array([0, -0.0, 1e-13, -1e-13, 1e19, -1e21, 1e300, 1.0, 1.1])])
  for value in (np.nan, np.inf):
    yield Refused("HistogramSummary", [tag, np.array([1, value], np.float32)])
  yield Refused("HistogramSummary", [strings("a", "b"), real(3)], dtypes=["float32"])
  metadata = tf.SummaryMetadata(display_name="name", summary_description="what it is",
                                plugin_data=tf.SummaryMetadata.PluginData(plugin_name="plugin", content=b"\x00\x01"))
  for encoded in (b"", metadata.SerializeToString()):
    encoded = np.array(encoded, dtype=object)
    yield Case("TensorSummaryV2", [tag, real(2, 3), encoded], dtypes=SAVED)
    yield Case("TensorSummaryV2", [tag, real(), encoded], dtypes=["float32", "string"])
  yield Refused("TensorSummaryV2", [strings("a", "b"), real(2), tag], dtypes=["float32"])
  yield Case("TensorSummary", [real(2, 3)], dtypes=SAVED)
  yield Case("TensorSummary", [real(2, 3)], {"description": "text", "labels": ["a", "b"], "display_name": "name"}, dtypes=["float32"])
  parts = [tf.Summary(value=[tf.Summary.Value(tag=t, simple_value=v) for t, v in pairs]).SerializeToString()
           for pairs in ([("a", 1.0), ("b", 2.0)], [("c", 3.0)], [("a", 4.0)], [("", 5.0), ("", 6.0)])]
  yield Case("MergeSummary", [[strings(parts[0]), strings(parts[1], parts[3])]])
  yield Case("MergeSummary", [[np.array(parts[0], dtype=object)]])
  yield Refused("MergeSummary", [[strings(parts[0]), strings(parts[2])]])
  yield Refused("MergeSummary", [[strings(b"\xff\xff\xff")]])
