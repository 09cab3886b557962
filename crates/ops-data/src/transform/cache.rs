//! CacheDataset: elements kept in memory or in a file after they were made once.

use std::path::PathBuf;

use downpour_data::CacheMemory;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::memory_cache;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, argument, effect) in
        [("CacheDataset", "", ""), ("CacheDatasetV2", ", cache: resource", " @stateful")]
    {
        let signature = format!(
            "{name}(input_dataset: variant, filename: string{argument}) -> (handle: variant){effect}
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(cache)))?;
    }
    Ok(())
}

fn cache(cx: &mut OpContext<'_>) -> Result<()> {
    let input = &dataset::input(cx, 0)?.pipeline;
    let file = &cx.scalar_input(1)?.strings()?[0];
    let kept = match (file.is_empty(), cx.inputs_len()) {
        (true, 3) => input.cache_in(&memory_cache::input(cx, 2)?),
        (true, _) => input.cache_in(&CacheMemory::default()),
        (false, _) => input.cache_file(PathBuf::from(String::from_utf8_lossy(file).into_owned())),
    };
    dataset::finish(cx, kept)
}
