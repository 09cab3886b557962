//! JPEG files.

mod bits;
mod block;
mod codes;
mod coefficients;
mod color;
#[cfg(target_arch = "x86_64")]
mod color_avx2;
mod decode;
mod encode;
mod encode_scan;
mod entropy;
mod failure;
mod forward;
mod header;
mod huffman;
mod planes;
mod progressive;
mod reduced;
mod sequential;
mod tables;
mod transform;
#[cfg(target_arch = "x86_64")]
mod transform_sse2;
mod upsample;
mod values;

pub use decode::{Options, Window, decode, shape};
pub use encode::{Settings, encode};
