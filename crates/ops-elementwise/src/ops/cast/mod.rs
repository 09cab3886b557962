//! Cast: every number type to every other.
//!
//! Only float, double, the integers and bool have loops for each pair. The others take a step
//! before or behind: half, bfloat16 and the 8-bit floats are float, a quantized type is its integer,
//! 4-bit integers are bytes, a complex number gives its real part and is made from one.

mod convert;
mod float8;

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Element, Result, Status, Tensor};

use crate::driver::{narrow, widen};
use crate::gradients::Rule;
use convert::{PairCast, pair_cast};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["Cast", "_HostCast"] {
        let signature = format!(
            "{name}(x: SrcT) -> (y: DstT)
                SrcT: type
                DstT: type
                Truncate: bool = false"
        );
        registry
            .add(OpSpec::new(&signature)?.shape(shapes::unchanged).gradient(gradient), factory)?;
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let (from, to) = (cx.dtype(cx.input(0)), cx.dtype(cx.output(0)));
    let smooth = |d: DataType| d.is_floating() || d.is_complex();
    if !smooth(from) || !smooth(to) {
        return Ok(vec![Gradient::None]);
    }
    let grad = cx.grad(0)?;
    Ok(vec![Gradient::Dense(cx.op_with("Cast", &[grad], Attrs::new().with("DstT", from))?)])
}

/// The type in which a conversion from or to `dtype` is done; `None` where there is none.
fn plain_type(dtype: DataType) -> Option<DataType> {
    use DataType::*;
    Some(match dtype {
        Half | BFloat16 | Float8E5M2 | Float8E4M3FN | Complex64 => Float,
        Complex128 => Double,
        QInt8 | Int4 => Int8,
        QUInt8 | UInt4 => UInt8,
        QInt16 => Int16,
        QUInt16 => UInt16,
        QInt32 => Int32,
        Float | Double | Bool | Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => {
            dtype
        }
        _ => return None,
    })
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let (from, to) = (build.input_dtype(0), build.output_dtype(0));
    if from == to {
        return Ok(KernelBox::cheap(|cx| {
            let input = cx.take(0);
            cx.set_output(0, input);
            Ok(())
        }));
    }
    let unsupported = || Status::unimplemented(format!("Cast {from} to {to} is not supported"));
    let plain_from = plain_type(from).ok_or_else(unsupported)?;
    let plain_to = plain_type(to).ok_or_else(unsupported)?;
    Ok(KernelBox::new(Cast {
        to,
        plain_to,
        pair: pair_cast(plain_from, plain_to)?,
        dropped_bits: if build.bool("Truncate")? { dropped_bits(from, to) } else { 0 },
    }))
}

/// Bits of a float type's significand, the hidden one included.
fn significand(dtype: DataType) -> u32 {
    match dtype {
        DataType::Double | DataType::Complex128 => 53,
        DataType::Float | DataType::Complex64 => 24,
        DataType::Half => 11,
        DataType::BFloat16 => 8,
        DataType::Float8E4M3FN => 4,
        DataType::Float8E5M2 => 3,
        _ => 0,
    }
}

/// Low bits of the plain source type that truncation clears, so that rounding has nothing to round.
fn dropped_bits(from: DataType, to: DataType) -> u32 {
    // TensorFlow cuts on the way from float to bfloat16 but rounds on the way from double.
    if from == DataType::Double && to == DataType::BFloat16 {
        return 0;
    }
    let (have, keep) = (significand(from), significand(to));
    let plain = if have == 53 { 53 } else { 24 };
    if have > keep && keep > 0 { plain - keep } else { 0 }
}

struct Cast {
    to: DataType,
    plain_to: DataType,
    pair: PairCast,
    dropped_bits: u32,
}

impl Kernel for Cast {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let output = self.cast(input, cx.parallel())?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Cast {
    fn cast(&self, input: Tensor, parallel: &Parallel) -> Result<Tensor> {
        if let (DataType::Complex64, DataType::Complex128) = (input.dtype(), self.to) {
            return mapped(&input, |z: Complex64| Complex128::new(z.re.into(), z.im.into()));
        }
        if let (DataType::Complex128, DataType::Complex64) = (input.dtype(), self.to) {
            let bits = self.dropped_bits;
            let part = |v: f64| truncated_double(v, bits) as f32;
            return mapped(&input, |z: Complex128| Complex64::new(part(z.re), part(z.im)));
        }
        let plain = self.truncated(to_plain(input, parallel)?)?;
        let converted = if plain.dtype() == self.plain_to {
            plain
        } else {
            let mut converted = Tensor::new(self.plain_to, plain.shape())?;
            (self.pair)(&plain, &mut converted, parallel)?;
            converted
        };
        from_plain(converted, self.to, parallel)
    }

