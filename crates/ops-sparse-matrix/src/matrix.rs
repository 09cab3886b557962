//! A sparse matrix with compressed rows, or a batch of such matrices of one shape.
//!
//! The parts are tensors, as TensorFlow keeps them, so that operations share what they do not change. Invariants, which
//! `new` checks and every kernel relies on: `batch_pointers` runs from 0 to the number of values; each matrix has
//! `rows + 1` row pointers, which run from 0 to its number of values; no pointer is smaller than the one before;
//! every column lies in the matrix.

use std::ops::Range;

use downpour_runtime::OpContext;
use downpour_tensor::{CountedVec, DataType, Element, Result, Shape, Status, Tensor, Variant};

#[derive(Clone, Debug)]
pub(crate) struct CsrMatrix {
    shape: Shape,
    batch_pointers: Tensor,
    row_pointers: Tensor,
    columns: Tensor,
    values: Tensor,
}

/// One matrix of the batch.
#[derive(Clone, Copy)]
pub(crate) struct Component<'a, T> {
    pub row_pointers: &'a [i32],
    pub columns: &'a [i32],
    pub values: &'a [T],
}

impl<'a, T> Component<'a, T> {
    pub(crate) fn rows(&self) -> usize {
        self.row_pointers.len() - 1
    }

    /// Returns where the values of a row lie.
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        self.row_pointers[row] as usize..self.row_pointers[row + 1] as usize
    }

    /// Returns columns and values of a row.
    pub(crate) fn entries(&self, row: usize) -> impl Iterator<Item = (usize, T)> + use<'a, T>
    where
        T: Copy,
    {
        let range = self.row(row);
        let columns = self.columns[range.clone()].iter().map(|&c| c as usize);
        columns.zip(self.values[range].iter().copied())
    }
}

/// A matrix under construction, row by row.
pub(crate) struct Rows<T> {
    row_pointers: CountedVec<i32>,
    columns: CountedVec<i32>,
    values: CountedVec<T>,
}

impl<T: Element> Rows<T> {
    pub(crate) fn new(rows: usize) -> Result<Rows<T>> {
        let mut row_pointers = CountedVec::with_capacity(rows.saturating_add(1))?;
        row_pointers.push(0)?;
        Ok(Rows { row_pointers, columns: CountedVec::new(), values: CountedVec::new() })
    }

    /// Adds a value to the current row.
    pub(crate) fn push(&mut self, column: usize, value: T) -> Result<()> {
        self.columns.push(column as i32)?;
        self.values.push(value)
    }

    /// Ends the current row.
    pub(crate) fn end_row(&mut self) -> Result<()> {
        let end = i32::try_from(self.values.len()).map_err(|_| too_many(self.values.len()))?;
        self.row_pointers.push(end)
    }
}

fn too_many(values: usize) -> Status {
    Status::invalid_argument(format!(
        "a sparse matrix can have at most {} values, but this would have {values}",
        i32::MAX
    ))
}

fn broken(what: impl std::fmt::Display) -> Status {
    Status::invalid_argument(format!("CSRSparseMatrix::Validate: {what}"))
}

impl CsrMatrix {
    /// Returns a matrix of these parts after checking them.
    pub(crate) fn new(
        shape: Shape,
        batch_pointers: Tensor,
        row_pointers: Tensor,
        columns: Tensor,
        values: Tensor,
    ) -> Result<CsrMatrix> {
        use DataType::{Complex64, Complex128, Double, Float};
        if !matches!(values.dtype(), Float | Double | Complex64 | Complex128) {
            return Err(broken(format!(
                "dtype = {} not in {{float32, float64, complex64, complex128}}",
                values.dtype()
            )));
        }
        if !(2..=3).contains(&shape.rank()) {
            return Err(broken(format!(
                "dense_shape should be a 2- or 3- vector, but saw: {shape}"
            )));
        }
        for (name, part) in [
            ("batch_pointers", &batch_pointers),
            ("row_pointers", &row_pointers),
            ("col_indices", &columns),
            ("values", &values),
        ] {
            if part.rank() != 1 {
                return Err(broken(format!("{name} is not a vector, saw shape: {}", part.shape())));
            }
        }
        if columns.len() != values.len() {
            return Err(broken(format!(
                "size(col_indices) = {} != size(values) = {}",
                columns.len(),
                values.len()
            )));
        }
        let matrix = CsrMatrix { shape, batch_pointers, row_pointers, columns, values };
        matrix.check()?;
        Ok(matrix)
    }

