//! power-sgd: a matrix as the product of two thin ones (PowerSGD, Vogels et al. 2019).
//!
//! A step of power iteration: with Q from the last step, P = M·Q, orthonormalized; then Q = Mᵀ·P; the receiver forms P·Qᵀ and
//! the sender keeps M − P·Qᵀ. Tensors of more than two dimensions are matrices whose columns are the last dimension (a
//! convolution's filters). Q starts from the seed and the variable's name, so that all workers start alike.
//!
//! The payload is the rank r (8 bytes), P (rows × r) and Qᵀ (r × columns).

mod direction;
mod matrix;
mod rounds;

use std::collections::HashMap;

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use self::direction::Direction;
use super::payload;
use crate::Compression;
use crate::feedback::{Residual, block_maxima};
use crate::float::{Float, read, write};
use crate::reader::Reader;

pub use rounds::{Projected, Reduced};

/// PowerSGD for a worker's variables: by itself through [`Compressor`](crate::Compressor), or with all workers through an
/// all-reduce, because both factors may be summed.
///
/// ```
/// use downpour_compress::PowerSgd;
/// use downpour_tensor::Tensor;
/// let gradient = Tensor::from_vec([64, 64], (0..4096).map(|i| ((i / 64) * (i % 64)) as f32).collect())?;
/// let mut workers = [PowerSgd::new(2, 7)?, PowerSgd::new(2, 7)?];
///
/// // Each worker: begin, all-reduce P, all-reduce Q, finish. All gradients are the same here, so each factor is the mean.
/// for worker in &mut workers {
///     let projected = worker.begin("w", &gradient)?;
///     let mean_p = projected.factor().clone();
///     let reduced = projected.reduced(&mean_p)?;
///     let mean_q = reduced.factor().clone();
///     let mean_gradient = worker.finish(reduced, &mean_q)?;
///     assert!((mean_gradient.as_slice::<f32>()?[4095] - 3969.0).abs() < 1.0);
/// }
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
pub struct PowerSgd {
    rank: usize,
    seed: u64,
    variables: HashMap<String, Variable>,
}

#[derive(Default)]
struct Variable {
    direction: Option<Direction>,
    residual: Residual,
}

/// Rows, columns and rank of one variable's factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    rows: usize,
    columns: usize,
    rank: usize,
}

impl Extent {
    /// Nothing for what is not a matrix.
    fn of(shape: &Shape, rank: usize) -> Option<Extent> {
        let (&columns, rows) = shape.dims().split_last()?;
        (!rows.is_empty()).then(|| Extent { rows: rows.iter().product(), columns, rank })
    }

    /// Values in both factors.
    fn values(self) -> Option<usize> {
        self.rows.checked_add(self.columns)?.checked_mul(self.rank)
    }
}

impl PowerSgd {
    /// Factors of this rank; workers that reduce together must have the same seed.
    pub fn new(rank: usize, seed: u64) -> Result<PowerSgd> {
        Compression::PowerSgd { rank }.validate()?;
        Ok(PowerSgd { rank, seed, variables: HashMap::new() })
    }

    /// True for float32 and float64 matrices whose factors are smaller than they are.
    pub fn applies(&self, gradient: &Tensor) -> bool {
        self.extent(gradient).is_some()
    }

    /// What earlier gradients of this variable have left to be sent.
    pub fn residual(&self, name: &str) -> Option<&Tensor> {
        self.variables.get(name)?.residual.tensor()
    }

