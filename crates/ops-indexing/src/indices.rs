//! Index tensors of any integer type, read one element at a time, and their places in messages.

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

/// The elements of an index tensor. A branch per element is cheap next to compiling every kernel
/// once more per index type.
#[derive(Clone, Copy)]
pub(crate) enum Indices<'a> {
    I8(&'a [i8]),
    U8(&'a [u8]),
    I16(&'a [i16]),
    U16(&'a [u16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
}

impl<'a> Indices<'a> {
    pub fn of(tensor: &'a Tensor) -> Result<Indices<'a>> {
        Ok(match tensor.dtype() {
            DataType::Int8 => Indices::I8(tensor.as_slice()?),
            DataType::UInt8 => Indices::U8(tensor.as_slice()?),
            DataType::Int16 => Indices::I16(tensor.as_slice()?),
            DataType::UInt16 => Indices::U16(tensor.as_slice()?),
            DataType::Int32 => Indices::I32(tensor.as_slice()?),
            DataType::Int64 => Indices::I64(tensor.as_slice()?),
            other => {
                return Err(Status::invalid_argument(format!("{other} cannot be an index type")));
            }
        })
    }

    pub fn len(&self) -> usize {
        match self {
            Indices::I8(v) => v.len(),
            Indices::U8(v) => v.len(),
            Indices::I16(v) => v.len(),
            Indices::U16(v) => v.len(),
            Indices::I32(v) => v.len(),
            Indices::I64(v) => v.len(),
        }
    }

    #[inline(always)]
    pub fn get(&self, i: usize) -> i64 {
        match self {
            Indices::I8(v) => v[i] as i64,
            Indices::U8(v) => v[i] as i64,
            Indices::I16(v) => v[i] as i64,
            Indices::U16(v) => v[i] as i64,
            Indices::I32(v) => v[i] as i64,
            Indices::I64(v) => v[i],
        }
    }

    pub fn iter(self) -> impl Iterator<Item = i64> + 'a {
        (0..self.len()).map(move |i| self.get(i))
    }

    /// The position of the first index outside `0..limit`.
    pub fn first_outside(self, limit: usize) -> Option<usize> {
        let limit = limit as u64;
        match self {
            // The common types as plain loops over slices.
            Indices::I32(v) => v.iter().position(|&i| i < 0 || i as u64 >= limit),
            Indices::I64(v) => v.iter().position(|&i| i as u64 >= limit),
            other => other.iter().position(|i| i as u64 >= limit),
        }
    }
}

/// An int32 or int64 vector.
pub(crate) fn index_vector(
    dtype: DataType,
    shape: impl Into<Shape>,
    values: impl ExactSizeIterator<Item = i64>,
) -> Result<Tensor> {
    match dtype {
        DataType::Int16 => Tensor::build(shape, |out: &mut [i16]| {
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v as i16);
        }),
        DataType::Int32 => Tensor::build(shape, |out: &mut [i32]| {
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v as i32);
        }),
        _ => Tensor::build(shape, |out: &mut [i64]| {
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v);
        }),
    }
}

/// `[i,j]`: the place of flat position `flat` in a tensor of this shape; empty for a scalar.
pub(crate) fn place(shape: &[usize], flat: usize) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let mut rest = flat;
    let mut at = vec![0; shape.len()];
    for (slot, &dim) in at.iter_mut().zip(shape).rev() {
        *slot = rest % dim.max(1);
        rest /= dim.max(1);
    }
    Shape::from(at).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_indices_are_found_and_named() {
        let t = Tensor::from_vec([2, 2], vec![0i32, 1, -1, 5]).unwrap();
        let indices = Indices::of(&t).unwrap();
        assert_eq!(indices.first_outside(6), Some(2));
        assert_eq!(place(t.dims(), 2), "[1,0]");
        assert_eq!(place(&[], 0), "");
        assert!(Indices::of(&Tensor::scalar(1f32)).is_err());
    }
}
