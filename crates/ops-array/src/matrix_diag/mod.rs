//! Diagonals of matrices: a band of diagonals packed into rows, as MatrixDiag, MatrixDiagPart and
//! MatrixSetDiag and their later versions exchange it.

mod diag;
mod diag_part;
mod set_diag;

use downpour_graph::Node;
use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::movement::StridedCopy;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    diag::register(registry)?;
    diag_part::register(registry)?;
    set_diag::register(registry)
}

/// On which side shorter diagonals are padded: true is content first.
#[derive(Clone, Copy)]
struct Alignment {
    left_super: bool,
    left_sub: bool,
}

impl Alignment {
    /// From the attribute `align`; versions without it put the content first.
    fn of(node: &Node) -> Result<Alignment> {
        if node.get("align").is_none() {
            return Ok(Alignment { left_super: true, left_sub: true });
        }
        let align = node.string("align")?;
        Ok(Alignment { left_super: align.starts_with("LEFT_"), left_sub: align.ends_with("_LEFT") })
    }
}

/// The lowest and highest diagonal of the argument `k`.
fn band(tensor: &Tensor) -> Result<(i64, i64)> {
    if tensor.rank() > 1 {
        return Err(Status::invalid_argument(format!(
            "diag_index must be a scalar or vector, received shape: {}",
            tensor.shape()
        )));
    }
    let (lower, upper) = match tensor.to_i64_vec()?[..] {
        [] => {
            return Err(Status::invalid_argument("Expected diag_index to have at least 1 element"));
        }
        [k] => (k, k),
        [lower, upper] => (lower, upper),
        ref more => {
            return Err(Status::invalid_argument(format!(
                "diag_index must have only one or two elements, received {} elements.",
                more.len()
            )));
        }
    };
    if lower > upper {
        return Err(Status::invalid_argument(format!(
            "lower_diag_index must not be larger than upper_diag_index: {lower} > {upper}"
        )));
    }
    Ok((lower, upper))
}

/// Input `i` as a band, or the main diagonal where the operation has no such input.
fn band_input(cx: &OpContext<'_>, i: usize) -> Result<(i64, i64)> {
    if i < cx.inputs_len() { band(cx.input(i)) } else { Ok((0, 0)) }
}

/// A band of diagonals of `rows` by `columns` matrices.
#[derive(Clone, Copy)]
struct Band {
    rows: usize,
    columns: usize,
    lower: i64,
    upper: i64,
    align: Alignment,
}

/// Which way elements go.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    IntoMatrix,
    IntoDiagonals,
}

impl Band {
    /// Refuses diagonals outside the matrix (the main one exists even in an empty matrix).
    fn check(&self) -> Result<()> {
        let (rows, columns) = (self.rows as i64, self.columns as i64);
        for (name, index) in [("lower", self.lower), ("upper", self.upper)] {
            if index != 0 && (index <= -rows || index >= columns) {
                return Err(Status::invalid_argument(format!(
                    "{name}_diag_index is out of bound: {index}. It must be between {} and {columns}",
                    -rows
                )));
            }
        }
        Ok(())
    }

    fn count(&self) -> usize {
        (self.upper - self.lower + 1) as usize
    }

    /// Length of the longest diagonal, to which the others are padded.
    fn width(&self) -> usize {
        let height = self.rows as i64 + self.upper.min(0);
        let width = self.columns as i64 - self.lower.max(0);
        height.min(width).max(0) as usize
    }

    /// One copy per diagonal, over all `batch` matrices.
    fn copies(&self, batch: usize, direction: Direction) -> impl Iterator<Item = StridedCopy> {
        let band = *self;
        let (count, width) = (self.count(), self.width());
        (band.lower..=band.upper).filter_map(move |d| {
            let (down, right) = ((-d).max(0), d.max(0));
            let length = (band.rows as i64 - down).min(band.columns as i64 - right);
            if length <= 0 {
                return None;
            }
            let length = length as usize;
            let left = if d >= 0 { band.align.left_super } else { band.align.left_sub };
            let offset = if left || d == 0 { 0 } else { width.saturating_sub(length) };
            let packed_start = (band.upper - d) as usize * width + offset;
            let matrix_start = down as usize * band.columns + right as usize;
            let packed = ((count * width) as isize, 1isize);
            let matrix = ((band.rows * band.columns) as isize, band.columns as isize + 1);
            let (from, to, from_start, to_start) = match direction {
                Direction::IntoMatrix => (packed, matrix, packed_start, matrix_start),
                Direction::IntoDiagonals => (matrix, packed, matrix_start, packed_start),
            };
            let axes = [(batch, from.0, to.0), (length, from.1, to.1)];
            Some(StridedCopy::new(axes, from_start, to_start))
        })
    }
}

/// Splits dimensions into those of the batch and the two of the matrices.
fn matrices(tensor: &Tensor) -> Result<(&[usize], usize, usize)> {
    match tensor.dims() {
        [batch @ .., rows, columns] => Ok((batch, *rows, *columns)),
        _ => Err(Status::invalid_argument(format!(
            "input must be at least 2-dim, received shape: {}",
            tensor.shape()
        ))),
    }
}
