//! Memory outside of tensors that counts against the process's memory limit.

use crate::Result;
use crate::memory::{charge, discharge};

/// A number of bytes that count as used until the value is dropped.
#[derive(Debug, Default)]
pub struct MemoryCharge(usize);

impl MemoryCharge {
    /// Counts so many bytes as used; RESOURCE_EXHAUSTED if the limit would be passed.
    pub fn new(bytes: usize) -> Result<MemoryCharge> {
        charge(bytes)?;
        Ok(MemoryCharge(bytes))
    }

    /// The bytes that are counted now.
    pub fn bytes(&self) -> usize {
        self.0
    }

    /// Counts further bytes; on an error nothing changes.
    pub fn grow(&mut self, bytes: usize) -> Result<()> {
        charge(bytes)?;
        self.0 += bytes;
        Ok(())
    }
}

impl Drop for MemoryCharge {
    fn drop(&mut self) {
        discharge(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{memory_limit, memory_use};

    #[test]
    fn a_charge_counts_until_it_is_dropped() {
        let large = 1 << 40;
        crate::set_memory_limit(memory_limit().max(4 * large));
        let mut charge = MemoryCharge::new(large).unwrap();
        charge.grow(large).unwrap();
        assert_eq!(charge.bytes(), 2 * large);
        assert!(memory_use().in_use >= 2 * large);
        assert!(charge.grow(usize::MAX / 2).is_err());
        drop(charge);
        assert!(memory_use().in_use < large);
    }
}
