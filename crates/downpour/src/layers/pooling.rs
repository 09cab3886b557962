//! Layers without variables that make images smaller or flat.

use downpour_tensor::{Result, Status};

use super::Layer;
use super::conv::Padding;
use crate::node_builder::NodeBuilder;
use crate::output::Output;

/// The largest or the mean value of each window of an image (`[batch, height, width, channels]`).
#[derive(Clone, Copy, Debug)]
pub struct Pool2d {
    op: &'static str,
    window: (i64, i64),
    strides: (i64, i64),
    padding: Padding,
}

impl Pool2d {
    /// The largest value of each window; windows lie side by side.
    pub fn max(height: i64, width: i64) -> Pool2d {
        let window = (height, width);
        Pool2d { op: "MaxPool", window, strides: window, padding: Padding::Valid }
    }

    /// The mean of each window; windows lie side by side.
    pub fn average(height: i64, width: i64) -> Pool2d {
        Pool2d { op: "AvgPool", ..Pool2d::max(height, width) }
    }

    /// How far apart windows begin.
    pub fn strides(mut self, height: i64, width: i64) -> Pool2d {
        self.strides = (height, width);
        self
    }

    /// Windows may reach over the edge.
    pub fn same(mut self) -> Pool2d {
        self.padding = Padding::Same;
        self
    }
}

impl Layer for Pool2d {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        let along = |(height, width): (i64, i64)| vec![1, height, width, 1];
        let node = NodeBuilder::new(self.op).input(input).attr("ksize", along(self.window));
        node.attr("strides", along(self.strides)).attr("padding", self.padding.name()).output()
    }
}

/// The mean of each channel of an image.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlobalAveragePool;

impl Layer for GlobalAveragePool {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        input.reduce_mean(&[1, 2], false)
    }
}

/// All axes but the first as one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flatten;

impl Layer for Flatten {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        let shape = input.shape();
        let size = shape.dims().and_then(|dims| {
            dims.get(1..)?.iter().try_fold(1usize, |all, dim| all.checked_mul((*dim)?))
        });
        match size.and_then(|size| i64::try_from(size).ok()) {
            Some(size) => input.reshape(&[-1, size]),
            None => Err(Status::invalid_argument(format!(
                "Flatten: all axes of {} but the first must have known sizes, and its shape is {shape}",
                input.name()
            ))),
        }
    }
}
