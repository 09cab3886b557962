//! SegmentSum, SegmentMean, SegmentProd, SegmentMin, SegmentMax: segment numbers increase.

use downpour_graph::{GradientFn, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, KernelFactory, OpContext, Registry};
use downpour_tensor::{Element, Result, Status, Tensor, dispatch_real};

use super::groups::Groups;
use super::{fold_groups, gradient, output_shape, unsorted};
use crate::number::{Arithmetic, Number, dispatch_number};
use crate::reduce::{Fold, Max, Mean, Min, Prod, Sum};

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
const REALS: &str =
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, &str, GradientFn, KernelFactory); 5] = [
        ("SegmentSum", NUMBERS, gradient::segment_sum, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_number!(cx.input(0).dtype(), "SegmentSum", T => run::<T, Sum>(cx, T::default())),
            ))
        }),
        ("SegmentMean", NUMBERS, gradient::segment_mean, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_number!(cx.input(0).dtype(), "SegmentMean", T => run::<T, Mean>(cx, T::default())),
            ))
        }),
        ("SegmentProd", NUMBERS, gradient::segment_prod, |_| {
            Ok(KernelBox::function(|cx| {
                dispatch_number!(cx.input(0).dtype(), "SegmentProd", T => {
                    run::<T, Prod>(cx, T::narrow(<T as Number>::Wide::ONE))
                })
            }))
        }),
        ("SegmentMin", REALS, gradient::segment_extreme, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_real!(cx.input(0).dtype(), "SegmentMin", T => run::<T, Min>(cx, T::default())),
            ))
        }),
        ("SegmentMax", REALS, gradient::segment_extreme, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_real!(cx.input(0).dtype(), "SegmentMax", T => run::<T, Max>(cx, T::default())),
            ))
        }),
    ];
    for (name, types, gradient, factory) in ops {
        let signature = format!(
            "{name}(data: T, segment_ids: Tindices) -> (output: T)
                T: {types}
                Tindices: {{int32, int64}}"
        );
        let spec = OpSpec::new(&signature)?.shape(shape).gradient(gradient).tolerance(1e-5);
        registry.add(spec, factory)?;
        // The forms with a given number of segments exist for graph compilers only, as in
        // TensorFlow, which has no CPU kernels for them.
        if name != "SegmentMean" {
            let signature = format!(
                "{name}V2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)
                    T: {types}
                    Tindices: {{int32, int64}}
                    Tnumsegments: {{int32, int64}} = int32"
            );
            registry.add_without_kernel(OpSpec::new(&signature)?.shape(unsorted::shape))?;
        }
    }
    Ok(())
}

fn run<T: Element, F: Fold<T>>(cx: &mut OpContext<'_>, empty: T) -> Result<()> {
    let data = cx.input(0);
    if data.rank() < 1 {
        return Err(Status::invalid_argument("input must be at least rank 1"));
    }
    if cx.input(1).rank() != 1 {
        return Err(Status::invalid_argument("segment_ids should be a vector."));
    }
    let ids = cx.input(1).to_i64_vec()?;
    if ids.len() != data.dims()[0] {
        return Err(Status::invalid_argument(
            "segment_ids should be the same size as dimension 0 of input.",
        ));
    }
    let segments = segment_count(&ids)?;
    let inner = &data.dims()[1..];
    let mut output = Tensor::new(T::DTYPE, output_shape(segments, inner)?)?;
    let groups = Groups::of_sorted(&ids, segments, (0..ids.len()).collect(), |_| Ok(()))?;
    let columns = inner.iter().product();
    fold_groups::<T, F>(
        cx.parallel(),
        data.as_slice::<T>()?,
        columns,
        &groups,
        empty,
        &mut output,
    )?;
    cx.set_output(0, output);
    Ok(())
}

/// One more than the last number.
pub(super) fn segment_count(ids: &[i64]) -> Result<i64> {
    match ids.last() {
        None => Ok(0),
        Some(&last) if last < 0 => Err(Status::invalid_argument("segment ids must be >= 0")),
        Some(&last) => Ok(last.saturating_add(1)),
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let data = cx.with_rank_at_least(0, 1)?;
    cx.with_rank(1, 1)?;
    if let Some(dims) = data.dims() {
        cx.set_output(
            0,
            PartialShape::vector(None).concat(&PartialShape::of(dims[1..].iter().copied())),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, data: Tensor, ids: &[i64]) -> Result<Tensor> {
        OpTest::new(register, op).input(data).input(Tensor::vector(ids)?).run_one()
    }

    #[test]
    fn rows_of_a_segment_join_and_gaps_are_filled() {
        let data = Tensor::from_vec([3, 2], vec![1f32, 2., 3., 5., 7., 11.]).unwrap();
        let values = |op: &str| {
            run(op, data.clone(), &[0, 0, 2]).unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(values("SegmentSum"), &[4., 7., 0., 0., 7., 11.]);
        assert_eq!(values("SegmentMean"), &[2., 3.5, 0., 0., 7., 11.]);
        assert_eq!(values("SegmentProd"), &[3., 10., 1., 1., 7., 11.]);
        assert_eq!(values("SegmentMin"), &[1., 2., 0., 0., 7., 11.]);
        assert_eq!(values("SegmentMax"), &[3., 5., 0., 0., 7., 11.]);
    }

    #[test]
    fn bad_segments_are_named() {
        let data = Tensor::vector(&[1i32, 2, 3]).unwrap();
        let message = |ids: &[i64]| run("SegmentSum", data.clone(), ids).unwrap_err().to_string();
        assert!(message(&[0, 1]).contains("segment_ids should be the same size"));
        assert!(message(&[0, 2, 1]).contains("segment ids are not increasing"));
        assert!(message(&[-1, 0, 0]).contains("Segment id -1 out of range [0, 1), possibly"));
        assert!(message(&[0, 0, -1]).contains("segment ids must be >= 0"));
        assert!(run("SegmentSum", data, &[0, 0, i64::MAX - 1]).is_err());
        let empty = Tensor::from_vec([0, 2], Vec::<i32>::new()).unwrap();
        assert_eq!(run("SegmentSum", empty, &[]).unwrap().dims(), &[0, 2]);
    }
}
