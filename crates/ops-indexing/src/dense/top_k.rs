//! TopK, TopKV2 and NthElement: the largest elements of each row.

use std::cmp::Ordering;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Shape, Status, Tensor, dispatch_real};

use crate::indices::index_vector;

const TYPES: &str = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, \
                     uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let first = format!(
        "TopK(input: T) -> (values: T, indices: int32)
            k: int >= 0
            sorted: bool = true
            {TYPES}"
    );
    let second = format!(
        "TopKV2(input: T, k: Tk) -> (values: T, indices: index_type)
            sorted: bool = true
            {TYPES}
            Tk: {{int16, int32, int64}} = int32
            index_type: {{int16, int32, int64}} = int32"
    );
    let nth = format!(
        "NthElement(input: T, n: int32) -> (values: T)
            reverse: bool = false
            {TYPES}"
    );
    registry.add(OpSpec::new(&first)?.shape(top_k_shape).gradient(gradient), |build| {
        Ok(KernelBox::new(TopK { k: Some(build.int("k")?), index_type: DataType::Int32 }))
    })?;
    registry.add(OpSpec::new(&second)?.shape(top_k_shape).gradient(gradient), |build| {
        Ok(KernelBox::new(TopK { k: None, index_type: build.dtype("index_type")? }))
    })?;
    registry.add(OpSpec::new(&nth)?.shape(nth_shape).gradient(nth_gradient), |build| {
        Ok(KernelBox::new(NthElement { reverse: build.bool("reverse")? }))
    })
}

struct TopK {
    k: Option<i64>,
    index_type: DataType,
}

impl Kernel for TopK {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let k = match self.k {
            Some(k) => k,
            None if cx.input(1).rank() != 0 => {
                return Err(Status::invalid_argument(format!(
                    "k must be scalar, got shape {}",
                    cx.input(1).shape()
                )));
            }
            None => cx.input(1).to_i64_scalar()?,
        };
        let input = cx.input(0);
        let Some((&columns, outer)) = input.dims().split_last() else {
            return Err(Status::invalid_argument(format!(
                "input must be >= 1-D, got shape {}",
                input.shape()
            )));
        };
        let k = usize::try_from(k)
            .map_err(|_| Status::invalid_argument(format!("Need k >= 0, got {k}")))?;
        if columns < k {
            return Err(Status::invalid_argument(format!(
                "input must have at least k columns. Had {columns}, needed {k}"
            )));
        }
        let most =
            if self.index_type == DataType::Int16 { i16::MAX as usize } else { i32::MAX as usize };
        if columns > most {
            return Err(Status::invalid_argument(format!(
                "Second dimension of flattened input must be <= {most}, got {columns}"
            )));
        }
        let mut shape = Shape::new(outer);
        shape.push(k);
        let (values, indices) = dispatch_real!(input.dtype(), "TopK", T => {
            top_k::<T>(input, columns, k, &shape, cx)
        })?;
        cx.set_output(0, values);
        cx.set_output(1, index_vector(self.index_type, shape, indices.iter().map(|&i| i as i64))?);
        Ok(())
    }
}

/// Larger first; NaN counts as larger than every number.
fn descending<T: RealNumber>(a: T, b: T) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| b.is_nan_value().cmp(&a.is_nan_value()))
}

fn top_k<T: RealNumber>(
    input: &Tensor,
    columns: usize,
    k: usize,
    shape: &Shape,
    cx: &OpContext<'_>,
) -> Result<(Tensor, Vec<u32>)> {
    let source = input.as_slice::<T>()?;
    let mut indices = vec![0u32; downpour_tensor::checked_elements(shape)?];
    if indices.is_empty() {
        return Ok((Tensor::new(T::DTYPE, shape)?, indices));
    }
    let grain = (4096 / columns).max(1);
    cx.parallel().for_chunks(&mut indices, k, grain, |first, chunk| {
        let mut order: Vec<u32> = Vec::new();
        for (r, out) in chunk.chunks_exact_mut(k).enumerate() {
            let row = &source[(first + r) * columns..][..columns];
            if k == 1 {
                out[0] = largest(row);
                continue;
            }
            let compare =
                |&a: &u32, &b: &u32| descending(row[a as usize], row[b as usize]).then(a.cmp(&b));
            order.clear();
            order.extend(0..columns as u32);
            if k < columns {
                order.select_nth_unstable_by(k - 1, compare);
            }
            let best = &mut order[..k];
            best.sort_unstable_by(compare);
            out.copy_from_slice(best);
        }
    });
    let values = Tensor::build(shape, |out: &mut [T]| {
        for (r, (row, picks)) in out.chunks_exact_mut(k).zip(indices.chunks_exact(k)).enumerate() {
            let from = &source[r * columns..][..columns];
            row.iter_mut().zip(picks).for_each(|(o, &i)| *o = from[i as usize]);
        }
    })?;
    Ok((values, indices))
}

fn largest<T: RealNumber>(row: &[T]) -> u32 {
    let mut best = 0;
    for (i, &v) in row.iter().enumerate().skip(1) {
        if descending(v, row[best]) == Ordering::Less {
            best = i;
        }
    }
    best as u32
}

struct NthElement {
    reverse: bool,
}

