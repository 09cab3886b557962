//! Tensors: element types, shapes, reference-counted buffers, and the status every layer reports.
//!
//! ```
//! use downpour_tensor::{DataType, Tensor};
//! let t = Tensor::from_vec([2, 2], vec![1.0f32, 2.0, 3.0, 4.0]).unwrap();
//! assert_eq!(t.dtype(), DataType::Float);
//! assert_eq!(t.as_slice::<f32>().unwrap()[3], 4.0);
//! ```

mod account;
pub mod broadcast;
mod buffer;
mod byte_string;
mod counted_vec;
#[macro_use]
mod dispatch;
mod dtype;
mod element;
mod excerpt;
mod filling;
pub mod fingerprint;
mod memory;
mod object;
mod optional;
mod permutation;
mod philox;
mod prefetch;
mod shape;
mod status;
mod sums;
mod tensor;
mod tensor_variant;

pub use account::{Charge, memory_limit, set_memory_limit};
pub use buffer::Buffer;
pub use byte_string::{ByteString, StringWriter};
pub use bytes::Bytes;
pub use counted_vec::{CountedIter, CountedVec};
#[doc(hidden)]
pub use dispatch::unsupported as unsupported_dtype;
pub use dtype::DataType;
pub use element::{
    Complex64, Complex128, Element, QInt8, QInt16, QInt32, QUInt8, QUInt16, RealNumber, bf16, f16,
};
pub use excerpt::excerpt;
pub use filling::Filling;
pub use memory::{MemoryUse, memory_use, trim_pool};
pub use object::{DtypeAndShape, MAX_VARIANT_DEPTH, ResourceHandle, Variant, VariantValue};
pub use optional::Optional;
pub use permutation::Permutation;
pub use philox::Philox;
pub use prefetch::prefetch;
pub use shape::{Shape, checked_elements};
pub use status::{Code, Result, Status};
pub use sums::{add_tensors, zeros_like};
pub use tensor::Tensor;
pub use tensor_variant::TensorVariant;
