//! A residual block: two convolutions and the way around them (He et al., 2016).

use downpour_tensor::Result;

use super::{Activation, BatchNorm, Conv2d, Layer};
use crate::graph::Graph;
use crate::initializers;
use crate::output::Output;

/// relu(norm(conv(relu(norm(conv(x))))) + x), with a convolution on the way around where sizes change.
pub struct ResidualBlock {
    first: (Conv2d, BatchNorm),
    second: (Conv2d, BatchNorm),
    around: Option<(Conv2d, BatchNorm)>,
}

impl ResidualBlock {
    /// From so many channels to so many filters; a stride above 1 makes images smaller.
    pub fn new(
        graph: &Graph,
        name: &str,
        channels: usize,
        filters: usize,
        stride: i64,
    ) -> Result<ResidualBlock> {
        let _scope = graph.name_scope(name)?;
        let pair = |name: &str, channels: usize, window: usize, stride: i64| {
            let conv = Conv2d::new(channels, filters, (window, window)).strides(stride, stride);
            let conv = conv.same().no_bias().kernel_initializer(initializers::he_normal());
            let conv = conv.build(graph, &format!("{name}_conv"))?;
            Ok((conv, BatchNorm::new(filters).build(graph, &format!("{name}_norm"))?))
        };
        let around = match channels == filters && stride == 1 {
            true => None,
            false => Some(pair("around", channels, 1, stride)?),
        };
        Ok(ResidualBlock {
            first: pair("first", channels, 3, stride)?,
            second: pair("second", filters, 3, 1)?,
            around,
        })
    }
}

fn through((conv, norm): &(Conv2d, BatchNorm), input: &Output, training: bool) -> Result<Output> {
    norm.apply(&conv.apply(input, training)?, training)
}

impl Layer for ResidualBlock {
    fn apply(&self, input: &Output, training: bool) -> Result<Output> {
        let inner = Activation::Relu.of(&through(&self.first, input, training)?)?;
        let inner = through(&self.second, &inner, training)?;
        let around = match &self.around {
            Some(pair) => through(pair, input, training)?,
            None => input.clone(),
        };
        (inner + around)?.relu()
    }
}
