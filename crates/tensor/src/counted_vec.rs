//! A vector whose places count against the memory limit.
//!
//! Only the places are counted: strings count their bytes and tensors their contents themselves. A single element is
//! free, so that making a scalar tensor never fails.

use std::ops::{Deref, DerefMut};

use crate::Result;
use crate::account::{Charge, check_limit, exhausted};

/// A vector that charges for its places before it takes memory, and refuses with RESOURCE_EXHAUSTED.
#[derive(Debug)]
pub struct CountedVec<T> {
    values: Vec<T>,
    charge: Charge,
}

fn counted<T>(elements: usize) -> usize {
    if elements <= 1 { 0 } else { elements.saturating_mul(size_of::<T>()) }
}

impl<T> CountedVec<T> {
    /// Returns an empty vector.
    pub fn new() -> CountedVec<T> {
        CountedVec { values: Vec::new(), charge: Charge::default() }
    }

    /// Returns an empty vector with room for `count` elements. The count may be a forged one.
    pub fn with_capacity(count: usize) -> Result<CountedVec<T>> {
        let mut list = CountedVec::new();
        list.reserve(count)?;
        Ok(list)
    }

    /// Returns a vector of elements that exist already.
    pub fn from_vec(values: Vec<T>) -> Result<CountedVec<T>> {
        let charge = Charge::new(counted::<T>(values.len()))?;
        Ok(CountedVec { values, charge })
    }

    /// Returns `count` elements, each made by `make` for its place.
    pub fn build(count: usize, mut make: impl FnMut(usize) -> Result<T>) -> Result<CountedVec<T>> {
        let mut list = CountedVec::with_capacity(count)?;
        for i in 0..count {
            list.values.push(make(i)?);
            list.check_elements()?;
        }
        Ok(list)
    }

    /// Makes room for `more` elements.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        let needed = self.values.len().saturating_add(more);
        if needed <= self.values.capacity() {
            return Ok(());
        }
        let capacity = needed.max(self.values.capacity().saturating_mul(2));
        let bytes = counted::<T>(capacity);
        self.charge.grow(bytes.saturating_sub(self.charge.bytes()))?;
        self.values
            .try_reserve_exact(capacity - self.values.len())
            .map_err(|_| exhausted(bytes, "the system has no memory left"))
    }

    /// Appends an element.
    pub fn push(&mut self, value: T) -> Result<()> {
        self.reserve(1)?;
        self.values.push(value);
        self.check_elements()
    }

    /// Elements that own memory may have counted it without being refused (a scalar tensor never is): a vector of them
    /// ends where the limit is passed. For plain elements this is nothing.
    fn check_elements(&self) -> Result<()> {
        if std::mem::needs_drop::<T>() { check_limit() } else { Ok(()) }
    }

    /// Removes the last element.
    pub fn pop(&mut self) -> Option<T> {
        self.values.pop()
    }

    /// Removes all elements and gives their memory back.
    pub fn clear(&mut self) {
        *self = CountedVec::new();
    }

    /// Keeps the first `count` elements.
    pub fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
    }
}

impl<T: Clone> CountedVec<T> {
    /// Returns `count` times the same value.
    pub fn filled(count: usize, value: T) -> Result<CountedVec<T>> {
        let mut list = CountedVec::new();
        list.resize(count, value)?;
        Ok(list)
    }

    /// Makes the vector `count` elements long; new ones are copies of `value`.
    pub fn resize(&mut self, count: usize, value: T) -> Result<()> {
        self.reserve(count.saturating_sub(self.values.len()))?;
        self.values.resize(count, value);
        Ok(())
    }

    /// Returns a copy of some elements.
    pub fn copy_from(values: &[T]) -> Result<CountedVec<T>> {
        let mut copy = CountedVec::with_capacity(values.len())?;
        copy.values.extend_from_slice(values);
        Ok(copy)
    }

    /// Returns a copy.
    pub fn try_clone(&self) -> Result<CountedVec<T>> {
        CountedVec::copy_from(&self.values)
    }
}

impl<T> Default for CountedVec<T> {
    fn default() -> CountedVec<T> {
        CountedVec::new()
    }
}

impl<T> IntoIterator for CountedVec<T> {
    type Item = T;
    type IntoIter = CountedIter<T>;

    fn into_iter(self) -> CountedIter<T> {
        CountedIter { values: self.values.into_iter(), _charge: self.charge }
    }
}

/// The elements of a vector one after the other; their places count until it is gone.
pub struct CountedIter<T> {
    values: std::vec::IntoIter<T>,
    _charge: Charge,
}

impl<T> Iterator for CountedIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.values.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl<T> Deref for CountedVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for CountedVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::memory_limit;

    #[test]
    fn a_count_beyond_the_memory_limit_is_refused_before_memory_is_touched() {
        for count in [memory_limit() / size_of::<String>() + 1, usize::MAX] {
            let refused = CountedVec::filled(count, String::new()).err().unwrap();
            assert_eq!(refused.code(), crate::Code::ResourceExhausted);
            let make = |_| -> Result<String> { panic!("nothing is made") };
            assert!(CountedVec::build(count, make).is_err());
        }
    }

    #[test]
    fn places_are_counted_while_they_live() {
        let mut list = CountedVec::filled(4096, String::new()).unwrap();
        assert_eq!(list.charge.bytes(), 4096 * size_of::<String>());
        list.push("one more".into()).unwrap();
        assert!(list.charge.bytes() >= list.values.capacity() * size_of::<String>());
        assert_eq!(list.len(), 4097);
        let single = CountedVec::from_vec(vec![String::new()]).unwrap();
        assert_eq!(single.charge.bytes(), 0);
    }
}
