//! Values without receivers and receivers without values, by name.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use downpour_tensor::{Result, Status};

use super::{Crossing, OnReceive};

pub struct Meetings<K> {
    waiting: HashMap<K, Waiting>,
    ended: Option<Status>,
}

/// Nearly always one of either; a queue when a name is used again before it was taken.
enum Waiting {
    Values(VecDeque<Crossing>),
    Receivers(VecDeque<OnReceive>),
}

impl<K> Default for Meetings<K> {
    fn default() -> Self {
        Meetings { waiting: HashMap::new(), ended: None }
    }
}

impl<K: Eq + Hash> Meetings<K> {
    /// The receiver to call with the value, if one waits.
    pub fn send(&mut self, key: K, value: Crossing) -> Result<Option<(OnReceive, Crossing)>> {
        if let Some(status) = &self.ended {
            return Err(status.clone());
        }
        let mut entry = match self.waiting.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Waiting::Values(VecDeque::from([value])));
                return Ok(None);
            }
            Entry::Occupied(entry) => entry,
        };
        match entry.get_mut() {
            Waiting::Values(values) => {
                values.push_back(value);
                Ok(None)
            }
            Waiting::Receivers(receivers) => {
                let first = receivers.pop_front();
                if receivers.is_empty() {
                    entry.remove();
                }
                Ok(first.map(|done| (done, value)))
            }
        }
    }

    /// The receiver again, with what to call it with, if that is known already.
    pub fn receive(&mut self, key: K, done: OnReceive) -> Option<(OnReceive, Result<Crossing>)> {
        if let Some(status) = &self.ended {
            return Some((done, Err(status.clone())));
        }
        let mut entry = match self.waiting.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Waiting::Receivers(VecDeque::from([done])));
                return None;
            }
            Entry::Occupied(entry) => entry,
        };
        match entry.get_mut() {
            Waiting::Receivers(receivers) => {
                receivers.push_back(done);
                None
            }
            Waiting::Values(values) => {
                let first = values.pop_front().flatten();
                if values.is_empty() {
                    entry.remove();
                }
                Some((done, Ok(first)))
            }
        }
    }

    /// Drops the values and returns the receivers, who must be told; the first status stays.
    pub fn end(&mut self, status: &Status) -> Vec<OnReceive> {
        self.ended.get_or_insert_with(|| status.clone());
        let taken = std::mem::take(&mut self.waiting).into_values();
        taken
            .flat_map(|waiting| match waiting {
                Waiting::Receivers(receivers) => receivers,
                Waiting::Values(_) => VecDeque::new(),
            })
            .collect()
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }
}
