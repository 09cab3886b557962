//! SparseSegmentSum, SparseSegmentMean, SparseSegmentSqrtN: reductions over chosen rows.

use downpour_graph::{GradientFn, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, KernelFactory, OpContext, Registry};
use downpour_tensor::{Element, Result, Status, Tensor, bf16, dispatch_float, dispatch_real, f16};

use super::groups::Groups;
use super::sorted::segment_count;
use super::{fold_groups, gradient, output_shape};
use crate::number::{Arithmetic, Number};
use crate::reduce::{Fold, Mean, Sum};

const REALS: &str =
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";
const FLOATS: &str = "{bfloat16, half, float, double}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, &str, GradientFn, KernelFactory); 3] = [
        ("SparseSegmentSum", REALS, gradient::sparse_sum, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_real!(cx.input(0).dtype(), "SparseSegmentSum", T => run::<T, Sum>(cx)),
            ))
        }),
        ("SparseSegmentMean", FLOATS, gradient::sparse_mean, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_float!(cx.input(0).dtype(), "SparseSegmentMean", T => run::<T, Mean>(cx)),
            ))
        }),
        ("SparseSegmentSqrtN", FLOATS, gradient::sparse_sqrt_n, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_float!(cx.input(0).dtype(), "SparseSegmentSqrtN", T => run::<T, SqrtN>(cx)),
            ))
        }),
    ];
    for (name, types, gradient, factory) in ops {
        let plain = format!(
            "{name}(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T)
                T: {types}
                Tidx: {{int32, int64}} = int32
                Tsegmentids: {{int32, int64}} = int32
                sparse_gradient: bool = false"
        );
        let counted = format!(
            "{name}WithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments) -> (output: T)
                T: {types}
                Tidx: {{int32, int64}} = int32
                Tnumsegments: {{int32, int64}} = int32
                Tsegmentids: {{int32, int64}} = int32
                sparse_gradient: bool = false"
        );
        for signature in [plain, counted] {
            let spec = OpSpec::new(&signature)?.shape(shape).gradient(gradient).tolerance(1e-5);
            registry.add(spec, factory)?;
        }
    }
    Ok(())
}

/// The sum divided by the square root of the number of rows.
struct SqrtN;

trait Float: Number {
    fn over_root(state: Self::Wide, count: usize) -> Self::Wide;
}
macro_rules! floats {
    ($($ty:ty, $wide:ty;)*) => {$(
        impl Float for $ty {
            #[inline(always)]
            fn over_root(state: $wide, count: usize) -> $wide { state / (count as $wide).sqrt() }
        }
    )*};
}
floats! { f32, f32; f64, f64; f16, f32; bf16, f32; }

