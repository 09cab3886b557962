//! What an optimization may be told.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use crate::line_search;

/// How L-BFGS searches and when it stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Pairs of steps and changes that are kept; 0 is steepest descent.
    pub history: usize,
    /// Stops when the gradient is at most this long.
    pub gradient_norm: f64,
    /// Stops when an iteration lowers the loss by at most this share of it (of 1 for smaller losses).
    pub relative_decrease: f64,
    /// Stops after this many iterations.
    pub iterations: u64,
    /// A pair is kept if its step and change point the same way at least this much (their cosine); others would make
    /// the direction useless.
    pub curvature: f64,
    /// The line search.
    pub line_search: line_search::Settings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            history: 10,
            gradient_norm: 1e-6,
            relative_decrease: 1e-12,
            iterations: 1000,
            curvature: 1e-10,
            line_search: line_search::Settings::default(),
        }
    }
}

impl Settings {
    /// The longest history; inner products grow with its square.
    pub const MAX_HISTORY: usize = 1000;

    /// Refuses what cannot work.
    pub fn validate(&self) -> Result<()> {
        if self.history > Settings::MAX_HISTORY {
            return Err(Status::invalid_argument(format!(
                "L-BFGS: a history of {} pairs is too long; 5 to 20 are usual, {} the most",
                self.history,
                Settings::MAX_HISTORY
            )));
        }
        for (name, value) in [
            ("gradient_norm", self.gradient_norm),
            ("relative_decrease", self.relative_decrease),
            ("curvature", self.curvature),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Status::invalid_argument(format!(
                    "L-BFGS: {name} is {value}; it must be a number from 0 up"
                )));
            }
        }
        self.line_search.validate()
    }
}
