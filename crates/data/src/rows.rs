//! Moving rows between tensors: stacking, concatenating, gathering.

use std::ops::Range;

use downpour_tensor::{ByteString, CountedVec, DataType, Result, Shape, Status, Tensor};

/// The shape with one more axis in front.
pub(crate) fn with_rows(rows: usize, row: &[usize]) -> Shape {
    let mut shape = Shape::new(&[rows]);
    row.iter().for_each(|&d| shape.push(d));
    shape
}

/// Row `index` of a tensor with at least one axis, without that axis.
pub(crate) fn row(tensor: &Tensor, index: usize) -> Result<Tensor> {
    let inner = Shape::new(&tensor.dims()[1..]);
    tensor.rows(index, index + 1)?.into_shape(inner)
}

/// Tensors of one type and shape as the rows of one; `None` when they differ.
pub(crate) fn stack<'a>(parts: impl Iterator<Item = &'a Tensor> + Clone) -> Result<Option<Tensor>> {
    let Some(first) = parts.clone().next() else { return Ok(None) };
    let same = |t: &Tensor| t.dtype() == first.dtype() && t.dims() == first.dims();
    if !parts.clone().all(same) {
        return Ok(None);
    }
    let shape = with_rows(parts.clone().count(), first.dims());
    join(first.dtype(), shape, parts.map(|tensor| (tensor, 0..tensor.len()))).map(Some)
}

/// Tensors that agree but for the length of their first axis, one after the other; `None` when
/// they differ.
pub(crate) fn concatenate<'a>(
    parts: impl Iterator<Item = &'a Tensor> + Clone,
) -> Result<Option<Tensor>> {
    let rows = parts.clone().map(|t| t.dims()[0]).sum();
    concatenate_ranges(parts.map(|t| (t, 0..t.dims()[0])), rows)
}

/// Rows of tensors that agree but for the length of their first axis, one range after the other, `rows` in all; `None`
/// when they differ.
pub(crate) fn concatenate_ranges<'a>(
    parts: impl Iterator<Item = (&'a Tensor, Range<usize>)> + Clone,
    rows: usize,
) -> Result<Option<Tensor>> {
    let Some((first, _)) = parts.clone().next() else { return Ok(None) };
    let inner = &first.dims()[1..];
    let same = |t: &Tensor| t.dtype() == first.dtype() && &t.dims()[1..] == inner;
    if !parts.clone().all(|(tensor, _)| same(tensor)) {
        return Ok(None);
    }
    let per_row: usize = inner.iter().product();
    let parts = parts.map(|(tensor, rows)| (tensor, rows.start * per_row..rows.end * per_row));
    join(first.dtype(), with_rows(rows, inner), parts).map(Some)
}

/// The values in these places of the parts behind each other.
fn join<'a>(
    dtype: DataType,
    shape: Shape,
    parts: impl Iterator<Item = (&'a Tensor, Range<usize>)>,
) -> Result<Tensor> {
    match dtype {
        DataType::String => {
            let mut values = CountedVec::with_capacity(shape.elements())?;
            for (part, places) in parts {
                let picked = &part.strings()?[places];
                picked.iter().try_for_each(|value| values.push(value.clone()))?;
            }
            Tensor::from_counted(shape, values)
        }
        DataType::Resource => {
            let mut values = Vec::with_capacity(shape.elements());
            for (part, places) in parts {
                values.extend_from_slice(&part.handles()?[places]);
            }
            Tensor::from_handles(shape, values)
        }
        DataType::Variant => {
            let mut values = Vec::with_capacity(shape.elements());
            for (part, places) in parts {
                values.extend_from_slice(&part.variants()?[places]);
            }
            Tensor::from_variants(shape, values)
        }
        _ => {
            let mut out = Tensor::new(dtype, shape)?;
            let mut rest = writable(&mut out)?;
            let size = dtype.size();
            for (part, places) in parts {
                let bytes = part.bytes().unwrap_or_default();
                let bytes = &bytes[places.start * size..places.end * size];
                let (now, later) = rest.split_at_mut(bytes.len());
                now.copy_from_slice(bytes);
                rest = later;
            }
            Ok(out)
        }
    }
}

/// The rows with these numbers, in this order. Numbers must be below the row count.
pub(crate) fn gather(tensor: &Tensor, rows: &[usize]) -> Result<Tensor> {
    let shape = with_rows(rows.len(), &tensor.dims()[1..]);
    let per_row: usize = tensor.dims()[1..].iter().product();
    fn pick<T: Clone>(from: &[T], rows: &[usize], per_row: usize) -> Vec<T> {
        rows.iter().flat_map(|&r| from[r * per_row..(r + 1) * per_row].iter().cloned()).collect()
    }
    match tensor.dtype() {
        DataType::String => Tensor::from_strings(shape, pick(tensor.strings()?, rows, per_row)),
        DataType::Resource => Tensor::from_handles(shape, pick(tensor.handles()?, rows, per_row)),
        DataType::Variant => Tensor::from_variants(shape, pick(tensor.variants()?, rows, per_row)),
        dtype => {
            let mut out = Tensor::new(dtype, shape)?;
            let (from, size) = (tensor.bytes().unwrap_or_default(), per_row * dtype.size());
            let to = writable(&mut out)?;
            if size > 0 {
                for (to, &row) in to.chunks_exact_mut(size).zip(rows) {
                    to.copy_from_slice(&from[row * size..(row + 1) * size]);
                }
            }
            Ok(out)
        }
    }
}

/// The bytes of a tensor that was just made.
pub(crate) fn writable(tensor: &mut Tensor) -> Result<&mut [u8]> {
    tensor.bytes_mut().ok_or_else(|| Status::internal("a new tensor has another owner"))
}

/// A string with memory of its own: a slice of a file's block would keep the whole block alive.
pub(crate) fn owned(value: &ByteString) -> Result<ByteString> {
    ByteString::copy_from(value)
}
