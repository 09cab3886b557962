//! ShardDataset: every n-th element, so that workers share a dataset without overlap.

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> (handle: variant)
                require_non_empty: bool = false
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(shard)),
    )
}

fn shard(cx: &mut OpContext<'_>) -> Result<()> {
    let (count, index) = (scalar_i64(cx, 1, "num_shards")?, scalar_i64(cx, 2, "index")?);
    if count == HINT {
        let input = dataset::input(cx, 0)?.pipeline.stage().clone();
        return dataset::finish(cx, Dataset::new(Unfilled { input }));
    }
    if count <= 0 {
        return Err(Status::invalid_argument(format!(
            "Number of shards must be greater than zero (currently num_shards = {count})."
        )));
    }
    if index < 0 || index >= count {
        return Err(Status::invalid_argument(format!(
            "Index must be between 0 and {} (currently index = {index}).",
            count - 1
        )));
    }
    let mut input = dataset::input(cx, 0)?.pipeline.clone();
    if cx.node().bool("require_non_empty")? {
        input = input.at_least(count as u64, move |has| {
            Status::invalid_argument(format!(
                "Could not apply FILE based sharding: the dataset only has {has} file(s), which is not enough for the \
                 required {count} shards/workers. Use more files, fewer workers, or shard by element."
            ))
        });
    }
    let part = input.shard(count as u64, index as u64)?;
    dataset::finish(cx, part)
}

/// The number of shards that stands for one that auto-sharding fills in.
const HINT: i64 = -1;

/// A shard that was not filled in: it can be rewritten and not be read.
struct Unfilled {
    input: Arc<dyn Stage>,
}

impl Stage for Unfilled {
    fn describe(&self) -> String {
        "shard(hint)".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn open(&self, _: &Context, _: Option<&State>) -> Result<Box<dyn Cursor>> {
        Err(Status::failed_precondition(
            "`tf.data.Dataset.shard(SHARD_HINT, ...)` can only be used in \
             `tf.distribute.Strategy.experimental_distribute_dataset()` with \
             `tf.data.experimental.AutoShardPolicy.HINT` policy, or tf.data service with \
             `tf.data.experimental.service.ShardingPolicy.HINT` processing mode.",
        ))
    }
}
