"""The processes of a run: who is which task, and who is left."""
import json
import os
import pathlib
import signal
import time

MARK = "DOWNPOUR_CHAOS_RUN"


def read(pid, name):
  try:
    return (pathlib.Path("/proc") / str(pid) / name).read_bytes()
  except OSError:
    return b""


def is_zombie(pid):
  return read(pid, "stat").rpartition(b")")[2].split()[:1] == [b"Z"]


def of_run(mark):
  """The processes that inherited a run's mark, with their environments."""
  wanted, found = ("%s=%s" % (MARK, mark)).encode(), {}
  for name in os.listdir("/proc"):
    if name.isdigit():
      environment = read(name, "environ").split(b"\0")
      if wanted in environment and not is_zombie(name):
        found[int(name)] = environment
  return found


def task_of(environment):
  """`worker/0`; None for a process that is no task."""
  for entry in environment:
    if entry.startswith(b"TF_CONFIG="):
      task = json.loads(entry[len(b"TF_CONFIG="):])["task"]
      return "%s/%s" % (task["type"], task["index"])
  return None


def by_task(mark):
  """Process ids by task."""
  return {task_of(environment): pid for pid, environment in of_run(mark).items() if task_of(environment)}


def send(pid, number):
  """Whether the process was there to get the signal."""
  try:
    os.kill(pid, number)
    return True
  except ProcessLookupError:
    return False


def resident(pid):
  """MB of memory; 0 for a process that has ended."""
  for line in read(pid, "status").splitlines():
    if line.startswith(b"VmRSS:"):
      return int(line.split()[1]) / 1024
  return 0.0


def left_over(mark, patience):
  """Processes that outlive their run, if any are left after `patience` seconds; they are killed."""
  end = time.monotonic() + patience
  while True:
    found = of_run(mark)
    if not found or time.monotonic() > end:
      break
    time.sleep(0.1)
  names = ["%d (%s)" % (pid, task_of(environment) or "no task") for pid, environment in found.items()]
  for pid in found:
    send(pid, signal.SIGKILL)
  return names

