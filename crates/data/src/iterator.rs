//! Running a dataset: element after element, with a position that can be saved at any moment.

use downpour_tensor::{Result, Status};

use crate::chunk::Reading;
use crate::context::{Cancel, Context};
use crate::dataset::Dataset;
use crate::element::Element;
use crate::position::{Position, State};

/// Delivers a dataset's elements. Its threads end when it is dropped.
pub struct DatasetIterator {
    /// Elements are fetched together and handed out one by one.
    reading: Reading,
    cancel: Cancel,
    pipeline: String,
    epoch: u64,
}

/// A block is handed out element by element only as far as it costs no wait.
const AT_ONCE: usize = 256;

impl DatasetIterator {
    pub(crate) fn start(dataset: &Dataset, epoch: u64, cancel: Cancel) -> Result<DatasetIterator> {
        DatasetIterator::open(dataset, epoch, cancel, None)
    }

    pub(crate) fn resume(
        dataset: &Dataset,
        position: &Position,
        cancel: Cancel,
    ) -> Result<DatasetIterator> {
        DatasetIterator::check(dataset, position)?;
        DatasetIterator::open(dataset, position.epoch, cancel, Some(&position.state))
    }

    /// Fails unless the dataset can be resumed from the position.
    pub(crate) fn check(dataset: &Dataset, position: &Position) -> Result<()> {
        let pipeline = dataset.describe();
        if position.pipeline != pipeline {
            return Err(Status::invalid_argument(format!(
                "a position saved by the dataset {} cannot be resumed by the dataset {pipeline}; \
                 use the same sources and transformations, or start over",
                position.pipeline
            )));
        }
        if !dataset.stage().is_resumable() {
            return Err(Status::failed_precondition(format!(
                "the dataset {pipeline} cannot be resumed: a stage behind an unordered one reads elements again by \
                 their number; make the parallel map ordered, or put it behind that stage"
            )));
        }
        Ok(())
    }

    fn open(
        dataset: &Dataset,
        epoch: u64,
        cancel: Cancel,
        state: Option<&State>,
    ) -> Result<DatasetIterator> {
        cancel.check()?;
        let context = Context::new(cancel.clone(), epoch);
        let reading = Reading::open(state, |s| dataset.stage().open(&context, s))?;
        Ok(DatasetIterator { reading, cancel, pipeline: dataset.describe(), epoch })
    }

    /// The next element; `None` at the end. An error is one item of the sequence: calling again
    /// goes on behind it.
    #[allow(clippy::should_implement_trait, reason = "the iterator below is built on it")]
    pub fn next(&mut self) -> Result<Option<Element>> {
        self.cancel.check()?;
        if self.reading.chunk.remaining() == 0 {
            let limit = self.reading.input.ready().clamp(1, AT_ONCE);
            if !self.reading.fill(limit)? {
                return Ok(None);
            }
        }
        self.reading.chunk.element().map(Some)
    }

    /// Whether `next` gives an element without an error or a wait.
    pub fn is_ready(&self) -> bool {
        self.reading.ready() > 0
    }

    /// Where the iterator stands: a dataset resumed from it delivers exactly the elements that
    /// this iterator has not delivered yet.
    pub fn position(&self) -> Position {
        Position { pipeline: self.pipeline.clone(), epoch: self.epoch, state: self.reading.state() }
    }

    /// A handle by which another thread can end a `next` that waits.
    pub fn canceller(&self) -> Cancel {
        self.cancel.clone()
    }
}

impl Iterator for DatasetIterator {
    type Item = Result<Element>;
    fn next(&mut self) -> Option<Result<Element>> {
        DatasetIterator::next(self).transpose()
    }
}

impl Drop for DatasetIterator {
    fn drop(&mut self) {
        // Threads that wait for each other are all woken before the cursors join them.
        self.cancel.cancel();
    }
}
