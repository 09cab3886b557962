"""`downpour train` as a process: one start of a run, and what it printed."""
import os
import subprocess
import time

import guard
import tasks

POLL = 0.08


class Launcher:
  def __init__(self, binary, folder, number, mark, environment, arguments):
    environment = dict(os.environ, **{tasks.MARK: mark}, **environment)
    self.out, self.err = (folder / ("%s-%d" % (name, number)) for name in ("out", "err"))
    with open(self.out, "w") as out, open(self.err, "w") as err:
      command = [str(binary), "train", "--json", *arguments]
      self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                      preexec_fn=guard.limit_process)
    self.pid, self.started = self.process.pid, time.monotonic()

  def is_running(self):
    return self.process.poll() is None

  def signal(self, number):
    self.process.send_signal(number)

  def wait(self, seconds, meanwhile=lambda: None):
    """Whether it has ended by then."""
    end = time.monotonic() + seconds
    while self.is_running():
      if time.monotonic() > end:
        return False
      meanwhile()
      time.sleep(POLL)
    return True

  def kill(self):
    self.process.kill()
    self.process.wait()

  @property
  def code(self):
    return self.process.returncode

  @property
  def stdout(self):
    return self.out.read_text(errors="replace")

  @property
  def stderr(self):
    return self.err.read_text(errors="replace")

  def last_line(self):
    lines = [line.strip() for line in self.stderr.splitlines() if line.strip() and not line.startswith("  report ")]
    return lines[-1] if lines else "(none)"
