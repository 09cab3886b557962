//! Parts of a partitioned tensor.

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use downpour_wire::proto::{TensorSliceProto, tensor_slice_proto};

use crate::ordered_code;

/// A box inside a tensor: (start, length) per dimension, `None` for a whole dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceSpec(pub Vec<Option<(usize, usize)>>);

/// Reads TensorFlow's `"4 5 0,2:-"`: the full shape, then the slice. An empty text is a whole tensor.
pub fn parse_shape_and_slice(text: &str) -> Result<Option<(Shape, SliceSpec)>> {
    if text.is_empty() {
        return Ok(None);
    }
    let bad =
        |what: &str| Status::invalid_argument(format!("'{text}' is not a shape and slice: {what}"));
    let parts: Vec<&str> = text.split(' ').collect();
    let (slice, dims) = parts.split_last().ok_or_else(|| bad("it is empty"))?;
    let dims = dims
        .iter()
        .map(|d| d.parse::<i64>().map_err(|_| bad("a dimension is no number")))
        .collect::<Result<Vec<_>>>()?;
    let shape = Shape::from_i64(&dims)?;
    let mut ranges = Vec::new();
    for (part, &dim) in slice.split(':').zip(shape.iter()) {
        if part == "-" {
            ranges.push(None);
            continue;
        }
        let (start, length) = part.split_once(',').ok_or_else(|| bad("a range has no comma"))?;
        let number = |t: &str| t.parse::<usize>().map_err(|_| bad("a range is no number"));
        let (start, length) = (number(start)?, number(length)?);
        if start.checked_add(length).is_none_or(|end| end > dim) {
            return Err(bad("a range is outside of its dimension"));
        }
        ranges.push(Some((start, length)));
    }
    if ranges.len() != shape.rank() || slice.split(':').count() != shape.rank().max(1) {
        return Err(bad("shape and slice have different ranks"));
    }
    Ok(Some((shape, SliceSpec(ranges))))
}

impl SliceSpec {
    /// All of a tensor with so many dimensions.
    pub fn whole(rank: usize) -> SliceSpec {
        SliceSpec(vec![None; rank])
    }

