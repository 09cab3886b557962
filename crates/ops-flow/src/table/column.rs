//! The values of a table: rows of one type, kept together.

use downpour_tensor::{
    ByteString, CountedVec, DataType, ResourceHandle, Result, Shape, Status, Tensor, Variant,
};

#[derive(Debug)]
pub(crate) struct Column {
    dtype: DataType,
    /// Elements of one row.
    width: usize,
    cells: Cells,
}

#[derive(Debug)]
enum Cells {
    Plain(CountedVec<u8>),
    Strings(CountedVec<ByteString>),
    Handles(CountedVec<ResourceHandle>),
    Variants(CountedVec<Variant>),
}

/// Calls the same code for the vector of each kind of cell, with the items per row.
macro_rules! cells {
    ($column:expr, $cells:ident, $items:ident => $body:expr) => {{
        let width = $column.width;
        let size = $column.dtype.size();
        match &mut $column.cells {
            Cells::Plain($cells) => {
                let $items = width * size;
                $body
            }
            Cells::Strings($cells) => {
                let $items = width;
                $body
            }
            Cells::Handles($cells) => {
                let $items = width;
                $body
            }
            Cells::Variants($cells) => {
                let $items = width;
                $body
            }
        }
    }};
}

impl Column {
    pub(crate) fn new(dtype: DataType, width: usize) -> Column {
        let cells = match dtype {
            DataType::String => Cells::Strings(CountedVec::new()),
            DataType::Resource => Cells::Handles(CountedVec::new()),
            DataType::Variant => Cells::Variants(CountedVec::new()),
            _ => Cells::Plain(CountedVec::new()),
        };
        Column { dtype, width, cells }
    }

    /// Makes it `rows` long, with zeros (or empty strings) in new rows.
    pub(crate) fn resize(&mut self, rows: usize) -> Result<()> {
        let exhausted = || Status::resource_exhausted("OOM when growing a lookup table");
        cells!(self, cells, items => {
            let wanted = rows.checked_mul(items).ok_or_else(exhausted)?;
            cells.resize(wanted, Default::default())?;
        });
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        cells!(self, cells, _items => cells.clear());
    }

    /// Removes a row, putting the last in its place.
    pub(crate) fn swap_remove(&mut self, row: usize) {
        cells!(self, cells, items => {
            let last = cells.len() - items;
            for i in 0..items {
                cells.swap(row * items + i, last + i);
            }
            cells.truncate(last);
        });
    }

    /// Writes row `from` of a tensor to `row`.
    pub(crate) fn set(&mut self, row: usize, tensor: &Tensor, from: usize) -> Result<()> {
        let (width, bytes) = (self.width, self.width * self.dtype.size());
        match &mut self.cells {
            Cells::Plain(cells) => {
                let source = tensor.bytes().unwrap_or_default();
                cells[row * bytes..(row + 1) * bytes]
                    .copy_from_slice(&source[from * bytes..(from + 1) * bytes]);
            }
            Cells::Strings(cells) => cells[row * width..(row + 1) * width]
                .clone_from_slice(&tensor.strings()?[from * width..(from + 1) * width]),
            Cells::Handles(cells) => cells[row * width..(row + 1) * width]
                .clone_from_slice(&tensor.handles()?[from * width..(from + 1) * width]),
            Cells::Variants(cells) => cells[row * width..(row + 1) * width]
                .clone_from_slice(&tensor.variants()?[from * width..(from + 1) * width]),
        }
        Ok(())
    }

    /// Copies a row of another column of the same kind.
    pub(crate) fn set_from(&mut self, row: usize, other: &Column, from: usize) {
        let width = self.width;
        let bytes = width * self.dtype.size();
        match (&mut self.cells, &other.cells) {
            (Cells::Plain(to), Cells::Plain(source)) => to[row * bytes..(row + 1) * bytes]
                .copy_from_slice(&source[from * bytes..(from + 1) * bytes]),
            (Cells::Strings(to), Cells::Strings(source)) => to[row * width..(row + 1) * width]
                .clone_from_slice(&source[from * width..(from + 1) * width]),
            (Cells::Handles(to), Cells::Handles(source)) => to[row * width..(row + 1) * width]
                .clone_from_slice(&source[from * width..(from + 1) * width]),
            (Cells::Variants(to), Cells::Variants(source)) => to[row * width..(row + 1) * width]
                .clone_from_slice(&source[from * width..(from + 1) * width]),
            _ => {}
        }
    }

    /// True when `row` equals row `from` of a tensor. Variants have no equality.
    pub(crate) fn equals(&self, row: usize, tensor: &Tensor, from: usize) -> bool {
        let (width, bytes) = (self.width, self.width * self.dtype.size());
        match &self.cells {
            Cells::Plain(cells) => tensor.bytes().is_some_and(|source| {
                cells[row * bytes..(row + 1) * bytes] == source[from * bytes..(from + 1) * bytes]
            }),
            Cells::Strings(cells) => tensor.strings().is_ok_and(|source| {
                cells[row * width..(row + 1) * width] == source[from * width..(from + 1) * width]
            }),
            Cells::Handles(cells) => tensor.handles().is_ok_and(|source| {
                cells[row * width..(row + 1) * width] == source[from * width..(from + 1) * width]
            }),
            Cells::Variants(_) => false,
        }
    }

    /// All rows.
    pub(crate) fn to_tensor(&self, shape: Shape) -> Result<Tensor> {
        match &self.cells {
            Cells::Plain(cells) => {
                let mut tensor = Tensor::new(self.dtype, shape)?;
                let out = tensor.bytes_mut().expect("a new plain tensor has one owner");
                if out.len() != cells.len() {
                    return Err(Status::internal("a column does not fill its tensor"));
                }
                out.copy_from_slice(cells);
                Ok(tensor)
            }
            Cells::Strings(cells) => Tensor::from_counted(shape, cells.try_clone()?),
            Cells::Handles(cells) => Tensor::from_handles(shape, cells.to_vec()),
            Cells::Variants(cells) => Tensor::from_variants(shape, cells.to_vec()),
        }
    }

    /// Chosen rows; where there is none, row i or the only row of `default`.
    pub(crate) fn select(
        &self,
        rows: &[Option<usize>],
        default: &Tensor,
        shape: Shape,
    ) -> Result<Tensor> {
        let one_each = default.len() == rows.len() * self.width;
        let mut chosen = Column::new(self.dtype, self.width);
        chosen.resize(rows.len())?;
        for (i, row) in rows.iter().enumerate() {
            match row {
                Some(row) => chosen.set_from(i, self, *row),
                None => chosen.set(i, default, if one_each { i } else { 0 })?,
            }
        }
        chosen.to_tensor(shape)
    }
}
