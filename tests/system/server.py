"""The server itself: large messages, deadlines, traces, memory limit, stopping."""
import signal
import threading

import numpy as np

from harness import Server, running, session, tf
from waiting import LIMIT, until


def test_large_messages_pass_both_ways(binary):
  with Server(binary) as server, tf.Graph().as_default(), session(server.target) as s:
    x = tf.placeholder(tf.float32, [None])
    big = np.arange(12 << 20, dtype="float32")
    out = s.run(tf.identity(x) + 1.0, {x: big})
    assert out.shape == big.shape and out[-1] == big[-1] + 1.0


def test_a_step_past_its_deadline_ends(binary):
  with Server(binary) as server, tf.Graph().as_default():
    queue = tf.FIFOQueue(1, tf.float32)
    with session(server.target) as s:
      try:
        s.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=300))
        raise AssertionError("nothing was ever enqueued")
      except tf.errors.DeadlineExceededError:
        pass
      s.run(queue.enqueue(3.0))
      assert s.run(queue.dequeue()) == 3.0


def test_a_trace_draws_a_timeline(binary):
  from tensorflow.python.client import timeline
  with Server(binary) as server, tf.Graph().as_default(), session(server.target) as s:
    y = tf.matmul(tf.ones([20, 30]), tf.random_uniform([30, 40]))
    metadata = tf.RunMetadata()
    s.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    names = {n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats}
    assert "MatMul" in names, names
    assert "MatMul" in timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()


def test_memory_limit_fails_the_step_and_names_the_node(binary):
  with Server(binary, "--memory-limit", "64M") as server, tf.Graph().as_default(), session(server.target) as s:
    n = tf.placeholder(tf.int32, [])
    large = tf.fill([n], 1.0, name="too_large")
    total = tf.reduce_sum(large)
    try:
      s.run(total, {n: 100 << 20})
      raise AssertionError("a step passed the memory limit")
    except tf.errors.ResourceExhaustedError as e:
      assert "too_large" in e.message, e.message
    assert s.run(total, {n: 1000}) == 1000.0


def test_variables_are_shared_unless_isolated(binary):
  with Server(binary) as server, tf.Graph().as_default():
    v = tf.get_variable("v", initializer=1.0)
    with session(server.target) as a, session(server.target) as b, session(server.target, isolate_session_state=True) as c:
      a.run(tf.global_variables_initializer())
      assert b.run(v) == 1.0
      try:
        c.run(v)
        raise AssertionError("an isolated session saw another's variable")
      except tf.errors.FailedPreconditionError:
        pass
    tf.Session.reset(server.target)
    with session(server.target) as d:
      try:
        d.run(v)
        raise AssertionError("a variable survived Reset")
      except tf.errors.FailedPreconditionError:
        pass


def test_stopping_cancels_what_waits(binary):
  server = Server(binary)
  outcome = []

  def wait():
    with tf.Graph().as_default():
      queue = tf.FIFOQueue(1, tf.float32)
      try:
        with session(server.target) as s:
          s.run(queue.dequeue())
      except (tf.errors.OpError, RuntimeError) as e:
        outcome.append(type(e).__name__)

  thread = threading.Thread(target=wait)
  thread.start()
  until(lambda: running(binary, server.target) == 1, "the step waits")
  server.process.send_signal(signal.SIGINT)
  assert server.process.wait(LIMIT) == 0, "the server did not end cleanly"
  # The client, too, ends: it could close its session before the server was gone.
  thread.join(LIMIT)
  assert outcome and not thread.is_alive(), outcome
