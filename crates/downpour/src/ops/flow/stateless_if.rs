//! `StatelessIf`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessIf(cond, input) -> (output)`.
///
/// * `cond`: `Tcond` (any type)
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `then_branch`: attribute, func
/// * `else_branch`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn stateless_if(
    cond: &Output,
    input: &[Output],
    tout: &[DataType],
    then_branch: &Function,
    else_branch: &Function,
) -> StatelessIf {
    let mut node = NodeBuilder::new("StatelessIf").input(cond).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("then_branch", then_branch.clone().into());
    node.set("else_branch", else_branch.clone().into());
    StatelessIf(node)
}

/// A `StatelessIf` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessIf(NodeBuilder);

impl StatelessIf {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessIf {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessIf {
        StatelessIf(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
