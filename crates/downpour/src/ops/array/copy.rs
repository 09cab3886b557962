//! `Copy`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Copy(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn copy(input: &Output) -> Copy {
    let node = NodeBuilder::new("Copy").input(input);
    Copy(node)
}

/// A `Copy` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Copy(NodeBuilder);

impl Copy {
    /// The attribute `tensor_name`; `""` unless set.
    pub fn tensor_name(mut self, value: &str) -> Copy {
        self.0.set("tensor_name", text(value));
        self
    }

    /// The attribute `debug_ops_spec`; an empty list unless set.
    pub fn debug_ops_spec(mut self, value: &[&str]) -> Copy {
        self.0.set("debug_ops_spec", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Copy {
        Copy(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
