//! `Lu`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Lu(input) -> (lu, p)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `lu`: `T` (double, float, half, complex64, complex128)
/// * gives `p`: `output_idx_type` (int32, int64)
///
/// Has no gradient.
pub fn lu(input: &Output) -> Lu {
    let node = NodeBuilder::new("Lu").input(input);
    Lu(node)
}

/// A `Lu` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Lu(NodeBuilder);

impl Lu {
    /// The attribute `output_idx_type`; int32 unless set.
    pub fn output_idx_type(mut self, value: DataType) -> Lu {
        self.0.set("output_idx_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Lu {
        Lu(self.0.name(name))
    }

    /// Adds the node and gives (`lu`, `p`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
