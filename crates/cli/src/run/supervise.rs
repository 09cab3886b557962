//! When to restart, and when the run is over.

use std::path::Path;
use std::time::{Duration, Instant};

use downpour::record::Decided;
use downpour_tensor::{Result, Status};
use rustix::process::Signal;

use super::elastic::Decisions;
use super::fleet::{Event, Fleet};
use super::guard::Guard;
use super::plan::{Plan, Role};
use super::process::End;
use super::report::{Failure, What};
use super::stop::{Signals, stop};

/// The exit code of a process that should not be started again (EX_IOERR of sysexits.h): its disk is full or its files
/// are damaged, which does not become better by trying again.
pub const NOT_AGAIN: u8 = 74;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy)]
pub struct Limits {
    pub max_restarts: u32,
    /// How long a process may take to end when it is asked to.
    pub grace: Duration,
    /// Fewer workers are not made.
    pub least_workers: usize,
    /// Where clients train one model: once one has reached its end, the others must not be stopped (SIGSTOP) for longer
    /// than this, and once the first has, they must end within it.
    pub longest_stop: Option<Duration>,
}

/// Why the run is over.
enum Outcome {
    Done,
    Failed(Failure),
    Interrupted(Signal),
}

/// How a run ended: the exit code, and if it failed, why.
pub struct Ended {
    pub exit_code: u8,
    pub report: Option<String>,
}

/// Runs until it is over; what processes write goes to files in `logs`, or else to the terminal.
pub async fn run(
    plan: Plan,
    limits: Limits,
    logs: Option<&Path>,
    decisions: Option<Decisions>,
) -> Result<Ended> {
    let mut signals = Signals::new()?;
    let mut supervisor = Supervisor {
        fleet: Fleet::new(plan.units, Guard::start()?, logs)?,
        limits,
        start: Instant::now(),
        survived: Vec::new(),
        ending: false,
        complete: None,
        replaced: None,
    };
    if let Some(decisions) = decisions {
        supervisor.fleet.follow(decisions);
    }
    let outcome = supervisor.until_over(&mut signals).await?;
    let Supervisor { mut fleet, survived, .. } = supervisor;
    let with = match &outcome {
        Outcome::Done => Signal::TERM,
        Outcome::Failed(failure) => {
            fleet.say(&format!("{}; stopping the others", failure.headline()));
            Signal::TERM
        }
        Outcome::Interrupted(signal) => {
            fleet.say("stopping; once more to end everything at once");
            *signal
        }
    };
    stop(&mut fleet, &mut signals, with, limits.grace).await;
    Ok(match outcome {
        Outcome::Done => Ended { exit_code: 0, report: None },
        Outcome::Failed(failure) => {
            let report = Some(failure.report(&survived));
            Ended { exit_code: failure.exit_code(), report }
        }
        Outcome::Interrupted(signal) => {
            Ended { exit_code: End::Signal(signal.as_raw()).exit_code(), report: None }
        }
    })
}

struct Supervisor {
    fleet: Fleet,
    limits: Limits,
    start: Instant,
    /// Failures that were answered with a restart.
    survived: Vec<Failure>,
    /// A client has reached its end: no more are needed.
    ending: bool,
    /// Since when training is complete: the first client, which saves and measures, has reached its end.
    complete: Option<Instant>,
    /// The first client, killed because it was stopped: it is started again to save what the servers have.
    replaced: Option<usize>,
}

impl Supervisor {
    async fn until_over(&mut self, signals: &mut Signals) -> Result<Outcome> {
        self.fleet.start_all(&[Role::Server, Role::Background]);
        self.fleet.announce_servers();
        loop {
            let event = tokio::select! {
                event = self.fleet.next() => event,
                signal = signals.next() => return Ok(Outcome::Interrupted(signal)),
            };
            let event = event.ok_or_else(|| Status::internal("the run lost sight of a process"))?;
            match event {
                Event::ServersReady => self.fleet.start_all(&[Role::Client]),
                // It was asked to end meanwhile.
                Event::RestartDue(index)
                    if self.fleet.members[index].asked || self.is_superfluous(index) =>
                {
                    self.fleet.members[index].done = true;
                    if self.all_clients_done() {
                        return Ok(Outcome::Done);
                    }
                }
                Event::RestartDue(index) => self.fleet.start(index),
                Event::Decided(decisions, found) => {
                    found.iter().for_each(|decided| self.carry_out(decided));
                    self.fleet.follow(decisions);
                }
                Event::EndDue(index, start) => self.fleet.kill(index, start),
                Event::Glance => {
                    self.end_stopped();
                    self.end_late();
                    self.fleet.glance_later();
                }
                Event::Lost(index, e) => {
                    return Ok(Outcome::Failed(self.failure(index, What::Lost(e))));
                }
                Event::Ended(index, end) => {
                    let role = self.fleet.members[index].unit.role;
                    let asked = self.fleet.members[index].asked;
                    // A server has no reason to end before it is asked to. How one ends that was asked to says nothing.
                    if asked || end == End::Code(0) && role != Role::Server {
                        let member = &mut self.fleet.members[index];
                        member.done = true;
                        let reached = role == Role::Client && !member.asked;
                        if reached && !self.ending && self.limits.longest_stop.is_some() {
                            self.fleet.glance_later();
                        }
                        self.ending |= reached;
                        if reached && self.is_training() && self.first_client() == Some(index) {
                            self.complete.get_or_insert_with(Instant::now);
                        }
                        if self.all_clients_done() {
                            return Ok(Outcome::Done);
                        }
                        continue;
                    }
                    let failure = self.failure(index, What::Ended(end));
                    if self.is_superfluous(index) {
                        let why = "training is complete without it";
                        self.fleet.say(&format!("{}; {why}", failure.headline()));
                        self.fleet.members[index].done = true;
                        if self.all_clients_done() {
                            return Ok(Outcome::Done);
                        }
                        continue;
                    }
                    let replaced = std::mem::take(&mut self.replaced) == Some(index);
                    let often = self.fleet.members[index].restarts >= self.limits.max_restarts;
                    if end == End::Code(NOT_AGAIN) || often && !replaced {
                        return Ok(Outcome::Failed(failure));
                    }
                    self.restart(index, &failure);
                    self.survived.push(failure);
                }
            }
        }
    }

