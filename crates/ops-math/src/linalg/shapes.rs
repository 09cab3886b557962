//! Shape functions of linear algebra.

use downpour_graph::{Dim, PartialShape, ShapeContext};
use downpour_tensor::Result;

/// The batch axes and the two last sizes of input `i`.
pub(super) fn split(cx: &ShapeContext<'_>, i: usize) -> Result<(PartialShape, Dim, Dim)> {
    let input = cx.with_rank_at_least(i, 2)?;
    Ok(match input.dims() {
        None => (PartialShape::unknown(), None, None),
        Some(dims) => {
            let n = dims.len();
            (PartialShape::of(dims[..n - 2].iter().copied()), dims[n - 2], dims[n - 1])
        }
    })
}

/// The batch axes and size of input `i`, whose matrices are square.
pub(super) fn split_square(cx: &ShapeContext<'_>, i: usize) -> Result<(PartialShape, Dim)> {
    let (batch, rows, columns) = split(cx, i)?;
    Ok((batch, cx.merge_dim(rows, columns)?))
}

/// Square matrices in, square matrices out.
pub(super) fn square(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, size) = split_square(cx, 0)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(size, size)));
    Ok(())
}

/// One number for each square matrix, in every output.
pub(super) fn numbers(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, _) = split_square(cx, 0)?;
    for i in 0..cx.outputs_len() {
        cx.set_output(i, batch.clone());
    }
    Ok(())
}

/// A matrix and right-hand sides with the same batch; `square` matrices or any.
fn solve(cx: &mut ShapeContext<'_>, square: bool) -> Result<()> {
    let (a_batch, rows, columns) = split(cx, 0)?;
    let (b_batch, b_rows, b_columns) = split(cx, 1)?;
    let batch = cx.merge(&a_batch, &b_batch)?;
    let columns = if square { cx.merge_dim(rows, columns)? } else { columns };
    let merged = cx.merge_dim(rows, b_rows)?;
    let rows = if square { merged } else { columns };
    cx.set_output(0, batch.concat(&PartialShape::matrix(rows, b_columns)));
    Ok(())
}

pub(super) fn square_solve(cx: &mut ShapeContext<'_>) -> Result<()> {
    solve(cx, true)
}

pub(super) fn rectangular_solve(cx: &mut ShapeContext<'_>) -> Result<()> {
    solve(cx, false)
}

/// Like `square_solve`, with batches that broadcast.
pub(super) fn broadcast_solve(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a_batch, rows, columns) = split(cx, 0)?;
    let (b_batch, b_rows, b_columns) = split(cx, 1)?;
    let size = cx.merge_dim(rows, columns)?;
    let size = cx.merge_dim(size, b_rows)?;
    let batch = downpour_graph::shapes::broadcast(&a_batch, &b_batch)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(size, b_columns)));
    Ok(())
}

/// Eigenvalues, and vectors if the attribute `compute_v` asks for them.
pub(super) fn eigen(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, size) = split_square(cx, 0)?;
    cx.set_output(0, batch.concat(&PartialShape::vector(size)));
    let vectors = if cx.node().bool("compute_v")? {
        batch.concat(&PartialShape::matrix(size, size))
    } else {
        PartialShape::vector(Some(0))
    };
    cx.set_output(1, vectors);
    Ok(())
}
