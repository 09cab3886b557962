"""What there is to see of a run that hangs."""
import json
import os

import tasks


def where(trial):
  """How far it has come, and what its servers have counted."""
  books = {}
  for task in trial.journals.tasks("ps-"):
    known = trial.journals.books(task) or {}
    books[task] = {key: known[key] for key in ("updates", "steps", "dropped", "known", "lost", "refused") if known.get(key)}
  return ", at step %d of %d; books %s" % (trial.journals.step(), trial.setup.steps, json.dumps(books))


def write_threads(trial):
  """What every thread of all processes does."""
  lines = []
  for pid, environment in tasks.of_run(trial.mark).items():
    lines.append("%d %s" % (pid, tasks.task_of(environment) or "launcher"))
    folder = "/proc/%d/task" % pid
    for thread in sorted(os.listdir(folder)) if os.path.exists(folder) else []:
      name, state, waits = (tasks.read("%d/task/%s" % (pid, thread), file).decode(errors="replace") for file in ("comm", "stat", "wchan"))
      lines.append("  %-16s %s %s" % (name.strip(), state.rpartition(")")[2].split()[0] if state else "", waits.strip()))
  (trial.folder / "threads.txt").write_text("\n".join(lines) + "\n")
