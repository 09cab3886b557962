//! The steps that run on this task, by the number their master gave them.
//!
//! A step comes into being with the first message that names it, be it the master's RunGraph or another
//! task's RecvTensor, and ends with CleanupGraph. Numbers of ended steps are remembered for a while, so
//! that a late message does not bring a step back to life.
//!
//! Locks are taken in this order: the table, a step's claim, what it holds.
//!
//! Until its master runs a part of it here (`claim`), a step is but a word of somebody else. What such a step holds counts
//! against the memory limit, one link has few of them, and they end with the link that brought them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::CancellationToken;
use downpour_tensor::{Charge, Code, Result, Status};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::linked::LinkedTask;
use super::transfer::StepRendezvous;

/// How many ended steps are remembered.
const REMEMBERED: usize = 4096;

/// How long a step that only other tasks named waits for its master.
const UNCLAIMED: Duration = Duration::from_secs(120);

/// Steps that one link may name before their master does. Values overtake a master's word by less than a step, so this
/// is beyond the steps that tasks have under way at a time.
const MAX_UNCLAIMED: usize = 4096;
/// The memory of an unclaimed step, and of each value that waits in it without its contents.
const STEP_BYTES: usize = 1536;
const VALUE_BYTES: usize = 192;

/// How long a master's word may have been on its way. A step that begins so soon after a link was lost fails with it.
const ON_THE_WAY: Duration = Duration::from_millis(50);

pub struct StepState {
    pub rendezvous: Arc<StepRendezvous>,
    pub cancellation: CancellationToken,
    since: Instant,
    claim: Mutex<Option<Claim>>,
    /// Counts the memory that the step holds while it is unclaimed.
    held: Mutex<Charge>,
    /// Why it was ended from outside, if it was.
    reason: Mutex<Option<Status>>,
}

/// On whom a step depends that runs here.
struct Claim {
    /// Its master, if there is a link to it.
    master: Option<u64>,
    tasks: Vec<u64>,
}

impl StepState {
    pub fn new(rendezvous: Arc<StepRendezvous>) -> StepState {
        StepState {
            rendezvous,
            cancellation: CancellationToken::default(),
            since: Instant::now(),
            claim: Mutex::default(),
            held: Mutex::default(),
            reason: Mutex::default(),
        }
    }

    /// The step's master runs a part of it here, or is here itself.
    pub fn claim(&self, master: Option<u64>, linked: &[LinkedTask]) {
        let mut claim = self.claim.lock();
        let claim = claim.get_or_insert(Claim { master, tasks: Vec::new() });
        claim.tasks.extend(linked.iter().map(|task| task.incarnation));
        self.held.lock().shrink_to(0);
    }

    /// Counts so many more bytes that wait for a master. The claim is looked at under its lock: either it is seen here,
    /// or whoever claims sees what was counted.
    fn hold(&self, bytes: usize) -> Result<()> {
        match &*self.claim.lock() {
            Some(_) => Ok(()),
            None => self.held.lock().grow(bytes),
        }
    }

    fn is_claimed(&self) -> bool {
        self.claim.lock().is_some()
    }

    /// How long it has been known here.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Ends the step here; everybody who waits is told why.
    pub fn abort(&self, status: Status) {
        if Tells::of(&status) > Tells::End {
            self.reason.lock().get_or_insert_with(|| status.clone());
        }
        self.rendezvous.abort(status);
        self.cancellation.cancel();
    }

    /// What a part has failed of: a part that had nothing to wait for says only that it was cancelled, and not that a
    /// task was lost.
    pub fn cause(&self, failed: Status) -> Status {
        match &*self.reason.lock() {
            Some(reason) if Tells::of(&failed) == Tells::End => reason.clone(),
            _ => failed,
        }
    }
}

/// How much an error tells: nothing but that the step was ended elsewhere; that something is not there any more, which
/// may be a consequence too; or a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tells {
    End,
    Absence,
    Cause,
}

impl Tells {
    pub fn of(status: &Status) -> Tells {
        match status.code() {
            _ if status.is_derived() => Tells::End,
            Code::Cancelled => Tells::End,
            Code::Aborted => Tells::Absence,
            _ => Tells::Cause,
        }
    }
}

#[derive(Default)]
pub struct StepTable(Mutex<Table>);

#[derive(Default)]
struct Table {
    running: HashMap<i64, Arc<StepState>>,
    ended: HashSet<i64>,
    order: VecDeque<i64>,
    /// The steps that were unclaimed when a link brought a value for them, by the link; some are not any more.
    by_link: HashMap<u64, HashSet<i64>>,
    /// The tasks that were lost last, when and why.
    lost: VecDeque<(u64, Instant, Status)>,
}

impl StepTable {
    /// How many run, or wait to.
    pub fn len(&self) -> usize {
        self.0.lock().running.len()
    }

    /// The step of this number, new if it is not known yet.
    pub fn get(&self, id: i64, make: impl FnOnce() -> StepState) -> Result<Arc<StepState>> {
        let mut table = self.0.lock();
        if table.ended.contains(&id) {
            return Err(Status::aborted(format!("Step {id} has already ended")));
        }
        Ok(table.running.entry(id).or_insert_with(|| Arc::new(make())).clone())
    }

    /// The step of this number for somebody who is not its master; a new one counts against the memory limit.
    pub fn unclaimed(&self, id: i64, make: impl FnOnce() -> StepState) -> Result<Arc<StepState>> {
        let mut is_new = false;
        let step = self.get(id, || {
            is_new = true;
            make()
        })?;
        match is_new.then(|| step.hold(STEP_BYTES)) {
            Some(Err(full)) => {
                self.remove_unclaimed(&[id], &full);
                Err(full)
            }
            _ => Ok(step),
        }
    }

