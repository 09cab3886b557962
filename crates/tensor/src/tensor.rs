//! The tensor: a dtype, a shape and shared contents.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::{
    Buffer, ByteString, CountedVec, DataType, Element, ResourceHandle, Result, Shape, Status,
    Variant,
};

/// An n-dimensional array. Cloning shares the contents; writing needs the only owner.
#[derive(Clone)]
pub struct Tensor {
    dtype: DataType,
    shape: Shape,
    data: Data,
}

#[derive(Clone)]
enum Data {
    Plain(Buffer),
    Strings(Arc<CountedVec<ByteString>>),
    Resources(Arc<CountedVec<ResourceHandle>>),
    Variants(Arc<CountedVec<Variant>>),
}

impl Tensor {
    // ---- making ----------------------------------------------------------------------------

    /// A tensor to be overwritten: plain contents are valid but arbitrary (zeros for bool),
    /// strings are empty, handles and variants are default.
    pub fn new(dtype: DataType, shape: impl Into<Shape>) -> Result<Tensor> {
        let shape = shape.into();
        let elements = crate::checked_elements(&shape)?;
        let data = match dtype {
            DataType::String => {
                Data::Strings(Arc::new(CountedVec::filled(elements, ByteString::new())?))
            }
            DataType::Resource => {
                Data::Resources(Arc::new(CountedVec::filled(elements, ResourceHandle::default())?))
            }
            DataType::Variant => {
                Data::Variants(Arc::new(CountedVec::filled(elements, Variant::empty())?))
            }
            DataType::Bool => Data::Plain(Buffer::zeroed(elements)?),
            _ => Data::Plain(Buffer::allocate(byte_count(dtype, elements)?)?),
        };
        Ok(Tensor { dtype, shape, data })
    }

    /// All zeros (empty strings, default handles).
    pub fn zeros(dtype: DataType, shape: impl Into<Shape>) -> Result<Tensor> {
        let mut tensor = Tensor::new(dtype, shape)?;
        if let Some(bytes) = tensor.bytes_mut() {
            bytes.fill(0);
        }
        Ok(tensor)
    }

    /// Allocates and lets `fill` write every element.
    pub fn build<T: Element>(
        shape: impl Into<Shape>,
        fill: impl FnOnce(&mut [T]),
    ) -> Result<Tensor> {
        let mut tensor = Tensor::new(T::DTYPE, shape)?;
        fill(tensor.as_mut_slice::<T>().expect("a new tensor has one owner and this dtype"));
        Ok(tensor)
    }

    pub fn scalar<T: Element>(value: T) -> Tensor {
        Tensor::build(Shape::scalar(), |out: &mut [T]| out[0] = value)
            .expect("a scalar is stored inline")
    }

    /// A vector or higher tensor from its elements in row-major order.
    pub fn from_slice<T: Element>(shape: impl Into<Shape>, values: &[T]) -> Result<Tensor> {
        let shape = shape.into();
        expect_elements(&shape, values.len())?;
        Tensor::build(shape, |out: &mut [T]| out.copy_from_slice(values))
    }

    pub fn from_vec<T: Element>(shape: impl Into<Shape>, values: Vec<T>) -> Result<Tensor> {
        Tensor::from_slice(shape, &values)
    }

    /// A rank-1 tensor of these elements.
    pub fn vector<T: Element>(values: &[T]) -> Result<Tensor> {
        Tensor::from_slice([values.len()], values)
    }

    /// Strings that exist already. Kernels use `build_strings` or a `CountedVec`, which are charged before they grow.
    pub fn from_strings(shape: impl Into<Shape>, values: Vec<ByteString>) -> Result<Tensor> {
        Tensor::from_counted(shape, CountedVec::from_vec(values)?)
    }

    /// A tensor of the strings of a counted vector.
    pub fn from_counted(shape: impl Into<Shape>, values: CountedVec<ByteString>) -> Result<Tensor> {
        let shape = shape.into();
        expect_elements(&shape, values.len())?;
        Ok(Tensor { dtype: DataType::String, shape, data: Data::Strings(Arc::new(values)) })
    }

    /// A tensor of which `make` gives the string at each place, in row-major order.
    pub fn build_strings(
        shape: impl Into<Shape>,
        make: impl FnMut(usize) -> Result<ByteString>,
    ) -> Result<Tensor> {
        let shape = shape.into();
        let elements = crate::checked_elements(&shape)?;
        Tensor::from_counted(shape, CountedVec::build(elements, make)?)
    }

