"""A server under watch: whether it lives, panics, computes on and how much memory it takes."""
import os
import resource
import subprocess
import tempfile
import time

from ports import free_port
from waiting import LIMIT, until

from mutation.master import Master, Unanswered

MIB = 1 << 20
MEMORY_LIMIT = 1024 * MIB
# What a process has beside the tensors of its steps: code, threads, graphs, messages.
SLACK = 768 * MIB
# No reservation can be larger, so that one of an absurd size ends the process on every machine.
ADDRESS_SPACE = 8 << 30


class Server:
  """A server with a limit, in an empty folder: whatever path a mutation makes up is in there."""

  def __init__(self, binary, patience):
    self.folder = tempfile.TemporaryDirectory(prefix="oracle-hostile-")
    self.errors = open(os.path.join(self.folder.name, "stderr"), "w+b")
    self.read = 0
    port = free_port()
    address = "127.0.0.1:%d" % port
    self.process = subprocess.Popen(
        [os.path.abspath(binary), "serve", "--bind", address, "--log", "error", "--memory-limit", str(MEMORY_LIMIT)],
        stderr=self.errors, stdout=subprocess.DEVNULL, cwd=self.folder.name, preexec_fn=limit_address_space)
    self.master = Master(address, patience)
    until(self.answers, "the server comes up", self.process)

  def answers(self):
    try:
      self.master.close_session(self.master.create(None))
      return True
    except Unanswered:
      return False

  def alive(self):
    return self.process.poll() is None

  def panics(self):
    """The first panic written to the log since the last look, or None."""
    size = os.fstat(self.errors.fileno()).st_size
    if size == self.read:
      return None
    text = os.pread(self.errors.fileno(), size - self.read, self.read).decode(errors="replace")
    self.read = size
    lines = text.splitlines()
    for number, line in enumerate(lines):
      if "panicked at" in line or "overflowed its stack" in line or "memory allocation of" in line:
        return " ".join(lines[number:number + 2])
    return None

  def forget_peak(self):
    """Lets the next `peak` count from now."""
    try:
      with open("/proc/%d/clear_refs" % self.process.pid, "w") as file:
        file.write("5")
    except OSError:
      pass  # not allowed everywhere; then the peak is the whole life's

  def peak(self):
    """The most memory resident at a time."""
    return self.memory("VmHWM")

  def memory(self, entry):
    try:
      with open("/proc/%d/status" % self.process.pid) as file:
        for line in file:
          if line.startswith(entry + ":"):
            return int(line.split()[1]) * 1024
    except OSError:
      pass
    return 0

  def busy(self):
    """The seconds of computation so far."""
    try:
      with open("/proc/%d/stat" % self.process.pid) as file:
        parts = file.read().rsplit(")", 1)[1].split()
      return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
      return 0.0

  def calms_down(self, seconds):
    """Whether it stops computing, looked at for so long."""
    end = time.time() + seconds
    while time.time() < end:
      before = self.busy()
      time.sleep(0.3)
      if self.busy() - before < 0.05:
        return True
    return False

  def stop(self):
    """None, or why it did not end as it should."""
    self.master.stop()
    complaint = None
    if self.alive():
      self.process.terminate()
      try:
        self.process.wait(LIMIT)
      except subprocess.TimeoutExpired:
        complaint = "the server did not stop within %d s of SIGTERM" % LIMIT
    self.kill()
    return complaint

  def kill(self):
    self.master.stop()
    self.process.kill()
    self.process.wait()
    self.errors.close()
    self.folder.cleanup()


def limit_address_space():
  resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
  resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
