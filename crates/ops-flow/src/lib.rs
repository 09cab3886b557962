//! Control flow, functions, tensor arrays and lists, queues, readers, accumulators, tables.

mod accumulator;
mod batching;
#[cfg(test)]
mod bench;
mod bounded_text;
mod control;
mod elements;
mod handle;
mod list;
mod queue;
mod reader;
mod session;
mod summarize;
mod table;
mod transfer;
mod waiting;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    accumulator::register(registry)?;
    batching::register(registry)?;
    control::register(registry)?;
    list::register(registry)?;
    queue::register(registry)?;
    reader::register(registry)?;
    session::register(registry)?;
    table::register(registry)?;
    transfer::register(registry)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_operation_is_listed_twice() {
        super::register(&mut downpour_runtime::Registry::new()).unwrap();
    }
}
