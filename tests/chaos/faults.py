"""The faults that chaos inflicts on a run, one class a kind.

A fault comes when the run has made `at` of its steps. An eager one comes even if the run has not recovered from the one before.
"""
import dataclasses
import signal

import damage
import tasks


@dataclasses.dataclass
class Fault:
  at: float
  eager: bool = False
  # Seconds that it may cost the run, on an idle machine.
  allowance = 30.0
  needs_disk = needs_clocks = False

  @property
  def kind(self):
    raise NotImplementedError

  def is_possible(self, trial):
    """Whether all that it needs is there at this moment."""
    return True

  def inflict(self, trial):
    raise NotImplementedError

  def __str__(self):
    return "%s at %d %%%s" % (self.text(), round(100 * self.at), ", eager" if self.eager else "")

  def text(self):
    return self.kind


def role(task):
  names = {"worker/0": "chief", "ps": "server", "coordinator": "coordinator", "local": "process"}
  return names.get(task) or names.get(task.split("/")[0], "worker")


@dataclasses.dataclass
class Kill(Fault):
  """SIGKILL, of several tasks in the same moment if there are several."""
  tasks: tuple = ()

  @property
  def kind(self):
    return "kill " + " and ".join(sorted(role(task) for task in self.tasks))

  def text(self):
    return "kill " + " and ".join(self.tasks)

  def is_possible(self, trial):
    return all(trial.pid(task) for task in self.tasks)

  def inflict(self, trial):
    for pid in [trial.pid(task) for task in self.tasks]:
      tasks.send(pid, signal.SIGKILL)
    trial.killed(*self.tasks)


@dataclasses.dataclass
class Stop(Fault):
  """SIGSTOP, and SIGCONT after some seconds."""
  task: str = ""
  seconds: float = 1.0

  @property
  def kind(self):
    return "stop " + role(self.task)

  @property
  def allowance(self):
    return 30 + self.seconds

  def text(self):
    return "stop %s for %g s" % (self.task, self.seconds)

  def is_possible(self, trial):
    return trial.pid(self.task) is not None

  def inflict(self, trial):
    pid = trial.pid(self.task)
    tasks.send(pid, signal.SIGSTOP)
    trial.stopped(self.task)
    trial.later(self.seconds, lambda: tasks.send(pid, signal.SIGCONT))


@dataclasses.dataclass
class Interrupt(Fault):
  """A signal for the whole run, which is then resumed; files may be damaged before that."""
  number: int = signal.SIGTERM
  harm: str = ""  # "", "newest" checkpoint, "all" checkpoints, "log" of the coordinator
  how: str = "flip"
  allowance = 60.0

  @property
  def kind(self):
    if self.harm:
      return {"newest": "damage checkpoint", "all": "damage all checkpoints", "log": "damage coordinator's log"}[self.harm]
    return "SIGTERM and resume" if self.number == signal.SIGTERM else "kill run and resume"

  def text(self):
    harm = " (%s)" % self.how if self.harm else ""
    return "%s%s, after %s" % (self.kind, harm, self.number.name)

  def inflict(self, trial):
    trial.interrupt(self.number)
    if self.harm in ("newest", "all"):
      damage.checkpoints(trial, self.harm, self.how)
    elif self.harm == "log":
      damage.coordinator_log(trial, self.how)
    trial.resume()


@dataclasses.dataclass
class DamageRestart(Fault):
  """A task dies, and its own file is damaged when it is started again."""
  task: str = ""
  how: str = "flip"

  @property
  def kind(self):
    return "damage snapshot" if self.task.startswith("ps/") else "damage coordinator's log"

  def text(self):
    return "%s of %s (%s) and kill it" % (self.kind.replace("coordinator's ", ""), self.task, self.how)

  def is_possible(self, trial):
    return trial.pid(self.task) is not None

  def inflict(self, trial):
    pid = trial.pid(self.task)
    # It writes nothing from here on.
    tasks.send(pid, signal.SIGSTOP)
    (damage.snapshot if self.task.startswith("ps/") else damage.coordinator_log)(trial, self.how, self.task)
    tasks.send(pid, signal.SIGKILL)
    trial.killed(self.task)


@dataclasses.dataclass
class FullDisk(Fault):
  """The disk of the run's folder is full, for some seconds or until the run has ended."""
  seconds: float = 0.0
  leave: int = 0
  allowance = 90.0
  needs_disk = True

  @property
  def kind(self):
    return "full disk" if self.seconds else "full disk to the end"

  def text(self):
    return "%s%s" % (self.kind, " for %g s" % self.seconds if self.seconds else ", %d bytes left" % self.leave)

  def inflict(self, trial):
    trial.disk.fill(self.leave)
    trial.excuse(r"No space left|was not saved|Make room", trial.disk.free)
    if self.seconds:
      trial.later(self.seconds, trial.disk.free)


@dataclasses.dataclass
class Clock(Fault):
  """The wall clock of some tasks jumps; one of them may then be killed, and starts with the new time."""
  tasks: tuple = ()
  seconds: float = 0.0
  kill: str = ""
  allowance = 40.0
  needs_clocks = True

  @property
  def kind(self):
    return "clock jump and kill" if self.kill else "clock jump"

  def text(self):
    jump = "clock of %s jumps by %g s" % (", ".join(self.tasks), self.seconds)
    return jump + ("; kill " + self.kill if self.kill else "")

  def is_possible(self, trial):
    return not self.kill or trial.pid(self.kill) is not None

  def inflict(self, trial):
    for task in self.tasks:
      trial.clocks.set(task, self.seconds)
    if self.kill:
      tasks.send(trial.pid(self.kill), signal.SIGKILL)
      trial.killed(self.kill)


@dataclasses.dataclass
class Hostile(Fault):
  """Strangers connect to every port, from here to the end."""
  seed: int = 0

  @property
  def kind(self):
    return "hostile connections"

  def inflict(self, trial):
    trial.start_strangers(self.seed)
