//! Values of SQLite as components, converted as SQLite does.

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};
use rusqlite::types::ValueRef;

/// Returns the value as a scalar of a type.
pub(super) fn component(value: ValueRef<'_>, dtype: DataType) -> Result<Tensor> {
    Ok(match dtype {
        DataType::String => Tensor::string(text(value)?),
        DataType::Int8 => Tensor::scalar(integer(value) as i8),
        DataType::Int16 => Tensor::scalar(integer(value) as i16),
        DataType::Int32 => Tensor::scalar(integer(value) as i32),
        DataType::Int64 => Tensor::scalar(integer(value)),
        DataType::UInt8 => Tensor::scalar(integer(value) as u8),
        DataType::UInt16 => Tensor::scalar(integer(value) as u16),
        DataType::Bool => Tensor::scalar(integer(value) != 0),
        DataType::Double => Tensor::scalar(real(value)),
        other => return Err(Status::internal(format!("a column cannot be {other}"))),
    })
}

fn integer(value: ValueRef<'_>) -> i64 {
    match value {
        ValueRef::Null => 0,
        ValueRef::Integer(value) => value,
        // Beyond the range it is the nearest end.
        ValueRef::Real(value) => value as i64,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => leading_integer(bytes),
    }
}

fn real(value: ValueRef<'_>) -> f64 {
    match value {
        ValueRef::Null => 0.0,
        ValueRef::Integer(value) => value as f64,
        ValueRef::Real(value) => value,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => leading_real(bytes),
    }
}

fn text(value: ValueRef<'_>) -> Result<ByteString> {
    match value {
        ValueRef::Null => Ok(ByteString::new()),
        ValueRef::Integer(value) => ByteString::from_vec(value.to_string()),
        ValueRef::Real(value) => ByteString::from_vec(shown(value)),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => ByteString::copy_from(bytes),
    }
}

/// Returns the number at the beginning of a text; 0 if there is none.
fn leading_integer(bytes: &[u8]) -> i64 {
    let bytes = bytes.trim_ascii_start();
    let (is_negative, digits) = match bytes.first() {
        Some(b'-') => (true, &bytes[1..]),
        Some(b'+') => (false, &bytes[1..]),
        _ => (false, bytes),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0i64, |value, &digit| {
        let digit = i64::from(digit - b'0') * if is_negative { -1 } else { 1 };
        value.saturating_mul(10).saturating_add(digit)
    })
}

/// Returns the number at the beginning of a text; 0 if there is none.
fn leading_real(bytes: &[u8]) -> f64 {
    let bytes = bytes.trim_ascii_start();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(usize::from(matches!(bytes.first(), Some(b'-' | b'+'))));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let start = end + 1 + sign;
        if bytes.get(start).is_some_and(u8::is_ascii_digit) {
            end = digits(start);
        }
    }
    std::str::from_utf8(&bytes[..end]).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// Returns a real as SQLite writes it: 15 digits, with a point.
fn shown(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:.14e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        let text = text.trim_end_matches('0');
        if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
    };
    if (-4..15).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (14 - exponent).max(1) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbers_as_far_as_they_go() {
        for (text, expected) in [
            ("12abc", 12),
            (" -7", -7),
            ("x", 0),
            ("", 0),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            assert_eq!(leading_integer(text.as_bytes()), expected, "{text}");
        }
        for (text, expected) in
            [("1.5x", 1.5), ("-2e3", -2000.0), ("1e", 1.0), ("x", 0.0), (".5", 0.5), ("-", 0.0)]
        {
            assert_eq!(leading_real(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn reals_are_written_with_fifteen_digits() {
        for (value, expected) in [
            (1.5, "1.5"),
            (2.0, "2.0"),
            (0.1 + 0.2, "0.3"),
            (-1e20, "-1.0e+20"),
            (1.25e-7, "1.25e-07"),
            (123456789.125, "123456789.125"),
        ] {
            assert_eq!(shown(value), expected);
        }
    }
}
