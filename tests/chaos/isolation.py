"""Chaos runs in namespaces of its own, so that whatever it starts and mounts ends with it, even if it is killed.

Processes: when the first one of the namespace ends, the system kills the others. Mounts: nobody else sees them, and they go
with the last process. Network: ports belong to chaos alone, so a task that is started again finds its port free.
"""
import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys

INSIDE = "DOWNPOUR_CHAOS_INSIDE"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NAMESPACES = ["--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]


def enter():
  """Starts this program again inside; returns there, and says whether it is isolated."""
  inside = os.environ.get(INSIDE)
  if inside:
    if inside == "yes":
      be_first_process()
      bring_up_loopback()
    return inside == "yes"
  program = [sys.executable, *sys.orig_argv[1:]]
  for user in ([], ["--map-root-user"]):
    command = ["unshare", *user, *NAMESPACES]
    try:
      possible = subprocess.run([*command, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
      possible = False
    if possible:
      sys.exit(run_inside([*command, *program]))
  print("no namespaces here: full disks are left out, and others may take ports", flush=True)
  os.environ[INSIDE] = "no"
  os.execv(sys.executable, program)


def run_inside(command):
  """Waits for the program inside, which ends with us; signals are passed on once, so it has a session of its own."""
  inside = subprocess.Popen(command, env=dict(os.environ, **{INSIDE: "yes"}), start_new_session=True, preexec_fn=die_with_parent)

  def pass_on(number, _):
    with open("/proc/%d/task/%d/children" % (inside.pid, inside.pid)) as children:
      for child in children.read().split():
        os.kill(int(child), number)

  for number in SIGNALS:
    signal.signal(number, pass_on)
  return inside.wait()


def die_with_parent():
  ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def be_first_process():
  """Goes on in a child. The first process only takes in children whose parents were killed, and passes on signals."""
  child = os.fork()
  if child == 0:
    return
  for number in SIGNALS:
    signal.signal(number, lambda number, _: os.kill(child, number))
  while True:
    try:
      pid, status = os.wait()
    except InterruptedError:
      continue
    if pid == child:
      os._exit(os.waitstatus_to_exitcode(status) & 0xff)


def bring_up_loopback():
  with socket.socket() as s:
    request = struct.pack("16sh14x", b"lo", 1)  # IFF_UP
    fcntl.ioctl(s, 0x8914, request)  # SIOCSIFFLAGS
