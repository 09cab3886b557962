//! The 8-bit floats: five exponent bits and two of fraction with infinities, or four and three
//! without.

use downpour_tensor::DataType;

struct Layout {
    fraction: u32,
    bias: i32,
    /// Largest finite value, as bits without sign.
    largest: u8,
    /// What overflow and infinity become, as bits without sign.
    overflow: u8,
    nan: u8,
}

fn layout(dtype: DataType) -> Layout {
    match dtype {
        DataType::Float8E5M2 => {
            Layout { fraction: 2, bias: 15, largest: 0x7b, overflow: 0x7c, nan: 0x7e }
        }
        _ => Layout { fraction: 3, bias: 7, largest: 0x7e, overflow: 0x7f, nan: 0x7f },
    }
}

pub(super) fn decode(dtype: DataType, byte: u8) -> f32 {
    let l = layout(dtype);
    let sign = if byte & 0x80 != 0 { -1.0 } else { 1.0 };
    let bits = byte & 0x7f;
    if bits > l.largest {
        let infinite = bits == l.overflow && l.overflow != l.nan;
        return if infinite { sign * f32::INFINITY } else { f32::NAN };
    }
    let exponent = (bits >> l.fraction) as i32;
    let fraction = (bits & ((1 << l.fraction) - 1)) as f32 / (1 << l.fraction) as f32;
    let power = |e: i32| 2f32.powi(e - l.bias);
    sign * if exponent == 0 { fraction * power(1) } else { (1.0 + fraction) * power(exponent) }
}

/// Rounds to the nearest value, ties to even.
pub(super) fn encode(dtype: DataType, value: f32) -> u8 {
    let l = layout(dtype);
    let sign = ((value.to_bits() >> 31) as u8) << 7;
    if value.is_nan() {
        return sign | l.nan;
    }
    let magnitude = value.abs();
    // One unit in the last place of the result; below the normal range it stops shrinking.
    let exponent = ((magnitude.to_bits() >> 23) as i32 - 127).max(1 - l.bias);
    if exponent > 30 {
        return sign | l.overflow;
    }
    let steps = (magnitude / 2f32.powi(exponent - l.fraction as i32)).round_ties_even() as i32;
    // A carry out of the fraction lands in the exponent, where it belongs.
    let bits = ((exponent + l.bias - 1) << l.fraction) + steps;
    sign | if bits > l.largest as i32 { l.overflow } else { bits as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_the_round_trip() {
        for dtype in [DataType::Float8E5M2, DataType::Float8E4M3FN] {
            for byte in 0..=255u8 {
                let value = decode(dtype, byte);
                if !value.is_nan() {
                    assert_eq!(encode(dtype, value), byte, "{dtype} {byte:#x} = {value}");
                }
            }
        }
    }

    #[test]
    fn rounding_and_overflow() {
        assert_eq!(decode(DataType::Float8E5M2, encode(DataType::Float8E5M2, 1.1)), 1.0);
        assert_eq!(decode(DataType::Float8E5M2, encode(DataType::Float8E5M2, 1e9)), f32::INFINITY);
        assert!(decode(DataType::Float8E4M3FN, encode(DataType::Float8E4M3FN, 1e9)).is_nan());
        assert_eq!(decode(DataType::Float8E4M3FN, encode(DataType::Float8E4M3FN, 448.0)), 448.0);
        assert_eq!(encode(DataType::Float8E4M3FN, 1e-9), 0);
    }
}
