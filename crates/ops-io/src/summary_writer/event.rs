//! Writing events and summaries that are messages already: ImportEvent, WriteRawProtoSummary and WriteGraphSummary.

use downpour_formats::events::now;
use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Charge, Code, Result, Status};
use downpour_wire::proto::event::What;
use downpour_wire::proto::{Event, GraphDef, Summary};
use downpour_wire::{Message, decode_counted, encode_string};

use super::writer::SummaryWriter;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let import = "ImportEvent(writer: resource, event: string) -> () @stateful";
    registry.add(OpSpec::new(import)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(import_event))
    })?;
    let raw = "WriteRawProtoSummary(writer: resource, step: int64, tensor: string) -> () @stateful";
    registry.add(OpSpec::new(raw)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(write_raw))
    })?;
    let graph = "WriteGraphSummary(writer: resource, step: int64, tensor: string) -> () @stateful";
    registry.add(OpSpec::new(graph)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(write_graph))
    })
}

/// Writes what happened at a step, through the writer that input 0 names.
pub(super) fn write(cx: &OpContext<'_>, step: i64, what: What) -> Result<()> {
    let writer = cx.resource::<SummaryWriter>(0)?;
    let event = Event { wall_time: now(), step, what: Some(what), ..Default::default() };
    writer.add(encode_string(&event)?)
}

/// Returns the step, which is input 1.
pub(super) fn step(cx: &OpContext<'_>) -> Result<i64> {
    let step = cx.input(1);
    if step.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "step must be scalar, got shape {}",
            step.shape()
        )));
    }
    step.to_scalar()
}

fn import_event(cx: &mut OpContext<'_>) -> Result<()> {
    let writer = cx.resource::<SummaryWriter>(0)?;
    let event = &cx.scalar_input(1)?.strings()?[0];
    check::<Event>(event, "Bad tf.Event binary proto tensor string")?;
    writer.add(event.clone())
}

fn write_raw(cx: &mut OpContext<'_>) -> Result<()> {
    let step = step(cx)?;
    let mut merged = Summary::default();
    // Of the messages as long as they are merged.
    let mut charges = Charge::default();
    for (i, bytes) in cx.input(2).strings()?.iter().enumerate() {
        let what = format!("Bad tf.compat.v1.Summary binary proto tensor string at index {i}");
        let (one, charge) =
            decode_counted::<Summary>(bytes.to_bytes(), &what).map_err(|error| {
                match error.code() {
                    Code::ResourceExhausted => error,
                    _ => Status::data_loss(what),
                }
            })?;
        charges.join(charge);
        merged.value.extend(one.value);
    }
    write(cx, step, What::Summary(merged))
}

fn write_graph(cx: &mut OpContext<'_>) -> Result<()> {
    let step = step(cx)?;
    let graph = &cx.scalar_input(2)?.strings()?[0];
    check::<GraphDef>(graph, "Bad tf.GraphDef binary proto tensor string")?;
    write(cx, step, What::GraphDef(graph.to_bytes()))
}

/// Two bytes of a message may become a structure of two hundred.
const GROWTH: usize = 100;

/// Fails with `what` unless a message can be read.
fn check<M: Message + Default>(message: &ByteString, what: &str) -> Result<()> {
    let _charge = Charge::new(message.len().saturating_mul(GROWTH))?;
    M::decode(message.to_bytes()).map(drop).map_err(|_| Status::data_loss(what))
}
