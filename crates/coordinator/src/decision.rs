//! Dynamic parallelism: from what was measured, whether to add, drop or move, and why in one sentence.
//!
//! [`decide`] is a function of what it is given. A condition must hold for a while before it counts, and must be
//! clearly over, for as long, before it counts as over ([`Latch`]); each is acted on once, and the cluster is left
//! alone for some time after every proposal, so that its effect is measured before the next. Nothing flaps.

mod latch;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use latch::Latch;

use crate::message::Measurements;

/// When to propose something.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionConfig {
    /// How often it is thought about.
    pub every: Duration,
    /// A condition must hold so long, and be over so long.
    pub hold: Duration,
    /// After a proposal to add, drop or move no other follows for so long.
    pub cooldown: Duration,
    /// A member below this part of the median speed is slow...
    pub slow_below: f64,
    /// ...until it is above this one.
    pub slow_until: f64,
    /// When members wait more than this share of their time on average, there are too many...
    pub waiting_above: f64,
    /// ...until they wait less than this.
    pub waiting_until: f64,
    /// When they wait less than this, another one helps...
    pub busy_below: f64,
    /// ...until they wait more than this.
    pub busy_until: f64,
    /// A member whose reads are this many times as stale as the median's is too far behind.
    pub stale_above: f64,
    /// Never drop below so many members with a measured speed.
    pub least_members: usize,
    /// Never propose more than so many.
    pub most_members: usize,
    /// Members wait for each other in every step, but not for so many of the slowest: one that is slow holds up the
    /// rest. None if nobody waits for anybody.
    pub together: Option<usize>,
    /// A member that holds up the rest goes if without it, or with another in its place, all make so many times as much.
    pub gain_above: f64,
    /// Names of members that are never dropped.
    pub stays: BTreeSet<String>,
}

impl Default for DecisionConfig {
    fn default() -> DecisionConfig {
        DecisionConfig {
            every: Duration::from_secs(5),
            hold: Duration::from_secs(60),
            cooldown: Duration::from_secs(120),
            slow_below: 0.5,
            slow_until: 0.7,
            waiting_above: 0.6,
            waiting_until: 0.4,
            busy_below: 0.1,
            busy_until: 0.25,
            stale_above: 4.0,
            least_members: 1,
            most_members: 1024,
            together: None,
            gain_above: 1.2,
            stays: BTreeSet::new(),
        }
    }
}

/// What decisions are made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterView {
    /// Those who take part.
    pub members: Vec<MemberView>,
    /// Tasks that wait or run.
    pub tasks: Vec<TaskView>,
    /// Tail units go to backups, so that a slow member may be missed.
    pub backups: bool,
    /// There is data nobody has yet.
    pub work_left: bool,
}

/// A member as decisions see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemberView {
    /// Its number.
    pub member: u64,
    /// Its name.
    pub name: String,
    /// Examples per second.
    pub speed: Option<f64>,
    /// What it says of itself.
    pub measurements: Option<Measurements>,
    /// Capacity no task takes.
    pub room: u64,
    /// What it can do.
    pub capabilities: Vec<String>,
}

impl MemberView {
    /// Examples per second of the time it does not wait; of one that does not say how much it waits, its speed.
    pub fn pace(&self) -> Option<f64> {
        let Some(said) = self.measurements else { return self.speed };
        let busy = (1.0 - said.waiting_share).max(SHORTEST_BUSY);
        (said.examples_per_second > 0.0).then(|| said.examples_per_second / busy)
    }
}

/// Who says that it only waits has worked a little all the same.
const SHORTEST_BUSY: f64 = 0.01;

/// A task as decisions see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskView {
    /// Its number.
    pub task: u64,
    /// Its name.
    pub name: String,
    /// Who has it; nobody if it waits.
    pub member: Option<u64>,
    /// Room it needs.
    pub capacity: u64,
    /// What a member must be able to do.
    pub capabilities: Vec<String>,
    /// It may be taken from its member.
    pub movable: bool,
}

/// A proposal, or the news that a condition began or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What to do.
    pub kind: DecisionKind,
    /// Why, in one sentence.
    pub why: String,
    /// [`take_decisions`](crate::Coordinator::take_decisions) has given it out.
    pub(crate) taken: bool,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub enum DecisionKind {
    /// Start another member.
    Add,
    /// Stop a member.
    Drop {
        /// Which.
        member: u64,
    },
    /// Start another member, and stop one.
    Replace {
        /// Which is stopped.
        member: u64,
    },
    /// Have a task run by another member.
    Move {
        /// Which.
        task: u64,
        /// Who has it.
        from: u64,
        /// Who should.
        to: u64,
    },
    /// Nothing: a member's leases have shrunk by themselves.
    Shrink {
        /// Whose.
        member: u64,
    },
    /// Nothing: a member is as quick as the others again.
    Grow {
        /// Which.
        member: u64,
    },
}

/// What was seen before; belongs to one cluster.
#[derive(Clone, Debug, Default)]
pub struct DecisionMemory {
    slow: BTreeMap<u64, Latch>,
    stale: BTreeMap<u64, Latch>,
    stuck: BTreeMap<u64, Latch>,
    waiting: Latch,
    busy: Latch,
    /// The latest proposal.
    proposed: Option<Duration>,
}

impl DecisionMemory {
    /// Nothing was proposed lately.
    fn is_calm(&self, now: Duration, config: &DecisionConfig) -> bool {
        self.proposed.is_none_or(|then| now.saturating_sub(then) >= config.cooldown)
    }

    fn forget_all_but(&mut self, view: &ClusterView) {
        let here = |member: &u64, _: &mut Latch| view.members.iter().any(|m| m.member == *member);
        self.slow.retain(here);
        self.stale.retain(here);
        self.stuck.retain(|task, _| view.tasks.iter().any(|t| t.task == *task));
    }
}

/// What to do now, most pressing first; at most one of it changes the cluster.
pub fn decide(
    view: &ClusterView,
    memory: &mut DecisionMemory,
    now: Duration,
    config: &DecisionConfig,
) -> Vec<Decision> {
    memory.forget_all_but(view);
    let mut decisions = Vec::new();
    match config.together {
        Some(_) => rules::slow_paces(view, memory, now, config),
        None => rules::slow_members(view, memory, now, config, &mut decisions),
    }
    rules::tasks_of_slow_members(view, memory, now, config, &mut decisions);
    match config.together {
        Some(backups) => rules::holding_up(view, memory, now, config, backups, &mut decisions),
        None => rules::drop_slow(view, memory, now, config, &mut decisions),
    }
    rules::stale_members(view, memory, now, config, &mut decisions);
    rules::too_many(view, memory, now, config, &mut decisions);
    rules::too_few(view, memory, now, config, &mut decisions);
    rules::stuck_tasks(view, memory, now, config, &mut decisions);
    decisions
}

#[cfg(test)]
mod tests;
