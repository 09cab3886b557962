//! Control flow, functions, tensor arrays and lists, queues, accumulators, tables.

#[cfg(test)]
mod bench;
mod control;
mod elements;
mod handle;
mod list;
mod queue;
mod summarize;
mod table;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    control::register(registry)?;
    list::register(registry)?;
    queue::register(registry)?;
    table::register(registry)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_operation_is_listed_twice() {
        super::register(&mut downpour_runtime::Registry::new()).unwrap();
    }
}
