//! Who came and went lately, for those who ask what changed since a generation.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Member;
use crate::message::{Change, ChangeKind};

/// So many changes are remembered; who is further behind gets the list of all who live.
const KEPT: usize = 1024;

/// The latest changes, oldest first, one for each generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct History(VecDeque<Change>);

impl History {
    pub fn push(&mut self, generation: u64, member: &Member, kind: ChangeKind) {
        self.0.push_back(Change {
            generation,
            member: member.id,
            epoch: member.epoch,
            name: member.name.clone(),
            kind: kind as i32,
        });
        while self.0.len() > KEPT {
            self.0.pop_front();
        }
    }

    /// The changes after a generation, unless some of them are forgotten.
    pub fn since(&self, generation: u64) -> Option<Vec<Change>> {
        let first = self.0.front().map_or(1, |change| change.generation);
        if generation.saturating_add(1) < first {
            return None;
        }
        Some(self.0.iter().filter(|change| change.generation > generation).cloned().collect())
    }
}
