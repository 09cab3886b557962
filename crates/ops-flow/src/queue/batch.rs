//! Elements of a queue put together into batches, and batches cut into elements.

use downpour_graph::PartialShape;
use downpour_tensor::{ByteString, Charge, DataType, Result, Shape, Status, Tensor};

use super::Tuple;
use super::core::{Kind, QueueSpec};
use super::store::place_bytes;
use crate::elements::{self, prepend, stack};

impl QueueSpec {
    fn check_types(&self, tuple: &[Tensor]) -> Result<()> {
        if tuple.len() != self.dtypes.len() {
            return Err(Status::invalid_argument(format!(
                "Wrong number of components in tuple. Expected {}, got {}",
                self.dtypes.len(),
                tuple.len()
            )));
        }
        for (i, (tensor, dtype)) in tuple.iter().zip(&self.dtypes).enumerate() {
            if tensor.dtype() != *dtype {
                return Err(Status::invalid_argument(format!(
                    "Type mismatch in tuple component {i}. Expected {dtype}, got {}",
                    tensor.dtype()
                )));
            }
        }
        Ok(())
    }

    /// An element's types and shapes.
    pub(crate) fn check(&self, tuple: &[Tensor]) -> Result<()> {
        self.check_types(tuple)?;
        for (i, (tensor, shape)) in tuple.iter().zip(&self.shapes).enumerate() {
            check_shape(i, shape, tensor.shape())?;
        }
        Ok(())
    }

    /// A batch's types and shapes; gives its size.
    pub(crate) fn check_many(&self, tuple: &[Tensor]) -> Result<usize> {
        self.check_types(tuple)?;
        let size = |i: usize| {
            tuple[i].dims().first().copied().ok_or_else(|| {
                Status::invalid_argument(format!(
                    "component {i} of a batch must be at least a vector, got a scalar"
                ))
            })
        };
        let batch = size(0)?;
        for (i, (tensor, shape)) in tuple.iter().zip(&self.shapes).enumerate() {
            check_shape(i, &PartialShape::vector(Some(batch)).concat(shape), tensor.shape())?;
        }
        for i in 1..tuple.len() {
            if size(i)? != batch {
                return Err(Status::invalid_argument(format!(
                    "All input tensors must have the same size in the 0th dimension. Component \
                     {i} has {}, and should have {batch}",
                    size(i)?
                )));
            }
        }
        Ok(batch)
    }

    /// The batch of no elements.
    pub(crate) fn empty_batch(&self) -> Result<Tuple> {
        self.dtypes
            .iter()
            .zip(&self.shapes)
            .map(|(dtype, shape)| {
                let dims: Shape =
                    shape.dims().unwrap_or_default().iter().map(|d| d.unwrap_or(0)).collect();
                Tensor::zeros(*dtype, prepend(0, &dims))
            })
            .collect()
    }

    /// One batch of several elements; a padding queue fills up to the largest.
    pub(crate) fn batch(&self, tuples: &[Tuple]) -> Result<Tuple> {
        (0..self.dtypes.len())
            .map(|i| {
                let parts: Vec<Tensor> = tuples.iter().map(|t| t[i].clone()).collect();
                let first = parts.first().map(|p| p.shape().clone()).unwrap_or_default();
                if self.kind == Kind::Padding && parts.iter().any(|p| *p.shape() != first) {
                    return pad(self.dtypes[i], &parts);
                }
                stack(self.dtypes[i], &first, &parts)
            })
            .collect()
    }
}

fn check_shape(i: usize, expected: &PartialShape, got: &Shape) -> Result<()> {
    if expected.allows(got) {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "Shape mismatch in tuple component {i}. Expected {expected}, got {got}"
    )))
}

/// The elements of a batch, and a charge for their places until they are in the queue: an element may be empty, so
/// that a batch of no bytes may have any number of them.
pub(crate) fn cut(batch: &[Tensor], size: usize) -> Result<(Vec<Tuple>, Charge)> {
    let places = Charge::new(size.saturating_mul(place_bytes(batch)))?;
    let element = |row| batch.iter().map(|t| elements::row(t, row)).collect();
    Ok(((0..size).map(element).collect::<Result<_>>()?, places))
}

/// Tensors of one rank stacked, each in the lower corner of a place as large as the largest.
fn pad(dtype: DataType, parts: &[Tensor]) -> Result<Tensor> {
    let rank = parts[0].rank();
    let mut largest = vec![0; rank];
    for part in parts {
        for (size, dim) in largest.iter_mut().zip(part.dims()) {
            *size = (*size).max(*dim);
        }
    }
    let element = Shape::new(&largest);
    let shape = prepend(parts.len(), &element);
    let count = downpour_tensor::checked_elements(&element)?;
    let mut padded = Tensor::zeros(dtype, shape.clone())?;
    match dtype {
        DataType::String => {
            let out = padded.strings_mut().expect("a new tensor has one owner");
            for (i, part) in parts.iter().enumerate() {
                copy_corner::<ByteString>(
                    part.strings()?,
                    part.dims(),
                    &mut out[i * count..],
                    &element,
                    1,
                );
            }
        }
        DataType::Resource | DataType::Variant => {
            return Err(Status::unimplemented(format!(
                "PaddingFIFOQueue cannot pad {dtype} elements of different shapes"
            )));
        }
        _ => {
            let size = dtype.size();
            let out = padded.bytes_mut().expect("a new plain tensor has one owner");
            for (i, part) in parts.iter().enumerate() {
                let bytes = part.bytes().unwrap_or_default();
                copy_corner::<u8>(bytes, part.dims(), &mut out[i * count * size..], &element, size);
            }
        }
    }
    Ok(padded)
}

/// Copies rows of `dims` (elements of `unit` items each) to the lower corner of `into`.
fn copy_corner<T: Clone>(from: &[T], dims: &[usize], to: &mut [T], into: &Shape, unit: usize) {
    let strides = into.strides();
    let row = dims.last().copied().unwrap_or(1) * unit;
    if row == 0 || from.is_empty() {
        return;
    }
    let outer = &dims[..dims.len().saturating_sub(1)];
    for (i, source) in from.chunks_exact(row).enumerate() {
        let mut rest = i;
        let mut start = 0;
        for axis in (0..outer.len()).rev() {
            start += rest % outer[axis] * strides[axis];
            rest /= outer[axis];
        }
        to[start * unit..start * unit + row].clone_from_slice(source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They take no memory themselves, but their places would.
    #[test]
    fn too_many_empty_elements_are_refused() {
        let batch = Tensor::new(DataType::Int8, [1 << 50, 0]).unwrap();
        let refused = cut(&[batch], 1 << 50).err().unwrap();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
        let (elements, _) = cut(&[Tensor::vector(&[1i32, 2]).unwrap()], 2).unwrap();
        assert_eq!(elements.len(), 2);
    }

    #[test]
    fn padding_keeps_the_lower_corner() {
        let a = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        let b = Tensor::from_vec([2, 1], vec![3i32, 4]).unwrap();
        let out = pad(DataType::Int32, &[a, b]).unwrap();
        assert_eq!(out.dims(), &[2, 2, 2]);
        assert_eq!(out.as_slice::<i32>().unwrap(), &[1, 2, 0, 0, 3, 0, 4, 0]);
        let s = Tensor::from_strings([1], vec!["x".into()]).unwrap();
        let none = Tensor::from_strings([0], vec![]).unwrap();
        let out = pad(DataType::String, &[none, s]).unwrap();
        assert_eq!(out.strings().unwrap(), &[ByteString::new(), ByteString::from("x")]);
    }
}
