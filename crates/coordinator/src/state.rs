//! Everything the coordinator knows that must outlive it.
//!
//! The state is a fold over [`Event`]s: no time, no measurements, no randomness. What belongs to the running
//! process only (deadlines, speeds) is in `clock.rs`.

mod changes;
mod dataset;
mod member;
mod owners;
mod task;

use std::collections::BTreeMap;

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

pub(crate) use changes::History;
pub(crate) use dataset::{Dataset, Epoch, Holder, Unit};
pub(crate) use member::{Earlier, Member};
pub(crate) use task::{Standing, Task, Tasks};

use crate::event::{Answered, Entry, Event};
use crate::message::ChangeKind;

/// What outlives the process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Counts changes of membership.
    pub generation: u64,
    /// By number; those that are gone too, so that a name keeps its number.
    pub members: BTreeMap<u64, Member>,
    /// The largest number a member has had.
    pub last_member: u64,
    pub history: History,
    pub datasets: BTreeMap<u64, Dataset>,
    /// The number of the next unit of any dataset.
    pub next_unit: u64,
    pub tasks: Tasks,
}

impl State {
    /// The member of a name, alive or not.
    pub fn named(&self, name: &str) -> Option<&Member> {
        // Joins are rare, and there are thousands of members at most.
        self.members.values().find(|member| member.name == name)
    }

    /// Those who take part.
    pub fn live(&self) -> impl Iterator<Item = &Member> {
        self.members.values().filter(|member| member.live)
    }

    /// Every lease: dataset, unit, holder.
    pub fn leases(&self) -> impl Iterator<Item = (u64, &Unit, &Holder)> {
        self.datasets.iter().flat_map(|(id, dataset)| {
            dataset
                .units()
                .flat_map(move |unit| unit.holders.iter().map(move |holder| (*id, unit, holder)))
        })
    }

    /// Replays one record.
    pub fn replay(&mut self, entry: &Entry) -> Result<()> {
        entry.events.iter().try_for_each(|event| self.apply(event))?;
        entry.answered.iter().for_each(|answered| self.keep(answered));
        Ok(())
    }

    /// Keeps an answer for when its request is repeated.
    pub fn keep(&mut self, answered: &Answered) {
        if let Some(member) = self.members.get_mut(&answered.member)
            && member.live
            && member.epoch == answered.epoch
        {
            member.answers.keep(answered.response.clone());
        }
    }

