"""Keeps a run from taking the machine's memory: chaos attacks programs that may grow without bound, beside other people's work.

Three walls. The system refuses a process more than `PROCESS` bytes. A thread ends a run whose processes hold more than `RUN` bytes together, which
is a finding. And if memory is short all the same, the system ends a process of chaos before any other.
"""
import resource
import signal
import threading

import tasks

PROCESS = 6 << 30
RUN = 3 << 30
EVERY = 0.1


def be_ended_first():
  """For this process and all that it starts."""
  with open("/proc/self/oom_score_adj", "w") as file:
    file.write("1000")


def limit_process():
  """Between fork and exec of a program under test."""
  resource.setrlimit(resource.RLIMIT_DATA, (PROCESS, PROCESS))


class Guard(threading.Thread):
  """Ends all processes of a run when they hold too much; `exceeded` says so."""

  def __init__(self, mark, limit=RUN):
    super().__init__(daemon=True)
    self.mark, self.limit, self.over, self.exceeded = mark, limit, threading.Event(), None

  def run(self):
    while not self.over.wait(EVERY):
      held = {pid: tasks.resident(pid) for pid in tasks.of_run(self.mark)}
      if sum(held.values()) * (1 << 20) > self.limit:
        self.exceeded = "its processes hold %d MB: %s" % (sum(held.values()), sorted(round(size) for size in held.values()))
        for pid in held:
          tasks.send(pid, signal.SIGKILL)

  def close(self):
    self.over.set()
    self.join()
