//! `MapDefun`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MapDefun(arguments, captured_inputs) -> (output)`.
///
/// * `arguments`: several, of types `Targuments`
/// * `captured_inputs`: several, of types `Tcaptured`
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `output_types`
///
/// Gradients do not flow through it.
pub fn map_defun(arguments: &[Output], captured_inputs: &[Output], output_types: &[DataType], output_shapes: &[PartialShape], f: &Function) -> MapDefun {
    let mut node = NodeBuilder::new("MapDefun").list(arguments).list(captured_inputs);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    node.set("f", f.clone().into());
    MapDefun(node)
}

/// A `MapDefun` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapDefun(NodeBuilder);

impl MapDefun {
    /// The attribute `max_intra_op_parallelism`; `1` unless set.
    pub fn max_intra_op_parallelism(mut self, value: i64) -> MapDefun {
        self.0.set("max_intra_op_parallelism", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapDefun {
        MapDefun(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
