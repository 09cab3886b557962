"""Programs of workers as processes: one per worker, each the client of its own task."""
import multiprocessing
import os
import pathlib
import re
import runpy
import sys
import tempfile

from waiting import LIMIT, until

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
MNIST = PROGRAMS / "mnist_replica.py"
# Children of one process that has TensorFlow loaded but has not used it: loading takes longer than most trainings here.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tensorflow.compat.v1"])


def run_program(program, arguments, environment, output):
  with open(output, "w") as out:
    os.dup2(out.fileno(), 1)
    os.dup2(out.fileno(), 2)
  sys.argv = [str(program)] + arguments
  # As for a script that is started by itself.
  sys.path.insert(0, str(program.parent))
  os.environ.update(environment)
  runpy.run_path(str(program), run_name="__main__")


class Program:
  """A Python program as a process."""

  def __init__(self, program, *arguments, environment=()):
    self.output = tempfile.NamedTemporaryFile("r")
    arguments = (program, list(arguments), dict(environment), self.output.name)
    self.process = PROCESSES.Process(target=run_program, args=arguments)
    self.process.start()

  @property
  def lines(self):
    """What it has printed so far."""
    return pathlib.Path(self.output.name).read_text().splitlines()

  def losses(self):
    """(step, loss) of every step it reported."""
    found = [re.search(r"step (\d+), loss (\S+)", line) for line in self.lines]
    return [(int(m[1]), float(m[2])) for m in found if m]

  def until(self, done, what):
    """Waits for something to be true of the lines so far."""
    until(lambda: done() or not self.process.is_alive(), what)
    assert done(), "ended before %s:\n%s" % (what, self.text())

  def until_line(self, words):
    self.until(lambda: any(words in line for line in self.lines), repr(words))

  def until_step(self, step):
    self.until(lambda: any(at >= step for at, _ in self.losses()), "step %d" % step)

  def finish(self):
    """Waits for a good end; the losses it reported."""
    assert self.wait() == 0, self.text()
    return self.losses()

  def wait(self, limit=LIMIT):
    self.process.join(limit)
    assert not self.process.is_alive(), "still running after %d s:\n%s" % (limit, self.text())
    return self.process.exitcode

  def text(self):
    return "\n".join(self.lines[-40:])

  def kill(self):
    self.process.kill()
    self.process.join()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.kill()
    self.output.close()


class Replica(Program):
  """A worker's client."""

  def __init__(self, cluster, task, *flags, target=True, program=MNIST):
    arguments = ["--task_index=%d" % task]
    if cluster:
      arguments += ["--%s_hosts=%s" % (job, ",".join(cluster.addresses[job])) for job in ("ps", "worker")]
      arguments += ["--target=" + cluster.target("worker", task)] if target else []
    super().__init__(program, *arguments, *flags)


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
