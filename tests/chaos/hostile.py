"""Strangers who connect to the ports of a run while it trains.

  hostile.py SEED HOST:PORT...      until it is ended
"""
import contextlib
import random
import socket
import struct
import sys
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MOST_IDLE = 40


def connect(address):
  host, port = address.rsplit(":", 1)
  s = socket.create_connection((host, int(port)), 2)
  s.settimeout(2)
  return s


def frame(kind, flags, stream, payload):
  return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
  return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def idle(chance, address):
  """Connects and says nothing."""
  return connect(address)


def half_hello(chance, address):
  """Begins one of the protocols of the port and does not go on."""
  s = connect(address)
  hello = chance.choice([PREFACE[:chance.randrange(1, len(PREFACE))], b"\x00", b"\x01", b"\x02", b"\x03", b"\x80", b"\xd0", b"DOWN"])
  s.sendall(hello)
  return s


def noise(chance, address):
  """Random bytes behind every first byte."""
  s = connect(address)
  s.sendall(bytes([chance.randrange(256)]) + chance.randbytes(chance.choice([11, 200, 5000])))
  return s


def long_frame(chance, address):
  """Announces a long message behind a first byte and sends nothing of it."""
  s = connect(address)
  announced = chance.choice([16 << 20, 1 << 30, (1 << 32) - 1, (1 << 63) - 1])
  form = chance.choice(["<I", ">I", "<Q", ">Q"])
  s.sendall(bytes([chance.randrange(256)]) + chance.randbytes(chance.choice([0, 3, 7])) +
            struct.pack(form, announced & (1 << (8 * struct.calcsize(form))) - 1))
  return s


def streams(chance, address):
  """gRPC calls that each announce a message of 4 GB: some, or as many as a connection may hold."""
  s, count = connect(address), chance.choice((50, 200, 1000, 34_000))
  s.sendall(PREFACE + frame(4, 0, 0, b""))
  path = chance.choice([b"/tensorflow.WorkerService/RunGraph", b"/tensorflow.MasterService/CreateSession", b"/downpour.TaskService/Ask"])
  block = b"\x83\x86" + literal(b":path", path) + literal(b":authority", b"x") + literal(b"content-type", b"application/grpc")
  block += literal(b"te", b"trailers")
  s.sendall(b"".join(frame(1, 4, number, block) + frame(0, 0, number, b"\x00\xff\xff\xff\xff") for number in range(1, 2 * count, 2)))
  return s


def reset(chance, address):
  """Goes away without a word."""
  s = connect(address)
  s.sendall(chance.randbytes(3))
  s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
  s.close()
  return None


KINDS = [idle, half_hello, noise, long_frame, streams, reset]


def main():
  chance, addresses = random.Random(sys.argv[1]), sys.argv[2:]
  opened = []
  while True:
    with contextlib.suppress(OSError):
      s = chance.choice(KINDS)(chance, chance.choice(addresses))
      if s is not None:
        opened.append(s)
    while len(opened) > MOST_IDLE:
      opened.pop(chance.randrange(len(opened))).close()
    time.sleep(0.03)


if __name__ == "__main__":
  main()
