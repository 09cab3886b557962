//! What a queue holds, in the order of its kind.

use std::collections::{BTreeMap, VecDeque};

use downpour_tensor::{Result, Status};

use super::Tuple;
use super::philox::Philox;

pub(crate) enum Store {
    Fifo(VecDeque<Tuple>),
    Shuffle(Vec<Tuple>, Philox),
    /// By priority, then by arrival.
    Priority(BTreeMap<(i64, u64), Tuple>, u64),
}

impl Store {
    pub(crate) fn len(&self) -> usize {
        match self {
            Store::Fifo(items) => items.len(),
            Store::Shuffle(items, _) => items.len(),
            Store::Priority(items, _) => items.len(),
        }
    }

    pub(crate) fn push(&mut self, tuple: Tuple) -> Result<()> {
        match self {
            Store::Fifo(items) => items.push_back(tuple),
            Store::Shuffle(items, _) => items.push(tuple),
            Store::Priority(items, arrivals) => {
                let priority = tuple[0].as_slice::<i64>()?;
                let ([priority], 0) = (priority, tuple[0].rank()) else {
                    return Err(Status::invalid_argument(format!(
                        "Expected the priority element to be a scalar, but received shape: {}",
                        tuple[0].shape()
                    )));
                };
                items.insert((*priority, *arrivals), tuple);
                *arrivals += 1;
            }
        }
        Ok(())
    }

    pub(crate) fn pop(&mut self) -> Option<Tuple> {
        match self {
            Store::Fifo(items) => items.pop_front(),
            Store::Shuffle(items, _) if items.is_empty() => None,
            Store::Shuffle(items, random) => {
                let index = random.next() as usize % items.len();
                Some(items.swap_remove(index))
            }
            Store::Priority(items, _) => items.pop_first().map(|(_, tuple)| tuple),
        }
    }

    /// Puts back what was taken and could not be used, `taken` in the order it was taken.
    pub(crate) fn restore(&mut self, taken: Vec<Tuple>) {
        for tuple in taken.into_iter().rev() {
            match self {
                Store::Fifo(items) => items.push_front(tuple),
                Store::Shuffle(items, _) => items.push(tuple),
                // Among equals the order of arrival is lost; TensorFlow promises none.
                Store::Priority(items, arrivals) => {
                    let priority = tuple[0].to_scalar().unwrap_or(i64::MIN);
                    items.insert((priority, *arrivals), tuple);
                    *arrivals += 1;
                }
            }
        }
    }
}
