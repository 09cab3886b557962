//! Which of the input's elements a shuffle buffer's slots hold.

use std::ops::Range;

#[derive(Default)]
pub(super) struct Slots(Vec<u64>);

impl Slots {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn append(&mut self, numbers: Range<u64>) {
        self.0.extend(numbers);
    }

    pub fn set(&mut self, slot: usize, number: u64) {
        self.0[slot] = number;
    }

    /// The last slot's element moves to the place of the removed one.
    pub fn remove(&mut self, slot: usize) {
        self.0.swap_remove(slot);
    }

    /// The smallest number of an element in the buffer.
    pub fn oldest(&self) -> Option<u64> {
        self.0.iter().copied().min()
    }

    /// What the slots hold after `rows` elements were read and `emitted` handed out, computed from
    /// the choices alone; `None` when that cannot be.
    pub fn after(
        capacity: usize,
        rows: u64,
        emitted: u64,
        ended: bool,
        choice: impl Fn(u64, usize) -> usize,
    ) -> Option<Slots> {
        let filled = rows.min(capacity as u64);
        let exchanged = rows - filled;
        if !ended && exchanged != emitted || ended && emitted < exchanged {
            return None;
        }
        let mut slots: Vec<Option<u64>> = Vec::new();
        slots.try_reserve_exact(filled as usize).ok()?;
        slots.resize(filled as usize, None);
        // A slot holds what was put there last: look back until every slot is known.
        let mut unknown = slots.len();
        let mut step = exchanged;
        while unknown > 0 && step > 0 {
            step -= 1;
            let slot = &mut slots[choice(step, capacity)];
            if slot.is_none() {
                *slot = Some(filled + step);
                unknown -= 1;
            }
        }
        let numbers = slots.into_iter().zip(0..).map(|(put, first)| put.unwrap_or(first));
        let mut slots = Slots(numbers.collect());
        for step in exchanged..emitted {
            if slots.0.is_empty() {
                return None;
            }
            slots.remove(choice(step, slots.len()));
        }
        Some(slots)
    }

    /// Where each element belongs, by number.
    pub fn places(&self) -> Places {
        let mut places: Vec<(u64, usize)> =
            self.0.iter().enumerate().map(|(slot, &n)| (n, slot)).collect();
        // Taken from the back, smallest first.
        places.sort_unstable_by(|a, b| b.cmp(a));
        Places(places)
    }
}

/// Elements and their slots, in the order of the elements.
pub(super) struct Places(Vec<(u64, usize)>);

impl Places {
    /// Takes out those of elements with numbers below `end`.
    pub fn split_to(&mut self, end: u64) -> Vec<(u64, usize)> {
        let keep = self.0.partition_point(|&(n, _)| n >= end);
        self.0.split_off(keep)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
