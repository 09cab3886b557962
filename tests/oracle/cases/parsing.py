"""Serialised Examples and SequenceExamples: to tensors."""
import zlib
import gzip

from case import *  # noqa: F403

NONE = np.array([], dtype=object)


def text(value):
  return np.asarray(value, object)


def feature(values):
  values = list(values)
  if values and isinstance(values[0], float):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))
  if values and isinstance(values[0], int):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
  return tf.train.Feature(bytes_list=tf.train.BytesList(value=[v.encode() for v in values]))


def features(**named):
  return tf.train.Features(feature={name: values if isinstance(values, tf.train.Feature) else feature(values) for name, values in named.items()})


def example(**named):
  return tf.train.Example(features=features(**named)).SerializeToString()


def sequence_example(context=None, **lists):
  lists = {name: tf.train.FeatureList(feature=[feature(v) for v in values]) for name, values in lists.items()}
  message = tf.train.SequenceExample(context=features(**(context or {})), feature_lists=tf.train.FeatureLists(feature_list=lists))
  return message.SerializeToString()


EMPTY_FLOATS = tf.train.Feature(float_list=tf.train.FloatList())
EMPTY_INTS = tf.train.Feature(int64_list=tf.train.Int64List())
NO_KIND = tf.train.Feature()


def cases():
  yield from examples()
  yield from damaged_examples()
  yield from first_versions()
  yield from sequence_examples()
  yield from single_sequence_examples()
  yield from json_examples()
  yield from compressed()


BATCH = [
    example(d=[1.0, 2.0], v=[1, 2, 3, 4], s=["a"], r=[0.5], i=[7]),
    example(other=[1], r=[1.5, 2.5], s=["b", "c", "d"], i=[8]),
    example(v=[5, 6], d=[3.0, 4.0], i=[9], r=EMPTY_FLOATS, s=NO_KIND),
    b"",
    # Two Examples one behind the other: of features that both have the last counts.
    example(d=[1.0, 2.0], s=["x", "y"], i=[1]) + example(d=[5.0, 6.0], s=["z"], i=[2]),
    # An empty feature takes nothing away from a dense one, but from others.
    example(d=[1.0, 2.0], s=["x", "y"], r=[9.0], i=[1]) + example(d=NO_KIND, s=NO_KIND, r=NO_KIND),
]
ATTRS = {
    "num_sparse": 1, "sparse_types": [tf.string], "ragged_value_types": [tf.float32],
    "dense_shapes": [[2], [None, 2], []],
}
KEYS = [strings("s"), strings("d", "v", "i"), strings("r")]
DEFAULTS = [[f32([8, 9]), i64(-1), i64(77)]]


def parse(serialized, names=NONE, keys=KEYS, defaults=DEFAULTS, split_type=tf.int64, refused=False, **attrs):
  make = Refused if refused else Case
  return make("ParseExampleV2", [serialized, names] + keys + defaults, {**ATTRS, "ragged_split_types": [split_type], **attrs})


def examples():
  for split_type in (tf.int32, tf.int64):
    yield parse(strings(*BATCH), split_type=split_type)
    yield parse(strings(*[BATCH[i % len(BATCH)] for i in range(300)]), split_type=split_type)
    yield parse(NONE, split_type=split_type)
    for message in BATCH:
      yield parse(text(message), split_type=split_type)
  # Lists that are not packed, fields that no Example has, and lengths that say too much.
  floats = b"\x0d\0\0\x80\x3f\x0d\0\0\0\x40"
  entry = b"\x0a\x01d\x12\x0c\x12\x0a" + floats
  loose = b"\x0a" + bytes([len(entry) + 2]) + b"\x0a" + bytes([len(entry)]) + entry
  yield parse(strings(loose, b"\x18\x05\x22\x01x\x2d1234\x3112345678" + loose, loose.replace(b"\x0a\x18\x0a\x16", b"\x0a\x7f\x0a\x16")))
  yield parse(text(loose))
  integers = b"\x0a\x01i\x12\x04\x1a\x02\x08\x05"
  yield parse(strings(b"\x0a" + bytes([len(integers) + 2]) + b"\x0a" + bytes([len(integers)]) + integers))
  swapped = b"\x12\x04\x1a\x02\x08\x05\x0a\x01i"
  yield parse(strings(b"\x0a" + bytes([len(swapped) + 2]) + b"\x0a" + bytes([len(swapped)]) + swapped))
  # All kinds of values in all kinds of features.
  for kind, values in ((tf.float32, [1.5, 2.5]), (tf.int64, [-1, 2**62]), (tf.string, ["", "long" * 50])):
    messages = strings(example(d=values, s=values, r=values, v=values), example(d=values), example(d=values, v=values * 2))
    default = np.zeros([2], kind.as_numpy_dtype) if kind != tf.string else strings("p", "q")
    padding = np.asarray(default[0], default.dtype)
    yield parse(messages, keys=[strings("s"), strings("d", "v"), strings("r")], defaults=[[default, padding]],
                sparse_types=[kind], ragged_value_types=[kind], dense_shapes=[[2], [None]])
  many = {"feature_%03d" % i: [i] for i in range(100)}
  yield parse(strings(example(**many), example(**dict(reversed(list(many.items()))))), keys=[NONE, strings(*many), strings("r")], defaults=[[i64(-1)] * 100],
              num_sparse=0, sparse_types=[], dense_shapes=[[]] * 100)


