#!/usr/bin/env python3
"""Hostile connections to a Downpour port: what a stranger who means harm, or a broken client, would send.

Every attack is a function that takes an address (host, port), opens its connections and returns a Swarm, which keeps
them open until it is closed. Only the standard library is needed; HTTP/2 frames and our own messages are made by hand.

  hostile_client.py HOST:PORT [--streams N] [--links N] [--idle N] [--half N] [--seconds S]
"""
import argparse
import contextlib
import itertools
import os
import resource
import select
import socket
import struct
import sys
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
KEY, LINK, PARAMETERS, COORDINATOR = b"key_0001", b"downpour", b"params_1", b"coord_01"
KEY_VARIABLE = "DOWNPOUR_CLUSTER_KEY"
# The version of the parameter service: `VERSION` in crates/params/src/message.rs.
PARAMETERS_VERSION = 2
RUN_STEP = "/tensorflow.MasterService/RunStep"
MANY_FILES = 65536


class Insider:
  """Whether attackers know the cluster's key. Without it a server that has one refuses Downpour's own protocols at their first word,
  and the attacks on what is behind would test nothing."""
  opening = b""

  @classmethod
  def learn(cls, key):
    """From here on attackers show this key: 64 hexadecimal digits, or none."""
    cls.opening = KEY + bytes.fromhex(key) if key else b""

  @classmethod
  def learn_from(cls, pid):
    """From here on attackers show the key of this process, if it has one."""
    with open("/proc/%d/environ" % pid, encoding="utf-8") as file:
      variables = dict(entry.partition("=")[::2] for entry in file.read().split("\0"))
    cls.learn(variables.get(KEY_VARIABLE, ""))


def allow_files():
  """Lets this process open as many files as the system allows."""
  _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
  most = MANY_FILES if hard == resource.RLIM_INFINITY else hard
  resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Swarm:
  """Connections of one attack. `refused` counts those the server did not take or has closed already."""

  def __init__(self):
    self.sockets, self.refused = [], 0

  def open(self, address, said=b""):
    """Connects and says something; returns the connection, or None if it was refused."""
    try:
      connection = socket.create_connection(address, 10)
      if said.startswith((LINK, PARAMETERS, COORDINATOR)):
        said = Insider.opening + said
      if said:
        connection.sendall(said)
    except OSError:
      self.refused += 1
      return None
    self.sockets.append(connection)
    return connection

  def closed(self):
    """How many connections the server has closed."""
    count = 0
    for connection in self.sockets:
      connection.setblocking(False)
      try:
        while connection.recv(65536):
          pass
        count += 1
      except BlockingIOError:
        pass
      except OSError:
        count += 1
    return count

  def close(self):
    for connection in self.sockets:
      connection.close()
    self.sockets = []

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()


# ---- HTTP/2 -----------------------------------------------------------------------------------------------------

def frame(kind, flags, stream, payload=b""):
  return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def header(name, value):
  """A header as a literal that enters no table."""
  return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def request_headers(path):
  fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
            ("content-type", "application/grpc"), ("te", "trailers")]
  return b"".join(header(name, value) for name, value in fields)


def message(contents):
  return b"\0" + struct.pack(">I", len(contents)) + contents


