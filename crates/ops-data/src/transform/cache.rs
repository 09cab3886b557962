//! CacheDataset: elements kept in memory or in a file after they were made once.

use std::path::PathBuf;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CacheDataset(input_dataset: variant, filename: string) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(cache)),
    )
}

fn cache(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let file = &cx.scalar_input(1)?.strings()?[0];
    let kept = match file.is_empty() {
        true => input.cache(),
        false => input.cache_file(PathBuf::from(String::from_utf8_lossy(file).into_owned())),
    };
    dataset::finish(cx, kept)
}
