//! PowerSGD between workers: begin, reduce P, reduce Q, finish.
//!
//! Each state is a value that the next step takes, so no step can be left out. A round that is dropped, because a reduction
//! failed, changes nothing: residual and direction are written by `finish` only.
//!
//! What a worker keeps is the part of its own matrix outside the span of P. The mean over workers of what is kept plus the
//! reduced gradient is the mean of what went in, and kept errors do not grow when workers have different data.

use downpour_tensor::{DataType, Result, Status, Tensor};

use super::{Direction, Extent, PowerSgd, check_factor, matrix};
use crate::feedback::same_variable;
use crate::float::Float;

/// A round after [`PowerSgd::begin`]: its factor P is to be averaged over the workers.
pub struct Projected {
    round: Round,
    p: Tensor,
}

/// A round after [`Projected::reduced`]: its factor Q is to be averaged over the workers.
pub struct Reduced {
    round: Round,
    p: Tensor,
    q: Tensor,
}

struct Round {
    name: String,
    extent: Extent,
    /// Gradient plus residual.
    matrix: Tensor,
}

/// Runs generic code on the float type of a tensor.
macro_rules! on_float {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            DataType::Float => {
                type $t = f32;
                $body
            }
            DataType::Double => {
                type $t = f64;
                $body
            }
            other => Err(Status::invalid_argument(format!(
                "PowerSGD takes float and double tensors, not {other}"
            ))),
        }
    };
}

impl PowerSgd {
    /// Projects a variable's gradient, with what was left of earlier ones. Only for gradients that
    /// [`PowerSgd::applies`] to; reduce the others as they are.
    pub fn begin(&mut self, name: &str, gradient: &Tensor) -> Result<Projected> {
        let extent = self.extent(gradient).ok_or_else(|| {
            Status::invalid_argument(format!(
                "the gradient of {name}, {} of shape {}, is not smaller as factors of rank {}; reduce it as it is",
                gradient.dtype(),
                gradient.shape(),
                self.rank
            ))
        })?;
        on_float!(gradient.dtype(), T => self.begin_with::<T>(name, gradient, extent))
    }

    fn begin_with<T: Float>(
        &mut self,
        name: &str,
        gradient: &Tensor,
        extent: Extent,
    ) -> Result<Projected> {
        let variable = self.variables.entry(name.to_owned()).or_default();
        let mut matrix = gradient.deep_copy()?;
        if let Some(residual) = variable.residual.tensor() {
            same_variable(name, residual, gradient)?;
            matrix::add(mutable::<T>(&mut matrix)?, residual.as_slice::<T>()?);
        }
        let direction = variable.direction.get_or_insert_with(|| Direction::new(self.seed, name));
        let q = direction.values::<T>(extent)?;
        let values = matrix.as_slice::<T>()?;
        let p = Tensor::build([extent.rows, extent.rank], |p: &mut [T]| {
            matrix::project(values, q, extent, p);
        })?;
        Ok(Projected { round: Round { name: name.to_owned(), extent, matrix }, p })
    }

    /// Ends a round with the mean of all workers' Q: the mean of their gradients, as far as the rank allows. What it does
    /// not allow is kept for the next round. After factors that are not finite nothing is kept or changed.
    pub fn finish(&mut self, reduced: Reduced, mean_q: &Tensor) -> Result<Tensor> {
        check_factor(&reduced.q, mean_q)?;
        on_float!(mean_q.dtype(), T => self.finish_with::<T>(reduced, mean_q))
    }

    fn finish_with<T: Float>(&mut self, reduced: Reduced, mean_q: &Tensor) -> Result<Tensor> {
        let Reduced { round: Round { name, extent, mut matrix }, p, q } = reduced;
        let (p, mean) = (p.as_slice::<T>()?, mean_q.as_slice::<T>()?);
        let gradient = Tensor::build(matrix.shape(), |out: &mut [T]| {
            matrix::product(p, mean, extent, out);
        })?;
        if p.iter().chain(mean).all(|value| value.is_finite()) {
            matrix::subtract_product(mutable(&mut matrix)?, p, q.as_slice::<T>()?, extent);
            let variable = self.variables.entry(name).or_default();
            if let Some(direction) = &mut variable.direction {
                direction.follow(mean, extent)?;
            }
            variable.residual.replace(matrix);
        }
        Ok(gradient)
    }
}

impl Projected {
    /// P, rows × rank, to be averaged (or given to an all-reduce) over the workers.
    pub fn factor(&self) -> &Tensor {
        &self.p
    }

    /// Goes on with the mean of all workers' P.
    pub fn reduced(self, mean_p: &Tensor) -> Result<Reduced> {
        check_factor(&self.p, mean_p)?;
        on_float!(mean_p.dtype(), T => self.reduced_with::<T>(mean_p))
    }

    fn reduced_with<T: Float>(self, mean_p: &Tensor) -> Result<Reduced> {
        let extent = self.round.extent;
        let mut p = mean_p.deep_copy()?;
        matrix::orthonormalize(mutable::<T>(&mut p)?, extent);
        let mut q = Tensor::zeros(T::DTYPE, [extent.rank, extent.columns])?;
        matrix::project_back(
            self.round.matrix.as_slice::<T>()?,
            p.as_slice::<T>()?,
            extent,
            mutable::<T>(&mut q)?,
        );
        Ok(Reduced { round: self.round, p, q })
    }
}

impl Reduced {
    /// Qᵀ, rank × columns, to be averaged over the workers.
    pub fn factor(&self) -> &Tensor {
        &self.q
    }
}

/// The values of a tensor that was made here and is held by nobody else.
fn mutable<T: Float>(tensor: &mut Tensor) -> Result<&mut [T]> {
    tensor.as_mut_slice().ok_or_else(|| Status::internal("a tensor of PowerSGD has another owner"))
}
