//! LatencyStatsDataset and BytesProducedStatsDataset: how long elements take and how large they are, told to the
//! aggregator that SetStatsAggregatorDataset sets for what is before it.

use std::sync::Arc;
use std::time::Instant;

use downpour_data::{Block, Context, Cursor, Dataset, Length, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::aggregator::Aggregator;
use crate::dataset;

const ELEMENTS: &str = "
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for prefix in ["", "Experimental"] {
        for name in ["LatencyStatsDataset", "BytesProducedStatsDataset"] {
            let signature = format!(
                "{prefix}{name}(input_dataset: variant, tag: string) -> (handle: variant){ELEMENTS}"
            );
            let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
            registry.add(spec, |_| Ok(KernelBox::cheap(measure)))?;
        }
        let signature = format!(
            "{prefix}SetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string, counter_prefix: string) -> (handle: variant) @stateful{ELEMENTS}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(set)))?;
    }
    Ok(())
}

fn text(cx: &OpContext<'_>, i: usize) -> Result<String> {
    Ok(String::from_utf8_lossy(&cx.scalar_input(i)?.strings()?[0]).into_owned())
}

fn measure(cx: &mut OpContext<'_>) -> Result<()> {
    let measures = match cx.node().op_name().ends_with("LatencyStatsDataset") {
        true => Quantity::Latency,
        false => Quantity::Bytes,
    };
    let tag = text(cx, 1)?;
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(MeasureStage { input, measures, tag }))
}

/// Counters, which `counter_prefix` is for, belong to TensorFlow's own monitoring.
fn set(cx: &mut OpContext<'_>) -> Result<()> {
    let aggregator = cx.resource::<Aggregator>(1)?;
    let (tag, _) = (text(cx, 2)?, cx.scalar_input(3)?);
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    let told = Arc::new(StatsSink { aggregator, tag });
    dataset::finish(cx, Dataset::new(StatsAggregatorStage { input, told }))
}

/// The aggregator that the stages before report to, and the tag of their names.
struct StatsSink {
    aggregator: Arc<Aggregator>,
    tag: String,
}

impl StatsSink {
    fn add(&self, name: &str, value: f64) {
        match self.tag.is_empty() {
            true => self.aggregator.add(name, value),
            false => self.aggregator.add(&format!("{}::{name}", self.tag), value),
        }
    }
}

struct StatsAggregatorStage {
    input: Arc<dyn Stage>,
    told: Arc<StatsSink>,
}

impl Stage for StatsAggregatorStage {
    fn describe(&self) -> String {
        "set_stats_aggregator".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        self.input.open(&context.with_attachment(self.told.clone()), state)
    }
}

#[derive(Clone, Copy)]
enum Quantity {
    /// Microseconds.
    Latency,
    Bytes,
}

struct MeasureStage {
    input: Arc<dyn Stage>,
    measures: Quantity,
    tag: String,
}

impl Stage for MeasureStage {
    fn describe(&self) -> String {
        match self.measures {
            Quantity::Latency => "latency_stats".to_owned(),
            Quantity::Bytes => "bytes_produced_stats".to_owned(),
        }
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state)?;
        let Some(told) = context.attachment::<StatsSink>() else { return Ok(input) };
        Ok(Box::new(MeasureCursor { input, told, measures: self.measures, tag: self.tag.clone() }))
    }
}

struct MeasureCursor {
    input: Box<dyn Cursor>,
    told: Arc<StatsSink>,
    measures: Quantity,
    tag: String,
}

impl Cursor for MeasureCursor {
    /// Gives one element at a time: each is measured.
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        let began = Instant::now();
        let block = self.input.next(1)?;
        match (&block, self.measures) {
            (_, Quantity::Latency) => {
                self.told.add(&self.tag, began.elapsed().as_micros() as f64);
            }
            (Some(block), Quantity::Bytes) => {
                let bytes: usize = block.element(0)?.tensors().iter().map(Tensor::byte_len).sum();
                self.told.add(&self.tag, bytes as f64);
            }
            (None, Quantity::Bytes) => {}
        }
        Ok(block)
    }

    fn state(&self) -> State {
        self.input.state()
    }
}
