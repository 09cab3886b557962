//! The resource behind an iterator's handle.

use std::sync::Arc;

use downpour_data::Cancel;
use downpour_runtime::Resource;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::request::Running;
use super::saved::SavedPosition;
use super::string_handle::Named;
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
        self.current("GetNext", "getting the next element").map(|(_, running)| running)
    }

    /// Returns the dataset and the iteration; an error says what has failed and before what the program must begin.
    pub fn current(&self, call: &str, before: &str) -> Result<(GraphDataset, Arc<Running>)> {
        let current = self.current.lock();
        let both = current.as_ref().map(|c| (c.dataset.clone(), c.running.clone()));
        both.ok_or_else(|| {
            Status::failed_precondition(format!(
                "{call}() failed because the iterator has not been initialized. Ensure that you have run the initializer \
                 operation for this iterator before {before}."
            ))
        })
    }

    /// Goes on where another iterator of the same dataset stood; what was iterated before is closed.
    pub fn resume(&self, saved: &SavedPosition, cancel: Cancel) -> Result<()> {
        let (dataset, before) = self.current("Restore", "restoring it")?;
        dataset.pipeline.check_position(&saved.position)?;
        // It must not draw more seeds while the new one sets them back.
        before.close();
        let running = Running::resume(dataset.clone(), saved, cancel)?;
        let replaced = self.current.lock().replace(Current { dataset, running });
        if let Some(replaced) = replaced {
            replaced.running.close();
        }
        Ok(())
    }
}

impl Named for Iterator {
    fn check_signature(&self, expected: &Signature) -> Result<()> {
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
