//! What belongs to this run of the coordinator only: when each member was heard, when each lease runs out, and how
//! quickly members work.
//!
//! None of it is stored. A restarted coordinator begins with everybody heard just now and the grace time on top,
//! and measures speeds anew; nothing of what was promised depends on them.

mod speed;

use std::collections::BTreeMap;
use std::time::Duration;

pub(crate) use speed::Speed;

use crate::config::Config;
use crate::message::Measurements;
use crate::state::State;

/// Deadlines and speeds of the members and leases in a [`State`].
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// The latest time anybody told us.
    pub now: Duration,
    pub pulses: BTreeMap<u64, Pulse>,
    /// By unit and attempt.
    pub leases: BTreeMap<(u64, u32), LeaseClock>,
    /// Nothing runs out before.
    due: Duration,
    fleet: Fleet,
}

/// The speeds of all together, as they were a moment ago.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fleet {
    at: Option<Duration>,
    /// How many are measured, and what they make together.
    pub count: u32,
    pub total: f64,
    /// The one in the middle.
    pub median: Option<f64>,
}

/// With very many members adding up their speeds would be most of the work of a lease.
const FLEET_AGE: Duration = Duration::from_millis(500);

/// A member's sign of life.
#[derive(Debug)]
pub(crate) struct Pulse {
    pub heard: Duration,
    pub deadline: Duration,
    pub speed: Speed,
    pub measurements: Option<Measurements>,
}

/// A lease's time.
#[derive(Debug)]
pub(crate) struct LeaseClock {
    pub dataset: u64,
    pub member: u64,
    pub deadline: Duration,
    /// How far its holder said it has come.
    pub reached: u64,
}

impl Clock {
    /// Everybody was heard just now, and has the grace time on top.
    pub fn restart(state: &State, config: &Config, now: Duration) -> Clock {
        let mut clock = Clock { now, ..Clock::default() };
        clock.forgive(state, config, now);
        clock
    }

    /// We were away: nobody could be heard. All deadlines begin anew.
    pub fn forgive(&mut self, state: &State, config: &Config, now: Duration) {
        self.now = now;
        for member in state.live() {
            let pulse = self.pulses.entry(member.id).or_insert_with(|| Pulse::new(now));
            pulse.heard = now;
            pulse.deadline = now + config.grace.max(config.silence);
            pulse.speed.pause(now);
        }
        for (dataset, unit, holder) in state.leases() {
            let lease = self.leases.entry((unit.id, holder.attempt)).or_insert(LeaseClock {
                dataset,
                member: holder.member,
                deadline: now,
                reached: unit.position,
            });
            lease.deadline = now + config.grace.max(config.lease);
        }
        self.set_due(config);
    }

    pub fn joined(&mut self, member: u64, config: &Config) {
        let mut pulse = Pulse::new(self.now);
        pulse.deadline = self.now + config.silence;
        self.due = self.due.min(pulse.deadline);
        self.pulses.insert(member, pulse);
    }

    pub fn heard(&mut self, member: u64, config: &Config) {
        if let Some(pulse) = self.pulses.get_mut(&member) {
            pulse.heard = self.now;
            // The grace time after a restart is not taken back.
            pulse.deadline = pulse.deadline.max(self.now + config.silence);
        }
    }

    pub fn gone(&mut self, member: u64) {
        self.pulses.remove(&member);
        self.leases.retain(|_, lease| lease.member != member);
    }

    /// A member has a lease now.
    pub fn leased(&mut self, unit: u64, attempt: u32, lease: LeaseClock) {
        let first = !self.leases.values().any(|other| other.member == lease.member);
        if let Some(pulse) = self.pulses.get_mut(&lease.member).filter(|_| first) {
            // The time without work says nothing about its speed.
            pulse.speed.pause(self.now);
        }
        self.due = self.due.min(lease.deadline);
        self.leases.insert((unit, attempt), lease);
    }

    /// A lease has come so far; true if that is further than before.
    pub fn reached(&mut self, unit: u64, attempt: u32, position: u64, config: &Config) -> bool {
        let Some(lease) = self.leases.get_mut(&(unit, attempt)) else { return false };
        if position <= lease.reached {
            return false;
        }
        let examples = position - lease.reached;
        lease.reached = position;
        if let Some(pulse) = self.pulses.get_mut(&lease.member) {
            pulse.speed.did(examples, self.now, config.smoothing);
        }
        true
    }

    /// Examples per second of a member, measured by its leases or else by itself.
    pub fn speed(&self, member: u64) -> Option<f64> {
        let pulse = self.pulses.get(&member)?;
        let own = pulse.measurements.map(|measured| measured.examples_per_second);
        pulse.speed.rate().or(own).filter(|speed| *speed > 0.0)
    }

    /// Looks at everybody's speed again, if that is some time ago.
    pub fn look_at_fleet(&mut self) {
        if self.fleet.at.is_some_and(|at| self.now.saturating_sub(at) < FLEET_AGE) {
            return;
        }
        let mut speeds: Vec<f64> =
            self.pulses.keys().filter_map(|member| self.speed(*member)).collect();
        speeds.sort_by(f64::total_cmp);
        self.fleet = Fleet {
            at: Some(self.now),
            count: speeds.len() as u32,
            total: speeds.iter().sum(),
            median: speeds.get(speeds.len() / 2).copied(),
        };
    }

    /// What [`look_at_fleet`](Clock::look_at_fleet) saw.
    pub fn fleet(&self) -> Fleet {
        self.fleet
    }

    /// A unit is nobody's any more.
    pub fn completed(&mut self, unit: u64) {
        let attempts: Vec<_> =
            self.leases.range((unit, 0)..=(unit, u32::MAX)).map(|(key, _)| *key).collect();
        for key in attempts {
            self.leases.remove(&key);
        }
    }

    /// Something may have run out.
    pub fn is_due(&self) -> bool {
        self.now >= self.due
    }

    pub fn due(&self) -> Duration {
        self.due
    }

    pub fn set_due(&mut self, config: &Config) {
        let pulses = self.pulses.values().map(|pulse| pulse.deadline);
        let leases = self.leases.values().map(|lease| lease.deadline);
        self.due = pulses.chain(leases).min().unwrap_or(self.now + config.silence);
    }
}

impl Pulse {
    fn new(now: Duration) -> Pulse {
        Pulse { heard: now, deadline: now, speed: Speed::new(now), measurements: None }
    }
}
