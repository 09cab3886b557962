//! RaggedGather: rows of a ragged tensor, picked by index.

use downpour_graph::{Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, CountedVec, DataType, Result, Status, Tensor};

use super::splits;
use crate::indices::{Indices, place};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedGather(params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, \
                params_dense_values: Tvalues, indices: Tindices) \
                -> (output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, \
                output_dense_values: Tvalues)
                Tvalues: type
                Tindices: {int32, int64}
                Tsplits: {int32, int64} = int64
                PARAMS_RAGGED_RANK: int >= 1
                OUTPUT_RAGGED_RANK: int >= 0",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(RaggedGather { splits: build.dtype("Tsplits")? })),
    )
}

struct RaggedGather {
    splits: DataType,
}

impl Kernel for RaggedGather {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let Some(depth) = cx.inputs_len().checked_sub(2).filter(|&n| n > 0) else {
            return Err(Status::invalid_argument("params_nested_splits must be non empty"));
        };
        let (values, indices) = (cx.input(depth), cx.input(depth + 1));
        if values.rank() == 0 {
            return Err(Status::invalid_argument("params.rank must be nonzero"));
        }
        let _scratch = Charge::scratch::<i64>((0..depth).map(|i| cx.input(i).len()).sum())?;
        let mut nested = Vec::with_capacity(depth);
        for i in 0..depth {
            if cx.input(i).rank() == 0 {
                return Err(Status::invalid_argument("Split tensors must not be scalars"));
            }
            nested.push(cx.input(i).to_i64_vec()?);
        }
        check_indices(indices.dims(), Indices::of(indices)?, nested[0].len() as i64 - 1)?;
        for (i, own) in nested.iter().enumerate() {
            // Splits of one level index the rows of the next, of which there is one less than splits.
            let limit = nested.get(i + 1).map_or(values.dims()[0], |next| next.len().max(1) - 1);
            check_splits(own, limit)?;
        }

        let index_rank = indices.rank();
        if cx.node().output_types.len() != (depth + index_rank).saturating_sub(1) + 1 {
            return Err(Status::invalid_argument(format!(
                "OUTPUT_RAGGED_RANK must be PARAMS_RAGGED_RANK + indices.rank - 1 = {}",
                (depth + index_rank) as i64 - 1
            )));
        }
        let mut out: Vec<CountedVec<i64>> = Vec::with_capacity(depth + index_rank);
        let mut rows = 1usize;
        for axis in 0..index_rank.saturating_sub(1) {
            rows = rows.saturating_mul(indices.dims()[axis]);
            out.push(splits::uniform(rows, indices.dims()[axis + 1])?);
        }
        // A scalar index picks one row, whose outermost splits vanish.
        let skip = usize::from(index_rank == 0);
        let first = out.len();
        for _ in skip..depth {
            out.push(splits::uniform(0, 0)?);
        }
        // One row may be picked any number of times, with all that is in it.
        let mut ranges = CountedVec::new();
        for index in Indices::of(indices)?.iter() {
            let (mut start, mut end) = (index as usize, index as usize + 1);
            for (level, own) in nested.iter().enumerate() {
                if level >= skip {
                    splits::append(&mut out[first + level - skip], &own[start..=end])?;
                }
                (start, end) = (own[start] as usize, own[end] as usize);
            }
            if start < end {
                ranges.push(start..end)?;
            }
        }
        let gathered = splits::take_rows(values, &ranges)?;
        for (i, own) in out.iter().enumerate() {
            cx.set_output(i, splits::tensor(self.splits, own)?);
        }
        cx.set_output(out.len(), gathered);
        Ok(())
    }
}

fn check_indices(shape: &[usize], indices: Indices<'_>, rows: i64) -> Result<()> {
    match indices.iter().position(|i| i < 0 || i >= rows) {
        Some(bad) => Err(Status::invalid_argument(format!(
            "indices{} = {} is not in [0, {rows})",
            place(shape, bad),
            indices.get(bad)
        ))),
        None => Ok(()),
    }
}

