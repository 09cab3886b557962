//! ShardedFilename and ShardedFilespec: names of the parts of a checkpoint.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::arguments::text;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ShardedFilename(basename: string, shard: int32, num_shards: int32) -> (filename: string)",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(filename)),
    )?;
    registry.add(
        OpSpec::new("ShardedFilespec(basename: string, num_shards: int32) -> (filename: string)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(filespec)),
    )
}

fn filename(cx: &mut OpContext<'_>) -> Result<()> {
    let base = base(cx)?;
    let shard = cx.scalar_input(1)?.to_scalar::<i32>()?;
    let shards = cx.scalar_input(2)?.to_scalar::<i32>()?;
    cx.set_output(0, Tensor::from_string(format!("{base}-{shard:05}-of-{shards:05}"))?);
    Ok(())
}

fn filespec(cx: &mut OpContext<'_>) -> Result<()> {
    let base = base(cx)?;
    let shards = cx.scalar_input(1)?.to_scalar::<i32>()?;
    cx.set_output(0, Tensor::from_string(format!("{base}-?????-of-{shards:05}"))?);
    Ok(())
}

fn base(cx: &OpContext<'_>) -> Result<String> {
    text(&cx.scalar_input(0)?.strings()?[0])
}
