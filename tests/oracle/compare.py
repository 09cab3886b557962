"""Whether two fetched values agree."""
import numpy as np
import tensorflow.compat.v1 as tf

from case import RTOL


def flat(value):
  if isinstance(value, (list, tuple)):
    return [v for item in value for v in flat(item)]
  return [value]


def difference(ours, theirs, case, dtype):
  """None when equal, else a sentence."""
  if theirs is None or ours is None:
    return None if ours is theirs else "one side gave nothing"
  # A fetched string comes as bytes, and an array of numpy's own strings would lose zeros at their end.
  ours, theirs = (np.array(v, dtype=object) if isinstance(v, bytes) else np.asarray(v) for v in (ours, theirs))
  if ours.dtype != theirs.dtype:
    return "dtype %s, expected %s" % (ours.dtype, theirs.dtype)
  if ours.shape != theirs.shape:
    return "shape %s, expected %s" % (ours.shape, theirs.shape)
  if case.unordered:
    ours, theirs = np.sort(ours, axis=None), np.sort(theirs, axis=None)
  if theirs.dtype == object or theirs.dtype == bool or np.issubdtype(theirs.dtype, np.integer):
    equal = ours == theirs
    return None if np.all(equal) else "%d of %d elements differ: %r, expected %r" % (
        np.sum(~equal), equal.size, ours[~equal].ravel()[:3], theirs[~equal].ravel()[:3])
  if case.bits:
    same = ours.tobytes() == theirs.tobytes()
    return None if same else "bits differ: %r, expected %r" % (ours.ravel()[:4], theirs.ravel()[:4])
  kind = tf.as_dtype(theirs.dtype).name
  rtol = case.rtol if case.rtol is not None else RTOL.get(kind.replace("float16", "half") if kind == "float16" else kind, 0)
  wide = np.complex128 if np.iscomplexobj(theirs) else np.float64
  a, b = ours.astype(wide), theirs.astype(wide)
  # Sums cancel: a small element of a large tensor is only as exact as its neighbours are large.
  with np.errstate(all="ignore"):
    finite = np.abs(b[np.isfinite(b)])
    scale = 0.1 * rtol * (finite.max() if finite.size else 0.0)
    close = np.isclose(a, b, rtol=rtol, atol=max(case.atol, scale), equal_nan=True)
  if np.all(close):
    return None
  worst = np.abs(a - b)[~close].ravel()
  return "%d of %d elements differ by up to %.3g: %r, expected %r" % (
      np.sum(~close), close.size, worst.max(), ours[~close].ravel()[:3], theirs[~close].ravel()[:3])
