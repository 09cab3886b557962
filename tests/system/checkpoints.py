"""Checkpoints written by one side and read by the other."""
import os
import tempfile

import numpy as np

from harness import Server, session, tf


def variables(fill):
  rng = np.random.RandomState(3 if fill else 4)
  out = []
  for name, dtype, shape in [("a", "float32", [3, 4]), ("b", "int64", []), ("c", "float16", [0, 2]), ("d", "bool", [5]),
                             ("e", "complex64", [2])]:
    value = np.asarray(rng.randn(*shape) * 5).astype(dtype) if fill else np.zeros(shape, dtype)
    out.append(tf.get_variable(name, initializer=tf.constant(value)))
  words = np.array([b"x", b"", b"yz"] if fill else [b"", b"", b""], object)
  out.append(tf.get_variable("words", initializer=tf.constant(words)))
  partitioned = tf.get_variable(
      "part", [6, 2], partitioner=tf.fixed_size_partitioner(3),
      initializer=tf.constant_initializer(7.0 if fill else 0.0))
  return out + list(partitioned)


def save(target, prefix):
  with tf.Graph().as_default():
    all_of_them = variables(True)
    saver = tf.train.Saver()
    with session(target) as s:
      s.run(tf.global_variables_initializer())
      saver.save(s, prefix)
      return s.run(all_of_them)


def restore(target, prefix):
  with tf.Graph().as_default():
    all_of_them = variables(False)
    with session(target) as s:
      tf.train.Saver().restore(s, prefix)
      return s.run(all_of_them)


def test_either_side_reads_what_the_other_wrote(binary):
  with Server(binary) as server, tempfile.TemporaryDirectory() as folder:
    for writer, reader in [(server.target, ""), ("", server.target), (server.target, server.target)]:
      prefix = os.path.join(folder, "m%d" % len(os.listdir(folder)))
      written, read = save(writer, prefix), restore(reader, prefix)
      for a, b in zip(written, read):
        np.testing.assert_array_equal(a, b)


def test_partitioned_variables_restore_whole(binary):
  with Server(binary) as server, tempfile.TemporaryDirectory() as folder:
    prefix = os.path.join(folder, "m")
    save(server.target, prefix)
    reader = tf.train.load_checkpoint(prefix)
    np.testing.assert_array_equal(reader.get_tensor("part"), np.full([6, 2], 7.0))


def test_a_damaged_checkpoint_is_refused(binary):
  with Server(binary) as server, tempfile.TemporaryDirectory() as folder:
    prefix = os.path.join(folder, "m")
    save("", prefix)
    data = prefix + ".data-00000-of-00001"
    contents = bytearray(open(data, "rb").read())
    contents[5] ^= 1
    open(data, "wb").write(contents)
    try:
      restore(server.target, prefix)
    except tf.errors.DataLossError:
      pass
    else:
      raise AssertionError("a damaged checkpoint was read")
    save(server.target, prefix)
    restore(server.target, prefix)
