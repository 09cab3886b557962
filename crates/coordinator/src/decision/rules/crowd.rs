//! Too many members, or too few, by how much of their time they wait.

use std::time::Duration;

use super::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, propose, slowest,
};

/// Everybody waits: the servers or the network are the limit, and fewer members would be as quick.
pub fn too_many(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    // Where members wait for each other the one that they wait for does not: if it does too, it is the servers.
    let waiting = match config.together {
        Some(_) => shares(view).min_by(f64::total_cmp),
        None => mean(shares(view)),
    };
    let Some(waiting) = waiting else { return };
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
    if let Some(member) = slowest(workers(), config, |member| member.pace()) {
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
    let Some(waiting) = mean(shares(view)) else { return };
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

/// How much of their time members wait, of those who said so.
fn shares(view: &ClusterView) -> impl Iterator<Item = f64> + '_ {
    view.members.iter().filter_map(|member| member.measurements).map(|said| said.waiting_share)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0u32, 0.0), |(count, sum), one| (count + 1, sum + one));
    (count > 0).then(|| sum / f64::from(count))
}