class Http2:
  """One connection with just enough of HTTP/2 to make calls, well or badly."""

  def __init__(self, address, window=65535):
    self.socket = socket.create_connection(address, 10)
    self.streams = itertools.count(1, 2)
    self.resets, self.received = 0, b""
    initial_window = struct.pack(">HI", 4, window)
    self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0, initial_window) + frame(SETTINGS, ACK, 0))

  def begin(self, path=RUN_STEP):
    """The bytes that open a call, and its number."""
    stream = next(self.streams)
    return frame(HEADERS, END_HEADERS, stream, request_headers(path)), stream

  def send(self, data):
    """Sends, and reads what comes meanwhile: a server that refuses calls says so for each."""
    view, wait = memoryview(data), select.poll()
    wait.register(self.socket, select.POLLIN | select.POLLOUT)
    while view:
      happened = dict(wait.poll(30_000)).get(self.socket.fileno(), 0)
      if not happened or (happened & ~select.POLLOUT and not self.take()):
        return False
      if happened & select.POLLOUT:
        try:
          view = view[self.socket.send(view[:1 << 16]):]
        except OSError:
          return False
    return True

  def take(self):
    """Reads some bytes and counts refused calls; False when the server has closed the connection."""
    try:
      some = self.socket.recv(1 << 20)
    except OSError:
      some = b""
    self.received += some
    while len(self.received) >= 9:
      length = int.from_bytes(self.received[:3], "big")
      if len(self.received) < 9 + length:
        break
      self.resets += self.received[3] == RST_STREAM
      self.received = self.received[9 + length:]
    return bool(some)

  def call(self, path, contents):
    """Makes a call as it should be made, and returns the answer's message."""
    opening, stream = self.begin(path)
    self.socket.sendall(opening + frame(DATA, END_STREAM, stream, message(contents)))
    answer, file = b"", self.socket.makefile("rb")
    while True:
      head = file.read(9)
      if len(head) < 9:
        raise ConnectionError("the server closed the connection")
      length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
      of, payload = int.from_bytes(head[5:], "big"), file.read(length)
      if kind == PING and not flags & ACK:
        self.socket.sendall(frame(PING, ACK, 0, payload))
      elif kind == DATA and of == stream:
        answer += payload
        if payload:
          credit = struct.pack(">I", len(payload))
          self.socket.sendall(frame(WINDOW_UPDATE, 0, 0, credit) + frame(WINDOW_UPDATE, 0, stream, credit))
      if of == stream and (flags & END_STREAM or kind == RST_STREAM):
        return answer[5:]

  def close(self):
    self.socket.close()


# ---- our own protocols --------------------------------------------------------------------------------------------

def varint(number):
  out = b""
  while number > 127:
    out, number = out + bytes([number & 127 | 128]), number >> 7
  return out + bytes([number])


def field(tag, value):
  """A field of a protobuf message: a number, or bytes."""
  if isinstance(value, int):
    return varint(tag << 3) + varint(value)
  return varint(tag << 3 | 2) + varint(len(value)) + value


def with_length(contents):
  return struct.pack("<I", len(contents)) + contents


def link_hello():
  incarnation = b"\x11" + os.urandom(8)
  return LINK + with_length(field(1, 1) + incarnation + field(3, b"/job:stranger/task:0"))


