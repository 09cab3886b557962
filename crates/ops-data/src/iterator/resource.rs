//! The resource behind an iterator's handle.

use std::sync::Arc;

use downpour_runtime::Resource;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::request::Running;
use crate::component::Signature;
use crate::dataset::GraphDataset;

/// An iterator: nothing until it is initialized with a dataset.
pub(crate) struct Iterator {
    signature: Option<Signature>,
    current: Mutex<Option<Current>>,
}

struct Current {
    dataset: GraphDataset,
    running: Arc<Running>,
}

impl Iterator {
    /// Returns an iterator for datasets of this signature; without one it takes any.
    pub fn new(signature: Option<Signature>) -> Iterator {
        Iterator { signature, current: Mutex::new(None) }
    }

    /// Begins with a dataset; what was iterated before is closed.
    pub fn start(&self, dataset: GraphDataset) -> Result<()> {
        if let Some(signature) = &self.signature {
            signature.check_compatible(&dataset.signature)?;
        }
        crate::graph::check_assertions(&dataset)?;
        let running = Running::new(dataset.clone());
        let before = self.current.lock().replace(Current { dataset, running });
        if let Some(before) = before {
            before.running.close();
        }
        Ok(())
    }

    /// Returns what is being iterated.
    pub fn running(&self) -> Result<Arc<Running>> {
        let current = self.current.lock();
        current.as_ref().map(|current| current.running.clone()).ok_or_else(|| {
            Status::failed_precondition(
                "GetNext() failed because the iterator has not been initialized. Ensure that you have run the \
                 initializer operation for this iterator before getting the next element.",
            )
        })
    }

    /// Fails unless the elements are what a node expects.
    pub fn check_signature(&self, expected: &Signature) -> Result<()> {
        match &self.signature {
            Some(signature) => expected.check_compatible(signature),
            None => Ok(()),
        }
    }
}

impl Drop for Iterator {
    fn drop(&mut self) {
        if let Some(current) = self.current.get_mut() {
            current.running.close();
        }
    }
}

impl Resource for Iterator {
    fn describe(&self) -> String {
        match &*self.current.lock() {
            Some(current) => format!("iterator over {}", current.dataset.pipeline.describe()),
            None => "iterator, not initialized".to_owned(),
        }
    }
}
