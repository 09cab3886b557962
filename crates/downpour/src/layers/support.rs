//! What layers share: checks of their input, variables with regularizers, common choices.

use downpour_tensor::{DataType, Result, Shape, Status};

use crate::initializers::Initializer;
use crate::output::Output;
use crate::regularizers::Regularizer;
use crate::variable::Variable;

/// The input of a layer that computes with real numbers.
pub(super) fn expect_real(layer: &str, x: &Output) -> Result<DataType> {
    let dtype = x.dtype();
    if dtype.is_floating() {
        return Ok(dtype);
    }
    Err(Status::invalid_argument(format!(
        "{layer} computes with real numbers, but {} is {dtype}; cast it first",
        x.name()
    )))
}

/// The size of an axis (from the end if negative), which variables' shapes depend on.
pub(super) fn expect_size(layer: &str, x: &Output, axis: i64) -> Result<usize> {
    let rank = x.known_rank(layer)? as i64;
    let from_start = if axis < 0 { axis + rank } else { axis };
    let size = usize::try_from(from_start).ok().and_then(|axis| x.shape().dim(axis));
    size.ok_or_else(|| {
        Status::invalid_argument(format!(
            "{layer} needs to know the size of axis {axis} of {}, whose shape is {}; say it by set_shape",
            x.name(),
            x.shape()
        ))
    })
}

pub(super) fn expect_rank(layer: &str, x: &Output, rank: usize, form: &str) -> Result<()> {
    match x.known_rank(layer)? {
        found if found == rank => Ok(()),
        _ => Err(Status::invalid_argument(format!(
            "{layer} takes {form}, but {} has the shape {}",
            x.name(),
            x.shape()
        ))),
    }
}

/// A layer's variable; the regularizer sees it once, when it is made.
pub(super) fn weight(
    x: &Output,
    name: &str,
    shape: impl Into<Shape>,
    initializer: &Initializer,
    regularizer: Option<&Regularizer>,
) -> Result<Variable> {
    let graph = x.graph();
    let variable = graph.variable(name, shape, x.dtype(), initializer.clone())?;
    if let (Some(regularizer), false) = (regularizer, graph.reuses_variables()) {
        let _scope = graph.name_scope(&format!("{name}/Regularizer"))?;
        graph.add_regularization_loss(&regularizer.apply(&variable.value())?)?;
    }
    Ok(variable)
}

/// Choices that layers with a kernel, a bias and an activation share.
macro_rules! kernel_layer_choices {
    ($layer:ident) => {
        impl $layer {
            /// The name of its variable scope, instead of the numbered default.
            pub fn name(mut self, name: &str) -> $layer {
                self.name = Some(name.to_string());
                self
            }

            /// What is applied to the sums.
            pub fn activation(mut self, activation: $crate::layers::Activation) -> $layer {
                self.activation = activation;
                self
            }

            /// Relu as its activation.
            pub fn relu(self) -> $layer {
                self.activation($crate::layers::Activation::Relu)
            }

            /// Nothing is added to the sums.
            pub fn no_bias(mut self) -> $layer {
                self.bias = None;
                self
            }

            /// First values of the kernel; Glorot's uniform ones unless set.
            pub fn kernel_initializer(
                mut self,
                initializer: $crate::initializers::Initializer,
            ) -> $layer {
                self.kernel = initializer;
                self
            }

            /// First values of the bias; zeros unless set.
            pub fn bias_initializer(
                mut self,
                initializer: $crate::initializers::Initializer,
            ) -> $layer {
                self.bias = Some(initializer);
                self
            }

            /// Keeps the kernel small; see [`crate::losses::regularized`].
            pub fn regularizer(mut self, regularizer: $crate::regularizers::Regularizer) -> $layer {
                self.regularizer = Some(regularizer);
                self
            }
        }
    };
}

pub(super) use kernel_layer_choices;