    /// A scalar of a string that is counted already, or of the program text.
    pub fn string(value: impl Into<ByteString>) -> Tensor {
        Tensor::from_strings(Shape::scalar(), vec![value.into()]).expect("one element, one value")
    }

    /// A scalar of these bytes, which are counted now.
    pub fn from_string(value: impl Into<Vec<u8>>) -> Result<Tensor> {
        Ok(Tensor::string(ByteString::from_vec(value)?))
    }

    pub fn from_handles(shape: impl Into<Shape>, values: Vec<ResourceHandle>) -> Result<Tensor> {
        let shape = shape.into();
        expect_elements(&shape, values.len())?;
        Ok(Tensor {
            dtype: DataType::Resource,
            shape,
            data: Data::Resources(Arc::new(CountedVec::from_vec(values)?)),
        })
    }

    pub fn handle(value: ResourceHandle) -> Tensor {
        Tensor::from_handles(Shape::scalar(), vec![value]).expect("one element, one value")
    }

    pub fn from_variants(shape: impl Into<Shape>, values: Vec<Variant>) -> Result<Tensor> {
        let shape = shape.into();
        expect_elements(&shape, values.len())?;
        Ok(Tensor {
            dtype: DataType::Variant,
            shape,
            data: Data::Variants(Arc::new(CountedVec::from_vec(values)?)),
        })
    }

    /// A tensor of which `make` gives the variant at each place, in row-major order.
    pub fn build_variants(
        shape: impl Into<Shape>,
        make: impl FnMut(usize) -> Result<Variant>,
    ) -> Result<Tensor> {
        let shape = shape.into();
        let values = CountedVec::build(crate::checked_elements(&shape)?, make)?;
        Ok(Tensor { dtype: DataType::Variant, shape, data: Data::Variants(Arc::new(values)) })
    }

    /// Bytes from outside (a message, a file): used in place when they are aligned for the type,
    /// copied otherwise. Booleans other than 0 and 1 become 1.
    pub fn from_bytes(dtype: DataType, shape: impl Into<Shape>, bytes: Bytes) -> Result<Tensor> {
        let shape = shape.into();
        let elements = crate::checked_elements(&shape)?;
        let expected = byte_count(dtype, elements)?;
        if !dtype.is_plain() || expected != bytes.len() {
            return Err(Status::invalid_argument(format!(
                "{} bytes cannot be a {dtype} tensor of shape {shape}, which takes {expected}",
                bytes.len()
            )));
        }
        let aligned = (bytes.as_ptr() as usize).is_multiple_of(dtype.size().min(8));
        let dirty_bool = dtype == DataType::Bool && bytes.iter().any(|&b| b > 1);
        if aligned && !dirty_bool {
            return Ok(Tensor { dtype, shape, data: Data::Plain(Buffer::foreign(bytes)) });
        }
        let mut buffer = Buffer::allocate(expected)?;
        let out = buffer.as_mut().expect("a new buffer has one owner");
        out.copy_from_slice(&bytes);
        if dirty_bool {
            out.iter_mut().for_each(|b| *b = (*b != 0) as u8);
        }
        Ok(Tensor { dtype, shape, data: Data::Plain(buffer) })
    }

    /// A tensor of plain contents that are in a buffer already. Booleans other than 0 and 1 become 1.
    pub fn from_buffer(
        dtype: DataType,
        shape: impl Into<Shape>,
        mut buffer: Buffer,
    ) -> Result<Tensor> {
        let shape = shape.into();
        let expected = byte_count(dtype, crate::checked_elements(&shape)?)?;
        let in_place = buffer.is_unique() && buffer.len() == expected && dtype.is_plain();
        if !in_place {
            return Tensor::from_bytes(dtype, shape, buffer.to_bytes());
        }
        if dtype == DataType::Bool
            && let Some(bytes) = buffer.as_mut()
        {
            bytes.iter_mut().for_each(|b| *b = (*b != 0) as u8);
        }
        Ok(Tensor { dtype, shape, data: Data::Plain(buffer) })
    }

