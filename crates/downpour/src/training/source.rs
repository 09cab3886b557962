//! Where a trainer's batches come from, for one worker among several.

use std::sync::Arc;

use downpour_data::{Dataset, Element, Schema};
use downpour_tensor::{Result, Status};

use super::positions::Positions;

/// A worker's place among those that share the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which part of the data this worker reads.
    pub index: usize,
    /// How many parts there are.
    pub count: usize,
}

impl Share {
    /// One worker that reads everything.
    pub const WHOLE: Share = Share { index: 0, count: 1 };
}

/// Makes a worker's batches. A [`Dataset`] of batches is a source: of several workers each takes every
/// n-th batch. A function can cut the data earlier, before it is read, shuffled and put into batches.
///
/// ```
/// use downpour::data::{Dataset, Remainder};
/// use downpour::training::{Share, Source};
/// let source = Source::new(|share: Share| {
///     let own = Dataset::range(1000).shard(share.count as u64, share.index as u64)?;
///     own.shuffle(100, 1)?.repeat().batch(10, Remainder::Drop)
/// });
/// ```
#[derive(Clone)]
pub struct Source {
    by_share: Arc<dyn Fn(Share) -> Result<Dataset> + Send + Sync>,
    by_position: Option<Arc<dyn Fn() -> Result<Positions> + Send + Sync>>,
}

impl Source {
    /// A source that cuts the data itself.
    pub fn new(make: impl Fn(Share) -> Result<Dataset> + Send + Sync + 'static) -> Source {
        Source { by_share: Arc::new(make), by_position: None }
    }

    /// The same data by position, for workers that lease it
    /// ([`ParameterServer::leases`](super::ParameterServer::leases)), and for units of
    /// [`Sandblaster`](super::Sandblaster), which are then read without what is before them.
    pub fn with_positions(
        self,
        make: impl Fn() -> Result<Positions> + Send + Sync + 'static,
    ) -> Source {
        Source { by_position: Some(Arc::new(make)), ..self }
    }

    pub(crate) fn open(&self, share: Share) -> Result<Dataset> {
        (self.by_share)(share)
    }

    /// The data by position; FAILED_PRECONDITION if it has none.
    pub(crate) fn positions(&self) -> Result<Positions> {
        self.numbered().unwrap_or_else(|| {
            Err(Status::failed_precondition(
                "leases need data whose examples have numbers: give the source `with_positions`, or leave leases off",
            ))
        })
    }

    /// The data by position, if it has them.
    pub(crate) fn numbered(&self) -> Option<Result<Positions>> {
        self.by_position.as_ref().map(|positions| positions())
    }
}

impl From<Dataset> for Source {
    fn from(dataset: Dataset) -> Source {
        Source::new(move |share| match share.count {
            1 => Ok(dataset.clone()),
            count => dataset.shard(count as u64, share.index as u64),
        })
    }
}

/// The first element, for who must know what elements are like.
pub(crate) fn first_element(dataset: &Dataset, what: &str) -> Result<Element> {
    dataset.iterate()?.next()?.ok_or_else(|| {
        Status::invalid_argument(format!("the {what} data is empty: {}", dataset.describe()))
    })
}

/// Names, types and shapes of batches, from the description or from the first of them.
pub(crate) fn schema_of(dataset: &Dataset, what: &str) -> Result<Schema> {
    if let Some(schema) = dataset.schema() {
        return Ok(schema);
    }
    let first = first_element(dataset, what)?;
    let field = |(name, tensor): (&str, &downpour_tensor::Tensor)| {
        let mut shape: Vec<Option<usize>> = tensor.dims().iter().map(|&d| Some(d)).collect();
        // The last batch may be a smaller one.
        if let Some(batch) = shape.first_mut() {
            *batch = None;
        }
        downpour_data::Field { name: name.to_string(), dtype: tensor.dtype(), shape }
    };
    Ok(Schema { fields: first.names().iter().zip(first.tensors()).map(field).collect() })
}
