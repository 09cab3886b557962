"""Encoded images, and sampling of images."""
import io

from case import *  # noqa: F403
from PIL import Image


def text(value):
  return np.array(value, dtype=object)


def photo(height, width, channels=3, noise=12):
  """Smooth, with some noise: what JPEG is made for."""
  rng = np.random.RandomState(height * 1000 + width)
  y, x = np.mgrid[0:height, 0:width]
  waves = [128 + 90 * np.sin(x / (5.0 + c) + c) * np.cos(y / (7.0 - c)) for c in range(channels)]
  return np.clip(np.stack(waves, -1) + rng.randn(height, width, channels) * noise, 0, 255).astype("uint8")


def file(image, kind, **options):
  picture = image if isinstance(image, Image.Image) else Image.fromarray(np.squeeze(image, -1) if image.shape[-1] == 1 else image)
  out = io.BytesIO()
  picture.save(out, kind, **options)
  return out.getvalue()


SIZES = [(1, 1), (2, 3), (8, 8), (17, 23), (40, 33), (64, 48), (5, 130), (100, 3)]


def jpegs():
  decode = lambda data, **attrs: Case("DecodeJpeg", [text(data)], attrs)
  for size in SIZES:
    for subsampling in range(3):
      for options in ({}, {"progressive": True}):
        data = file(photo(*size), "JPEG", quality=85, subsampling=subsampling, **options)
        yield decode(data)
        yield decode(data, dct_method="INTEGER_ACCURATE")
        yield decode(data, fancy_upscaling=False)
        yield decode(data, channels=1)
        for ratio in (2, 4, 8):
          yield decode(data, ratio=ratio)
          yield decode(data, ratio=ratio, fancy_upscaling=False, dct_method="INTEGER_ACCURATE")
        yield Case("ExtractJpegShape", [text(data)])
        yield Case("ExtractJpegShape", [text(data)], {"output_type": tf.int64})
    gray = file(photo(*size, 1), "JPEG", quality=70)
    yield decode(gray)
    yield decode(gray, channels=3)
    yield decode(gray, ratio=2)
  noisy = photo(50, 70, noise=90)
  for quality in (1, 20, 50, 75, 95, 100):
    yield decode(file(noisy, "JPEG", quality=quality))
    yield decode(file(noisy, "JPEG", quality=quality, progressive=True), dct_method="INTEGER_ACCURATE")
  yield decode(file(noisy, "JPEG", keep_rgb=True))
  yield decode(file(noisy, "JPEG", keep_rgb=True), channels=1)
  yield decode(file(noisy, "JPEG", restart_marker_blocks=2))
  yield decode(file(noisy, "JPEG", restart_marker_rows=1, progressive=True))
  inks = file(Image.fromarray(noisy).convert("CMYK"), "JPEG")
  yield decode(inks)
  yield decode(inks, channels=3, ratio=2)
  yield Case("ExtractJpegShape", [text(inks)])
  yield Refused("DecodeJpeg", [text(inks)], {"channels": 1})
  yield Refused("DecodeJpeg", [text(inks)], {"channels": 4})
  for ratio in (0, 3, 16):
    yield Refused("DecodeJpeg", [text(inks)], {"ratio": ratio})
  yield Refused("DecodeJpeg", [text(inks)], {"dct_method": "FLOAT"})
  yield Refused("DecodeJpeg", [text(inks)], {"channels": 2})


