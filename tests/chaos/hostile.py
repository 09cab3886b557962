"""Strangers who connect to the ports of a run while it trains: the attacks of `tests/system/hostile_client.py`, and noise.

  hostile.py SEED HOST:PORT...      until it is ended
"""
import contextlib
import os
import pathlib
import random
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
import hostile_client as client  # noqa: E402

# Attacks whose connections are open at a time, and how many connections (or calls) each makes.
MOST_OPEN = 12
COUNTS = {
    client.announcing_streams: (50, 1000, 34_000),
    client.announcing_links: (5, 50),
    client.announcing_headers: (5, 50),
    client.announcing_pushes: (1, 10),
    client.idle_connections: (20, 200),
    client.half_hellos: (8, 80),
}


def noise(chance, address):
  """Random bytes behind the first word of each protocol, or behind none."""
  swarm = client.Swarm()
  for word in (b"", client.KEY, client.PREFACE, client.LINK, client.PARAMETERS, client.COORDINATOR):
    swarm.open(address, word + chance.randbytes(chance.choice((4, 11, 200, 5000))))
  return swarm


def resets(chance, address):
  """Connections that break off."""
  swarm = client.Swarm()
  for _ in range(10):
    connection = swarm.open(address, chance.randbytes(3))
    if connection:
      connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
  swarm.close()
  return swarm


def attack(chance, address):
  kind = chance.choice([*COUNTS, noise, resets])
  if kind is client.announcing_pushes and not client.Insider.opening:
    kind = noise  # A stranger's push is refused before it announces anything.
  if kind in COUNTS:
    return kind(address, chance.choice(COUNTS[kind]))
  return kind(chance, address)


def main():
  chance, addresses = random.Random(sys.argv[1]), [text.rsplit(":", 1) for text in sys.argv[2:]]
  client.allow_files()
  client.Insider.learn(os.environ.get(client.KEY_VARIABLE, ""))
  opened = []
  while True:
    host, port = chance.choice(addresses)
    with contextlib.suppress(OSError):
      opened.append(attack(chance, (host, int(port))))
    while len(opened) > MOST_OPEN:
      opened.pop(chance.randrange(len(opened))).close()
    time.sleep(0.2)


if __name__ == "__main__":
  main()
