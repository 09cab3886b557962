//! What a shape function sees and sets.

use downpour_tensor::{Result, Status, Tensor};

use crate::node::Node;
use crate::partial_shape::{Dim, PartialShape};

pub type ShapeFn = fn(&mut ShapeContext<'_>) -> Result<()>;

/// A node, what is known of its inputs, and the places for its outputs' shapes.
pub struct ShapeContext<'a> {
    node: &'a Node,
    inputs: &'a [PartialShape],
    constants: &'a [Option<Tensor>],
    outputs: Vec<PartialShape>,
}

impl<'a> ShapeContext<'a> {
    /// `constants[i]` is input i's value where it is known before running.
    pub fn new(
        node: &'a Node,
        inputs: &'a [PartialShape],
        constants: &'a [Option<Tensor>],
    ) -> ShapeContext<'a> {
        let outputs = vec![PartialShape::unknown(); node.output_types.len()];
        ShapeContext { node, inputs, constants, outputs }
    }

    pub fn into_outputs(self) -> Vec<PartialShape> {
        self.outputs
    }

    /// The node, for attributes and types.
    pub fn node(&self) -> &'a Node {
        self.node
    }

    pub fn inputs(&self) -> &'a [PartialShape] {
        self.inputs
    }

    pub fn outputs_len(&self) -> usize {
        self.outputs.len()
    }

    pub fn input(&self, i: usize) -> &'a PartialShape {
        &self.inputs[i]
    }

    /// Input `i`'s value, where it is a constant.
    pub fn constant(&self, i: usize) -> Option<&'a Tensor> {
        self.constants.get(i).and_then(Option::as_ref)
    }

    /// Input `i`'s value as integers, where it is a constant int32 or int64 tensor.
    pub fn constant_ints(&self, i: usize) -> Option<Vec<i64>> {
        self.constant(i)?.to_i64_vec().ok()
    }

    /// The shape that input `i`, a vector of sizes, describes (-1 is unknown). A vector of unknown
    /// values still tells the rank.
    pub fn shape_from_input(&self, i: usize) -> Result<PartialShape> {
        if let Some(dims) = self.constant_ints(i) {
            return PartialShape::from_i64(&dims);
        }
        Ok(match self.input(i).dims() {
            Some([Some(rank)]) if *rank <= 254 => PartialShape::of_rank(*rank),
            _ => PartialShape::unknown(),
        })
    }

    pub fn set_output(&mut self, i: usize, shape: PartialShape) {
        if let Some(slot) = self.outputs.get_mut(i) {
            *slot = shape;
        }
    }

    /// Input `i`, which must have rank `rank` if its rank is known.
    pub fn with_rank(&self, i: usize, rank: usize) -> Result<PartialShape> {
        self.input(i).merge(&PartialShape::of_rank(rank)).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Shape must be rank {rank} but is rank {} for input {i} of {}",
                self.input(i).rank().unwrap_or(0),
                self.describe()
            ))
        })
    }

    pub fn with_rank_at_least(&self, i: usize, rank: usize) -> Result<&'a PartialShape> {
        match self.input(i).rank() {
            Some(r) if r < rank => Err(Status::invalid_argument(format!(
                "Shape must be at least rank {rank} but is rank {r} for input {i} of {}",
                self.describe()
            ))),
            _ => Ok(self.input(i)),
        }
    }

    /// Agreement of two shapes that must be equal.
    pub fn merge(&self, a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
        a.merge(b).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Shapes {a} and {b} must be equal for {}",
                self.describe()
            ))
        })
    }

    /// Agreement of two dimensions that must be equal.
    pub fn merge_dim(&self, a: Dim, b: Dim) -> Result<Dim> {
        crate::merge_dim(a, b).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Dimensions must be equal, but are {} and {} for {}",
                a.unwrap_or(0),
                b.unwrap_or(0),
                self.describe()
            ))
        })
    }

    /// The operation with its input shapes, for messages.
    pub fn describe(&self) -> String {
        let shapes: Vec<String> = self.inputs.iter().map(|s| s.to_string()).collect();
        format!(
            "'{}' (op: '{}') with input shapes: {}",
            self.node.name,
            self.node.op_name(),
            shapes.join(", ")
        )
    }
}

/// The shape function of operations whose results' shapes depend on values.
pub(crate) fn unknown_outputs(_: &mut ShapeContext<'_>) -> Result<()> {
    Ok(())
}