def damaged_examples():
  message = BATCH[0]
  for bad in (b"garbage", message[:-1], message[:5], b"\x0a", b"\x0b", b"\x0a\x05\x0a\x03\x0a\x01d", b"\x0f" * 12, b"\x0a\x03\x12\x01x"):
    yield parse(strings(message, bad), refused=True)
    yield parse(text(bad), refused=True)
  required = [[np.array([], np.float32), i64(-1), i64(77)]]
  for named in ({"d": [1, 2]}, {"d": [1.0]}, {"d": [1.0, 2.0, 3.0]}, {"d": ["a", "b"]}, {"v": [1, 2, 3]}, {"v": [1.0, 2.0]}, {"s": [1]}, {"r": ["a"]}, {"i": [1, 2]}):
    yield parse(strings(message, example(**named)), refused=True)
    yield parse(text(example(**named)), refused=True)
  yield parse(strings(message, example(i=[1])), defaults=required, refused=True)
  yield parse(text(example(i=[1])), defaults=required, refused=True)
  yield parse(strings(message), names=strings("a", "b"), refused=True)
  yield parse(np.array([[message]], dtype=object), refused=True)
  yield parse(strings(message), keys=[strings("s"), strings("d", "v"), strings("r")], refused=True)
  yield parse(strings(message), keys=[strings("s", "t"), strings("d", "v", "i"), strings("r")], refused=True)
  yield parse(strings(message), defaults=[[f32([8]), i64(-1), i64(77)]], refused=True)
  yield parse(strings(message), defaults=[[f32([8, 9]), i64([1, 2]), i64(77)]], refused=True)
  # A feature of an unknown kind.
  entry = b"\x0a\x01d\x12\x02\x22\x00"
  yield parse(strings(b"\x0a\x0b\x0a\x09" + entry + b"xx"), refused=True)
  yield parse(strings(b"\x0a\x09\x0a\x07" + entry), refused=True)


def first_versions():
  attrs = {"sparse_types": [tf.string, tf.float32], "dense_shapes": [[2], [None, 2], []]}
  keys = [[text("s"), text("r")], [text("d"), text("v"), text("i")]]
  yield Case("ParseExample", [strings(*BATCH), NONE] + keys + DEFAULTS, attrs)
  yield Case("ParseExample", [NONE, NONE] + keys + DEFAULTS, attrs)
  yield Refused("ParseExample", [text(BATCH[0]), NONE] + keys + DEFAULTS, attrs)
  yield Refused("ParseExample", [strings(example(d=[1])), strings("name")] + keys + DEFAULTS, attrs)
  attrs = {"num_sparse": 2, "sparse_keys": ["s", "r"], "dense_keys": ["d", "v", "i"], **attrs}
  for message in BATCH:
    yield Case("ParseSingleExample", [text(message)] + DEFAULTS, attrs)
  for message in (b"garbage", example(d=[1]), example(d=[1.0]), example(v=[1, 2, 3]), example(s=[1.0])):
    yield Refused("ParseSingleExample", [text(message)] + DEFAULTS, attrs)
  yield Refused("ParseSingleExample", [strings(BATCH[0])] + DEFAULTS, attrs)


