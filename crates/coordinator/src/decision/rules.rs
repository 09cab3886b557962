//! One rule each: what it looks at, what it proposes, and its sentence.

mod crowd;
mod holding;
mod slow;
mod stale;
mod tasks;

use std::time::Duration;

pub use crowd::{too_few, too_many};
pub use holding::{holding_up, slow_paces};
pub use slow::{drop_slow, slow_members};
pub use stale::stale_members;
pub use tasks::{stuck_tasks, tasks_of_slow_members};

use super::{ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView};

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

/// The slowest of those who may go.
fn slowest<'a>(
    members: impl Iterator<Item = &'a MemberView>,
    config: &DecisionConfig,
    quickness: impl Fn(&MemberView) -> Option<f64>,
) -> Option<&'a MemberView> {
    let known = members.filter_map(|member| quickness(member).map(|quick| (quick, member)));
    let free = known.filter(|(_, member)| !config.stays.contains(&member.name));
    free.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, member)| member)
}

/// The value in the middle, if it is one to compare with.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
