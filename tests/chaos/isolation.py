"""Chaos runs in namespaces of its own, so that whatever it starts and mounts ends with it, even if it is killed.

Processes: when the first one of the namespace ends, the system kills the others. Mounts: nobody else sees them, and they go
with the last process. Network: ports belong to chaos alone, so a task that is started again finds its port free.
"""
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys

INSIDE = "DOWNPOUR_CHAOS_INSIDE"


def enter():
  """Starts this program again inside; returns there, and says whether it is isolated."""
  inside = os.environ.get(INSIDE)
  if inside:
    if inside == "yes":
      be_first_process()
      bring_up_loopback()
    return inside == "yes"
  program = [sys.executable, *sys.orig_argv[1:]]
  wanted = ["--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]
  for user in ([], ["--map-root-user"]):
    command = ["unshare", *user, *wanted]
    try:
      possible = subprocess.run([*command, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
      possible = False
    if possible:
      os.environ[INSIDE] = "yes"
      os.execvp("unshare", [*command, *program])
  print("no namespaces here: full disks are left out, and others may take ports", flush=True)
  os.environ[INSIDE] = "no"
  os.execv(sys.executable, program)


def be_first_process():
  """Goes on in a child. The first process only takes in children whose parents were killed, and passes on signals."""
  child = os.fork()
  if child == 0:
    return
  for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
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
