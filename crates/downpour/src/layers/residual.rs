//! A residual block.

use downpour_tensor::Result;

use super::support::{expect_rank, expect_size};
use super::{BatchNorm, Conv2d, Window};
use crate::initializers;
use crate::output::Output;

/// Two convolutions with batch normalisation whose result is added to what goes in (He et al., 2015). Where
/// the number of channels or the size changes, what goes in takes a convolution of size 1.
///
/// ```
/// use downpour::{DataType, Graph, layers::ResidualBlock};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(28), Some(28), Some(16)])?;
/// let y = ResidualBlock::new(32).strides(2).build(&x, true)?;
/// assert_eq!(y.shape().to_string(), "[?,14,14,32]");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct ResidualBlock {
    filters: usize,
    strides: usize,
    name: Option<String>,
    momentum: f64,
}

impl ResidualBlock {
    /// A block with so many channels.
    pub fn new(filters: usize) -> ResidualBlock {
        ResidualBlock { filters, strides: 1, name: None, momentum: 0.99 }
    }

    /// The step of the first convolution; 1 unless set.
    pub fn strides(mut self, strides: usize) -> ResidualBlock {
        self.strides = strides;
        self
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> ResidualBlock {
        self.name = Some(name.to_string());
        self
    }

    /// How much of the moving averages of batch normalisation stays at each step; 0.99 unless set.
    pub fn momentum(mut self, momentum: f64) -> ResidualBlock {
        self.momentum = momentum;
        self
    }

    /// Adds it on images [batch, height, width, channels].
    pub fn build(&self, x: &Output, training: bool) -> Result<Output> {
        expect_rank("ResidualBlock", x, 4, "images [batch, height, width, channels]")?;
        let channels = expect_size("ResidualBlock", x, -1)?;
        let _scope = x.graph().layer_scope(self.name.as_deref(), "residual_block")?;
        let normalise = |x: &Output, first: bool| {
            let norm = BatchNorm::new().momentum(self.momentum);
            // The last one begins with nothing, so that the block begins as if it were not there.
            let gamma = if first { initializers::ones() } else { initializers::zeros() };
            norm.gamma_initializer(gamma).build(x, training)
        };
        let convolve = |x: &Output, size: usize, strides: usize| {
            let strides = Window::from(strides);
            let convolution = Conv2d::new(self.filters, size).strides(strides).same().no_bias();
            convolution.kernel_initializer(initializers::he_normal()).build(x)
        };
        let inner = normalise(&convolve(x, 3, self.strides)?, true)?.relu()?;
        let inner = normalise(&convolve(&inner, 3, 1)?, false)?;
        let around = match channels == self.filters && self.strides == 1 {
            true => x.clone(),
            false => normalise(&convolve(x, 1, self.strides)?, true)?,
        };
        (inner + around)?.relu()
    }
}
