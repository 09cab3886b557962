//! The resource behind a multi-device iterator's handle.

use std::sync::Arc;

use downpour_runtime::Resource;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::buffers::Buffers;
use crate::component::Signature;
use crate::dataset::GraphDataset;
use crate::iterator::string_handle::Named;

/// An iterator for several devices: nothing until it is initialized with a dataset.
pub(super) struct MultiDeviceIterator {
    signature: Signature,
    devices: usize,
    current: Mutex<Current>,
}

#[derive(Default)]
struct Current {
    /// Counts the initializations; readers say which one they mean.
    incarnation: i64,
    buffers: Option<Arc<Buffers>>,
}

impl MultiDeviceIterator {
    pub fn new(signature: Signature, devices: usize) -> MultiDeviceIterator {
        MultiDeviceIterator { signature, devices, current: Mutex::default() }
    }

    /// Begins with a dataset and returns the incarnation; what was iterated before is closed.
    pub fn start(&self, dataset: &GraphDataset, most: usize) -> Result<i64> {
        self.signature.check_compatible(&dataset.signature)?;
        let buffers = Buffers::new(dataset.pipeline.clone(), self.devices, most);
        let mut current = self.current.lock();
        current.incarnation += 1;
        let incarnation = current.incarnation;
        let before = current.buffers.replace(buffers);
        drop(current);
        if let Some(before) = before {
            before.close();
        }
        Ok(incarnation)
    }

    /// Returns the buffers of an incarnation.
    pub fn buffers(&self, incarnation: i64) -> Result<Arc<Buffers>> {
        let current = self.current.lock();
        let Some(buffers) = &current.buffers else {
            return Err(Status::failed_precondition(
                "GetNextFromShard() failed because the multi-device iterator has not been initialized. Ensure that you \
                 have run its initializer operation before getting the next element.",
            ));
        };
        if incarnation != current.incarnation {
            return Err(Status::invalid_argument(format!(
                "Invalid incarnation id. Provided: {incarnation}; Expected: {}",
                current.incarnation
            )));
        }
        Ok(buffers.clone())
    }
}

impl Named for MultiDeviceIterator {
    fn check_signature(&self, expected: &Signature) -> Result<()> {
        expected.check_compatible(&self.signature)
    }
}

impl Drop for MultiDeviceIterator {
    fn drop(&mut self) {
        if let Some(buffers) = self.current.get_mut().buffers.take() {
            buffers.close();
        }
    }
}

impl Resource for MultiDeviceIterator {
    fn describe(&self) -> String {
        format!("iterator for {} devices", self.devices)
    }
}
