//! Who takes part.

use downpour_tensor::{Result, Status};

use super::Coordinator;
use crate::event::Event;
use crate::message::{
    Answer, Change, ChangeKind, Changes, Done, Heartbeat, HeartbeatAnswer, Join, Joined,
    MAX_MEMBERS, TaskAssignment,
};
use crate::state::Member;

impl Coordinator {
    /// The member, if its epoch is not over.
    pub(super) fn member(&self, member: u64, epoch: u64) -> Result<&Member> {
        match self.state.members.get(&member) {
            Some(known) if known.live && known.epoch == epoch => Ok(known),
            _ => Err(Status::aborted(format!(
                "member {member}, epoch {epoch}: your epoch is over: join again, and drop every unit and update of it"
            ))),
        }
    }

    pub(super) fn join(&mut self, request: u64, join: &Join) -> Result<Answer> {
        let mut member = self.state.last_member + 1;
        let known = self.state.named(&join.name);
        if let Some(known) = known {
            member = known.id;
            let (same, live, epoch) = (known.process == join.process, known.live, known.epoch);
            if same && live && known.request == request {
                self.clock.heard(member, &self.config);
                return Ok(self.joined(member, epoch));
            }
            if same && known.request >= request {
                return Err(Status::aborted(format!(
                    "{:?} has joined by request {} already, this is {request}: join again with a larger id",
                    join.name, known.request
                )));
            }
            if live && known.replaced.contains(&join.process) {
                return Err(Status::already_exists(format!(
                    "another process has taken the name {:?} and lives: end this one",
                    join.name
                )));
            }
            if live && !same && self.attendance.has(member, epoch) {
                return Err(Status::unavailable(format!(
                    "another process has the name {:?} and is connected: it must end first",
                    join.name
                )));
            }
            if live {
                tracing::info!(name = join.name, epoch, "joined again: its former epoch is over");
                self.end_epoch(member, ChangeKind::Replaced)?;
            }
        } else {
            self.make_room()?;
        }
        self.happen(Event::Joined {
            member,
            name: join.name.clone(),
            process: join.process,
            request,
            capacity: join.capacity,
            priority: join.priority,
            capabilities: join.capabilities.clone(),
        })?;
        self.clock.joined(member, &self.config);
        let epoch = self.state.generation;
        tracing::info!(name = join.name, member, epoch, "joined");
        Ok(self.joined(member, epoch))
    }

    fn joined(&self, member: u64, epoch: u64) -> Answer {
        Answer::Joined(Joined {
            member,
            epoch,
            heartbeat_millis: self.config.heartbeat.as_millis() as u64,
            silence_millis: self.config.silence.as_millis() as u64,
        })
    }

    /// Forgets whoever is gone longest if there are too many names.
    fn make_room(&mut self) -> Result<()> {
        if self.state.members.len() < MAX_MEMBERS {
            return Ok(());
        }
        let gone = self.state.members.values().filter(|member| !member.live);
        let Some(oldest) = gone.min_by_key(|member| member.epoch).map(|member| member.id) else {
            return Err(Status::resource_exhausted(format!(
                "{MAX_MEMBERS} members take part: no more are taken"
            )));
        };
        self.happen(Event::Forgotten { member: oldest })
    }

    pub(super) fn heartbeat(&mut self, member: u64, heartbeat: &Heartbeat) -> Result<Answer> {
        let lost = self.progress(member, &heartbeat.positions)?;
        if let Some(pulse) = self.clock.pulses.get_mut(&member)
            && heartbeat.measurements.is_some()
        {
            pulse.measurements = heartbeat.measurements;
        }
        let tasks_revision =
            self.state.members.get(&member).map_or(0, |member| member.tasks_revision);
        let assignment = |(task, of): (u64, &crate::state::Task)| TaskAssignment {
            task,
            attempt: of.attempt,
            name: of.spec.name.clone(),
            payload: of.spec.payload.clone(),
        };
        let tasks = match tasks_revision == heartbeat.tasks_revision {
            true => Vec::new(),
            false => self.state.tasks.of(member).map(assignment).collect(),
        };
        Ok(Answer::Heartbeat(HeartbeatAnswer {
            generation: self.state.generation,
            lost,
            tasks_revision,
            tasks,
        }))
    }

    pub(super) fn leave(&mut self, member: u64) -> Result<Answer> {
        self.end_epoch(member, ChangeKind::Left)?;
        Ok(Answer::Done(Done {}))
    }

    pub(super) fn drop_member(&mut self, member: u64, epoch: u64) -> Result<Answer> {
        let live =
            self.state.members.get(&member).is_some_and(|known| known.live && known.epoch == epoch);
        if live {
            self.end_epoch(member, ChangeKind::Dropped)?;
        }
        Ok(Answer::Done(Done {}))
    }

    pub(super) fn end_silent_members(&mut self) -> Result<()> {
        let silent: Vec<u64> = (self.clock.pulses.iter())
            .filter(|(_, pulse)| pulse.deadline <= self.clock.now)
            .map(|(member, _)| *member)
            .collect();
        silent.into_iter().try_for_each(|member| self.end_epoch(member, ChangeKind::Silent))
    }

    fn end_epoch(&mut self, member: u64, why: ChangeKind) -> Result<()> {
        self.happen(Event::Gone { member, why })?;
        self.clock.gone(member);
        if let Some(gone) = self.state.members.get(&member) {
            tracing::info!(
                name = gone.name,
                member,
                epoch = gone.epoch,
                ?why,
                "gone: its leases and tasks move"
            );
        }
        Ok(())
    }

    pub(super) fn changes_since(&self, generation: u64) -> Answer {
        let known = self.state.history.since(generation);
        let everyone = known.is_none();
        let changes = known.unwrap_or_else(|| {
            let joined = |member: &Member| Change {
                generation: member.epoch,
                member: member.id,
                epoch: member.epoch,
                name: member.name.clone(),
                kind: ChangeKind::Joined as i32,
            };
            self.state.live().map(joined).collect()
        });
        Answer::Changes(Changes { generation: self.state.generation, everyone, changes })
    }
}
