//! Data as leases: handed out, reported, completed, returned.

use std::time::Duration;

use downpour_tensor::{Result, Status};

use super::Coordinator;
use super::planning::Choice;
use crate::clock::LeaseClock;
use crate::event::Event;
use crate::message::{
    Answer, Complete, Completed, CreateDataset, DatasetCreated, Done, GiveBack, Lease, LeaseAnswer,
    LeaseOutcome, LeaseRequest, MAX_DATASETS, UnitPosition,
};
use crate::state::{Dataset, Unit};

impl Coordinator {
    pub(super) fn create_dataset(&mut self, create: &CreateDataset) -> Result<Answer> {
        let Some(spec) = &create.spec else {
            return Err(Status::invalid_argument("a dataset without its description"));
        };
        let same = self.state.datasets.iter().find(|(_, dataset)| dataset.spec.name == spec.name);
        if let Some((&dataset, known)) = same {
            if known.spec != *spec {
                return Err(Status::already_exists(format!(
                    "there is a dataset {:?} of another description: {:?}",
                    spec.name, known.spec
                )));
            }
            return Ok(Answer::DatasetCreated(DatasetCreated { dataset }));
        }
        if self.state.datasets.len() >= MAX_DATASETS {
            return Err(Status::resource_exhausted(format!(
                "there are {MAX_DATASETS} datasets already"
            )));
        }
        let dataset = self.state.datasets.last_key_value().map_or(1, |(last, _)| last + 1);
        self.happen(Event::DatasetCreated { dataset, spec: spec.clone() })?;
        Ok(Answer::DatasetCreated(DatasetCreated { dataset }))
    }

    pub(super) fn lease(&mut self, member: u64, request: &LeaseRequest) -> Result<Answer> {
        let id = request.dataset;
        self.clock.look_at_fleet();
        let dataset = self.dataset(id)?;
        let wait = |outcome: LeaseOutcome, retry: Duration| {
            Answer::Lease(LeaseAnswer {
                outcome: outcome as i32,
                lease: None,
                retry_millis: retry.as_millis() as u64,
            })
        };
        if dataset.is_finished() {
            return Ok(wait(LeaseOutcome::Finished, Duration::ZERO));
        }
        let unit = match self.choose(member, dataset, request.backup) {
            Choice::Nothing => return Ok(wait(LeaseOutcome::Wait, self.config.retry)),
            Choice::Unit(unit) => {
                self.happen(Event::Leased { dataset: id, unit, member })?;
                unit
            }
            Choice::Range { data_epoch, start, end } => {
                self.cut(id, member, data_epoch, start, end)?
            }
            Choice::NextEpoch => {
                self.happen(Event::EpochBegun { dataset: id })?;
                match self.choose(member, self.dataset(id)?, false) {
                    Choice::Range { data_epoch, start, end } => {
                        self.cut(id, member, data_epoch, start, end)?
                    }
                    _ => return Ok(wait(LeaseOutcome::Wait, self.config.retry)),
                }
            }
        };
        self.granted(id, unit, member)
    }

    fn cut(
        &mut self,
        dataset: u64,
        member: u64,
        data_epoch: u32,
        start: u64,
        end: u64,
    ) -> Result<u64> {
        let unit = self.state.next_unit;
        self.happen(Event::Cut { dataset, data_epoch, unit, start, end, member })?;
        Ok(unit)
    }

    /// The answer to who has just got a unit.
    fn granted(&mut self, dataset: u64, unit: u64, member: u64) -> Result<Answer> {
        let lost = || Status::internal("a unit is gone that was handed out just now");
        let of = &self.state.datasets[&dataset];
        let epoch =
            of.epochs.iter().find(|epoch| epoch.units.contains_key(&unit)).ok_or_else(lost)?;
        let unit = &epoch.units[&unit];
        let holder = unit.holders.iter().find(|holder| holder.member == member).ok_or_else(lost)?;
        let lease = Lease {
            dataset,
            data_epoch: epoch.number,
            unit: unit.id,
            attempt: holder.attempt,
            start: unit.start,
            position: unit.position,
            end: unit.end,
            backup: unit.holders.len() > 1,
            lease_millis: self.config.lease.as_millis() as u64,
        };
        let deadline = self.clock.now + self.config.lease;
        let clock = LeaseClock { dataset, member, deadline, reached: unit.position };
        self.clock.leased(lease.unit, lease.attempt, clock);
        Ok(Answer::Lease(LeaseAnswer {
            outcome: LeaseOutcome::Granted as i32,
            lease: Some(lease),
            retry_millis: 0,
        }))
    }

