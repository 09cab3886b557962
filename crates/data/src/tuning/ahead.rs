//! How many elements are read ahead.

/// The number begins here: one that is taken, one that is made.
const FIRST: usize = 2;
/// More would only take memory.
const MOST: usize = 4096;

/// Elements that are decoded already are taken up to so many bytes of them: they lie in memory anyway, and to wake a
/// thread for a few small ones costs more than they do.
const DECODED_BYTES: usize = 128 << 10;

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

    /// Returns how many elements of `bytes` each the buffer may hold if they are decoded already.
    pub fn decoded_capacity(&self, bytes: usize) -> usize {
        match bytes {
            1.. if self.is_tuned && super::may_hold(DECODED_BYTES) => {
                (DECODED_BYTES / bytes).clamp(self.capacity, MOST)
            }
            _ => self.capacity,
        }
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
    fn small_elements_that_are_decoded_are_taken_together() {
        let ahead = Ahead::tuned();
        assert_eq!(ahead.decoded_capacity(DECODED_BYTES / 10), 10);
        assert_eq!(ahead.decoded_capacity(1), MOST);
        assert_eq!(ahead.decoded_capacity(usize::MAX), FIRST);
        assert_eq!(ahead.decoded_capacity(0), FIRST);
    }

    #[test]
    fn a_number_that_the_program_gives_stays() {
        let mut ahead = Ahead::fixed(3);
        assert_eq!(ahead.decoded_capacity(1), 3);
        ahead.note_full();
        ahead.note_empty(1);
        assert_eq!(ahead.capacity(), 3);
    }
}
