//! A fully connected layer: activation(x · kernel + bias).

use downpour_tensor::{DataType, Result};

use super::{Activation, Layer, expect_last, finish, size_of};
use crate::graph::Graph;
use crate::initializers::{self, Initializer};
use crate::output::Output;
use crate::variable::Variable;

/// A fully connected layer, applied along the last axis.
pub struct Dense {
    name: String,
    inputs: usize,
    units: usize,
    kernel: Variable,
    bias: Option<Variable>,
    activation: Activation,
}

/// A [`Dense`] about to be made.
#[must_use = "nothing is made before `build`"]
pub struct DenseBuilder {
    inputs: usize,
    units: usize,
    activation: Activation,
    kernel: Initializer,
    bias: Option<Initializer>,
    dtype: DataType,
}

impl Dense {
    /// A layer from so many inputs to so many units. TensorFlow's defaults: kernel glorot_uniform, bias zeros.
    #[expect(clippy::new_ret_no_self, reason = "the layer itself needs a graph, which comes last")]
    pub fn new(inputs: usize, units: usize) -> DenseBuilder {
        DenseBuilder {
            inputs,
            units,
            activation: Activation::Linear,
            kernel: initializers::glorot_uniform(),
            bias: Some(initializers::zeros()),
            dtype: DataType::Float,
        }
    }

    /// The weights, `[inputs, units]`.
    pub fn kernel(&self) -> &Variable {
        &self.kernel
    }

    /// What is added to each unit.
    pub fn bias(&self) -> Option<&Variable> {
        self.bias.as_ref()
    }
}

impl DenseBuilder {
    /// The function behind it.
    pub fn activation(mut self, activation: Activation) -> DenseBuilder {
        self.activation = activation;
        self
    }

    /// How the weights start.
    pub fn kernel_initializer(mut self, initializer: Initializer) -> DenseBuilder {
        self.kernel = initializer;
        self
    }

    /// How the bias starts.
    pub fn bias_initializer(mut self, initializer: Initializer) -> DenseBuilder {
        self.bias = Some(initializer);
        self
    }

    /// Without a bias.
    pub fn no_bias(mut self) -> DenseBuilder {
        self.bias = None;
        self
    }

    /// The type of its variables.
    pub fn dtype(mut self, dtype: DataType) -> DenseBuilder {
        self.dtype = dtype;
        self
    }

    /// Makes the variables `name/kernel` and `name/bias`.
    pub fn build(self, graph: &Graph, name: &str) -> Result<Dense> {
        let _scope = graph.name_scope(name)?;
        let kernel =
            graph.variable("kernel", [self.inputs, self.units], self.dtype, self.kernel)?;
        let bias = match self.bias {
            Some(bias) => Some(graph.variable("bias", [self.units], self.dtype, bias)?),
            None => None,
        };
        Ok(Dense {
            name: graph.current_scope(),
            inputs: self.inputs,
            units: self.units,
            kernel,
            bias,
            activation: self.activation,
        })
    }
}

impl Layer for Dense {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        expect_last(&self.name, input, self.inputs)?;
        let graph = input.graph();
        let _scope = graph.absolute_scope(&self.name)?;
        let bias = self.bias.as_ref().map(Variable::value);
        let rank = input.known_rank("Dense")?;
        if rank == 2 {
            return finish(input.matmul(&self.kernel.value())?, bias.as_ref(), self.activation);
        }
        // All but the last axis count as rows; their sizes come back afterwards.
        let rows = input.reshape(&[-1, self.inputs as i64])?.matmul(&self.kernel.value())?;
        let mut sizes = Vec::with_capacity(rank);
        for axis in 0..rank.saturating_sub(1) {
            sizes.push(match input.shape().dim(axis) {
                Some(size) => graph.constant(size as i32)?,
                None => size_of(input, axis as i32)?,
            });
        }
        sizes.push(graph.constant(self.units as i32)?);
        let value = rows.reshape_to(&Output::stack(&sizes, 0)?)?;
        let mut dims: Vec<Option<usize>> = input.shape().dims().unwrap_or(&[]).to_vec();
        if let Some(last) = dims.last_mut() {
            *last = Some(self.units);
        }
        value.set_shape(downpour_graph::PartialShape::of(dims))?;
        finish(value, bias.as_ref(), self.activation)
    }
}
