"""What the tasks of a run write about themselves (`RUN/tasks/*.jsonl`), read while it grows."""
import collections
import json
import time


class Journals:
  """Events by task, each with the moment at which it was seen: the tasks' own clocks may jump."""

  def __init__(self, run):
    self.run, self.read, self.events = run, {}, collections.defaultdict(list)
    # Of each line of progress: when it was seen, and the step.
    self.progress = []
    # Where the events of the present invocation begin.
    self.begun = {}
    self.began_at = time.monotonic()

  def poll(self):
    now = time.monotonic()
    for path in sorted((self.run / "tasks").glob("*.jsonl")):
      try:
        with open(path, "rb") as file:
          file.seek(self.read.get(path, 0))
          new = file.read()
      except OSError:
        continue
      whole = new[:new.rfind(b"\n") + 1]
      self.read[path] = self.read.get(path, 0) + len(whole)
      for line in whole.splitlines():
        try:
          event = json.loads(line)
        except ValueError:
          continue  # A kill has cut it short.
        self.events[path.stem].append((now, event))
        if event["kind"] == "progress":
          self.progress.append((now, event["step"]))

  def begin_invocation(self):
    """What comes now is of another start of the whole run."""
    self.poll()
    self.begun = {task: len(events) for task, events in self.events.items()}
    self.began_at = time.monotonic()

  def tasks(self, job=""):
    return sorted(task for task in self.events if task.startswith(job))

  def of(self, task, kind, whole=False):
    """Events of one kind, of the present invocation or of all."""
    first = 0 if whole else self.begun.get(task, 0)
    return [event for _, event in self.events[task][first:] if event["kind"] == kind]

  def every(self, kind, whole=False):
    return [event for task in self.tasks() for event in self.of(task, kind, whole)]

  def books(self, task):
    """What a parameter server has counted last; None if it has not told."""
    served = [event["books"] for event in self.of(task, "served") if event.get("books")]
    return served[-1] if served else None

  def first_books(self, task):
    """What it had counted when it told for the first time since its last start."""
    events = [event for _, event in self.events[task]]
    last = max((n for n, event in enumerate(events) if event["kind"] == "started"), default=0)
    return next((event["books"] for event in events[last:] if event["kind"] == "served" and event.get("books")), {})

  def chief_step(self):
    """The last step the chief has told of."""
    told = self.of("worker-0", "progress") + self.of("local", "progress")
    return told[-1]["step"] if told else 0

  def step(self):
    """The farthest step anybody has told of."""
    return max((step for _, step in self.progress), default=0)

  def has_progress(self):
    """Whether anybody has trained since the run was (last) started."""
    return bool(self.progress) and self.progress[-1][0] > self.began_at

  def last_seen(self):
    return max((events[-1][0] for events in self.events.values() if events), default=self.began_at)

  def addresses(self):
    """Where tasks serve."""
    found = {event["address"] for event in self.every("started") if event.get("address")}
    return sorted(found)

  def pauses(self, moments):
    """For each fault, by its moment, the longest time without progress that it lies in or is the last one before."""
    times = [moment for moment, _ in self.progress]
    found = [0.0] * len(moments)
    for early, late in zip(times, times[1:]):
      before = [n for n, moment in enumerate(moments) if moment < late]
      for n in [n for n in before if moments[n] >= early] or before[-1:]:
        found[n] = max(found[n], late - early)
    return found
