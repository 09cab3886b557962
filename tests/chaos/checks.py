"""What must hold when a run has ended."""
import json
import re
import subprocess

import books

CRASH = re.compile(r".*(panicked at|SIGABRT|SIGSEGV|SIGILL|SIGBUS|memory allocation of|has overflowed its stack|fatal runtime error).*")
# MB that a task may have beyond twice what it has without faults.
GROWTH = 256


def check(trial):
  """Findings of a run that has ended."""
  findings = list(trial.findings)
  findings += crashes(trial)
  if trial.baseline:
    findings += memory(trial)
  hung = any("did not end" in finding for finding in findings)
  if not hung:
    findings += end(trial)
  return findings


def end(trial):
  launcher = trial.launcher
  if launcher.code != 0:
    if trial.nothing_to_resume and trial.is_excused():
      return []
    return ["exit code %s; last line: %s" % (launcher.code, launcher.last_line())]
  if trial.nothing_to_resume and "damaged" not in trial.console():
    return ["all checkpoints are damaged: the run has begun anew, ended with code 0 and said nothing on the console"]
  try:
    result = json.loads(launcher.stdout)
  except ValueError:
    return ["exit code 0 without a result: %r" % launcher.stdout[-200:]]
  return saved(trial, result) + accuracy(trial, result) + books.check(trial)


def saved(trial, result):
  """The last step was reached, saved and measured."""
  findings, steps = [], trial.setup.steps
  # Not the one with the largest number: a damaged one may lie beside that a run went on from.
  path = result["checkpoint"]
  newest = int(path.rsplit("-", 1)[1]) if path else -1
  if result["step"] < steps:
    findings.append("exit code 0 at step %d of %d" % (result["step"], steps))
  if newest < steps:
    findings.append("exit code 0 with ckpt-%d as the newest checkpoint, of %d steps" % (newest, steps))
  else:
    verified = subprocess.run([str(trial.tools.binary), "inspect", "--verify", path], capture_output=True, text=True)
    if verified.returncode:
      findings.append("the last checkpoint is damaged: " + verified.stderr.strip()[-300:])
  measured = max((event["step"] for event in trial.journals.every("evaluated")), default=-1)
  if measured < steps:
    findings.append("exit code 0, and the last evaluation was at step %d of %d" % (measured, steps))
  return findings


def accuracy(trial, result):
  trial.accuracy = result.get("metrics", {}).get("accuracy")
  if trial.accuracy is None:
    return ["exit code 0 without an accuracy"]
  if trial.baseline and trial.accuracy < trial.baseline.accuracy - trial.setup.margin:
    return ["accuracy %.3f; %.3f without faults" % (trial.accuracy, trial.baseline.accuracy)]
  return []


def crashes(trial):
  found = [match[0].strip() for match in CRASH.finditer(trial.console() + trial.logs())]
  return ["crash: " + line[:300] for line in dict.fromkeys(found)][:3]


def memory(trial):
  """No task has grown far beyond what it needs without faults."""
  usual = {}
  for task, levels in trial.baseline.memory.items():
    job = task.split("/")[0]
    usual[job] = max(usual.get(job, 0), max(levels))
  findings = []
  for task, levels in trial.memory.items():
    limit = 2 * usual.get(task.split("/")[0], 200) + GROWTH
    if max(levels) > limit:
      findings.append("%s has grown to %d MB; it has %d MB without faults" % (task, max(levels), usual.get(task.split("/")[0], 0)))
  return findings
