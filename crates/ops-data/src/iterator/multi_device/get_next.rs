//! MultiDeviceIteratorGetNextFromShard: takes the next element that is a device's.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::buffers::Buffers;
use super::resource::MultiDeviceIterator;
use crate::component::Signature;
use crate::iterator::element_shapes;
use crate::iterator::string_handle::Named;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MultiDeviceIteratorGetNextFromShard(multi_device_iterator: resource, shard_num: int32, incarnation_id: int64) -> (components: output_types) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(element_shapes),
        |build| Ok(KernelBox::asynchronous(GetNext(Signature::of(build)?))),
    )
}

struct GetNext(Signature);

impl AsyncKernel for GetNext {
    fn start(&self, cx: AsyncContext) {
        match wanted(&cx, &self.0) {
            Ok((buffers, shard)) => buffers.ask(cx, shard),
            Err(error) => cx.finish(Err(error)),
        }
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn wanted(cx: &AsyncContext, signature: &Signature) -> Result<(Arc<Buffers>, i64)> {
    let scalar = |tensor: &Tensor, name: &str| match tensor.rank() {
        0 => tensor.to_i64_scalar(),
        _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
    };
    let shard = scalar(cx.input(1), "shard_num")?;
    let incarnation = scalar(cx.input(2), "incarnation_id")?;
    let iterator = cx.resource::<MultiDeviceIterator>(0)?;
    iterator.check_signature(signature)?;
    Ok((iterator.buffers(incarnation)?, shard))
}
