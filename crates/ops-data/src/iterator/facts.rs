//! IteratorGetDevice and IteratorGetModelProto: what is known about an iterator.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::resource::Iterator;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["IteratorGetDevice", "ExperimentalIteratorGetDevice"] {
        let signature = format!("{name}(resource: resource) -> (device: string) @stateful");
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| {
            Ok(KernelBox::cheap(device))
        })?;
    }
    registry.add(
        OpSpec::new(
            "IteratorGetModelProto(iterator: resource) -> (model_proto: string) @stateful",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(model)),
    )
}

/// An iterator is on the device of the kernels that use it.
fn device(cx: &mut OpContext<'_>) -> Result<()> {
    let name = Tensor::from_string(cx.step().device().to_owned())?;
    cx.set_output(0, name);
    Ok(())
}

/// Pipelines tune themselves by what they measure, without a model of the whole.
fn model(cx: &mut OpContext<'_>) -> Result<()> {
    cx.resource::<Iterator>(0)?.current("GetModelProto", "asking for its model")?;
    Err(Status::not_found(
        "Cannot find this iterator's analytical model: pipelines here are tuned by what is measured, without a model",
    ))
}
