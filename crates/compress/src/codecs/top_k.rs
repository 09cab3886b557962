//! top-k: the values of largest magnitude and where they stand; the others wait in the residual.
//!
//! The payload is the number k of values (8 bytes), a width per group of 128 positions (1 byte each), the packed distances
//! from one position to the next less one, and the k values in the tensor's dtype. At 100 % all distances are zero bits wide.

mod select;

use bytes::Bytes;
use downpour_tensor::Result;

use super::bits::{GROUP, MAX_WIDTH, pack, packed_len, unpack, width};
use super::payload;
use crate::feedback::block_maxima;
use crate::float::{Float, read, write};
use crate::reader::Reader;

/// How many of `elements` values a fraction is: at least one.
pub(crate) fn count(fraction: f64, elements: usize) -> usize {
    ((elements as f64 * fraction).ceil() as usize).clamp(1.min(elements), elements)
}

/// The payload, and what was not sent left in `residual`; nothing for values that are not finite.
pub(crate) fn encode<T: Float>(
    gradient: &[T],
    residual: &mut [T],
    fraction: f64,
) -> Result<Option<Bytes>> {
    if block_maxima(gradient, residual).is_none() {
        return Ok(None);
    }
    add(residual, gradient);
    let k = count(fraction, gradient.len());
    let chosen = select::largest(residual, k);
    let mut values = Vec::with_capacity(chosen.len());
    for &position in &chosen {
        values.push(std::mem::replace(&mut residual[position], T::ZERO));
    }
    frame(&chosen, &values).map(Some)
}

/// The payload of all values, in which nothing is left out and signs of zeros are kept.
pub(crate) fn encode_all<T: Float>(gradient: &[T]) -> Result<Bytes> {
    frame(&(0..gradient.len()).collect::<Vec<_>>(), gradient)
}

wide! {
    fn add<T: Float>(residual: &mut [T], gradient: &[T]) {
        for (r, &g) in residual.iter_mut().zip(gradient) {
            *r += g;
        }
    }
}

fn frame<T: Float>(positions: &[usize], values: &[T]) -> Result<Bytes> {
    let mut widths = Vec::with_capacity(positions.len().div_ceil(GROUP));
    let mut packed = Vec::with_capacity(positions.len() * 2);
    let mut next = 0;
    let mut gaps = Vec::with_capacity(GROUP);
    for group in positions.chunks(GROUP) {
        gaps.clear();
        for &position in group {
            gaps.push((position - next) as u64);
            next = position + 1;
        }
        let width = width(&gaps);
        widths.push(width);
        pack(&gaps, width, &mut packed);
    }
    payload(8 + widths.len() + packed.len() + size_of_val(values), |out| {
        let (head, out) = out.split_at_mut(8);
        head.copy_from_slice(&(positions.len() as u64).to_le_bytes());
        let (head, out) = out.split_at_mut(widths.len());
        head.copy_from_slice(&widths);
        let (head, out) = out.split_at_mut(packed.len());
        head.copy_from_slice(&packed);
        write(values, out);
    })
}

pub(crate) fn decode<T: Float>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("top-k", bytes);
    let k = reader.take_count("number of values")?;
    if k > out.len() {
        return Err(reader.error(format!("it has {k} values for {} places", out.len())));
    }
    let widths = reader.take(k.div_ceil(GROUP), "widths")?;
    if let Some(width) = widths.iter().find(|width| **width > MAX_WIDTH) {
        return Err(reader.error(format!("a position takes {width} bits")));
    }
    let groups = || widths.iter().enumerate().map(|(g, &width)| (GROUP.min(k - g * GROUP), width));
    let packed = reader.take(groups().map(|(n, width)| packed_len(n, width)).sum(), "positions")?;
    let values = reader.take_values(k, size_of::<T>(), "values")?;

    out.fill(T::ZERO);
    let (mut packed, mut values) = (packed, values);
    let (mut gaps, mut kept) = ([0u64; GROUP], [T::ZERO; GROUP]);
    let mut next = 0usize;
    for (n, width) in groups() {
        let (group, rest) = packed.split_at(packed_len(n, width));
        packed = rest;
        unpack(group, width, &mut gaps[..n]);
        let (group, rest) = values.split_at(n * size_of::<T>());
        values = rest;
        read(group, &mut kept[..n]);
        for (&gap, &value) in gaps[..n].iter().zip(&kept) {
            // Both are far below the end of 64 bits: a width is bounded, and `next` is at most the length.
            let position = next as u64 + gap;
            let place = usize::try_from(position).ok().and_then(|position| out.get_mut(position));
            let Some(place) = place else {
                return Err(reader.error(format!("position {position} is outside")));
            };
            *place = value;
            next = position as usize + 1;
        }
    }
    reader.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_go_and_the_others_wait() {
        let gradient = [0.5f32, -3.0, 1.0, 0.0, 2.0];
        let mut residual = [0.0f32, 0.0, 0.0, -2.5, 0.0];
        let bytes = encode(&gradient, &mut residual, 0.5).unwrap().unwrap();
        let mut back = [9f32; 5];
        decode(&bytes, &mut back).unwrap();
        assert_eq!(back, [0.0, -3.0, 0.0, -2.5, 2.0]);
        assert_eq!(residual, [0.5, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn all_of_them_cost_no_positions() {
        let gradient: Vec<f32> = (0..1000).map(|i| i as f32 - 500.0).collect();
        let bytes = encode_all(&gradient).unwrap();
        assert_eq!(bytes.len(), 8 + 8 + 4000);
        let mut back = vec![0f32; 1000];
        decode(&bytes, &mut back).unwrap();
        assert_eq!(back, gradient);
    }

    #[test]
    fn counts() {
        assert_eq!(count(0.01, 1000), 10);
        assert_eq!(count(0.01, 1001), 11);
        assert_eq!(count(1e-9, 5), 1);
        assert_eq!(count(1.0, 7), 7);
        assert_eq!(count(0.5, 0), 0);
    }

    #[test]
    fn forged_positions_are_refused() {
        let bytes = encode(&[1f32; 300], &mut [0f32; 300], 0.6).unwrap().unwrap();
        assert!(decode(&bytes, &mut [0f32; 179]).is_err());
        assert!(decode(&bytes, &mut [0f32; 180]).is_ok());
        let mut wide = bytes.to_vec();
        wide[8] = 57;
        assert!(decode(&wide, &mut [0f32; 300]).is_err());
        let mut outside = encode(&[0f32, 0.0, 1.0], &mut [0f32; 3], 0.1).unwrap().unwrap().to_vec();
        assert_eq!(outside[8], 2);
        outside[9] = 3;
        assert!(decode(&outside, &mut [0f32; 3]).is_err());
    }
}
