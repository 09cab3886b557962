//! Batch normalisation.

use downpour_tensor::{DataType, Result, Status};

use super::support::{expect_real, expect_size, weight};
use crate::initializers::{self, Initializer};
use crate::ops;
use crate::output::Output;
use crate::variable::Variable;

/// Gives each channel (the last axis) mean 0 and variance 1, then scales and shifts it, as
/// `tf.compat.v1.layers.batch_normalization`.
///
/// While training mean and variance are the batch's, and moving averages of them follow, by operations that
/// [`crate::Graph::updates`] lists and the trainer runs with every step. Otherwise the moving averages are
/// used.
///
/// ```
/// use downpour::{DataType, Graph, layers::BatchNorm};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(7), Some(7), Some(8)])?;
/// let y = BatchNorm::new().build(&x, true)?;
/// assert_eq!(y.shape(), x.shape());
/// assert_eq!(graph.updates().len(), 2);
/// assert_eq!(graph.trainable_variables().len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct BatchNorm {
    name: Option<String>,
    momentum: f64,
    epsilon: f64,
    gamma: Initializer,
}

impl Default for BatchNorm {
    fn default() -> BatchNorm {
        BatchNorm::new()
    }
}

/// What it has to remember.
struct Weights {
    gamma: Variable,
    beta: Variable,
    moving_mean: Variable,
    moving_variance: Variable,
}

impl BatchNorm {
    /// With TensorFlow's defaults: momentum 0.99, epsilon 0.001.
    pub fn new() -> BatchNorm {
        BatchNorm { name: None, momentum: 0.99, epsilon: 1e-3, gamma: initializers::ones() }
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> BatchNorm {
        self.name = Some(name.to_string());
        self
    }

    /// How much of the moving averages stays at each step.
    pub fn momentum(mut self, momentum: f64) -> BatchNorm {
        self.momentum = momentum;
        self
    }

    /// What is added to variances, so that they are not zero.
    pub fn epsilon(mut self, epsilon: f64) -> BatchNorm {
        self.epsilon = epsilon;
        self
    }

    /// First values of the scale; ones unless set. Zeros make a residual branch start as nothing.
    pub fn gamma_initializer(mut self, initializer: Initializer) -> BatchNorm {
        self.gamma = initializer;
        self
    }

    /// Adds it; `training` says by which mean and variance.
    pub fn build(&self, x: &Output, training: bool) -> Result<Output> {
        let dtype = expect_real("BatchNorm", x)?;
        let channels = expect_size("BatchNorm", x, -1)?;
        let rank = x.known_rank("BatchNorm")?;
        if rank < 2 {
            return Err(Status::invalid_argument(format!(
                "BatchNorm takes a batch [batch, ..., channels], but {} has the shape {}",
                x.name(),
                x.shape()
            )));
        }
        let graph = x.graph();
        let _scope = graph.layer_scope(self.name.as_deref(), "batch_normalization")?;
        let average = |name: &str, first: Initializer| {
            let variable = graph.variable_builder(name, [channels], dtype, first);
            variable.trainable(false).build()
        };
        let weights = Weights {
            gamma: weight(x, "gamma", [channels], &self.gamma, None)?,
            beta: weight(x, "beta", [channels], &initializers::zeros(), None)?,
            moving_mean: average("moving_mean", initializers::zeros())?,
            moving_variance: average("moving_variance", initializers::ones())?,
        };
        match (rank, dtype) {
            (4, DataType::Float) => self.fused(x, &weights, training),
            _ => self.plain(x, rank, &weights, training),
        }
    }

    /// By the operation made for images.
    fn fused(&self, x: &Output, weights: &Weights, training: bool) -> Result<Output> {
        let (gamma, beta) = (weights.gamma.value(), weights.beta.value());
        let (mean, variance) = match training {
            true => {
                let none = x.graph().constant(Vec::<f32>::new())?;
                (none.clone(), none)
            }
            false => (weights.moving_mean.value(), weights.moving_variance.value()),
        };
        let node = ops::fused_batch_norm_v3(x, &gamma, &beta, &mean, &variance);
        let node = node.epsilon(self.epsilon as f32).is_training(training);
        let values = node.build()?;
        if training {
            self.follow(weights, &values.batch_mean, &values.batch_variance)?;
        }
        Ok(values.y)
    }

    fn plain(&self, x: &Output, rank: usize, weights: &Weights, training: bool) -> Result<Output> {
        let (mean, variance) = match training {
            true => {
                let axes: Vec<i32> = (0..rank as i32 - 1).collect();
                let mean = x.reduce_mean(&axes, false)?;
                let squares = x.squared_difference(&mean.stop_gradient()?)?;
                let variance = squares.reduce_mean(&axes, false)?;
                self.follow(weights, &mean, &variance)?;
                (mean, variance)
            }
            false => (weights.moving_mean.value(), weights.moving_variance.value()),
        };
        let scale = ((variance + self.epsilon)?.rsqrt()? * weights.gamma.value())?;
        let shift = (weights.beta.value() - (mean * &scale)?)?;
        (x * scale)? + shift
    }

    /// The moving averages take a step towards the batch's.
    fn follow(&self, weights: &Weights, mean: &Output, variance: &Output) -> Result<()> {
        let graph = mean.graph();
        let averages = [(&weights.moving_mean, mean), (&weights.moving_variance, variance)];
        for (average, batch) in averages {
            let _scope = graph.name_scope("AssignMovingAvg")?;
            let _beside = graph.colocate_with(&average.handle().op())?;
            let step = ((average.read()? - batch)? * (1.0 - self.momentum))?;
            graph.add_update(&average.assign_sub(&step)?)?;
        }
        Ok(())
    }
}