    /// Records how far a member is and renews its leases if it moves; the units it has lost are returned.
    pub(super) fn progress(&mut self, member: u64, positions: &[UnitPosition]) -> Result<Vec<u64>> {
        let mut lost = Vec::new();
        let mut held = Vec::new();
        for said in positions {
            match self.held(member, said.dataset, said.unit, said.attempt) {
                None => lost.push(said.unit),
                Some(unit) => {
                    check_position(unit, said)?;
                    held.push(*said);
                }
            }
        }
        let mut moved = false;
        for said in &held {
            let UnitPosition { dataset, unit, attempt, position, .. } = *said;
            // A unit may be listed twice.
            let recorded =
                self.held(member, dataset, unit, attempt).map_or(position, |unit| unit.position);
            if position > recorded {
                self.happen(Event::Progressed { dataset, unit, position })?;
                moved = true;
            }
            let reached = said.reached.max(position);
            moved |= self.clock.reached(unit, attempt, reached, &self.config);
        }
        if moved {
            let deadline = self.clock.now + self.config.lease;
            for said in held {
                if let Some(lease) = self.clock.leases.get_mut(&(said.unit, said.attempt)) {
                    lease.deadline = lease.deadline.max(deadline);
                }
            }
        }
        Ok(lost)
    }

    pub(super) fn complete(&mut self, member: u64, complete: &Complete) -> Result<Answer> {
        let Complete { dataset, unit, attempt } = *complete;
        self.dataset(dataset)?;
        if unit >= self.state.next_unit {
            return Err(Status::invalid_argument(format!("there is no unit {unit} yet")));
        }
        let Some(end) = self.held(member, dataset, unit, attempt).map(|unit| unit.end) else {
            return Ok(Answer::Completed(Completed { won: false }));
        };
        self.clock.reached(unit, attempt, end, &self.config);
        self.renew_others(member);
        self.happen(Event::Completed { dataset, unit, member })?;
        self.clock.completed(unit);
        Ok(Answer::Completed(Completed { won: true }))
    }

    /// Who completes a unit moves: what it has not begun yet does not run out meanwhile.
    fn renew_others(&mut self, member: u64) {
        let deadline = self.clock.now + self.config.lease;
        for lease in self.clock.leases.values_mut().filter(|lease| lease.member == member) {
            lease.deadline = lease.deadline.max(deadline);
        }
    }

    pub(super) fn give_back(&mut self, member: u64, back: &GiveBack) -> Result<Answer> {
        let Some(said) = back.position else {
            return Err(Status::invalid_argument("nothing is given back"));
        };
        let UnitPosition { dataset, unit, attempt, .. } = said;
        if self.progress(member, &[said])?.is_empty() {
            self.happen(Event::Returned { dataset, unit, member })?;
            self.clock.leases.remove(&(unit, attempt));
        }
        Ok(Answer::Done(Done {}))
    }

    pub(super) fn return_late_leases(&mut self) -> Result<()> {
        let late: Vec<_> = (self.clock.leases.iter())
            .filter(|(_, lease)| lease.deadline <= self.clock.now)
            .map(|((unit, attempt), lease)| (*unit, *attempt, lease.dataset, lease.member))
            .collect();
        for (unit, attempt, dataset, member) in late {
            self.clock.leases.remove(&(unit, attempt));
            if self.held(member, dataset, unit, attempt).is_some() {
                let name = self.state.members.get(&member).map_or("", |member| &member.name);
                tracing::info!(unit, name, "no progress for too long: the unit goes to another");
                self.happen(Event::Returned { dataset, unit, member })?;
            }
        }
        Ok(())
    }

    pub(super) fn dataset(&self, dataset: u64) -> Result<&Dataset> {
        self.state.datasets.get(&dataset).ok_or_else(|| {
            Status::not_found(format!(
                "there is no dataset {dataset}: create it, the answer has its number"
            ))
        })
    }

    /// The unit, if the member holds it by this attempt.
    fn held(&self, member: u64, dataset: u64, unit: u64, attempt: u32) -> Option<&Unit> {
        let unit = self.state.datasets.get(&dataset)?.unit(unit)?;
        unit.is_held_by(member, attempt).then_some(unit)
    }
}

fn check_position(unit: &Unit, said: &UnitPosition) -> Result<()> {
    let fits = |position: u64| (unit.start..=unit.end).contains(&position);
    if !fits(said.position) || !(said.reached == 0 || fits(said.reached)) {
        return Err(Status::invalid_argument(format!(
            "unit {} goes from {} to {}: it cannot be at {} (reached {})",
            unit.id, unit.start, unit.end, said.position, said.reached
        )));
    }
    Ok(())
}
