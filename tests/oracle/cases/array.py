"""Shapes and rearrangement."""
from case import *  # noqa: F403

ANY = PLAIN + ["string"]
MOVED = ["float32", "int8", "int16", "int64", "complex128", "bool", "string"]


def scalar(value):
  return np.asarray(value, np.int32)


def cases():
  for op in ("Identity", "Snapshot", "StopGradient", "PreventGradient", "GuaranteeConst", "DeepCopy"):
    yield Case(op, [real(2, 3)], dtypes=ANY if op == "Identity" else MOVED[:-1])
  yield Case("IdentityN", [[real(2), i32([1])]], dtypes=MOVED)
  yield Case("PlaceholderWithDefault", [real(2)], {"shape": [2]}, dtypes=MOVED)
  yield from shapes()
  yield from joining()
  yield from borders()
  yield from order()
  yield from diagonals()
  yield from space()
  yield from searching()
  yield from quantization()
  yield from layouts()


def shapes():
  for op in ("Shape", "Size", "Rank"):
    yield Case(op, [real(2, 0, 3)], dtypes=MOVED)
  yield Case("ShapeN", [[real(2, 3), real(1)]], dtypes=MOVED)
  yield Case("Reshape", [real(2, 6), i32([3, -1, 2])], dtypes=ANY)
  yield Refused("Reshape", [real(4), i32([3])], dtypes=["float32"])
  yield Refused("Reshape", [real(4), i32([-1, -1])], dtypes=["float32"])
  yield Case("ExpandDims", [real(2, 3), scalar(-2)], dtypes=MOVED)
  yield Case("Squeeze", [real(1, 2, 1)], {"axis": [0]}, dtypes=MOVED)
  yield Case("EnsureShape", [real(2, 3)], {"shape": [2, None]}, dtypes=MOVED)
  yield Case("Fill", [i32([2, 3]), real()], dtypes=ANY)
  yield Case("ZerosLike", [real(2, 3)], dtypes=PLAIN)
  yield Case("OnesLike", [real(2, 3)], dtypes=PLAIN)
  yield Case("Empty", [i32([2, 3])], {"dtype": tf.float32, "init": True})
  yield Scenario("constants", ["Const"], lambda: [([tf.constant([[1.5, 2], [3, 4]]), tf.constant(["a", "b"])], {})])
  yield Case("BroadcastTo", [real(2, 1), i32([3, 2, 4])], dtypes=ANY)
  yield Case("BroadcastArgs", [i32([2, 1]), i32([3, 1, 5])])
  yield Case("BroadcastGradientArgs", [i32([2, 1]), i32([3, 1, 5])])
  yield Case("Where", [whole(3, 4)], dtypes=[d for d in PLAIN if d != "half"])  # TensorFlow has no kernel for half
  yield Case("Range", [np.float32(0.5), np.float32(7), np.float32(0.7)])
  yield Case("Range", [scalar(5), scalar(-4), scalar(-2)])
  yield Case("LinSpace", [np.float64(1), np.float64(2), scalar(7)])
  yield Case("Bitcast", [real(3, 2)], {"type": tf.uint8}, dtypes=["float32", "int64", "complex64"])


def joining():
  yield Case("ConcatV2", [[real(2, 3), real(2, 1)], scalar(-1)], dtypes=ANY)
  yield Case("Concat", [scalar(0), [real(2, 3), real(1, 3)]], dtypes=MOVED)
  yield Refused("ConcatV2", [[real(2, 3), real(3, 1)], scalar(1)], dtypes=["float32"])
  yield Case("ConcatOffset", [scalar(1), [i32([2, 3, 5]), i32([2, 7, 5])]])
  yield Case("Pack", [[real(2, 3), real(2, 3)]], {"axis": 1}, dtypes=ANY)
  yield Case("Unpack", [real(2, 3)], {"num": 3, "axis": 1}, dtypes=ANY)
  yield Case("ParallelConcat", [[real(1, 3), real(1, 3)]], {"shape": [2, 3]}, dtypes=MOVED)
  yield Case("Split", [scalar(1), real(2, 6)], {"num_split": 3}, dtypes=ANY)
  yield Case("SplitV", [real(2, 6), i32([1, -1, 2]), scalar(1)], {"num_split": 3}, dtypes=MOVED)


