//! Numbers written as C's printf writes them.

/// `%f`, `%e` or `%g`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    Fixed,
    Scientific,
    Shortest,
}

/// A conversion: flag, width and what comes before the number's own digits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) flag: Option<u8>,
    pub(super) width: usize,
}

impl Layout {
    /// A float with `precision` digits.
    pub(super) fn float(&self, value: f64, style: Style, precision: usize) -> String {
        let digits = if value.is_nan() {
            "nan".to_string()
        } else if value.is_infinite() {
            "inf".to_string()
        } else {
            magnitude(value.abs(), style, precision, self.flag == Some(b'#'))
        };
        self.signed(value.is_sign_negative(), &digits, value.is_finite())
    }

    pub(super) fn signed(&self, negative: bool, digits: &str, zeros: bool) -> String {
        let sign = match (negative, self.flag) {
            (true, _) => "-",
            (false, Some(b'+')) => "+",
            (false, Some(b' ')) => " ",
            _ => "",
        };
        self.fill(sign, digits, zeros)
    }

    /// Puts the sign and the digits into the width; zeros go between the two.
    pub(super) fn fill(&self, sign: &str, digits: &str, zeros: bool) -> String {
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        match self.flag {
            Some(b'-') => format!("{sign}{digits}{}", " ".repeat(missing)),
            Some(b'0') if zeros => format!("{sign}{}{digits}", "0".repeat(missing)),
            _ => format!("{}{sign}{digits}", " ".repeat(missing)),
        }
    }
}

/// A finite number that is not negative; `alternate` keeps the point and the zeros of `%g`.
pub(super) fn magnitude(value: f64, style: Style, precision: usize, alternate: bool) -> String {
    match style {
        Style::Fixed => fixed(value, precision, alternate),
        Style::Scientific => scientific(value, precision, alternate),
        Style::Shortest => {
            let digits = precision.max(1);
            let exponent = exponent(value, digits - 1);
            let in_range = (-4..digits as i64).contains(&exponent);
            let text = if in_range {
                fixed(value, (digits as i64 - 1 - exponent) as usize, alternate)
            } else {
                scientific(value, digits - 1, alternate)
            };
            if alternate { text } else { without_zeros(&text) }
        }
    }
}

/// No double has more decimals than this; further ones are zeros.
const DECIMALS: usize = 1100;

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let mut text = format!("{value:.*}", precision.min(DECIMALS));
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(DECIMALS)));
    if alternate && precision == 0 {
        text.push('.');
    }
    text
}

fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.*e}", precision.min(DECIMALS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(precision.saturating_sub(DECIMALS));
    let point = if alternate && precision == 0 { "." } else { "" };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}{zeros}{point}e{sign}{digits:0>2}")
}

/// The decimal exponent after rounding to `precision` decimals.
fn exponent(value: f64, precision: usize) -> i64 {
    let text = format!("{value:.*e}", precision.min(DECIMALS));
    text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0)
}

fn without_zeros(text: &str) -> String {
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let short = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    format!("{short}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(flag: &str, width: usize, style: Style, precision: usize, value: f64) -> String {
        Layout { flag: flag.bytes().next(), width }.float(value, style, precision)
    }

    #[test]
    fn floats_agree_with_printf() {
        use Style::*;
        assert_eq!(float("0", 12, Fixed, 3, 2.7188), "00000002.719");
        assert_eq!(float("-", 12, Fixed, 6, -0.0), "-0.000000   ");
        assert_eq!(float("+", 8, Fixed, 6, f64::NAN), "    +nan");
        assert_eq!(float("0", 12, Fixed, 3, f64::NEG_INFINITY), "        -inf");
        assert_eq!(float("#", 0, Fixed, 0, 3.2), "3.");
        assert_eq!(float("", 0, Scientific, 6, 123456789.0), "1.234568e+08");
        assert_eq!(float("", 0, Shortest, 6, 123456789.0), "1.23457e+08");
        assert_eq!(float("", 0, Shortest, 6, 1e-4), "0.0001");
        assert_eq!(float("", 0, Shortest, 6, 1e-5), "1e-05");
        assert_eq!(float("#", 0, Shortest, 6, 1e-4), "0.000100000");
        assert_eq!(float("#", 0, Shortest, 6, 1e20), "1.00000e+20");
        assert_eq!(float("", 0, Shortest, 6, 999999.5), "1e+06");
        assert_eq!(float("", 0, Shortest, 0, 0.0), "0");
        assert_eq!(float("", 0, Fixed, 2000, 0.5).len(), 2002);
    }
}
