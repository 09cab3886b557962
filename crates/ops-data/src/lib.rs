//! Datasets and iterators as operations of a graph: what `tf.data` sends.
//!
//! A dataset operation makes a variant that holds a description of a pipeline ([`dataset`]); nothing runs yet. An
//! iterator is a resource that opens such a pipeline and hands out its elements ([`iterator`]). The pipelines are those
//! of `downpour_data`; this crate adds the stages that call functions of the graph ([`function_stage`]).

mod anonymous;
mod component;
mod dataset;
mod function;
mod function_stage;
mod inspect;
mod iterator;
mod seeds;
mod source;
mod threads;
mod transform;
mod wrap;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    inspect::register(registry)?;
    iterator::register(registry)?;
    seeds::register(registry)?;
    source::register(registry)?;
    transform::register(registry)?;
    wrap::register(registry)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_operation_is_listed_twice() {
        super::register(&mut downpour_runtime::Registry::new()).unwrap();
    }
}