    /// Whether the clients train one model, and the first of them saves and measures it.
    fn is_training(&self) -> bool {
        self.limits.longest_stop.is_some()
    }

    fn first_client(&self) -> Option<usize> {
        self.fleet.members.iter().position(|member| member.unit.role == Role::Client)
    }

    /// Whether nothing is left for a client to do. It would wait for the first one for ever if a server has lost its
    /// variables meanwhile, as only the first one restores them.
    fn is_superfluous(&self, index: usize) -> bool {
        self.complete.is_some() && self.fleet.members[index].unit.role == Role::Client
    }

    /// Ends clients that run on long after training was complete.
    fn end_late(&mut self) {
        let (Some(limit), Some(complete)) = (self.limits.longest_stop, self.complete) else {
            return;
        };
        if complete.elapsed() < limit {
            return;
        }
        for index in 0..self.fleet.members.len() {
            let member = &self.fleet.members[index];
            if member.unit.role != Role::Client || member.done || member.asked {
                continue;
            }
            let (name, seconds) = (&member.unit.name, limit.as_secs_f64());
            self.fleet
                .say(&format!("{name} runs {seconds} s after training was complete: ending it"));
            self.fleet.end(index, self.limits.grace);
        }
    }

    /// Training has reached its end, and a stopped process must not hold it up. The first client saves and measures:
    /// it is killed, so that there is one writer, and started again, which finds the final values on the servers. Any
    /// other has nothing to do any more.
    fn end_stopped(&mut self) {
        let Some(limit) = self.limits.longest_stop else { return };
        let first = self.first_client();
        for index in self.fleet.long_stopped(limit) {
            let name = self.fleet.members[index].unit.name.clone();
            let seconds = limit.as_secs_f64();
            if Some(index) == first {
                self.fleet.say(&format!(
                    "{name} has been stopped for {seconds} s and the others have ended: replacing it, to save the \
                     final values"
                ));
                self.replaced = first;
            } else {
                self.fleet.say(&format!("{name} has been stopped for {seconds} s: ending it"));
                self.fleet.members[index].asked = true;
            }
            self.fleet.kill_now(index);
        }
    }

    /// Starts and ends workers, as the coordinator wants it and the limits allow. The first, which saves and measures,
    /// is not ended.
    fn carry_out(&mut self, decided: &Decided) {
        if self.ending {
            return;
        }
        let working: Vec<usize> = self.fleet.workers().collect();
        let (count, why) = (working.len(), &decided.why);
        let idle = self.fleet.idle_worker();
        let members = &self.fleet.members;
        let name = |index: usize| members[index].unit.name.clone();
        let meant = working.iter().skip(1).copied().find(|index| name(*index) == decided.worker);
        match (decided.add, idle, meant) {
            (true, Some(new), Some(old)) => {
                self.fleet.say(&format!("starting {} for {}: {why}", name(new), name(old)));
                self.fleet.start(new);
                self.fleet.end(old, self.limits.grace);
            }
            // Nobody is to end, or has already.
            (true, Some(new), None) => {
                self.fleet.say(&format!("starting {}: {why}", name(new)));
                self.fleet.start(new);
            }
            (true, None, _) => {
                self.fleet.say(&format!("no more than {count} workers: {why}"));
            }
            (false, _, Some(old)) if count > self.limits.least_workers => {
                self.fleet.say(&format!("ending {}: {why}", name(old)));
                self.fleet.end(old, self.limits.grace);
            }
            (false, _, Some(_)) => {
                self.fleet.say(&format!("no fewer than {count} workers: {why}"));
            }
            (false, _, None) => {
                self.fleet.say(&format!("'{}' stays, or has ended: {why}", decided.worker));
            }
        }
    }

    fn all_clients_done(&self) -> bool {
        self.fleet.members.iter().all(|member| member.done || member.unit.role != Role::Client)
    }

    fn restart(&mut self, index: usize, failure: &Failure) {
        let restarts = self.fleet.members[index].restarts;
        let pause = pause(restarts);
        self.fleet.say(&format!(
            "{}; starting it again in {:.1} s ({} of {} restarts)",
            failure.headline(),
            pause.as_secs_f64(),
            restarts + 1,
            self.limits.max_restarts
        ));
        self.fleet.restart_after(index, pause);
    }

    fn failure(&self, index: usize, what: What) -> Failure {
        let member = &self.fleet.members[index];
        Failure {
            name: member.unit.name.clone(),
            program: member.unit.program.to_string_lossy().into_owned(),
            what,
            restarts: member.restarts,
            at: self.start.elapsed(),
            ran: member.started.elapsed(),
            stderr: member.tail.lines(),
        }
    }
}

/// Doubles with every restart.
fn pause(restarts: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1u32.checked_shl(restarts).unwrap_or(u32::MAX)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit() {
        assert_eq!(pause(0), FIRST_PAUSE);
        assert_eq!(pause(2), FIRST_PAUSE * 4);
        assert_eq!(pause(40), LONGEST_PAUSE);
    }
}
