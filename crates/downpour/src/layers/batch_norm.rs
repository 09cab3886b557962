//! Batch normalization: each channel with mean 0 and deviation 1, then scaled and moved as training likes.

use downpour_tensor::{DataType, Result, Status};

use super::{Layer, expect_last};
use crate::graph::Graph;
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::Output;
use crate::variable::Variable;

/// Normalizes the last axis: by the batch in training, by moving averages otherwise (Ioffe and Szegedy, 2015).
///
/// In training the averages are changed by operations that [`Graph::updates`] lists; an optimizer's train
/// operation runs them.
pub struct BatchNorm {
    name: String,
    channels: usize,
    gamma: Variable,
    beta: Variable,
    moving_mean: Variable,
    moving_variance: Variable,
    momentum: f64,
    epsilon: f64,
}

/// A [`BatchNorm`] about to be made.
#[must_use = "nothing is made before `build`"]
pub struct BatchNormBuilder {
    channels: usize,
    momentum: f64,
    epsilon: f64,
}

impl BatchNorm {
    /// For so many channels. TensorFlow's defaults: momentum 0.99, epsilon 0.001.
    #[expect(clippy::new_ret_no_self, reason = "the layer itself needs a graph, which comes last")]
    pub fn new(channels: usize) -> BatchNormBuilder {
        BatchNormBuilder { channels, momentum: 0.99, epsilon: 1e-3 }
    }

    /// Images: the fused operation, whose variance for the averages is that of a sample.
    fn fused(&self, input: &Output, training: bool) -> Result<Output> {
        let node = NodeBuilder::new("FusedBatchNormV3").input(input);
        let node = node.input(&self.gamma.value()).input(&self.beta.value());
        let node = match training {
            true => {
                let nothing = input.graph().constant(Vec::<f32>::new())?;
                node.input(&nothing).input(&nothing)
            }
            false => node.input(&self.moving_mean.value()).input(&self.moving_variance.value()),
        };
        let epsilon = self.epsilon as f32;
        let values = node.attr("epsilon", epsilon).attr("is_training", training).outputs()?;
        let [value, mean, variance, ..] = values.as_slice() else {
            return Err(Status::internal("FusedBatchNormV3 gives six values"));
        };
        if training {
            self.follow(mean, variance)?;
        }
        Ok(value.clone())
    }

    /// Anything else, written out.
    fn plain(&self, input: &Output, rank: usize, training: bool) -> Result<Output> {
        let axes: Vec<i32> = (0..rank as i32 - 1).collect();
        let (mean, variance) = match training {
            true => {
                let mean = input.reduce_mean(&axes, true)?;
                let square = input.squared_difference(&mean.stop_gradient()?)?;
                let variance = square.reduce_mean(&axes, false)?;
                let outer: Vec<i64> = axes.iter().map(|axis| i64::from(*axis)).collect();
                let mean = mean.squeeze(&outer)?;
                self.follow(&mean, &variance)?;
                (mean, variance)
            }
            false => (self.moving_mean.value(), self.moving_variance.value()),
        };
        let scale = ((variance + self.epsilon)?.rsqrt()? * self.gamma.value())?;
        (input * &scale)? + (self.beta.value() - (mean * &scale)?)?
    }

    /// The averages take a step towards the batch.
    fn follow(&self, mean: &Output, variance: &Output) -> Result<()> {
        for (average, batch) in [(&self.moving_mean, mean), (&self.moving_variance, variance)] {
            let graph = average.graph();
            let _beside = graph.colocate_with(&average.handle().op())?;
            let change = ((average.read()? - batch)? * (1.0 - self.momentum))?;
            graph.add_update(&average.assign_sub(&change)?)?;
        }
        Ok(())
    }
}

impl BatchNormBuilder {
    /// What is kept of the averages at each step.
    pub fn momentum(mut self, momentum: f64) -> BatchNormBuilder {
        self.momentum = momentum;
        self
    }

    /// Added to the variance.
    pub fn epsilon(mut self, epsilon: f64) -> BatchNormBuilder {
        self.epsilon = epsilon;
        self
    }

    /// Makes the variables `name/gamma`, `beta`, `moving_mean` and `moving_variance`.
    pub fn build(self, graph: &Graph, name: &str) -> Result<BatchNorm> {
        let _scope = graph.name_scope(name)?;
        let make = |name: &str, start: f64, trainable: bool| {
            let start = initializers::constant(start);
            let made = graph.variable_builder(name, [self.channels], DataType::Float, start);
            made.trainable(trainable).build()
        };
        Ok(BatchNorm {
            name: graph.current_scope(),
            channels: self.channels,
            gamma: make("gamma", 1.0, true)?,
            beta: make("beta", 0.0, true)?,
            moving_mean: make("moving_mean", 0.0, false)?,
            moving_variance: make("moving_variance", 1.0, false)?,
            momentum: self.momentum,
            epsilon: self.epsilon,
        })
    }
}

impl Layer for BatchNorm {
    fn apply(&self, input: &Output, training: bool) -> Result<Output> {
        expect_last(&self.name, input, self.channels)?;
        let _scope = input.graph().absolute_scope(&self.name)?;
        match input.known_rank("BatchNorm")? {
            4 => self.fused(input, training),
            rank => self.plain(input, rank, training),
        }
    }
}
