//! Several replicas of the model in one process.

use downpour_tensor::{Result, Status};

use super::{Placement, Strategy};
use crate::pipeline::{Cut, Parts};

/// Several replicas of the model in this process, each with its part of every batch and on threads of its own:
/// variables are there once, gradients are averaged, and variables change once per batch, as they would with one
/// replica.
///
/// It can pay when a batch alone leaves processors idle. Large products and convolutions are spread over all threads
/// anyway, and every replica runs all of the model's operations: one of thousands of tiny ones becomes slower.
///
/// As with the micro-batches of [`ModelParallel`](crate::training::ModelParallel), that holds for a loss that is a
/// mean over the rows of a batch. What looks at a whole batch sees a part instead: batch normalisation normalises by
/// the part's mean and variance, and its moving averages follow those of the last part. Dropout draws other numbers.
///
/// ```
/// use downpour::training::{Mirrored, Strategy};
/// let strategy = Strategy::from(Mirrored::new(2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mirrored {
    replicas: usize,
}

/// More replicas than this are a mistake: each is a copy of the model's graph.
const MOST: usize = 1024;

impl Mirrored {
    /// So many replicas; 0 is one per processor.
    pub fn new(replicas: usize) -> Mirrored {
        Mirrored { replicas }
    }

    /// Everything in this process, the replicas side by side.
    pub(crate) fn placement(self) -> Result<Placement> {
        let replicas = match self.replicas {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            replicas => replicas,
        };
        if replicas > MOST {
            return Err(Status::invalid_argument(format!(
                "{replicas} replicas in one process: at most {MOST} can be meant, about as many as it has processors"
            )));
        }
        let parts = Parts {
            cut: Cut::Scopes(Vec::new()),
            stages: 1,
            micro_batches: replicas,
            schedule: None,
            compute: Vec::new(),
            variables: Vec::new(),
        };
        Ok(Placement::local().in_parts(Vec::new(), parts))
    }
}

impl From<Mirrored> for Strategy {
    fn from(strategy: Mirrored) -> Strategy {
        Strategy::Mirrored(strategy)
    }
}
