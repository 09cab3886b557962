"""Strings: patterns, numbers, parts, joins, hashes and encodings."""
import tempfile

from case import *  # noqa: F403

WORDS = ["", "a", "Hello World", " \t padded \n", "h\u00e9llo \u00df", "aaa,bb;;c", "abcdefgh" * 20]


def words():
  return strings(*WORDS)


def text(value):
  return np.asarray(value, object)


def cases():
  yield from patterns()
  yield from elements()
  yield from numbers()
  yield from parts()
  yield from joins()
  yield from encodings()
  yield from records()
  yield from remapping()


def patterns():
  for pattern in ("a.*", r"\w+ \w+", "[[:alpha:]]+", "(?i)hello.*", ""):
    yield Case("StaticRegexFullMatch", [words()], {"pattern": pattern})
    yield Case("RegexFullMatch", [words(), text(pattern)])
  for pattern, rewrite in (("a", "<\\0>"), ("(l+)(o)", r"\2\1\\"), ("x*", "-"), (r"\s+", "")):
    for everywhere in (True, False):
      attrs = {"replace_global": everywhere}
      yield Case("StaticRegexReplace", [words()], {"pattern": pattern, "rewrite": rewrite, **attrs})
      yield Case("RegexReplace", [words(), text(pattern), text(rewrite)], attrs)
  yield Refused("RegexFullMatch", [words(), text("a[")])
  yield Refused("RegexReplace", [words(), text("(a"), text("b")])


def elements():
  for unit in ("BYTE", "UTF8_CHAR"):
    yield Case("StringLength", [words()], {"unit": unit})
  for encoding in ("", "utf-8"):
    yield Case("StringLower", [words()], {"encoding": encoding})
    yield Case("StringUpper", [words()], {"encoding": encoding})
  yield Case("StringStrip", [words()])
  yield Case("StringToHashBucket", [words()], {"num_buckets": 1000003})
  yield Case("StringToHashBucketFast", [words()], {"num_buckets": 1000003})
  yield Case("StringToHashBucketStrong", [words()], {"num_buckets": 1000003, "key": [3, -4]})
  yield Case("Fingerprint", [words(), text("farmhash64")])
  yield Case("Fingerprint", [i32([[1, 2], [3, 4]]), text("farmhash64")])
  yield Refused("Fingerprint", [words(), text("md5")])


def numbers():
  values = np.array([0.5, -1.25, 1e20, 123456789.0, 1e-5, 0.0], np.float64)
  for attrs in ({}, {"precision": 2}, {"scientific": True}, {"shortest": True}, {"width": 12, "fill": "0"},
                {"width": 12, "fill": "-"}, {"fill": "+"}, {"fill": "#", "precision": 0}):
    yield Case("AsString", [values], attrs)
    yield Case("AsString", [values.astype(np.float32)], attrs)
  yield Case("AsString", [whole(2, 3)], {"width": 6, "fill": "0"}, dtypes=INTEGERS)
  yield Case("AsString", [whole(2, 3)], dtypes=PLAIN)
  yield Refused("AsString", [i32([1])], {"precision": 2})
  for out_type in (tf.float32, tf.float64):
    spelled = strings("1", " 2.5 ", "-inf", "0x10", "1e-3", "+7.", ".5")
    yield Case("StringToNumber", [spelled], {"out_type": out_type})
  for out_type in (tf.int32, tf.int64):
    yield Case("StringToNumber", [strings("12", " -3 ", "+4", "007")], {"out_type": out_type})
  yield Refused("StringToNumber", [strings("x")], {"out_type": tf.int32})
  for summarize in (-1, 1, 3):
    attrs = {"template": "a: %s, b: %s.", "summarize": summarize}
    yield Case("StringFormat", [[np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 3, words()]], attrs)


