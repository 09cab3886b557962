//! Convolution over images.

use downpour_tensor::Result;

use super::support::{expect_rank, expect_real, expect_size, kernel_layer_choices, weight};
use super::{Activation, Padding, Window};
use crate::initializers::{self, Initializer};
use crate::ops;
use crate::output::Output;
use crate::regularizers::Regularizer;

/// Filters moved over images [batch, height, width, channels], as `tf.compat.v1.layers.conv2d`.
///
/// ```
/// use downpour::{DataType, Graph, layers::Conv2d};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let image = graph.placeholder("image", DataType::Float, [None, Some(28), Some(28), Some(3)])?;
/// let y = Conv2d::new(16, 3).strides(2).same().relu().build(&image)?;
/// assert_eq!(y.shape().to_string(), "[?,14,14,16]");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct Conv2d {
    filters: usize,
    window: Window,
    strides: Window,
    dilation: Window,
    padding: Padding,
    name: Option<String>,
    activation: Activation,
    kernel: Initializer,
    bias: Option<Initializer>,
    regularizer: Option<Regularizer>,
}

impl Conv2d {
    /// So many filters of this size, `5` or `[3, 5]`.
    pub fn new(filters: usize, window: impl Into<Window>) -> Conv2d {
        Conv2d {
            filters,
            window: window.into(),
            strides: 1.into(),
            dilation: 1.into(),
            padding: Padding::Valid,
            name: None,
            activation: Activation::Linear,
            kernel: initializers::glorot_uniform(),
            bias: Some(initializers::zeros()),
            regularizer: None,
        }
    }

    /// The step from one place of the filters to the next; 1 unless set.
    pub fn strides(mut self, strides: impl Into<Window>) -> Conv2d {
        self.strides = strides.into();
        self
    }

    /// The step between the points that a filter looks at; 1 unless set.
    pub fn dilation(mut self, dilation: impl Into<Window>) -> Conv2d {
        self.dilation = dilation.into();
        self
    }

    /// What happens at the edges; filters stay within the image unless set.
    pub fn padding(mut self, padding: Padding) -> Conv2d {
        self.padding = padding;
        self
    }

    /// Pads the edges, so that without strides the result is as large as the image.
    pub fn same(self) -> Conv2d {
        self.padding(Padding::Same)
    }

    /// Adds it on images.
    pub fn build(&self, x: &Output) -> Result<Output> {
        expect_real("Conv2d", x)?;
        expect_rank("Conv2d", x, 4, "images [batch, height, width, channels]")?;
        let channels = expect_size("Conv2d", x, -1)?;
        let _scope = x.graph().layer_scope(self.name.as_deref(), "conv2d")?;
        let Window { height, width } = self.window;
        let shape = [height, width, channels, self.filters];
        let kernel = weight(x, "kernel", shape, &self.kernel, self.regularizer.as_ref())?;
        let bias = self.bias.as_ref();
        let bias = bias.map(|first| weight(x, "bias", [self.filters], first, None)).transpose()?;
        let (strides, padding) = (self.strides.attribute(), self.padding.attribute());
        let convolution = ops::conv2d(x, &kernel.value(), &strides, padding);
        let mut sums = convolution.dilations(&self.dilation.attribute()).build()?;
        if let Some(bias) = bias {
            sums = sums.bias_add(&bias.value())?;
        }
        self.activation.apply(&sums)
    }
}

kernel_layer_choices!(Conv2d);
