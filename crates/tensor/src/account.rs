//! The account of the process's tensor memory and the limit it is held to.
//!
//! The account covers: buffers of plain tensors, the bytes of every string element (`ByteString`), the elements of string,
//! handle and variant tensors (`List`), and what containers of tensors say they hold (`Charge`). Each is counted once,
//! where it is allocated, and until its last holder is gone. Bytes of a network message that a plain tensor uses in
//! place are not: they belong to the connection.
//!
//! Protocol. `charge` is called before memory is taken and refuses what would pass the limit; `discharge` follows when
//! the memory is given back. Amounts below `BATCHED_BELOW` are added up per thread and booked when they reach `BATCH`
//! in either direction, so that many small strings and scalars do not contend for one counter; the account is
//! therefore off by at most `BATCH` for every thread, and may for a moment be below zero when one thread frees what
//! another has not booked. A thread books the rest when it ends.

use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

use crate::{Result, Status};

const BATCHED_BELOW: usize = 4 << 10;
const BATCH: isize = 64 << 10;

static IN_USE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static UNBOOKED: Unbooked = const { Unbooked(Cell::new(0)) };
}

/// Bytes this thread has charged (or, below zero, discharged) and not yet booked.
struct Unbooked(Cell<isize>);

impl Drop for Unbooked {
    fn drop(&mut self) {
        IN_USE.fetch_add(self.0.take(), Relaxed);
    }
}

pub(crate) fn in_use() -> usize {
    IN_USE.load(Relaxed).max(0) as usize
}

pub(crate) fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Returns the most bytes tensors may hold; by default the machine's (or control group's) memory.
pub fn memory_limit() -> usize {
    match LIMIT.load(Relaxed) {
        0 => {
            let limit = machine_memory();
            LIMIT.store(limit, Relaxed);
            limit
        }
        limit => limit,
    }
}

/// The limit as the account counts.
fn limit() -> isize {
    isize::try_from(memory_limit()).unwrap_or(isize::MAX)
}

/// Sets the most bytes tensors may hold.
pub fn set_memory_limit(bytes: usize) {
    LIMIT.store(bytes.max(1), Relaxed);
}

fn machine_memory() -> usize {
    let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse::<usize>().ok());
    total.unwrap_or(usize::MAX).min(group.unwrap_or(usize::MAX))
}

pub(crate) fn exhausted(bytes: usize, why: &str) -> Status {
    Status::resource_exhausted(format!(
        "OOM when allocating {bytes} bytes: {why} ({} of {} bytes in use)",
        in_use(),
        memory_limit()
    ))
}

fn beyond_limit(bytes: usize) -> Status {
    exhausted(
        bytes,
        "the memory limit would be passed; make the tensors smaller, free others or raise --memory-limit",
    )
}

/// Counts memory that is about to be used, unless the limit would be passed.
pub(crate) fn charge(bytes: usize) -> Result<()> {
    if bytes >= BATCHED_BELOW {
        return book(bytes, bytes);
    }
    let bytes = bytes as isize;
    UNBOOKED
        .try_with(|unbooked| {
            let sum = unbooked.0.get() + bytes;
            if sum >= BATCH {
                book(sum as usize, bytes as usize)?;
                unbooked.0.set(0);
            } else if bytes > 0 && IN_USE.load(Relaxed).saturating_add(sum) > limit() {
                // What cannot be refused is booked, too, and may always be what fills the batch.
                return Err(beyond_limit(bytes as usize));
            } else {
                unbooked.0.set(sum);
            }
            Ok(())
        })
        // The thread is ending.
        .unwrap_or_else(|_| book(bytes as usize, bytes as usize))
}

/// Refuses when the limit is passed already. Small amounts are counted without being refused (scalars); whoever makes
/// many of them asks here now and then.
pub(crate) fn check_limit() -> Result<()> {
    if IN_USE.load(Relaxed) > limit() { Err(beyond_limit(0)) } else { Ok(()) }
}

/// Adds `sum` to the account unless the limit would be passed; an error says that `asked` bytes were asked for.
fn book(sum: usize, asked: usize) -> Result<()> {
    // Looked at first, so that an absurd size cannot make the counter wrap around.
    if sum > memory_limit().min(isize::MAX as usize / 2) {
        return Err(beyond_limit(asked));
    }
    let before = IN_USE.fetch_add(sum as isize, Relaxed).max(0) as usize;
    if before.saturating_add(sum) > memory_limit() {
        IN_USE.fetch_sub(sum as isize, Relaxed);
        return Err(beyond_limit(asked));
    }
    PEAK.fetch_max(before + sum, Relaxed);
    Ok(())
}