    /// The step that a value which came over a link is for; none if it has ended. An error says that the link has brought
    /// too much.
    pub fn of_link(
        &self,
        id: i64,
        link: u64,
        make: impl FnOnce() -> StepState,
    ) -> Result<Option<Arc<StepState>>> {
        let has_ended = |table: &Table| table.ended.contains(&id);
        {
            let mut table = self.0.lock();
            if has_ended(&table) {
                return Ok(None);
            }
            if table.running.get(&id).is_some_and(|step| step.is_claimed()) {
                return Ok(table.running.get(&id).cloned());
            }
            table.note(id, link)?;
        }
        let step = match self.unclaimed(id, make) {
            Err(_) if has_ended(&self.0.lock()) => return Ok(None),
            step => step?,
        };
        step.hold(VALUE_BYTES)?;
        Ok(Some(step))
    }

    /// A link has ended: what it has brought and nobody has claimed goes.
    pub fn closed(&self, link: u64, status: &Status) {
        let brought = self.0.lock().by_link.remove(&link).unwrap_or_default();
        self.remove_unclaimed(&brought.into_iter().collect::<Vec<_>>(), status);
    }

    /// Forgets steps that nobody has claimed. Their numbers are not remembered: a master may still come, and is then told
    /// by `lost_within` what is missing.
    fn remove_unclaimed(&self, steps: &[i64], status: &Status) {
        let removed: Vec<Arc<StepState>> = {
            let mut table = self.0.lock();
            let is_unclaimed =
                |id: &&i64| table.running.get(id).is_some_and(|step| !step.is_claimed());
            let unclaimed: Vec<i64> = steps.iter().filter(is_unclaimed).copied().collect();
            unclaimed.iter().filter_map(|id| table.running.remove(id)).collect()
        };
        removed.into_iter().for_each(|step| step.abort(status.clone()));
    }

    /// Forgets a step and ends what still waits in it.
    pub fn end(&self, id: i64, status: Status) {
        let removed = {
            let mut table = self.0.lock();
            if table.ended.insert(id) {
                table.order.push_back(id);
            }
            if table.order.len() > REMEMBERED
                && let Some(oldest) = table.order.pop_front()
            {
                table.ended.remove(&oldest);
            }
            table.running.remove(&id)
        };
        if let Some(step) = removed {
            step.abort(status);
        }
    }

    /// A task is gone: the steps it was master of end for good, those that need values of it fail.
    pub fn lost(&self, incarnation: u64, status: &Status) {
        let running: Vec<(i64, Arc<StepState>)> = {
            let mut table = self.0.lock();
            table.lost.push_back((incarnation, Instant::now(), status.clone()));
            if table.lost.len() > REMEMBERED {
                table.lost.pop_front();
            }
            table.running.iter().map(|(id, step)| (*id, step.clone())).collect()
        };
        for (id, step) in running {
            let (is_master, is_needed) = match &*step.claim.lock() {
                Some(claim) => {
                    (claim.master == Some(incarnation), claim.tasks.contains(&incarnation))
                }
                None => continue,
            };
            if is_master {
                self.end(id, status.clone());
            } else if is_needed {
                step.abort(status.clone());
            }
        }
    }

    /// Why a step cannot have all its values, if a task it needs was lost after it began and before it was claimed here.
    ///
    /// Values are pushed as soon as they exist, so those for a step may come before its master's word does. What was on
    /// the way when a link was lost is lost too, nobody pushes it again, and a step that was not claimed at that moment
    /// was not ended by it.
    pub fn lost_within(&self, age: Duration, step: &StepState) -> Option<Status> {
        // Copied: the table's lock is never taken within that of a claim.
        let (master, tasks) = step.claim.lock().as_ref().map(|c| (c.master, c.tasks.clone()))?;
        let needs = |lost: u64| master == Some(lost) || tasks.contains(&lost);
        let table = self.0.lock();
        let mut since =
            table.lost.iter().rev().take_while(|(_, at, _)| at.elapsed() <= age + ON_THE_WAY);
        since.find(|(lost, _, _)| needs(*lost)).map(|(_, _, status)| status.clone())
    }

    /// Ends the steps that waited too long for a master.
    pub fn sweep(&self) {
        let abandoned =
            |step: &StepState| step.claim.lock().is_none() && step.since.elapsed() > UNCLAIMED;
        let old: Vec<i64> = {
            let table = self.0.lock();
            table.running.iter().filter(|(_, s)| abandoned(s)).map(|(id, _)| *id).collect()
        };
        for id in old {
            self.end(id, Status::aborted(format!("No master ran step {id}")));
        }
    }
}

impl Table {
    /// Notes that a link has named a step before its master has.
    fn note(&mut self, id: i64, link: u64) -> Result<()> {
        let (running, brought) = (&self.running, self.by_link.entry(link).or_default());
        if brought.contains(&id) {
            return Ok(());
        }
        if brought.len() >= MAX_UNCLAIMED {
            brought.retain(|id| running.get(id).is_some_and(|step| !step.is_claimed()));
        }
        if brought.len() >= MAX_UNCLAIMED {
            return Err(Status::resource_exhausted(format!(
                "it sent values for {MAX_UNCLAIMED} steps that no master runs here"
            )));
        }
        brought.insert(id);
        Ok(())
    }
}
