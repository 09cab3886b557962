//! A member much slower than the rest, where nobody waits for it.

use std::time::Duration;

use super::super::latch::Turn;
use super::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView, median, new,
    propose, slowest,
};

/// Someone much slower than the rest: others get its leases.
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
        let droppable =
            view.backups && measured > config.least_members && !config.stays.contains(&member.name);
        if turn == Turn::Lowered {
            decisions.push(new(
                DecisionKind::Grow { member: member.member },
                format!("{name} makes {ratio:.2} of the median speed again for {seconds:.0} s: its leases grow"),
            ));
        }
        if turn == Turn::Raised {
            let then = match droppable {
                true => "backups take its last units, so it can be dropped",
                false => "it is kept: what it does helps, and nobody waits for it",
            };
            decisions.push(new(
                DecisionKind::Shrink { member: member.member },
                format!(
                    "{name} makes {ratio:.2} of the median speed for {seconds:.0} s: its leases shrink; {then}"
                ),
            ));
        }
    }
}

/// With backups a slow member is not missed.
pub fn drop_slow(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    let speeds = || view.members.iter().filter_map(|member| member.speed);
    let (Some(median), measured) = (median(speeds()), speeds().count()) else { return };
    if !view.backups || measured <= config.least_members || !memory.is_calm(now, config) {
        return;
    }
    let open =
        |member: &&MemberView| memory.slow.get(&member.member).is_some_and(|latch| latch.is_open());
    let slowest = slowest(view.members.iter().filter(open), config, |member| member.speed);
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
