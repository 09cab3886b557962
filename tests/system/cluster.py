"""Several tasks: variables on parameter servers, Downpour's tasks and TensorFlow's in one cluster, tasks that die."""
import socket
import threading

import numpy as np

import models
from harness import Cluster, running, session, tf
from waiting import LIMIT, LIMIT_MS, until


def losses(cluster, target, resource, steps=40, worker="/job:worker/task:0"):
  with tf.Graph().as_default():
    tf.set_random_seed(1234)
    setter = tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(cluster.addresses), worker_device=worker)
    with tf.device(setter), tf.variable_scope("", use_resource=resource):
      feeds, loss, train = models.mlp(steps)
    init = tf.global_variables_initializer()
    out = []
    with session(target, isolate_session_state=True, operation_timeout_in_ms=LIMIT_MS) as s:
      s.run(init)
      for feed in feeds:
        out.append(s.run([loss, train], feed)[0])
    return np.array(out)


def expected(steps=40):
  with tf.Graph().as_default():
    tf.set_random_seed(1234)
    feeds, loss, train = models.mlp(steps)
    with session("") as s:
      s.run(tf.global_variables_initializer())
      return np.array([s.run([loss, train], feed)[0] for feed in feeds])


def check(binary, foreign=()):
  reference = expected()
  with Cluster(binary, {"ps": 2, "worker": 2}, foreign) as cluster:
    # Every kind of task as master, both kinds of variables.
    for target, resource in (("worker", False), ("ps", True), ("worker", True)):
      ours = losses(cluster, cluster.target(target, 1), resource)
      np.testing.assert_allclose(ours, reference, rtol=1e-3, err_msg="%s resource=%s" % (target, resource))


def test_parameter_servers(binary):
  check(binary)


def test_our_parameter_servers_with_tensorflow_workers(binary):
  check(binary, foreign=("worker",))


def test_tensorflow_parameter_servers_with_our_workers(binary):
  check(binary, foreign=("ps",))


def test_tasks_know_each_other_by_name_or_by_ipv6(binary):
  for host in ("localhost", "[::1]"):
    if host == "[::1]" and not ipv6():
      continue
    with Cluster(binary, {"ps": 1, "worker": 1}, host=host) as cluster:
      np.testing.assert_allclose(losses(cluster, cluster.target("worker"), True), expected(), rtol=1e-3, err_msg=host)


def ipv6():
  """Whether this machine has the IPv6 loopback at all."""
  try:
    with socket.socket(socket.AF_INET6) as s:
      s.bind(("::1", 0))
    return True
  except OSError:
    return False


def test_tensorflow_as_master_over_tasks_of_both_kinds(binary):
  # Both masters that `check` uses are TensorFlow's; the computation is on our worker, the variables on a server of each.
  check(binary, foreign=(("ps", 1), ("worker", 1)))


def test_hundreds_of_values_cross_in_a_step(binary):
  """More at once than HTTP/2 usually lets through a connection, both ways."""
  for foreign in ((), ("ps",), ("worker",)):
    with Cluster(binary, {"ps": 1, "worker": 1}, foreign) as cluster, tf.Graph().as_default():
      spec = tf.train.ClusterSpec(cluster.addresses)
      with tf.device(tf.train.replica_device_setter(cluster=spec, worker_device="/job:worker/task:0")):
        variables = [tf.get_variable("v%d" % i, [4], initializer=tf.ones_initializer()) for i in range(400)]
        total = tf.add_n([tf.reduce_sum(tf.square(v)) for v in variables])
        train = tf.train.GradientDescentOptimizer(0.1).minimize(total)
      with session(cluster.target("worker"), operation_timeout_in_ms=LIMIT_MS) as s:
        s.run(tf.global_variables_initializer())
        for _ in range(10):
          s.run(train)
        np.testing.assert_allclose(s.run(total), 1600 * 0.8**20, rtol=1e-4, err_msg=str(foreign))


def test_variables_are_shared_between_sessions_of_different_masters(binary):
  with Cluster(binary, {"ps": 1, "worker": 2}) as cluster, tf.Graph().as_default():
    with tf.device("/job:ps/task:0"):
      counter = tf.get_variable("counter", [], initializer=tf.zeros_initializer())
      add = counter.assign_add(1.0, use_locking=True)
    with session(cluster.target("worker", 0)) as one, session(cluster.target("worker", 1)) as other:
      one.run(tf.global_variables_initializer())
      for _ in range(5):
        one.run(add)
        other.run(add)
      assert other.run(counter) == 10.0
    tf.Session.reset(cluster.target("worker", 1), [""])
    with session(cluster.target("ps")) as s:
      assert list(s.run(tf.report_uninitialized_variables())) == [b"counter"]


