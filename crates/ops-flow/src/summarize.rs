//! A tensor's first elements as text, the way assertions and prints show them.

use downpour_tensor::{Tensor, bf16, f16};

use crate::bounded_text::BoundedText;

/// At most `limit` elements (all, if negative), rows in brackets.
pub(crate) fn summarize(tensor: &Tensor, limit: i64) -> String {
    let mut out = BoundedText::new();
    summarize_into(tensor, limit, &mut out);
    out.finish()
}

/// The same at the end of a text.
pub(crate) fn summarize_into(tensor: &Tensor, limit: i64, out: &mut BoundedText) {
    let count = tensor.len();
    let limit = usize::try_from(limit).map_or(count, |l| l.min(count));
    let show = shower(tensor);
    let whole = match tensor.rank() {
        0 if limit > 0 => show(0, out),
        0 => true,
        _ => rows(tensor.dims(), limit, true, &mut 0, &show, out),
    };
    if whole && count > limit {
        out.push("...");
    }
}

/// Appends the element at a place; false when the text is full.
type Show<'a> = dyn Fn(usize, &mut BoundedText) -> bool + 'a;

fn rows(
    dims: &[usize],
    limit: usize,
    outermost: bool,
    next: &mut usize,
    show: &Show<'_>,
    out: &mut BoundedText,
) -> bool {
    if *next >= limit {
        return true;
    }
    let Some((&size, inner)) = dims.split_first() else { return true };
    for i in 0..size {
        if inner.is_empty() {
            if *next >= limit {
                return outermost || out.push("...");
            }
            if !(i == 0 || out.push(" ")) || !show(*next, out) {
                return false;
            }
            *next += 1;
        } else {
            if *next >= limit {
                return true;
            }
            if !out.push("[") || !rows(inner, limit, false, next, show, out) || !out.push("]") {
                return false;
            }
        }
    }
    true
}

fn shower(tensor: &Tensor) -> Box<Show<'_>> {
    macro_rules! plain {
        ($($ty:ty => $show:expr),* $(,)?) => {$(
            if let Ok(values) = tensor.as_slice::<$ty>() {
                return Box::new(move |i, out| out.push(&$show(values[i])));
            }
        )*};
    }
    plain! {
        f32 => float, f64 => double,
        f16 => |v: f16| float(v.to_f32()), bf16 => |v: bf16| float(v.to_f32()),
        bool => |v: bool| (v as u8).to_string(),
        i8 => |v: i8| v.to_string(), i16 => |v: i16| v.to_string(),
        i32 => |v: i32| v.to_string(), i64 => |v: i64| v.to_string(),
        u8 => |v: u8| v.to_string(), u16 => |v: u16| v.to_string(),
        u32 => |v: u32| v.to_string(), u64 => |v: u64| v.to_string(),
    }
    if let Ok(values) = tensor.strings() {
        return Box::new(move |i, out| escape(&values[i], out));
    }
    if let Ok(values) = tensor.variants() {
        return Box::new(move |i, out| out.push_shown(format_args!("<{:?}>", values[i])));
    }
    if let Ok(values) = tensor.handles() {
        return Box::new(move |i, out| {
            out.push_shown(format_args!("<ResourceHandle(name=\"{}\")>", values[i].name))
        });
    }
    Box::new(|_, out| out.push("?"))
}

/// Six digits where they suffice to tell the value, else nine.
fn float(value: f32) -> String {
    let short = general(value as f64, 6);
    if !value.is_finite() || short.parse() == Ok(value) { short } else { general(value as f64, 9) }
}

fn double(value: f64) -> String {
    let short = general(value, 15);
    if !value.is_finite() || short.parse() == Ok(value) { short } else { general(value, 17) }
}

/// `%.{digits}g` of the C library.
fn general(value: f64, digits: i32) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let scientific = format!("{:.*e}", (digits - 1) as usize, value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => s.to_string(),
    };
    if exponent < -4 || exponent >= digits {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{:.*}", (digits - 1 - exponent) as usize, value))
}

/// C escapes for what does not print; bytes above 127 stay, so that UTF-8 text stays readable.
fn escape(text: &[u8], out: &mut BoundedText) -> bool {
    let sign = |character: char, out: &mut BoundedText| match character {
        '\n' => out.push("\\n"),
        '\r' => out.push("\\r"),
        '\t' => out.push("\\t"),
        '"' | '\'' | '\\' => out.push_shown(format_args!("\\{character}")),
        '\0'..'\x20' | '\x7f' => out.push_shown(format_args!("\\{:03o}", character as u32)),
        _ => out.push(character.encode_utf8(&mut [0; 4])),
    };
    text.utf8_chunks().all(|chunk| {
        chunk.valid().chars().all(|character| sign(character, out))
            && (chunk.invalid().is_empty() || out.push("\u{fffd}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_c() {
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(1.0 / 3.0), "0.333333343");
        assert_eq!(float(1e10), "1e+10");
        assert_eq!(float(-2.0), "-2");
        assert_eq!(double(1.0 / 3.0), "0.33333333333333331");
        assert_eq!(float(f32::NEG_INFINITY), "-inf");
        assert_eq!(double(1e-5), "1e-05");
        assert_eq!(double(100000.0), "100000");
    }

    #[test]
    fn elements_that_share_a_long_string_are_cut() {
        let long = downpour_tensor::ByteString::copy_from("x".repeat(1 << 20)).unwrap();
        let many = Tensor::build_strings([1 << 16], |_| Ok(long.clone())).unwrap();
        let text = summarize(&many, -1);
        assert!(text.len() < 2 << 20 && text.ends_with("mebibyte)"), "{}", text.len());
    }

    #[test]
    fn rows_are_bracketed_and_cut() {
        let t = Tensor::from_vec([2, 3], vec![1i32, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(summarize(&t, -1), "[1 2 3][4 5 6]");
        assert_eq!(summarize(&t, 3), "[1 2 3]...");
        assert_eq!(summarize(&t, 4), "[1 2 3][4...]...");
        assert_eq!(summarize(&Tensor::vector(&[1i32, 2, 3]).unwrap(), 2), "1 2...");
        assert_eq!(summarize(&Tensor::string("it's\n"), 3), "it\\'s\\n");
        assert_eq!(summarize(&Tensor::scalar(true), 3), "1");
    }
}
