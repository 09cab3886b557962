//! How everything stands, for people and for decisions.

use super::Coordinator;
use crate::decision::{ClusterView, MemberView, TaskView, decide};
use crate::message::{
    Answer, DatasetStatus, DecisionNote, MemberStatus, Survey, TaskState, TaskStatus,
};
use crate::state::{Dataset, Standing, Task};

/// So many decisions are shown.
const DECISIONS: usize = 64;
/// So many tasks are shown.
const TASKS: usize = 1024;

impl Coordinator {
    pub(super) fn survey(&self) -> Answer {
        let millis_ago = |when| (self.clock.now.saturating_sub(when)).as_millis() as u64;
        Answer::Survey(Survey {
            generation: self.state.generation,
            members: self.state.live().map(|member| self.member_status(member.id)).collect(),
            datasets: self
                .state
                .datasets
                .iter()
                .map(|(id, dataset)| dataset_status(*id, dataset))
                .collect(),
            tasks: (self.state.tasks.all.iter().rev())
                .take(TASKS)
                .map(|(id, task)| task_status(*id, task))
                .collect(),
            decisions: (self.decisions.iter())
                .map(|(when, decision)| DecisionNote {
                    millis_ago: millis_ago(*when),
                    why: decision.why.clone(),
                })
                .collect(),
        })
    }

    fn member_status(&self, id: u64) -> MemberStatus {
        let member = &self.state.members[&id];
        let pulse = self.clock.pulses.get(&id);
        let heard = pulse.map_or(self.clock.now, |pulse| pulse.heard);
        MemberStatus {
            member: id,
            epoch: member.epoch,
            name: member.name.clone(),
            silent_millis: self.clock.now.saturating_sub(heard).as_millis() as u64,
            speed: self.clock.speed(id).unwrap_or(0.0),
            leases: self.state.leases().filter(|(_, _, holder)| holder.member == id).count() as u64,
            capacity: member.capacity,
            used: self.state.tasks.used(id),
            measurements: pulse.and_then(|pulse| pulse.measurements),
        }
    }

    /// What decisions are made from.
    pub(super) fn view(&self) -> ClusterView {
        let member = |member: &crate::state::Member| MemberView {
            member: member.id,
            name: member.name.clone(),
            speed: self.clock.speed(member.id),
            measurements: self.clock.pulses.get(&member.id).and_then(|pulse| pulse.measurements),
            room: member.capacity.saturating_sub(self.state.tasks.used(member.id)),
            capabilities: member.capabilities.iter().cloned().collect(),
        };
        let task = |(id, task): (&u64, &Task)| {
            let ended = matches!(task.standing, Standing::Ended { .. });
            (!ended).then(|| TaskView {
                task: *id,
                name: task.spec.name.clone(),
                member: task.member(),
                capacity: task.spec.capacity,
                capabilities: task.spec.capabilities.clone(),
                movable: task.spec.preemptible,
            })
        };
        let unfinished = || self.state.datasets.values().filter(|dataset| !dataset.is_finished());
        ClusterView {
            members: self.state.live().map(member).collect(),
            tasks: self.state.tasks.all.iter().filter_map(task).collect(),
            backups: unfinished().any(|dataset| dataset.spec.backups),
            work_left: unfinished().any(|dataset| {
                dataset.next_epoch < dataset.spec.epochs
                    || dataset.epochs.iter().any(|epoch| !epoch.free.is_empty())
            }),
        }
    }

    pub(super) fn decide(&mut self) {
        let view = self.view();
        for decision in decide(&view, &mut self.memory, self.clock.now, &self.config.decisions) {
            tracing::info!(kind = ?decision.kind, "{}", decision.why);
            self.decisions.push_back((self.clock.now, decision));
        }
        while self.decisions.len() > DECISIONS {
            self.decisions.pop_front();
        }
    }
}

fn dataset_status(id: u64, dataset: &Dataset) -> DatasetStatus {
    let held = dataset.units().filter(|unit| !unit.holders.is_empty()).count() as u64;
    DatasetStatus {
        dataset: id,
        name: dataset.spec.name.clone(),
        epochs_complete: dataset.next_epoch.saturating_sub(dataset.epochs.len() as u32),
        epochs: dataset.spec.epochs,
        done: dataset.epochs.front().map_or(0, |epoch| epoch.done),
        examples: dataset.spec.examples,
        held,
        returned: dataset.units().count() as u64 - held,
    }
}

fn task_status(id: u64, task: &Task) -> TaskStatus {
    let (state, member, code, message) = match &task.standing {
        Standing::Queued => (TaskState::Queued, 0, 0, ""),
        Standing::Assigned { member } => (TaskState::Assigned, *member, 0, ""),
        Standing::Ended { code, message } => (TaskState::Ended, 0, *code, message.as_str()),
    };
    TaskStatus {
        task: id,
        name: task.spec.name.clone(),
        state: state as i32,
        member,
        attempt: task.attempt,
        code,
        message: message.into(),
    }
}
