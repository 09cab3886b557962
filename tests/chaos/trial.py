"""One run: started, harmed as its plan says, resumed where that belongs to the plan, and watched until it ends."""
import collections
import os
import pathlib
import re
import secrets
import signal
import subprocess
import sys
import time

import evidence
import tasks
from clock import Clocks
from damage import saved_steps
from disk import SmallDisk
from faults import Interrupt, Kill
from guard import Guard
from journals import Journals
from launcher import POLL, Launcher

# Without a word of any task for so long, on an idle machine and beyond what faults may cost, a run hangs.
SILENCE = 60.0
# A run that is told to end has this long, on an idle machine.
ENDING = 30.0
WEIGH_EVERY = 0.7
KEY = "DOWNPOUR_CLUSTER_KEY"
HOSTILE = pathlib.Path(__file__).with_name("hostile.py")

Inflicted = collections.namedtuple("Inflicted", "fault moment step")
# A server that was killed: what it had counted at least, whether others were killed with it, and when.
ServerKill = collections.namedtuple("ServerKill", "task steps with_others moment")


class Hang(Exception):
  pass


class Trial:
  """What faults see of a run is `run` (its folder), `disk`, `clocks`, `journals` and the methods."""

  def __init__(self, plan, tools, baseline=None):
    self.plan, self.setup, self.tools, self.baseline = plan, plan.setup, tools, baseline
    self.mark = "%s.%d" % (plan.seed, plan.number) if baseline else "baseline." + plan.setup.name
    self.folder = tools.scratch / self.mark
    self.folder.mkdir(parents=True)
    self.runs = self.folder / "runs"
    self.run = self.runs / "chaos"
    self.disk = SmallDisk(self.runs) if any(fault.needs_disk for fault in plan.faults) else None
    self.clocks = None
    if any(fault.needs_clocks for fault in plan.faults):
      self.clocks = Clocks(tools.clock(), self.folder / "clocks", [*self.setup.tasks, "local"])
    self.journals = Journals(self.run)
    self.launchers, self.findings, self.inflicted, self.timers, self.excuses = [], [], [], [], []
    self.server_kills, self.worker_faults, self.damaged = [], 0, set()
    self.nothing_to_resume = self.over = False
    self.memory, self.weighed = collections.defaultdict(list), 0.0
    self.strangers, self.guard, self.key = None, Guard(self.mark), secrets.token_hex(32)

  # What faults do to it.

  def pid(self, task):
    if task == "local":
      return self.launcher.pid if self.launcher.is_running() else None
    return tasks.by_task(self.mark).get(task)

  def later(self, seconds, action):
    self.timers.append((time.monotonic() + seconds, action))

  def killed(self, *victims):
    """Remembers what servers had counted when they died."""
    for task in victims:
      if task.startswith("ps/"):
        books = self.journals.books(task.replace("/", "-"))
        self.server_kills.append(ServerKill(task, books["steps"] if books else 0, len(victims) > 1, time.monotonic()))
      self.worker_faults += task.startswith("worker/")

  def stopped(self, task):
    self.worker_faults += task.startswith("worker/")

  def excuse(self, pattern, repair=None):
    """From here on the run may fail if it says so; then `repair` is called, and it is resumed."""
    self.excuses.append((pattern, repair))

  def start_strangers(self, seed):
    # Half of them know the key, and reach further.
    environment = dict(os.environ, **{KEY: self.key if seed % 2 else ""})
    command = [sys.executable, str(HOSTILE), str(seed), *self.journals.addresses()]
    self.strangers = subprocess.Popen(command, env=environment)

  def interrupt(self, number):
    """Ends the whole run by a signal, and looks how it ends."""
    quiet, told = self.is_recovered(), self.journals.chief_step()
    name, limit = signal.Signals(number).name, ENDING * self.slowness()
    self.launcher.signal(number)
    if not self.launcher.wait(limit, self.run_timers):
      self.findings.append("did not end within %.0f s of %s%s" % (limit, name, evidence.where(self)))
      evidence.write_threads(self)
      self.launcher.kill()
    self.journals.poll()
    self.timers.clear()
    self.no_process_is_left("after " + name)
    if number != signal.SIGTERM:
      return
    if self.launcher.code not in (143, 0, -9) and not self.is_excused():
      self.findings.append("SIGTERM: exit code %d, last line: %s" % (self.launcher.code, self.launcher.last_line()))
    newest = max(saved_steps(self.run), default=-1)
    if quiet and self.launcher.code == 143 and newest < told:
      self.findings.append("SIGTERM at step %d left ckpt-%d as the newest checkpoint" % (told, newest))

  def resume(self):
    self.journals.begin_invocation()
    self.server_kills, self.worker_faults = [], 0
    self.start("--resume", str(self.run))

  # The run itself.

  def start(self, *arguments):
    environment = {KEY: self.key, **(self.clocks.environment if self.clocks else {})}
    arguments = ["--runs", str(self.runs), *arguments]
    self.launcher = Launcher(self.tools.binary, self.folder, len(self.launchers), self.mark, environment, arguments)
    self.launchers.append(self.launcher)

  def go(self):
    """Runs to the end."""
    job = self.folder / "job.toml"
    job.write_text(self.setup.job(self.tools.data, self.tools.job_seed, self.plan.extra))
    self.begun = time.monotonic()
    self.start(str(job))
    self.guard.start()
    pending = list(self.plan.faults)
    try:
      while not self.over and not self.guard.exceeded:
        self.look()
        if not self.launcher.is_running():
          self.ended()
        elif pending and self.is_due(pending[0]):
          self.inflicted.append(Inflicted(pending[0], time.monotonic(), self.journals.step()))
          pending.pop(0).inflict(self)
        else:
          self.check_time()
          time.sleep(POLL)
    except Hang as hang:
      self.findings.append(str(hang))
      evidence.write_threads(self)
      self.end_hanging_run()
    finally:
      self.seconds = time.monotonic() - self.begun
      self.clean_up()

  def look(self):
    self.run_timers()
    self.journals.poll()
    if time.monotonic() - self.weighed > WEIGH_EVERY:
      self.weighed = time.monotonic()
      for task, pid in tasks.by_task(self.mark).items():
        self.memory[task].append(tasks.resident(pid))

  def run_timers(self):
    due = [timer for timer in self.timers if timer[0] <= time.monotonic()]
    for timer in due:
      self.timers.remove(timer)
      timer[1]()

  def is_recovered(self):
    """All that was done has ended, and somebody has trained since."""
    if self.timers or not self.journals.has_progress():
      return False
    # The line that comes first may have been under way.
    return not self.inflicted or self.journals.progress[-1][0] > self.inflicted[-1].moment + 0.3

  def is_due(self, fault):
    if not self.journals.has_progress() or self.journals.step() < fault.at * self.setup.steps:
      return False
    return (fault.eager or self.is_recovered()) and fault.is_possible(self)

  def ended(self):
    """The run has ended by itself: well, or as it may after what was done to it."""
    self.journals.poll()
    self.over = True
    if self.launcher.code and self.is_excused() and not self.nothing_to_resume and len(self.launchers) < 6:
      self.over = False
      self.timers.clear()
      for _, repair in self.excuses:
        if repair:
          repair()
      self.excuses.clear()
      self.resume()

  def is_excused(self):
    said = self.launcher.stderr
    return any(re.search(pattern, said) for pattern, _ in self.excuses)

  # How long it may take.

  def slowness(self):
    return self.tools.load.since(self.begun)

  def limit(self):
    """Seconds: what a run without faults takes, again for each fault that may lose what was done, and what faults cost."""
    again = 2 + sum(isinstance(fault, (Kill, Interrupt)) for fault in self.plan.faults)
    usual = self.baseline.seconds / self.baseline.slow if self.baseline else 120.0
    return (usual * again + sum(fault.allowance for fault in self.plan.faults) + 60) * self.slowness()

  def check_time(self):
    now = time.monotonic()
    allowed = SILENCE + max((one.fault.allowance for one in self.inflicted[-2:]), default=0)
    heard = max([self.journals.last_seen(), self.launcher.started, *(one.moment for one in self.inflicted)])
    if now - heard > allowed * self.slowness():
      raise Hang("did not end: silent for %.0f s%s" % (now - heard, evidence.where(self)))
    if now - self.begun > self.limit():
      raise Hang("did not end within %.0f s%s" % (now - self.begun, evidence.where(self)))

  def end_hanging_run(self):
    """The first SIGTERM must end it even now."""
    self.timers.clear()
    for pid in tasks.of_run(self.mark):
      tasks.send(pid, signal.SIGCONT)
    self.launcher.signal(signal.SIGTERM)
    if not self.launcher.wait(ENDING * self.slowness()):
      self.findings.append("SIGTERM did not end it within %.0f s" % (ENDING * self.slowness()))

  def no_process_is_left(self, when):
    outlived = tasks.left_over(self.mark, 5 * self.slowness())
    if outlived:
      self.findings.append("processes are left %s: %s" % (when, ", ".join(outlived)))

  def clean_up(self):
    self.guard.close()
    if self.guard.exceeded:
      self.findings.append("did not end, but was ended: " + self.guard.exceeded)
    if self.strangers:
      self.strangers.kill()
      self.strangers.wait()
    if self.launcher.is_running():
      self.launcher.kill()
    self.no_process_is_left("at the end")

  def console(self):
    return "".join(launcher.stderr for launcher in self.launchers)

  def logs(self):
    files = sorted((self.run / "logs").glob("*"))
    return "\n".join(file.read_text(errors="replace") for file in files if file.is_file())

  def close(self):
    """Gives the disk back."""
    if self.disk:
      self.disk.close()