    /// Clears the low bits of floats where the attribute `Truncate` asks for it.
    fn truncated(&self, plain: Tensor) -> Result<Tensor> {
        if self.dropped_bits == 0 {
            return Ok(plain);
        }
        let bits = self.dropped_bits;
        let mut plain = plain.into_unique()?;
        if let Some(values) = plain.as_mut_slice::<f32>() {
            for v in values.iter_mut().filter(|v| !v.is_nan()) {
                *v = f32::from_bits(v.to_bits() & (u32::MAX << bits));
            }
        } else if let Some(values) = plain.as_mut_slice::<f64>() {
            values.iter_mut().for_each(|v| *v = truncated_double(*v, bits));
        }
        Ok(plain)
    }
}

fn truncated_double(v: f64, bits: u32) -> f64 {
    if v.is_nan() { v } else { f64::from_bits(v.to_bits() & (u64::MAX << bits)) }
}

fn mapped<A: Element, O: Element>(input: &Tensor, f: impl Fn(A) -> O) -> Result<Tensor> {
    let values = input.as_slice::<A>()?;
    Tensor::build(input.shape(), |out: &mut [O]| {
        for (o, &v) in out.iter_mut().zip(values) {
            *o = f(v);
        }
    })
}

fn mapped_bytes(input: &Tensor, to: DataType, f: impl Fn(u8) -> u8) -> Result<Tensor> {
    let mut out = Tensor::new(to, input.shape())?;
    if let (Some(from), Some(to)) = (input.bytes(), out.bytes_mut()) {
        for (o, &v) in to.iter_mut().zip(from) {
            *o = f(v);
        }
    }
    Ok(out)
}

/// A 4-bit integer in a byte of its own, sign and all.
fn signed_nibble(byte: u8) -> u8 {
    (((byte << 4) as i8) >> 4) as u8
}

fn to_plain(input: Tensor, parallel: &Parallel) -> Result<Tensor> {
    use DataType::*;
    match input.dtype() {
        Half | BFloat16 => widen(input, parallel),
        dtype @ (Float8E5M2 | Float8E4M3FN) => {
            let values = input.bytes().unwrap_or(&[]);
            Tensor::build(input.shape(), |out: &mut [f32]| {
                for (o, &v) in out.iter_mut().zip(values) {
                    *o = float8::decode(dtype, v);
                }
            })
        }
        DataType::Complex64 => mapped(&input, |z: downpour_tensor::Complex64| z.re),
        DataType::Complex128 => mapped(&input, |z: downpour_tensor::Complex128| z.re),
        QInt8 => input.reinterpreted(Int8),
        QUInt8 => input.reinterpreted(UInt8),
        QInt16 => input.reinterpreted(Int16),
        QUInt16 => input.reinterpreted(UInt16),
        QInt32 => input.reinterpreted(Int32),
        Int4 => mapped_bytes(&input, Int8, signed_nibble),
        UInt4 => mapped_bytes(&input, UInt8, |b| b & 15),
        _ => Ok(input),
    }
}

fn from_plain(plain: Tensor, to: DataType, parallel: &Parallel) -> Result<Tensor> {
    use DataType::*;
    match to {
        Half | BFloat16 => narrow(plain, to, parallel),
        Float8E5M2 | Float8E4M3FN => {
            let values = plain.as_slice::<f32>()?;
            let mut out = Tensor::new(to, plain.shape())?;
            for (o, &v) in out.bytes_mut().unwrap_or(&mut []).iter_mut().zip(values) {
                *o = float8::encode(to, v);
            }
            Ok(out)
        }
        DataType::Complex64 => mapped(&plain, |v: f32| downpour_tensor::Complex64::new(v, 0.0)),
        DataType::Complex128 => mapped(&plain, |v: f64| downpour_tensor::Complex128::new(v, 0.0)),
        QInt8 | QUInt8 | QInt16 | QUInt16 | QInt32 => plain.reinterpreted(to),
        Int4 => mapped_bytes(&plain, to, signed_nibble),
        UInt4 => mapped_bytes(&plain, to, |b| b & 15),
        _ => Ok(plain),
    }
}

#[cfg(test)]
mod tests;
