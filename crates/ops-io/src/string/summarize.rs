//! A tensor as readable text, its middle left out where it is long.

use downpour_tensor::{DataType, Element, RealNumber, Result, StringWriter, Tensor, bf16, f16};

use super::printf::{Layout, Style};

/// Appends the text of `tensor` with at most `at_ends` elements at each end of a dimension.
pub(super) fn summarize(
    tensor: &Tensor,
    at_ends: Option<usize>,
    out: &mut StringWriter,
) -> Result<()> {
    let at_ends = at_ends.unwrap_or(tensor.len()).min(tensor.len());
    fn integers<T: RealNumber + std::fmt::Display>(
        tensor: &Tensor,
        at_ends: usize,
        out: &mut StringWriter,
    ) -> Result<()> {
        each::<T>(tensor, at_ends, out, |v, out| out.push(v.to_string().as_bytes()))
    }
    let single =
        |value: f32, out: &mut StringWriter| out.push(float(value as f64, 6, 9).as_bytes());
    match tensor.dtype() {
        DataType::Float => each::<f32>(tensor, at_ends, out, single),
        DataType::Half => each::<f16>(tensor, at_ends, out, |v, out| single(v.to_f32(), out)),
        DataType::BFloat16 => each::<bf16>(tensor, at_ends, out, |v, out| single(v.to_f32(), out)),
        DataType::Double => {
            each::<f64>(tensor, at_ends, out, |v, out| out.push(float(v, 15, 17).as_bytes()))
        }
        DataType::Int8 => integers::<i8>(tensor, at_ends, out),
        DataType::Int16 => integers::<i16>(tensor, at_ends, out),
        DataType::Int32 => integers::<i32>(tensor, at_ends, out),
        DataType::Int64 => integers::<i64>(tensor, at_ends, out),
        DataType::UInt8 => integers::<u8>(tensor, at_ends, out),
        DataType::UInt16 => integers::<u16>(tensor, at_ends, out),
        DataType::UInt32 => integers::<u32>(tensor, at_ends, out),
        DataType::UInt64 => integers::<u64>(tensor, at_ends, out),
        DataType::Bool => {
            each::<bool>(tensor, at_ends, out, |v, out| out.push(if v { b"1" } else { b"0" }))
        }
        DataType::String => {
            let texts = tensor.strings()?;
            let show = |i: usize, out: &mut StringWriter| quoted(&texts[i], out);
            lay_out(tensor, at_ends, out, &show)
        }
        _ => opaque(tensor, at_ends, out),
    }
}

fn each<T: Element>(
    tensor: &Tensor,
    at_ends: usize,
    out: &mut StringWriter,
    show: impl Fn(T, &mut StringWriter) -> Result<()>,
) -> Result<()> {
    let values = tensor.as_slice::<T>()?;
    lay_out(tensor, at_ends, out, &|i, out: &mut StringWriter| show(values[i], out))
}

/// Types without a text of their own: a mark for each of the first elements.
fn opaque(tensor: &Tensor, shown: usize, out: &mut StringWriter) -> Result<()> {
    let (open, close) = if tensor.rank() > 0 { ("[", "]") } else { ("", "") };
    out.push(open.as_bytes())?;
    for i in 0..shown {
        out.push(if i > 0 { b" ?" } else { b"?" })?;
    }
    out.push(if shown < tensor.len() { b"..." } else { b"" })?;
    out.push(close.as_bytes())
}

/// The fewest digits of two candidates that give the number back.
fn float(value: f64, few: usize, enough: usize) -> String {
    let write = |digits| Layout::default().float(value, Style::Shortest, digits);
    let short = write(few);
    let exact = match few {
        6 => short.parse::<f32>().is_ok_and(|v| v as f64 == value),
        _ => short.parse::<f64>().is_ok_and(|v| v == value),
    };
    match () {
        // The sign of a NaN is of no interest.
        () if value.is_nan() => "nan".to_string(),
        () if exact => short,
        () => write(enough),
    }
}

type Show<'a> = &'a dyn Fn(usize, &mut StringWriter) -> Result<()>;

fn lay_out(tensor: &Tensor, at_ends: usize, out: &mut StringWriter, show: Show<'_>) -> Result<()> {
    if tensor.rank() == 0 {
        return match at_ends {
            0 => out.push(b"..."),
            _ => show(0, out),
        };
    }
    dimension(tensor.dims(), 0, at_ends, 0, out, show)
}

