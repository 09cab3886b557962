//! TensorSummaryV2 (and its first version): a whole tensor as a summary.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, StringWriter, Tensor};
use downpour_wire::proto::{SummaryMetadata, summary};
use downpour_wire::{Message, counted_proto, encode_string};

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
    let metadata = SummaryMetadata::decode(encoded.to_bytes())
        .map_err(|_| Status::invalid_argument("serialized_summary_metadata cannot be read"))?;
    let label = summary::Value { tag, ..Default::default() };
    emit(cx, 1, label, summary::Value { metadata: Some(metadata), ..Default::default() })
}

fn untagged(cx: &mut OpContext<'_>) -> Result<()> {
    let label = summary::Value { node_name: cx.node().name.clone(), ..Default::default() };
    emit(cx, 0, label, summary::Value::default())
}

/// A summary of one value: the label, the tensor, and what stands behind it. The parts are encoded one
/// after the other, which is one message with its fields in TensorFlow's order.
fn emit(
    cx: &mut OpContext<'_>,
    input: usize,
    label: summary::Value,
    behind: summary::Value,
) -> Result<()> {
    let (tensor, _charge) = counted_proto(cx.input(input))?;
    let tensor = Box::new(tensor);
    let value = Some(summary::value::Value::Tensor(tensor));
    let middle = summary::Value { value, ..Default::default() };
    let parts = [label, middle, behind];
    let length = parts.iter().map(|part| part.encoded_len()).sum();
    let mut out = StringWriter::with_capacity(length)?;
    out.push(&prefix(length))?;
    for part in &parts {
        out.push(&encode_string(part)?)?;
    }
    cx.set_output(0, Tensor::string(out.finish()));
    Ok(())
}

/// What stands before `length` bytes in `Summary { value: [encoded] }`: field 1, length-delimited.
fn prefix(mut length: usize) -> Vec<u8> {
    let mut out = vec![0x0a];
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_wire::proto::Summary;

    #[test]
    fn the_parts_are_one_message() {
        let long = Tensor::from_vec([100], vec![1f32; 100]).unwrap();
        let out = OpTest::new(register, "TensorSummary").input(long).run_one().unwrap();
        let summary = Summary::decode(out.strings().unwrap()[0].to_bytes()).unwrap();
        assert_eq!((summary.value.len(), summary.value[0].node_name.as_str()), (1, "test"));
        assert!(matches!(summary.value[0].value, Some(summary::value::Value::Tensor(_))));
    }
}
