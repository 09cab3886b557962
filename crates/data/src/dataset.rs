//! A dataset: the description of a pipeline, cheap to clone, run as often as wanted.

use std::fmt;
use std::sync::Arc;

use downpour_tensor::Result;

use crate::context::Cancel;
use crate::iterator::DatasetIterator;
use crate::position::Position;
use crate::stage::{Length, Schema, Stage};

/// A sequence of elements, described but not yet read.
///
/// ```
/// use downpour_data::{Dataset, Remainder};
/// let batches = Dataset::range(10).shuffle_once(10, 3)?.batch(4, Remainder::Keep)?;
/// assert_eq!(batches.describe(), "range(10) | shuffle(10, seed 3, once) | batch(4, Keep)");
/// let mut sizes = Vec::new();
/// for batch in batches.iterate()? {
///     sizes.push(batch?[0].len());
/// }
/// assert_eq!(sizes, [4, 4, 2]);
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
#[derive(Clone)]
pub struct Dataset(Arc<dyn Stage>);

impl Dataset {
    /// A dataset of a stage of one's own.
    pub fn new(stage: impl Stage + 'static) -> Dataset {
        Dataset(Arc::new(stage))
    }

    pub(crate) fn from_stage(stage: Arc<dyn Stage>) -> Dataset {
        Dataset(stage)
    }

    /// The last stage of the pipeline.
    pub fn stage(&self) -> &Arc<dyn Stage> {
        &self.0
    }

    /// The pipeline as text: `range(10) | shuffle(4, seed 1) | batch(2)`.
    pub fn describe(&self) -> String {
        describe(&*self.0)
    }

    /// Names, types and shapes of the elements, where they are known without running anything.
    pub fn schema(&self) -> Option<Schema> {
        self.0.schema()
    }

    /// The number of elements, where it is known without reading them.
    pub fn length(&self) -> Option<Length> {
        self.0.length()
    }

    /// Starts from the beginning.
    pub fn iterate(&self) -> Result<DatasetIterator> {
        self.iterate_with(Cancel::default(), None)
    }

    /// Starts from the beginning of another epoch: shuffles that differ each iteration differ
    /// between epochs. (Datasets with [`repeat`](Dataset::repeat) do this by themselves.)
    pub fn iterate_epoch(&self, epoch: u64) -> Result<DatasetIterator> {
        DatasetIterator::start(self, epoch, Cancel::default())
    }

    /// Goes on exactly where an iterator of the same pipeline stood.
    pub fn iterate_from(&self, position: &Position) -> Result<DatasetIterator> {
        self.iterate_with(Cancel::default(), Some(position))
    }

    /// Fails unless this is the same pipeline as the one whose position this is, and can be resumed.
    pub fn check_position(&self, position: &Position) -> Result<()> {
        DatasetIterator::check(self, position)
    }

    /// Starts from the beginning, or goes on from a position, with a cancellation that also ends what is read on the way
    /// there.
    pub fn iterate_with(
        &self,
        cancel: Cancel,
        position: Option<&Position>,
    ) -> Result<DatasetIterator> {
        match position {
            Some(position) => DatasetIterator::resume(self, position, cancel),
            None => DatasetIterator::start(self, 0, cancel),
        }
    }
}

fn describe(stage: &dyn Stage) -> String {
    let inputs = stage.inputs();
    match inputs.as_slice() {
        [] => stage.describe(),
        [input] => format!("{} | {}", describe(&**input), stage.describe()),
        many => {
            let parts: Vec<String> = many.iter().map(|s| describe(&**s)).collect();
            format!("[{}] | {}", parts.join("; "), stage.describe())
        }
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dataset({})", self.describe())
    }
}
