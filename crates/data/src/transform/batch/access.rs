//! A batch by its number.

use downpour_tensor::{Result, Status};

use super::{Batches, Remainder};
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::random_access::{RandomAccess, check_number, countable};
use crate::stage::Stage;
use crate::{Block, Element};

/// Opens a batching stage; padded batches are not accessed.
pub(super) fn open(
    stage: &Batches,
    context: &Context,
    state: Option<&State>,
) -> Result<Box<dyn RandomAccess>> {
    if stage.how.padding.is_some() || stage.how.remainder == Remainder::Pad {
        return Err(Status::unimplemented(format!(
            "Random access is not implemented for dataset {}",
            stage.describe()
        )));
    }
    let (count, rows) = (countable(stage)?, countable(&*stage.input)?);
    let input = stage.input.random_access(context, state)?;
    let (size, cancel) = (stage.how.size as u64, context.cancel().clone());
    Ok(Box::new(BatchAccess { input, size, count, rows, cancel }))
}

/// Only batches of one size may change places.
pub(super) fn check_global_shuffle(stage: &Batches) -> Result<()> {
    if stage.how.padding.is_some() || stage.how.remainder != Remainder::Drop {
        let what = match stage.how.padding.is_some() {
            true => "random access",
            false => "global shuffling with `drop_remainder=False`",
        };
        let error = format!("{} does not support {what}.", stage.describe());
        return Err(Status::failed_precondition(error));
    }
    stage.input.check_global_shuffle()
}

struct BatchAccess {
    input: Box<dyn RandomAccess>,
    size: u64,
    /// Batches, and elements of the input.
    count: u64,
    rows: u64,
    cancel: Cancel,
}

impl RandomAccess for BatchAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        // A batch that is there begins before the input's end.
        let first = number * self.size;
        let mut elements = Vec::new();
        for row in first..first.saturating_add(self.size).min(self.rows) {
            self.cancel.check()?;
            elements.push(self.input.element(row)?);
        }
        let block = Block::from_elements(elements)?.stacked()?;
        let columns = block.columns().unwrap_or_default().to_vec();
        Element::from_parts(block.names().clone(), columns)
    }

    fn state(&self) -> State {
        self.input.state()
    }
}
