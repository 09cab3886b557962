//! Statistics of pipelines.

mod aggregator;
mod measure;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    aggregator::register(registry)?;
    measure::register(registry)
}