def announced_floats(length, dtype, dims, size):
  """A tensor's head: `length` bytes of float32."""
  return field(dtype, 1) + field(dims, varint(length // 4)) + field(size, length)


def announced_value(length):
  """The header of a link's message with one value of so many bytes."""
  return with_length(field(2, field(2, 7) + announced_floats(length, 6, 7, 9)))


def announced_push(length):
  """The header of a request to the parameter service with one tensor of so many bytes."""
  return with_length(field(1, field(1, b"w") + announced_floats(length, 3, 4, 5)))


# ---- attacks ------------------------------------------------------------------------------------------------------

def announcing_streams(address, count=34_000, announced=2**32 - 1, per_connection=None):
  """Calls that each announce a message of `announced` bytes and send nothing of it."""
  swarm, left = Swarm(), count
  while left > 0:
    connection, batch = Http2(address), min(left, per_connection or count)
    swarm.sockets.append(connection.socket)
    for _ in range(batch):
      opening, stream = connection.begin()
      prefix = frame(DATA, 0, stream, b"\0" + struct.pack(">I", announced))
      if not connection.send(opening + prefix):
        break
    left -= batch
    swarm.refused += connection.resets
  return swarm


def announcing_links(address, count=200, length=2 << 30):
  """Links that say hello and announce a value of `length` bytes, of which nothing comes."""
  swarm = Swarm()
  for _ in range(count):
    swarm.open(address, link_hello() + announced_value(length))
  return swarm


def announcing_headers(address, count=200, length=16 << 20):
  """Twelve bytes each: the first words of a link and the length of a header."""
  swarm = Swarm()
  for _ in range(count):
    swarm.open(address, LINK + struct.pack("<I", length))
  return swarm


def announcing_pushes(address, count=50, length=1_900_000_000):
  """Connections to the parameter service that announce a tensor and then say nothing. The server must have taken the first
  hello: else the attack would end there, and test nothing."""
  hello = with_length(field(1, PARAMETERS_VERSION))
  swarm = Swarm()
  for number in range(count):
    connection = swarm.open(address, PARAMETERS + hello + announced_push(length))
    if number == 0 and connection:
      answer = connection.recv(len(hello), socket.MSG_WAITALL)
      assert answer == hello, "the parameter service does not take a hello of version %d: what is VERSION in message.rs?" % PARAMETERS_VERSION
  return swarm


def idle_connections(address, count=5_000):
  """Connections that say nothing."""
  swarm = Swarm()
  for _ in range(count):
    swarm.open(address)
  return swarm


def half_hellos(address, count=1_000):
  """Connections that begin to say what they want and stop in the middle of it, in every protocol of the port."""
  openings = [PREFACE[:10], KEY + bytes(9), LINK[:4], LINK + struct.pack("<I", 20) + b"\x08", PARAMETERS[:5],
              PARAMETERS + b"\x02", COORDINATOR[:7], COORDINATOR + b"\xff", b"\xff\xfe"]
  swarm = Swarm()
  for _, opening in zip(range(count), itertools.cycle(openings)):
    swarm.open(address, opening)
  return swarm


def empty_parts(address, count=1_000_000):
  """A call whose message is `count` tensors of nothing: two bytes each, and hundreds when they are decoded."""
  connection = Http2(address)
  opening, stream = connection.begin()
  contents, out = message(field(2, b"") * count), bytearray(opening)
  for i in range(0, len(contents), 1 << 20):
    out += frame(DATA, END_STREAM if i + (1 << 20) >= len(contents) else 0, stream, contents[i:i + (1 << 20)])
  connection.send(bytes(out))
  swarm = Swarm()
  swarm.sockets.append(connection.socket)
  return swarm


def unknown_steps(address, count=100_000, batch=4_000):
  """A link that brings dead values for steps that nobody runs."""
  dead = lambda step: field(2, b"\x09" + struct.pack("<q", step) + field(5, 1))
  swarm = Swarm()
  messages = (with_length(b"".join(map(dead, range(i, i + batch)))) for i in range(0, count, batch))
  swarm.open(address, link_hello())
  with contextlib.suppress(OSError):
    for some in messages:
      swarm.sockets[-1].sendall(some)
  return swarm


def unread_answers(address, contents, count):
  """Calls of one connection whose client has no room for a byte of their answers."""
  connection, swarm = Http2(address, 0), Swarm()
  for _ in range(count):
    opening, stream = connection.begin()
    if not connection.send(opening + frame(DATA, END_STREAM, stream, message(contents))):
      break
  swarm.sockets.append(connection.socket)
  return swarm


def slow_readers(address, requests):
  """Calls whose answers are never read. `requests` are pairs of a path and a message."""
  swarm = Swarm()
  for path, contents in requests:
    connection = Http2(address)
    opening, stream = connection.begin(path)
    connection.socket.sendall(opening + frame(DATA, END_STREAM, stream, message(contents)))
    swarm.sockets.append(connection.socket)
  return swarm


def create_session(address, graph_def):
  """Makes a session with a graph (a GraphDef's bytes), as a client does that never closes it; returns its handle."""
  connection = Http2(address, 1 << 30)
  answer = connection.call("/tensorflow.MasterService/CreateSession", field(1, graph_def))
  connection.close()
  assert answer[:1] == b"\x0a", answer
  return answer[2:2 + answer[1]]


def run_step(handle, fetch):
  """The message of a call to RunStep."""
  return field(1, handle) + field(3, fetch.encode())


ATTACKS = {"streams": announcing_streams, "links": announcing_links, "headers": announcing_headers, "pushes": announcing_pushes,
           "idle": idle_connections, "half": half_hellos}


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("address")
  for name in ATTACKS:
    p.add_argument("--" + name, type=int, default=0, metavar="N")
  p.add_argument("--seconds", type=float, default=10, help="how long connections stay open")
  args = p.parse_args()
  host, port = args.address.rsplit(":", 1)
  allow_files()
  swarms = []
  for name, attack in ATTACKS.items():
    count = getattr(args, name)
    if count:
      start = time.time()
      swarms.append(attack((host, int(port)), count))
      print("%s: %d in %.1f s, %d refused" % (name, count, time.time() - start, swarms[-1].refused), flush=True)
  time.sleep(args.seconds)
  for swarm in swarms:
    swarm.close()


if __name__ == "__main__":
  sys.exit(main())
