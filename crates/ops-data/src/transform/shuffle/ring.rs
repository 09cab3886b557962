//! The buffer of a shuffle: a ring whose places are taken from the oldest on.
//!
//! An element is drawn from among the oldest; the oldest takes the place of the one that was drawn, and its own place is
//! free for the next.

use std::sync::Arc;

use downpour_data::{Block, Element};
use downpour_tensor::{Charge, DataType, Result, Tensor};

/// An element as a row of a block.
pub(super) struct Place {
    pub block: Arc<Block>,
    pub row: usize,
}

#[derive(Default)]
pub(super) struct Ring {
    /// As many places as were ever taken at the same time.
    places: Vec<Option<Place>>,
    /// Counts the places.
    charge: Charge,
    oldest: usize,
    held: usize,
}

impl Ring {
    pub fn len(&self) -> usize {
        self.held
    }

    /// Returns how many elements can be put in without more places.
    pub fn free(&self) -> usize {
        self.places.len() - self.held
    }

    /// Puts an element behind the newest.
    pub fn put(&mut self, block: &Arc<Block>, row: usize) -> Result<()> {
        let place = Place::new(block, row)?;
        if self.free() > 0 {
            let next = (self.oldest + self.held) % self.places.len();
            self.places[next] = Some(place);
        } else {
            self.charge.grow(size_of::<Option<Place>>() + place.own_bytes(block))?;
            self.places.rotate_left(self.oldest);
            self.oldest = 0;
            self.places.push(Some(place));
        }
        self.held += 1;
        Ok(())
    }

    /// Takes the element that is so many behind the oldest.
    pub fn take(&mut self, behind: usize) -> Option<Place> {
        if behind >= self.held {
            return None;
        }
        let drawn = (self.oldest + behind) % self.places.len();
        self.places.swap(drawn, self.oldest);
        let element = self.places[self.oldest].take();
        self.oldest = (self.oldest + 1) % self.places.len();
        self.held -= 1;
        element
    }
}

impl Place {
    /// Strings of a file's block would keep the whole block in memory: such elements get a block of their own.
    fn new(block: &Arc<Block>, row: usize) -> Result<Place> {
        let has_strings = match block.columns() {
            Some(columns) => columns.iter().any(|column| column.dtype() == DataType::String),
            None => true,
        };
        if !has_strings {
            return Ok(Place { block: block.clone(), row });
        }
        let element = block.element(row)?;
        let mut tensors = element.tensors().to_vec();
        for tensor in tensors.iter_mut().filter(|tensor| tensor.dtype() == DataType::String) {
            *tensor = tensor.deep_copy()?;
        }
        let element = Element::from_parts(element.names().clone(), tensors)?;
        Ok(Place { block: Arc::new(Block::from_element(element)), row: 0 })
    }

    /// Returns the bytes that the place takes for a block of its own, unless it shares `read`. The contents of tensors
    /// are counted by themselves.
    fn own_bytes(&self, read: &Arc<Block>) -> usize {
        match Arc::ptr_eq(&self.block, read) {
            true => 0,
            false => size_of::<Block>() + self.block.names().len() * size_of::<Tensor>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_grows_only_when_it_is_full() {
        let mut ring = Ring::default();
        let number = |place: Option<Place>| {
            let place = place.unwrap();
            place.block.element(place.row).unwrap()[0].to_scalar::<i64>().unwrap()
        };
        let put = |ring: &mut Ring, n: i64| {
            let element = Element::new(vec![Tensor::scalar(n)]);
            ring.put(&Arc::new(Block::from_element(element)), 0).unwrap();
        };
        (0..3).for_each(|n| put(&mut ring, n));
        assert_eq!(number(ring.take(2)), 2);
        put(&mut ring, 3);
        assert_eq!((ring.len(), ring.free()), (3, 0));
        put(&mut ring, 4);
        // The oldest went to the place of the one that was drawn.
        let rest: Vec<i64> = (0..4).map(|_| number(ring.take(0))).collect();
        assert_eq!(rest, [1, 0, 3, 4]);
        assert!(ring.take(0).is_none());
        assert_eq!(ring.free(), 4);
    }
}
