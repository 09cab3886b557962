//! MatchingFilesDataset: the names of the files that match patterns.

use downpour_data::Dataset;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result};

use crate::component::Signature;
use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["MatchingFilesDataset", "ExperimentalMatchingFilesDataset"] {
        let signature = format!("{name}(patterns: string) -> (handle: variant) @stateful");
        registry
            .add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let patterns = cx.input(0).strings()?.iter().map(|pattern| pattern.to_vec()).collect();
    let names = Dataset::matching_files(patterns);
    let made = GraphDataset::with_signature(Signature::scalar(DataType::String), names, &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
