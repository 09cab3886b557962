//! `QuantizedReshape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QuantizedReshape(tensor, shape, input_min, input_max) -> (output, output_min, output_max)`.
///
/// * `tensor`: `T` (any type)
/// * `shape`: `Tshape` (int32, int64)
/// * `input_min`: float
/// * `input_max`: float
/// * gives `output`: `T` (any type)
/// * gives `output_min`: float
/// * gives `output_max`: float
///
/// Has no gradient.
pub fn quantized_reshape(tensor: &Output, shape: &Output, input_min: &Output, input_max: &Output) -> QuantizedReshape {
    let node = NodeBuilder::new("QuantizedReshape").input(tensor).input(shape).input(input_min).input(input_max);
    QuantizedReshape(node)
}

/// A `QuantizedReshape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizedReshape(NodeBuilder);

impl QuantizedReshape {
    /// Names the node.
    pub fn name(self, name: &str) -> QuantizedReshape {
        QuantizedReshape(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `output_min`, `output_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
