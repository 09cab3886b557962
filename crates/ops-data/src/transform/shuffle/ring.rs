//! The buffer of a shuffle: a ring whose places are taken from the oldest on.
//!
//! An element is drawn from among the oldest; the oldest takes the place of the one that was drawn, and its own place is
//! free for the next.

use downpour_tensor::{Charge, DataType, Result, Tensor};

#[derive(Default)]
pub(super) struct Ring {
    /// As many places as were ever taken at the same time.
    places: Vec<Option<Vec<Tensor>>>,
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
    pub fn put(&mut self, mut element: Vec<Tensor>) -> Result<()> {
        // Strings of a file's block would keep the whole block in memory.
        for component in element.iter_mut().filter(|c| c.dtype() == DataType::String) {
            *component = component.deep_copy()?;
        }
        if self.free() > 0 {
            let place = (self.oldest + self.held) % self.places.len();
            self.places[place] = Some(element);
        } else {
            self.charge.grow(size_of::<Option<Vec<Tensor>>>() + size_of_val(&element[..]))?;
            self.places.rotate_left(self.oldest);
            self.oldest = 0;
            self.places.push(Some(element));
        }
        self.held += 1;
        Ok(())
    }

    /// Takes the element that is so many behind the oldest.
    pub fn take(&mut self, behind: usize) -> Option<Vec<Tensor>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_grows_only_when_it_is_full() {
        let mut ring = Ring::default();
        let number = |element: Option<Vec<Tensor>>| element.unwrap()[0].to_scalar::<i64>().unwrap();
        let put = |ring: &mut Ring, n: i64| ring.put(vec![Tensor::scalar(n)]).unwrap();
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
