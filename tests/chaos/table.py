"""The table of what chaos did."""
import collections
import statistics


class Table:
  def __init__(self):
    self.finished = self.with_findings = self.resumed = 0
    self.faults, self.pauses, self.setups = collections.Counter(), collections.defaultdict(list), collections.Counter()
    self.lost = []
    self.server_kills = 0
    self.findings = []

  def add(self, trial, findings, lost):
    self.finished += 1
    self.with_findings += bool(findings)
    self.resumed += len(trial.launchers) - 1
    self.setups[trial.setup.name] += 1
    pauses = trial.journals.pauses([one.moment for one in trial.inflicted])
    for one, pause in zip(trial.inflicted, pauses):
      self.faults[one.fault.kind] += 1
      self.server_kills += one.fault.kind.count("server") if one.fault.kind.startswith("kill") else 0
      self.pauses[one.fault.kind].append(pause)
    if lost:
      self.lost.append(lost)
    self.findings += [(trial.plan, finding) for finding in findings]

  def __str__(self):
    lines = ["", "%-36s %6s %14s %14s" % ("fault", "count", "median pause", "worst pause")]
    for kind, count in sorted(self.faults.items()):
      pauses = self.pauses[kind]
      lines.append("%-36s %6d %12.1f s %12.1f s" % (kind, count, statistics.median(pauses), max(pauses)))
    lines.append("%-36s %6d" % ("all", sum(self.faults.values())))
    lines.append("")
    lines.append("runs finished    %d, of %d setups; resumed %d times" % (self.finished, len(self.setups), self.resumed))
    lines.append("servers killed   %d" % self.server_kills)
    lines.append("updates lost     %d in %d runs; at most %d in one" % (sum(self.lost), len(self.lost), max(self.lost, default=0)))
    lines.append("findings         %d in %d runs" % (len(self.findings), self.with_findings))
    for plan, finding in self.findings:
      lines.append("  seed %d run %d, %s: %s" % (plan.seed, plan.number, plan.setup.name, finding))
    return "\n".join(lines)
