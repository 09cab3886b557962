//! Connectionist temporal classification: the loss of unaligned label sequences, and decoders.

mod beam_search;
mod decoders;
mod loss;
mod paths;

use downpour_runtime::Registry;
use downpour_tensor::{Element, Result};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    loss::register(registry)?;
    decoders::register(registry)
}

/// float and double.
trait Real: Element + num_traits::Float {
    fn real(value: f32) -> Self;
    fn single(self) -> f32;
}

impl Real for f32 {
    fn real(value: f32) -> f32 {
        value
    }
    fn single(self) -> f32 {
        self
    }
}

impl Real for f64 {
    fn real(value: f32) -> f64 {
        value.into()
    }
    fn single(self) -> f32 {
        self as f32
    }
}

/// The logarithm of the sum of two numbers given by their logarithms. The correction is computed in
/// single precision for either type, as TensorFlow does.
fn log_add<T: Real>(a: T, b: T) -> T {
    if a == T::neg_infinity() {
        return b;
    }
    if b == T::neg_infinity() {
        return a;
    }
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    high + T::real((low - high).single().exp().ln_1p())
}