/// Counts a small amount that must not be refused (a scalar). Whoever keeps many of them has to `charge` for it.
pub(crate) fn count(bytes: usize) {
    settle(bytes as isize);
}

pub(crate) fn discharge(bytes: usize) {
    settle(-(bytes as isize));
}

fn settle(change: isize) {
    let booked = || {
        IN_USE.fetch_add(change, Relaxed);
    };
    if change.unsigned_abs() >= BATCHED_BELOW {
        return booked();
    }
    let batched = UNBOOKED.try_with(|unbooked| {
        let sum = unbooked.0.get() + change;
        if sum.abs() >= BATCH {
            IN_USE.fetch_add(sum, Relaxed);
            unbooked.0.set(0);
        } else {
            unbooked.0.set(sum);
        }
    });
    if batched.is_err() {
        booked();
    }
}

/// Memory that counts against the limit as long as this value lives.
///
/// Containers that keep tensors beyond a step (queues, lists, tables) hold one for what the tensors' own contents do
/// not count: the places they lie in.
#[derive(Debug, Default)]
pub struct Charge(usize);

impl Charge {
    /// Counts `bytes`, or refuses with RESOURCE_EXHAUSTED where the limit would be passed.
    pub fn new(bytes: usize) -> Result<Charge> {
        charge(bytes)?;
        Ok(Charge(bytes))
    }

    /// Counts what a kernel needs besides its outputs while it computes: `count` times a `T`. Asked for before the
    /// memory is taken, and held as long as it.
    pub fn scratch<T>(count: usize) -> Result<Charge> {
        Charge::new(count.saturating_mul(size_of::<T>()))
    }

    /// Counts a few bytes that must not be refused.
    pub(crate) fn unrefused(bytes: usize) -> Charge {
        count(bytes);
        Charge(bytes)
    }

    /// Counts `more` bytes in addition whatever the limit is: for what is put back where it was counted before.
    pub fn restore(&mut self, more: usize) {
        count(more);
        self.0 += more;
    }

    /// Gives back `less` of the bytes that are counted.
    pub fn release(&mut self, less: usize) {
        self.shrink_to(self.0.saturating_sub(less));
    }

    /// Counts `more` bytes in addition.
    pub fn grow(&mut self, more: usize) -> Result<()> {
        charge(more)?;
        self.0 += more;
        Ok(())
    }

    /// Takes over what another counts.
    pub fn join(&mut self, mut other: Charge) {
        self.0 += std::mem::take(&mut other.0);
    }

    /// Gives back what is counted beyond `bytes`.
    pub fn shrink_to(&mut self, bytes: usize) {
        let less = self.0.saturating_sub(bytes);
        discharge(less);
        self.0 -= less;
    }

    /// Returns how many bytes are counted.
    pub fn bytes(&self) -> usize {
        self.0
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        discharge(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_the_limit_is_refused_and_says_what_to_do() {
        for bytes in [memory_limit() + 1, usize::MAX] {
            let refused = Charge::new(bytes).unwrap_err();
            assert_eq!(refused.code(), crate::Code::ResourceExhausted);
            for part in [&bytes.to_string(), &memory_limit().to_string(), "--memory-limit"] {
                assert!(refused.message().contains(part), "{refused}");
            }
        }
        let mut charge = Charge::new(1).unwrap();
        assert!(charge.grow(usize::MAX).is_err());
        assert_eq!(charge.bytes(), 1);
    }

    #[test]
    fn small_amounts_are_booked_together_and_when_the_thread_ends() {
        std::thread::spawn(|| {
            let unbooked = || UNBOOKED.with(|u| u.0.get());
            let charges: Vec<Charge> = (0..100).map(|_| Charge::new(1000).unwrap()).collect();
            assert_eq!(unbooked(), 100_000 % 66_000, "66 of 1000 bytes are a batch");
            drop(charges);
            assert!(unbooked().abs() < BATCH);
        })
        .join()
        .unwrap();
    }
}