    /// True if nothing is cut away.
    pub fn is_whole(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Start and length in each dimension of `shape`.
    pub fn ranges(&self, shape: &Shape) -> Vec<(usize, usize)> {
        self.0.iter().zip(shape.iter()).map(|(r, &d)| r.unwrap_or((0, d))).collect()
    }

    /// The shape of this part of a tensor of the shape `full`.
    pub fn shape(&self, full: &Shape) -> Shape {
        self.ranges(full).into_iter().map(|(_, length)| length).collect()
    }

    /// Whether this is a part of a tensor of the shape `full`.
    pub fn fits(&self, full: &Shape) -> bool {
        let inside = |(range, size): (&Option<(usize, usize)>, &usize)| match range {
            Some((start, length)) => start.checked_add(*length).is_some_and(|end| end <= *size),
            None => true,
        };
        self.0.len() == full.rank() && self.0.iter().zip(full.iter()).all(inside)
    }

    /// As TensorFlow's message.
    pub fn to_proto(&self) -> TensorSliceProto {
        use tensor_slice_proto::{Extent, extent::HasLengthHack};
        let extent = self.0.iter().map(|range| match range {
            None => Extent::default(),
            Some((start, length)) => Extent {
                start: *start as i64,
                has_length_hack: Some(HasLengthHack::Length(*length as i64)),
            },
        });
        TensorSliceProto { extent: extent.collect() }
    }

    /// From TensorFlow's message, which is checked.
    pub fn from_proto(proto: &TensorSliceProto) -> Result<SliceSpec> {
        use tensor_slice_proto::extent::HasLengthHack;
        let bad = |_| Status::data_loss("a checkpoint has a slice with a negative bound");
        let mut ranges = Vec::new();
        for extent in &proto.extent {
            ranges.push(match extent.has_length_hack {
                None => None,
                Some(HasLengthHack::Length(length)) => Some((
                    usize::try_from(extent.start).map_err(bad)?,
                    usize::try_from(length).map_err(bad)?,
                )),
            });
        }
        Ok(SliceSpec(ranges))
    }

    /// The key under which a slice's own entry stands in an index.
    pub fn key(&self, tensor: &str) -> Vec<u8> {
        let mut key = Vec::new();
        ordered_code::write_number(&mut key, 0);
        ordered_code::write_string(&mut key, tensor.as_bytes());
        ordered_code::write_number(&mut key, self.0.len() as u64);
        for range in &self.0 {
            // A whole dimension is written as start 0, length -1.
            let (start, length) = range.map_or((0, -1), |(s, l)| (s as i64, l as i64));
            ordered_code::write_signed(&mut key, start);
            ordered_code::write_signed(&mut key, length);
        }
        key
    }
}

/// Copies what two boxes of one tensor share, from a tensor that holds `from` into one that holds `to`.
/// Returns how many elements were copied.
pub fn copy_overlap(
    full: &Shape,
    source: &Tensor,
    from: &SliceSpec,
    target: &mut Tensor,
    to: &SliceSpec,
) -> Result<usize> {
    let (from, to) = (from.ranges(full), to.ranges(full));
    let mut shared = Vec::new();
    for (&(a, n), &(b, m)) in from.iter().zip(&to) {
        let (start, end) = (a.max(b), (a + n).min(b + m));
        if start >= end {
            return Ok(0);
        }
        shared.push((start, end - start));
    }
    let rank = shared.len();
    let strides = |ranges: &[(usize, usize)]| {
        let shape: Shape = ranges.iter().map(|r| r.1).collect();
        shape.strides()
    };
    let (from_strides, to_strides) = (strides(&from), strides(&to));
    let row = shared.last().map_or(1, |r| r.1);
    let outer: usize = shared.iter().take(rank.saturating_sub(1)).map(|r| r.1).product();
    for flat in 0..outer {
        let (mut rest, mut read, mut write) = (flat, 0, 0);
        for axis in (0..rank).rev() {
            let (start, length) = shared[axis];
            let mut at = start;
            if axis + 1 < rank {
                at += rest % length;
                rest /= length;
            }
            read += (at - from[axis].0) * from_strides[axis];
            write += (at - to[axis].0) * to_strides[axis];
        }
        copy_row(source, read, target, write, row)?;
    }
    Ok(outer * row)
}

fn copy_row(
    source: &Tensor,
    read: usize,
    target: &mut Tensor,
    write: usize,
    row: usize,
) -> Result<()> {
    let shared = || Status::internal("the tensor to fill is shared");
    if source.dtype() == DataType::String {
        let values = &source.strings()?[read..read + row];
        let out = target.strings_mut().ok_or_else(shared)?;
        out[write..write + row].clone_from_slice(values);
        return Ok(());
    }
    let size = source.dtype().size();
    let bytes = source.bytes().ok_or_else(|| Status::internal("not a plain tensor"))?;
    let out = target.bytes_mut().ok_or_else(shared)?;
    out[write * size..(write + row) * size]
        .copy_from_slice(&bytes[read * size..(read + row) * size]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_and_slice_texts() {
        let (shape, slice) = parse_shape_and_slice("4 5 0,2:-").unwrap().unwrap();
        assert_eq!(shape.dims(), &[4, 5]);
        assert_eq!(slice, SliceSpec(vec![Some((0, 2)), None]));
        assert_eq!(slice.shape(&shape).dims(), &[2, 5]);
        assert_eq!(parse_shape_and_slice("").unwrap(), None);
        for bad in ["4 5 0,2", "4 0,5", "x -", "4 1;2", "4 1,2:-"] {
            assert!(parse_shape_and_slice(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn overlapping_parts_are_copied() {
        let full = Shape::new(&[4, 3]);
        let source = Tensor::from_vec([2, 3], (0..6).collect::<Vec<i32>>()).unwrap();
        let mut target = Tensor::zeros(DataType::Int32, [3, 2]).unwrap();
        let from = SliceSpec(vec![Some((1, 2)), None]);
        let to = SliceSpec(vec![Some((0, 3)), Some((1, 2))]);
        let copied = copy_overlap(&full, &source, &from, &mut target, &to).unwrap();
        assert_eq!(copied, 4);
        assert_eq!(target.as_slice::<i32>().unwrap(), &[0, 0, 1, 2, 4, 5]);
    }
}
