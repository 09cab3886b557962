//! Tasks: of a member that has become slow, and such as fit nowhere.

use std::time::Duration;

use super::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView, name_of,
    propose,
};

/// A slow member's task goes first: that may be what slows it.
pub fn tasks_of_slow_members(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    decisions: &mut Vec<Decision>,
) {
    if !memory.is_calm(now, config) {
        return;
    }
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