    // ---- asking ----------------------------------------------------------------------------

    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub fn dims(&self) -> &[usize] {
        self.shape.dims()
    }

    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.elements()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes the contents take.
    pub fn byte_len(&self) -> usize {
        match &self.data {
            Data::Plain(buffer) => buffer.len(),
            Data::Strings(s) => s.iter().map(|b| b.len() + size_of::<ByteString>()).sum(),
            Data::Resources(r) => r.len() * size_of::<ResourceHandle>(),
            Data::Variants(v) => v.len() * size_of::<Variant>(),
        }
    }

    /// How many variants lie inside one another in the deepest element; 0 for other types.
    pub fn variant_depth(&self) -> usize {
        match &self.data {
            Data::Variants(variants) => variants.iter().map(Variant::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    // ---- reading ---------------------------------------------------------------------------

    /// The elements, if they are of type `T`.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        match &self.data {
            Data::Plain(buffer) if self.dtype == T::DTYPE => {
                let ptr = buffer.as_ptr().cast::<T>();
                if buffer.is_empty() {
                    return Ok(&[]);
                }
                debug_assert!(ptr.is_aligned());
                // SAFETY: the buffer holds exactly `elements * size` initialised bytes of this type
                // (checked where the tensor was made) and is aligned for it.
                Ok(unsafe { std::slice::from_raw_parts(ptr, buffer.len() / size_of::<T>()) })
            }
            _ => Err(self.wrong_type(T::DTYPE)),
        }
    }

    /// The contents as raw bytes; `None` for strings, handles and variants.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.data {
            Data::Plain(buffer) => Some(buffer.as_bytes()),
            _ => None,
        }
    }

    /// The contents as `Bytes` that share this tensor's memory.
    pub fn to_bytes(&self) -> Option<Bytes> {
        match &self.data {
            Data::Plain(buffer) => Some(buffer.to_bytes()),
            _ => None,
        }
    }

    pub fn strings(&self) -> Result<&[ByteString]> {
        match &self.data {
            Data::Strings(s) => Ok(s),
            _ => Err(self.wrong_type(DataType::String)),
        }
    }

    pub fn handles(&self) -> Result<&[ResourceHandle]> {
        match &self.data {
            Data::Resources(r) => Ok(r),
            _ => Err(self.wrong_type(DataType::Resource)),
        }
    }

    pub fn variants(&self) -> Result<&[Variant]> {
        match &self.data {
            Data::Variants(v) => Ok(v),
            _ => Err(self.wrong_type(DataType::Variant)),
        }
    }

    /// The value of a tensor with exactly one element (TensorFlow also takes `[1]` as a scalar in
    /// many places; kernels that must insist on rank 0 check the shape themselves).
    pub fn to_scalar<T: Element>(&self) -> Result<T> {
        let values = self.as_slice::<T>()?;
        match values {
            [value] => Ok(*value),
            _ => Err(Status::invalid_argument(format!(
                "expected a scalar, got a tensor of shape {}",
                self.shape
            ))),
        }
    }

    /// Integers of an int32 or int64 tensor (shapes, axes, indices).
    pub fn to_i64_vec(&self) -> Result<Vec<i64>> {
        match self.dtype {
            DataType::Int32 => Ok(self.as_slice::<i32>()?.iter().map(|&v| v as i64).collect()),
            DataType::Int64 => Ok(self.as_slice::<i64>()?.to_vec()),
            DataType::Int16 => Ok(self.as_slice::<i16>()?.iter().map(|&v| v as i64).collect()),
            _ => Err(Status::invalid_argument(format!(
                "expected an int32 or int64 tensor, got {}",
                self.dtype
            ))),
        }
    }

    /// The one integer of an int32 or int64 tensor.
    pub fn to_i64_scalar(&self) -> Result<i64> {
        match self.to_i64_vec()?[..] {
            [v] => Ok(v),
            _ => Err(Status::invalid_argument(format!(
                "expected a scalar, got a tensor of shape {}",
                self.shape
            ))),
        }
    }

    // ---- writing ---------------------------------------------------------------------------

    /// The elements for writing, if nobody else holds them.
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        if self.dtype != T::DTYPE {
            return None;
        }
        let bytes = self.bytes_mut()?;
        if bytes.is_empty() {
            return Some(&mut []);
        }
        // SAFETY: as in `as_slice`; our own buffers are aligned to at least 16 bytes, slices along
        // the first axis keep element alignment, and `bytes_mut` proved sole ownership.
        Some(unsafe {
            std::slice::from_raw_parts_mut(
                bytes.as_mut_ptr().cast::<T>(),
                bytes.len() / size_of::<T>(),
            )
        })
    }

    /// Raw bytes for writing, if nobody else holds them.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match &mut self.data {
            Data::Plain(buffer) => buffer.as_mut(),
            _ => None,
        }
    }

    /// Strings for writing, if nobody else holds them.
    pub fn strings_mut(&mut self) -> Option<&mut [ByteString]> {
        match &mut self.data {
            Data::Strings(s) => Arc::get_mut(s).map(|v| &mut **v),
            _ => None,
        }
    }

    /// Handles for writing, if nobody else holds them.
    pub fn handles_mut(&mut self) -> Option<&mut [ResourceHandle]> {
        match &mut self.data {
            Data::Resources(r) => Arc::get_mut(r).map(|v| &mut **v),
            _ => None,
        }
    }

    /// Variants for writing, if nobody else holds them.
    pub fn variants_mut(&mut self) -> Option<&mut [Variant]> {
        match &mut self.data {
            Data::Variants(v) => Arc::get_mut(v).map(|v| &mut **v),
            _ => None,
        }
    }

    /// True when writing in place would disturb nobody.
    pub fn is_unique(&mut self) -> bool {
        match &mut self.data {
            Data::Plain(buffer) => buffer.is_unique(),
            Data::Strings(s) => Arc::get_mut(s).is_some(),
            Data::Resources(r) => Arc::get_mut(r).is_some(),
            Data::Variants(v) => Arc::get_mut(v).is_some(),
        }
    }

    /// This tensor with contents of its own: itself if it is the only owner, else a copy.
    pub fn into_unique(mut self) -> Result<Tensor> {
        if self.is_unique() { Ok(self) } else { self.deep_copy() }
    }

    /// A copy that shares nothing.
    pub fn deep_copy(&self) -> Result<Tensor> {
        let data = match &self.data {
            Data::Plain(buffer) => {
                let mut copy = Buffer::allocate(buffer.len())?;
                copy.as_mut()
                    .expect("a new buffer has one owner")
                    .copy_from_slice(buffer.as_bytes());
                Data::Plain(copy)
            }
            Data::Strings(s) => Data::Strings(Arc::new(CountedVec::copy_from(s)?)),
            Data::Resources(r) => Data::Resources(Arc::new(CountedVec::copy_from(r)?)),
            Data::Variants(v) => Data::Variants(Arc::new(CountedVec::copy_from(v)?)),
        };
        Ok(Tensor { dtype: self.dtype, shape: self.shape.clone(), data })
    }

    // ---- viewing ---------------------------------------------------------------------------

    /// The same contents under another shape of equal size.
    pub fn reshaped(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.clone().into_shape(shape)
    }

    /// Like `reshaped`, without keeping the original.
    pub fn into_shape(mut self, shape: impl Into<Shape>) -> Result<Tensor> {
        let shape = shape.into();
        let elements = crate::checked_elements(&shape)?;
        if elements != self.len() {
            return Err(Status::invalid_argument(format!(
                "a tensor of shape {} with {} elements cannot take the shape {shape}",
                self.shape,
                self.len()
            )));
        }
        self.shape = shape;
        Ok(self)
    }

    /// The same bytes seen as another plain type of the same element size.
    pub fn reinterpreted(&self, dtype: DataType) -> Result<Tensor> {
        match &self.data {
            Data::Plain(buffer)
                if dtype.size() == self.dtype.size()
                    && (dtype != DataType::Bool || self.dtype == DataType::Bool) =>
            {
                Ok(Tensor { dtype, shape: self.shape.clone(), data: Data::Plain(buffer.clone()) })
            }
            _ => Err(Status::invalid_argument(format!("{} cannot be seen as {dtype}", self.dtype))),
        }
    }

    /// Rows `start..end` along the first axis, without a copy for plain types.
    pub fn rows(&self, start: usize, end: usize) -> Result<Tensor> {
        let Some((&rows, inner)) = self.shape.dims().split_first() else {
            return Err(Status::invalid_argument("a scalar has no rows to slice"));
        };
        if start > end || end > rows {
            return Err(Status::invalid_argument(format!(
                "rows {start}..{end} are outside a tensor of shape {}",
                self.shape
            )));
        }
        let row: usize = inner.iter().product();
        let mut shape = self.shape.clone();
        shape.dims_mut()[0] = end - start;
        let range = start * row..end * row;
        let data = match &self.data {
            Data::Plain(buffer) => {
                let size = self.dtype.size();
                Data::Plain(buffer.slice(range.start * size, range.len() * size))
            }
            Data::Strings(s) => Data::Strings(Arc::new(CountedVec::copy_from(&s[range])?)),
            Data::Resources(r) => Data::Resources(Arc::new(CountedVec::copy_from(&r[range])?)),
            Data::Variants(v) => Data::Variants(Arc::new(CountedVec::copy_from(&v[range])?)),
        };
        Ok(Tensor { dtype: self.dtype, shape, data })
    }

    fn wrong_type(&self, wanted: DataType) -> Status {
        Status::invalid_argument(format!("expected a {wanted} tensor, got {}", self.dtype))
    }
}

