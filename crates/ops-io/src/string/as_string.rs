//! AsString: each element as text.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    ByteString, Complex64, Complex128, DataType, Element, RealNumber, Result, Status, StringWriter,
    Tensor, bf16, f16,
};

use super::printf::{Layout, Style};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "AsString(input: T) -> (output: string)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, complex64, complex128, bool, variant, string}
                precision: int = -1
                scientific: bool = false
                shortest: bool = false
                width: int = -1
                fill: string = ''",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(AsString::new(build)?)),
    )
}

/// Wider or more precise texts are surely a mistake, and would fill the memory.
const LARGEST: i64 = 1 << 16;

struct AsString {
    layout: Layout,
    style: Style,
    precision: Option<usize>,
}

impl AsString {
    fn new(build: &KernelBuild<'_>) -> Result<AsString> {
        let dtype = build.dtype("T")?;
        let (scientific, shortest) = (build.bool("scientific")?, build.bool("shortest")?);
        let (precision, width) = (build.int("precision")?, build.int("width")?);
        let invalid = |what: String| Err(Status::invalid_argument(what));
        if !(dtype.is_floating() || dtype.is_complex() || dtype == DataType::String) {
            if scientific || shortest {
                return invalid(format!(
                    "scientific and shortest format not supported for datatype {dtype}"
                ));
            }
            if precision >= 0 {
                return invalid(format!("precision not supported for datatype {dtype}"));
            }
        }
        if precision > LARGEST || width > LARGEST {
            return invalid(format!("AsString: precision and width are at most {LARGEST}"));
        }
        let fill = build.bytes("fill")?;
        let flag = match &fill[..] {
            [] => None,
            [flag @ (b' ' | b'+' | b'-' | b'0' | b'#')] => Some(*flag),
            [_] => {
                return invalid(format!(
                    "Fill argument not supported: \"{}\"",
                    String::from_utf8_lossy(&fill)
                ));
            }
            _ => return invalid("Fill string must be one or fewer characters".into()),
        };
        let style = match (scientific, shortest) {
            (true, true) => {
                return invalid("Cannot select both scientific and shortest notation".into());
            }
            (true, false) => Style::Scientific,
            (false, true) => Style::Shortest,
            (false, false) => Style::Fixed,
        };
        if dtype == DataType::Variant {
            return Err(build.unsupported("variants have no text; convert them first"));
        }
        let layout = Layout { flag, width: usize::try_from(width).unwrap_or(0) };
        Ok(AsString { layout, style, precision: usize::try_from(precision).ok() })
    }

    fn float(&self, value: f64) -> String {
        self.layout.float(value, self.style, self.precision.unwrap_or(6))
    }

    fn signed<T: RealNumber + std::fmt::Display>(&self, value: T) -> String {
        let text = value.to_string();
        match text.strip_prefix('-') {
            Some(digits) => self.layout.signed(true, digits, true),
            None => self.layout.signed(false, &text, true),
        }
    }

    /// Without a sign, flags for it say nothing.
    fn unsigned<T: RealNumber + std::fmt::Display>(&self, value: T) -> String {
        self.layout.fill("", &value.to_string(), true)
    }

    fn complex(&self, real: f64, imaginary: f64) -> String {
        format!("({},{})", self.float(real), self.float(imaginary))
    }

    /// As C sees a string: up to the first zero byte.
    fn text(&self, value: &ByteString) -> Result<ByteString> {
        let end = value.iter().position(|&b| b == 0).unwrap_or(value.len());
        let shown = &value[..end.min(self.precision.unwrap_or(end))];
        let spaces = self.layout.width.saturating_sub(shown.len());
        let mut out = StringWriter::with_capacity(spaces + shown.len())?;
        match self.layout.flag {
            Some(b'-') => {
                out.push(shown)?;
                out.fill(b' ', spaces)?;
            }
            _ => {
                out.fill(b' ', spaces)?;
                out.push(shown)?;
            }
        }
        Ok(out.finish())
    }
}

fn each<T: Element>(input: &Tensor, write: impl Fn(T) -> String) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    Tensor::build_strings(input.shape(), |i| ByteString::from_vec(write(values[i])))
}

impl Kernel for AsString {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let out = match input.dtype() {
            DataType::Float => each::<f32>(input, |v| self.float(v as f64))?,
            DataType::Double => each::<f64>(input, |v| self.float(v))?,
            DataType::Half => each::<f16>(input, |v| self.float(v.to_f64()))?,
            DataType::BFloat16 => each::<bf16>(input, |v| self.float(v.to_f64()))?,
            DataType::Int8 => each::<i8>(input, |v| self.signed(v))?,
            DataType::Int16 => each::<i16>(input, |v| self.signed(v))?,
            DataType::Int32 => each::<i32>(input, |v| self.signed(v))?,
            DataType::Int64 => each::<i64>(input, |v| self.signed(v))?,
            DataType::UInt8 => each::<u8>(input, |v| self.unsigned(v))?,
            DataType::UInt16 => each::<u16>(input, |v| self.unsigned(v))?,
            DataType::UInt32 => each::<u32>(input, |v| self.unsigned(v))?,
            DataType::UInt64 => each::<u64>(input, |v| self.unsigned(v))?,
            DataType::Bool => each::<bool>(input, |v| v.to_string())?,
            DataType::Complex64 => {
                each::<Complex64>(input, |v| self.complex(v.re as f64, v.im as f64))?
            }
            DataType::Complex128 => each::<Complex128>(input, |v| self.complex(v.re, v.im))?,
            DataType::String if self.layout.width == 0 => input.clone(),
            DataType::String => {
                let texts = input.strings()?;
                Tensor::build_strings(input.shape(), |i| self.text(&texts[i]))?
            }
            other => return Err(cx.node().unsupported(format_args!("dtype {other}"))),
        };
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn show(input: Tensor, width: i64, fill: &'static str) -> Result<ByteString> {
        let test = OpTest::new(register, "AsString").attr("width", width).attr("fill", fill);
        Ok(test.input(input).run_one()?.strings()?[0].clone())
    }

    #[test]
    fn elements_agree_with_tensorflow() {
        assert_eq!(show(Tensor::scalar(2.71f32), -1, "").unwrap(), "2.710000");
        assert_eq!(show(Tensor::scalar(-5i32), 6, "0").unwrap(), "-00005");
        assert_eq!(show(Tensor::scalar(7u8), 6, "+").unwrap(), "     7");
        assert_eq!(show(Tensor::scalar(1i64 << 40), 6, "+").unwrap(), "+1099511627776");
        assert_eq!(show(Tensor::scalar(true), 9, "").unwrap(), "true");
        let complex = Tensor::scalar(Complex64::new(1.0, -2.0));
        assert_eq!(show(complex, 6, " ").unwrap(), "( 1.000000,-2.000000)");
        assert_eq!(show(Tensor::string("hi"), 5, "0").unwrap(), "   hi");
        assert_eq!(show(Tensor::string("hi"), 5, "-").unwrap(), "hi   ");
    }

    #[test]
    fn bad_formats_are_refused() {
        let message = |fill| show(Tensor::scalar(1f32), 3, fill).unwrap_err().message().to_string();
        assert!(message("x").contains("Fill argument not supported"));
        assert!(message("00").contains("Fill string must be one or fewer characters"));
        assert!(show(Tensor::scalar(1f32), i64::MAX, "").is_err());
        let test = OpTest::new(register, "AsString").attr("precision", 2i64);
        assert!(test.input(Tensor::scalar(1i32)).run_one().is_err());
    }
}
