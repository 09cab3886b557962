//! SparseMatrixMatMul: a sparse matrix times a dense one, either of them transposed or conjugated.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

use crate::gradients::mat_mul_gradient;
use crate::matrix::{CsrMatrix, matrix};
use crate::number::{Number, dispatch_number};
use crate::transpose::{transposed, transposed_dense};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixMatMul(a: variant, b: T) -> (output: T)
                T: type
                transpose_a: bool = false
                transpose_b: bool = false
                adjoint_a: bool = false
                adjoint_b: bool = false
                transpose_output: bool = false
                conjugate_output: bool = false",
        )?
        .shape(infer)
        .gradient(mat_mul_gradient),
        |build| {
            Ok(KernelBox::new(MatMul {
                a: Turn::new(build, "a")?,
                b: Turn::new(build, "b")?,
                transpose_output: build.bool("transpose_output")?,
                conjugate_output: build.bool("conjugate_output")?,
            }))
        },
    )
}

/// The changes to an operand before it is multiplied.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub transpose: bool,
    pub conjugate: bool,
}

impl Turn {
    pub(crate) fn new(build: &KernelBuild<'_>, operand: &str) -> Result<Turn> {
        let transpose = build.bool(&format!("transpose_{operand}"))?;
        let adjoint = build.bool(&format!("adjoint_{operand}"))?;
        if transpose && adjoint {
            return Err(Status::invalid_argument(format!(
                "Only one of adjoint_{operand} and transpose_{operand} may be true."
            )));
        }
        Ok(Turn { transpose: transpose || adjoint, conjugate: adjoint })
    }
}

struct MatMul {
    a: Turn,
    b: Turn,
    transpose_output: bool,
    conjugate_output: bool,
}

impl Kernel for MatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (a, b) = (matrix(cx, 0)?, cx.input(1));
        self.check(a, b)?;
        let turned_a = if self.a.transpose { Some(transposed(a, self.a.conjugate)?) } else { None };
        let turned_b =
            if self.b.transpose { Some(transposed_dense(b, self.b.conjugate)?) } else { None };
        let (a, b) = (turned_a.as_ref().unwrap_or(a), turned_b.as_ref().unwrap_or(b));
        let mut product = dispatch_number!(b.dtype(), "SparseMatrixMatMul", T => {
            multiply::<T>(cx, a, b, self.conjugate_output)
        })?;
        if self.transpose_output {
            product = transposed_dense(&product, false)?;
        }
        cx.set_output(0, product);
        Ok(())
    }
}

impl MatMul {
    fn check(&self, a: &CsrMatrix, b: &Tensor) -> Result<()> {
        if a.dtype() != b.dtype() {
            return Err(Status::invalid_argument(format!(
                "Input types don't match.  a.dtype == {} vs. b.dtype == {}",
                a.dtype(),
                b.dtype()
            )));
        }
        let rank = a.rank();
        if b.rank() != rank {
            return Err(Status::invalid_argument(format!(
                "Ranks of a and b must match, saw: {rank} vs. {}.",
                b.rank()
            )));
        }
        if rank == 3 && b.dims()[0] != a.batches() {
            return Err(Status::invalid_argument(format!(
                "Batch sizes of a and b must match, saw: {} vs. {}.",
                a.batches(),
                b.dims()[0]
            )));
        }
        let inner_a = a.shape()[if self.a.transpose { rank - 2 } else { rank - 1 }];
        let inner_b = b.dims()[if self.b.transpose { rank - 1 } else { rank - 2 }];
        if inner_a == inner_b {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "Inner product dimensions of A and B do not agree. Shapes are: {} vs. {}",
            a.shape(),
            b.shape()
        )))
    }
}