def damaged_jpegs():
  data = file(photo(60, 50), "JPEG", quality=90)
  gray = file(photo(60, 50, 1), "JPEG", quality=90)
  progressive = file(photo(60, 50), "JPEG", quality=90, progressive=True)
  for whole in (data, gray, progressive):
    for share in (0.01, 0.3, 0.6, 0.9):
      cut = text(whole[:int(len(whole) * share)])
      yield Refused("DecodeJpeg", [cut])
      header = share == 0.01
      # libjpeg smooths what it has of a progressive file; here it stays as it is.
      if whole is not progressive:
        yield (Refused if header else Case)("DecodeJpeg", [cut], {"try_recover_truncated": True})
        enough = share >= 0.6
        yield (Case if enough else Refused)("DecodeJpeg", [cut], {"acceptable_fraction": 0.2})
        yield Refused("DecodeJpeg", [cut], {"acceptable_fraction": 0.95})
  # Where entropy coding begins, bits are turned around: what is decoded is wrong, but the same.
  for at, flip in ((650, 0x15), (820, 0x15), (990, 0x80), (1330, 0x15), (1500, 0x80), (650, 0x80), (1330, 0x80)):
    refused = flip == 0x80 and at in (650, 1330)
    yield (Refused if refused else Case)("DecodeJpeg", [text(data[:at] + bytes([data[at] ^ flip]) + data[at + 1:])])
  yield Refused("DecodeJpeg", [text(b"\xff\xd8\xff")])
  yield Refused("DecodeJpeg", [text(b"")])
  yield Refused("DecodeJpeg", [text(b"no image")])
  yield Refused("DecodeJpeg", [strings(data)])
  yield Refused("ExtractJpegShape", [text(b"no image")])
  yield Refused("ExtractJpegShape", [text(b"")])
  yield Refused("ExtractJpegShape", [strings(data)])


def crops():
  rng = np.random.RandomState(5)
  for size in ((64, 48), (40, 33), (17, 23)):
    for subsampling in range(3):
      for options in ({}, {"progressive": True}):
        data = text(file(photo(*size), "JPEG", quality=90, subsampling=subsampling, **options))
        for _ in range(4):
          y, x = rng.randint(0, size[0]), rng.randint(0, size[1])
          h, w = rng.randint(1, size[0] - y + 1), rng.randint(1, size[1] - x + 1)
          yield Case("DecodeAndCropJpeg", [data, i32([y, x, h, w])])
        yield Case("DecodeAndCropJpeg", [data, i32([0, 0, size[0], size[1]])])
        yield Case("DecodeAndCropJpeg", [data, i32([1, 2, 5, 4])], {"channels": 1})
        yield Case("DecodeAndCropJpeg", [data, i32([1, 2, 5, 4])], {"ratio": 2})
        yield Case("DecodeAndCropJpeg", [data, i32([1, 2, 5, 4])], {"fancy_upscaling": False})
  gray = text(file(photo(40, 33, 1), "JPEG"))
  yield Case("DecodeAndCropJpeg", [gray, i32([3, 9, 20, 11])])
  for window in ([0, 0, 0, 1], [0, 0, 41, 1], [-1, 0, 2, 2], [0, 30, 2, 4], [1, 1, 2147483647, 2], [0, 0, 1]):
    yield Refused("DecodeAndCropJpeg", [gray, i32(window)])
  yield Refused("DecodeAndCropJpeg", [text(file(photo(4, 4), "PNG")), i32([0, 0, 1, 1])])
  yield Refused("DecodeAndCropJpeg", [text(file(photo(4, 4), "BMP")), i32([0, 0, 1, 1])])


def png_files():
  color = Image.fromarray(photo(13, 17))
  yield color
  yield color.convert("L")
  yield color.convert("LA")
  yield color.convert("1")
  for colors in (2, 4, 16, 200):
    yield color.quantize(colors)
  see_through = color.copy()
  see_through.putalpha(Image.fromarray(photo(13, 17, 1)[..., 0]))
  yield see_through
  yield Image.fromarray(photo(13, 17, 1)[..., 0].astype("uint16") * 257 + 3)


