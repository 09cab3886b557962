//! Operations that run under a condition, wherever they stand.
//!
//! A branch of a functional conditional runs on one device; what changes variables stands on their
//! servers. So this is TensorFlow's older form: the condition goes through a Switch, of whose two results
//! one is dead. What waits for the dead one is dead too, on whichever device, and does not run; a Merge
//! lives with whichever side lives.

use downpour_tensor::Result;

use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};

/// Everything that `build` adds to the graph runs only where `condition` is true. The operation that is
/// given runs in either case, after what runs. New variables are outside of the condition.
pub(crate) fn run_if(
    condition: &Output,
    build: impl FnOnce() -> Result<Operation>,
) -> Result<Operation> {
    let graph = condition.graph();
    let switch = NodeBuilder::new("Switch").input(condition).input(condition).outputs()?;
    let (otherwise, then) = (switch[0].identity()?, switch[1].identity()?);
    let done = {
        let _if = graph.control_dependencies(&[&then.op()])?;
        let built = build()?;
        let _after = graph.control_dependencies(&[&built])?;
        then.identity()?
    };
    let merged = NodeBuilder::new("Merge").list(&[otherwise, done]);
    merged.operation()
}
