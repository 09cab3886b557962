//! TensorSummaryV2 (and its first version): a whole tensor as a summary.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{Summary, SummaryMetadata, summary};
use downpour_wire::{Message, tensor_to_proto};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string) -> (summary: string)
                T: type",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(tagged)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorSummary(tensor: T) -> (summary: string)
                T: type
                description: string = ''
                labels: list(string) = []
                display_name: string = ''",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(untagged)),
    )
}

fn tagged(cx: &mut OpContext<'_>) -> Result<()> {
    let tag = String::from_utf8_lossy(&cx.scalar_input(0)?.strings()?[0]).into_owned();
    let encoded = cx.scalar_input(2)?.strings()?[0].clone();
    let metadata = SummaryMetadata::decode(encoded)
        .map_err(|_| Status::invalid_argument("serialized_summary_metadata cannot be read"))?;
    let value = summary::Value { tag, metadata: Some(metadata), ..Default::default() };
    emit(cx, 1, value)
}

fn untagged(cx: &mut OpContext<'_>) -> Result<()> {
    let node_name = cx.node().name.clone();
    emit(cx, 0, summary::Value { node_name, ..Default::default() })
}

/// Puts the tensor into a labelled value and the value into a summary.
fn emit(cx: &mut OpContext<'_>, input: usize, mut value: summary::Value) -> Result<()> {
    let tensor = Box::new(tensor_to_proto(cx.input(input))?);
    value.value = Some(summary::value::Value::Tensor(tensor));
    cx.set_output(0, Tensor::string(Summary { value: vec![value] }.encode_to_vec()));
    Ok(())
}
