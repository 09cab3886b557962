//! `StatelessWhile`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessWhile(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * `cond`: attribute, func
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient.
pub fn stateless_while(
    graph: &Graph,
    input: &[Output],
    cond: &Function,
    body: &Function,
) -> StatelessWhile {
    let mut node = NodeBuilder::in_graph(graph, "StatelessWhile").list(input);
    node.set("cond", cond.clone().into());
    node.set("body", body.clone().into());
    StatelessWhile(node)
}

/// A `StatelessWhile` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessWhile(NodeBuilder);

impl StatelessWhile {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessWhile {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> StatelessWhile {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessWhile {
        StatelessWhile(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