def test_a_partial_run_over_tasks(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:worker/task:0"):
      a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
      first = a + b
    with tf.device("/job:ps/task:0"):
      c = tf.placeholder(tf.float32, [])
      second = first * c
    with session(cluster.target("worker"), operation_timeout_in_ms=LIMIT_MS) as s:
      for i in range(3):
        handle = s.partial_run_setup([first, second], [a, b, c])
        assert s.partial_run(handle, first, {a: 1.0, b: 2.0 + i}) == 3.0 + i
        try:
          s.partial_run(handle, first, {})
          raise AssertionError("fetched twice")
        except tf.errors.InvalidArgumentError as e:
          assert "already been fetched" in str(e), e
        # An error ends the run; another one is not disturbed.
        handle = s.partial_run_setup([first, second], [a, b, c])
        assert s.partial_run(handle, first, {a: 1.0, b: 2.0 + i}) == 3.0 + i
        assert s.partial_run(handle, second, {c: 2.0}) == 6.0 + 2 * i


def test_an_error_on_another_task_names_its_node(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    with tf.device("/job:ps/task:0"):
      bad = tf.add(x, y, name="sum_there")
    with tf.device("/job:worker/task:0"):
      out = tf.reduce_sum(bad) + 1.0
    with session(cluster.target("worker")) as s:
      for _ in range(3):
        try:
          s.run(out, {x: [1, 2], y: [1, 2, 3]})
          raise AssertionError("no error")
        except tf.errors.InvalidArgumentError as e:
          assert "sum_there" in str(e), e
        assert s.run(out, {x: [1, 2], y: [3, 4]}) == 11.0


def test_an_untaken_branch_is_dead_on_the_other_task_too(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    p = tf.placeholder(tf.bool, [])
    with tf.device("/job:worker/task:0"):
      no, yes = tf.raw_ops.Switch(data=tf.constant(3.0), pred=p)
    with tf.device("/job:ps/task:0"):
      squared = tf.square(yes)
    with tf.device("/job:worker/task:0"):
      out = tf.raw_ops.Merge(inputs=[no, squared]).output
    with session(cluster.target("worker")) as s:
      assert [s.run(out, {p: value}) for value in (True, False, True)] == [9.0, 3.0, 9.0]


def test_a_part_of_a_table_is_cut_off_where_the_table_is(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:ps/task:0"):
      table = tf.get_variable("table", initializer=np.arange(64000, dtype=np.float32).reshape(1000, 64))
    rows = tf.cast(tf.slice(table, [10, 0], [5, 64], name="rows"), tf.float16, name="small")
    with tf.device("/job:worker/task:0"):
      out = tf.cast(rows, tf.float32) + 1.0
    with session(cluster.target("worker")) as s:
      s.run(tf.global_variables_initializer())
      trace = tf.RunMetadata()
      got = s.run(out, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=trace)
      np.testing.assert_allclose(got, np.arange(640, 960, dtype=np.float32).reshape(5, 64) + 1, rtol=1e-3)
      there = [n.node_name for d in trace.step_stats.dev_stats if "ps" in d.device for n in d.node_stats]
      assert "rows" in there and "small" in there, there


def test_a_task_that_dies_ends_the_step_and_can_come_back(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:ps/task:0"):
      v = tf.get_variable("v", [1000], initializer=tf.ones_initializer())
      # Waits for ever: the step is under way when the task dies.
      queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
      taken = queue.dequeue()
    with tf.device("/job:worker/task:0"):
      stuck = tf.reduce_sum(v) + taken
      total = tf.reduce_sum(v)
    with session(cluster.target("worker")) as s:
      s.run(tf.global_variables_initializer())

      def kill():
        until(lambda: running(binary, cluster.target("ps"), "parts", "ps") == 1, "the step waits")
        cluster.kill("ps")
      killer = threading.Thread(target=kill)
      killer.start()
      try:
        s.run(stuck)
        raise AssertionError("no error")
      except (tf.errors.UnavailableError, tf.errors.AbortedError) as e:
        assert "/job:ps/task:0" in str(e) and cluster.addresses["ps"][0] in str(e), e
      killer.join()
    cluster.start("ps", 0)
    cluster.wait("ps", 0)
    with session(cluster.target("worker")) as s:
      s.run(tf.global_variables_initializer())
      assert s.run(total) == 1000.0


def test_closing_a_session_ends_its_step_on_all_tasks(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:ps/task:0"):
      queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
      stuck = queue.dequeue()
    with tf.device("/job:worker/task:0"):
      out = stuck + 1.0
    s = tf.Session(cluster.target("worker"))
    ended = []

    def wait():
      try:
        s.run(out)
      except tf.errors.OpError as e:
        ended.append(e)
    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: running(binary, cluster.target("ps"), "parts", "ps") == 1, "the step waits")
    s.close()
    waiting.join(LIMIT)
    assert len(ended) == 1 and isinstance(ended[0], tf.errors.CancelledError), ended
    with tf.Session(cluster.target("worker")) as again:
      again.run(queue.enqueue(2.0))
      assert again.run(out) == 3.0


def test_a_device_that_is_not_there_is_refused_by_name(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:worker/task:5"):
      x = tf.constant(1.0) + 1.0
    try:
      with session(cluster.target("worker")) as s:
        s.run(x)
      raise AssertionError("no error")
    except tf.errors.InvalidArgumentError as e:
      assert "/job:worker/task:5" in str(e) and "/job:ps/replica:0/task:0" in str(e), e