def pngs():
  files = [file(p, "PNG") for p in png_files()]
  files.append(file(Image.fromarray(photo(13, 17)).quantize(5), "PNG", transparency=2))
  files.append(file(photo(13, 17), "PNG", transparency=(0, 0, 0)))
  files.append(file(photo(13, 17, 1), "PNG", transparency=7))
  for data in map(text, files):
    for channels in (0, 1, 3, 4):
      for dtype in (tf.uint8, tf.uint16):
        yield Case("DecodePng", [data], {"channels": channels, "dtype": dtype})
      yield Case("DecodeImage", [data], {"channels": channels, "dtype": tf.float32})
    yield Case("DecodeJpeg", [data])
    yield Case("DecodeGif", [data])
  whole = files[0]
  for cut in (whole[:20], whole[:60], whole[:-8], whole[:-30]):
    yield Refused("DecodePng", [text(cut)])
  for at in (18, 45, 80):
    yield Refused("DecodePng", [text(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1:])])
  huge = whole[:16] + b"\x7f\xff\xff\xff\x7f\xff\xff\xff" + whole[24:]
  yield Refused("DecodePng", [text(huge)])
  yield Refused("DecodePng", [text(b"")])
  yield Refused("DecodePng", [strings(whole, whole)])
  yield Refused("DecodePng", [text(whole)], {"channels": 2})
  yield Refused("DecodeBmp", [text(whole)])


def deep_colors():
  """16 bits in each of up to four channels, which only EncodePng writes here."""
  def build(channels):
    image = np.random.RandomState(channels).randint(0, 65536, (3, 11, 9, channels)).astype("uint16")
    x = tf.placeholder(tf.uint16, image.shape)
    files = tf.raw_ops.EncodePng(image=x, compression=3)
    decoded = [tf.raw_ops.DecodePng(contents=files[i], channels=c, dtype=t)
               for i in range(3) for c in (0, 1, 3, 4) for t in (tf.uint8, tf.uint16)]
    return [(decoded, {x: image})]
  for channels in (1, 2, 3, 4):
    yield Scenario("EncodePng of %d channels of 16 bits" % channels, ["EncodePng", "DecodePng"], lambda c=channels: build(c))


def encoded_pngs():
  def build(channels, level):
    image = photo(21, 14, channels)
    x = tf.placeholder(tf.uint8, image.shape)
    return [([tf.raw_ops.DecodePng(contents=tf.raw_ops.EncodePng(image=x, compression=level))], {x: image})]
  for channels in (1, 2, 3, 4):
    for level in (-1, 0, 1, 9):
      yield Scenario("EncodePng %d %d" % (channels, level), ["EncodePng"], lambda c=channels, v=level: build(c, v))
  yield Case("EncodePng", [np.zeros((0, 2, 2, 3), "uint8")])
  for shape in ((2, 2), (2, 2, 5), (2, 2, 0), (0, 2, 3)):
    yield Refused("EncodePng", [np.zeros(shape, "uint8")])
  yield Refused("EncodePng", [np.zeros((2, 2, 3), "uint8")], {"compression": 10})


def gifs():
  frames = [Image.fromarray(np.roll(photo(12, 15), 3 * i, 1)) for i in range(3)]
  still = file(frames[0], "GIF")
  moving = file(frames[0].quantize(16), "GIF", save_all=True, append_images=[f.quantize(8) for f in frames[1:]])
  cut_out = frames[0].convert("RGBA")
  cut_out.putalpha(Image.fromarray(((photo(12, 15, 1)[..., 0] > 120) * 255).astype("uint8")))
  clear = file(cut_out, "GIF", save_all=True, append_images=[f.convert("RGBA") for f in frames[1:]], disposal=2)
  woven = file(frames[1], "GIF", interlace=1)
  for data in map(text, (still, moving, clear, woven)):
    yield Case("DecodeGif", [data])
    for dtype in (tf.uint8, tf.uint16, tf.float32):
      for expand in (True, False):
        yield Case("DecodeImage", [data], {"dtype": dtype, "expand_animations": expand})
  yield Case("DecodePng", [text(still)])
  yield Case("DecodeJpeg", [text(still)])
  yield Refused("DecodePng", [text(moving)])
  yield Refused("DecodeJpeg", [text(moving)])
  yield Refused("DecodeImage", [text(still)], {"channels": 4})
  yield Refused("DecodeBmp", [text(still)])
  yield Case("DecodeGif", [text(moving[:-40])])
  for cut in (still[:4], still[:12], still[:100]):
    yield Refused("DecodeGif", [text(cut)])
  yield Case("DecodeGif", [text(file(photo(9, 8), "JPEG"))])


