//! Dropout: in training some elements become zero and the others larger.

use downpour_tensor::{Result, Status};

use super::Layer;
use crate::node_builder::NodeBuilder;
use crate::output::Output;

/// Sets a share of the elements to zero in training, and scales the others so that the sum stays.
#[derive(Clone, Copy, Debug)]
pub struct Dropout {
    rate: f64,
    seed: Option<i64>,
}

impl Dropout {
    /// The share of elements that become zero.
    pub fn new(rate: f64) -> Dropout {
        Dropout { rate, seed: None }
    }

    /// The seed of the draw.
    pub fn seed(mut self, seed: i64) -> Dropout {
        self.seed = Some(seed);
        self
    }
}

impl Layer for Dropout {
    fn apply(&self, input: &Output, training: bool) -> Result<Output> {
        if !(0.0..1.0).contains(&self.rate) {
            return Err(Status::invalid_argument(format!(
                "a dropout rate is at least 0 and less than 1, not {}",
                self.rate
            )));
        }
        if !training || self.rate == 0.0 {
            return Ok(input.clone());
        }
        let graph = input.graph();
        let _scope = graph.name_scope("dropout")?;
        let scaled = (input * (1.0 / (1.0 - self.rate)))?;
        let (seed, seed2) = graph.seeds(self.seed);
        let drawn = NodeBuilder::new("RandomUniform").input(&input.shape_of()?);
        let drawn = drawn.attr("dtype", input.dtype()).attr("seed", seed).attr("seed2", seed2);
        let drawn = drawn.output()?;
        let kept = drawn.greater_equal(&drawn.scalar_like(self.rate)?)?;
        let value = kept.select(&scaled, &scaled.scalar_like(0.0)?)?;
        value.set_shape(input.shape())?;
        Ok(value)
    }
}
