//! SparseConcat: sparse tensors one behind the other along an axis.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::coo::Coo;
use crate::ragged::join;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseConcat(indices: N * int64, values: N * T, shapes: N * int64) \
                -> (output_indices: int64, output_values: T, output_shape: int64)
                concat_dim: int
                N: int >= 2
                T: type",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Concat { axis: build.int("concat_dim")? })),
    )
}

struct Concat {
    axis: i64,
}

impl Kernel for Concat {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let count = cx.inputs_len() / 3;
        let mut parts = Vec::with_capacity(count);
        for i in 0..count {
            let part = Coo::new(cx.input(i), cx.input(count + i), cx.input(2 * count + i))
                .map_err(|e| e.context(format_args!("SparseConcat at position {i}")))?;
            part.dense_shape()?;
            parts.push(part);
        }
        let Some(first) = parts.first() else {
            return Err(Status::invalid_argument("SparseConcat needs inputs"));
        };
        let rank = first.rank();
        let axis = if self.axis < 0 { self.axis.saturating_add(rank as i64) } else { self.axis };
        if !(0..rank as i64).contains(&axis) {
            return Err(Status::invalid_argument(format!(
                "Concat dimension must be in range [-{rank}, {rank}), got {}",
                self.axis
            )));
        }
        let axis = axis as usize;
        let mut shape = first.shape.to_vec();
        for (i, part) in parts.iter().enumerate().skip(1) {
            if part.rank() != rank {
                return Err(Status::invalid_argument(format!(
                    "Ranks of all input tensors must match: expected {rank} but got {} at position \
                     {i}",
                    part.rank()
                )));
            }
            for (j, (size, own)) in shape.iter_mut().zip(part.shape).enumerate() {
                if j == axis {
                    *size = size.saturating_add(*own);
                } else if size != own {
                    return Err(Status::invalid_argument(format!(
                        "Input shapes must match: expected {size} for dimension {j} but got {own} \
                         at position {i}"
                    )));
                }
            }
        }
        Shape::from_i64(&shape)?;
        let total: usize = parts.iter().map(|p| p.len()).sum();
        let mut rows = Vec::with_capacity(total * rank);
        let mut offset = 0i64;
        for part in &parts {
            for row in part.rows() {
                let at = rows.len() + axis;
                rows.extend_from_slice(row);
                rows[at] = rows[at].wrapping_add(offset);
            }
            offset += part.shape[axis];
        }
        let indices = Tensor::from_slice([total, rank], &rows)?;
        let values: Vec<&Tensor> = parts.iter().map(|p| p.values).collect();
        let values = join(first.values.dtype(), Shape::from([total]), &values)?;
        let shape = Tensor::vector(&shape)?;
        let whole = Coo::new(&indices, &values, &shape)?;
        let (indices, values) = whole.pick(&whole.sorted())?;
        cx.set_output(0, indices);
        cx.set_output(1, values);
        cx.set_output(2, shape);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let count = cx.inputs().len() / 3;
    let mut total = Some(0usize);
    let mut rank = None;
    let mut shape = PartialShape::unknown();
    for i in 0..count {
        let indices = cx.with_rank(i, 2)?;
        let values = cx.with_rank(count + i, 1)?;
        let own = cx.with_rank(2 * count + i, 1)?;
        let entries = cx.merge_dim(indices.dim(0), values.dim(0))?;
        total = total.zip(entries).map(|(a, b)| a + b);
        rank = cx.merge_dim(rank, indices.dim(1))?;
        shape = cx.merge(&shape, &own)?;
    }
    cx.set_output(0, PartialShape::matrix(total, rank));
    cx.set_output(1, PartialShape::vector(total));
    cx.set_output(2, shape);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(axis: i64, second: [i64; 2]) -> Result<Vec<Tensor>> {
        OpTest::new(register, "SparseConcat")
            .attr("concat_dim", axis)
            .attr("N", 2i64)
            .input(Tensor::from_vec([1, 2], vec![1i64, 0])?)
            .input(Tensor::from_vec([1, 2], vec![0i64, 1])?)
            .input(Tensor::vector(&[1f32])?)
            .input(Tensor::vector(&[2f32])?)
            .input(Tensor::vector(&[2i64, 3])?)
            .input(Tensor::vector(&second)?)
            .run()
    }

    #[test]
    fn along_rows_and_columns() {
        let out = run(0, [2, 3]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[1, 0, 2, 1]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[4, 3]);
        let out = run(-1, [2, 3]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 4, 1, 0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[2.0, 1.0]);
    }

    #[test]
    fn mismatches_and_overflow_are_refused() {
        assert!(run(0, [2, 4]).is_err());
        assert!(run(2, [2, 3]).is_err());
        assert!(run(0, [i64::MAX, i64::MAX]).is_err());
        assert!(run(0, [i64::MAX / 3, 3]).is_err());
    }
}
