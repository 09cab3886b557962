"""The MNIST program as processes: one per worker, each the client of its own task."""
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = pathlib.Path(__file__).resolve().parent / "programs" / "mnist_replica.py"
# No test is about speed: this only turns a hang into a failure.
LIMIT = 120


class Replica:
  """A worker's client; what it prints is kept as it comes."""

  def __init__(self, cluster, task, *flags, target=True):
    command = [sys.executable, str(PROGRAM), "--task_index=%d" % task]
    if cluster:
      command += ["--%s_hosts=%s" % (job, ",".join(cluster.addresses[job])) for job in ("ps", "worker")]
      command += ["--target=" + cluster.target("worker", task)] if target else []
    self.lines = []
    self.process = subprocess.Popen(command + list(flags), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    self.reader = threading.Thread(target=self.read, daemon=True)
    self.reader.start()

  def read(self):
    for line in self.process.stdout:
      self.lines.append(line.rstrip())

  def losses(self):
    """(step, loss) of every step it reported."""
    found = [re.search(r"step (\d+), loss (\S+)", line) for line in list(self.lines)]
    return [(int(m[1]), float(m[2])) for m in found if m]

  def until(self, done, what):
    """Waits for something to be true of the lines so far."""
    end = time.time() + LIMIT
    while not done():
      if self.process.poll() is not None:
        self.reader.join()
        assert done(), "ended before %s:\n%s" % (what, self.text())
      assert time.time() < end, "no sign of %s:\n%s" % (what, self.text())
      time.sleep(0.02)

  def until_line(self, words):
    self.until(lambda: any(words in line for line in list(self.lines)), repr(words))

  def until_step(self, step):
    self.until(lambda: any(at >= step for at, _ in self.losses()), "step %d" % step)

  def finish(self):
    """Waits for a good end; the losses it reported."""
    assert self.wait() == 0, self.text()
    return self.losses()

  def wait(self, limit=LIMIT):
    try:
      code = self.process.wait(limit)
    except subprocess.TimeoutExpired:
      raise AssertionError("still running after %d s:\n%s" % (limit, self.text()))
    self.reader.join()
    return code

  def text(self):
    return "\n".join(self.lines[-40:])

  def kill(self):
    self.process.kill()
    self.process.wait()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.kill()
    self.reader.join()
    self.process.stdout.close()


def start_together(stack, cluster, count, *flags, **options):
  """Clients of the first `count` workers, which begin to train when all of them have a session."""
  folder = stack.enter_context(tempfile.TemporaryDirectory())
  start = pathlib.Path(folder) / "start"
  flags += ("--start_file=%s" % start,)
  replicas = [stack.enter_context(Replica(cluster, task, *flags, **options)) for task in range(count)]
  for replica in replicas:
    replica.until_line("session is ready")
  start.touch()
  return replicas
