"""The jobs that chaos runs: every strategy, some with options that change who waits for whom."""
import dataclasses
import gzip
import pathlib
import random

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Training examples of the digits, and those the model is measured on. A worker's share alone must be enough to learn from: without leases a
# worker that is stopped leaves its share to nobody.
EXAMPLES, MEASURED = 16_000, 2000

DIGITS = """
[model]
kind = "mlp"
hidden = [32]

[data]
source = "mnist"
folder = "%(data)s"
batch = %(batch)d

[optimizer]
kind = "adagrad"
learning_rate = 0.03
"""

CENSUS = """
[data]
source = "adult"
folder = "%(census)s"
batch = %(batch)d
"""


@dataclasses.dataclass(frozen=True)
class Setup:
  """One way to train, and what must hold for it."""
  name: str
  strategy: str
  steps: int
  options: tuple = ()
  workers: int = 2
  servers: int = 2
  leases: bool = False
  batch: int = 32
  census: bool = False
  # How a push becomes an update at a parameter server: "each" alone, "together" with those of the other workers, or
  # "" where there are no books.
  updates: str = ""
  # How far the accuracy may be below that of a run without faults.
  margin: float = 0.04

  @property
  def is_one_process(self):
    return self.strategy in ("local", "mirrored")

  @property
  def tasks(self):
    """All tasks that exist from the start."""
    if self.is_one_process:
      return ["local"]
    found = ["worker/%d" % n for n in range(self.workers)] + ["ps/%d" % n for n in range(self.servers)]
    return found + ["coordinator/0"] * self.leases

  def job(self, data, seed, extra):
    """The job's file; `extra` are further lines of its [cluster]."""
    values = dict(data=data, census=REPOSITORY / "data" / "adult", batch=self.batch)
    model = (census_model() + CENSUS if self.census else DIGITS) % values
    lines = ['name = "chaos"', model, "[train]", "steps = %d" % self.steps, "seed = %d" % seed]
    lines += ["checkpoint_every = %d" % max(1, self.steps // 8), "[cluster]", 'strategy = "%s"' % self.strategy]
    lines += ["ps = %d" % max(1, self.servers), "workers = %d" % self.workers, "threads = 1", *self.options, *extra]
    return "\n".join(lines) + "\n"


def census_model():
  """The ready-made job's model and optimizers, with tables that are worth dividing."""
  text = (REPOSITORY / "crates" / "cli" / "jobs" / "adult-wide-and-deep.toml").read_text()
  text = text.replace("native-country = { buckets = 200 }", "native-country = { buckets = 9000, embedding = 4 }")
  model, optimizers = text[text.index("[model]"):text.index("[data]")], text[text.index("[optimizer]"):text.index("[train]")]
  return (model + optimizers).replace("%", "%%")


SETUPS = [
    Setup("local", "local", 40000, workers=1, servers=0),
    Setup("mirrored", "mirrored", 25000, ("replicas = 2",), workers=1, servers=0),
    Setup("asynchronous", "asynchronous", 9000),
    Setup("asynchronous+leases", "asynchronous", 9000, ("leases = true",), leases=True),
    Setup("synchronous", "synchronous", 8000, updates="together"),
    Setup("synchronous+backup", "synchronous", 8000, ("backups = 1",), workers=3, updates="together"),
    Setup("synchronous+leases", "synchronous", 8000, ("leases = true",), leases=True, updates="together"),
    Setup("synchronous+backup+leases", "synchronous", 6000, ("leases = true", "backups = 1"), workers=3, leases=True, updates="together"),
    Setup("synchronous+int8", "synchronous", 7000, ('compression = "int8"',), updates="together"),
    Setup("synchronous+elastic", "synchronous", 8000, ("leases = true", "min_workers = 2", "max_workers = 4", "elastic_after = 2.0"),
          leases=True, updates="together"),
    Setup("bounded", "bounded", 8000, ("staleness = 3",), leases=True, updates="each"),
    Setup("bounded+plain", "bounded", 8000, ("staleness = 3", "leases = false"), updates="each"),
    Setup("downpour", "downpour", 16000, leases=True, updates="each"),
    Setup("downpour+plain", "downpour", 16000, ("leases = false",), updates="each"),
    Setup("downpour+periods", "downpour", 24000, ("push_every = 3", "fetch_every = 4", "warm_start = 50"), leases=True, updates="each"),
    Setup("downpour+rebalance", "downpour", 16000, ("rebalance = 1.0",), leases=True, updates="each"),
    Setup("hybrid", "hybrid", 1500, ("split_above_mib = 0",), census=True, updates="together"),
    Setup("all_reduce", "all_reduce", 10000, servers=0),
    Setup("all_reduce+top-k", "all_reduce", 8000, ('compression = "top-k:0.2"',), servers=0),
    # About 130 iterations reach the minimum, where it rightly ends by itself.
    Setup("sandblaster", "sandblaster", 90, batch=500),
    Setup("model_parallel", "model_parallel", 15000, ("stages = 2",), workers=1, servers=1),
    Setup("pipeline", "pipeline", 9000, ("stages = 2", "micro_batches = 4"), workers=1, servers=1),
]


def write_digits(folder):
  """Some of MNIST's examples: tasks that are killed are up again soon. They are drawn at random, as every second of the file's is no
  fair sample of it."""
  folder.mkdir(parents=True, exist_ok=True)
  for name, examples in (("train", EXAMPLES), ("t10k", MEASURED)):
    for kind, head, size in (("images-idx3", 16, 784), ("labels-idx1", 8, 1)):
      file = "%s-%s-ubyte.gz" % (name, kind)
      with gzip.open(REPOSITORY / "data" / "mnist" / file) as whole:
        header, body = bytearray(whole.read(head)), whole.read()
      drawn = random.Random(7).sample(range(len(body) // size), examples)
      header[4:8] = examples.to_bytes(4, "big")
      with gzip.open(folder / file, "wb", compresslevel=1) as out:
        out.write(header)
        out.writelines(body[i * size:(i + 1) * size] for i in drawn)
