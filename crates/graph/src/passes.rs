//! Rewriting a graph for one signature of feeds, fetches and targets.
//!
//! `prune` copies what a step needs; the other passes then rewrite that copy in place and `sweep`
//! drops what they left without a consumer. Each pass may be left out; none changes results.
//!
//! `mixed_precision` is the exception: it rewrites a whole graph before any step is asked for, and results
//! are those of 16 bits.

mod consumers;
mod dedupe;
mod dependencies;
mod ends;
mod fold;
mod fuse_bias;
mod fuse_elementwise;
mod mixed_precision;
mod prune;
mod sweep;

pub use dedupe::dedupe;
pub use dependencies::{simplify_dependencies, simplify_placed_dependencies};
pub use ends::Ends;
pub use fold::{Evaluate, fold_constants};
pub use fuse_bias::fuse_bias;
pub use fuse_elementwise::{ABSORBED, Fusable, fuse_elementwise};
pub use mixed_precision::{
    MixedPrecision, MixedPrecisionReport, Numerics, PrecisionLists, mixed_precision,
};
pub use prune::{Subgraph, prune};
pub use sweep::sweep;

use crate::node::Node;

/// True for nodes that a rewrite may compute once, early or not at all: without state, references,
/// or a part in control flow.
fn is_pure(node: &Node) -> bool {
    const CONTROL_FLOW: [&str; 18] = [
        "Switch",
        "RefSwitch",
        "_SwitchN",
        "Merge",
        "RefMerge",
        "Enter",
        "RefEnter",
        "Exit",
        "RefExit",
        "NextIteration",
        "RefNextIteration",
        "LoopCond",
        "ControlTrigger",
        "NoOp",
        "Placeholder",
        "PlaceholderV2",
        "PlaceholderWithDefault",
        "_Arg",
    ];
    let references = node.input_types.iter().chain(&node.output_types).any(|t| t.is_ref);
    !node.op.def.is_stateful && !references && !CONTROL_FLOW.contains(&node.op_name())
}
