//! DatasetCardinality: how many elements a dataset has, where that is known without reading them.

use downpour_data::Length;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::dataset;

const INFINITE: i64 = -1;
const UNKNOWN: i64 = -2;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["DatasetCardinality", "ExperimentalDatasetCardinality"] {
        let own =
            if name == "DatasetCardinality" { "cardinality_options: string = ''" } else { "" };
        let signature = format!("{name}(input_dataset: variant) -> (cardinality: int64)\n {own}");
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(cardinality)))?;
    }
    Ok(())
}

fn cardinality(cx: &mut OpContext<'_>) -> Result<()> {
    let count = cardinality_of(dataset::input(cx, 0)?.pipeline.length());
    cx.set_output(0, Tensor::scalar(count));
    Ok(())
}

/// Returns the number that says how many elements there are.
pub(crate) fn cardinality_of(length: Option<Length>) -> i64 {
    match length {
        Some(Length::Finite(count)) => i64::try_from(count).unwrap_or(i64::MAX),
        Some(Length::Infinite) => INFINITE,
        None => UNKNOWN,
    }
}
