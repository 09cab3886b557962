//! Gradients of the sparse segment reductions, as dense tensors and (V2) as the touched rows only.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, RealNumber, Result, Status, Tensor, dispatch_float};

use super::output_shape;
use super::sparse::index_vectors;
use crate::number::{Arithmetic, Number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["SparseSegmentSumGrad", "SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"] {
        let types = "
            T: {bfloat16, half, float, double}
            Tidx: {int32, int64} = int32
            Tsegmentids: {int32, int64} = int32";
        let dense = format!(
            "{name}(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) -> (output: T){types}"
        );
        let sparse = format!(
            "{name}V2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: int32) -> (output: T, sorted_unique_indices: Tidx){types}"
        );
        registry.add(OpSpec::new(&dense)?.shape(shape).tolerance(1e-5), factory)?;
        registry.add(OpSpec::new(&sparse)?.shape(shape).tolerance(1e-5), factory)?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scaling {
    Sum,
    Mean,
    SqrtN,
}

struct SparseSegmentGrad {
    scaling: Scaling,
    /// Gives only the rows that are touched, and which they are.
    rows_only: bool,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let name = build.op_name();
    let scaling = if name.contains("Mean") {
        Scaling::Mean
    } else if name.contains("SqrtN") {
        Scaling::SqrtN
    } else {
        Scaling::Sum
    };
    Ok(KernelBox::new(SparseSegmentGrad { scaling, rows_only: name.ends_with("V2") }))
}

impl Kernel for SparseSegmentGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, ids) = index_vectors(cx)?;
        let rows = cx.scalar_input(3)?.to_i64_scalar()?;
        let grad = cx.input(0);
        if grad.rank() < 1 {
            return Err(cx.bad_input(0, "must be at least rank 1"));
        }
        let inner = &grad.dims()[1..];
        let dense_shape = output_shape(rows, inner)?;
        let scales =
            if rows == 0 { CountedVec::new() } else { self.check(grad, &indices, &ids, rows)? };
        let mut unique = Vec::new();
        if self.rows_only && rows > 0 {
            unique = indices.clone();
            unique.sort_unstable();
            unique.dedup();
        }
        let shape =
            if self.rows_only { output_shape(unique.len() as i64, inner)? } else { dense_shape };
        let targets: Vec<usize> = if rows == 0 {
            Vec::new()
        } else if self.rows_only {
            indices.iter().map(|i| unique.partition_point(|u| u < i)).collect()
        } else {
            indices.iter().map(|&i| i as usize).collect()
        };
        let columns: usize = inner.iter().product();
        let output = dispatch_float!(grad.dtype(), "SparseSegmentGrad", T => {
            let values = grad.as_slice::<T>()?;
            Tensor::build(shape, |out: &mut [T]| {
                scatter(values, columns, &targets, &ids, &scales, out);
            })
        })?;
        let unique = match cx.node().input_dtype(1) {
            DataType::Int32 => {
                Tensor::vector(&unique.iter().map(|&i| i as i32).collect::<Vec<i32>>())?
            }
            _ => Tensor::vector(&unique)?,
        };
        cx.set_output(0, output);
        if self.rows_only {
            cx.set_output(1, unique);
        }
        Ok(())
    }
}

impl SparseSegmentGrad {
    /// Checks every index and gives the factor of each segment. The factors are counted: a gradient of no columns
    /// takes no memory however many segments it has.
    fn check(
        &self,
        grad: &Tensor,
        indices: &[i64],
        ids: &[i64],
        rows: i64,
    ) -> Result<CountedVec<f64>> {
        let segments = grad.dims()[0];
        if ids.last().is_some_and(|&last| last >= segments as i64) {
            return Err(Status::invalid_argument("Invalid number of segments"));
        }
        let mut counts = CountedVec::filled(segments, 0usize)?;
        for (&index, &id) in indices.iter().zip(ids) {
            if index < 0 || index >= rows {
                return Err(Status::invalid_argument(format!(
                    "Index {index} out of range [0, {rows})."
                )));
            }
            if id < 0 || id >= segments as i64 {
                return Err(Status::invalid_argument(format!(
                    "Segment id {id} out of range [0, {segments})."
                )));
            }
            counts[id as usize] += 1;
        }
        CountedVec::build(segments, |segment| {
            let n = counts[segment].max(1) as f64;
            Ok(match self.scaling {
                Scaling::Sum => 1.0,
                Scaling::Mean => 1.0 / n,
                Scaling::SqrtN => 1.0 / n.sqrt(),
            })
        })
    }
}

