//! HistogramSummary: how a tensor's values are distributed, in TensorFlow's buckets.

use downpour_formats::events::Histogram;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::encode_string;
use downpour_wire::proto::{Summary, summary};

use super::scalar::as_floats;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "HistogramSummary(tag: string, values: T) -> (summary: string)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64} = float",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let tag = cx.scalar_input(0)?.strings()?[0].clone();
    let summary = summarize(String::from_utf8_lossy(&tag).into_owned(), cx.input(1))?;
    cx.set_output(0, Tensor::string(encode_string(&summary)?));
    Ok(())
}

/// Returns the summary of a tensor of real numbers.
pub(crate) fn summarize(tag: String, values: &Tensor) -> Result<Summary> {
    let mut histogram = Histogram::default();
    for &value in as_floats(values)?.iter() {
        histogram.add(value);
        if !value.is_finite() {
            let what = if value.is_nan() { "Nan" } else { "Infinity" };
            return Err(Status::invalid_argument(format!(
                "{what} in summary histogram for: {tag}"
            )));
        }
    }
    let histogram = summary::value::Value::Histo(histogram.to_proto());
    let value = vec![summary::Value { tag, value: Some(histogram), ..Default::default() }];
    Ok(Summary { value })
}