def borders():
  pads = i32([[1, 2], [0, 3]])
  yield Case("Tile", [real(2, 3), i32([2, 3])], dtypes=MOVED)
  yield Case("Pad", [real(2, 3), pads], dtypes=MOVED)
  yield Case("PadV2", [real(2, 3), pads, real()], dtypes=MOVED)
  for mode in ("REFLECT", "SYMMETRIC"):
    yield Case("MirrorPad", [real(3, 4), i32([[1, 2], [0, 3]])], {"mode": mode}, dtypes=["float32", "int32", "int64"])
    yield Case("MirrorPadGrad", [real(6, 7), i32([[1, 2], [0, 3]])], {"mode": mode}, dtypes=["float32", "int32", "int64"])


def order():
  yield Case("Transpose", [real(2, 3, 4), i32([2, 0, 1])], dtypes=ANY)
  yield Case("ConjugateTranspose", [real(2, 3, 4), i32([2, 0, 1])], dtypes=MOVED)
  yield Refused("Transpose", [real(2, 3), i32([0, 0])], dtypes=["float32"])
  yield Case("ReverseV2", [real(2, 3, 4), i32([0, -1])], dtypes=ANY)
  yield Case("Reverse", [real(2, 3), np.array([True, False])], dtypes=MOVED)
  yield Case("ReverseSequence", [real(3, 4), i32([2, 0, 4])], {"seq_dim": 1}, dtypes=MOVED)
  yield Case("Roll", [real(3, 4), i32([1, -2]), i32([0, 1])], dtypes=MOVED)
  yield Case("InvertPermutation", [i32([2, 0, 1])])
  yield Refused("InvertPermutation", [i32([2, 2, 1])])


def diagonals():
  some = ["float32", "int64", "complex64", "bool"]
  yield Case("MatrixDiag", [real(2, 3)], dtypes=some)
  yield Case("MatrixDiagPart", [real(2, 3, 4)], dtypes=some)
  yield Case("MatrixSetDiag", [real(2, 3, 4), real(2, 3)], dtypes=some)
  for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"):
    a, k = {"align": align}, i32([-1, 2])
    yield Case("MatrixDiagPartV3", [real(2, 3, 4), k, real()], a, dtypes=some)
    yield Case("MatrixSetDiagV3", [real(2, 3, 4), real(2, 4, 3), k], a, dtypes=some)
    yield Case("MatrixDiagV3", [real(2, 4, 3), k, scalar(3), scalar(4), real()], a, dtypes=some)
  yield Case("MatrixDiagPartV2", [real(2, 3, 4), i32([-1, 2]), real()], dtypes=some)
  yield Case("MatrixSetDiagV2", [real(2, 3, 4), real(2, 4, 3), i32([-1, 2])], dtypes=some)
  yield Case("MatrixDiagV2", [real(2, 4, 3), i32([-1, 2]), scalar(3), scalar(4), real()], dtypes=some)
  yield Case("Diag", [real(2, 3)], dtypes=["float32", "int32", "complex128"])
  yield Case("DiagPart", [real(2, 3, 2, 3)], dtypes=["float32", "int32", "complex128"])
  yield Case("MatrixBandPart", [real(2, 3, 4), np.int64(1), np.int64(-1)], dtypes=some)


def space():
  some = ["float32", "int64", "half"]
  yield Case("SpaceToBatchND", [real(2, 4, 5, 3), i32([2, 3]), i32([[0, 0], [1, 3]])], dtypes=some)
  yield Case("BatchToSpaceND", [real(12, 2, 3, 2), i32([2, 3]), i32([[1, 0], [2, 1]])], dtypes=some)
  yield Case("SpaceToBatch", [real(1, 4, 6, 2), i32([[0, 0], [1, 1]])], {"block_size": 2}, dtypes=some)
  yield Case("BatchToSpace", [real(4, 2, 3, 2), i32([[0, 1], [1, 1]])], {"block_size": 2}, dtypes=some)
  yield Case("SpaceToDepth", [real(1, 4, 6, 2)], {"block_size": 2}, dtypes=some)
  yield Case("DepthToSpace", [real(1, 2, 3, 8)], {"block_size": 2}, dtypes=some)
  for padding in ("SAME", "VALID"):
    yield Case("ExtractImagePatches", [real(1, 6, 7, 2)], {
        "ksizes": [1, 2, 3, 1], "strides": [1, 2, 1, 1], "rates": [1, 1, 2, 1], "padding": padding}, dtypes=some)
    yield Case("ExtractVolumePatches", [real(1, 4, 5, 4, 2)], {
        "ksizes": [1, 2, 3, 2, 1], "strides": [1, 1, 2, 1, 1], "padding": padding}, dtypes=["float32", "int64"])


