//! DecodeRaw and DecodePaddedRaw: the bytes of strings as numbers.

use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DecodeRaw(bytes: string) -> (output: out_type)
                out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16}
                little_endian: bool = true",
        )?
        .shape(|cx| set_shape(cx, None))
        .not_differentiable(),
        |build| Ok(KernelBox::new(Decode::new(build, false)?)),
    )?;
    registry.add(
        OpSpec::new(
            "DecodePaddedRaw(input_bytes: string, fixed_length: int32) -> (output: out_type)
                out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16}
                little_endian: bool = true",
        )?
        .shape(|cx| {
            cx.with_rank(1, 0)?;
            let size = cx.node().dtype("out_type")?.size().max(1);
            let length = match cx.constant_ints(1).as_deref() {
                Some(&[length]) => usize::try_from(length).ok().map(|length| length / size),
                _ => None,
            };
            set_shape(cx, length)
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(Decode::new(build, true)?)),
    )
}

fn set_shape(cx: &mut ShapeContext<'_>, width: Dim) -> Result<()> {
    let out = cx.input(0).concat(&PartialShape::vector(width));
    cx.set_output(0, out);
    Ok(())
}

struct Decode {
    dtype: DataType,
    /// Bytes to turn around at a time, if any.
    reverse: Option<usize>,
    padded: bool,
}

impl Decode {
    fn new(build: &KernelBuild<'_>, padded: bool) -> Result<Decode> {
        let dtype = build.dtype("out_type")?;
        // The two halves of a complex number each have their byte order.
        let part = if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() };
        let foreign = build.bool("little_endian")? != cfg!(target_endian = "little");
        Ok(Decode { dtype, reverse: (foreign && part > 1).then_some(part), padded })
    }

    /// How many bytes each string gives.
    fn length(&self, cx: &OpContext<'_>) -> Result<usize> {
        let size = self.dtype.size();
        if self.padded {
            let length = cx.scalar_input(1)?.to_i64_scalar()?;
            return match usize::try_from(length) {
                Ok(length) if length > 0 && length.is_multiple_of(size) => Ok(length),
                Ok(length) if length > 0 => Err(Status::invalid_argument(format!(
                    "fixed_length ({length}) must be a multiple of the size of out_type ({size})"
                ))),
                _ => Err(Status::invalid_argument(format!(
                    "fixed_length ({length}) must be greater than zero."
                ))),
            };
        }
        let texts = cx.input(0).strings()?;
        let length = texts.first().map_or(0, |t| t.len());
        if let Some(i) = texts.iter().position(|t| t.len() != length) {
            return Err(Status::invalid_argument(format!(
                "DecodeRaw requires input strings to all be the same size, but element {i} has size {length} != {}",
                texts[i].len()
            )));
        }
        if !length.is_multiple_of(size) {
            return Err(Status::invalid_argument(format!(
                "Input to DecodeRaw has length {length} that is not a multiple of {size}, the size of {}",
                self.dtype
            )));
        }
        Ok(length)
    }
}

impl Kernel for Decode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let length = self.length(cx)?;
        let mut shape = cx.input(0).shape().clone();
        shape.push(length / self.dtype.size());
        let mut out = Tensor::zeros(self.dtype, shape)?;
        let bytes = out
            .bytes_mut()
            .ok_or_else(|| Status::internal("a new tensor has an owner besides this kernel"))?;
        for (place, text) in bytes.chunks_mut(length.max(1)).zip(cx.input(0).strings()?) {
            let known = text.len().min(length);
            place[..known].copy_from_slice(&text[..known]);
        }
        if let Some(part) = self.reverse {
            bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        if self.dtype == DataType::Bool {
            // Any other value in a bool would be undefined behaviour.
            bytes.iter_mut().for_each(|b| *b = (*b != 0) as u8);
        }
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, Complex64};

    fn decode(dtype: DataType, little: bool, texts: &[&'static [u8]]) -> Result<Tensor> {
        let texts: Vec<ByteString> = texts.iter().map(|&t| ByteString::from_static(t)).collect();
        OpTest::new(register, "DecodeRaw")
            .attr("out_type", dtype)
            .attr("little_endian", little)
            .input(Tensor::from_strings([texts.len()], texts).unwrap())
            .run_one()
    }

    #[test]
    fn bytes_become_numbers() {
        let out =
            decode(DataType::Int16, true, &[b"\x01\x00\x00\x02", b"\x03\x00\x04\x00"]).unwrap();
        assert_eq!(out.dims(), &[2, 2]);
        assert_eq!(out.as_slice::<i16>().unwrap(), &[1, 512, 3, 4]);
        let out = decode(DataType::Complex64, false, &[b"\x3f\x80\0\0\x40\0\0\0"]).unwrap();
        assert_eq!(out.as_slice::<Complex64>().unwrap(), &[Complex64::new(1.0, 2.0)]);
        let out = decode(DataType::Bool, true, &[b"\x00\x07"]).unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), &[false, true]);
        assert_eq!(decode(DataType::Float, true, &[b""]).unwrap().dims(), &[1, 0]);
        assert!(decode(DataType::Int16, true, &[b"abc"]).is_err());
        assert!(decode(DataType::Int8, true, &[b"a", b"bc"]).is_err());
    }

    #[test]
    fn short_strings_are_padded_and_long_ones_cut() {
        let run = |length: i32| {
            OpTest::new(register, "DecodePaddedRaw")
                .attr("out_type", DataType::UInt16)
                .input(Tensor::from_strings([2], vec!["a".into(), "abcdef".into()]).unwrap())
                .input(Tensor::scalar(length))
                .run_one()
        };
        let out = run(4).unwrap();
        assert_eq!(out.as_slice::<u16>().unwrap(), &[0x61, 0, 0x6261, 0x6463]);
        assert!(run(3).is_err());
        assert!(run(0).is_err());
        assert!(run(-2).is_err());
    }
}
