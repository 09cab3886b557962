//! Convolution of images.

use downpour_tensor::{DataType, Result};

use super::{Activation, Layer, expect_last, finish};
use crate::graph::Graph;
use crate::initializers::{self, Initializer};
use crate::node_builder::NodeBuilder;
use crate::output::Output;
use crate::variable::Variable;

/// What happens at the edge of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding {
    Valid,
    Same,
}

impl Padding {
    pub fn name(self) -> &'static str {
        match self {
            Padding::Valid => "VALID",
            Padding::Same => "SAME",
        }
    }
}

/// A convolution of images (`[batch, height, width, channels]`), with bias and activation.
pub struct Conv2d {
    name: String,
    channels: usize,
    kernel: Variable,
    bias: Option<Variable>,
    options: Options,
}

#[derive(Clone, Copy)]
struct Options {
    strides: (i64, i64),
    dilations: (i64, i64),
    padding: Padding,
    activation: Activation,
}

/// A [`Conv2d`] about to be made.
#[must_use = "nothing is made before `build`"]
pub struct Conv2dBuilder {
    channels: usize,
    filters: usize,
    window: (usize, usize),
    options: Options,
    kernel: Initializer,
    bias: Option<Initializer>,
    dtype: DataType,
}

impl Conv2d {
    /// From so many channels to so many filters. TensorFlow's defaults: strides 1, no padding, kernel
    /// glorot_uniform, bias zeros.
    #[expect(clippy::new_ret_no_self, reason = "the layer itself needs a graph, which comes last")]
    pub fn new(channels: usize, filters: usize, window: (usize, usize)) -> Conv2dBuilder {
        Conv2dBuilder {
            channels,
            filters,
            window,
            options: Options {
                strides: (1, 1),
                dilations: (1, 1),
                padding: Padding::Valid,
                activation: Activation::Linear,
            },
            kernel: initializers::glorot_uniform(),
            bias: Some(initializers::zeros()),
            dtype: DataType::Float,
        }
    }

    /// The weights, `[height, width, channels, filters]`.
    pub fn kernel(&self) -> &Variable {
        &self.kernel
    }
}

impl Conv2dBuilder {
    /// How far apart windows begin.
    pub fn strides(mut self, height: i64, width: i64) -> Conv2dBuilder {
        self.options.strides = (height, width);
        self
    }

    /// How far apart the elements of a window are.
    pub fn dilations(mut self, height: i64, width: i64) -> Conv2dBuilder {
        self.options.dilations = (height, width);
        self
    }

    /// Zeros around the image, so that with strides of 1 it keeps its size.
    pub fn same(mut self) -> Conv2dBuilder {
        self.options.padding = Padding::Same;
        self
    }

    /// The function behind it.
    pub fn activation(mut self, activation: Activation) -> Conv2dBuilder {
        self.options.activation = activation;
        self
    }

    /// How the weights start.
    pub fn kernel_initializer(mut self, initializer: Initializer) -> Conv2dBuilder {
        self.kernel = initializer;
        self
    }

    /// Without a bias.
    pub fn no_bias(mut self) -> Conv2dBuilder {
        self.bias = None;
        self
    }

    /// Makes the variables `name/kernel` and `name/bias`.
    pub fn build(self, graph: &Graph, name: &str) -> Result<Conv2d> {
        let _scope = graph.name_scope(name)?;
        let (height, width) = self.window;
        let shape = [height, width, self.channels, self.filters];
        let kernel = graph.variable("kernel", shape, self.dtype, self.kernel)?;
        let bias = match self.bias {
            Some(bias) => Some(graph.variable("bias", [self.filters], self.dtype, bias)?),
            None => None,
        };
        Ok(Conv2d {
            name: graph.current_scope(),
            channels: self.channels,
            kernel,
            bias,
            options: self.options,
        })
    }
}

impl Layer for Conv2d {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        expect_last(&self.name, input, self.channels)?;
        let _scope = input.graph().absolute_scope(&self.name)?;
        let along = |(height, width): (i64, i64)| vec![1, height, width, 1];
        let Options { strides, dilations, padding, activation } = self.options;
        let node = NodeBuilder::new("Conv2D").input(input).input(&self.kernel.value());
        let node = node.attr("strides", along(strides)).attr("dilations", along(dilations));
        let value = node.attr("padding", padding.name()).output()?;
        finish(value, self.bias.as_ref().map(Variable::value).as_ref(), activation)
    }
}