def bmps():
  image = Image.fromarray(photo(7, 5))
  files = [file(image, "BMP"), file(image.convert("L"), "BMP"), file(image.convert("RGBA"), "BMP")]
  top_down = bytearray(files[0])
  top_down[22:26] = np.int32(-7).tobytes()
  for data in map(text, files + [bytes(top_down)]):
    for channels in (0, 3, 4):
      yield Case("DecodeBmp", [data], {"channels": channels})
      yield Case("DecodeImage", [data], {"channels": channels})
    yield Refused("DecodeBmp", [data], {"channels": 1})
    yield Refused("DecodePng", [data])
    yield Refused("DecodeJpeg", [data])
  for dtype in (tf.uint16, tf.float32):
    yield Case("DecodeImage", [text(files[0])], {"dtype": dtype})
  for cut in (files[0][:20], files[0][:60], files[0] + b"x"):
    yield Refused("DecodeBmp", [text(cut)])


def webps():
  color = Image.fromarray(photo(30, 41))
  clear = color.copy()
  clear.putalpha(Image.fromarray(photo(30, 41, 1)[..., 0]))
  lossless = [file(color, "WEBP", lossless=True), file(clear, "WEBP", lossless=True, exact=True)]
  for data in map(text, lossless):
    yield Case("DecodeWebP", [data])
    yield Case("DecodeImage", [data])
    yield Case("DecodeImage", [data], {"expand_animations": False})
  yield Case("DecodeWebP", [text(lossless[0])], {"channels": 3})
  yield Case("DecodeWebP", [text(lossless[1])], {"channels": 4})
  yield Refused("DecodeWebP", [text(lossless[0])], {"channels": 4})
  yield Refused("DecodeWebP", [text(lossless[0])], {"channels": 1})
  yield Refused("DecodeImage", [text(lossless[0])], {"dtype": tf.float32})
  for quality in (5, 50, 90):
    yield Case("DecodeWebP", [text(file(color, "WEBP", quality=quality))])
  yield Case("DecodeWebP", [text(file(clear, "WEBP", quality=70))])
  moving = file(clear, "WEBP", save_all=True, append_images=[clear.rotate(180)], lossless=True, exact=True)
  yield Case("DecodeWebP", [text(moving)])
  yield Case("DecodeImage", [text(moving)], {"expand_animations": False})
  for cut in (lossless[0][:16], lossless[0][:200]):
    yield Refused("DecodeWebP", [text(cut)])


def encoded_jpegs():
  for size in SIZES:
    for channels in (1, 3):
      image = photo(*size, channels)
      yield Case("EncodeJpeg", [image])
      yield Case("EncodeJpeg", [image], {"progressive": True})
      yield Case("EncodeJpeg", [image], {"optimize_size": True, "chroma_downsampling": False})
  image = photo(50, 70, noise=90)
  for quality in (0, 1, 25, 50, 77, 95, 100):
    yield Case("EncodeJpeg", [image], {"quality": quality})
    yield Case("EncodeJpeg", [image], {"quality": quality, "progressive": True, "chroma_downsampling": False})
    yield Case("EncodeJpegVariableQuality", [image, np.int32(quality)])
  yield Case("EncodeJpeg", [image], {"format": "rgb", "density_unit": "cm", "x_density": 7, "y_density": 70000})
  yield Case("EncodeJpeg", [image], {"xmp_metadata": "some words"})
  yield Case("EncodeJpeg", [image[..., :1]], {"format": "grayscale"})
  yield Case("EncodeJpegVariableQuality", [image[..., :1], np.int32(80)])
  yield Refused("EncodeJpeg", [image], {"format": "grayscale"})
  yield Refused("EncodeJpeg", [image], {"quality": 101})
  yield Refused("EncodeJpeg", [image], {"xmp_metadata": "x" * 70000})
  for shape in ((2, 2), (2, 2, 2), (0, 2, 3), (1, 2, 2, 3)):
    yield Refused("EncodeJpeg", [np.zeros(shape, "uint8")])
    yield Refused("EncodeJpegVariableQuality", [np.zeros(shape, "uint8"), np.int32(50)])
  yield Refused("EncodeJpegVariableQuality", [image, np.int32(-1)])
  yield Refused("EncodeJpegVariableQuality", [image, i32([50])])


