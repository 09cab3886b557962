//! `Case`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Case(branch_index, input) -> (output)`.
///
/// * `branch_index`: int32
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `branches`: attribute, list(func), at least 1 long
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn case(
    branch_index: &Output,
    input: &[Output],
    tout: &[DataType],
    branches: &[Function],
) -> Case {
    let mut node = NodeBuilder::new("Case").input(branch_index).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("branches", branches.to_vec().into());
    Case(node)
}

/// A `Case` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Case(NodeBuilder);

impl Case {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> Case {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Case {
        Case(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