SEQUENCES = [
    sequence_example({"cs": ["a"], "cd": [1.0], "cr": [8, 9]}, ld=[[1, 2], [3, 4]], ls=[[0.5], [1.5, 2.5]], lr=[["x"], ["y", "z"], []]),
    sequence_example({"cs": ["b", "c"], "other": [1]}, ld=[[5, 6]], other=[[1]]),
    sequence_example({"cd": [4.0], "cr": EMPTY_INTS}, ld=[], lr=[["w"]]),
]


def sequence_examples():
  attrs = {
      "Ncontext_sparse": 1, "context_sparse_types": [tf.string], "context_ragged_value_types": [tf.int64],
      "context_dense_shapes": [[1]], "Nfeature_list_sparse": 1, "Nfeature_list_dense": 1, "feature_list_dense_types": [tf.int64],
      "feature_list_sparse_types": [tf.float32], "feature_list_ragged_value_types": [tf.string], "feature_list_dense_shapes": [[2]],
  }
  keys = [strings("cs"), strings("cd"), strings("cr"), strings("ls"), strings("ld"), strings("lr")]
  default = [[f32([7])]]

  def parse_sequences(serialized, names=NONE, may_miss=False, default=default, split_type=tf.int64, refused=False, keys=keys):
    make = Refused if refused else Case
    splits = {"context_ragged_split_types": [split_type], "feature_list_ragged_split_types": [split_type]}
    return make("ParseSequenceExampleV2", [serialized, names] + keys + [np.array([may_miss])] + default, {**attrs, **splits})

  for split_type in (tf.int32, tf.int64):
    yield parse_sequences(strings(*SEQUENCES), split_type=split_type)
    yield parse_sequences(strings(*SEQUENCES, b""), may_miss=True, split_type=split_type)
  yield parse_sequences(NONE, names=NONE)
  bad = [b"garbage", SEQUENCES[0][:-1], SEQUENCES[0][:7]]
  bad += [sequence_example({"cd": [1]}, ld=[]), sequence_example({"cd": [1.0, 2.0]}, ld=[]), sequence_example({"cs": [1]}, ld=[])]
  bad += [sequence_example(ld=[[1]]), sequence_example(ld=[[1], [2]]), sequence_example(ld=[[1.0, 2.0]]), sequence_example(ld=[[1, 2], ["a"]])]
  bad += [sequence_example(ld=[], ls=[[1]]), sequence_example(ld=[], lr=[[1]]), sequence_example()]
  for message in bad:
    yield parse_sequences(strings(SEQUENCES[0], message), refused=True)
  yield parse_sequences(strings(SEQUENCES[1]), default=[[np.array([], np.float32)]], refused=True)
  yield parse_sequences(strings(SEQUENCES[0]), names=strings("a", "b"), refused=True)
  yield parse_sequences(strings(SEQUENCES[0]), default=[[f32([1, 2])]], refused=True)
  yield parse_sequences(np.array([[SEQUENCES[0]]], dtype=object), refused=True)
  yield parse_sequences(strings(SEQUENCES[0]), keys=[strings("cs", "x")] + keys[1:], refused=True)

  first = {
      "feature_list_dense_missing_assumed_empty": ["ld"], "context_sparse_keys": ["cs"], "context_dense_keys": ["cd"],
      "feature_list_sparse_keys": ["ls"], "feature_list_dense_keys": ["ld"], "Ncontext_sparse": 1, "Ncontext_dense": 1, "Nfeature_list_sparse": 1,
      "Nfeature_list_dense": 1, "context_sparse_types": [tf.string], "feature_list_dense_types": [tf.int64],
      "context_dense_shapes": [[1]], "feature_list_sparse_types": [tf.float32], "feature_list_dense_shapes": [[2]],
  }
  yield Case("ParseSequenceExample", [strings(*SEQUENCES, b""), strings("a", "b", "c", "d")] + default, first)
  yield Refused("ParseSequenceExample", [strings(*SEQUENCES, b""), NONE] + default, {**first, "feature_list_dense_missing_assumed_empty": []})
  yield Refused("ParseSequenceExample", [strings(b"garbage"), NONE] + default, first)


