//! Elements as operations that only move them see them: by size, not by meaning.
//!
//! A float, an int32 and a quint32 are all four bytes to Gather. `dispatch_units!` turns a dtype into
//! one of eight representations, so that a moving kernel is compiled eight times and not thirty.

use bytemuck::{AnyBitPattern, NoUninit};
use downpour_tensor::{
    ByteString, DataType, ResourceHandle, Result, Shape, Status, Tensor, Variant,
};

/// A representation of elements that can be copied about.
pub(crate) trait Unit: Clone + Default + Send + Sync + 'static {
    /// The elements of a tensor of this representation.
    fn view(tensor: &Tensor) -> Result<&[Self]>;

    /// A new tensor whose elements `fill` writes; they start valid but arbitrary.
    fn build(
        dtype: DataType,
        shape: Shape,
        fill: impl FnOnce(&mut [Self]) -> Result<()>,
    ) -> Result<Tensor>;

    /// Lets `change` write a tensor's elements: in place if nobody else holds them.
    fn rewrite(tensor: &mut Tensor, change: impl FnOnce(&mut [Self]) -> Result<()>) -> Result<()>;
}

fn misaligned() -> Status {
    Status::internal("a tensor's buffer is not aligned for its element type")
}

fn cast<T: AnyBitPattern>(bytes: &[u8]) -> Result<&[T]> {
    if bytes.is_empty() {
        return Ok(&[]);
    }
    bytemuck::try_cast_slice(bytes).map_err(|_| misaligned())
}

fn cast_mut<T: AnyBitPattern + NoUninit>(bytes: &mut [u8]) -> Result<&mut [T]> {
    if bytes.is_empty() {
        return Ok(&mut []);
    }
    bytemuck::try_cast_slice_mut(bytes).map_err(|_| misaligned())
}

macro_rules! plain_units {
    ($($ty:ty),*) => {$(
        impl Unit for $ty {
            fn view(tensor: &Tensor) -> Result<&[Self]> {
                cast(tensor.bytes().ok_or_else(|| not_of_this_kind(tensor.dtype()))?)
            }
            fn build(
                dtype: DataType,
                shape: Shape,
                fill: impl FnOnce(&mut [Self]) -> Result<()>,
            ) -> Result<Tensor> {
                let mut tensor = Tensor::new(dtype, shape)?;
                fill(cast_mut(tensor.bytes_mut().expect("a new plain tensor has one owner"))?)?;
                Ok(tensor)
            }
            fn rewrite(
                tensor: &mut Tensor,
                change: impl FnOnce(&mut [Self]) -> Result<()>,
            ) -> Result<()> {
                if !tensor.is_unique() {
                    *tensor = tensor.deep_copy()?;
                }
                change(cast_mut(tensor.bytes_mut().expect("nobody else holds the copy"))?)
            }
        }
    )*};
}
plain_units!(u8, u16, u32, u64, [u64; 2]);

macro_rules! object_units {
    ($($ty:ty, $get:ident, $get_mut:ident;)*) => {$(
        impl Unit for $ty {
            fn view(tensor: &Tensor) -> Result<&[Self]> {
                tensor.$get()
            }
            fn build(
                dtype: DataType,
                shape: Shape,
                fill: impl FnOnce(&mut [Self]) -> Result<()>,
            ) -> Result<Tensor> {
                let mut tensor = Tensor::new(dtype, shape)?;
                fill(tensor.$get_mut().ok_or_else(|| not_of_this_kind(dtype))?)?;
                Ok(tensor)
            }
            fn rewrite(
                tensor: &mut Tensor,
                change: impl FnOnce(&mut [Self]) -> Result<()>,
            ) -> Result<()> {
                if !tensor.is_unique() {
                    *tensor = tensor.deep_copy()?;
                }
                let dtype = tensor.dtype();
                change(tensor.$get_mut().ok_or_else(|| not_of_this_kind(dtype))?)
            }
        }
    )*};
}
object_units! {
    ByteString, strings, strings_mut;
    ResourceHandle, handles, handles_mut;
    Variant, variants, variants_mut;
}

fn not_of_this_kind(dtype: DataType) -> Status {
    Status::internal(format!("a {dtype} tensor has elements of another kind"))
}

/// Runs the body with `T` the representation of the dtype's elements.
macro_rules! dispatch_units {
    ($dtype:expr, $t:ident => $body:expr) => {{
        let dtype: downpour_tensor::DataType = $dtype;
        match (dtype, dtype.size()) {
            (downpour_tensor::DataType::String, _) => {
                type $t = downpour_tensor::ByteString;
                $body
            }
            (downpour_tensor::DataType::Resource, _) => {
                type $t = downpour_tensor::ResourceHandle;
                $body
            }
            (downpour_tensor::DataType::Variant, _) => {
                type $t = downpour_tensor::Variant;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 1) => {
                type $t = u8;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 2) => {
                type $t = u16;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 4) => {
                type $t = u32;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 8) => {
                type $t = u64;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            _ => {
                type $t = [u64; 2];
                $body
            }
        }
    }};
}
pub(crate) use dispatch_units;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewriting_leaves_other_owners_alone() {
        let a = Tensor::vector(&[1.0f32, 2.0]).unwrap();
        let mut b = a.clone();
        u32::rewrite(&mut b, |v| {
            v.swap(0, 1);
            Ok(())
        })
        .unwrap();
        assert_eq!(a.as_slice::<f32>().unwrap(), &[1.0, 2.0]);
        assert_eq!(b.as_slice::<f32>().unwrap(), &[2.0, 1.0]);
    }

    #[test]
    fn strings_move_like_numbers() {
        let shape = Shape::from([2]);
        let t = ByteString::build(DataType::String, shape, |v| {
            v[1] = ByteString::from_static(b"x");
            Ok(())
        })
        .unwrap();
        assert_eq!(t.strings().unwrap()[1], ByteString::from_static(b"x"));
    }
}
