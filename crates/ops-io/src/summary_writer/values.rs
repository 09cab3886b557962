//! Writing values: WriteSummary (any tensor) and its relatives for numbers, histograms, images and sounds.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::event::What;
use downpour_wire::proto::summary::value::Value;
use downpour_wire::proto::{Summary, SummaryMetadata, summary};
use downpour_wire::{Message, counted_proto};

use super::event::{step, write};
use crate::summary::image::Images;
use crate::summary::scalar::as_floats;
use crate::summary::{audio, histogram};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let tensor = "WriteSummary(writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string) -> () @stateful
        T: type";
    registry.add(OpSpec::new(tensor)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(write_tensor))
    })?;
    let scalar = "WriteScalarSummary(writer: resource, step: int64, tag: string, value: T) -> () @stateful
        T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";
    registry.add(OpSpec::new(scalar)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(write_scalar))
    })?;
    let histogram = "WriteHistogramSummary(writer: resource, step: int64, tag: string, values: T) -> () @stateful
        T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, bool} = float";
    registry.add(OpSpec::new(histogram)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(write_histogram))
    })?;
    let image = "WriteImageSummary(writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8) -> () @stateful
        max_images: int >= 1 = 3
        T: {uint8, double, float, half} = float";
    registry.add(OpSpec::new(image)?.not_differentiable(), |build| {
        Ok(KernelBox::blocking(WriteImage { most: build.int("max_images")? }))
    })?;
    let audio = "WriteAudioSummary(writer: resource, step: int64, tag: string, tensor: float, sample_rate: float) -> () @stateful
        max_outputs: int >= 1 = 3";
    registry.add(OpSpec::new(audio)?.not_differentiable(), |build| {
        let most = build.int("max_outputs")?;
        let most = usize::try_from(most).ok().filter(|&most| most > 0);
        let most = most.ok_or_else(|| Status::invalid_argument("max_outputs must be > 0"))?;
        Ok(KernelBox::blocking(WriteAudio { most }))
    })
}

/// Returns the tag, which is input `i`.
fn tag(cx: &OpContext<'_>, i: usize) -> Result<String> {
    Ok(String::from_utf8_lossy(&cx.scalar_input(i)?.strings()?[0]).into_owned())
}

fn write_tensor(cx: &mut OpContext<'_>) -> Result<()> {
    let (step, tag) = (step(cx)?, tag(cx, 3)?);
    let metadata = &cx.scalar_input(4)?.strings()?[0];
    let metadata = match metadata.is_empty() {
        true => None,
        false => Some(SummaryMetadata::decode(metadata.to_bytes()).map_err(|_| {
            Status::invalid_argument("WriteSummary: summary_metadata cannot be read")
        })?),
    };
    let (tensor, _charge) = counted_proto(cx.input(2))?;
    let value = Some(Value::Tensor(Box::new(tensor)));
    let value = vec![summary::Value { tag, value, metadata, ..Default::default() }];
    write(cx, step, What::Summary(Summary { value }))
}

fn write_scalar(cx: &mut OpContext<'_>) -> Result<()> {
    let (step, tag) = (step(cx)?, tag(cx, 2)?);
    let Some(&number) = as_floats(cx.input(3))?.first() else {
        return Err(cx.bad_input(3, "must be a scalar, got an empty tensor"));
    };
    let value = Some(Value::SimpleValue(number as f32));
    let value = vec![summary::Value { tag, value, ..Default::default() }];
    write(cx, step, What::Summary(Summary { value }))
}

fn write_histogram(cx: &mut OpContext<'_>) -> Result<()> {
    let (step, tag) = (step(cx)?, tag(cx, 2)?);
    let values = cx.input(3);
    let summary = match values.dtype() {
        DataType::Bool => {
            let numbers = values.as_slice::<bool>()?.iter().map(|truth| u8::from(*truth)).collect();
            let numbers = Tensor::from_vec(values.shape().clone(), numbers)?;
            histogram::summarize(tag, &numbers)?
        }
        _ => histogram::summarize(tag, values)?,
    };
    write(cx, step, What::Summary(summary))
}

struct WriteImage {
    most: i64,
}

impl Kernel for WriteImage {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (step, tag) = (step(cx)?, tag(cx, 2)?);
        let images = Images::new(self.most, cx.input(4))?;
        let (summary, _charge) = images.summarize(cx, &tag, cx.input(3))?;
        write(cx, step, What::Summary(summary))
    }
}

struct WriteAudio {
    most: usize,
}

impl Kernel for WriteAudio {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (step, tag) = (step(cx)?, tag(cx, 2)?);
        let rate = cx.scalar_input(4)?.to_scalar::<f32>()?;
        let (summary, _charge) = audio::summarize(cx, &tag, cx.input(3), rate, self.most)?;
        write(cx, step, What::Summary(summary))
    }
}
