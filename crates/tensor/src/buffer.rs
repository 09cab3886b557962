//! A reference-counted run of bytes: 64-byte aligned when we allocated it, or borrowed in place
//! from a network message. Up to 64 bytes (scalars, shapes) live inside the reference-counted cell
//! itself: one small allocation instead of two, at the price of 16-byte alignment.
//!
//! Protocol. A `Buffer` is a shared owner of one block plus a byte range of it. Reading is always
//! allowed. Writing needs `as_mut`, which succeeds only for the sole owner of a block we allocated;
//! since new owners can only be made from an existing one, a sole owner cannot gain company while
//! it is mutably borrowed.

use std::sync::Arc;

use bytes::Bytes;

use crate::Result;
use crate::account;
use crate::memory::{self, Block};

#[derive(Clone)]
pub struct Buffer {
    owner: Arc<Owner>,
    offset: usize,
    len: usize,
}

enum Owner {
    Small(Small),
    Block(OwnedBlock),
    Foreign(Bytes),
}

const SMALL: usize = 64;

/// The pattern in memory that nobody has written, in builds with debug assertions.
const UNWRITTEN: u8 = 0xcd;

#[repr(align(16))]
struct Small([u8; SMALL]);

/// A small buffer is the cell alone. It counts but is never refused, so that making a scalar never fails.
const SMALL_CELL: usize = size_of::<Owner>() + 2 * size_of::<usize>();

impl Small {
    fn new() -> Small {
        account::count(SMALL_CELL);
        Small([0; SMALL])
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        account::discharge(SMALL_CELL);
    }
}

struct OwnedBlock(Option<Block>);

impl Drop for OwnedBlock {
    fn drop(&mut self) {
        if let Some(block) = self.0.take() {
            memory::release(block);
        }
    }
}

// SAFETY: the block's memory is only written through `Buffer::as_mut`, which requires the only
// owner; shared access is read-only.
unsafe impl Sync for OwnedBlock {}

impl Buffer {
    /// A writable block whose contents are valid but arbitrary (recycled). In builds with debug assertions they are a
    /// pattern: a kernel that leaves a part of its output unwritten shows in every test that looks at it, where
    /// otherwise it would show another session's values now and then.
    pub fn allocate(bytes: usize) -> Result<Buffer> {
        let owner = if bytes <= SMALL {
            Owner::Small(Small::new())
        } else {
            Owner::Block(OwnedBlock(Some(memory::allocate(bytes)?)))
        };
        let mut buffer = Buffer { owner: Arc::new(owner), offset: 0, len: bytes };
        if cfg!(debug_assertions)
            && let Some(slice) = buffer.as_mut()
        {
            slice.fill(UNWRITTEN);
        }
        Ok(buffer)
    }

    /// A writable block of zeros.
    pub fn zeroed(bytes: usize) -> Result<Buffer> {
        let mut buffer = Buffer::allocate(bytes)?;
        if let Some(slice) = buffer.as_mut() {
            slice.fill(0);
        }
        Ok(buffer)
    }

    /// The first `len` bytes of a block, all of whose bytes are initialised.
    pub(crate) fn from_block(block: Block, len: usize) -> Buffer {
        debug_assert!(len <= block.capacity);
        Buffer { owner: Arc::new(Owner::Block(OwnedBlock(Some(block)))), offset: 0, len }
    }

    /// Bytes somebody else owns, used where they lie.
    pub fn foreign(bytes: Bytes) -> Buffer {
        let len = bytes.len();
        Buffer { owner: Arc::new(Owner::Foreign(bytes)), offset: 0, len }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn base(&self) -> *const u8 {
        match &*self.owner {
            Owner::Small(small) => small.0.as_ptr(),
            Owner::Block(OwnedBlock(Some(block))) => block.ptr.as_ptr(),
            // The option is only emptied by drop.
            Owner::Block(OwnedBlock(None)) => std::ptr::null(),
            Owner::Foreign(bytes) => bytes.as_ptr(),
        }
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.base().wrapping_add(self.offset)
    }

    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: offset + len lies inside the block (kept by every constructor), the block is
        // initialised (zeroed at allocation) and not written while shared.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.len) }
    }

    /// The bytes for writing, if nobody else can see them and they are ours.
    pub fn as_mut(&mut self) -> Option<&mut [u8]> {
        let (offset, len) = (self.offset, self.len);
        match Arc::get_mut(&mut self.owner)? {
            Owner::Small(small) => Some(&mut small.0[offset..offset + len]),
            Owner::Block(OwnedBlock(Some(block))) => {
                // SAFETY: `get_mut` proved sole ownership; the range lies inside the block.
                Some(unsafe { std::slice::from_raw_parts_mut(block.ptr.as_ptr().add(offset), len) })
            }
            _ => None,
        }
    }

    pub fn is_unique(&mut self) -> bool {
        Arc::get_mut(&mut self.owner).is_some_and(|o| !matches!(o, Owner::Foreign(_)))
    }

    /// A part of the same block. Panics if the range is outside; callers compute it from shapes.
    pub fn slice(&self, offset: usize, len: usize) -> Buffer {
        assert!(offset.checked_add(len).is_some_and(|end| end <= self.len), "slice past the end");
        Buffer { owner: self.owner.clone(), offset: self.offset + offset, len }
    }

    /// The same bytes as a `Bytes` that keeps this buffer alive: nothing is copied.
    pub fn to_bytes(&self) -> Bytes {
        match &*self.owner {
            Owner::Foreign(bytes) => bytes.slice(self.offset..self.offset + self.len),
            Owner::Small(_) => Bytes::copy_from_slice(self.as_bytes()),
            Owner::Block(_) => Bytes::from_owner(self.clone()),
        }
    }

    /// Number of owners of the underlying block.
    pub fn owners(&self) -> usize {
        Arc::strong_count(&self.owner)
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_zeroed_on_request() {
        let b = Buffer::zeroed(100).unwrap();
        assert_eq!(b.as_ptr() as usize % 64, 0);
        assert!(b.as_bytes().iter().all(|&x| x == 0));
    }

    #[test]
    fn writing_needs_the_only_owner() {
        let mut a = Buffer::zeroed(8).unwrap();
        a.as_mut().unwrap()[0] = 7;
        let b = a.clone();
        assert!(a.as_mut().is_none());
        drop(b);
        assert!(a.as_mut().is_some());
    }

    #[test]
    fn foreign_bytes_are_not_copied_and_not_written() {
        let bytes = Bytes::from(vec![1u8, 2, 3]);
        let mut b = Buffer::foreign(bytes.clone());
        assert_eq!(b.as_ptr(), bytes.as_ptr());
        assert!(b.as_mut().is_none());
        assert_eq!(b.slice(1, 2).to_bytes().as_ptr(), bytes[1..].as_ptr());
    }

    #[test]
    fn leaving_bytes_keep_the_block_alive() {
        let a = Buffer::zeroed(100).unwrap();
        let out = a.to_bytes();
        assert_eq!(out.as_ptr(), a.as_ptr());
        drop(a);
        assert_eq!(out.len(), 100);
    }
}