fn multiply<T: Number>(
    cx: &OpContext<'_>,
    a: &CsrMatrix,
    b: &Tensor,
    conjugate: bool,
) -> Result<Tensor> {
    let rank = a.rank();
    let (rows, inner, width) = (a.rows(), b.dims()[rank - 2], b.dims()[rank - 1]);
    let mut shape = b.shape().to_i64();
    shape[rank - 2] = rows as i64;
    let components = CountedVec::build(a.batches(), |i| a.component::<T>(i))?;
    let b = b.as_slice::<T>()?;
    let mut product = Tensor::zeros(T::DTYPE, Shape::from_i64(&shape)?)?;
    let out =
        product.as_mut_slice::<T>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    let per_row = a.values().len() / (rows * components.len()).max(1) + 1;
    let grain = (1 << 14) / (per_row * width.max(1)) + 1;
    cx.parallel().for_chunks(out, width, grain, |first, run| {
        for (i, out) in run.chunks_exact_mut(width.max(1)).enumerate() {
            let (batch, row) = ((first + i) / rows, (first + i) % rows);
            let b = &b[batch * inner * width..][..inner * width];
            for (column, value) in components[batch].entries(row) {
                let b = &b[column * width..][..width];
                out.iter_mut().zip(b).for_each(|(o, &b)| *o += value * b);
            }
            if conjugate {
                out.iter_mut().for_each(|o| *o = o.conjugate());
            }
        }
    });
    Ok(product)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let node = cx.node();
    for operand in ["a", "b"] {
        if node.bool(&format!("transpose_{operand}"))?
            && node.bool(&format!("adjoint_{operand}"))?
        {
            return Err(Status::invalid_argument(format!(
                "Only one of adjoint_{operand} and transpose_{operand} may be true."
            )));
        }
    }
    let b = cx.with_rank_at_least(1, 2)?;
    let Some(rank) = b.rank() else { return Ok(()) };
    if rank > 3 {
        return Err(Status::invalid_argument(format!(
            "Shape must be at most rank 3 but is rank {rank} for input 1 of {}",
            cx.describe()
        )));
    }
    let transpose_b = node.bool("transpose_b")? || node.bool("adjoint_b")?;
    let columns = b.dim(if transpose_b { rank - 2 } else { rank - 1 });
    let turned = node.bool("transpose_output")?;
    let matrix = if turned { [columns, None] } else { [None, columns] };
    let batch = b.subshape(0, rank - 2);
    cx.set_output(0, batch.concat(&PartialShape::of(matrix)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sparse;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex128;

    fn test(a: Tensor, b: Tensor) -> OpTest {
        OpTest::new(register, "SparseMatrixMatMul").input(a).input(b)
    }

    fn dense(shape: impl Into<Shape>, values: &[f32]) -> Tensor {
        Tensor::from_slice(shape, values).unwrap()
    }

    #[test]
    fn every_way_round_is_the_same_product() {
        // [[1, 0, 2], [0, 3, 0]] times [[1, 2], [3, 4], [5, 6]].
        let expected = [11.0, 14.0, 9.0, 12.0];
        let a = sparse([2, 3], &[1f32, 0.0, 2.0, 0.0, 3.0, 0.0]);
        let a_turned = sparse([3, 2], &[1f32, 0.0, 0.0, 3.0, 2.0, 0.0]);
        let b = dense([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let b_turned = dense([2, 3], &[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        for (a, turn_a) in [(a, None), (a_turned, Some("transpose_a"))] {
            for (b, turn_b) in [(b.clone(), None), (b_turned.clone(), Some("adjoint_b"))] {
                let test = [turn_a, turn_b].into_iter().flatten();
                let test = test.fold(test_of(&a, &b), |t, name| t.attr(name, true));
                assert_eq!(test.run_one().unwrap().as_slice::<f32>().unwrap(), &expected);
            }
        }
    }

    fn test_of(a: &Tensor, b: &Tensor) -> OpTest {
        test(a.clone(), b.clone())
    }

    #[test]
    fn batches_have_a_product_each() {
        let a = sparse([2, 1, 2], &[1f32, 0.0, 0.0, 2.0]);
        let b = dense([2, 2, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let y = test(a, b).attr("transpose_output", true).run_one().unwrap();
        assert_eq!(y.dims(), &[2, 2, 1]);
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0, 14.0, 16.0]);
    }

    #[test]
    fn adjoints_are_conjugated() {
        let i = Complex128::new(0.0, 1.0);
        let a = sparse([1, 1], &[i]);
        let b = Tensor::from_slice([1, 1], &[Complex128::new(2.0, 0.0)]).unwrap();
        let y = test_of(&a, &b).attr("adjoint_a", true).run_one().unwrap();
        assert_eq!(y.as_slice::<Complex128>().unwrap(), &[i * -2.0]);
        let y = test_of(&a, &b).attr("conjugate_output", true).run_one().unwrap();
        assert_eq!(y.as_slice::<Complex128>().unwrap(), &[i * -2.0]);
    }

    #[test]
    fn empty_and_wrong_operands() {
        let a = || sparse([2, 3], &[0f32; 6]);
        let none = test(a(), dense([3, 0], &[])).run_one().unwrap();
        assert_eq!(none.dims(), &[2, 0]);
        assert!(test(a(), dense([2, 1], &[1.0, 2.0])).run_one().is_err());
        assert!(test(a(), dense([1, 3, 1], &[1.0; 3])).run_one().is_err());
        assert!(test(a(), dense([3], &[1.0; 3])).run_one().is_err());
        assert!(test(a(), Tensor::from_vec([3, 1], vec![1f64; 3]).unwrap()).run_one().is_err());
        let both = test(a(), dense([3, 1], &[1.0; 3]));
        assert!(both.attr("adjoint_a", true).attr("transpose_a", true).run_one().is_err());
    }
}