    fn check(&self) -> Result<()> {
        let batches = self.batch_pointers.as_slice::<i32>()?;
        let rows = self.row_pointers.as_slice::<i32>()?;
        if batches.len() != self.batches().saturating_add(1) {
            return Err(broken(format!(
                "dense_shape is {} but batch pointers implies batch size is {}",
                self.shape,
                batches.len() as i64 - 1
            )));
        }
        let block = self.rows().saturating_add(1);
        if Some(rows.len()) != block.checked_mul(self.batches()) {
            return Err(broken(format!(
                "row_pointers should have size batch_size * (num_rows + 1), saw shapes: {} vs. {}",
                self.shape,
                self.row_pointers.shape()
            )));
        }
        check_pointers("batch pointers", batches, self.values.len())?;
        for (own, ends) in rows.chunks_exact(block).zip(batches.windows(2)) {
            check_pointers("row pointers", own, (ends[1] - ends[0]) as usize)?;
        }
        let width = self.columns_len();
        let columns = self.columns.as_slice::<i32>()?;
        match columns.iter().find(|&&c| usize::try_from(c).map_or(true, |c| c >= width)) {
            Some(column) => {
                Err(broken(format!("column index {column} is outside of valid range [0, {width})")))
            }
            None => Ok(()),
        }
    }

    /// Returns a matrix of what was made for each matrix of the batch.
    pub(crate) fn from_rows<T: Element>(shape: Shape, parts: &[Rows<T>]) -> Result<CsrMatrix> {
        let mut batch_pointers = CountedVec::with_capacity(parts.len() + 1)?;
        batch_pointers.push(0i32)?;
        let mut total = 0usize;
        for part in parts {
            total += part.values.len();
            batch_pointers.push(i32::try_from(total).map_err(|_| too_many(total))?)?;
        }
        let count = parts.len();
        let pointers = CountedVec::build(count, |i| Ok(&parts[i].row_pointers[..]))?;
        let columns = CountedVec::build(count, |i| Ok(&parts[i].columns[..]))?;
        let values = CountedVec::build(count, |i| Ok(&parts[i].values[..]))?;
        CsrMatrix::new(
            shape,
            Tensor::vector(&batch_pointers)?,
            joined(&pointers)?,
            joined(&columns)?,
            joined(&values)?,
        )
    }

    /// Returns a matrix with the same places and other values.
    pub(crate) fn with_values(&self, values: Tensor) -> Result<CsrMatrix> {
        if values.shape() != self.values.shape() {
            return Err(Status::internal("new values of a sparse matrix have another shape"));
        }
        Ok(CsrMatrix { values, ..self.clone() })
    }

    pub(crate) fn dtype(&self) -> DataType {
        self.values.dtype()
    }

    /// Returns the dense shape: rows and columns, behind the size of the batch if it is one.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn rank(&self) -> usize {
        self.shape.rank()
    }

    pub(crate) fn batches(&self) -> usize {
        if self.rank() == 2 { 1 } else { self.shape[0] }
    }

    pub(crate) fn rows(&self) -> usize {
        self.shape[self.rank() - 2]
    }

    /// Returns the number of columns of the dense matrix.
    pub(crate) fn columns_len(&self) -> usize {
        self.shape[self.rank() - 1]
    }

    pub(crate) fn batch_pointers(&self) -> &Tensor {
        &self.batch_pointers
    }

    pub(crate) fn row_pointers(&self) -> &Tensor {
        &self.row_pointers
    }

    pub(crate) fn columns(&self) -> &Tensor {
        &self.columns
    }

    pub(crate) fn values(&self) -> &Tensor {
        &self.values
    }

    /// Returns where the values of a matrix of the batch lie.
    pub(crate) fn batch(&self, batch: usize) -> Result<Range<usize>> {
        let pointers = self.batch_pointers.as_slice::<i32>()?;
        Ok(pointers[batch] as usize..pointers[batch + 1] as usize)
    }

    /// Returns one matrix of the batch.
    pub(crate) fn component<T: Element>(&self, batch: usize) -> Result<Component<'_, T>> {
        let range = self.batch(batch)?;
        let block = self.rows() + 1;
        Ok(Component {
            row_pointers: &self.row_pointers.as_slice()?[batch * block..(batch + 1) * block],
            columns: &self.columns.as_slice()?[range.clone()],
            values: &self.values.as_slice()?[range],
        })
    }

    pub(crate) fn into_tensor(self) -> Result<Tensor> {
        Ok(Variant::new(self)?.into_tensor())
    }
}

