//! Aggregators of statistics: what pipelines tell about themselves, as a summary.

use std::collections::BTreeMap;

use downpour_formats::events::Histogram;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, Resource};
use downpour_tensor::{Result, Tensor};
use downpour_wire::encode_string;
use downpour_wire::proto::{Summary, summary};
use parking_lot::Mutex;

use crate::shared::SharedPlace;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in
        ["StatsAggregatorHandle", "StatsAggregatorHandleV2", "ExperimentalStatsAggregatorHandle"]
    {
        let signature = format!(
            "{name}() -> (handle: resource) @stateful
                container: string = ''
                shared_name: string = ''"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            let writes = build.op_name().ends_with("V2");
            Ok(KernelBox::new(Handle { place: SharedPlace::new(build)?, writes }))
        })?;
    }
    for name in ["StatsAggregatorSummary", "ExperimentalStatsAggregatorSummary"] {
        let signature = format!("{name}(iterator: resource) -> (summary: string) @stateful");
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::function(summarize)))?;
    }
    Ok(())
}

struct Handle {
    place: SharedPlace,
    writes: bool,
}

impl Kernel for Handle {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        self.place.set_handle(cx, || Ok(Aggregator::new(self.writes)))
    }
}

fn summarize(cx: &mut OpContext<'_>) -> Result<()> {
    let summary = cx.resource::<Aggregator>(0)?.summary();
    cx.set_output(0, Tensor::string(encode_string(&summary)?));
    Ok(())
}

/// Histograms by name.
pub(super) struct Aggregator {
    /// The second version gives its values to a writer of summaries and keeps none. Without a writer they are lost.
    writes: bool,
    histograms: Mutex<BTreeMap<String, Histogram>>,
}

impl Aggregator {
    fn new(writes: bool) -> Aggregator {
        Aggregator { writes, histograms: Mutex::default() }
    }

    /// Counts a value in the histogram of this name.
    pub fn add(&self, name: &str, value: f64) {
        if self.writes {
            return;
        }
        let mut histograms = self.histograms.lock();
        match histograms.get_mut(name) {
            Some(histogram) => histogram.add(value),
            None => histograms.entry(name.to_owned()).or_default().add(value),
        }
    }

    fn summary(&self) -> Summary {
        let histograms = self.histograms.lock();
        let value = histograms.iter().map(|(tag, histogram)| summary::Value {
            tag: tag.clone(),
            value: Some(summary::value::Value::Histo(histogram.to_proto())),
            ..Default::default()
        });
        Summary { value: value.collect() }
    }
}

impl Resource for Aggregator {
    fn describe(&self) -> String {
        format!("aggregator of {} statistics", self.histograms.lock().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_by_name() {
        let aggregator = Aggregator::new(false);
        for (name, value) in [("a", 1.0), ("b", 2.0), ("a", 3.0)] {
            aggregator.add(name, value);
        }
        let tags: Vec<_> = aggregator.summary().value.into_iter().map(|value| value.tag).collect();
        assert_eq!(tags, ["a", "b"]);
        let second = Aggregator::new(true);
        second.add("a", 1.0);
        assert!(second.summary().value.is_empty());
    }
}
