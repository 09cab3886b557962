//! How many elements are read ahead.

/// The number begins here: one that is taken, one that is made.
const FIRST: usize = 2;
/// More would only take memory.
const MOST: usize = 4096;

/// How many elements a buffer may hold. A buffer that tunes itself doubles when its reader finds it empty though it has
/// been full before: then the elements come unevenly, and more of them even that out. A buffer that was never full has
/// a slow input, which no number helps.
#[derive(Debug)]
pub(crate) struct Ahead {
    capacity: usize,
    is_tuned: bool,
    was_full: bool,
}

impl Ahead {
    /// Returns a fixed number.
    pub fn fixed(capacity: usize) -> Ahead {
        Ahead { capacity: capacity.max(1), is_tuned: false, was_full: false }
    }

    /// Returns a number that tunes itself.
    pub fn tuned() -> Ahead {
        Ahead { capacity: FIRST, is_tuned: true, was_full: false }
    }

    /// Returns how many elements the buffer may hold now.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Notes that the buffer is full.
    pub fn note_full(&mut self) {
        self.was_full = true;
    }

    /// Notes that the reader has found the buffer empty; its elements have `bytes` each, as far as is known.
    pub fn note_empty(&mut self, bytes: usize) {
        if !self.is_tuned || !std::mem::take(&mut self.was_full) || self.capacity >= MOST {
            return;
        }
        if super::may_hold(bytes.saturating_mul(self.capacity)) {
            self.capacity = (self.capacity * 2).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_grows_only_if_it_was_full_before_it_was_empty() {
        let mut ahead = Ahead::tuned();
        ahead.note_empty(100);
        assert_eq!(ahead.capacity(), FIRST);
        ahead.note_full();
        ahead.note_empty(100);
        ahead.note_empty(100);
        assert_eq!(ahead.capacity(), 2 * FIRST);
        for _ in 0..100 {
            ahead.note_full();
            ahead.note_empty(1);
        }
        assert_eq!(ahead.capacity(), MOST);
    }

    #[test]
    fn large_elements_are_not_read_further_ahead() {
        let mut ahead = Ahead::tuned();
        ahead.note_full();
        ahead.note_empty(usize::MAX);
        assert_eq!(ahead.capacity(), FIRST);
    }

    #[test]
    fn a_number_that_the_program_gives_stays() {
        let mut ahead = Ahead::fixed(3);
        ahead.note_full();
        ahead.note_empty(1);
        assert_eq!(ahead.capacity(), 3);
    }
}