    /// Makes it have happened. An event that does not fit the state (a damaged or foreign log) is DATA_LOSS.
    pub fn apply(&mut self, event: &Event) -> Result<()> {
        match event {
            Event::Joined { member, name, process, request, capacity, priority, capabilities } => {
                self.advance()?;
                self.last_member = self.last_member.max(*member);
                let entry = self.members.entry(*member).or_default();
                entry.join(*member, name, *process, *request, self.generation);
                entry.capacity = *capacity;
                entry.priority = *priority;
                entry.capabilities = capabilities.iter().cloned().collect();
                self.history.push(self.generation, entry, ChangeKind::Joined);
            }
            Event::Gone { member, why } => {
                self.advance()?;
                let gone = self.members.get_mut(member).filter(|member| member.live);
                let gone = gone.ok_or_else(|| misfit(event))?;
                gone.live = false;
                gone.answers = Default::default();
                self.history.push(self.generation, gone, *why);
                for dataset in self.datasets.values_mut() {
                    dataset.release_all(*member);
                }
                self.tasks.release_all(*member);
            }
            Event::Forgotten { member } => {
                if self.members.get(member).is_none_or(|member| member.live) {
                    return Err(misfit(event));
                }
                self.members.remove(member);
            }
            Event::DatasetCreated { dataset, spec } => {
                spec.check()?;
                self.datasets.insert(*dataset, Dataset::new(spec.clone()));
            }
            Event::EpochBegun { dataset } => {
                self.dataset(*dataset, event)?.begin_epoch().ok_or_else(|| misfit(event))?;
            }
            Event::Cut { dataset, data_epoch, unit, start, end, member } => {
                if *unit != self.next_unit || !self.members.contains_key(member) {
                    return Err(misfit(event));
                }
                self.next_unit = unit.checked_add(1).ok_or_else(|| misfit(event))?;
                self.dataset(*dataset, event)?
                    .cut(*data_epoch, *unit, *start, *end, *member)
                    .ok_or_else(|| misfit(event))?;
            }
            Event::Leased { dataset, unit, member } => {
                self.unit(*dataset, *unit, event)?.hand_to(*member).ok_or_else(|| misfit(event))?;
            }
            Event::Progressed { dataset, unit, position } => {
                self.dataset(*dataset, event)?
                    .progress(*unit, *position)
                    .ok_or_else(|| misfit(event))?;
            }
            Event::Completed { dataset, unit, member } => {
                self.dataset(*dataset, event)?
                    .complete(*unit, *member)
                    .ok_or_else(|| misfit(event))?;
            }
            Event::Returned { dataset, unit, member } => {
                self.unit(*dataset, *unit, event)?
                    .holders
                    .retain(|holder| holder.member != *member);
            }
            Event::TaskSubmitted { task, spec } => self.tasks.submit(*task, spec.clone()),
            Event::TaskAssigned { task, member } => {
                self.tasks.assign(*task, *member).ok_or_else(|| misfit(event))?;
                self.revise(*member);
            }
            Event::TaskQueued { task } => {
                let member = self.tasks.queue(*task).ok_or_else(|| misfit(event))?;
                self.revise(member);
            }
            Event::TaskEnded { task, code, message } => {
                let member = self.tasks.end(*task, *code, message).ok_or_else(|| misfit(event))?;
                if let Some(member) = member {
                    self.revise(member);
                }
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<()> {
        self.generation = self.generation.checked_add(1).ok_or_else(|| {
            Status::data_loss("the log counts more generations than there are numbers")
        })?;
        Ok(())
    }

    fn revise(&mut self, member: u64) {
        if let Some(member) = self.members.get_mut(&member) {
            member.tasks_revision = member.tasks_revision.wrapping_add(1);
        }
    }

    fn dataset(&mut self, dataset: u64, event: &Event) -> Result<&mut Dataset> {
        self.datasets.get_mut(&dataset).ok_or_else(|| misfit(event))
    }

    fn unit(&mut self, dataset: u64, unit: u64, event: &Event) -> Result<&mut Unit> {
        self.dataset(dataset, event)?.unit_mut(unit).ok_or_else(|| misfit(event))
    }

    /// What must hold whatever happened; for a snapshot that was read, and for tests.
    pub fn check(&self) -> Result<()> {
        let broken =
            |what: String| Err(Status::data_loss(format!("the stored state is broken: {what}")));
        for (id, dataset) in &self.datasets {
            if let Err(why) = dataset.check(self.next_unit) {
                return broken(format!("dataset {id}: {why}"));
            }
        }
        if let Some((key, member)) = self.members.iter().find(|(key, member)| **key != member.id) {
            return broken(format!("member {key} says that it is member {}", member.id));
        }
        for (_, unit, holder) in self.leases() {
            if !self.members.get(&holder.member).is_some_and(|member| member.live) {
                return broken(format!(
                    "unit {} is held by {}, who is not here",
                    unit.id, holder.member
                ));
            }
        }
        for member in self.live() {
            if self.tasks.used(member.id) > member.capacity {
                return broken(format!("the tasks of member {} do not fit in it", member.id));
            }
        }
        Ok(())
    }
}

fn misfit(event: &Event) -> Status {
    Status::data_loss(format!(
        "the coordinator's log does not fit together at {event:?}: is it that of another run, or of a newer version?"
    ))
}
