//! Elements by number, without those before them.
//!
//! Besides its cursors a [`Stage`] can open a [`RandomAccess`], which finds any element by its number: sources look it up,
//! transformations ask their input for what they need. A globally shuffled dataset is read that way, and so is a single
//! element of a dataset ([`Lookup`]).
//!
//! 1. [`Stage::random_access`] opens it. Stages that have to read what is before an element refuse.
//! 2. Each access checks numbers against the length of its own stage, so that an error names the range of the stage that
//!    was asked. A stage whose length is not known cannot be accessed.
//! 3. Asking for an element twice gives it twice, and asking for one changes no other. An access whose stage chooses an
//!    order when it is opened has a state; opened with it the order is the same.
//! 4. [`Stage::check_global_shuffle`] says whether a global shuffle may be put behind the stage. Fewer stages allow that
//!    than can be accessed: where the elements of a dataset change places, a shuffle of all of it has no use for that.

use downpour_tensor::{Result, Status};

use crate::context::{Cancel, Context};
use crate::position::State;
use crate::stage::{Length, Stage};
use crate::{Dataset, Element};

/// The elements of an open stage by their numbers.
pub trait RandomAccess: Send {
    /// The element with this number; OUT_OF_RANGE if there is none.
    fn element(&mut self, number: u64) -> Result<Element>;

    /// The state that opens the same elements again.
    fn state(&self) -> State {
        State::default()
    }
}

/// Returns the number of elements of a stage that is to be accessed.
pub fn countable(stage: &dyn Stage) -> Result<u64> {
    let kind = match stage.length() {
        Some(Length::Finite(count)) => return Ok(count),
        Some(Length::Infinite) => "infinite",
        None => "unknown",
    };
    Err(Status::failed_precondition(format!(
        "Dataset of type {} has {kind} cardinality, which does not support random access.",
        stage.describe()
    )))
}

/// Fails unless there is an element with this number among `count`.
pub fn check_number(number: u64, count: u64) -> Result<()> {
    if number < count { Ok(()) } else { Err(out_of_range(number, count)) }
}

/// Returns the error that there is no such element.
pub(crate) fn out_of_range(number: u64, count: u64) -> Status {
    Status::out_of_range(format!("Index out of range [0, {count}):{number}"))
}

/// Elements that are those of one input under other numbers.
pub(crate) struct IndexMap<F> {
    input: Box<dyn RandomAccess>,
    count: u64,
    number: F,
}

impl<F: Fn(u64) -> u64 + Send + 'static> IndexMap<F> {
    /// Opens the access of a stage whose element `n` is its input's element `number(n)`.
    pub fn open(
        stage: &dyn Stage,
        input: &dyn Stage,
        context: &Context,
        state: Option<&State>,
        number: F,
    ) -> Result<Box<dyn RandomAccess>> {
        let count = countable(stage)?;
        let input = input.random_access(context, state)?;
        Ok(Box::new(IndexMap { input, count, number }))
    }
}

impl<F: Fn(u64) -> u64 + Send> RandomAccess for IndexMap<F> {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        self.input.element((self.number)(number))
    }

    fn state(&self) -> State {
        self.input.state()
    }
}

/// A dataset that is asked for single elements.
pub struct Lookup {
    access: Box<dyn RandomAccess>,
    cancel: Cancel,
}

impl Dataset {
    /// Opens the dataset for being asked for single elements.
    ///
    /// ```
    /// use downpour_data::{Dataset, Remainder};
    /// let batches = Dataset::range(10).skip(2).batch(3, Remainder::Keep)?;
    /// let last = batches.lookup()?.element(2)?;
    /// assert_eq!(last[0].as_slice::<i64>()?, &[8, 9]);
    /// # Ok::<(), downpour_tensor::Status>(())
    /// ```
    pub fn lookup(&self) -> Result<Lookup> {
        if !self.stage().is_repeatable() {
            return Err(Status::unimplemented(format!(
                "Random access is not implemented for dataset {}: its elements come in another order each time",
                self.describe()
            )));
        }
        let cancel = Cancel::default();
        let access = self.stage().random_access(&Context::new(cancel.clone(), 0), None)?;
        Ok(Lookup { access, cancel })
    }
}

impl Lookup {
    /// The element with this number; OUT_OF_RANGE if there is none.
    pub fn element(&mut self, number: i64) -> Result<Element> {
        self.cancel.check()?;
        let place = u64::try_from(number).map_err(|_| {
            Status::out_of_range(format!("Index out of range: {number} is negative"))
        })?;
        self.access.element(place)
    }

    /// A handle by which another thread can end an `element` that waits.
    pub fn canceller(&self) -> Cancel {
        self.cancel.clone()
    }
}

impl Drop for Lookup {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests;
