//! `QuantizedConcat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedConcat(concat_dim, values, input_mins, input_maxes) -> (output, output_min, output_max)`.
///
/// * `concat_dim`: int32
/// * `values`: `N` values of `T` (any type)
/// * `input_mins`: `N` values of float
/// * `input_maxes`: `N` values of float
/// * gives `output`: `T` (any type)
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn quantized_concat(concat_dim: &Output, values: &[Output], input_mins: &[Output], input_maxes: &[Output]) -> QuantizedConcat {
    let node = NodeBuilder::new("QuantizedConcat").input(concat_dim).list(values).list(input_mins).list(input_maxes);
    QuantizedConcat(node)
}

/// A `QuantizedConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedConcat(NodeBuilder);

impl QuantizedConcat {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedConcat {
        QuantizedConcat(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
