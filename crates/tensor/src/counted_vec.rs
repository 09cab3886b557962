//! Elements that are not plain bytes, counted against the memory limit as those are.
//!
//! Only the elements themselves are counted: what strings and handles point to is mostly shared. A single
//! element is free, as small plain tensors are, so that making a scalar never fails.

use std::ops::{Deref, DerefMut};

use crate::memory;
use crate::{Result, Status};

pub(crate) struct List<T>(Vec<T>);

fn counted<T>(elements: usize) -> usize {
    if elements <= 1 { 0 } else { elements.saturating_mul(size_of::<T>()) }
}

impl<T> List<T> {
    pub fn of(values: Vec<T>) -> Result<List<T>> {
        memory::charge(counted::<T>(values.len()))?;
        Ok(List(values))
    }
}

impl<T: Clone> List<T> {
    /// `count` times the same value. The count may be a forged one: it is charged before memory is touched.
    pub fn filled(count: usize, value: T) -> Result<List<T>> {
        let bytes = counted::<T>(count);
        memory::charge(bytes)?;
        let mut values = Vec::new();
        if values.try_reserve_exact(count).is_err() {
            memory::discharge(bytes);
            return Err(Status::resource_exhausted(format!(
                "OOM when allocating {count} elements of {} bytes",
                size_of::<T>()
            )));
        }
        values.resize(count, value);
        Ok(List(values))
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        memory::discharge(counted::<T>(self.0.len()));
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_beyond_the_memory_limit_is_refused_before_memory_is_touched() {
        for count in [memory::memory_limit() / size_of::<String>() + 1, usize::MAX] {
            let refused = List::filled(count, String::new()).err().unwrap();
            assert_eq!(refused.code(), crate::Code::ResourceExhausted);
        }
    }

    #[test]
    fn elements_are_counted_while_they_live() {
        let bytes = 4096 * size_of::<String>();
        let list = List::filled(4096, String::new()).unwrap();
        assert!(memory::memory_use().in_use >= bytes);
        assert_eq!(list.len(), 4096);
    }
}
