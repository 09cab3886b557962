"""Whether the books balance: what workers were told was applied is what servers have counted, or have reported as lost.

A server's `steps` and `lost` are those of the snapshot that all servers have gone back to; `updates`, `known` and `examples` begin anew with
each of its starts. A resumed run begins with the steps of its checkpoint, and workers count anew.
"""
import re

from setups import EXAMPLES

WENT_BACK = re.compile(
    r"gone back to (update|iteration) \d+; (?P<lost>\d+) (update|iteration)s? (is|are) lost, and training goes on from step (?P<step>\d+)")
# Pushes of a worker that some servers have and others do not yet.
IN_FLIGHT = 3
# Seconds within which servers may go back once for several kills.
TOGETHER = 5.0


def check(trial):
  """Findings in what servers and workers have counted since the run was (last) started."""
  servers = books_of_servers(trial.journals)
  if trial.setup.strategy == "sandblaster":
    return iterations_lost_told(trial)
  if not trial.setup.updates or not servers:
    return []
  findings = []
  for number, (task, books) in enumerate(servers.items()):
    used = updates_used(trial.journals, number)
    for text in (*losses_told(trial, task, books), *examples_count_once(trial, task, books), *balanced(trial, books, used)):
      findings.append("%s: %s" % (task, text))
  return findings + same_age(trial, servers)


def books_of_servers(journals):
  found = {task: journals.books(task) for task in journals.tasks("ps-")}
  return {task: books for task, books in found.items() if books}


def updates_used(journals, server):
  """Of each worker, how many of its updates a server has used; None if a worker has not told."""
  found = []
  for task in journals.tasks("worker-"):
    pushed = journals.of(task, "pushed")
    if journals.of(task, "started"):
      found.append(pushed[-1]["used"][server] if pushed else None)
  return None if None in found else found


def balanced(trial, books, used):
  """What workers were told of is in the variables, or was reported as lost."""
  setup = trial.setup
  if used is None or "push_every" in " ".join(setup.options) or from_a_checkpoint(trial):
    return
  begun = trial.journals.of("worker-0", "started")[0]["step"]
  steps, rest = books["steps"] - begun, books.get("known", 0) + books["lost"]
  told = "workers were told of %s updates; the server has made %d steps, and has %d known, %d lost" % (
      used, steps, books.get("known", 0), books["lost"])
  if setup.strategy == "downpour":
    if sum(used) != steps + rest:
      yield told
  elif setup.strategy == "bounded":
    # Its steps are those of all workers, of which the last may not be whole.
    if abs(sum(used) - setup.workers * steps - rest) > setup.workers:
      yield told
  elif max(used) > steps + rest:
    yield told


def losses_told(trial, task, books):
  """What a server had when it was killed, and all servers do not have after they have gone back, is told and counted."""
  restarted = any(len(trial.journals.of(server, "started")) > 1 for server in trial.journals.tasks("ps-"))
  if books["lost"] and not restarted:
    yield "reports %d updates as lost, and no server has died" % books["lost"]
  for kill in alone(trial.server_kills):
    if kill.task.replace("/", "-") != task or len(trial.journals.of(task, "started")) < 2:
      continue
    told = next((text for seen, text in warnings(trial) if seen > kill.moment and kill.task + " at " in text), None)
    if told is None:
      yield "was killed at step %d, and no server has told that all went back" % kill.steps
      continue
    found = WENT_BACK.search(told)
    if not found:
      continue
    lost, step = int(found["lost"]), int(found["step"])
    if kill.steps - step > lost * steps_of_a_push(trial.setup) + IN_FLIGHT * trial.setup.workers:
      yield "went back from step %d to %d, and told of %d lost updates" % (kill.steps, step, lost)


def iterations_lost_told(trial):
  """Sandblaster: iterations are made again only after the chief has told that all servers went back."""
  findings, step = [], None
  for _, event in trial.journals.events["worker-0"][trial.journals.begun.get("worker-0", 0):]:
    found = WENT_BACK.search(event["text"]) if event["kind"] == "warned" else None
    if found or event["kind"] == "started":
      step = None
    elif event["kind"] == "warned" and "no snapshot that all" in event["text"]:
      findings.append("mixed ages: " + event["text"])
    elif event["kind"] == "progress":
      if step is not None and event["step"] < step:
        findings.append("step %d came after step %d, and nobody has told why" % (event["step"], step))
      step = event["step"]
  return findings


def alone(kills):
  """Kills with no other one shortly before or after: servers may go back once for several."""
  near = lambda one, other: one is not other and abs(one.moment - other.moment) < TOGETHER
  return [kill for kill in kills if not kill.with_others and not any(near(kill, other) for other in kills)]


def warnings(trial):
  """What the first server has told of all, each with the moment at which it was seen."""
  begun = trial.journals.begun.get("ps-0", 0)
  return [(seen, event["text"]) for seen, event in trial.journals.events["ps-0"][begun:] if event["kind"] == "warned"]


def steps_of_a_push(setup):
  return next((int(option.split("=")[1]) for option in setup.options if option.startswith("push_every")), 1)


def from_a_checkpoint(trial):
  """Whether no snapshot was left that all servers had: how many updates are in a checkpoint they do not know."""
  return any("no snapshot that all" in text for _, text in warnings(trial))


def examples_count_once(trial, task, books):
  """With leases: since the server's last start, as many examples came into updates as there are new ones."""
  if not trial.setup.leases:
    return
  # Where all servers were emptied and given a checkpoint, what the server began with is gone, too.
  first = {} if from_a_checkpoint(trial) else trial.journals.first_books(task)
  applied = books.get("examples", 0) - first.get("examples", 0)
  different = sum(count for _, count in books.get("data_epochs", ())) - sum(count for _, count in first.get("data_epochs", ()))
  # The first line may have been written while updates were under way.
  if applied > different + 2 * trial.setup.workers * trial.setup.batch:
    yield "examples were applied twice: %d in updates, %d different ones" % (applied, different)
  epochs = dict(books.get("data_epochs", ()))
  if max(epochs.values(), default=0) > EXAMPLES:
    yield "an epoch has more than %d examples: %s" % (EXAMPLES, epochs)


def same_age(trial, servers):
  """All servers have the same updates, but for pushes that a dead or paused worker has made to some of them."""
  steps = {task: books["steps"] for task, books in servers.items()}
  allowed = IN_FLIGHT * trial.setup.workers * (1 + trial.worker_faults) + len(trial.server_kills)
  if "backups = 1" in trial.setup.options:
    # Each server takes the gradients that come to it first: one may drop a push that another has used.
    allowed += max(steps.values()) // 50
  if max(steps.values()) - min(steps.values()) > allowed:
    return ["mixed ages: steps by server %s" % steps]
  return []


def lost_updates(trial):
  """Updates that servers report as lost since the run was (last) started."""
  return sum(books["lost"] for books in books_of_servers(trial.journals).values())
