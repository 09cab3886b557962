//! A member that works on parameters much older than the others'.

use std::time::Duration;

use super::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView, median,
    propose,
};

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
        let may_go = !config.stays.contains(&member.name);
        let open = latch.is_open() && may_go && view.members.len() > config.least_members;
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
