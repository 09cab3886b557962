//! Dropout.

use downpour_tensor::{Result, Status};

use super::support::expect_real;
use crate::ops;
use crate::output::Output;

/// While training, drops a part of the values at random and scales the others up by as much, as
/// `tf.nn.dropout`.
///
/// ```
/// use downpour::{Graph, Session, layers::Dropout};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.constant(vec![1.0f32; 1000])?;
/// assert_eq!(Dropout::new(0.5).build(&x, false)?, x);
/// let dropped = Dropout::new(0.5).seed(7).build(&x, true)?;
/// let values = Session::local(&graph)?.fetch(&[], &dropped)?;
/// assert!(values.as_slice::<f32>()?.iter().all(|v| *v == 0.0 || *v == 2.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct Dropout {
    rate: f64,
    seed: Option<i64>,
}

impl Dropout {
    /// Drops this part of the values, at least 0 and less than 1.
    pub fn new(rate: f64) -> Dropout {
        Dropout { rate, seed: None }
    }

    /// The seed of the choice; see [`crate::Graph::set_seed`] for the graph's.
    pub fn seed(mut self, seed: i64) -> Dropout {
        self.seed = Some(seed);
        self
    }

    /// Adds it, if the model is built for training; else gives the value back.
    pub fn build(&self, x: &Output, training: bool) -> Result<Output> {
        let dtype = expect_real("Dropout", x)?;
        if !(0.0..1.0).contains(&self.rate) {
            return Err(Status::invalid_argument(format!(
                "Dropout: a rate of {} is not at least 0 and less than 1",
                self.rate
            )));
        }
        if !training || self.rate == 0.0 {
            return Ok(x.clone());
        }
        let graph = x.graph();
        let _scope = graph.name_scope("dropout")?;
        let scaled = (x * (1.0 / (1.0 - self.rate)))?;
        let shape = x.shape_of()?;
        let (seed, seed2) = graph.seeds(self.seed);
        let drawn = ops::random_uniform(&shape, dtype).seed(seed).seed2(seed2).build()?;
        let kept = drawn.greater_equal(&drawn.scalar_like(self.rate)?)?;
        let dropped = kept.select(&scaled, &scaled.scalar_like(0.0)?)?;
        dropped.set_shape(x.shape())?;
        Ok(dropped)
    }
}
