//! Memory for bytes that arrive piece by piece. It grows with what has come, not with what was announced.
//!
//! Invariants. `filled <= room's end <= length`; the first `initialised` bytes of the block have been written, by us or
//! by an earlier owner of a recycled block, and `filled <= initialised`. Only blocks that are initialised from end to
//! end go back to the pool or into a `Buffer`, so nobody ever reads memory that was not written.

use bytes::BufMut;
use bytes::buf::UninitSlice;

use crate::memory::{self, Block};
use crate::{Buffer, Result};

/// A run of `length` bytes, of which the first `filled` have arrived. Bytes are appended through [`BufMut`].
pub struct Filling {
    block: Option<Block>,
    initialised: usize,
    filled: usize,
    length: usize,
}

impl Filling {
    /// Announces so many bytes. No memory is reserved yet.
    pub fn new(length: usize) -> Filling {
        Filling { block: None, initialised: 0, filled: 0, length }
    }

    /// The bytes that have not arrived.
    pub fn missing(&self) -> usize {
        self.length - self.filled
    }

    /// The bytes that have arrived.
    pub fn filled(&self) -> usize {
        self.filled
    }

    /// The bytes that can be appended without reserving more memory.
    pub fn room(&self) -> usize {
        let capacity = self.block.as_ref().map_or(0, |block| block.capacity);
        capacity.min(self.length) - self.filled
    }

    /// Makes room for `bytes` more bytes, or for all that are missing if these are fewer. On an error nothing changes.
    pub fn reserve(&mut self, bytes: usize) -> Result<()> {
        let bytes = bytes.min(self.missing());
        if bytes <= self.room() {
            return Ok(());
        }
        let (block, initialised) = memory::allocate_unwritten(self.filled + bytes)?;
        if let Some(old) = &self.block {
            // SAFETY: both blocks have at least `filled` bytes, those of the old one are initialised, and they are
            // different allocations.
            unsafe { block.ptr.as_ptr().copy_from_nonoverlapping(old.ptr.as_ptr(), self.filled) };
        }
        self.give_back();
        self.initialised = initialised.max(self.filled);
        self.block = Some(block);
        Ok(())
    }

    /// Returns the bytes, or nothing if some are missing.
    pub fn finish(mut self) -> Option<Buffer> {
        if self.missing() > 0 {
            return None;
        }
        let Some(block) = self.block.take() else { return Buffer::allocate(0).ok() };
        let rest = block.capacity - self.initialised;
        // SAFETY: the block is ours alone and has `capacity` bytes.
        unsafe { block.ptr.as_ptr().add(self.initialised).write_bytes(0, rest) };
        Some(Buffer::from_block(block, self.length))
    }

    fn give_back(&mut self) {
        match self.block.take() {
            Some(block) if self.initialised == block.capacity => memory::release(block),
            Some(block) => memory::discard(block),
            None => {}
        }
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        self.give_back();
    }
}

// SAFETY: `chunk_mut` returns exactly the room there is, and `advance_mut` refuses more than that.
unsafe impl BufMut for Filling {
    fn remaining_mut(&self) -> usize {
        self.room()
    }

    unsafe fn advance_mut(&mut self, count: usize) {
        assert!(count <= self.room(), "more bytes than there is room for");
        self.filled += count;
        self.initialised = self.initialised.max(self.filled);
    }

    fn chunk_mut(&mut self) -> &mut UninitSlice {
        let (filled, room) = (self.filled, self.room());
        match &mut self.block {
            // SAFETY: the range lies inside the block, which is ours alone; it may be uninitialised, as the type says.
            Some(block) => unsafe {
                UninitSlice::from_raw_parts_mut(block.ptr.as_ptr().add(filled), room)
            },
            None => UninitSlice::new(&mut []),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(filling: &mut Filling, mut bytes: &[u8], ahead: usize) {
        while !bytes.is_empty() {
            if filling.room() == 0 {
                filling.reserve(ahead).unwrap();
            }
            let (piece, rest) = bytes.split_at(filling.room().min(bytes.len()));
            filling.put_slice(piece);
            bytes = rest;
        }
    }

    #[test]
    fn memory_grows_with_what_arrives() {
        let mut filling = Filling::new(1 << 60);
        assert_eq!((filling.room(), filling.missing()), (0, 1 << 60));
        append(&mut filling, &[7; 1000], 100);
        assert!(filling.room() < 1000);
        assert_eq!(filling.filled(), 1000);
        assert!(filling.reserve(1 << 59).is_err());
        assert_eq!(filling.filled(), 1000, "a refusal loses nothing");
        assert!(filling.finish().is_none());
    }

    #[test]
    fn all_bytes_come_out_as_they_went_in() {
        for (length, ahead) in [(0, 1), (1, 1), (64, 9), (100_000, 1000), (9 << 20, 1 << 20)] {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let mut filling = Filling::new(length);
            append(&mut filling, &bytes, ahead);
            let mut buffer = filling.finish().unwrap();
            assert_eq!(buffer.as_bytes(), bytes);
            assert!(buffer.as_mut().is_some());
        }
    }

    #[test]
    fn a_fresh_block_that_was_not_filled_is_not_recycled() {
        // A size that no other test uses: the pool is one.
        let size = 41 << 20;
        let mut filling = Filling::new(size);
        filling.reserve(size).unwrap();
        filling.put_slice(&[1; 10]);
        drop(filling);
        let (block, initialised) = memory::allocate_unwritten(size).unwrap();
        assert_eq!(initialised, 0);
        memory::discard(block);
    }
}
