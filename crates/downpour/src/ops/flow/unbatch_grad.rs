//! `UnbatchGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnbatchGrad(original_input, batch_index, grad, id) -> (batched_grad)`.
///
/// * `original_input`: `T` (any type)
/// * `batch_index`: int64
/// * `grad`: `T` (any type)
/// * `id`: int64
/// * gives `batched_grad`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn unbatch_grad(
    original_input: &Output,
    batch_index: &Output,
    grad: &Output,
    id: &Output,
) -> UnbatchGrad {
    let node = NodeBuilder::new("UnbatchGrad")
        .input(original_input)
        .input(batch_index)
        .input(grad)
        .input(id);
    UnbatchGrad(node)
}

/// A `UnbatchGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnbatchGrad(NodeBuilder);

impl UnbatchGrad {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> UnbatchGrad {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> UnbatchGrad {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnbatchGrad {
        UnbatchGrad(self.0.name(name))
    }

    /// Adds the node and gives `batched_grad`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
