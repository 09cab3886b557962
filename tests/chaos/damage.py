"""Damage to the files a run goes on from, and what may come of it."""
import os
import re

HOW = ("flip", "truncate", "empty")


def harm(path, how):
  """Changes one bit in the middle, or cuts the file."""
  size = path.stat().st_size
  if how == "flip" and size:
    with open(path, "r+b") as file:
      file.seek(size // 2)
      byte = file.read(1)[0]
      file.seek(size // 2)
      file.write(bytes([byte ^ 0x10]))
  else:
    os.truncate(path, size // 2 if how == "truncate" else 0)


def saved_steps(run):
  """Steps of the checkpoints in the run's folder."""
  found = (re.fullmatch(r"ckpt-(\d+)\.index", path.name) for path in (run / "checkpoints").glob("ckpt-*.index"))
  return sorted(int(match[1]) for match in found if match)


def checkpoints(trial, which, how):
  steps = saved_steps(trial.run)
  for step in steps[-1:] if which == "newest" else steps:
    for path in (trial.run / "checkpoints").glob("ckpt-%d.data-*" % step):
      harm(path, how)
    trial.damaged.add(step)
  if steps and not set(steps) - trial.damaged:
    # There is nothing to go on from: the run must not begin anew as if nothing had happened.
    trial.nothing_to_resume = True
    trial.excuse(r"damaged")


def snapshot(trial, how, task):
  name = task.replace("/", "-")
  for pattern in (name + ".snapshot*", name + ".cut-*"):
    for path in (trial.run / "servers").glob(pattern):
      harm(path, how)
  trial.excuse(r"snapshot")


def coordinator_log(trial, how, _task=""):
  files = sorted(path for path in (trial.run / "coordinator").glob("*") if path.is_file() and path.stat().st_size)
  for path in files:
    harm(path, how)
  def remove():
    for path in files:
      path.unlink(missing_ok=True)
  trial.excuse(r"coordinator", remove)
