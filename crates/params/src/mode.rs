//! When gradients become updates, and who waits for whom.

use downpour_tensor::{Result, Status};

/// When gradients become updates, and who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every push is an update of its own, and nobody waits: Downpour SGD.
    AtOnce,
    /// The gradients of one step of all workers but `backups` are averaged into one update. Who comes later
    /// comes too late: gradients of an old step are dropped.
    Together {
        /// How many take part.
        workers: u32,
        /// How many of them no step waits for.
        backups: u32,
    },
    /// Every push is an update of its own, by the mean over workers; but nobody begins a step that is more
    /// than `bound` ahead of the slowest.
    Bounded {
        /// How many take part.
        workers: u32,
        /// How many steps the fastest may be ahead. 0 is the same as all together.
        bound: u32,
    },
}

impl Mode {
    pub(crate) fn from_parts(mode: u32, workers: u32, amount: u32) -> Result<Mode> {
        let mode = match mode {
            0 => Mode::AtOnce,
            1 => Mode::Together { workers, backups: amount },
            2 => Mode::Bounded { workers, bound: amount },
            other => {
                return Err(Status::invalid_argument(format!(
                    "the parameter service has no mode {other}"
                )));
            }
        };
        mode.checked()
    }

    pub(crate) fn parts(self) -> (u32, u32, u32) {
        match self {
            Mode::AtOnce => (0, 0, 0),
            Mode::Together { workers, backups } => (1, workers, backups),
            Mode::Bounded { workers, bound } => (2, workers, bound),
        }
    }

    /// Refuses what can never make a step. A bound of 0 becomes what it is.
    pub fn checked(self) -> Result<Mode> {
        match self {
            Mode::Together { workers, backups } if backups >= workers => {
                Err(Status::invalid_argument(format!(
                    "{backups} backups of {workers} workers leave nobody to wait for; at least one worker must \
                     not be a backup"
                )))
            }
            Mode::Bounded { workers: 0, .. } => {
                Err(Status::invalid_argument("bounded staleness needs at least one worker"))
            }
            // With no step to be ahead there is one update of everybody per step.
            Mode::Bounded { workers, bound: 0 } => Ok(Mode::Together { workers, backups: 0 }),
            mode => Ok(mode),
        }
    }

    /// What a gradient is multiplied by that is applied by itself where others wait for each other: so that a step of
    /// all workers weighs as much for it as for the others.
    pub(crate) fn share_apart(self) -> f64 {
        match self {
            Mode::Together { workers, .. } => 1.0 / f64::from(workers.max(1)),
            mode => mode.share(),
        }
    }

    /// What a single gradient is multiplied by before it is applied.
    pub(crate) fn share(self) -> f64 {
        match self {
            Mode::Bounded { workers, .. } => 1.0 / f64::from(workers.max(1)),
            _ => 1.0,
        }
    }
}
