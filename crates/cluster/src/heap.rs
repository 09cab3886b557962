//! Memory outside of tensors goes back to the system.
//!
//! The C library keeps what was freed for the next allocation, also when a stranger's thousands of calls were what
//! needed it. Tensors have their own pool; everything else is watched here: when the process has grown by `GROWTH`
//! since the last time, or as much has been freed in it, free memory is handed back.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Growth of the process outside of tensors, or of what is free in it, after which free memory is handed back.
const GROWTH: u64 = 16 << 20;

/// The size of the process outside of tensors when memory was handed back last, and what the allocator had free then:
/// it goes on to count as free what was handed back.
#[derive(Default)]
pub struct Heap {
    level: AtomicU64,
    free: AtomicU64,
}

impl Heap {
    /// Hands free memory back if much may have been freed. Takes a while: not for threads that carry messages.
    pub fn trim(&self) {
        let Some(size) = size() else { return };
        let (level, free) = (self.level.load(Relaxed), free());
        let has_grown = size > level.saturating_add(GROWTH);
        if !has_grown && free <= self.free.load(Relaxed).saturating_add(GROWTH) {
            // If it shrank by itself, that is the new level to compare with.
            self.level.fetch_min(size, Relaxed);
            self.free.fetch_min(free, Relaxed);
            return;
        }
        give_back();
        self.level.store(self::size().unwrap_or(size), Relaxed);
        self.free.store(self::free(), Relaxed);
    }
}

/// Resident memory that is neither in tensors nor kept for them.
fn size() -> Option<u64> {
    let tensors = downpour_tensor::memory_use();
    Some(resident_bytes()?.saturating_sub((tensors.in_use + tensors.pooled) as u64))
}

/// The process's resident memory where the system tells it (Linux).
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    // SAFETY: the function takes the allocator's own locks and touches free memory only.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}

/// Bytes that the allocator keeps for later.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn free() -> u64 {
    // SAFETY: the function takes the allocator's own locks and only reads.
    unsafe { libc::mallinfo2() }.fordblks as u64
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn free() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn resident_memory_is_told() {
        assert!(resident_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn what_was_freed_goes_back() {
        let heap = Heap::default();
        heap.trim();
        // Small pieces, every thousandth of which stays and keeps its neighbourhood from going back by itself.
        let mut pieces: Vec<Option<Vec<u8>>> = (0..400_000).map(|_| Some(vec![1; 500])).collect();
        // Also if it had grown before something was freed.
        heap.trim();
        let full = size().unwrap();
        pieces.iter_mut().enumerate().filter(|(i, _)| i % 1000 != 0).for_each(|(_, p)| *p = None);
        heap.trim();
        let after = size().unwrap();
        assert!(after + (100 << 20) < full, "{after} of {full}");
        drop(pieces);
    }
}
