//! What a queue holds, in the order of its kind.

use std::collections::{BTreeMap, VecDeque};

use downpour_tensor::{Charge, Philox, Result, Status, Tensor};

use super::Tuple;

pub(crate) struct Store {
    items: Items,
    /// For the places of the tensors; their contents count themselves.
    held: Charge,
}

enum Items {
    Fifo(VecDeque<Tuple>),
    Shuffle(Vec<Tuple>, Philox),
    /// By priority, then by arrival.
    Priority(BTreeMap<(i64, u64), Tuple>, u64),
}

/// Returns the bytes that a tuple takes in a container, besides the contents of its tensors.
pub(crate) fn place_bytes(tuple: &[Tensor]) -> usize {
    size_of::<Tuple>() + size_of_val(tuple)
}

impl Store {
    pub(crate) fn fifo() -> Store {
        Store { items: Items::Fifo(VecDeque::new()), held: Charge::default() }
    }

    pub(crate) fn shuffle(random: Philox) -> Store {
        Store { items: Items::Shuffle(Vec::new(), random), held: Charge::default() }
    }

    pub(crate) fn priority() -> Store {
        Store { items: Items::Priority(BTreeMap::new(), 0), held: Charge::default() }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.items {
            Items::Fifo(items) => items.len(),
            Items::Shuffle(items, _) => items.len(),
            Items::Priority(items, _) => items.len(),
        }
    }

    pub(crate) fn push(&mut self, mut tuple: Tuple) -> Result<()> {
        tuple.shrink_to_fit();
        let bytes = place_bytes(&tuple);
        match &mut self.items {
            Items::Fifo(items) => {
                self.held.grow(bytes)?;
                items.push_back(tuple);
            }
            Items::Shuffle(items, _) => {
                self.held.grow(bytes)?;
                items.push(tuple);
            }
            Items::Priority(items, arrivals) => {
                let priority = tuple[0].as_slice::<i64>()?;
                let ([priority], 0) = (priority, tuple[0].rank()) else {
                    return Err(Status::invalid_argument(format!(
                        "Expected the priority element to be a scalar, but received shape: {}",
                        tuple[0].shape()
                    )));
                };
                let priority = *priority;
                self.held.grow(bytes)?;
                items.insert((priority, *arrivals), tuple);
                *arrivals += 1;
            }
        }
        Ok(())
    }

    pub(crate) fn pop(&mut self) -> Option<Tuple> {
        let tuple = self.take()?;
        self.held.release(place_bytes(&tuple));
        Some(tuple)
    }

    fn take(&mut self) -> Option<Tuple> {
        match &mut self.items {
            Items::Fifo(items) => items.pop_front(),
            Items::Shuffle(items, _) if items.is_empty() => None,
            Items::Shuffle(items, random) => {
                let index = random.next_u32() as usize % items.len();
                Some(items.swap_remove(index))
            }
            Items::Priority(items, _) => items.pop_first().map(|(_, tuple)| tuple),
        }
    }

    /// Puts back what was taken and could not be used, `taken` in the order it was taken.
    pub(crate) fn restore(&mut self, taken: Vec<Tuple>) {
        for tuple in taken.into_iter().rev() {
            self.held.restore(place_bytes(&tuple));
            match &mut self.items {
                Items::Fifo(items) => items.push_front(tuple),
                Items::Shuffle(items, _) => items.push(tuple),
                // Among equals the order of arrival is lost; TensorFlow promises none.
                Items::Priority(items, arrivals) => {
                    let priority = tuple[0].to_scalar().unwrap_or(i64::MIN);
                    items.insert((priority, *arrivals), tuple);
                    *arrivals += 1;
                }
            }
        }
    }
}
