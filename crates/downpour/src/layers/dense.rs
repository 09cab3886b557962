//! A densely connected layer.

use downpour_tensor::{Result, Status};

use super::Activation;
use super::support::{expect_real, expect_size, kernel_layer_choices, weight};
use crate::initializers::{self, Initializer};
use crate::output::Output;
use crate::regularizers::Regularizer;

/// Every output is connected with every input: `activation(x · kernel + bias)` along the last axis, as
/// `tf.compat.v1.layers.dense`.
///
/// ```
/// use downpour::{DataType, Graph, layers::Dense, regularizers};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(784)])?;
/// let y = Dense::new(128).relu().regularizer(regularizers::l2(1e-4)).build(&x)?;
/// assert_eq!(y.shape().to_string(), "[?,128]");
/// assert_eq!(graph.variables()[0].name(), "dense/kernel");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct Dense {
    units: usize,
    name: Option<String>,
    activation: Activation,
    kernel: Initializer,
    bias: Option<Initializer>,
    regularizer: Option<Regularizer>,
}

impl Dense {
    /// A layer with so many outputs.
    pub fn new(units: usize) -> Dense {
        Dense {
            units,
            name: None,
            activation: Activation::Linear,
            kernel: initializers::glorot_uniform(),
            bias: Some(initializers::zeros()),
            regularizer: None,
        }
    }

    /// Adds it on a value of shape [..., inputs]; gives [..., units].
    pub fn build(&self, x: &Output) -> Result<Output> {
        expect_real("Dense", x)?;
        let inputs = expect_size("Dense", x, -1)?;
        let rank = x.known_rank("Dense")?;
        let _scope = x.graph().layer_scope(self.name.as_deref(), "dense")?;
        let shape = [inputs, self.units];
        let kernel = weight(x, "kernel", shape, &self.kernel, self.regularizer.as_ref())?;
        let bias = self.bias.as_ref();
        let bias = bias.map(|first| weight(x, "bias", [self.units], first, None)).transpose()?;
        // Of more than two axes all but the last are one long axis meanwhile.
        let flat = match rank {
            2 => x.clone(),
            0 | 1 => {
                return Err(Status::invalid_argument(format!(
                    "Dense takes a batch of vectors, but {} has the shape {}",
                    x.name(),
                    x.shape()
                )));
            }
            _ => x.reshape(&[-1, inputs as i64])?,
        };
        let mut sums = flat.matmul(&kernel.value())?;
        if let Some(bias) = bias {
            sums = sums.bias_add(&bias.value())?;
        }
        if rank > 2 {
            sums = restore_shape(&sums, x, self.units)?;
        }
        self.activation.apply(&sums)
    }
}

/// Rows as they were in `like`, with a last axis of another size.
fn restore_shape(rows: &Output, like: &Output, size: usize) -> Result<Output> {
    let shape = like.shape();
    let outer = shape.dims().unwrap_or_default();
    let outer = &outer[..outer.len().saturating_sub(1)];
    let sizes: Vec<i64> = outer.iter().map(|dim| dim.map_or(-1, |dim| dim as i64)).collect();
    if sizes.iter().filter(|size| **size < 0).count() <= 1 {
        return rows.reshape(&[sizes.as_slice(), &[size as i64]].concat());
    }
    let graph = rows.graph();
    let outer = like.shape_of()?.slice(&[0], &[outer.len() as i32])?;
    let last = graph.constant([size as i32])?;
    let restored = rows.reshape_to(&Output::concat(&[outer, last], 0)?)?;
    let mut known: Vec<Option<usize>> = sizes.iter().map(|s| usize::try_from(*s).ok()).collect();
    known.push(Some(size));
    restored.set_shape(downpour_graph::PartialShape::of(known))?;
    Ok(restored)
}

kernel_layer_choices!(Dense);
