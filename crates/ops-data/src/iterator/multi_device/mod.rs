//! MultiDeviceIterator: the elements of one dataset dealt to several devices in turn.

mod buffers;
mod create;
mod get_next;
mod init;
mod resource;

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, Registry};
use downpour_tensor::Result;

use super::string_handle;
use crate::anonymous;
use resource::MultiDeviceIterator;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    create::register(registry)?;
    get_next::register(registry)?;
    init::register(registry)?;
    string_handle::register_for::<MultiDeviceIterator>(
        registry,
        "MultiDeviceIteratorToStringHandle(multi_device_iterator: resource)",
        &[
            "MultiDeviceIteratorFromStringHandle(string_handle: string) -> (multi_device_iterator: resource)",
        ],
    )?;
    registry.add(
        OpSpec::new(
            "DeleteMultiDeviceIterator(multi_device_iterator: resource, iterators: N*resource, deleter: variant) -> () @stateful
                N: int >= 0",
        )?,
        |_| Ok(KernelBox::function(anonymous::delete)),
    )
}
