"""Free loopback ports that nobody else takes before they are used."""
import fcntl
import os
import pathlib
import random
import socket
import tempfile

# Below the ports that systems give to outgoing connections (from 32768), and beside those that `downpour run` chooses
# (from 20000).
FIRST, BLOCKS, SIZE = 10_000, 100, 100
held = []
ports = iter(())


def block():
  """The ports of a block that no other test process has; this one keeps it until it ends."""
  folder = pathlib.Path(tempfile.gettempdir()) / "downpour-test-ports"
  folder.mkdir(exist_ok=True)
  for number in random.sample(range(BLOCKS), BLOCKS):
    file = os.open(folder / str(number), os.O_CREAT | os.O_RDWR)
    try:
      fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
      os.close(file)
      continue
    held.append(file)
    return iter(range(FIRST + number * SIZE, FIRST + (number + 1) * SIZE))
  raise RuntimeError("other test processes hold all ports")


def free_port():
  global ports
  while True:
    for port in ports:
      with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
          s.bind(("127.0.0.1", port))
          return port
        except OSError:
          continue  # a program that is no test of ours listens there
    ports = block()
