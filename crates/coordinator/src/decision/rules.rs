//! One rule each: what it looks at, what it proposes, and its sentence.

use std::time::Duration;

use super::latch::Turn;
use super::{ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView};

/// Someone much slower than the rest: others get its leases; with backups it is not missed at all.
pub fn slow_members(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    let Some(median) = median(view.members.iter().filter_map(|member| member.speed)) else {
        return;
    };
    let measured = view.members.iter().filter(|member| member.speed.is_some()).count();
    for member in &view.members {
        let Some(ratio) = member.speed.map(|speed| speed / median) else { continue };
        let latch = memory.slow.entry(member.member).or_default();
        let turn =
            latch.look(ratio < config.slow_below, ratio > config.slow_until, now, config.hold);
        let (name, seconds) = (&member.name, config.hold.as_secs_f64());
        let droppable = view.backups && measured > config.least_members;
        if turn == Turn::Lowered {
            decisions.push(new(
                DecisionKind::Grow { member: member.member },
                format!("{name} makes {ratio:.2} of the median speed again for {seconds:.0} s: its leases grow"),
            ));
        }
        if turn == Turn::Raised {
            let then = match droppable {
                true => "backups take its last units, so it can be dropped",
                false => "it is kept, because nobody stands in for its last units",
            };
            decisions.push(new(
                DecisionKind::Shrink { member: member.member },
                format!(
                    "{name} makes {ratio:.2} of the median speed for {seconds:.0} s: its leases shrink; {then}"
                ),
            ));
        }
    }
    if !memory.is_calm(now, config) {
        return;
    }
    // Its task first: that may be what slows it.
    for task in view.tasks.iter().filter(|task| task.movable) {
        let Some(from) = task.member else { continue };
        if !memory.slow.get(&from).is_some_and(|latch| latch.is_open()) {
            continue;
        }
        let fits = |member: &&MemberView| {
            member.member != from
                && member.room >= task.capacity
                && task.capabilities.iter().all(|needed| member.capabilities.contains(needed))
                && !memory.slow.get(&member.member).is_some_and(|latch| latch.is_raised())
        };
        if let Some(to) = view.members.iter().filter(fits).max_by_key(|member| member.room) {
            propose(
                memory,
                now,
                decisions,
                DecisionKind::Move { task: task.task, from, to: to.member },
                || {
                    format!(
                        "{} has become slow and {} has room for {}: move the task there",
                        name_of(view, from),
                        to.name,
                        task.name
                    )
                },
            );
            if let Some(latch) = memory.slow.get_mut(&from) {
                latch.handle();
            }
            return;
        }
    }
    if !view.backups || measured <= config.least_members {
        return;
    }
    let open = |member: &&MemberView| {
        member.speed.is_some()
            && memory.slow.get(&member.member).is_some_and(|latch| latch.is_open())
    };
    let slowest = view
        .members
        .iter()
        .filter(open)
        .min_by(|a, b| a.speed.partial_cmp(&b.speed).unwrap_or(std::cmp::Ordering::Equal));
    if let Some(member) = slowest {
        let ratio = member.speed.unwrap_or(0.0) / median;
        propose(memory, now, decisions, DecisionKind::Drop { member: member.member }, || {
            format!(
                "{} makes only {ratio:.2} of the median speed and backups stand in for it: drop it",
                member.name
            )
        });
        if let Some(latch) = memory.slow.get_mut(&member.member) {
            latch.handle();
        }
    }
}