fn dimension(
    dims: &[usize],
    depth: usize,
    at_ends: usize,
    start: usize,
    out: &mut StringWriter,
    show: Show<'_>,
) -> Result<()> {
    if depth == dims.len() {
        return show(start, out);
    }
    let count = dims[depth];
    let stride: usize = dims[depth + 1..].iter().product();
    let tail = at_ends.max(count.saturating_sub(at_ends));
    out.push(b"[")?;
    for i in (0..at_ends.min(count)).chain(tail..count) {
        if i == tail && count > 2 * at_ends {
            space(dims.len(), depth, out)?;
            out.push(b"...")?;
        }
        if i > 0 {
            space(dims.len(), depth, out)?;
        }
        dimension(dims, depth + 1, at_ends, start + i * stride, out, show)?;
    }
    if at_ends == 0 && count > 0 {
        space(dims.len(), depth, out)?;
        out.push(b"...")?;
    }
    out.push(b"]")
}

/// A space between numbers, line breaks and indentation between larger parts.
fn space(rank: usize, depth: usize, out: &mut StringWriter) -> Result<()> {
    if depth + 1 == rank {
        return out.push(b" ");
    }
    out.fill(b'\n', rank - depth - 1)?;
    out.fill(b' ', depth + 1)
}

/// A string in quotes, with C's escapes for all but printable ASCII and UTF-8.
fn quoted(text: &[u8], out: &mut StringWriter) -> Result<()> {
    out.push(b"\"")?;
    for &byte in text {
        match byte {
            b'\n' => out.push(br"\n")?,
            b'\r' => out.push(br"\r")?,
            b'\t' => out.push(br"\t")?,
            b'"' | b'\'' | b'\\' => out.push(&[b'\\', byte])?,
            b' '..=b'~' | 0x80.. => out.push(&[byte])?,
            _ => out.push(format!("\\{byte:03o}").as_bytes())?,
        }
    }
    out.push(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tensor: Tensor, at_ends: Option<usize>) -> String {
        let mut out = downpour_tensor::StringWriter::new();
        summarize(&tensor, at_ends, &mut out).unwrap();
        String::from_utf8(out.to_vec()).unwrap()
    }

    #[test]
    fn shapes_agree_with_tensorflow() {
        let range = |shape: &[usize]| {
            let count = shape.iter().product::<usize>() as i64;
            Tensor::from_vec(shape, (0..count).collect()).unwrap()
        };
        assert_eq!(text(range(&[10]), Some(3)), "[0 1 2 ... 7 8 9]");
        assert_eq!(text(range(&[4]), None), "[0 1 2 3]");
        let cube = "[[[0 ... 3]\n  ...\n  [8 ... 11]]\n\n [[12 ... 15]\n  ...\n  [20 ... 23]]]";
        assert_eq!(text(range(&[2, 3, 4]), Some(1)), cube);
        assert_eq!(text(range(&[0]), Some(3)), "[]");
        assert_eq!(text(range(&[2, 0]), Some(3)), "[\n ...]");
        assert_eq!(text(range(&[3]), Some(0)), "[ ...]");
        assert_eq!(text(range(&[]), Some(0)), "...");
        let complex = Tensor::zeros(DataType::Complex64, [4]).unwrap();
        assert_eq!(text(complex, Some(3)), "[? ? ?...]");
    }

    #[test]
    fn elements_agree_with_tensorflow() {
        let floats = [1.0 / 3.0, 1e10, 123456789.0, 100000.0, 1e-5, f32::NAN, -0.0];
        let shown = "[0.333333343 1e+10 123456792 100000 1e-05 nan -0]";
        assert_eq!(text(Tensor::vector(&floats).unwrap(), None), shown);
        let doubles = Tensor::vector(&[1.0 / 3.0, 1e10, 1e20]).unwrap();
        assert_eq!(text(doubles, None), "[0.33333333333333331 10000000000 1e+20]");
        assert_eq!(text(Tensor::scalar(f16::from_f32(0.333)), Some(3)), "0.333007812");
        assert_eq!(text(Tensor::string("b\n\"é\u{1}"), Some(3)), "\"b\\n\\\"é\\001\"");
        assert_eq!(text(Tensor::scalar(true), Some(3)), "1");
    }
}