def single_sequence_examples():
  attrs = {
      "context_sparse_types": [tf.string, tf.int64], "feature_list_dense_types": [tf.int64], "context_dense_shapes": [[1]],
      "feature_list_sparse_types": [tf.float32, tf.string], "feature_list_dense_shapes": [[2]],
  }

  def parse_sequence(message, may_miss=(), refused=False, default=f32([7])):
    make = Refused if refused else Case
    keys = [[text("cs"), text("cr")], [text("cd")], [text("ls"), text("lr")], [text("ld")]]
    return make("ParseSingleSequenceExample", [text(message), strings(*may_miss)] + keys + [[default], text("name")], attrs)

  for message in SEQUENCES:
    yield parse_sequence(message)
  yield parse_sequence(b"", may_miss=("ld", "x"))
  for message in (b"", b"garbage", SEQUENCES[0][:-1], sequence_example({"cd": [1]}, ld=[]), sequence_example({"cs": [1]}, ld=[]),
                  sequence_example({"cd": [1.0, 2.0]}, ld=[]), sequence_example(ld=[[1]]), sequence_example(ld=[[1.0, 2.0]]), sequence_example(ld=[], ls=[[1]])):
    yield parse_sequence(message, refused=True)
  yield parse_sequence(SEQUENCES[1], default=np.array([], np.float32), refused=True)
  yield parse_sequence(SEQUENCES[1], default=f32([1, 2]), refused=True)


def json_examples():
  lists = '{"features":{"feature":{"a":{"%s":{"value":[%s]}},"b":{}}}}'
  good = [lists % ("int64List", '"1",2,-3,1.0,1e2,null'), lists % ("floatList", '1.5,"2","NaN","-Infinity",0.1,-0.0,null'),
          lists % ("bytes_list", '"aGk=","aGk","_-8","+/8=","",null'), "{}", ' {"features":null} ', '{"features":{}}', '{"features":{},"features":{}}',
          '{"features":{"feature":{"a":null}}}', '{"features":{"feature":{"\\u00e9":{"int64List":{"value":"5"}}}}}',
          '{"features":{"feature":{"a":{"int64List":{"value":null}}}}}']
  yield Case("DecodeJSONExample", [strings(*good)])
  yield Case("DecodeJSONExample", [text(good[0])])
  for bad in ("", "[]", "null", '{"x":1}', "{} x", '{"features":[]}', '{"features":{"feature":{"a":{},"a":{}}}}', lists % ("int64List", "1.5"),
              lists % ("int64List", "9223372036854775808"), lists % ("int64List", '" 5"'), lists % ("int64List", "true"), lists % ("floatList", "1e39"),
              lists % ("floatList", '"x"'), lists % ("bytesList", '"a*"'), lists % ("bytesList", "1"),
              '{"features":{"feature":{"a":{"int64List":{},"floatList":{}}}}}'):
    yield Refused("DecodeJSONExample", [strings("{}", bad)])


def compressed():
  words = b"rain and wind " * 300
  packed = {"ZLIB": zlib.compress(words), "GZIP": gzip.compress(words)}
  yield Case("DecodeCompressed", [strings(words, "")])
  for kind, data in packed.items():
    attrs = {"compression_type": kind}
    yield Case("DecodeCompressed", [np.array([[data, b""], [data + data, data[:-9]]], dtype=object)], attrs)
    yield Case("DecodeCompressed", [text(data[:-1])], attrs)
    for bad in (b"garbage bytes", data[:-1] + bytes([data[-1] ^ 1]), data[:10] + b"\xff\xff" + data[12:]):
      yield Refused("DecodeCompressed", [strings(data, bad)], attrs)
  yield Case("DecodeCompressed", [text(packed["ZLIB"] + b"more")], {"compression_type": "ZLIB"})
  yield Refused("DecodeCompressed", [text(packed["GZIP"] + b"more")], {"compression_type": "GZIP"})
  yield Refused("DecodeCompressed", [text(b"garbage")], {"compression_type": "ZSTD"})
  yield Refused("DecodeCompressed", [text(b"")], {"compression_type": "ZSTD"})
  yield Refused("DecodeCompressed", [text(b"")], {"compression_type": "LZ4"})
