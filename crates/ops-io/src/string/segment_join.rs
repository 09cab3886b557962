//! UnsortedSegmentJoin: strings of the same segment joined.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, StringWriter, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "UnsortedSegmentJoin(inputs: string, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: string)
                separator: string = ''
                Tindices: {int32, int64}
                Tnumsegments: {int32, int64} = int32",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(SegmentJoin { separator: build.bytes("separator")? })),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(2, 0)?;
    let (Some(dims), Some(rank)) = (cx.input(0).dims(), cx.input(1).rank()) else {
        return Ok(());
    };
    let count = match cx.constant_ints(2).as_deref() {
        Some(&[count]) => PartialShape::from_i64(&[count])?,
        _ => PartialShape::vector(None),
    };
    let inner = PartialShape::of(dims.iter().skip(rank).copied());
    cx.set_output(0, count.concat(&inner));
    Ok(())
}

struct SegmentJoin {
    separator: Bytes,
}

impl Kernel for SegmentJoin {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, ids) = (cx.input(0), cx.input(1));
        if cx.input(2).rank() != 0 {
            return Err(Status::invalid_argument("Number of segments must be a scalar"));
        }
        let segments = cx.input(2).to_i64_scalar()?;
        if segments < 0 {
            return Err(Status::invalid_argument(format!(
                "Number of segments must be non-negative but got {segments}"
            )));
        }
        if ids.rank() == 0 {
            return Err(Status::invalid_argument("Segment_id cannot have rank 0"));
        }
        if ids.rank() > input.rank() {
            return Err(Status::out_of_range(format!(
                "Invalid segment_id rank {} for input with {} dimension(s)",
                ids.rank(),
                input.rank()
            )));
        }
        let (outer, inner) = input.dims().split_at(ids.rank());
        if let Some(i) = (0..outer.len()).find(|&i| outer[i] != ids.dims()[i]) {
            return Err(Status::invalid_argument(format!(
                "Segment dimension is {} while input dimension is {} in rank {i}",
                ids.dims()[i],
                outer[i]
            )));
        }
        let ids = ids.to_i64_vec()?;
        if ids.iter().any(|&id| id < 0 || id >= segments) {
            return Err(Status::invalid_argument(
                "segment_ids are not allowed to exceed num_segments or to have negative values.",
            ));
        }
        let row: usize = inner.iter().product();
        let mut dims = vec![segments];
        dims.extend(inner.iter().map(|&d| d as i64));
        let out_shape = Shape::from_i64(&dims)?;
        // Tensor::new checks that so many strings can be held.
        let mut out = Tensor::new(downpour_tensor::DataType::String, &out_shape)?;
        let mut joined = CountedVec::build(out.len(), |_| Ok(StringWriter::new()))?;
        for (texts, &id) in input.strings()?.chunks(row.max(1)).zip(&ids) {
            let places = &mut joined[id as usize * row..][..row];
            for (place, text) in places.iter_mut().zip(texts) {
                if !place.is_empty() {
                    place.push(&self.separator)?;
                }
                place.push(text)?;
            }
        }
        let places = out
            .strings_mut()
            .ok_or_else(|| Status::internal("a new tensor has an owner besides this kernel"))?;
        for (place, text) in places.iter_mut().zip(joined.iter_mut()) {
            *place = std::mem::take(text).finish();
        }
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn join(shape: &[usize], ids: Tensor, segments: i64) -> Result<Tensor> {
        let letters = ["a", "b", "c", "d"].map(ByteString::from).to_vec();
        OpTest::new(register, "UnsortedSegmentJoin")
            .attr("separator", ":")
            .input(Tensor::from_strings(shape, letters).unwrap())
            .input(ids)
            .input(Tensor::scalar(segments))
            .run_one()
    }

    #[test]
    fn segments_are_joined() {
        let out = join(&[4], Tensor::vector(&[1i32, 0, 1, 1]).unwrap(), 3).unwrap();
        assert_eq!(out.strings().unwrap(), &["b", "a:c:d", ""]);
        let out = join(&[2, 2], Tensor::vector(&[0i64, 0]).unwrap(), 1).unwrap();
        assert_eq!(out.dims(), &[1, 2]);
        assert_eq!(out.strings().unwrap(), &["a:c", "b:d"]);
    }

    #[test]
    fn bad_segments_are_refused() {
        let ids = || Tensor::vector(&[1i32, 0, 1, 2]).unwrap();
        assert!(join(&[4], ids(), 2).is_err());
        assert!(join(&[4], ids(), -1).is_err());
        assert!(join(&[4], ids(), i64::MAX).is_err());
        assert!(join(&[2, 2], ids(), 3).is_err());
        assert!(join(&[4], Tensor::scalar(0i32), 3).is_err());
    }
}
