//! Tasks come, end, and are moved.

use downpour_tensor::{Code, Result, Status};

use super::Coordinator;
use crate::event::Event;
use crate::message::{Answer, Done, EndTask, MAX_TASKS, SubmitTask, TaskSubmitted};
use crate::state::{Standing, Task};

impl Coordinator {
    pub(super) fn submit_task(&mut self, submit: &SubmitTask) -> Result<Answer> {
        let Some(spec) = &submit.spec else {
            return Err(Status::invalid_argument("a task without its description"));
        };
        let same = self.state.tasks.all.iter().find(|(_, task)| task.spec.name == spec.name);
        if let Some((&task, known)) = same {
            if known.spec != *spec {
                return Err(Status::already_exists(format!(
                    "there is a task {:?} of another description",
                    spec.name
                )));
            }
            return Ok(Answer::TaskSubmitted(TaskSubmitted { task }));
        }
        if self.state.tasks.unended() >= MAX_TASKS {
            return Err(Status::resource_exhausted(format!(
                "{MAX_TASKS} tasks wait or run already"
            )));
        }
        let task = self.state.tasks.next.max(1);
        self.happen(Event::TaskSubmitted { task, spec: spec.clone() })?;
        Ok(Answer::TaskSubmitted(TaskSubmitted { task }))
    }

    pub(super) fn end_task(&mut self, member: u64, end: &EndTask) -> Result<Answer> {
        let task = self.task(end.task)?;
        if task.member() != Some(member) || task.attempt != end.attempt {
            return Err(Status::failed_precondition(format!(
                "attempt {} at task {} is over: another has it, or it has ended",
                end.attempt, end.task
            )));
        }
        tracing::info!(task = end.task, code = end.code, message = end.message, "a task has ended");
        self.happen(Event::TaskEnded {
            task: end.task,
            code: end.code,
            message: end.message.clone(),
        })?;
        Ok(Answer::Done(Done {}))
    }

    pub(super) fn cancel_task(&mut self, task: u64) -> Result<Answer> {
        if !matches!(self.task(task)?.standing, Standing::Ended { .. }) {
            let code = Code::Cancelled as i32;
            self.happen(Event::TaskEnded { task, code, message: "cancelled".into() })?;
        }
        Ok(Answer::Done(Done {}))
    }

    pub(super) fn move_task(&mut self, id: u64, to: u64) -> Result<Answer> {
        let task = self.task(id)?;
        if task.member() == Some(to) {
            return Ok(Answer::Done(Done {}));
        }
        let refuse = |why: &str| {
            Err(Status::failed_precondition(format!("task {id} cannot move to member {to}: {why}")))
        };
        match task.standing {
            Standing::Queued => {}
            Standing::Assigned { .. } if task.spec.preemptible => {}
            Standing::Assigned { .. } => return refuse("it is not preemptible"),
            Standing::Ended { .. } => return refuse("it has ended"),
        }
        let Some(member) = self.state.members.get(&to).filter(|member| member.live) else {
            return refuse("there is no such member");
        };
        if !member.is_capable(&task.spec.capabilities) {
            return refuse("it cannot do what the task needs");
        }
        if member.capacity.saturating_sub(self.state.tasks.used(to)) < task.spec.capacity {
            return refuse("it has no room");
        }
        if task.member().is_some() {
            self.happen(Event::TaskQueued { task: id })?;
        }
        self.happen(Event::TaskAssigned { task: id, member: to })?;
        Ok(Answer::Done(Done {}))
    }

    fn task(&self, task: u64) -> Result<&Task> {
        let found = self.state.tasks.all.get(&task);
        found.ok_or_else(|| {
            Status::not_found(format!("there is no task {task}, or it ended long ago"))
        })
    }
}
