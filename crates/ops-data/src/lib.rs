//! Datasets and iterators as operations of a graph: what `tf.data` sends.
//!
//! A dataset operation makes a variant that holds a description of a pipeline ([`dataset`]); nothing runs yet. An
//! iterator is a resource that opens such a pipeline and hands out its elements ([`iterator`]). The pipelines are those
//! of `downpour_data`; this crate adds the stages that call functions of the graph ([`function_stage`]). Every
//! dataset knows which node made it, so that it can be written as a graph ([`graph`]).

mod anonymous;
mod component;
mod compress;
mod dataset;
mod function;
mod function_stage;
mod graph;
mod inspect;
mod iterator;
mod map_defun;
mod seeds;
mod shared;
mod snapshot;
mod source;
mod sparse;
mod stats;
mod threads;
mod transform;
mod wrap;

use std::collections::HashSet;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    let known: HashSet<String> = registry.ops().names().into_iter().map(str::to_owned).collect();
    graph::register(registry)?;
    compress::register(registry)?;
    inspect::register(registry)?;
    iterator::register(registry)?;
    snapshot::register(registry)?;
    map_defun::register(registry)?;
    seeds::register(registry)?;
    source::register(registry)?;
    stats::register(registry)?;
    transform::register(registry)?;
    wrap::register(registry)?;
    graph::note_origins(registry, |name| known.contains(name));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_operation_is_listed_twice() {
        super::register(&mut downpour_runtime::Registry::new()).unwrap();
    }
}
