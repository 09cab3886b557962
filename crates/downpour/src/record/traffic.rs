//! What goes over the network while training, and what parameter servers do with it.

use serde::{Deserialize, Serialize};

use super::Time;

/// Bytes that went over the network since the task's (latest) start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Sent, whatever it was.
    pub sent: u64,
    /// Received.
    pub received: u64,
    /// Bytes of gradients before they were compressed; 0 where they travel as they are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub gradients: u64,
    /// What they were compressed to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub packed: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Traffic {
    /// All of both.
    pub fn plus(self, other: Traffic) -> Traffic {
        Traffic {
            sent: self.sent.saturating_add(other.sent),
            received: self.received.saturating_add(other.received),
            gradients: self.gradients.saturating_add(other.gradients),
            packed: self.packed.saturating_add(other.packed),
        }
    }

    /// What came after an earlier moment.
    pub fn since(self, earlier: Traffic) -> Traffic {
        Traffic {
            sent: self.sent.saturating_sub(earlier.sent),
            received: self.received.saturating_sub(earlier.received),
            gradients: self.gradients.saturating_sub(earlier.gradients),
            packed: self.packed.saturating_sub(earlier.packed),
        }
    }

    /// How many times smaller compression made gradients; none where they travel as they are.
    pub fn compression(&self) -> Option<f64> {
        (self.packed > 0).then(|| self.gradients as f64 / self.packed as f64)
    }
}

/// Written once in a while by every parameter server. Counters grow from the task's (latest) start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Served {
    /// When.
    pub time: Time,
    /// What went over the network.
    #[serde(default)]
    pub traffic: Traffic,
    /// What the parameter service has counted; missing where variables are trained through graphs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub books: Option<Books>,
}

/// What a parameter server has counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Updates of its variables.
    pub updates: u64,
    /// Steps of workers in them.
    pub steps: u64,
    /// Pushes that came again and were not applied again.
    pub repeated: u64,
    /// Pushes of an old step, which were dropped.
    pub dropped: u64,
    /// Updates that were answered and then lost with a server that died.
    pub lost: u64,
    /// Pushes of a start of a worker that was over.
    pub refused: u64,
    /// Pushes of leased data that it had already.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known: u64,
    /// Examples of leased data in the updates, each time they were applied.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub examples: u64,
    /// Different examples of leased data that were applied, by data epoch; the latest ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_epochs: Vec<(u32, u64)>,
    /// How many updates had a staleness of 0, 1, 2 ...; the last counts all that were larger, if it is the 64th.
    #[serde(default)]
    pub staleness: Vec<u64>,
}