fn check_splits(splits: &[i64], limit: usize) -> Result<()> {
    let problem = match (splits.first(), splits.last()) {
        (Some(&first), _) if first < 0 => "Ragged splits must be non-negative",
        (_, Some(&last)) if last > limit as i64 => "Ragged splits must not point past values",
        (None, _) => "Ragged splits may not be empty",
        _ if splits.windows(2).any(|w| w[0] > w[1]) => "Ragged splits must be sorted",
        _ => return Ok(()),
    };
    Err(Status::invalid_argument(problem))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let depth = cx.inputs().len().saturating_sub(2);
    for i in 0..depth {
        cx.with_rank(i, 1)?;
    }
    let values = cx.with_rank_at_least(depth, 1)?;
    let outputs = cx.outputs_len();
    let index_rank = outputs as i64 - depth as i64;
    if let Ok(rank) = usize::try_from(index_rank) {
        cx.with_rank(depth + 1, rank)?;
    }
    for i in 0..outputs - 1 {
        cx.set_output(i, PartialShape::vector(None));
    }
    if let Some(rank) = values.rank() {
        let rest = values.subshape(1, rank);
        cx.set_output(outputs - 1, PartialShape::vector(None).concat(&rest));
    }
    Ok(())
}

/// Each row that was picked gets its gradient back.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let ranks = cx.node().output_range("output_dense_values")?;
    let grad = cx.grad(ranks.start)?;
    let splits = cx.node().input_range("params_nested_splits")?;
    let (values, indices) = (cx.input(splits.end), cx.input(splits.end + 1));
    // Where the rows of the outermost axis begin in the innermost values.
    let axis = cx.scalar(0i32)?;
    let mut starts = cx.input(0);
    for i in 1..splits.end {
        let inner = cx.input(i);
        starts = cx.op("GatherV2", &[inner, starts, axis])?;
    }
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let rows = cx.op("Reshape", &[indices, flat])?;
    let one = cx.number(1.0, rows)?;
    let following = cx.op("AddV2", &[rows, one])?;
    let begins = cx.op("GatherV2", &[starts, rows, axis])?;
    let ends = cx.op("GatherV2", &[starts, following, axis])?;
    let step = cx.number(1.0, begins)?;
    let range = cx.node_with("RaggedRange", &[begins, ends, step], Default::default())?;
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[splits.end] = Gradient::Sparse {
        values: grad,
        indices: Endpoint { node: range, port: 1 },
        dense_shape: cx.shape(values)?,
    };
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn test(splits: &[i64], indices: Tensor, output_rank: i64) -> OpTest {
        OpTest::new(register, "RaggedGather")
            .attr("PARAMS_RAGGED_RANK", 1i64)
            .attr("OUTPUT_RAGGED_RANK", output_rank)
            .input(Tensor::vector(splits).unwrap())
            .input(Tensor::vector(&[1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(indices)
    }

    #[test]
    fn rows_by_vector_and_matrix() {
        let out = test(&[0, 2, 2, 4], Tensor::vector(&[2i32, 1, 0]).unwrap(), 1).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 2, 2, 4]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[3.0, 4.0, 1.0, 2.0]);
        let m = Tensor::from_vec([1, 2], vec![0i64, 2]).unwrap();
        let out = test(&[0, 2, 2, 4], m, 2).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 2]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[0, 2, 4]);
        let out = test(&[0, 2, 2, 4], Tensor::scalar(2i32), 0).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 4.0]);
    }

    /// They take no memory themselves, but their splits would.
    #[test]
    fn too_many_empty_rows_of_indices_are_refused() {
        let none = Tensor::new(DataType::Int32, [1 << 50, 0]).unwrap();
        let refused = test(&[0, 2, 4], none, 2).run().unwrap_err();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
    }

    #[test]
    fn bad_indices_and_splits_are_refused() {
        let one = |i: i32| Tensor::vector(&[i]).unwrap();
        let e = test(&[0, 2, 4], one(2), 1).run().unwrap_err();
        assert!(e.message().contains("indices[0] = 2 is not in [0, 2)"));
        assert!(test(&[0, 9], one(0), 1).run().is_err());
        assert!(test(&[3, 2, 4], one(0), 1).run().is_err());
        assert!(test(&[-1, 2], one(0), 1).run().is_err());
        assert!(test(&[], one(0), 1).run().is_err());
        assert!(test(&[0, 4], one(0), 2).run().is_err());
    }
}
