//! Memory outside of tensors goes back to the system.
//!
//! The C library keeps what was freed for the next allocation, also when a stranger's thousands of calls were what
//! needed it. Tensors have their own pool; everything else is watched here: when the process has grown by `GROWTH`
//! since the last time, free memory is handed back.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Growth of the process outside of tensors after which free memory is handed back.
const GROWTH: u64 = 16 << 20;

/// The size of the process outside of tensors when memory was handed back last.
#[derive(Default)]
pub struct Heap {
    level: AtomicU64,
}

impl Heap {
    /// Hands free memory back if much may have been freed. Takes a while: not for threads that carry messages.
    pub fn trim(&self) {
        let Some(size) = size() else { return };
        let level = self.level.load(Relaxed);
        // If it shrank by itself, that is the new level to compare with.
        if size <= level.saturating_add(GROWTH) {
            self.level.fetch_min(size, Relaxed);
            return;
        }
        give_back();
        self.level.store(self::size().unwrap_or(size), Relaxed);
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
        let full = size().unwrap();
        pieces.iter_mut().enumerate().filter(|(i, _)| i % 1000 != 0).for_each(|(_, p)| *p = None);
        heap.trim();
        let after = size().unwrap();
        assert!(after + (100 << 20) < full, "{after} of {full}");
        drop(pieces);
    }
}