def searching():
  rows = np.sort(np.array([[1, 3, 3, 8], [0, 2, 4, 4]], np.float32))
  wanted = np.array([[3, 9, 0], [4, 1, 2]], np.float32)
  yield Case("UpperBound", [rows, wanted])
  yield Case("LowerBound", [rows, wanted])
  yield Case("Bucketize", [real(3, 4)], {"boundaries": [-1.0, 0.0, 2.5]}, dtypes=["float32", "float64", "int32", "int64"])
  yield Case("UnravelIndex", [i32([2, 5, 7]), i32([3, 3])])
  yield Refused("UnravelIndex", [i32([9]), i32([3, 3])])
  sparse = [i64([[0, 0], [0, 1], [1, 0]]), strings("a", "b", "c"), i64([2, 2])]
  other = [i64([[0, 0], [1, 0], [1, 1]]), strings("a", "x", "c"), i64([2, 2])]
  for normalize in (True, False):
    yield Case("EditDistance", sparse + other, {"normalize": normalize})
  yield Case("CheckNumerics", [real(3)], {"message": "m"}, dtypes=FLOATS)
  yield Case("CheckNumericsV2", [real(3)], {"message": "m"}, dtypes=FLOATS)


def quantization():
  for op in ("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4"):
    for mode in ("HALF_TO_EVEN", "HALF_UP"):
      yield Case(op, [real(3, 4), np.float32(0), np.float32(0)], {"round_mode": mode}, dtypes=["float32"])
    yield Case(op, [real(3, 4), np.float32(-1), np.float32(2)], {"range_given": True, "narrow_range": True}, dtypes=["float32"])
  yield Case("QuantizeAndDequantizeV3", [real(3, 4), np.float32(-1), np.float32(2), scalar(5)], dtypes=["float32"])
  yield Case("QuantizeAndDequantizeV4Grad", [real(3, 4), real(3, 4), np.float32(-1), np.float32(2)], dtypes=["float32"])
  ends = {"min": -1.0, "max": 2.0}
  yield Case("FakeQuantWithMinMaxArgs", [real(3, 4)], ends, dtypes=["float32"])
  yield Case("FakeQuantWithMinMaxArgsGradient", [real(3, 4), unit(3, 4)], ends, dtypes=["float32"])
  yield Case("FakeQuantWithMinMaxVars", [real(3, 4), np.float32(-1), np.float32(2)], dtypes=["float32"])
  yield Case("FakeQuantWithMinMaxVarsGradient", [real(3, 4), real(3, 4), np.float32(-1), np.float32(2)], dtypes=["float32"])
  low, high = np.array([-1, 0, -2, 0], np.float32), np.array([2, 1, 0, 0], np.float32)
  yield Case("FakeQuantWithMinMaxVarsPerChannel", [real(3, 4), low, high], dtypes=["float32"])
  yield Case("FakeQuantWithMinMaxVarsPerChannelGradient", [real(3, 4), real(3, 4), low, high], dtypes=["float32"])


def layouts():
  for source, destination in [("NHWC", "NCHW"), ("NCHW", "NHWC"), ("HWNC", "NHWC"), ("NHWC", "NHWC"), ("NDHWC", "NCDHW")]:
    formats = {"src_format": source, "dst_format": destination}
    for values in (np.arange(len(source)) + 3, np.arange(len(source) - 2) + 3, np.arange(2 * len(source)).reshape(-1, 2), np.arange(2 * len(source) - 4).reshape(-1, 2)):
      for dtype in ("int32", "int64"):
        yield Case("DataFormatVecPermute", [values.astype(dtype)], formats)
        yield Case("DataFormatDimMap", [(values - 5).astype(dtype)], formats)
  yield Case("DataFormatDimMap", [i32([[0, 3], [-1, -4]])])
  for x in (i32([1, 2, 3]), i32(5), i32([[1], [2], [3], [4]]), i32([[[1]]])):
    yield Refused("DataFormatVecPermute", [x])
  for formats in (["NHWC", "NHWX"], ["NHWW", "NHWC"], ["NHW", "NHW"], ["NHWC", "NDHWC"]):
    for op in ("DataFormatVecPermute", "DataFormatDimMap"):
      yield Refused(op, [i32([1, 2, 3, 4])], dict(zip(("src_format", "dst_format"), formats)))
  yield Refused("DataFormatVecPermute", [i32([1, 2])], {"src_format": "ABCE", "dst_format": "ECBA"})
