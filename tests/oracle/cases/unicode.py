"""Texts in encodings of Unicode and others: to code points, from code points, and from one to another."""
import random

from case import *  # noqa: F403

SINGLE_BYTE = (["ISO-8859-%d" % n for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15)] + ["windows-%d" % n for n in range(1250, 1259)]
               + ["US-ASCII", "latin1", "l5", "cp1252", "windows-874", "TIS-620", "KOI8-R", "KOI8-U", "macintosh", "x-mac-cyrillic", "cp866"])
UTF = ["UTF-8", "UTF-16", "UTF-16-BE", "UTF-16-LE", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32-BE", "UTF-32-LE", "UTF-32BE", "utf_8", " utf 16 "]
DOUBLE_BYTE = ["Shift-JIS", "shift_jis", "sjis", "EUC-JP", "eucjp", "EUC-KR", "Big5", "csBig5", "GBK", "cp936", "ms936", "windows-936", "GB18030"]
MALFORMED = [
    b"\xc3", b"\xc3a", b"\xe2\x82", b"\xe2\x82a", b"\xf0\x9f\x98", b"\xf0\x9f\x98a", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\x80",
    b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\x80", b"\xff", b"\xef\xbb\xbfa", b"a\xef\xbb\xbf", b"\xf1\x80\x80\xff", b"\xe1\x80\xe1\x80\x80", b"\xef\xbf\xbf",
    b"\x00a\x00", b"\xd8\x00\xdc\x00", b"\xd8\x00\x00a", b"\xdc\x00\x00a", b"\xd8\x00", b"\xfe\xff\x00a", b"\xff\xfea\x00", b"\xff\xfe", b"\xfe\xff", b"\xd8\x00\xdc",
    b"\xff\xfe\x00\x00a\x00\x00\x00", b"\x00\x00\xfe\xff\x00\x00\x00a", b"\x00\x00\xfe\xff", b"\x00\x11\x00\x00", b"\x00\x00\xd8\x00", b"", b"\x00", b"a\nb\x1f\x7f",
    "h\u00e9llo \U0001f600".encode(), b"\xff\xfe\xff\xfea\x00",
]


def texts_of(encoding):
  """Malformed, random and well-formed texts."""
  rng = random.Random(7)
  texts = list(MALFORMED)
  texts += [bytes(rng.choice(b"a\x80\x81\x82\x8e\x8f\xa0\xa1\xa4\xb1\xb0\xd8\xdc\xe0\xf0\xfe\xff@~ \x00") for _ in range(rng.randrange(9))) for _ in range(150)]
  texts += [bytes(rng.randrange(256) for _ in range(rng.randrange(12))) for _ in range(150)]
  return texts


def cases():
  for encoding in UTF + DOUBLE_BYTE:
    texts = strings(*texts_of(encoding))
    for errors in ("replace", "ignore"):
      for controls in (True, False):
        attrs = {"input_encoding": encoding, "errors": errors, "replacement_char": 63, "replace_control_characters": controls}
        yield Case("UnicodeDecodeWithOffsets", [texts], attrs)
        yield Case("UnicodeDecode", [texts], attrs)
        for output in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
          yield Case("UnicodeTranscode", [texts], {**attrs, "output_encoding": output})
  pairs = [bytes([first, second]) for first in range(0x80, 256) for second in range(0x21, 256)]
  triples = [bytes([0x8f, second, third]) for second in range(0x9f, 256) for third in range(0x9f, 256)]
  for encoding in ("Shift-JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "GB18030"):
    yield Case("UnicodeDecodeWithOffsets", [strings(*pairs, *triples)], {"input_encoding": encoding})
  # Characters of four bytes: the first and the last of each row, and some that are none.
  fours = [bytes([first, second, third, fourth]) for first in (0x81, 0x84, 0x85, 0x8f, 0x90, 0xe3, 0xe4, 0xfe)
           for second in range(0x2f, 0x3b) for third in (0x30, 0x80, 0x81, 0xa2, 0xa4, 0xf4, 0xfe, 0xff) for fourth in range(0x2f, 0x3b)]
  yield Case("UnicodeDecodeWithOffsets", [strings(*fours)], {"input_encoding": "GB18030"})
  # The byte order of a text stays for those behind it.
  marks = [b"", b"\xff\xfe", b"\xfe\xff", b"a\x00", b"\x00a", b"\x00a\x00b", b"a\x00b\x00", b"\x3d\xd8\x00\xde", b"\xd8", b"\x00\xd8", b"\xff\xfe\x00\x00",
           b"\x00\x00\xfe\xff", b"a\x00\x00\x00", b"\x00\x00\x00a", b"\x00\x01\xf6\x00"]
  for encoding in ("UTF-16", "UTF-32"):
    rng = random.Random(3)
    texts = strings(*["".encode().join(rng.choice(marks) for _ in range(rng.randrange(4))) for _ in range(800)])
    yield Case("UnicodeDecodeWithOffsets", [texts], {"input_encoding": encoding})
    yield Case("UnicodeTranscode", [texts], {"input_encoding": encoding, "output_encoding": "UTF-8"})
  every_byte = np.array([bytes([b]) for b in range(256)] + [bytes(range(256))], dtype=object)
  for encoding in SINGLE_BYTE:
    yield Case("UnicodeDecodeWithOffsets", [every_byte], {"input_encoding": encoding})
    yield Case("UnicodeTranscode", [every_byte], {"input_encoding": encoding, "output_encoding": "UTF-8"})
  yield from strict()
  yield from shapes()
  yield from encoded()
  yield from scripts()


def strict():
  for encoding, good, bad in (("UTF-8", "h\u00e9llo".encode(), b"\xff"), ("UTF-16-BE", b"\x00a", b"\x00"), ("US-ASCII", b"a", b"\x80"), ("EUC-JP", b"\xa4\xa2", b"\xa4")):
    for op, more in (("UnicodeDecode", {}), ("UnicodeDecodeWithOffsets", {}), ("UnicodeTranscode", {"output_encoding": "UTF-8"})):
      attrs = {"input_encoding": encoding, "errors": "strict", **more}
      yield Case(op, [strings(good, good, "")], attrs)
      yield Refused(op, [strings(good, bad)], attrs)
  control = {"input_encoding": "UTF-8", "errors": "strict", "replace_control_characters": True}
  yield Case("UnicodeDecode", [strings("a\nb")], control)
  yield Refused("UnicodeTranscode", [strings("a\nb")], {**control, "output_encoding": "UTF-8"})
  yield Refused("UnicodeDecode", [strings("a")], {"input_encoding": "bogus"})
  yield Refused("UnicodeTranscode", [strings("a")], {"input_encoding": "bogus", "output_encoding": "UTF-8"})
  for replacement in (-1, 0x110000):
    yield Refused("UnicodeDecode", [strings("a")], {"input_encoding": "UTF-8", "replacement_char": replacement})


def shapes():
  square = np.array([[b"a", b"\xc3\xa9"], [b"", b"\xff"]], dtype=object)
  for value in (square, np.asarray(b"word", object), np.array([], dtype=object), square[:0]):
    yield Case("UnicodeDecode", [value], {"input_encoding": "UTF-8"})
    yield Case("UnicodeTranscode", [value], {"input_encoding": "UTF-8", "output_encoding": "UTF-16-BE"})
  for output in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
    # Half of a pair stands for what is malformed.
    yield Case("UnicodeTranscode", [strings("a\x01b")], {"input_encoding": "UTF-8", "output_encoding": output, "replacement_char": 0xd800, "replace_control_characters": True})


def encoded():
  values = i32([104, 233, 0x1f600, 0x10ffff, 0xffff, 0, -1, 0xd800, 0xdfff, 0x110000, 97])
  for output in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
    for errors in ("replace", "ignore"):
      for replacement in (0xfffd, 63, 0xdc00):
        attrs = {"output_encoding": output, "errors": errors, "replacement_char": replacement}
        yield Case("UnicodeEncode", [values, i64([0, 3, 3, 11])], attrs)
        yield Case("UnicodeEncode", [values, i32([0, 0, 11])], attrs)
    yield Case("UnicodeEncode", [values[:6], i64([0, 6])], {"output_encoding": output, "errors": "strict"})
    yield Case("UnicodeEncode", [values[:0], i64([0])], {"output_encoding": output})
    yield Case("UnicodeEncode", [values[:0], i64([0, 0])], {"output_encoding": output})
  attrs = {"output_encoding": "UTF-8"}
  for bad in ([], [1, 11], [0, 3], [0, 12], [0, 8, 3, 11], [0, -1, 11], [0]):
    yield Refused("UnicodeEncode", [values, i64(bad)], attrs)
  yield Refused("UnicodeEncode", [values, i64([0, 11])], {**attrs, "errors": "strict"})
  yield Refused("UnicodeEncode", [values, i64([[0, 11]])], attrs)
  yield Refused("UnicodeEncode", [i32([[1]]), i64([0, 1])], attrs)


def scripts():
  yield Case("UnicodeScript", [np.arange(0x110000, dtype=np.int32)])
  yield Case("UnicodeScript", [i32([[-1, 0x110000], [2**31 - 1, -2**31]])])
  yield Case("UnicodeScript", [i32(97)])
  yield Case("UnicodeScript", [i32([])])
