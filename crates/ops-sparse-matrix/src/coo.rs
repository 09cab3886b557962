//! From coordinates, in row-major order, to compressed rows.

use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

use crate::matrix::CsrMatrix;

/// Returns a matrix with these values at these coordinates, one after another in `indices`. Coordinates that are not in
/// order are taken as TensorFlow takes them: rows are counted, columns stay in the order given.
pub(crate) fn compressed(shape: Shape, indices: &[i64], values: Tensor) -> Result<CsrMatrix> {
    let rank = shape.rank();
    let (rows, columns_len) = (shape[rank - 2], shape[rank - 1]);
    let batches = if rank == 2 { 1 } else { shape[0] };
    check_sizes(&shape, values.len())?;
    let mut batch_pointers: CountedVec<i32> = CountedVec::with_capacity(batches + 1)?;
    batch_pointers.push(0)?;
    let mut row_pointers = CountedVec::filled(batches * (rows + 1), 0i32)?;
    let mut columns = CountedVec::with_capacity(values.len())?;
    for (i, place) in indices.chunks_exact(rank).enumerate() {
        let batch = if rank == 2 { 0 } else { inside("Batch", place[0], batches)? };
        let row = inside("Row", place[rank - 2], rows)?;
        let column = inside("Column", place[rank - 1], columns_len)?;
        row_pointers[batch * (rows + 1) + row + 1] += 1;
        columns.push(i32::try_from(column).map_err(|_| {
            Status::invalid_argument(format!("Column index {column} does not fit into an int32"))
        })?)?;
        while batch_pointers.len() <= batch {
            batch_pointers.push(i as i32)?;
        }
    }
    while batch_pointers.len() <= batches {
        batch_pointers.push(values.len() as i32)?;
    }
    for own in row_pointers.chunks_exact_mut(rows + 1) {
        for i in 1..own.len() {
            own[i] += own[i - 1];
        }
    }
    CsrMatrix::new(
        shape,
        Tensor::vector(&batch_pointers)?,
        Tensor::vector(&row_pointers)?,
        Tensor::vector(&columns)?,
        values,
    )
}

/// Checks that all pointers of a matrix fit into int32.
pub(crate) fn check_sizes(shape: &Shape, values: usize) -> Result<()> {
    const LIMIT: usize = i32::MAX as usize;
    let rank = shape.rank();
    let batches = if rank == 2 { 1 } else { shape[0] };
    if batches >= LIMIT {
        return Err(Status::invalid_argument(format!(
            "dense_shape batch_size must be < Int32Max, but the input value is {batches}"
        )));
    }
    if values > LIMIT {
        return Err(Status::invalid_argument(format!(
            "values number of elements must be <= Int32Max, but the input value is {values}"
        )));
    }
    match shape[rank - 2].checked_add(1).and_then(|rows| rows.checked_mul(batches)) {
        Some(pointers) if pointers <= LIMIT => Ok(()),
        _ => Err(Status::invalid_argument(format!(
            "The csr row index size, computed based on the dense_shape, must be <= Int32Max, but \
             is too large. The shape is {shape}"
        ))),
    }
}

fn inside(name: &str, index: i64, size: usize) -> Result<usize> {
    usize::try_from(index).ok().filter(|&i| i < size).ok_or_else(|| {
        Status::invalid_argument(format!(
            "{name} index {index} is outside of valid range [0, {size})"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(shape: &[usize], indices: &[i64]) -> Result<CsrMatrix> {
        let values = vec![1f32; indices.len() / shape.len()];
        compressed(Shape::new(shape), indices, Tensor::vector(&values).unwrap())
    }

    #[test]
    fn empty_rows_and_matrices_have_pointers() {
        let matrix = make(&[4, 2, 2], &[1, 1, 0, 1, 1, 1, 2, 0, 0]).unwrap();
        assert_eq!(matrix.batch_pointers().as_slice::<i32>().unwrap(), &[0, 0, 2, 3, 3]);
        let rows = [0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 0, 0];
        assert_eq!(matrix.row_pointers().as_slice::<i32>().unwrap(), &rows);
        assert_eq!(matrix.columns().as_slice::<i32>().unwrap(), &[0, 1, 0]);
    }

    #[test]
    fn places_outside_and_out_of_order_are_refused() {
        assert!(make(&[2, 2], &[2, 0]).is_err());
        assert!(make(&[2, 2], &[0, -1]).is_err());
        assert!(make(&[2, 2, 2], &[2, 0, 0]).is_err());
        assert!(make(&[2, 2, 2], &[1, 0, 0, 0, 0, 0]).is_err(), "matrices out of order");
        assert!(make(&[1 << 40, 2], &[]).is_err());
        assert!(make(&[1 << 20, 1 << 20, 1], &[]).is_err());
    }
}
