//! A member that all the others wait for.

use std::time::Duration;

use super::{
    ClusterView, Decision, DecisionConfig, DecisionKind, DecisionMemory, MemberView, median,
    propose, slowest,
};

/// Who is much slower than the rest in the time it does not wait.
pub fn slow_paces(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
) {
    let Some(median) = median(view.members.iter().filter_map(MemberView::pace)) else { return };
    for member in &view.members {
        let Some(ratio) = member.pace().map(|pace| pace / median) else { continue };
        let latch = memory.slow.entry(member.member).or_default();
        latch.look(ratio < config.slow_below, ratio > config.slow_until, now, config.hold);
    }
}

/// Where members wait for each other all make as many examples as the slowest; who that is shows in how many it makes
/// of the time it does not wait. Without it fewer members may be quicker, and with another in its place as many are.
pub fn holding_up(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
    backups: usize,
    decisions: &mut Vec<Decision>,
) {
    let Some(median) = median(view.members.iter().filter_map(MemberView::pace)) else { return };
    if !memory.is_calm(now, config) {
        return;
    }
    let open =
        |member: &&MemberView| memory.slow.get(&member.member).is_some_and(|latch| latch.is_open());
    let found = slowest(view.members.iter().filter(open), config, MemberView::pace);
    let Some((member, pace)) = found.and_then(|member| Some((member, member.pace()?))) else {
        return;
    };
    let paces = |left_out: Option<u64>| {
        let here = view.members.iter().filter(move |member| Some(member.member) != left_out);
        here.filter_map(MemberView::pace).collect::<Vec<f64>>()
    };
    let (all, others) = (paces(None), paces(Some(member.member)));
    let now_made = together(all.clone(), backups);
    let gain = together(others.clone(), backups) / now_made;
    let replaced = together(others.into_iter().chain([median]).collect(), backups) / now_made;
    let (name, ratio, id) = (&member.name, pace / median, member.member);
    let slow = format!("{name} makes {ratio:.2} of the median pace and all wait for it");
    let count = view.members.len();
    let proposal = if count > config.least_members && gain > config.gain_above {
        let why =
            format!("{slow}: without it the others would make {gain:.1} times as much; drop it");
        (DecisionKind::Drop { member: id }, why)
    } else if count < config.most_members && replaced > config.gain_above {
        let why = format!(
            "{slow}: with another in its place all would make {replaced:.1} times as much; replace it"
        );
        (DecisionKind::Replace { member: id }, why)
    } else {
        return;
    };
    if let Some(latch) = memory.slow.get_mut(&id) {
        latch.handle();
    }
    propose(memory, now, decisions, proposal.0, || proposal.1);
}

/// What members of these paces make when a step waits for all but the slowest `backups`.
fn together(mut paces: Vec<f64>, backups: usize) -> f64 {
    paces.sort_by(f64::total_cmp);
    let waited_for = paces.len().saturating_sub(backups) as f64;
    paces.get(backups).map_or(0.0, |pace| pace * waited_for)
}