def glimpses():
  x = real(2, 6, 5, 3)
  offsets = f32([[0.1, -0.2], [0.4, 0.3]])
  for op in ("ExtractGlimpse", "ExtractGlimpseV2"):
    for centered in (True, False):
      for normalized in (True, False):
        a = dict(centered=centered, normalized=normalized, uniform_noise=False, noise="zero")
        for size in ([2, 3], [6, 5], [8, 9], [1, 0]):
          yield Case(op, [x, i32(size), offsets], a, dtypes=["float32"])
          yield Case(op, [x, i32(size), offsets * 9 - 2], a, dtypes=["float32"])
    a = dict(uniform_noise=False, noise="zero")
    yield Refused(op, [x, i32([2, -1]), offsets], a, dtypes=["float32"])
    yield Refused(op, [x, i32([2, 1, 1]), offsets], a, dtypes=["float32"])
    yield Refused(op, [x, i32([2, 1]), offsets[:1]], a, dtypes=["float32"])
    yield Refused(op, [x, i32([2, 1]), f32([1, 2])], a, dtypes=["float32"])
    yield Refused(op, [real(2, 6, 5), i32([2, 1]), offsets], a, dtypes=["float32"])
    yield Refused(op, [x, i32([2, 1]), offsets], dict(uniform_noise=False, noise="pink"), dtypes=["float32"])


def projective():
  some = ["uint8", "int32", "int64", "half", "bfloat16", "float32", "float64"]
  rng = np.random.RandomState(4)
  mild = f32(np.concatenate([np.tile([1, 0, 0, 0, 1, 0], (2, 1)) + rng.randn(2, 6) * 0.3, rng.randn(2, 2) * 0.01], 1))
  moved = f32([[1, 0, 3, 0, 1, -2, 0, 0]])
  for interpolation in ("NEAREST", "BILINEAR"):
    for fill in ("REFLECT", "WRAP", "CONSTANT", "NEAREST"):
      a = dict(interpolation=interpolation, fill_mode=fill)
      for t in (mild, moved, moved * 3, mild * 5):
        # Rounding in 8 or 16 bits is a matter of the last bit of float32.
        types = some if t is moved else ["float32"]
        yield Case("ImageProjectiveTransformV2", [whole(2, 7, 6, 3), t, i32([5, 8])], a, dtypes=types, rtol=1e-4, atol=1e-4)
        yield Case("ImageProjectiveTransformV3", [whole(2, 7, 6, 3), t, i32([5, 8]), np.float32(3)], a, dtypes=types, rtol=1e-4, atol=1e-4)
  a = dict(interpolation="NEAREST")
  x = whole(2, 7, 6, 3)
  for inputs in ([x, moved, i32([0, 8])], [x, moved, i32([5])], [x, moved[:, :7], i32([5, 8])], [whole(7, 6, 3), moved, i32([5, 8])],
                 [x, np.tile(moved, (3, 1)), i32([5, 8])]):
    yield Refused("ImageProjectiveTransformV2", inputs, a, dtypes=["float32"])
    yield Refused("ImageProjectiveTransformV3", inputs + [np.float32(0)], a, dtypes=["float32"])
  yield Refused("ImageProjectiveTransformV3", [x, moved, i32([5, 8]), f32([1])], a, dtypes=["float32"])


