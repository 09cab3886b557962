//! `Unbatch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Unbatch(batched_tensor, batch_index, id) -> (unbatched_tensor)`.
///
/// * `batched_tensor`: `T` (any type)
/// * `batch_index`: int64
/// * `id`: int64
/// * `timeout_micros`: attribute, int
/// * gives `unbatched_tensor`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn unbatch(
    batched_tensor: &Output,
    batch_index: &Output,
    id: &Output,
    timeout_micros: i64,
) -> Unbatch {
    let mut node = NodeBuilder::new("Unbatch").input(batched_tensor).input(batch_index).input(id);
    node.set("timeout_micros", timeout_micros.into());
    Unbatch(node)
}

/// A `Unbatch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unbatch(NodeBuilder);

impl Unbatch {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Unbatch {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Unbatch {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unbatch {
        Unbatch(self.0.name(name))
    }

    /// Adds the node and gives `unbatched_tensor`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
