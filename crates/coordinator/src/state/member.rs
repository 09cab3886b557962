//! A name that takes part, or did.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::message::Response;

/// So many processes that had a name before are told that their time is over for good.
const REPLACED: usize = 16;
/// So many answers are kept for each member: more than it has requests on their way.
const ANSWERS: usize = 8;

/// A name that takes part, or did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub id: u64,
    pub name: String,
    /// The generation it joined at.
    pub epoch: u64,
    pub live: bool,
    /// Which process it is.
    pub process: u64,
    /// The id of its join.
    pub request: u64,
    /// Processes that had the name before, latest last.
    pub replaced: VecDeque<u64>,
    pub capacity: u64,
    pub priority: i32,
    pub capabilities: BTreeSet<String>,
    /// Counts changes of its tasks.
    pub tasks_revision: u64,
    pub answers: Answers,
}

impl Member {
    pub fn join(&mut self, id: u64, name: &str, process: u64, request: u64, epoch: u64) {
        if !self.name.is_empty() && self.process != process {
            self.replaced.push_back(self.process);
            while self.replaced.len() > REPLACED {
                self.replaced.pop_front();
            }
        }
        self.replaced.retain(|old| *old != process);
        self.id = id;
        self.name = name.into();
        self.epoch = epoch;
        self.live = true;
        self.process = process;
        self.request = request;
        self.tasks_revision = self.tasks_revision.wrapping_add(1);
        self.answers = Answers::default();
    }

    /// Whether it can run a task that needs these.
    pub fn is_capable(&self, needed: &[String]) -> bool {
        needed.iter().all(|capability| self.capabilities.contains(capability))
    }
}

/// The latest answers, to be given again to repeated requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answers {
    kept: VecDeque<Response>,
    /// Requests up to here may have been answered and forgotten.
    forgotten: u64,
}

/// Whether a request has been answered before.
pub(crate) enum Earlier<'a> {
    No,
    Answered(&'a Response),
    /// Too long ago to know.
    Forgotten,
}

impl Answers {
    pub fn find(&self, id: u64) -> Earlier<'_> {
        match self.kept.iter().find(|response| response.id == id) {
            Some(response) => Earlier::Answered(response),
            None if id <= self.forgotten => Earlier::Forgotten,
            None => Earlier::No,
        }
    }

    pub fn keep(&mut self, response: Response) {
        self.kept.retain(|kept| kept.id != response.id);
        self.kept.push_back(response);
        while self.kept.len() > ANSWERS {
            if let Some(oldest) = self.kept.pop_front() {
                self.forgotten = self.forgotten.max(oldest.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_answers_are_forgotten_but_known_to_have_been() {
        let mut answers = Answers::default();
        for id in 1..=100 {
            answers.keep(Response { id, ..Default::default() });
        }
        assert!(matches!(answers.find(100), Earlier::Answered(_)));
        let oldest = 101 - ANSWERS as u64;
        assert!(matches!(answers.find(oldest), Earlier::Answered(_)));
        assert!(matches!(answers.find(oldest - 1), Earlier::Forgotten));
        assert!(matches!(answers.find(101), Earlier::No));
    }
}
