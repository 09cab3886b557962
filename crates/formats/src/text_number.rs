//! Numbers in text, as TensorFlow reads them: surrounding white space and a plus sign are fine, floats may be infinite or
//! NaN, and those too large become infinite.

/// Returns whether C calls a byte white space; the vertical tab is.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns the text without white space around it.
pub fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&b| !is_space(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|&b| !is_space(b)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Returns an integer; `None` if it is none or does not fit.
pub fn integer<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(trim(text)).ok()?.parse().ok()
}

/// A type that floats are read into.
pub trait Float: Copy + std::str::FromStr {
    /// Returns the nearest value.
    fn from_f64(value: f64) -> Self;
    /// Returns the value with the other sign.
    fn negated(self) -> Self;
}

impl Float for f32 {
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    fn negated(self) -> f32 {
        -self
    }
}

impl Float for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }
    fn negated(self) -> f64 {
        -self
    }
}

/// Returns a float; `None` if it is none.
pub fn float<T: Float>(text: &[u8]) -> Option<T> {
    signed(text, magnitude)
}

/// Returns a float that may be hexadecimal; `None` if it is none.
pub fn float_or_hexadecimal<T: Float>(text: &[u8]) -> Option<T> {
    signed(text, |text| match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hexadecimal) => hexadecimal_float(&hexadecimal.to_ascii_lowercase()).map(T::from_f64),
        None => magnitude(text),
    })
}

fn signed<T: Float>(text: &[u8], magnitude: impl Fn(&str) -> Option<T>) -> Option<T> {
    let text = std::str::from_utf8(trim(text)).ok()?;
    let (digits, negative) = match text.as_bytes().first()? {
        b'-' => (&text[1..], true),
        b'+' => (&text[1..], false),
        _ => (text, false),
    };
    let value = magnitude(digits)?;
    Some(if negative { T::negated(value) } else { value })
}

fn magnitude<T: Float>(text: &str) -> Option<T> {
    if let b'0'..=b'9' | b'.' = text.as_bytes().first()? {
        return text.parse().ok();
    }
    let lower = text.to_ascii_lowercase();
    match lower.as_bytes().first()? {
        b'i' => matches!(&lower[..], "inf" | "infinity").then(|| T::from_f64(f64::INFINITY)),
        _ => is_nan(&lower).then(|| T::from_f64(f64::NAN)),
    }
}

/// `nan`, perhaps with a payload in parentheses.
fn is_nan(lower: &str) -> bool {
    let Some(rest) = lower.strip_prefix("nan") else { return false };
    let payload = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'));
    rest.is_empty()
        || payload.is_some_and(|p| p.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once('p') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0f64;
    for digit in whole.chars() {
        value = value * 16.0 + digit.to_digit(16)? as f64;
    }
    let mut scale = 1.0 / 16.0;
    for digit in fraction.chars() {
        value += digit.to_digit(16)? as f64 * scale;
        scale /= 16.0;
    }
    Some(value * 2f64.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_agree_with_tensorflow() {
        let read = |text: &str| float_or_hexadecimal::<f32>(text.as_bytes());
        assert_eq!(float::<f32>(b"0x10"), None);
        for (text, expected) in [
            ("  1.5 ", 1.5),
            ("-INF", f32::NEG_INFINITY),
            ("Infinity", f32::INFINITY),
            ("0x1p3", 8.0),
            ("0x10", 16.0),
            ("1e39", f32::INFINITY),
            ("1e-400", 0.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("+3", 3.0),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        assert!(read("nan(1)").unwrap().is_nan());
        for bad in ["", "1e5x", "1_0", "--1", "+-1", ".", "0x", "nano", "1 2", "é"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn integers_agree_with_tensorflow() {
        assert_eq!(integer::<i32>(b"\t+5\n"), Some(5));
        assert_eq!(integer::<i32>(b"2147483648"), None);
        assert_eq!(integer::<u64>(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(integer::<u64>(b"-0"), None);
        assert_eq!(integer::<i64>(b""), None);
        assert_eq!(integer::<i64>(b"0x10"), None);
    }
}
