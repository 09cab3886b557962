//! Substr: a part of each string, counted in bytes or in UTF-8 characters.

use std::ops::Range;

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::broadcast::broadcast_shape;
use downpour_tensor::{Result, Shape, Status, Tensor, excerpt};

use super::elements::is_continuation;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Substr(input: string, pos: T, len: T) -> (output: string)
                T: {int32, int64}
                unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let characters = build.string("unit")? == "UTF8_CHAR";
            Ok(KernelBox::new(Substr {
                part: if characters { characters_part } else { bytes_part },
            }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(position) = cx.input(1).merge(cx.input(2)) else {
        return Err(Status::invalid_argument(format!(
            "pos and len shapes must match: {} vs. {}",
            cx.input(1),
            cx.input(2)
        )));
    };
    let out: PartialShape = shapes::broadcast(cx.input(0), &position)?;
    cx.set_output(0, out);
    Ok(())
}

/// TensorFlow has no broadcast of more dimensions than these, and programs may count on the refusal.
const MOST_BROADCAST: usize = 2;

struct Substr {
    part: fn(&[u8], i64, i64) -> Option<Range<usize>>,
}

impl Kernel for Substr {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, pos, len) = (cx.input(0), cx.input(1), cx.input(2));
        if pos.shape() != len.shape() {
            return Err(Status::invalid_argument(format!(
                "pos and len should have the same shape, got: {} vs. {}",
                pos.shape(),
                len.shape()
            )));
        }
        let out_shape = broadcast_shape(input.dims(), pos.dims()).map_err(|_| {
            Status::invalid_argument(format!(
                "Incompatible shapes: {} vs. {}",
                input.shape(),
                pos.shape()
            ))
        })?;
        let is_broadcast = !pos.shape().is_scalar() && pos.shape() != input.shape();
        if is_broadcast && out_shape.rank() > MOST_BROADCAST {
            return Err(Status::unimplemented(format!(
                "Substr broadcast not implemented for {} dimensions",
                out_shape.rank()
            )));
        }
        let texts = input.strings()?;
        let (positions, lengths) = (pos.to_i64_vec()?, len.to_i64_vec()?);
        let out = Tensor::build_strings(&out_shape, |i| {
            let text = &texts[source_index(i, &out_shape, input.shape())];
            let at = source_index(i, &out_shape, pos.shape());
            let part = (self.part)(text, positions[at], lengths[at]).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "pos {} out of range for string b'{}' at index {i}",
                    positions[at],
                    excerpt(text)
                ))
            })?;
            Ok(text.slice(part))
        })?;
        cx.set_output(0, out);
        Ok(())
    }
}

/// Where element `i` of the broadcast shape comes from in an operand.
fn source_index(mut i: usize, out: &Shape, operand: &Shape) -> usize {
    if operand.is_scalar() || operand == out {
        return if operand.is_scalar() { 0 } else { i };
    }
    let (mut index, mut stride) = (0, 1);
    let mut own = operand.iter().rev();
    for &dim in out.iter().rev() {
        let Some(&size) = own.next() else { break };
        if size > 1 {
            index += i % dim * stride;
        }
        stride *= size;
        i /= dim;
    }
    index
}

/// Bytes `pos..pos + len`; from the end where `pos` is negative, to the end where `len` is.
fn bytes_part(text: &[u8], pos: i64, len: i64) -> Option<Range<usize>> {
    let start = match usize::try_from(pos) {
        Ok(start) => start,
        Err(_) => text.len().checked_sub(usize::try_from(pos.unsigned_abs()).ok()?)?,
    };
    let rest = text.len().checked_sub(start)?;
    let len = usize::try_from(len).unwrap_or(usize::MAX).min(rest);
    Some(start..start + len)
}

/// Like `bytes_part` for characters, except that a negative length is empty or, from the end,
/// refused.
fn characters_part(text: &[u8], pos: i64, len: i64) -> Option<Range<usize>> {
    if pos >= 0 {
        let start = forward(text, 0, pos as i128)?;
        let end = match len {
            ..=0 => start,
            _ => forward(text, start, len as i128).unwrap_or(text.len()),
        };
        return Some(start..end);
    }
    let (pos, len) = (-(pos as i128), len as i128);
    let after = (pos - len).max(0);
    let end = back(text, text.len(), after)?;
    let start = back(text, end, pos - after)?;
    Some(start..end)
}

/// The position `count` characters after `at`.
fn forward(text: &[u8], mut at: usize, count: i128) -> Option<usize> {
    let mut left = count;
    while left > 0 && at < text.len() {
        at += 1;
        while at < text.len() && is_continuation(text[at]) {
            at += 1;
        }
        left -= 1;
    }
    (left == 0).then_some(at)
}

/// The position `count` characters before `at`.
fn back(text: &[u8], mut at: usize, count: i128) -> Option<usize> {
    let mut left = count;
    while left > 0 && at > 0 {
        at -= 1;
        while at > 0 && is_continuation(text[at]) {
            at -= 1;
        }
        left -= 1;
    }
    (left == 0).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    #[test]
    fn parts_agree_with_tensorflow() {
        let bytes = |pos, len| bytes_part(b"hello", pos, len).map(|r| &b"hello"[r]);
        assert_eq!(bytes(1, 2), Some(&b"el"[..]));
        assert_eq!(bytes(-3, 2), Some(&b"ll"[..]));
        assert_eq!(bytes(1, -1), Some(&b"ello"[..]));
        assert_eq!(bytes(5, 2), Some(&b""[..]));
        assert_eq!(bytes(6, 2), None);
        assert_eq!(bytes(i64::MIN, i64::MAX), None);
        let characters =
            |pos, len| characters_part("héllo".as_bytes(), pos, len).map(|r| &"héllo"[r]);
        assert_eq!(characters(1, 2), Some("él"));
        assert_eq!(characters(-4, 2), Some("él"));
        assert_eq!(characters(-5, 9), Some("héllo"));
        assert_eq!(characters(1, -1), Some(""));
        assert_eq!(characters(6, 2), None);
        assert_eq!(characters(-6, 1), None);
        assert_eq!(characters(-2, -1), None);
        assert_eq!(characters(i64::MIN, i64::MIN), None);
    }

    #[test]
    fn positions_broadcast() {
        let words = Tensor::from_strings([2], vec!["abc".into(), "def".into()]).unwrap();
        let out = OpTest::new(register, "Substr")
            .input(words.clone())
            .input(Tensor::from_slice([2, 1], &[0i32, 1]).unwrap())
            .input(Tensor::from_slice([2, 1], &[1i32, 2]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.dims(), &[2, 2]);
        assert_eq!(out.strings().unwrap(), &["a", "d", "bc", "ef"]);
        let bad = OpTest::new(register, "Substr")
            .input(words.clone())
            .input(Tensor::scalar(9i64))
            .input(Tensor::scalar(1i64));
        assert!(bad.run_one().unwrap_err().message().contains("pos 9 out of range"));
        let cube = Tensor::from_slice([1, 1, 2], &[0i32, 1]).unwrap();
        let high = OpTest::new(register, "Substr").input(words).input(cube.clone()).input(cube);
        assert_eq!(high.run_one().unwrap_err().code(), Code::Unimplemented);
    }
}
