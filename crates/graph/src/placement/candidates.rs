//! The devices there are, found by the task a request names.

use std::collections::HashMap;

use super::PlacementOptions;
use crate::device_name::DeviceName;

/// Devices by job and task, each also under what requests leave open: a cluster of a thousand tasks is not
/// searched for every node.
pub(super) struct Candidates<'a> {
    devices: &'a [DeviceName],
    default: usize,
    by_task: HashMap<(Option<&'a str>, Option<u32>), Vec<usize>>,
}

impl<'a> Candidates<'a> {
    pub fn new(options: &PlacementOptions<'a>) -> Candidates<'a> {
        let mut by_task: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, device) in options.devices.iter().enumerate() {
            let job = device.job.as_deref();
            for key in [(job, device.task), (job, None), (None, device.task), (None, None)] {
                by_task.entry(key).or_default().push(index);
            }
        }
        Candidates { devices: options.devices, default: options.default, by_task }
    }

    /// The device for a request: the default if it will do, else the first that does.
    pub fn fitting(&self, name: &DeviceName) -> Option<usize> {
        if name.matches(&self.devices[self.default]) {
            return Some(self.default);
        }
        let named = self.by_task.get(&(name.job.as_deref(), name.task))?;
        named.iter().copied().find(|&index| name.matches(&self.devices[index]))
    }
}