    /// Drops what is kept for a variable.
    pub fn forget(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Of each variable: its name, its residual, and its direction's values and generator.
    #[allow(clippy::type_complexity, reason = "three things that are read in one place")]
    pub(crate) fn kept(
        &self,
    ) -> impl Iterator<Item = (&str, Option<&Tensor>, Option<(Option<&Tensor>, u64)>)> {
        self.variables.iter().map(|(name, variable)| {
            let direction = variable.direction.as_ref().map(Direction::save);
            (name.as_str(), variable.residual.tensor(), direction)
        })
    }

    pub(crate) fn restore_residual(&mut self, name: &str, residual: Tensor) {
        self.variables.entry(name.to_owned()).or_default().residual.replace(residual);
    }

    /// A variable's direction, made if there is none.
    pub(crate) fn direction(&mut self, name: &str) -> &mut Direction {
        let variable = self.variables.entry(name.to_owned()).or_default();
        variable.direction.get_or_insert_with(|| Direction::new(self.seed, name))
    }

    fn extent(&self, gradient: &Tensor) -> Option<Extent> {
        let extent = Extent::of(gradient.shape(), self.rank)?;
        let float = matches!(gradient.dtype(), DataType::Float | DataType::Double);
        (float && extent.values()? < gradient.len()).then_some(extent)
    }

    /// The payload of one worker's gradient; nothing for values that are not finite or where factors are no gain.
    pub(crate) fn encode<T: Float>(
        &mut self,
        name: &str,
        gradient: &Tensor,
    ) -> Result<Option<Bytes>> {
        let Some(extent) = self.extent(gradient) else { return Ok(None) };
        let values = gradient.as_slice::<T>()?;
        let variable = self.variables.entry(name.to_owned()).or_default();
        let residual = variable.residual.values::<T>(name, gradient)?;
        if block_maxima(values, residual).is_none() {
            return Ok(None);
        }
        let direction = variable.direction.get_or_insert_with(|| Direction::new(self.seed, name));
        let from = direction.values::<T>(extent)?;
        matrix::add(residual, values);
        let mut p = vec![T::ZERO; extent.rows * extent.rank];
        let mut q = vec![T::ZERO; extent.rank * extent.columns];
        matrix::project(residual, from, extent, &mut p);
        matrix::orthonormalize(&mut p, extent);
        matrix::project_back(residual, &p, extent, &mut q);
        matrix::subtract_product(residual, &p, &q, extent);
        let bytes = payload(8 + size_of_val(&p[..]) + size_of_val(&q[..]), |out| {
            let (head, out) = out.split_at_mut(8);
            head.copy_from_slice(&(extent.rank as u64).to_le_bytes());
            let (head, out) = out.split_at_mut(size_of_val(&p[..]));
            write(&p, head);
            write(&q, out);
        })?;
        direction.follow(&q, extent)?;
        Ok(Some(bytes))
    }
}

pub(crate) fn decode<T: Float>(bytes: &[u8], shape: &Shape, out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("power-sgd", bytes);
    let rank = reader.take_count("rank")?;
    if !(1..=Compression::MAX_RANK).contains(&rank) {
        return Err(reader.error(format!("its rank is {rank}")));
    }
    let extent = Extent::of(shape, rank).filter(|extent| extent.values().is_some());
    let extent = extent.ok_or_else(|| reader.error(format!("{shape} is no matrix")))?;
    let p_bytes = reader.take_values(extent.rows * rank, size_of::<T>(), "left factor")?;
    let q_bytes = reader.take_values(rank * extent.columns, size_of::<T>(), "right factor")?;
    reader.finish()?;
    let mut p = vec![T::ZERO; extent.rows * rank];
    let mut q = vec![T::ZERO; rank * extent.columns];
    read(p_bytes, &mut p);
    read(q_bytes, &mut q);
    matrix::product(&p, &q, extent, out);
    Ok(())
}

/// A factor that came from outside: the dtype and shape of ours.
fn check_factor(ours: &Tensor, theirs: &Tensor) -> Result<()> {
    if ours.dtype() == theirs.dtype() && ours.shape() == theirs.shape() {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "a reduced factor of PowerSGD is {} of shape {}, but {} of shape {} was given to the reduction; \
         do all workers have the same rank and variables?",
        theirs.dtype(),
        theirs.shape(),
        ours.dtype(),
        ours.shape()
    )))
}

#[cfg(test)]
mod tests;
