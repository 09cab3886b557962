//! Counts how often each value occurs in each row, as a sparse tensor.
//!
//! The values are sorted by row and value, so that memory grows with their number and not with the number of rows,
//! which may be a forged one. The sort is stable: weights are added in the order in which they came.

mod dense;
mod ragged;
mod sparse;

use downpour_runtime::{KernelBuild, OpContext, Registry};
use downpour_tensor::{
    Charge, CountedVec, DataType, RealNumber, Result, Status, Tensor, dispatch_over,
};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    dense::register(registry)?;
    ragged::register(registry)?;
    sparse::register(registry)
}

/// The attributes that all three operations have.
struct Count {
    minimum: i64,
    maximum: i64,
    is_binary: bool,
}

/// The values to count, with the row of each.
struct Rows<'a> {
    /// Returns the row of a value by its place; called with rising places.
    row: &'a mut dyn FnMut(usize) -> i64,
    /// How many rows the result has; `None` if it is a vector.
    count: Option<i64>,
}

impl Count {
    fn new(build: &KernelBuild<'_>) -> Result<Count> {
        Ok(Count {
            minimum: build.int("minlength")?,
            maximum: build.int("maxlength")?,
            is_binary: build.bool("binary_output")?,
        })
    }

    /// Counts the values and sets the three outputs.
    fn count(
        &self,
        cx: &mut OpContext<'_>,
        values: &Tensor,
        weights: &Tensor,
        rows: Rows<'_>,
    ) -> Result<()> {
        let (narrow, wide);
        let value: &dyn Fn(usize) -> i64 = if values.dtype() == DataType::Int32 {
            narrow = values.as_slice::<i32>()?;
            &|i| narrow[i].into()
        } else {
            wide = values.as_slice::<i64>()?;
            &|i| wide[i]
        };
        let outputs = dispatch_over!(weights.dtype(), "CountSparseOutput",
            W => self.sorted::<W>(cx, values.len(), value, weights, rows),
            Float: f32, Double: f64, Int32: i32, Int64: i64)?;
        for (i, output) in outputs.into_iter().enumerate() {
            cx.set_output(i, output);
        }
        Ok(())
    }

    fn sorted<W: RealNumber>(
        &self,
        cx: &OpContext<'_>,
        count: usize,
        value: &dyn Fn(usize) -> i64,
        weights: &Tensor,
        rows: Rows<'_>,
    ) -> Result<[Tensor; 3]> {
        let weights = weights.as_slice::<W>()?;
        let mut largest = 0;
        let mut found: CountedVec<(i64, i64, W)> = CountedVec::new();
        for i in 0..count {
            let (row, value) = ((rows.row)(i), value(i));
            if self.maximum >= 0 && value >= self.maximum {
                continue;
            }
            largest = largest.max(value);
            let use_weight = !self.is_binary && !weights.is_empty();
            found.push((row, value, if use_weight { weights[i] } else { W::one() }))?;
        }
        cx.check_cancelled()?;
        {
            // A stable sort takes half of the list again.
            let _scratch = Charge::new(found.len().div_ceil(2) * size_of::<(i64, i64, W)>())?;
            found.sort_by_key(|&(row, value, _)| (row, value));
        }
        let runs = || found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let total = runs().count();
        let rank = 1 + usize::from(rows.count.is_some());
        let indices = Tensor::build([total, rank], |out: &mut [i64]| {
            for (out, run) in out.chunks_exact_mut(rank).zip(runs()) {
                out.copy_from_slice(&[run[0].0, run[0].1][2 - rank..]);
            }
        })?;
        let counts = Tensor::build([total], |out: &mut [W]| {
            for (out, run) in out.iter_mut().zip(runs()) {
                let sum = |run: &[(i64, i64, W)]| run.iter().fold(W::zero(), |n, v| n.add_w(v.2));
                *out = if self.is_binary { W::one() } else { sum(run) };
            }
        })?;
        let length = match self.maximum {
            maximum if maximum >= 0 => maximum,
            _ => largest.wrapping_add(1).max(self.minimum),
        };
        let shape = match rows.count {
            Some(rows) => Tensor::vector(&[rows, length])?,
            None => Tensor::vector(&[length])?,
        };
        Ok([indices, counts, shape])
    }
}

/// Refuses negative values, and weights that are not as many as values.
fn check(values: &Tensor, weights: &Tensor, what: &str) -> Result<()> {
    let negative = match values.dtype() {
        DataType::Int32 => values.as_slice::<i32>()?.iter().any(|&value| value < 0),
        _ => values.as_slice::<i64>()?.iter().any(|&value| value < 0),
    };
    if negative {
        return Err(Status::invalid_argument("Input values must all be non-negative"));
    }
    if !weights.is_empty() && weights.shape() != values.shape() {
        return Err(Status::invalid_argument(format!(
            "Weights and {what} must have the same shape. Weight shape: {}; {what} shape: {}",
            weights.shape(),
            values.shape()
        )));
    }
    Ok(())
}
