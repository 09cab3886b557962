//! The types convolutions compute in.

use downpour_tensor::RealNumber;

use super::{Rows, portable};

/// A type with a product of gathered rows. Half and bfloat16 are computed in float32.
pub(crate) trait ProductNumber: RealNumber {
    /// At most `ROWS` rows.
    fn rows(rows: &Rows<'_, Self>, bases: &[usize], dests: &[usize], out: &mut [Self]) {
        portable(rows, bases, dests, out);
    }
}

impl ProductNumber for f64 {}
impl ProductNumber for i32 {}

impl ProductNumber for f32 {
    fn rows(rows: &Rows<'_, f32>, bases: &[usize], dests: &[usize], out: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if super::simd::rows(rows, bases, dests, out) {
            return;
        }
        portable(rows, bases, dests, out);
    }
}
