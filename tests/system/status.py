"""`downpour status`: what the tasks of a cluster tell about themselves, dead and foreign ones among them."""
import contextlib
import json
import signal
import subprocess
import threading
import time

from harness import Cluster, Server, free_port, session, tf
from waiting import LIMIT, until


def status(binary, target, *flags):
  done = subprocess.run([binary, "status", target, *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
  assert not done.stderr, done.stderr
  return done.returncode, done.stdout


def report(binary, target, *flags):
  code, text = status(binary, target, "--json", *flags)
  return code, json.loads(text)


def test_status_tells_what_a_cluster_does(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster, tf.Graph().as_default():
    with tf.device("/job:ps/task:0"):
      v = tf.get_variable("v", [1000], initializer=tf.zeros_initializer())
    with tf.device("/job:worker/task:0"):
      total = tf.reduce_sum(v)
    with session(cluster.target("worker")) as s:
      s.run(tf.global_variables_initializer())
      for _ in range(20):
        s.run(total)
      # The master answers when it has what was fetched; the parameter server may count its part a moment later.
      until(lambda: report(binary, cluster.target("ps"))[1]["tasks"][0]["load"]["parts"] == 21, "all parts are counted")
      code, found = report(binary, cluster.target("ps"))
      assert code == 0 and found["ok"] and found["complete"], found
      ps, worker = found["tasks"]
      assert (ps["job"], ps["task"], worker["job"], worker["task"]) == ("ps", 0, "worker", 0), found
      assert [t["runtime"] for t in (ps, worker)] == ["downpour"] * 2
      assert worker["load"]["steps"] == 21 and ps["load"]["steps"] == 0, found
      # Rates are of the last ten seconds, which may be over already.
      assert ps["load"]["parts"] == 21 and ps["load"]["parts_per_second"] >= 0, found
      # Twenty times a thousand floats went from the parameter server to the worker.
      assert ps["load"]["bytes_out"] > 80000 and worker["load"]["bytes_in"] > 80000, found
      assert ps["memory"]["tensor_bytes"] >= 4000 and ps["memory"]["resident_bytes"] > 1 << 20, found
      assert ps["hosted_sessions"] == 1 and ps["sessions"] == [], found
      (own,) = worker["sessions"]
      assert own["steps"] == 21 and own["running_steps"] == 0 and own["nodes"] > 3, own
      assert 0 <= own["seconds_since_step"] <= own["age_seconds"], own
      assert worker["devices"][0]["name"] == "/job:worker/replica:0/task:0/device:CPU:0", worker
    code, found = report(binary, cluster.target("worker"))
    assert code == 0 and found["tasks"][1]["sessions"] == [], found


def test_status_names_the_task_that_is_dead(binary):
  with Cluster(binary, {"ps": 1, "worker": 2}) as cluster:
    cluster.kill("worker", 1)
    code, text = status(binary, cluster.addresses["worker"][0])
    assert code == 1 and "2 of 3 tasks answer" in text, text
    (line,) = [line for line in text.splitlines() if "NO ANSWER" in line]
    assert "/job:worker/task:1" in line and cluster.addresses["worker"][1] in line and "refused" in line, line
    assert "--job worker --task 1" in text, text
    code, found = report(binary, cluster.target("worker"))
    assert code == 1 and not found["ok"] and found["complete"], found
    assert [t["state"] for t in found["tasks"]] == ["ok", "ok", "no answer"], found
    assert "refused" in found["tasks"][2]["error"]["message"], found


def test_status_does_not_wait_for_a_task_that_is_stuck(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}) as cluster:
    cluster.processes["ps", 0].send_signal(signal.SIGSTOP)
    # Long enough for the task that is not stuck, also on a busy machine.
    code, found = report(binary, cluster.target("worker"), "--timeout", "8")
    assert code == 1 and [t["state"] for t in found["tasks"]] == ["no answer", "ok"], found
    error = found["tasks"][0]["error"]
    assert error["waited_seconds"] >= 8 and "--timeout" in error["hint"], error


def test_status_of_a_mixed_cluster(binary):
  with Cluster(binary, {"ps": 1, "worker": 1}, foreign=("worker",)) as cluster:
    code, found = report(binary, cluster.target("ps"))
    assert code == 0 and [t["runtime"] for t in found["tasks"]] == ["downpour", "tensorflow"], found
    assert found["tasks"][1]["devices"][0]["name"] == "/job:worker/replica:0/task:0/device:CPU:0", found
    assert "TensorFlow" in status(binary, cluster.target("ps"))[1]
    # Asked itself, it tells of no other task.
    code, found = report(binary, cluster.target("worker"))
    assert code == 0 and not found["complete"], found
    assert [(t["job"], t["task"]) for t in found["tasks"]] == [("worker", 0)], found


def test_status_of_nothing_says_what_to_do(binary):
  code, text = status(binary, "127.0.0.1:%d" % free_port())
  assert code == 1 and "refused" in text and "hint:" in text and "0 of 1 task answer" in text, text
  code, found = report(binary, "no-such-host.invalid:1", "--timeout", "5")
  assert code == 1 and found["tasks"][0]["error"]["hint"] and not found["complete"], found


def sessions(binary, server):
  return report(binary, server.target)[1]["tasks"][0]["sessions"]


@contextlib.contextmanager
def closing(target):
  """A session that is closed while its server still answers: TensorFlow's client waits for ever for one that is gone."""
  s = tf.Session(target)
  try:
    yield s
  finally:
    with contextlib.suppress(tf.errors.AbortedError):
      s.close()


def test_abandoned_sessions_are_collected_and_running_steps_keep_theirs(binary):
  limit = 5  # what follows a call must come sooner than this
  with Server(binary, "--session-idle-limit", str(limit)) as server, tf.Graph().as_default():
    queue = tf.FIFOQueue(1, tf.float32, shared_name="queue")
    taken, put = queue.dequeue(), queue.enqueue(3.0)
    v = tf.get_variable("v", initializer=2.0)
    initialize = tf.global_variables_initializer()
    with closing(server.target) as abandoned, closing(server.target) as busy:
      got = []
      waiting = threading.Thread(target=lambda: got.append(busy.run(taken)))
      waiting.start()
      until(lambda: len(sessions(binary, server)) == 1, "a step waits")
      abandoned.run(initialize)
      # One that runs a step for longer than the limit stays; the other goes.
      only = lambda: [s for s in sessions(binary, server) if s["running_steps"] == 0] == []
      until(only, "the abandoned session is collected")
      until(lambda: sessions(binary, server)[0]["age_seconds"] > 2 * limit, "the step runs for longer than the limit")
      assert waiting.is_alive() and not got, got
      with closing(server.target) as other:
        other.run(put)
      waiting.join(LIMIT)
      assert got == [3.0], got
      try:
        abandoned.run(v)
        raise AssertionError("a collected session still runs")
      except tf.errors.AbortedError as e:
        assert "--session-idle-limit" in e.message, e.message
    # As in TensorFlow, variables belong to the server.
    with closing(server.target) as again:
      assert again.run(v) == 2.0


def test_sessions_are_kept_unless_told_otherwise(binary):
  with Server(binary) as server, tf.Graph().as_default():
    v = tf.get_variable("v", initializer=2.0)
    with closing(server.target) as s:
      s.run(tf.global_variables_initializer())
      time.sleep(3)
      assert s.run(v) == 2.0
