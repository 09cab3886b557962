//! RaggedTensorToSparse: the same values as a sparse tensor.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedTensorToSparse(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T) \
                -> (sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64)
                RAGGED_RANK: int >= 1
                T: type
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let depth = cx.inputs_len() - 1;
    if depth == 0 {
        return Err(Status::invalid_argument("rt_nested_splits must be non empty"));
    }
    let values = cx.input(depth);
    if values.rank() == 0 {
        return Err(Status::invalid_argument("rt_dense_values must be at least a vector"));
    }
    let mut nested = Vec::with_capacity(depth);
    for i in 0..depth {
        nested.push(cx.input(i).to_i64_vec()?);
    }
    check(&nested, values.dims()[0])?;

    // The coordinates of every row of a level, from the outermost level in.
    let mut rows = CountedVec::build(nested[0].len() - 1, |row| Ok(row as i64))?;
    let mut width = 1;
    for own in &nested {
        // There can be very many rows without any values.
        let size = (own[own.len() - 1] as usize).checked_mul(width + 1).ok_or_else(|| {
            Status::resource_exhausted("RaggedTensorToSparse: too many rows for this machine")
        })?;
        let mut next = CountedVec::with_capacity(size)?;
        for (i, row) in rows.chunks_exact(width).enumerate() {
            for j in 0..own[i + 1] - own[i] {
                row.iter().chain([&j]).try_for_each(|&place| next.push(place))?;
            }
        }
        rows = next;
        width += 1;
    }
    let inner = Shape::new(&values.dims()[1..]);
    let rank = width + inner.rank();
    let strides = inner.strides();
    let indices = Tensor::build([values.len(), rank], |out: &mut [i64]| {
        let mut targets = out.chunks_exact_mut(rank);
        for row in rows.chunks_exact(width) {
            for (flat, target) in targets.by_ref().take(inner.elements()).enumerate() {
                target[..width].copy_from_slice(row);
                for (k, slot) in target[width..].iter_mut().enumerate() {
                    *slot = (flat / strides[k] % inner[k]) as i64;
                }
            }
        }
    })?;
    let widest = |own: &[i64]| own.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
    let mut dense = vec![nested[0].len() as i64 - 1];
    dense.extend(nested.iter().map(|own| widest(own)));
    dense.extend(inner.iter().map(|&d| d as i64));
    let flat = values.reshaped([values.len()])?;
    cx.set_output(0, indices);
    cx.set_output(1, flat);
    cx.set_output(2, Tensor::vector(&dense)?);
    Ok(())
}

fn check(nested: &[Vec<i64>], rows: usize) -> Result<()> {
    for (i, own) in nested.iter().enumerate() {
        match own.first() {
            None => return Err(Status::invalid_argument("ragged splits may not be empty.")),
            Some(0) => {}
            Some(_) => {
                return Err(Status::invalid_argument("First value of ragged splits must be 0."));
            }
        }
        if let Some(w) = own.windows(2).find(|w| w[1] < w[0]) {
            return Err(Status::invalid_argument(format!(
                "Ragged splits should be non decreasing, but we got {} followed by {}",
                w[0], w[1]
            )));
        }
        let behind = nested.get(i + 1).map_or(rows as i64, |next| next.len() as i64 - 1);
        if own.last() != Some(&behind) {
            return Err(Status::invalid_argument(
                "Final value of ragged splits must match the length the corresponding ragged \
                 values.",
            ));
        }
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let depth = cx.inputs().len() - 1;
    for i in 0..depth {
        cx.with_rank(i, 1)?;
    }
    let values = cx.with_rank_at_least(depth, 1)?;
    let rank = values.rank().map(|r| r + depth);
    let count = values.elements();
    cx.set_output(0, PartialShape::matrix(count, rank));
    cx.set_output(1, PartialShape::vector(count));
    cx.set_output(2, PartialShape::vector(rank));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let depth = cx.inputs_len() - 1;
    let grad = cx.grad(1)?;
    let values = cx.input(depth);
    let shape = cx.shape(values)?;
    let mut out = vec![Gradient::None; depth];
    out.push(Gradient::Dense(cx.op("Reshape", &[grad, shape])?));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    fn test(splits: &[&[i64]], values: Tensor) -> OpTest {
        let test =
            OpTest::new(register, "RaggedTensorToSparse").attr("RAGGED_RANK", splits.len() as i64);
        splits.iter().fold(test, |t, s| t.input(Tensor::vector(s).unwrap())).input(values)
    }

    #[test]
    fn nested_rows_become_coordinates() {
        let v = Tensor::vector(&[5i32, 6, 7]).unwrap();
        let out = test(&[&[0, 2, 3], &[0, 1, 1, 3]], v).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0, 0, 1, 0, 0, 1, 0, 1]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[2, 2, 2]);
        let m = Tensor::from_vec([1, 2], vec![1f32, 2.0]).unwrap();
        let out = test(&[&[0, 0, 1]], m).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[1, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn bad_splits_are_refused() {
        let v = || Tensor::vector(&[5i32]).unwrap();
        for splits in [&[0i64, 2][..], &[], &[1], &[0, 2, 1], &[0, i64::MAX, 1]] {
            assert!(test(&[splits], v()).run().is_err(), "{splits:?}");
        }
        assert!(test(&[&[0, 1]], Tensor::scalar(1f32)).run().is_err());
        // No values, but more rows than any machine can list.
        let rows = 1usize << 48;
        let error =
            test(&[&[0, rows as i64]], Tensor::from_vec([rows, 0], Vec::<f32>::new()).unwrap())
                .run_one()
                .unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
    }
}
