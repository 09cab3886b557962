//! The pool that recycles large blocks of tensor memory.
//!
//! Blocks below `POOLED_FROM` bytes go straight to the system allocator, which is fast for them.
//! Larger ones cost page faults when fresh, so freed ones wait in size classes for the next user, up
//! to `POOL_LIMIT` bytes in all; `trim_pool`, called now and then, gives back those that nobody needed for
//! a while. Memory handed out counts against a process-wide limit (`account.rs`), so that a
//! step which asks for too much fails instead of the process being killed.
//!
//! Blocks from `HUGE_FROM` bytes on ask the system for huge pages: rows of a large table lie on a page each, and finding
//! the page takes longer than reading the row.

use std::alloc::{Layout, LayoutError, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use crate::Result;
use crate::account::{self, charge, discharge, memory_limit};

/// Alignment of every block: one cache line, and enough for AVX-512 loads.
pub(crate) const ALIGNMENT: usize = 64;
const POOLED_FROM: usize = 32 << 10;
const HUGE_FROM: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;
const POOL_LIMIT: usize = 512 << 20;
const CLASSES: usize = 64 * 4;

static POOLED: AtomicUsize = AtomicUsize::new(0);

/// A snapshot of the process's tensor memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    pub in_use: usize,
    pub peak: usize,
    pub pooled: usize,
    pub limit: usize,
}

pub fn memory_use() -> MemoryUse {
    MemoryUse {
        in_use: account::in_use(),
        peak: account::peak(),
        pooled: POOLED.load(Relaxed),
        limit: memory_limit(),
    }
}

/// One block of memory; `capacity` is what it was allocated with.
pub(crate) struct Block {
    pub ptr: NonNull<u8>,
    pub capacity: usize,
}

// SAFETY: a block is owned memory without thread affinity.
unsafe impl Send for Block {}

/// Rounds up to a size class: four classes per power of two for pooled sizes, cache lines below.
fn class_size(bytes: usize) -> Option<usize> {
    if bytes < POOLED_FROM {
        return Some(bytes.max(1).next_multiple_of(ALIGNMENT));
    }
    let quarter = 1usize << (usize::BITS - 1 - bytes.leading_zeros() - 2);
    bytes.checked_next_multiple_of(quarter).filter(|&b| b <= isize::MAX as usize - ALIGNMENT)
}

fn class_index(capacity: usize) -> usize {
    let exponent = (usize::BITS - 1 - capacity.leading_zeros()) as usize;
    exponent * 4 + ((capacity >> (exponent - 2)) & 3)
}

/// A freed block and how often the pool had been trimmed when it came in.
struct Spare {
    block: Block,
    since: usize,
}

/// Stacks by size class: the spares used last are used next, those at the bottom may be too many.
#[derive(Default)]
struct Pool {
    classes: Vec<Vec<Spare>>,
    trimmed: usize,
}

fn pool() -> &'static Mutex<Pool> {
    static POOL: OnceLock<Mutex<Pool>> = OnceLock::new();
    POOL.get_or_init(|| {
        let classes = (0..CLASSES).map(|_| Vec::new()).collect();
        Mutex::new(Pool { classes, trimmed: 0 })
    })
}

/// Gives back to the system what lay in the pool unused since `rounds` calls ago.
pub fn trim_pool(rounds: usize) {
    let old: Vec<Spare> = {
        let mut pool = pool().lock();
        pool.trimmed += 1;
        let limit = pool.trimmed;
        let is_old = |spare: &mut Spare| spare.since + rounds < limit;
        pool.classes.iter_mut().flat_map(|class| class.extract_if(.., is_old)).collect()
    };
    for Spare { block, .. } in old {
        POOLED.fetch_sub(block.capacity, Relaxed);
        free(block);
    }
}

pub(crate) fn allocate(bytes: usize) -> Result<Block> {
    allocate_with(bytes, zeroed).map(|(block, _)| block)
}

/// Returns a block and how many of its bytes, from the first, are initialised: all of a recycled block, none of a
/// fresh one, whose pages the system provides as they are written. `release` takes only initialised blocks.
pub(crate) fn allocate_unwritten(bytes: usize) -> Result<(Block, usize)> {
    let (block, recycled) = allocate_with(bytes, unwritten)?;
    let initialised = if recycled { block.capacity } else { 0 };
    Ok((block, initialised))
}

