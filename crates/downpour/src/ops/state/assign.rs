//! `Assign`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Assign(ref, value) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `value`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn assign(ref_: &Output, value: &Output) -> Assign {
    let node = NodeBuilder::new("Assign").input(ref_).input(value);
    Assign(node)
}

/// A `Assign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Assign(NodeBuilder);

impl Assign {
    /// The attribute `validate_shape`; `true` unless set.
    pub fn validate_shape(mut self, value: bool) -> Assign {
        self.0.set("validate_shape", value.into());
        self
    }

    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> Assign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Assign {
        Assign(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