/// Adds the scaled gradient of each segment to the rows it came from.
fn scatter<T>(
    grad: &[T],
    columns: usize,
    targets: &[usize],
    ids: &[i64],
    scales: &[f64],
    out: &mut [T],
) where
    T: Number,
    T::Wide: RealNumber,
{
    let mut sums = vec![<T::Wide as Arithmetic>::ZERO; out.len()];
    for (&target, &id) in targets.iter().zip(ids) {
        let scale = T::Wide::from_f64_lossy(scales[id as usize]);
        let from = id as usize * columns;
        let sums = &mut sums[target * columns..][..columns];
        for (sum, &value) in sums.iter_mut().zip(&grad[from..from + columns]) {
            *sum = Arithmetic::add(*sum, Arithmetic::mul(value.widen(), scale));
        }
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = T::narrow(sum);
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let grad = cx.with_rank_at_least(0, 1)?;
    let indices = cx.with_rank(1, 1)?;
    cx.merge(cx.input(2), &indices)?;
    cx.with_rank(3, 0)?;
    let rows_only = cx.outputs_len() == 2;
    let rows = match cx.constant_ints(3).as_deref() {
        Some(&[n]) if !rows_only => Some(usize::try_from(n).map_err(|_| {
            Status::invalid_argument("Cannot specify a negative value for output_dim0")
        })?),
        _ => None,
    };
    if let Some(dims) = grad.dims() {
        let inner = PartialShape::of(dims[1..].iter().copied());
        cx.set_output(0, PartialShape::vector(rows).concat(&inner));
    }
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, indices: &[i32], ids: &[i32], rows: i32) -> OpTest {
        OpTest::new(register, op)
            .input(Tensor::from_vec([2, 1], vec![4f32, 8.]).unwrap())
            .input(Tensor::vector(indices).unwrap())
            .input(Tensor::vector(ids).unwrap())
            .input(Tensor::scalar(rows))
    }

    #[test]
    fn gradients_return_to_their_rows() {
        let values = |op: &str| {
            let out = test(op, &[3, 0, 3], &[0, 0, 1], 4).run().unwrap();
            out[0].as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(values("SparseSegmentSumGrad"), &[4., 0., 0., 12.]);
        assert_eq!(values("SparseSegmentMeanGrad"), &[2., 0., 0., 10.]);
        let out = test("SparseSegmentSumGradV2", &[3, 0, 3], &[0, 0, 1], 4).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[4., 12.]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 3]);
    }

    /// They take no memory themselves, but their factors would.
    #[test]
    fn too_many_empty_segments_are_refused() {
        let run = OpTest::new(register, "SparseSegmentMeanGrad")
            .input(Tensor::new(DataType::Float, [1 << 50, 0]).unwrap())
            .input(Tensor::vector(&[0i32]).unwrap())
            .input(Tensor::vector(&[0i32]).unwrap())
            .input(Tensor::scalar(10i32));
        assert_eq!(run.run().unwrap_err().code(), downpour_tensor::Code::ResourceExhausted);
    }

    #[test]
    fn bad_indices() {
        let message = |indices: &[i32], ids: &[i32]| {
            test("SparseSegmentSumGrad", indices, ids, 10).run().unwrap_err().to_string()
        };
        assert!(message(&[10, 0], &[0, 0]).contains("Index 10 out of range [0, 10)"));
        assert!(message(&[0, 0], &[0, 2]).contains("Invalid number of segments"));
        assert!(message(&[0, 0], &[-1, 1]).contains("Segment id -1 out of range [0, 2)"));
        assert!(test("SparseSegmentSumGrad", &[0], &[0], -1).run().is_err());
        assert_eq!(test("SparseSegmentSumGrad", &[], &[], 0).run().unwrap()[0].dims(), &[0, 1]);
    }
}
