//! `StatelessCase`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessCase(branch_index, input) -> (output)`.
///
/// * `branch_index`: int32
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `branches`: attribute, list(func), at least 1 long
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn stateless_case(
    branch_index: &Output,
    input: &[Output],
    tout: &[DataType],
    branches: &[Function],
) -> StatelessCase {
    let mut node = NodeBuilder::new("StatelessCase").input(branch_index).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("branches", branches.to_vec().into());
    StatelessCase(node)
}

/// A `StatelessCase` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessCase(NodeBuilder);

impl StatelessCase {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessCase {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessCase {
        StatelessCase(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