fn byte_count(dtype: DataType, elements: usize) -> Result<usize> {
    elements.checked_mul(dtype.size()).ok_or_else(|| {
        Status::resource_exhausted(format!("{elements} elements of {dtype} exceed any memory"))
    })
}

fn expect_elements(shape: &Shape, got: usize) -> Result<()> {
    let expected = crate::checked_elements(shape)?;
    if expected != got {
        return Err(Status::invalid_argument(format!(
            "{got} values cannot fill a tensor of shape {shape}, which takes {expected}"
        )));
    }
    Ok(())
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor<{} {}", self.dtype, self.shape)?;
        macro_rules! show {
            ($($ty:ty),*) => {$(
                if let Ok(values) = self.as_slice::<$ty>() {
                    let dots = if values.len() > 8 { ", ..." } else { "" };
                    let shown = &values[..values.len().min(8)];
                    return write!(f, " {shown:?}{dots}>");
                }
            )*};
        }
        show!(f32, f64, i32, i64, bool, u8, i8, i16, u16, u32, u64, crate::f16, crate::bf16);
        match &self.data {
            Data::Strings(s) => write!(f, " {:?}>", &s[..s.len().min(8)]),
            Data::Resources(r) => write!(f, " {:?}>", &r[..r.len().min(2)]),
            Data::Variants(v) => write!(f, " {:?}>", &v[..v.len().min(2)]),
            Data::Plain(_) => write!(f, ">"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_and_writing() {
        let mut a = Tensor::from_vec([2], vec![1i32, 2]).unwrap();
        a.as_mut_slice::<i32>().unwrap()[0] = 5;
        let b = a.clone();
        assert!(a.as_mut_slice::<i32>().is_none());
        let mut c = b.into_unique().unwrap();
        c.as_mut_slice::<i32>().unwrap()[0] = 9;
        assert_eq!(a.as_slice::<i32>().unwrap(), &[5, 2]);
    }

    #[test]
    fn rows_share_memory() {
        let a = Tensor::from_vec([3, 40], (0..120).map(|v| v as f32).collect()).unwrap();
        let r = a.rows(1, 3).unwrap();
        assert_eq!(r.dims(), &[2, 40]);
        assert_eq!(
            r.as_slice::<f32>().unwrap().as_ptr(),
            a.as_slice::<f32>().unwrap()[40..].as_ptr()
        );
        assert!(a.rows(2, 4).is_err());
        assert!(Tensor::scalar(1f32).rows(0, 0).is_err());
    }

    #[test]
    fn bytes_from_outside_are_used_in_place_or_repaired() {
        let raw = Bytes::from(vec![0u8; 64]);
        let t = Tensor::from_bytes(DataType::Int8, [64], raw.clone()).unwrap();
        assert_eq!(t.bytes().unwrap().as_ptr(), raw.as_ptr());
        let odd = raw.slice(1..9);
        assert!(Tensor::from_bytes(DataType::Double, [1], odd).is_ok());
        let b = Tensor::from_bytes(DataType::Bool, [2], Bytes::from(vec![7u8, 0])).unwrap();
        assert_eq!(b.as_slice::<bool>().unwrap(), &[true, false]);
        assert!(Tensor::from_bytes(DataType::Float, [3], raw).is_err());
    }

    #[test]
    fn huge_tensors_are_refused() {
        assert!(Tensor::new(DataType::Float, [1 << 40, 1 << 10]).is_err());
        assert!(Tensor::new(DataType::String, [1 << 50]).is_err());
    }
}
