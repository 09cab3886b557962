//! Datasets as graphs: what made a dataset, written as a graph, and datasets made of such graphs.

mod assertions;
mod auto_shard;
mod edit;
mod export;
mod external_state;
mod fingerprint;
mod from_graph;
mod functions;
mod loaded;
mod origin;
mod shard_files;
mod to_graph;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) use assertions::check as check_assertions;
pub(crate) use origin::{Origin, note_origins};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    assertions::register(registry)?;
    auto_shard::register(registry)?;
    fingerprint::register(registry)?;
    from_graph::register(registry)?;
    to_graph::register(registry)
}
