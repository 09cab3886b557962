"""What happens in a run: all of it follows from the seed and the run's number."""
import dataclasses
import random
import signal

from damage import HOW
from faults import Clock, DamageRestart, FullDisk, Hostile, Interrupt, Kill, Stop
from setups import SETUPS

SECONDS = (1, 3, 8, 20)
JUMPS = (-3600, -30, 5, 600, 86400)


@dataclasses.dataclass
class Plan:
  seed: int
  number: int
  setup: object
  faults: list
  # Further lines of the job's [cluster].
  extra: list

  def __str__(self):
    faults = "; ".join(str(fault) for fault in self.faults) or "no fault"
    return "%s [%s]: %s" % (self.setup.name, ", ".join(self.extra), faults)


def moments(chance, count):
  return sorted(round(chance.uniform(0.05, 0.8), 2) for _ in range(count))


def workers(setup):
  return ["worker/%d" % n for n in range(1, setup.workers)]


def servers(setup):
  return ["ps/%d" % n for n in range(setup.servers)]


def kill_worker(chance, setup, at):
  return Kill(at, tasks=(chance.choice(workers(setup)),)) if workers(setup) else None


def kill_chief(chance, setup, at):
  return None if setup.is_one_process else Kill(at, tasks=("worker/0",))


def kill_server(chance, setup, at):
  return Kill(at, tasks=(chance.choice(servers(setup)),)) if setup.servers else None


def kill_coordinator(chance, setup, at):
  return Kill(at, tasks=("coordinator/0",)) if setup.leases else None


def kill_two(chance, setup, at):
  return Kill(at, tasks=tuple(chance.sample(setup.tasks, 2))) if len(setup.tasks) > 1 else None


def stop_task(chance, setup, at):
  return Stop(at, task=chance.choice(setup.tasks), seconds=chance.choice(SECONDS))


def stop_chief(chance, setup, at):
  return None if setup.is_one_process else Stop(at, task="worker/0", seconds=chance.choice(SECONDS))


def terminate(chance, setup, at):
  return Interrupt(at, number=signal.SIGTERM)


def kill_run(chance, setup, at):
  return Interrupt(at, number=signal.SIGKILL)


def damage_newest(chance, setup, at):
  return Interrupt(max(at, 0.45), number=chance.choice((signal.SIGTERM, signal.SIGKILL)), harm="newest", how=chance.choice(HOW))


def damage_all(chance, setup, at):
  return Interrupt(max(at, 0.45), number=signal.SIGTERM, harm="all", how=chance.choice(HOW))


def damage_log(chance, setup, at):
  if not setup.leases:
    return None
  if chance.random() < 0.5:
    return Interrupt(at, number=signal.SIGTERM, harm="log", how=chance.choice(HOW))
  return DamageRestart(at, task="coordinator/0", how=chance.choice(HOW))


def damage_snapshot(chance, setup, at):
  return DamageRestart(at, task=chance.choice(servers(setup)), how=chance.choice(HOW)) if setup.updates else None


def full_disk(chance, setup, at):
  return FullDisk(at, seconds=chance.choice((1.0, 4.0)))


def full_disk_to_the_end(chance, setup, at):
  return FullDisk(at, leave=chance.choice((0, 20_000, 400_000)))


def clock_jump(chance, setup, at):
  everybody = chance.random() < 0.3
  tasks = (*setup.tasks, "local") if everybody else (chance.choice(setup.tasks),)
  return Clock(at, tasks=tuple(dict.fromkeys(tasks)), seconds=chance.choice(JUMPS))


def clock_and_kill(chance, setup, at):
  if setup.is_one_process:
    return None
  task = chance.choice(setup.tasks)
  return Clock(at, tasks=(task,), seconds=chance.choice(JUMPS), kill=task)


# How often each kind is drawn, before those are left out that do not fit the setup.
WEIGHTS = {
    kill_worker: 3, kill_chief: 3, kill_server: 5, kill_coordinator: 3, kill_two: 3, stop_task: 4, stop_chief: 3, terminate: 3, kill_run: 2,
    damage_newest: 2, damage_all: 1, damage_log: 2, damage_snapshot: 2, full_disk: 1, full_disk_to_the_end: 1, clock_jump: 2,
    clock_and_kill: 2,
}
# These end a run, or may: nothing comes after them.
LAST = (damage_all, full_disk_to_the_end)


def chosen(wanted, name):
  return not wanted or any(word == name or word == name.split("+")[0] for word in wanted)


def draw(seed, number, only=(), isolated=True):
  """The plan of a run. `only` are names of setups or of kinds of faults (as `kill_server`) to draw from."""
  kinds = [draw for draw in WEIGHTS if chosen([word for word in only if word in NAMES], draw.__name__)]
  wanted = [word for word in only if word not in NAMES]
  setups = [setup for setup in SETUPS if chosen(wanted, setup.name)]
  if not isolated:
    kinds = [kind for kind in kinds if kind not in (full_disk, full_disk_to_the_end)]
  chance = random.Random("%d/%d/%s" % (seed, number, ",".join(only)))
  # Each setup once before any comes again, in an order of the seed.
  round_, place = divmod(number, len(setups))
  order = random.Random("%d/order/%d" % (seed, round_)).sample(setups, len(setups))
  setup = order[place]
  faults = []
  for at in moments(chance, chance.choice((1, 2, 2, 3, 4)) if kinds else 0):
    for _ in range(20):
      kind = chance.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]
      fault = kind(chance, setup, at)
      if fault:
        break
    else:
      continue
    fault.eager = chance.random() < 0.25
    faults.append(fault)
    if kind in LAST:
      break
  faults.sort(key=lambda fault: fault.at)
  strangers = "hostile" in only or not (set(only) & NAMES) and chance.random() < 0.3
  if strangers and not setup.is_one_process:
    faults.insert(0, Hostile(0.0, seed=chance.randrange(1 << 30)))
  return Plan(seed, number, setup, faults, extra_lines(chance, setup, faults))


def draw_kills(seed, number, kills, only=()):
  """A run in which parameter servers are killed, one after the other."""
  setups = [setup for setup in SETUPS if setup.servers and chosen(only, setup.name)]
  chance = random.Random("%d/kills/%d" % (seed, number))
  setup = setups[number % len(setups)]
  faults = [kill_server(chance, setup, at) for at in moments(chance, kills)]
  for fault in faults:
    fault.eager = chance.random() < 0.2
  return Plan(seed, number, setup, faults, extra_lines(chance, setup, faults))


def extra_lines(chance, setup, faults):
  may_fail = any(isinstance(fault, (FullDisk, DamageRestart)) for fault in faults)
  extra = ["max_restarts = %d" % (6 if may_fail else 40)]
  if setup.updates or setup.strategy == "sandblaster":
    extra += chance.choice(([], [], ["silence = 2.0"]))
  return extra


NAMES = {kind.__name__ for kind in WEIGHTS} | {"hostile"}