impl<T: Float> Fold<T> for SqrtN {
    type State = T::Wide;
    #[inline(always)]
    fn identity() -> T::Wide {
        T::Wide::ZERO
    }
    #[inline(always)]
    fn load(value: T) -> T::Wide {
        value.widen()
    }
    #[inline(always)]
    fn combine(a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(state: T::Wide, count: usize) -> T {
        T::narrow(T::over_root(state, count))
    }
}

fn run<T: Element, F: Fold<T>>(cx: &mut OpContext<'_>) -> Result<()> {
    let data = cx.input(0);
    let counted = (cx.inputs_len() > 3).then(|| cx.input(3));
    if let Some(count) = counted
        && count.rank() != 0
    {
        return Err(Status::invalid_argument(format!(
            "num_segments should be a scalar, not shape {}",
            count.shape()
        )));
    }
    let (indices, ids) = index_vectors(cx)?;
    if data.rank() < 1 {
        return Err(Status::invalid_argument("Shape must be at least rank 1"));
    }
    let segments = match counted {
        None => segment_count(&ids)?,
        Some(count) => {
            let count = count.to_i64_scalar()?;
            if count < 0 {
                return Err(Status::invalid_argument("segment ids must be >= 0"));
            }
            if ids.last().is_some_and(|&last| last >= count) {
                return Err(Status::invalid_argument("segment ids must be < num_segments"));
            }
            segment_count(&ids)?;
            count
        }
    };
    let (rows, inner) = (data.dims()[0], &data.dims()[1..]);
    let mut output = Tensor::new(T::DTYPE, output_shape(segments, inner)?)?;
    // A bad index is reported by the check below before any row is read.
    let members = indices.iter().map(|&i| usize::try_from(i).unwrap_or(usize::MAX)).collect();
    let groups = Groups::of_sorted(&ids, segments, members, |run| {
        match run.clone().find(|&i| indices[i] < 0 || indices[i] as u64 >= rows as u64) {
            None => Ok(()),
            Some(i) => Err(Status::invalid_argument(format!(
                "Bad: indices[{i}] == {} out of range [0, {rows})",
                indices[i]
            ))),
        }
    })?;
    let columns = inner.iter().product();
    let values = data.as_slice::<T>()?;
    fold_groups::<T, F>(cx.parallel(), values, columns, &groups, T::default(), &mut output)?;
    cx.set_output(0, output);
    Ok(())
}

/// Inputs 1 and 2: indices and segment numbers, vectors of one length.
pub(super) fn index_vectors(cx: &OpContext<'_>) -> Result<(Vec<i64>, Vec<i64>)> {
    for (i, name) in [(1, "indices"), (2, "segment_ids")] {
        if cx.input(i).rank() != 1 {
            return Err(Status::invalid_argument(format!("{name} should be a vector.")));
        }
    }
    let (indices, ids) = (cx.input(1).to_i64_vec()?, cx.input(2).to_i64_vec()?);
    if indices.len() != ids.len() {
        return Err(Status::invalid_argument("segment_ids and indices should have same size."));
    }
    Ok((indices, ids))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let data = cx.with_rank_at_least(0, 1)?;
    cx.merge(&cx.with_rank(1, 1)?, &cx.with_rank(2, 1)?)?;
    let mut rows = None;
    if cx.inputs().len() > 3 {
        cx.with_rank(3, 0)?;
        if let Some(&[count]) = cx.constant_ints(3).as_deref() {
            rows = Some(usize::try_from(count).map_err(|_| {
                Status::invalid_argument("Cannot specify a negative value for num_segments")
            })?);
        }
    }
    if let Some(dims) = data.dims() {
        let inner = PartialShape::of(dims[1..].iter().copied());
        cx.set_output(0, PartialShape::vector(rows).concat(&inner));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, indices: &[i32], ids: &[i32]) -> OpTest {
        let data = Tensor::from_vec([3, 2], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
        OpTest::new(register, op)
            .input(data)
            .input(Tensor::vector(indices).unwrap())
            .input(Tensor::vector(ids).unwrap())
    }

    #[test]
    fn chosen_rows() {
        let values = |op: &str| {
            let out = test(op, &[2, 0, 1, 2], &[0, 0, 0, 0]).run_one().unwrap();
            out.as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(values("SparseSegmentSum"), &[14., 18.]);
        assert_eq!(values("SparseSegmentMean"), &[3.5, 4.5]);
        assert_eq!(values("SparseSegmentSqrtN"), &[7., 9.]);
        let counted = test("SparseSegmentSumWithNumSegments", &[1], &[1])
            .input(Tensor::scalar(3i32))
            .run_one()
            .unwrap();
        assert_eq!(counted.as_slice::<f32>().unwrap(), &[0., 0., 3., 4., 0., 0.]);
    }

    #[test]
    fn bad_rows_and_segments() {
        let message = |indices: &[i32], ids: &[i32]| {
            test("SparseSegmentSum", indices, ids).run_one().unwrap_err().to_string()
        };
        assert!(message(&[0, -1], &[0, 0]).contains("indices[1] == -1 out of range [0, 3)"));
        assert!(message(&[3], &[0]).contains("indices[0] == 3 out of range [0, 3)"));
        assert!(message(&[0, 0], &[0, -1]).contains("segment ids must be >= 0"));
        assert!(test("SparseSegmentSum", &[0], &[0, 1]).run_one().is_err());
        let counted =
            test("SparseSegmentMeanWithNumSegments", &[1], &[1]).input(Tensor::scalar(1i32));
        assert!(
            counted
                .run_one()
                .unwrap_err()
                .to_string()
                .contains("segment ids must be < num_segments")
        );
    }
}
