//! Loops that run straight through: one thread, one iteration after the other, no counters.
//!
//! A loop whose kernels are all synchronous needs none of the executor's machinery for frames when its
//! iterations are too short to be worth handing to other threads: `collapse` turns the frame into a
//! single node, `simplify` leaves out what need not be done in every iteration, and `program` is the kernel of
//! that node. Who may not be collapsed (asynchronous kernels,
//! kernels worth a thread of their own, a trace that wants to see every node) runs in frames as before.

mod collapse;
mod program;
mod simplify;

pub(super) use collapse::{Collapsed, collapse};

use std::collections::HashMap;

/// Which loops become straight programs.
pub enum Straight<'a> {
    None,
    /// All that can: there is only one thread anyway.
    All,
    /// Those whose nodes take less than this many nanoseconds together, by measured cost per node.
    Cheap {
        costs: &'a HashMap<String, u32>,
        limit: u64,
    },
}

impl Straight<'_> {
    fn wants<'n>(&self, names: impl Iterator<Item = &'n str>) -> bool {
        match self {
            Straight::None => false,
            Straight::All => true,
            Straight::Cheap { costs, limit } => {
                // A node that was never measured never ran; its branch does not count.
                names.map(|name| costs.get(name).map_or(0, |c| *c as u64)).sum::<u64>() < *limit
            }
        }
    }
}
