//! `If`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `If(cond, input) -> (output)`.
///
/// * `cond`: `Tcond` (any type)
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `then_branch`: attribute, func
/// * `else_branch`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn if_(
    cond: &Output,
    input: &[Output],
    tout: &[DataType],
    then_branch: &Function,
    else_branch: &Function,
) -> If {
    let mut node = NodeBuilder::new("If").input(cond).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("then_branch", then_branch.clone().into());
    node.set("else_branch", else_branch.clone().into());
    If(node)
}

/// A `If` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct If(NodeBuilder);

impl If {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> If {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> If {
        If(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
