//! How large batches may be and how long they may wait, as attributes say.

use std::time::Duration;

use downpour_graph::Node;
use downpour_tensor::{Result, Status};

/// Batches computed at the same time where the program leaves the number open.
const ADAPTIVE_THREADS: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Batches computed at the same time.
    pub threads: usize,
    /// Rows that one call may have.
    pub call_rows: usize,
    /// Rows that one batch may have.
    pub batch_rows: usize,
    pub timeout: Duration,
    /// Batches that may wait, the one that is being filled included.
    pub batches: usize,
    /// The numbers of rows that batches are padded to, in rising order; any if there are none.
    pub allowed: Vec<usize>,
    /// A call may be spread over several batches.
    pub splits: bool,
}

impl Limits {
    pub fn new(node: &Node) -> Result<Limits> {
        let splits = match node.get("enable_large_batch_splitting") {
            Some(_) => node.bool("enable_large_batch_splitting")?,
            None => false,
        };
        let number = |name: &str, least: i64| -> Result<usize> {
            let value = node.int(name)?;
            let words = if least > 0 { "positive" } else { "non-negative" };
            let wrong = || Status::invalid_argument(format!("{name} must be {words}; was {value}"));
            if value < least || value > i64::from(i32::MAX) {
                return Err(wrong());
            }
            usize::try_from(value).map_err(|_| wrong())
        };
        let call_rows = number("max_batch_size", 1)?;
        let batches = number("max_enqueued_batches", 1)?;
        let timeout = Duration::from_micros(number("batch_timeout_micros", 0)? as u64);
        let allowed = allowed(&node.ints("allowed_batch_sizes")?, call_rows, splits)?;
        let batch_rows = allowed.last().copied().unwrap_or(call_rows).min(call_rows);
        let threads = match usize::try_from(node.int("num_batch_threads")?) {
            Ok(threads) if threads > 0 => threads,
            _ => ADAPTIVE_THREADS,
        };
        Ok(Limits { threads, call_rows, batch_rows, timeout, batches, allowed, splits })
    }

    /// Returns how many rows a batch of so many is padded to.
    pub fn padded(&self, rows: usize) -> usize {
        self.allowed.iter().copied().find(|&size| size >= rows).unwrap_or(rows)
    }
}

fn allowed(sizes: &[i64], most: usize, splits: bool) -> Result<Vec<usize>> {
    let refused = |what: &str| Err(Status::invalid_argument(what));
    if !sizes.is_sorted_by(|a, b| a < b) || sizes.first().is_some_and(|&size| size <= 0) {
        return refused("allowed_batch_sizes entries must be monotonically increasing");
    }
    let sizes: Vec<usize> =
        sizes.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)).collect();
    match sizes.last() {
        Some(&last) if !splits && last != most => refused(
            "final entry in allowed_batch_sizes must equal max_batch_size when \
             enable_large_batch_splitting is False",
        ),
        Some(&last) if last > most => refused(
            "the final entry in allowed_batch_sizes must not be greater than max_batch_size",
        ),
        _ => Ok(sizes),
    }
}
