//! Records in memory: for tests, simulations, and runs nobody wants to resume.

use std::sync::{Arc, Mutex, PoisonError};

use downpour_tensor::{Result, Status};

use super::{Storage, Stored};

/// Records in memory. Clones share them: another clone is another coordinator on the same storage.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage(Arc<Mutex<(u64, Stored)>>);

impl MemoryStorage {
    /// An empty one.
    pub fn new() -> MemoryStorage {
        MemoryStorage::default()
    }

    fn with<T>(&self, term: u64, write: impl FnOnce(&mut Stored) -> T) -> Result<T> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.0 != term {
            return Err(super::file::term_is_over(term, inner.0));
        }
        Ok(write(&mut inner.1))
    }
}

impl Storage for MemoryStorage {
    fn claim(&mut self) -> Result<(u64, Stored)> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0 = inner
            .0
            .checked_add(1)
            .ok_or_else(|| Status::resource_exhausted("no terms are left"))?;
        Ok(inner.clone())
    }

    fn append(&mut self, term: u64, record: &[u8]) -> Result<()> {
        self.with(term, |stored| stored.records.push(record.to_vec()))
    }

    fn replace(&mut self, term: u64, snapshot: &[u8]) -> Result<()> {
        self.with(term, |stored| {
            stored.snapshot = Some(snapshot.to_vec());
            stored.records.clear();
        })
    }
}