/// Returns a block and whether it is a recycled one; `fresh` gets memory from the system.
fn allocate_with(bytes: usize, fresh: fn(Layout) -> *mut u8) -> Result<(Block, bool)> {
    let exhausted = |why: &str| account::exhausted(bytes, why);
    let capacity = class_size(bytes).ok_or_else(|| exhausted("the size is beyond any machine"))?;
    charge(capacity)?;
    if capacity >= POOLED_FROM {
        let recycled = pool().lock().classes[class_index(capacity)].pop();
        if let Some(Spare { block, .. }) = recycled {
            POOLED.fetch_sub(capacity, Relaxed);
            return Ok((block, true));
        }
    }
    let refused = |why: &str| {
        discharge(capacity);
        exhausted(why)
    };
    let layout = layout(capacity).map_err(|_| refused("the size is beyond any machine"))?;
    let ptr =
        NonNull::new(fresh(layout)).ok_or_else(|| refused("the system has no memory left"))?;
    Ok((Block { ptr, capacity }, false))
}

pub(crate) fn release(block: Block) {
    discharge(block.capacity);
    if block.capacity >= POOLED_FROM
        && POOLED.load(Relaxed) + block.capacity <= POOL_LIMIT.min(memory_limit() / 2)
    {
        POOLED.fetch_add(block.capacity, Relaxed);
        let mut pool = pool().lock();
        let since = pool.trimmed;
        pool.classes[class_index(block.capacity)].push(Spare { block, since });
        return;
    }
    free(block);
}

/// Gives a block back to the system at once.
pub(crate) fn discard(block: Block) {
    discharge(block.capacity);
    free(block);
}

/// Of a block of this capacity, which is not zero.
fn layout(capacity: usize) -> std::result::Result<Layout, LayoutError> {
    let alignment = if capacity < HUGE_FROM { ALIGNMENT } else { HUGE_PAGE };
    Layout::from_size_align(capacity, alignment)
}

/// Memory of zeros, so that a buffer never exposes uninitialised memory; null if there is none.
fn zeroed(layout: Layout) -> *mut u8 {
    if layout.align() < HUGE_PAGE {
        // SAFETY: no block is of size zero.
        return unsafe { alloc_zeroed(layout) };
    }
    let raw = unwritten(layout);
    if !raw.is_null() {
        // SAFETY: all of it is ours. Written after the advice: pages come with their first byte.
        unsafe { raw.write_bytes(0, layout.size()) };
    }
    raw
}

/// Memory that nobody has written yet; null if there is none.
fn unwritten(layout: Layout) -> *mut u8 {
    // SAFETY: no block is of size zero.
    let raw = unsafe { alloc(layout) };
    if layout.align() >= HUGE_PAGE && !raw.is_null() {
        // Where the system has no huge pages it has others; the block is the same.
        #[cfg(target_os = "linux")]
        // SAFETY: the range was just allocated, begins with a page, and the advice changes no byte of it.
        let _ = unsafe {
            let advice = rustix::mm::Advice::LinuxHugepage;
            rustix::mm::madvise(raw.cast(), layout.size(), advice)
        };
    }
    raw
}

fn free(block: Block) {
    // It was one when the block was allocated.
    if let Ok(layout) = layout(block.capacity) {
        // SAFETY: the block came from `allocate`, which used exactly this layout.
        unsafe { dealloc(block.ptr.as_ptr(), layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_cover_their_sizes() {
        for bytes in [1, 64, 65, 40_000, 65_536, 65_537, 1 << 30, (1 << 30) + 1] {
            let class = class_size(bytes).unwrap();
            assert!(class >= bytes && class.is_multiple_of(ALIGNMENT));
            assert!(class as f64 <= bytes as f64 * 1.26 + 64.0);
        }
        assert!(class_size(usize::MAX).is_none());
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(allocate(usize::MAX).is_err());
        assert!(allocate(1 << 60).is_err());
    }

    #[test]
    fn large_blocks_come_back_and_go_when_they_lie_unused() {
        let a = allocate(3 << 20).unwrap();
        let ptr = a.ptr;
        release(a);
        let blocks: Vec<Block> = (0..8).map(|_| allocate(3 << 20).unwrap()).collect();
        assert!(blocks.iter().any(|b| b.ptr == ptr));
        blocks.into_iter().for_each(release);
        // In the same test: the pool is one, and trimming it would disturb the other half.
        let size = 37 << 20;
        let class = class_index(class_size(size).unwrap());
        let spares = || pool().lock().classes[class].len();
        let (a, b) = (allocate(size).unwrap(), allocate(size).unwrap());
        release(a);
        release(b);
        assert_eq!(spares(), 2);
        trim_pool(2);
        // One is used all the time, the other not.
        let c = allocate(size).unwrap();
        release(c);
        trim_pool(2);
        trim_pool(2);
        assert_eq!(spares(), 1);
        trim_pool(0);
        assert_eq!(spares(), 0);
    }
}
