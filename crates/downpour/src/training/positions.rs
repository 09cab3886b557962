//! Data whose examples have numbers, so that a coordinator can hand them out.

use std::sync::Arc;

use downpour_data::{Addressed, Dataset, Remainder};
use downpour_tensor::Result;

/// Batches that are ready ahead of training.
const AHEAD: usize = 4;
/// Batches in a block of data that does not fit into memory; leases are not longer.
const BLOCK: usize = 64;
/// Data of at most so many bytes is kept in memory.
pub(crate) const MEMORY: usize = 256 << 20;
/// Most of a pipeline's description in a dataset's name.
const NAME: usize = 120;

/// Data by position: which examples stand at which positions of an epoch, whoever reads them. What
/// [`Source::with_positions`](super::Source::with_positions) takes.
///
/// ```
/// use downpour::data::Dataset;
/// use downpour::training::Positions;
/// let positions = Positions::shuffled(&Dataset::range(1000), 32, Some(7))?;
/// assert_eq!(positions.examples(), 1000);
/// # Ok::<(), downpour::Status>(())
/// ```
#[derive(Clone)]
pub struct Positions {
    examples: u64,
    batch: u64,
    name: String,
    in_memory: bool,
    open: Open,
}

/// Batches of the positions of an epoch from one to another.
type Open = Arc<dyn Fn(u64, u64, u64) -> Result<Dataset> + Send + Sync>;

impl Positions {
    /// Single examples in batches of `batch`, in another order for each epoch, or always in that of the data if there
    /// is no seed. The dataset must end, and is gone through once now; up to 256 MB of it are kept in memory and shuffled
    /// as a whole, larger data is shuffled in blocks of 64 batches and within each.
    pub fn shuffled(examples: &Dataset, batch: usize, seed: Option<u64>) -> Result<Positions> {
        let data = Addressed::read(examples, batch.saturating_mul(BLOCK), MEMORY)?;
        let in_memory = data.is_in_memory();
        Positions::of(data, examples, batch, seed, in_memory, |range, _, _| range)
    }

    /// The same of examples that `change` makes others once they have their places: loads what they name, or changes
    /// them at random. It is given some examples that follow each other, their epoch, and the position of the first.
    pub fn shuffled_then(
        examples: &Dataset,
        batch: usize,
        seed: Option<u64>,
        change: impl Fn(Dataset, u64, u64) -> Dataset + Send + Sync + 'static,
    ) -> Result<Positions> {
        let data = Addressed::read(examples, batch.saturating_mul(BLOCK), MEMORY)?;
        // What they are changed to is not.
        let in_memory = false;
        Positions::of(data, examples, batch, seed, in_memory, change)
    }

    fn of(
        data: Addressed,
        examples: &Dataset,
        batch: usize,
        seed: Option<u64>,
        in_memory: bool,
        change: impl Fn(Dataset, u64, u64) -> Dataset + Send + Sync + 'static,
    ) -> Result<Positions> {
        let plain = |letter: &char| letter.is_ascii_graphic() || *letter == ' ';
        let described = change(examples.clone(), 0, 0).describe();
        let described: String = described.chars().filter(plain).take(NAME).collect();
        let count = data.examples();
        let order = seed.map_or("in order".to_string(), |seed| format!("seed {seed}"));
        Ok(Positions {
            examples: count,
            batch: batch as u64,
            in_memory,
            name: format!("{described}; {count} examples in batches of {batch}, {order}"),
            open: Arc::new(move |epoch, start, end| {
                let range = data.range(seed, epoch, start, end)?;
                Ok(change(range, epoch, start).batch(batch, Remainder::Keep)?.prefetch(AHEAD))
            }),
        })
    }

    /// How many examples an epoch has.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// How many examples are in a batch; fewer in the last of an epoch.
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// What the data is called: other data, or other batches of it, has another name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether all of the data is kept in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.in_memory
    }

    /// Batches of a part of an epoch.
    pub(crate) fn open(&self, epoch: u64, start: u64, end: u64) -> Result<Dataset> {
        (self.open)(epoch, start, end)
    }
}