impl Kernel for NthElement {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let n = cx.input(1);
        if n.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "N must be scalar but has rank {}",
                n.rank()
            )));
        }
        let n = n.to_scalar::<i32>()?;
        let n = usize::try_from(n)
            .map_err(|_| Status::invalid_argument(format!("n must be non-negative but is {n}")))?;
        let input = cx.input(0);
        let Some((&columns, outer)) = input.dims().split_last() else {
            return Err(Status::invalid_argument("Input must be at least rank 1 but is rank 0"));
        };
        if columns <= n {
            return Err(Status::invalid_argument(format!(
                "Input must have last dimension > n = {n}"
            )));
        }
        let n = if self.reverse { columns - n - 1 } else { n };
        let output = dispatch_real!(input.dtype(), "NthElement", T => {
            let source = input.as_slice::<T>()?;
            Tensor::build(outer, |out: &mut [T]| {
                let grain = (4096 / columns).max(1);
                cx.parallel().for_chunks(out, 1, grain, |first, chunk| {
                    let mut row = Vec::with_capacity(columns);
                    for (r, o) in chunk.iter_mut().enumerate() {
                        row.clear();
                        row.extend_from_slice(&source[(first + r) * columns..][..columns]);
                        *o = *row.select_nth_unstable_by(n, |a, b| descending(*b, *a)).1;
                    }
                });
            })
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn top_k_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    let k = if cx.inputs().len() == 1 {
        Some(cx.node().int("k")?)
    } else {
        cx.with_rank(1, 0)?;
        cx.constant_ints(1).and_then(|v| v.first().copied())
    };
    let Some((columns, outer)) = input.dims().and_then(|d| d.split_last()) else { return Ok(()) };
    if let (Some(k), Some(columns)) = (k, columns)
        && k > *columns as i64
    {
        return Err(Status::invalid_argument(format!(
            "input must have last dimension >= k = {k} but is {columns} for {}",
            cx.describe()
        )));
    }
    if k.is_some_and(|k| k < 0) {
        return Err(Status::invalid_argument(format!("Need k >= 0 for {}", cx.describe())));
    }
    let last = PartialShape::vector(k.map(|k| k as usize));
    let out = PartialShape::of(outer.iter().copied()).concat(&last);
    cx.set_output(0, out.clone());
    cx.set_output(1, out);
    Ok(())
}

fn nth_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    cx.with_rank(1, 0)?;
    let Some((columns, outer)) = input.dims().and_then(|d| d.split_last()) else { return Ok(()) };
    if let (Some([n]), Some(columns)) = (cx.constant_ints(1).as_deref(), columns)
        && *n >= *columns as i64
    {
        return Err(Status::invalid_argument(format!(
            "Input must have last dimension > n = {n} but is {columns} for {}",
            cx.describe()
        )));
    }
    let out = PartialShape::of(outer.iter().copied());
    cx.set_output(0, out);
    Ok(())
}

mod gradients;
use gradients::{gradient, nth_gradient};

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn top(values: Tensor, k: i32) -> Result<Vec<Tensor>> {
        OpTest::new(register, "TopKV2").input(values).input(Tensor::scalar(k)).run()
    }

    #[test]
    fn ties_go_to_the_lower_index() {
        let x = || Tensor::from_vec([2, 4], vec![1f32, 3.0, 3.0, 2.0, 9.0, 8.0, 7.0, 9.0]).unwrap();
        let out = top(x(), 2).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 3.0, 9.0, 9.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[1, 2, 0, 3]);
        assert_eq!(top(x(), 1).unwrap()[1].as_slice::<i32>().unwrap(), &[1, 0]);
        assert_eq!(top(x(), 4).unwrap()[1].as_slice::<i32>().unwrap(), &[1, 2, 3, 0, 0, 3, 1, 2]);
        assert_eq!(top(x(), 0).unwrap()[0].dims(), &[2, 0]);
    }

    #[test]
    fn nan_does_not_confuse_the_order() {
        let x = Tensor::vector(&[1f32, f32::NAN, 2.0, f32::NAN, 0.0]).unwrap();
        assert_eq!(top(x, 4).unwrap()[1].as_slice::<i32>().unwrap(), &[1, 3, 2, 0]);
    }

    #[test]
    fn the_nth_smallest_and_largest() {
        let run = |n: i32, reverse: bool| {
            OpTest::new(register, "NthElement")
                .input(Tensor::from_vec([2, 3], vec![3i32, 1, 2, 4, 4, 0]).unwrap())
                .input(Tensor::scalar(n))
                .attr("reverse", reverse)
                .run_one()
        };
        assert_eq!(run(0, false).unwrap().as_slice::<i32>().unwrap(), &[1, 0]);
        assert_eq!(run(1, true).unwrap().as_slice::<i32>().unwrap(), &[2, 4]);
        assert!(run(3, false).is_err());
        assert!(run(-1, false).is_err());
    }

    #[test]
    fn bad_arguments_are_refused() {
        let x = || Tensor::vector(&[1f32]).unwrap();
        assert!(top(x(), 2).is_err());
        assert!(top(x(), -1).is_err());
        assert!(top(Tensor::scalar(1f32), 1).is_err());
    }
}