def parts():
  for unit in ("BYTE", "UTF8_CHAR"):
    yield Case("Substr", [strings("hello", "h\u00e9llo"), i32([1, -3]), i32([2, 9])], {"unit": unit})
  yield Case("Substr", [strings("hello", "there"), i64([[0], [2]]), i64([[1], [2]])])
  yield Case("Substr", [strings("hello", "there").reshape(1, 2, 1), i32([[[0], [2]]]), i32([[[1], [2]]])])
  yield Refused("Substr", [strings("a"), i32([3]), i32([1])])
  yield Refused("Substr", [strings("hello", "there"), i32([[[0, 2]]]), i32([[[1, 2]]])])
  for delimiter in (",", ",;", ""):
    for skip_empty in (True, False):
      yield Case("StringSplit", [words(), text(delimiter)], {"skip_empty": skip_empty})
  for separator in ("", ";", "ll"):
    for limit in (-1, 0, 1):
      yield Case("StringSplitV2", [words(), text(separator)], {"maxsplit": limit})
  attrs = {"separator": "|", "left_pad": "L", "right_pad": "R"}
  for widths, pad, short in (([2], -1, False), ([3, 2], 0, True), ([4], 1, True)):
    more = {"ngram_widths": widths, "pad_width": pad, "preserve_short_sequences": short}
    yield Case("StringNGrams", [words(), i64([0, 3, 3, 7])], {**attrs, **more})
  yield Refused("StringNGrams", [words(), i64([0, 9])], {
      **attrs, "ngram_widths": [2], "pad_width": 0, "preserve_short_sequences": False})


def joins():
  square = np.array([["a", "b"], ["c", "d"]], object)
  for axes in ([0], [-1], [0, 1], [1, 0], []):
    for keep_dims in (True, False):
      yield Case("ReduceJoin", [square, i32(axes)], {"keep_dims": keep_dims, "separator": "-"})
  yield Refused("ReduceJoin", [square, i32([2])])
  yield Case("UnsortedSegmentJoin", [square, i32([1, 1]), np.asarray(3, np.int32)], {"separator": ":"})
  yield Refused("UnsortedSegmentJoin", [square, i32([0, 5]), np.asarray(3, np.int32)])


def encodings():
  for pad in (True, False):
    yield Case("EncodeBase64", [words()], {"pad": pad})
  yield Case("DecodeBase64", [strings("YQ", "YQ==", "YW-_", "")])
  yield Refused("DecodeBase64", [strings("YW+/")])
  for little in (True, False):
    for out_type in (tf.int16, tf.float32, tf.complex64, tf.uint8):
      attrs = {"out_type": out_type, "little_endian": little}
      yield Case("DecodeRaw", [strings("abcdefgh", "ijklmnop")], attrs)
    attrs = {"out_type": tf.uint16, "little_endian": little}
    yield Case("DecodePaddedRaw", [strings("abc", "abcdefgh"), np.asarray(4, np.int32)], attrs)
  yield Refused("DecodeRaw", [strings("abc")], {"out_type": tf.int16})
  yield Case("SerializeTensor", [real(2, 3)], dtypes=["float32", "int64", "string"])
  serialized = tf.make_tensor_proto(np.arange(6, dtype=np.int32).reshape(2, 3)).SerializeToString()
  yield Case("ParseTensor", [text(serialized)], {"out_type": tf.int32})
  yield Refused("ParseTensor", [text(serialized)], {"out_type": tf.float32})


def records():
  lines = strings('1,2.5,"a,""b"""', "3,,x", "NA,4,")
  defaults = [i32([7]), f32([0.5]), strings("none")]
  yield Case("DecodeCSV", [lines, defaults], {"na_value": "NA"})
  yield Case("DecodeCSV", [strings("a;b;c"), [strings("")]], {"field_delim": ";", "select_cols": [1]})
  yield Refused("DecodeCSV", [strings("1,2"), [i32([0])]])


def remapping():
  def build():
    folder = tempfile.mkdtemp()
    for name, tokens in (("new", "d a c b".split()), ("old", "a b c".split())):
      with open(f"{folder}/{name}", "w") as file:
        file.write("\n".join(tokens) + "\n")
    matrix = np.arange(6, dtype=np.float32).reshape(3, 2)
    save = tf.raw_ops.SaveV2(prefix=f"{folder}/model", tensor_names=["w"], shape_and_slices=[""], tensors=[matrix])
    rows, present = tf.raw_ops.GenerateVocabRemapping(
        new_vocab_file=f"{folder}/new", old_vocab_file=f"{folder}/old", new_vocab_offset=0, num_new_vocab=4)
    with tf.control_dependencies([save]):
      loaded = tf.raw_ops.LoadAndRemapMatrix(
          ckpt_path=f"{folder}/model", old_tensor_name="w", row_remapping=rows, col_remapping=np.array([1, 0], np.int64),
          initializing_values=f32([8, 9]), num_rows=4, num_cols=2)
    return [([rows, present], {}), ([loaded], {})]
  yield Scenario("remapped matrix", ["GenerateVocabRemapping", "LoadAndRemapMatrix"], build)
