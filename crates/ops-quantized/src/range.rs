//! Between numbers and the integers that stand for them.
//!
//! TensorFlow has two ways, which differ in the last bit: single values go through doubles (`quantized`, `number`), whole
//! tensors through floats (`Quantizer`, `Dequantizer`). Each operation uses the one that TensorFlow's uses.

use downpour_runtime::OpContext;
use downpour_tensor::{Result, Status, Tensor};

use crate::element::Quantized;

/// The smallest and the largest number that a type's lowest and highest integer stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub min: f32,
    pub max: f32,
}

impl Range {
    /// Returns the range whose ends are the scalars in inputs `i` and `i + 1`.
    pub(crate) fn of_inputs(cx: &OpContext<'_>, i: usize) -> Result<Range> {
        let [min, max] = [i, i + 1].map(|i| cx.input(i));
        for (tensor, i) in [(min, i), (max, i + 1)] {
            if tensor.rank() != 0 {
                let rank = tensor.rank();
                return Err(cx.bad_input(i, format!("must be rank 0 but is rank {rank}")));
            }
        }
        Range::of(min, max)
    }

    /// Returns the range of two tensors of one number each.
    pub(crate) fn of(min: &Tensor, max: &Tensor) -> Result<Range> {
        Ok(Range { min: min.to_scalar()?, max: max.to_scalar()? })
    }

    /// Makes the range the outputs `i` and `i + 1`.
    pub(crate) fn set_outputs(self, cx: &mut OpContext<'_>, i: usize) {
        cx.set_output(i, Tensor::scalar(self.min));
        cx.set_output(i + 1, Tensor::scalar(self.max));
    }

    /// Checks that the range is not empty.
    pub(crate) fn check_order(self, name: &str) -> Result<()> {
        if self.max > self.min {
            return Ok(());
        }
        Err(Status::invalid_argument(format!("max_{name} must be larger than min_{name}.")))
    }

    /// Returns how much one step of the integers is.
    fn step<T: Quantized>(self) -> f32 {
        (self.max - self.min) / (T::HIGHEST - T::LOWEST) as f32
    }

    /// Returns the range of products of numbers of this range and another.
    pub(crate) fn product<A: Quantized, B: Quantized, C: Quantized>(self, other: Range) -> Range {
        let step = self.step::<A>() * other.step::<B>();
        Range { min: step * C::LOWEST as f32, max: step * C::HIGHEST as f32 }
    }

    /// Returns the integer that stands for a number, which may lie outside the type.
    pub(crate) fn unclamped<T: Quantized>(self, number: f32) -> i64 {
        if self.min == self.max {
            return T::LOWEST;
        }
        let steps = (1i64 << T::BITS) as f64;
        let range = f64::from(self.max - self.min) * (steps / (steps - 1.0));
        let scale = steps / range;
        let from_min = (f64::from(number) * scale).round() - (f64::from(self.min) * scale).round();
        integer(from_min).wrapping_add(T::LOWEST)
    }

    /// Returns the integer of the type that is nearest to what stands for a number.
    pub(crate) fn quantized<T: Quantized>(self, number: f32) -> T {
        T::clamped(self.unclamped::<T>(number))
    }

    /// Returns the number that an integer stands for.
    pub(crate) fn number<T: Quantized>(self, value: T) -> f32 {
        if self.min == self.max {
            return self.min;
        }
        let steps = (1i64 << T::BITS) as f64;
        let scale = f64::from(self.max - self.min) * (steps / (steps - 1.0)) / steps;
        let offset = (value.to_i64() - T::LOWEST) as f64;
        let rounded_min = (self.min / scale as f32).round() * scale as f32;
        (f64::from(rounded_min) + offset * scale) as f32
    }
}

/// Returns an integer as processors convert: what is too large becomes the lowest.
fn integer(value: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&value) { value as i64 } else { i64::MIN }
}

/// Turns many integers of a type into numbers.
#[derive(Clone, Copy)]
pub(crate) struct Dequantizer {
    zero: f32,
    scale: f32,
}

impl Dequantizer {
    pub(crate) fn new<T: Quantized>(range: Range) -> Dequantizer {
        let scale = (f64::from(range.max - range.min) / ((1i64 << T::BITS) as f64 - 1.0)) as f32;
        let rounded_min =
            if range.max == range.min { range.min } else { (range.min / scale).round() * scale };
        Dequantizer { zero: rounded_min - T::LOWEST as f32 * scale, scale }
    }

    pub(crate) fn number<T: Quantized>(self, value: T) -> f32 {
        self.zero + value.to_f32() * self.scale
    }
}

/// Turns many numbers into integers of a type.
#[derive(Clone, Copy)]
pub(crate) struct Quantizer {
    scale: f32,
    zero: f32,
    lower: f32,
    upper: f32,
}

impl Quantizer {
    pub(crate) fn new<T: Quantized>(range: Range) -> Quantizer {
        let scale = if range.max == range.min {
            0.0
        } else {
            (((1i64 << T::BITS) as f64 - 1.0) / f64::from(range.max - range.min)) as f32
        };
        Quantizer {
            scale,
            zero: (range.min * scale).round() - T::LOWEST as f32,
            // The largest floats that are integers of 32 bits.
            lower: (T::LOWEST as f32).max(-2_147_483_648.0),
            upper: (T::HIGHEST as f32).min(2_147_483_520.0),
        }
    }

    pub(crate) fn quantized<T: Quantized>(self, number: f32) -> T {
        let value = (number * self.scale).round() - self.zero;
        T::truncated(i64::from(value.max(self.lower).min(self.upper) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::{QInt8, QInt32, QUInt8};

    #[test]
    fn ends_and_zero_keep_their_places() {
        let range = Range { min: -1.0, max: 1.0 };
        assert_eq!(range.quantized::<QUInt8>(-1.0), QUInt8(0));
        assert_eq!(range.quantized::<QUInt8>(1.0), QUInt8(255));
        assert_eq!(range.quantized::<QUInt8>(9.0), QUInt8(255));
        assert_eq!(range.quantized::<QInt8>(-9.0), QInt8(-128));
        assert_eq!(range.quantized::<QInt32>(f32::INFINITY), QInt32(i32::MAX));
        let number = range.number(range.quantized::<QInt32>(0.25));
        assert!((number - 0.25).abs() < 1e-6);
    }

    #[test]
    fn ranges_of_one_number_do_not_divide_by_zero() {
        let range = Range { min: 2.0, max: 2.0 };
        assert_eq!(range.quantized::<QUInt8>(5.0), QUInt8(0));
        assert_eq!(range.number(QUInt8(200)), 2.0);
        assert_eq!(Dequantizer::new::<QUInt8>(range).number(QUInt8(200)), 2.0);
        assert_eq!(Quantizer::new::<QUInt8>(range).quantized::<QUInt8>(7.0), QUInt8(0));
    }

    #[test]
    fn many_values_go_there_and_back() {
        let range = Range { min: -3.0, max: 5.0 };
        let (to, from) = (Quantizer::new::<QUInt8>(range), Dequantizer::new::<QUInt8>(range));
        for value in 0..=255u8 {
            assert_eq!(to.quantized::<QUInt8>(from.number(QUInt8(value))), QUInt8(value));
        }
    }
}
