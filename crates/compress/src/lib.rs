//! Gradients and ids in fewer bytes: casts, quantization, sparsification and low rank with error feedback, and lossless codecs.
//!
//! A [`Compression`] is the setting people write, a [`Compressor`] is one worker's use of it, and an [`Encoded`] says of
//! itself what it is, so that [`decode`] needs nothing else. No network, clock or global state is involved.
//!
//! | setting | bytes per float32 | what is lost |
//! | --- | --- | --- |
//! | `none` | 4 | nothing |
//! | `lz4`, `zstd` | 3 to 4, fewer where many are zero | nothing |
//! | `bfloat16` | 2 | 16 bits of the fraction |
//! | `float16` | 2 | 13 bits of the fraction, and what is 2³⁸ times smaller than the largest value |
//! | `int8` | 1 | later steps make up for it |
//! | `one-bit` | 1/8 | later steps make up for it |
//! | `top-k:0.01` | about 0.05 | later steps make up for it |
//! | `power-sgd:4` | 16 (rows + columns) / (rows · columns) | later steps make up for it |
//!
//! "Make up for it" is error feedback: what a message leaves out is kept and added to the same variable's next gradient,
//! so that the sum of everything sent plus what is still kept equals the sum of everything given.
//!
//! ```
//! use downpour_compress::{Compression, Compressor, decode};
//! use downpour_tensor::Tensor;
//!
//! let setting: Compression = "int8".parse()?;
//! let mut compressor = Compressor::new(setting, 7)?;
//! let gradient = Tensor::from_vec([32, 32], (0..1024).map(|i| (i as f32).sin()).collect())?;
//! let message = compressor.encode("dense/kernel", &gradient)?.to_bytes();
//! assert!(message.len() < gradient.byte_len() / 3);
//!
//! let received = decode(&downpour_compress::Encoded::parse(message)?)?;
//! assert_eq!(received.shape(), gradient.shape());
//! let error = compressor.residual("dense/kernel").unwrap();
//! let sum = received.as_slice::<f32>()?[5] + error.as_slice::<f32>()?[5];
//! assert!((sum - gradient.as_slice::<f32>()?[5]).abs() < 1e-6);
//! # Ok::<(), downpour_tensor::Status>(())
//! ```
#![warn(missing_docs)]

#[macro_use]
mod wide;
mod codecs;
mod compression;
mod compressor;
mod decode;
mod encoded;
mod feedback;
mod float;
mod reader;

pub use codecs::ids::encode_ids;
pub use codecs::lossless::{Lossless, encode_lossless};
pub use codecs::power_sgd::{PowerSgd, Projected, Reduced};
pub use compression::Compression;
pub use compressor::{Compressor, Traffic};
pub use decode::{DEFAULT_LIMIT, decode, decode_within};
pub use encoded::{Codec, Encoded};
