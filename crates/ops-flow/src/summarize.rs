//! A tensor's first elements as text, the way assertions and prints show them.

use downpour_tensor::{Tensor, bf16, f16};

/// At most `limit` elements (all, if negative), rows in brackets.
pub(crate) fn summarize(tensor: &Tensor, limit: i64) -> String {
    let count = tensor.len();
    let limit = usize::try_from(limit).map_or(count, |l| l.min(count));
    let show = shower(tensor);
    let mut out = String::new();
    match tensor.rank() {
        0 if limit > 0 => out.push_str(&show(0)),
        0 => {}
        _ => rows(tensor.dims(), limit, true, &mut 0, &show, &mut out),
    }
    if count > limit {
        out.push_str("...");
    }
    out
}

fn rows(
    dims: &[usize],
    limit: usize,
    outermost: bool,
    next: &mut usize,
    show: &dyn Fn(usize) -> String,
    out: &mut String,
) {
    if *next >= limit {
        return;
    }
    let Some((&size, inner)) = dims.split_first() else { return };
    for i in 0..size {
        if inner.is_empty() {
            if *next >= limit {
                if !outermost {
                    out.push_str("...");
                }
                return;
            }
            if i > 0 {
                out.push(' ');
            }
            out.push_str(&show(*next));
            *next += 1;
        } else {
            if *next >= limit {
                return;
            }
            out.push('[');
            rows(inner, limit, false, next, show, out);
            out.push(']');
        }
    }
}

fn shower(tensor: &Tensor) -> Box<dyn Fn(usize) -> String + '_> {
    macro_rules! plain {
        ($($ty:ty => $show:expr),* $(,)?) => {$(
            if let Ok(values) = tensor.as_slice::<$ty>() {
                return Box::new(move |i| $show(values[i]));
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
        return Box::new(move |i| escape(&values[i]));
    }
    if let Ok(values) = tensor.variants() {
        return Box::new(move |i| format!("<{:?}>", values[i]));
    }
    if let Ok(values) = tensor.handles() {
        return Box::new(move |i| format!("<ResourceHandle(name=\"{}\")>", values[i].name));
    }
    Box::new(|_| "?".to_string())
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
fn escape(text: &[u8]) -> String {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\'' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..0x20 | 0x7f => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
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
