//! Strided views of matrices inside slices.

/// A matrix to read: element (i, j) is `data[i * row_stride + j * column_stride]`.
#[derive(Clone, Copy, Debug)]
pub struct MatRef<'a, T> {
    pub data: &'a [T],
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

impl<'a, T> MatRef<'a, T> {
    /// A row-major matrix that starts at the slice's beginning. Panics if the slice is too short.
    pub fn new(data: &'a [T], rows: usize, columns: usize) -> MatRef<'a, T> {
        MatRef::strided(data, rows, columns, columns, 1)
    }

    /// Any layout. Panics if the slice is too short.
    pub fn strided(
        data: &'a [T],
        rows: usize,
        columns: usize,
        row_stride: usize,
        column_stride: usize,
    ) -> MatRef<'a, T> {
        check_extent(data.len(), rows, columns, row_stride, column_stride);
        MatRef { data, rows, columns, row_stride, column_stride }
    }

    /// The transposed view.
    pub fn t(self) -> MatRef<'a, T> {
        MatRef {
            data: self.data,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// The transposed view if `yes`.
    pub fn t_if(self, yes: bool) -> MatRef<'a, T> {
        if yes { self.t() } else { self }
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> &'a T {
        &self.data[i * self.row_stride + j * self.column_stride]
    }

    /// The elements in row-major order, each passed through `f`.
    pub(crate) fn packed<U>(&self, f: impl Fn(&T) -> U) -> Vec<U> {
        let mut out = Vec::with_capacity(self.rows * self.columns);
        for i in 0..self.rows {
            if self.column_stride == 1 && self.columns > 0 {
                let start = i * self.row_stride;
                out.extend(self.data[start..start + self.columns].iter().map(&f));
            } else {
                out.extend((0..self.columns).map(|j| f(self.at(i, j))));
            }
        }
        out
    }
}

/// A matrix to write, row by row contiguous: element (i, j) is `data[i * row_stride + j]`.
#[derive(Debug)]
pub struct MatMut<'a, T> {
    pub data: &'a mut [T],
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
}

impl<'a, T> MatMut<'a, T> {
    /// A row-major matrix that starts at the slice's beginning. Panics if the slice is too short.
    pub fn new(data: &'a mut [T], rows: usize, columns: usize) -> MatMut<'a, T> {
        MatMut::strided(data, rows, columns, columns)
    }

    /// Rows `row_stride` apart (for a block of a wider matrix). Panics if the slice is too short or
    /// rows would overlap.
    pub fn strided(
        data: &'a mut [T],
        rows: usize,
        columns: usize,
        row_stride: usize,
    ) -> MatMut<'a, T> {
        assert!(rows <= 1 || row_stride >= columns, "rows of an output may not overlap");
        check_extent(data.len(), rows, columns, row_stride, 1);
        MatMut { data, rows, columns, row_stride }
    }

    pub(crate) fn row(&mut self, i: usize) -> &mut [T] {
        let start = i * self.row_stride;
        &mut self.data[start..start + self.columns]
    }
}

/// The views promise that every element lies inside the slice; the unsafe code rests on it.
pub(crate) fn check_extent(
    len: usize,
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
) {
    if rows == 0 || columns == 0 {
        return;
    }
    let last = (rows - 1)
        .checked_mul(row_stride)
        .zip((columns - 1).checked_mul(column_stride))
        .and_then(|(r, c)| r.checked_add(c));
    assert!(
        last.is_some_and(|last| last < len),
        "a {rows}x{columns} matrix with strides {row_stride} and {column_stride} does not fit a slice of {len}"
    );
}