/// Someone who computes on parameters much older than the others': its updates harm more than they help.
pub fn stale_members(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    let staleness = |member: &MemberView| member.measurements.map(|measured| measured.staleness);
    let Some(median) = median(view.members.iter().filter_map(staleness)) else { return };
    // A synchronous run has none at all.
    let usual = median.max(1.0);
    for member in &view.members {
        let Some(ratio) = staleness(member).map(|own| own / usual) else { continue };
        let latch = memory.stale.entry(member.member).or_default();
        latch.look(ratio > config.stale_above, ratio < config.stale_above / 2.0, now, config.hold);
        let open = latch.is_open() && view.members.len() > config.least_members;
        if open && memory.is_calm(now, config) {
            if let Some(latch) = memory.stale.get_mut(&member.member) {
                latch.handle();
            }
            propose(memory, now, decisions, DecisionKind::Drop { member: member.member }, || {
                format!(
                    "{} works on parameters {ratio:.1} times as stale as the others': drop it, or let it fetch more often",
                    member.name
                )
            });
        }
    }
}

/// Everybody waits: the servers or the network are the limit, and fewer members would be as quick.
pub fn too_many(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    let Some(waiting) = mean_waiting(view) else { return };
    memory.waiting.look(
        waiting > config.waiting_above,
        waiting < config.waiting_until,
        now,
        config.hold,
    );
    let workers = || view.members.iter().filter(|member| member.speed.is_some());
    if !memory.waiting.is_open()
        || !memory.is_calm(now, config)
        || workers().count() <= config.least_members
    {
        return;
    }
    let slowest =
        workers().min_by(|a, b| a.speed.partial_cmp(&b.speed).unwrap_or(std::cmp::Ordering::Equal));
    if let Some(member) = slowest {
        memory.waiting.handle();
        propose(memory, now, decisions, DecisionKind::Drop { member: member.member }, || {
            format!(
                "members wait {waiting:.2} of their time: fewer would be as quick; drop the slowest, {}, or add a server",
                member.name
            )
        });
    }
}

/// Nobody waits and there is work: another member would add its whole speed.
pub fn too_few(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    let Some(waiting) = mean_waiting(view) else { return };
    let wanted = waiting < config.busy_below && view.work_left;
    memory.busy.look(wanted, waiting > config.busy_until || !view.work_left, now, config.hold);
    if !memory.busy.is_open()
        || !memory.is_calm(now, config)
        || view.members.len() >= config.most_members
    {
        return;
    }
    memory.busy.handle();
    propose(memory, now, decisions, DecisionKind::Add, || {
        format!(
            "members wait only {waiting:.2} of their time and there is data left: another one would add about {:.2} of its speed",
            1.0 - waiting
        )
    });
}

/// A task nobody has room for.
pub fn stuck_tasks(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    for task in &view.tasks {
        let waits = task.member.is_none();
        let latch = memory.stuck.entry(task.task).or_default();
        latch.look(waits, !waits, now, config.hold);
        let open = latch.is_open() && view.members.len() < config.most_members;
        if open && memory.is_calm(now, config) {
            if let Some(latch) = memory.stuck.get_mut(&task.task) {
                latch.handle();
            }
            propose(memory, now, decisions, DecisionKind::Add, || {
                format!(
                    "{} waits for {:.0} s and fits nowhere: add a member with {} of capacity and {:?}",
                    task.name,
                    config.hold.as_secs_f64(),
                    task.capacity,
                    task.capabilities
                )
            });
        }
    }
}

fn new(kind: DecisionKind, why: String) -> Decision {
    Decision { kind, why, taken: false }
}

fn propose(
    memory: &mut DecisionMemory,
    now: Duration,
    decisions: &mut Vec<Decision>,
    kind: DecisionKind,
    why: impl FnOnce() -> String,
) {
    memory.proposed = Some(now);
    decisions.push(new(kind, why()));
}

fn name_of(view: &ClusterView, member: u64) -> &str {
    view.members.iter().find(|m| m.member == member).map_or("a member", |m| &m.name)
}

/// Of those who said anything of themselves.
fn mean_waiting(view: &ClusterView) -> Option<f64> {
    let said = view.members.iter().filter_map(|member| member.measurements);
    let (count, sum) =
        said.fold((0u32, 0.0), |(count, sum), one| (count + 1, sum + one.waiting_share));
    (count > 0).then(|| sum / f64::from(count))
}

/// The value in the middle, if it is one to compare with.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
