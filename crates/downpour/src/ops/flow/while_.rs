//! `While`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `While(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * `cond`: attribute, func
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient. Has state or effects.
pub fn while_(graph: &Graph, input: &[Output], cond: &Function, body: &Function) -> While {
    let mut node = NodeBuilder::in_graph(graph, "While").list(input);
    node.set("cond", cond.clone().into());
    node.set("body", body.clone().into());
    While(node)
}

/// A `While` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct While(NodeBuilder);

impl While {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> While {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> While {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> While {
        While(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
