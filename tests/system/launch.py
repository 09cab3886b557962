"""`downpour run`: a cluster as one command, what it does when something fails, and that nothing outlives it."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from waiting import LIMIT, until

# A worker as users write it: variables on the parameter server, a session on its own server.
TRAIN = """
import json, os, time
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
config = json.loads(os.environ["TF_CONFIG"])
task = config["task"]["index"]
if "DOWNPOUR_TARGET" not in os.environ:
  server = tf.train.Server(config["cluster"], config["task"]["type"], task)
  if config["task"]["type"] == "ps":
    server.join()
setter = tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(config["cluster"]), worker_device="/job:worker/task:%d" % task)
with tf.device(setter):
  step = tf.train.get_or_create_global_step()
  w = tf.get_variable("w", [], initializer=tf.constant_initializer(4.0))
  train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w - 1.0), global_step=step)
manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=0.2)
target = os.environ.get("DOWNPOUR_TARGET") or server.target
if task == 0:
  session = manager.prepare_session(target, init_op=tf.global_variables_initializer())
else:
  session = manager.wait_for_session(target)
while session.run(step) < 40:
  session.run(train)
print("worker %d sees w=%.2f" % (task, session.run(w)))
"""


def launch(binary, *words, **more):
  return subprocess.Popen(
      [binary, "run", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **more)


def finish(process, limit=LIMIT):
  """Its exit code, stdout and stderr; it must end by itself."""
  try:
    out, err = process.communicate(timeout=limit)
  except subprocess.TimeoutExpired:
    process.terminate()
    out, err = process.communicate()
    raise AssertionError("the run did not end:\n%s\n%s" % (out, err))
  return process.returncode, out, err


def processes(mark):
  """The processes that have `mark` in their environment, which children inherit."""
  found = []
  for folder in pathlib.Path("/proc").glob("[0-9]*"):
    try:
      if mark.encode() in (folder / "environ").read_bytes():
        found.append(int(folder.name))
    except OSError:
      pass
  return found


def command_line(pid):
  try:
    return pathlib.Path("/proc/%d/cmdline" % pid).read_bytes()
  except OSError:
    return b""  # it has ended


class Mark:
  """Marks everything a run starts, and sees that all of it ends."""
  count = 0

  def __init__(self):
    Mark.count += 1
    self.text = "DOWNPOUR_TEST_MARK=%d.%d" % (os.getpid(), Mark.count)
    name, value = self.text.split("=")
    self.env = dict(os.environ, **{name: value})

  def assert_gone(self):
    until(lambda: not processes(self.text), "all processes of the run end")


def trains(binary, *flags):
  mark = Mark()
  with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
    script.write(TRAIN)
    script.flush()
    code, out, err = finish(launch(binary, *flags, "--", sys.executable, script.name, env=mark.env))
  assert code == 0, (code, out, err)
  mark.assert_gone()
  return [tuple(word.strip() for word in line.split("|")) for line in out.splitlines()]


def test_run_trains_on_parameter_server_and_workers(binary):
  lines = trains(binary, "--ps", "1", "--workers", "2")
  assert sorted(lines) == [("worker/0", "worker 0 sees w=1.00"), ("worker/1", "worker 1 sees w=1.00")], lines


def test_run_with_scripts_that_make_their_own_servers(binary):
  for flag in ("--bare", "--all"):
    lines = trains(binary, flag)
    assert lines == [("worker/0", "worker 0 sees w=1.00")], lines


def test_run_restarts_a_worker_that_fails(binary):
  mark = Mark()
  script = 'test "$DOWNPOUR_RESTARTS" = 2 || { echo "attempt $DOWNPOUR_RESTARTS" >&2; exit 5; }; echo "$TF_CONFIG"'
  code, out, err = finish(launch(binary, "--max-restarts", "2", "--", "sh", "-c", script, env=mark.env))
  assert code == 0, (code, out, err)
  assert "attempt 0" in err and "attempt 1" in err and "2 of 2 restarts" in err, err
  config = json.loads(out.split("|", 1)[1])
  assert config["task"] == {"type": "worker", "index": 0} and sorted(config["cluster"]) == ["ps", "worker"], out
  mark.assert_gone()


def test_run_reports_the_worker_that_failed_and_stops_the_others(binary):
  mark = Mark()
  script = """
import json, os, sys, time
if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
  print("the data is not there", file=sys.stderr)
  sys.exit(7)
time.sleep(600)
"""
  code, out, err = finish(launch(binary, "--workers", "2", "--max-restarts", "1", "--", sys.executable, "-c", script, env=mark.env))
  assert code == 7, (code, out, err)
  report = err[err.index("error: "):]
  assert report.startswith("error: worker/1 ended with exit code 7"), report
  assert "restarted 1 times" in report and "    the data is not there" in report, report
  mark.assert_gone()


def test_run_reports_a_parameter_server_that_dies(binary):
  mark = Mark()
  process = launch(binary, "--", "sleep", "600", env=mark.env)

  def parameter_servers():
    return [p for p in processes(mark.text) if b"--job\0ps\0" in command_line(p)]
  until(parameter_servers, "the parameter server", process)
  os.kill(parameter_servers()[0], signal.SIGKILL)
  code, out, err = finish(process)
  assert code == 137 and "error: ps/0 was ended by signal 9" in err, (code, out, err)
  mark.assert_gone()


def test_run_says_what_cannot_be_started(binary):
  code, _, err = finish(launch(binary, "--", "no-such-program"))
  assert code == 127 and "no-such-program" in err and "worker/0" in err, (code, err)


def test_killing_the_launcher_ends_everything(binary):
  mark = Mark()
  # The shell's own child has another parent than the launcher.
  process = launch(binary, "--workers", "2", "--", "sh", "-c", "sleep 600; true", env=mark.env)
  # Launcher, guard, 3 servers, 2 shells, 2 sleeps.
  until(lambda: len(processes(mark.text)) == 9, "9 processes", process)
  process.kill()
  process.communicate()
  mark.assert_gone()


def test_ctrl_c_reaches_the_workers_before_their_servers_end(binary):
  mark = Mark()
  script = """
import os, signal, socket, time
def saved(*_):
  host, port = os.environ["DOWNPOUR_TARGET"].removeprefix("grpc://").split(":")
  socket.create_connection((host, int(port)), 600).close()
  print("saved", flush=True)
  os._exit(0)
signal.signal(signal.SIGINT, saved)
print("ready", flush=True)
time.sleep(600)
"""
  process = launch(binary, "--", sys.executable, "-c", script, env=mark.env)
  assert "ready" in process.stdout.readline()
  process.send_signal(signal.SIGINT)
  code, out, err = finish(process)
  assert code == 130 and "saved" in out, (code, out, err)
  mark.assert_gone()


def test_what_does_not_stop_is_killed(binary):
  mark = Mark()
  process = launch(binary, "--grace", "1", "--", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done", env=mark.env)
  assert "ready" in process.stdout.readline()
  process.terminate()
  code, out, err = finish(process)
  assert code == 143 and "killing" in err, (code, out, err)
  mark.assert_gone()
