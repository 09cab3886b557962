//! Returns to a checkpoint: what was trained beyond its step is undone.

use super::super::Time;

/// A task went back to an earlier step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewind {
    /// When.
    pub time: Time,
    /// The step it went back to.
    pub step: i64,
}

impl Rewind {
    /// Whether it undid what happened at this time and step.
    pub fn undoes(&self, time: Time, step: i64) -> bool {
        self.time > time && self.step < step
    }
}
