//! ApproxTopK: the largest or smallest elements along an axis.
//!
//! TensorFlow approximates on accelerators; on a CPU the exact answer is what it gives, and here too:
//! the recall target only decides how many candidates come back when they are not aggregated.

use std::cmp::Ordering;

use downpour_graph::{Attrs, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, bf16, dispatch_over, f16};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ApproxTopK(input: T) -> (values: T, indices: int32)
                k: int >= 0
                reduction_dimension: int = -1
                recall_target: float = 0.95
                is_max_k: bool = true
                reduction_input_size_override: int = -1
                aggregate_to_topk: bool = true
                T: {half, bfloat16, float}",
        )?
        .shape(shape),
        |build| Ok(KernelBox::new(ApproxTopK(Options::from_attrs(build)?))),
    )
}

#[derive(Clone, Copy)]
struct Options {
    k: i64,
    axis: i64,
    recall_target: f32,
    largest: bool,
    size_override: i64,
    aggregate: bool,
}

impl Options {
    fn from_attrs(attrs: &Attrs) -> Result<Options> {
        let options = Options {
            k: attrs.int("k")?,
            axis: attrs.int("reduction_dimension")?,
            recall_target: attrs.float("recall_target")?,
            largest: attrs.bool("is_max_k")?,
            size_override: attrs.int("reduction_input_size_override")?,
            aggregate: attrs.bool("aggregate_to_topk")?,
        };
        if !(options.recall_target > 0.0 && options.recall_target <= 1.0) {
            return Err(Status::invalid_argument(format!(
                "Invalid recall target: {}. Valid value range in : [0, 1.0].",
                options.recall_target
            )));
        }
        Ok(options)
    }

    fn axis(&self, rank: usize) -> Result<usize> {
        let rank = rank as i64;
        let axis = if self.axis < 0 { self.axis.saturating_add(rank) } else { self.axis };
        if (0..rank).contains(&axis) {
            return Ok(axis as usize);
        }
        Err(Status::invalid_argument(format!(
            "Invalid reduction dimension: {}. Must be within the range of [{}, {}]",
            self.axis,
            -rank,
            rank - 1
        )))
    }

    /// How many elements come back of `size`.
    fn width(&self, size: usize, rank: usize) -> Result<usize> {
        let k = usize::try_from(self.k).ok().filter(|&k| k <= size).ok_or_else(|| {
            Status::invalid_argument(format!(
                "input must have last dimension >= k = {} but was {size}",
                self.k
            ))
        })?;
        if self.aggregate {
            return Ok(k);
        }
        let tile = if rank == 1 { 1024 } else { 128 };
        if size <= tile || self.recall_target == 1.0 {
            return Ok(size);
        }
        if k == 1 {
            return Ok(tile);
        }
        let logical = usize::try_from(self.size_override).unwrap_or(size);
        let wanted = (1.0 - k as f64) / (self.recall_target as f64).ln();
        let candidates = (wanted as usize).max(tile).min(size);
        let reduction = (logical / candidates).checked_ilog2().unwrap_or(0);
        if reduction == 0 {
            return Ok(size);
        }
        let most = (size / tile).next_power_of_two().trailing_zeros();
        let tiles = size.div_ceil(tile).div_ceil(1 << reduction.min(most));
        Ok((tiles * tile).min(size))
    }
}

struct ApproxTopK(Options);

impl Kernel for ApproxTopK {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let axis = self.0.axis(input.rank())?;
        let width = self.0.width(input.dims()[axis], input.rank())?;
        let (values, indices) = dispatch_over!(input.dtype(), "ApproxTopK",
            T => select::<T>(input, axis, width, self.0.largest),
            Half: f16, BFloat16: bf16, Float: f32)?;
        cx.set_output(0, values);
        cx.set_output(1, indices);
        Ok(())
    }
}

/// A total order in which NaN is the largest.
fn ascending<T: RealNumber>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan_value().cmp(&b.is_nan_value()))
}

fn select<T: RealNumber>(
    input: &Tensor,
    axis: usize,
    width: usize,
    largest: bool,
) -> Result<(Tensor, Tensor)> {
    let source = input.as_slice::<T>()?;
    let dims = input.dims();
    let (size, inner) = (dims[axis], dims[axis + 1..].iter().product::<usize>());
    let outer: usize = dims[..axis].iter().product();
    let mut shape = input.shape().clone();
    shape.dims_mut()[axis] = width;
    let mut indices = Tensor::new(downpour_tensor::DataType::Int32, &shape)?;
    let table = indices.as_mut_slice::<i32>().expect("a new int32 tensor has one owner");
    let mut order: Vec<u32> = Vec::new();
    for (o, i) in (0..outer).flat_map(|o| (0..inner).map(move |i| (o, i))) {
        let at = |n: u32| source[(o * size + n as usize) * inner + i];
        let compare = |&a: &u32, &b: &u32| {
            let order = ascending(at(a), at(b));
            (if largest { order.reverse() } else { order }).then(a.cmp(&b))
        };
        order.clear();
        order.extend(0..size as u32);
        if 0 < width && width < size {
            order.select_nth_unstable_by(width - 1, compare);
        }
        order.truncate(width);
        order.sort_unstable_by(compare);
        for (n, &pick) in order.iter().enumerate() {
            table[(o * width + n) * inner + i] = pick as i32;
        }
    }
    let values = Tensor::build(shape, |out: &mut [T]| {
        for (flat, (slot, &pick)) in out.iter_mut().zip(table.iter()).enumerate() {
            let (o, i) = (flat / (width * inner), flat % inner);
            *slot = source[(o * size + pick as usize) * inner + i];
        }
    })?;
    Ok((values, indices))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let options = Options::from_attrs(cx.node())?;
    let Some(dims) = cx.with_rank_at_least(0, 1)?.dims() else { return Ok(()) };
    let axis = options.axis(dims.len())?;
    let mut out = dims.to_vec();
    out[axis] = dims[axis].map(|size| options.width(size, dims.len())).transpose()?;
    let out = PartialShape::of(out);
    cx.set_output(0, out.clone());
    cx.set_output(1, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(k: i64) -> OpTest {
        let x = Tensor::from_vec([3, 2], vec![1f32, 9.0, 5.0, 7.0, 3.0, 9.0]).unwrap();
        OpTest::new(register, "ApproxTopK").attr("k", k).input(x)
    }

    #[test]
    fn the_best_along_any_axis() {
        let out = test(2).attr("reduction_dimension", 0i64).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[5.0, 9.0, 3.0, 9.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[1, 0, 2, 2]);
        let out = test(1).attr("is_max_k", false).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[1.0, 5.0, 3.0]);
        let out = test(1).attr("aggregate_to_topk", false).run().unwrap();
        assert_eq!(out[0].dims(), &[3, 2]);
        assert_eq!(test(0).run().unwrap()[0].dims(), &[3, 0]);
    }

    #[test]
    fn bad_attributes_are_refused() {
        assert!(test(3).run().is_err());
        assert!(test(1).attr("reduction_dimension", 2i64).run().is_err());
        assert!(test(1).attr("reduction_dimension", i64::MIN).run().is_err());
        assert!(test(1).attr("recall_target", 1.5f32).run().is_err());
        assert!(test(i64::MAX).attr("aggregate_to_topk", false).run().is_err());
    }
}
