//! ComputeBatchSize: how many rows the elements of a dataset have, where batching says so.

use downpour_data::Dataset;
use downpour_graph::{Node, OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::dataset::{self, GraphDataset};

const UNKNOWN: i64 = -1;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("ComputeBatchSize(input_dataset: variant) -> (batch_size: int64)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let size = dataset::input(cx, 0)?.batch_size;
    let size = size.and_then(|size| i64::try_from(size).ok()).unwrap_or(UNKNOWN);
    cx.set_output(0, Tensor::scalar(size));
    Ok(())
}

/// Operations that batch.
const BATCHES: [&str; 4] =
    ["BatchDataset", "PaddedBatchDataset", "MapAndBatchDataset", "ExperimentalMapAndBatchDataset"];

/// Operations that leave the first axis of all elements as it is.
const KEEPS: [&str; 17] = [
    "AssertCardinalityDataset",
    "CacheDataset",
    "ConcatenateDataset",
    "FilterDataset",
    "FinalizeDataset",
    "ModelDataset",
    "OptimizeDataset",
    "OptionsDataset",
    "ParseExampleDataset",
    "PrefetchDataset",
    "RepeatDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "TakeDataset",
    "ZipDataset",
];

/// Returns the batch size of the dataset that a node makes of others.
pub(crate) fn batch_size(
    node: &Node,
    pipeline: &Dataset,
    inputs: &[&GraphDataset],
) -> Option<usize> {
    let name = node.op_name();
    let is_one_of = |names: &[&str]| names.contains(&without_version(name));
    if is_one_of(&BATCHES) {
        return pipeline.stage().batch_size();
    }
    let first = inputs.first().filter(|_| is_one_of(&KEEPS))?.batch_size;
    first.filter(|_| inputs.iter().all(|input| input.batch_size == first))
}

/// Returns the name of an operation without the `V2` of a later version.
fn without_version(name: &str) -> &str {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match plain.strip_suffix('V') {
        Some(older) if plain.len() < name.len() => older,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_the_same_operation() {
        assert_eq!(without_version("BatchDatasetV2"), "BatchDataset");
        assert_eq!(without_version("BatchDataset"), "BatchDataset");
        assert_eq!(without_version("CSVDatasetV"), "CSVDatasetV");
        assert_eq!(without_version("V2"), "");
    }
}
