//! Convolution of each channel by itself, then of the channels with each other.

use downpour_tensor::Result;

use super::support::{expect_rank, expect_real, expect_size, kernel_layer_choices, weight};
use super::{Activation, Padding, Window};
use crate::initializers::{self, Initializer};
use crate::ops;
use crate::output::Output;
use crate::regularizers::Regularizer;

/// A filter for each channel of images [batch, height, width, channels], then filters of size 1 over all
/// channels, as `tf.compat.v1.layers.separable_conv2d`: far fewer multiplications than [`super::Conv2d`].
///
/// ```
/// use downpour::{DataType, Graph, layers::SeparableConv2d};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let image = graph.placeholder("image", DataType::Float, [None, Some(28), Some(28), Some(8)])?;
/// let y = SeparableConv2d::new(16, 3).same().relu().build(&image)?;
/// assert_eq!(y.shape().to_string(), "[?,28,28,16]");
/// assert_eq!(graph.variables()[0].name(), "separable_conv2d/depthwise_kernel");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct SeparableConv2d {
    filters: usize,
    window: Window,
    strides: usize,
    padding: Padding,
    name: Option<String>,
    activation: Activation,
    kernel: Initializer,
    bias: Option<Initializer>,
    regularizer: Option<Regularizer>,
}

impl SeparableConv2d {
    /// So many filters of this size, `3` or `[3, 5]`.
    pub fn new(filters: usize, window: impl Into<Window>) -> SeparableConv2d {
        SeparableConv2d {
            filters,
            window: window.into(),
            strides: 1,
            padding: Padding::Valid,
            name: None,
            activation: Activation::Linear,
            kernel: initializers::glorot_uniform(),
            bias: Some(initializers::zeros()),
            regularizer: None,
        }
    }

    /// The step from one place of the filters to the next; 1 unless set.
    pub fn strides(mut self, strides: usize) -> SeparableConv2d {
        self.strides = strides;
        self
    }

    /// Pads the edges, so that without strides the result is as large as the image.
    pub fn same(mut self) -> SeparableConv2d {
        self.padding = Padding::Same;
        self
    }

    /// Adds it on images.
    pub fn build(&self, x: &Output) -> Result<Output> {
        expect_real("SeparableConv2d", x)?;
        expect_rank("SeparableConv2d", x, 4, "images [batch, height, width, channels]")?;
        let channels = expect_size("SeparableConv2d", x, -1)?;
        let _scope = x.graph().layer_scope(self.name.as_deref(), "separable_conv2d")?;
        let Window { height, width } = self.window;
        let regularizer = self.regularizer.as_ref();
        let each = [height, width, channels, 1];
        let each = weight(x, "depthwise_kernel", each, &self.kernel, regularizer)?;
        let across = [1, 1, channels, self.filters];
        let across = weight(x, "pointwise_kernel", across, &self.kernel, regularizer)?;
        let bias = self.bias.as_ref();
        let bias = bias.map(|first| weight(x, "bias", [self.filters], first, None)).transpose()?;
        let strides = Window::from(self.strides).attribute();
        let padding = self.padding.attribute();
        let inner = ops::depthwise_conv2d_native(x, &each.value(), &strides, padding).build()?;
        let mut sums = ops::conv2d(&inner, &across.value(), &[1, 1, 1, 1], "VALID").build()?;
        if let Some(bias) = bias {
            sums = sums.bias_add(&bias.value())?;
        }
        self.activation.apply(&sums)
    }
}

kernel_layer_choices!(SeparableConv2d);
