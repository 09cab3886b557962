//! Differentiation rules: given a node and the gradients of its outputs, add nodes for those of its inputs.

use downpour_tensor::{DataType, Element, Result, Tensor};

use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::differentiate::{Differentiate, densify, formula_gradients};
use crate::node::{Endpoint, Node, NodeId};
use crate::partial_shape::PartialShape;
use crate::static_shape::{constant_value, static_shape};

/// The gradient of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gradient {
    /// No gradient flows (an index, a shape, a constant).
    None,
    Dense(Endpoint),
    /// Rows of a large tensor: `values[i]` belongs to row `indices[i]` (TensorFlow's IndexedSlices).
    Sparse {
        values: Endpoint,
        indices: Endpoint,
        dense_shape: Endpoint,
    },
}

pub type GradientFn = fn(&mut GradientContext<'_, '_>) -> Result<Vec<Gradient>>;

#[derive(Clone, Copy)]
pub enum GradientRule {
    /// Nobody wrote a rule: differentiating through the operation is an error.
    Missing,
    /// Declared to have no gradient: nothing flows through.
    NotDifferentiable,
    Rule(GradientFn),
}

impl GradientRule {
    /// One word for tables.
    pub fn name(&self) -> &'static str {
        match self {
            GradientRule::Missing => "missing",
            GradientRule::NotDifferentiable => "none",
            GradientRule::Rule(_) => "rule",
        }
    }
}

/// What a rule works with.
pub struct GradientContext<'a, 'g> {
    builder: &'a mut GraphBuilder<'g>,
    node: NodeId,
    /// Gradient of each output; `None` where nothing depends on it.
    grads: &'a [Gradient],
}

impl<'a, 'g> GradientContext<'a, 'g> {
    pub fn new(
        builder: &'a mut GraphBuilder<'g>,
        node: NodeId,
        grads: &'a [Gradient],
    ) -> GradientContext<'a, 'g> {
        GradientContext { builder, node, grads }
    }

    pub fn node(&self) -> &Node {
        self.builder.graph.node(self.node)
    }

    pub fn input(&self, i: usize) -> Endpoint {
        self.node().inputs[i]
    }

    pub fn inputs_len(&self) -> usize {
        self.node().inputs.len()
    }

    pub fn output(&self, port: u32) -> Endpoint {
        Endpoint { node: self.node, port }
    }

    /// The gradient of output `i` as one tensor; zeros of its shape where nothing depends on it.
    pub fn grad(&mut self, i: usize) -> Result<Endpoint> {
        match densify(self.builder, self.gradient(i))? {
            Some(grad) => Ok(grad),
            None => {
                let output = self.output(i as u32);
                self.op("ZerosLike", &[output])
            }
        }
    }

    /// The gradient of output `i` as it arrived, for rules that can hand rows on as rows.
    pub fn gradient(&self, i: usize) -> Gradient {
        self.grads.get(i).copied().unwrap_or(Gradient::None)
    }

    pub fn has_grad(&self, i: usize) -> bool {
        self.gradient(i) != Gradient::None
    }

    /// The value of an endpoint that is the output of a Const node.
    pub fn constant_value(&self, value: Endpoint) -> Option<Tensor> {
        constant_value(self.builder.graph, value)
    }

    /// What is known of a value's shape before running.
    pub fn static_shape(&self, value: Endpoint) -> PartialShape {
        static_shape(self.builder.graph, value)
    }

    /// A name that all rules of one differentiation share, and no other differentiation of the graph.
    pub fn source(&self) -> String {
        let parts: Vec<&str> = self.builder.scope().split('/').collect();
        let last = parts.iter().rposition(|part| part.starts_with("gradients"));
        match last {
            Some(last) => parts[..=last].join("/"),
            None => "gradients".to_string(),
        }
    }

    /// The gradients of values that this rule has built, for rules that differentiate a formula
    /// instead of writing its derivative down.
    pub fn differentiate(&mut self, wanted: &Differentiate) -> Result<Vec<Gradient>> {
        formula_gradients(self.builder.graph, self.builder.registry, wanted)
    }

    pub fn dtype(&self, value: Endpoint) -> DataType {
        self.builder.graph.edge_type(value).dtype
    }

    /// The only output of a new node with attributes derived from its inputs.
    pub fn op(&mut self, op: &str, inputs: &[Endpoint]) -> Result<Endpoint> {
        self.builder.op(op, inputs, Attrs::new())
    }

    /// Like `op`, with further attributes.
    pub fn op_with(&mut self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Result<Endpoint> {
        self.builder.op(op, inputs, attrs)
    }

    /// A new node with several outputs.
    pub fn node_with(&mut self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Result<NodeId> {
        self.builder.add(op, inputs, attrs)
    }

    pub fn constant(&mut self, value: Tensor) -> Result<Endpoint> {
        self.builder.constant(value)
    }

    pub fn scalar<T: Element>(&mut self, value: T) -> Result<Endpoint> {
        self.constant(Tensor::scalar(value))
    }

    /// A scalar constant of the type of `like`, cast from a double.
    pub fn number(&mut self, value: f64, like: Endpoint) -> Result<Endpoint> {
        let dtype = self.dtype(like);
        let constant = self.scalar(value)?;
        if dtype == DataType::Double {
            return Ok(constant);
        }
        self.op_with("Cast", &[constant], Attrs::new().with("DstT", dtype))
    }

    /// The shape of a value as an int32 vector.
    pub fn shape(&mut self, value: Endpoint) -> Result<Endpoint> {
        self.op("Shape", &[value])
    }

    /// Sums `grad` over the axes along which `operand` was broadcast against `other`, and gives it
    /// the operand's shape.
    pub fn unbroadcast(
        &mut self,
        grad: Endpoint,
        operand: Endpoint,
        other: Endpoint,
    ) -> Result<Endpoint> {
        let shape = self.shape(operand)?;
        let other_shape = self.shape(other)?;
        let axes = self.node_with("BroadcastGradientArgs", &[shape, other_shape], Attrs::new())?;
        let sum = self.op("Sum", &[grad, axes.into()])?;
        self.op("Reshape", &[sum, shape])
    }
}