def scaled():
  some = ["int8", "uint8", "int16", "uint16", "int32", "int64", "bfloat16", "half", "float32", "float64"]
  kernels = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
  x, dy = real(2, 7, 6, 3), real(2, 5, 9, 3)
  for kernel in kernels:
    for antialias in (True, False):
      a = dict(kernel_type=kernel, antialias=antialias)
      for scale, shift in (([0.7, 1.6], [0.0, 0.0]), ([1.0, 1.0], [-1.5, 2.0]), ([3.0, 0.3], [0.2, 20.0])):
        tail = [f32(scale), f32(shift)]
        types = some if kernel == "triangle" else ["float32"]
        yield Case("ScaleAndTranslate", [x, i32([5, 9])] + tail, a, dtypes=types, rtol=1e-5, atol=1e-5)
        yield Case("ScaleAndTranslateGrad", [dy, x] + tail, a, dtypes=["float32"], rtol=1e-5, atol=1e-5)
  one = [f32([1, 1]), f32([0, 0])]
  f = dict(dtypes=["float32"])
  yield Refused("ScaleAndTranslate", [x, i32([5, 0])] + one, **f)
  yield Refused("ScaleAndTranslate", [x, i32([5])] + one, **f)
  yield Refused("ScaleAndTranslate", [real(2, 0, 6, 3), i32([5, 5])] + one, **f)
  yield Refused("ScaleAndTranslate", [real(7, 6, 3), i32([5, 5])] + one, **f)
  yield Refused("ScaleAndTranslate", [x, i32([5, 5]), f32([0, 1]), f32([0, 0])], **f)
  yield Refused("ScaleAndTranslate", [x, i32([5, 5]), f32([1]), f32([0, 0])], **f)
  yield Refused("ScaleAndTranslate", [x, i32([5, 5])] + one, {"kernel_type": "sharp"}, **f)
  yield Refused("ScaleAndTranslateGrad", [dy, x, f32([0, 1]), f32([0, 0])], **f)
  yield Refused("ScaleAndTranslateGrad", [real(5, 9, 3), x] + one, **f)


def suppressed():
  rng = np.random.RandomState(8)
  low = rng.rand(2, 30, 1, 2)
  boxes = f32(np.concatenate([low, low + rng.rand(2, 30, 1, 2) * 0.4], -1))
  by_class = f32(np.concatenate([boxes, boxes * 0.9, boxes[:, ::-1]], 2))
  scores = f32(rng.rand(2, 30, 3))
  n = lambda per_class, total: [np.int32(per_class), np.int32(total)]
  t = lambda overlap, score: [np.float32(overlap), np.float32(score)]
  for b in (boxes, by_class):
    for a in ({}, {"pad_per_class": True}, {"clip_boxes": False}):
      yield Case("CombinedNonMaxSuppression", [b, scores] + n(4, 10) + t(0.3, 0.2), a)
      yield Case("CombinedNonMaxSuppression", [b, scores] + n(2, 50) + t(0.5, 0.7), a)
      yield Case("CombinedNonMaxSuppression", [b, scores] + n(100, 5) + t(1.0, 0.0), a)
  op = "CombinedNonMaxSuppression"
  yield Refused(op, [boxes, scores] + n(0, 10) + t(0.3, 0.2))
  yield Refused(op, [boxes, scores] + n(4, 0) + t(0.3, 0.2))
  yield Refused(op, [boxes, scores] + n(4, 4) + t(1.3, 0.2))
  yield Refused(op, [boxes, scores[:1]] + n(4, 4) + t(0.3, 0.2))
  yield Refused(op, [by_class[:, :, :2], scores] + n(4, 4) + t(0.3, 0.2))
  yield Refused(op, [boxes[..., :3], scores] + n(4, 4) + t(0.3, 0.2))
  yield Refused(op, [boxes[:, :9], scores] + n(4, 4) + t(0.3, 0.2))


def cases():
  yield from jpegs()
  yield from damaged_jpegs()
  yield from crops()
  yield from pngs()
  yield from deep_colors()
  yield from encoded_pngs()
  yield from gifs()
  yield from bmps()
  yield from webps()
  yield from encoded_jpegs()
  yield from glimpses()
  yield from projective()
  yield from scaled()
  yield from suppressed()