fn joined<T: Element>(parts: &[&[T]]) -> Result<Tensor> {
    let total = parts.iter().map(|p| p.len()).sum::<usize>();
    Tensor::build([total], |out: &mut [T]| {
        let mut rest = out;
        for part in parts {
            let (start, end) = rest.split_at_mut(part.len());
            start.copy_from_slice(part);
            rest = end;
        }
    })
}

fn check_pointers(name: &str, pointers: &[i32], end: usize) -> Result<()> {
    let fits = pointers.first() == Some(&0)
        && pointers.windows(2).all(|pair| pair[0] <= pair[1])
        && pointers.last().is_some_and(|&last| last as usize == end);
    if fits {
        return Ok(());
    }
    Err(broken(format!("{name} must rise from 0 to the number of values, {end}")))
}

/// Returns the sparse matrix in input `i`.
pub(crate) fn matrix<'a>(cx: &'a OpContext<'_>, i: usize) -> Result<&'a CsrMatrix> {
    let input = cx.input(i);
    let [variant] = input.variants()? else {
        return Err(not_scalar(input));
    };
    if input.rank() != 0 {
        return Err(not_scalar(input));
    }
    let matrix = variant
        .get::<CsrMatrix>()
        .ok_or_else(|| Status::invalid_argument(format!("Could not retrieve Variant input {i}")))?;
    if matrix.row_pointers.is_empty() {
        return Err(Status::invalid_argument(format!("Variant input {i} is not valid.")));
    }
    Ok(matrix)
}

fn not_scalar(input: &Tensor) -> Status {
    Status::invalid_argument(format!(
        "Invalid input matrix: Shape must be rank 0 but is rank {}",
        input.rank()
    ))
}

/// Checks that a matrix has the element type of the attribute `type`.
pub(crate) fn check_type(name: &str, matrix: &CsrMatrix, dtype: DataType) -> Result<()> {
    if matrix.dtype() == dtype {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "dtype of {name} is not equal to 'type': {} vs. {dtype}",
        matrix.dtype()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(batches: &[i32], rows: &[i32], columns: &[i32], values: usize) -> Result<CsrMatrix> {
        CsrMatrix::new(
            Shape::new(&[2, 2, 3]),
            Tensor::vector(batches).unwrap(),
            Tensor::vector(rows).unwrap(),
            Tensor::vector(columns).unwrap(),
            Tensor::vector(&vec![1f32; values]).unwrap(),
        )
    }

    #[test]
    fn parts_are_checked() {
        let rows = &[0, 1, 1, 0, 0, 2];
        let matrix = make(&[0, 1, 3], rows, &[2, 0, 1], 3).unwrap();
        let second = matrix.component::<f32>(1).unwrap();
        assert_eq!(second.entries(1).collect::<Vec<_>>(), [(0, 1.0), (1, 1.0)]);
        assert!(make(&[0, 1, 3], rows, &[2, 0, 3], 3).is_err(), "a column outside");
        assert!(make(&[0, 1, 3], rows, &[2, 0, -1], 3).is_err(), "a negative column");
        assert!(make(&[0, 2, 3], rows, &[2, 0, 1], 3).is_err(), "rows that end too early");
        assert!(make(&[0, 1, 3], &[0, 1, 1, 0, 3, 2], &[2, 0, 1], 3).is_err(), "falling pointers");
        assert!(make(&[0, 1, 3], rows, &[2, 0, 1], 2).is_err(), "a missing value");
        assert!(make(&[0, 3], &rows[..3], &[2, 0, 1], 3).is_err(), "a missing matrix");
        assert!(make(&[], rows, &[2, 0, 1], 3).is_err(), "no pointers");
    }
}
