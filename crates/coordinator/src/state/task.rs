//! Tasks, who has them, and those that ended lately.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::message::{MAX_TASKS, TaskSpec};

/// All tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tasks {
    pub all: BTreeMap<u64, Task>,
    /// Those that ended, in that order; the oldest are forgotten.
    ended: VecDeque<u64>,
    pub next: u64,
}

/// Something a member is to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub spec: TaskSpec,
    pub standing: Standing,
    /// Counts assignments.
    pub attempt: u32,
}

/// Where a task is in its life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Standing {
    Queued,
    Assigned { member: u64 },
    Ended { code: i32, message: String },
}

impl Task {
    pub fn member(&self) -> Option<u64> {
        match self.standing {
            Standing::Assigned { member } => Some(member),
            _ => None,
        }
    }
}

impl Tasks {
    pub fn submit(&mut self, id: u64, spec: TaskSpec) {
        self.next = self.next.max(id.saturating_add(1));
        self.all.insert(id, Task { spec, standing: Standing::Queued, attempt: 0 });
    }

    pub fn assign(&mut self, id: u64, member: u64) -> Option<()> {
        let task = self.all.get_mut(&id).filter(|task| task.standing == Standing::Queued)?;
        task.attempt = task.attempt.checked_add(1)?;
        task.standing = Standing::Assigned { member };
        Some(())
    }

    /// Takes it from its member, which is returned.
    pub fn queue(&mut self, id: u64) -> Option<u64> {
        let task = self.all.get_mut(&id)?;
        let member = task.member()?;
        task.standing = Standing::Queued;
        Some(member)
    }

    /// Ends it; its member is returned.
    pub fn end(&mut self, id: u64, code: i32, message: &str) -> Option<Option<u64>> {
        let task = self.all.get_mut(&id)?;
        if matches!(task.standing, Standing::Ended { .. }) {
            return None;
        }
        let member = task.member();
        task.standing = Standing::Ended { code, message: message.into() };
        self.ended.push_back(id);
        while self.ended.len() > MAX_TASKS {
            if let Some(oldest) = self.ended.pop_front() {
                self.all.remove(&oldest);
            }
        }
        Some(member)
    }

    pub fn release_all(&mut self, member: u64) {
        for task in self.all.values_mut().filter(|task| task.member() == Some(member)) {
            task.standing = Standing::Queued;
        }
    }

    /// Those that have not ended.
    pub fn unended(&self) -> usize {
        self.all.len().saturating_sub(self.ended.len())
    }

    /// A member's tasks.
    pub fn of(&self, member: u64) -> impl Iterator<Item = (u64, &Task)> {
        let mine = move |(_, task): &(&u64, &Task)| task.member() == Some(member);
        self.all.iter().filter(mine).map(|(id, task)| (*id, task))
    }

    /// What a member's tasks take of its capacity.
    pub fn used(&self, member: u64) -> u64 {
        self.of(member).fold(0, |sum, (_, task)| sum.saturating_add(task.spec.capacity))
    }
}
