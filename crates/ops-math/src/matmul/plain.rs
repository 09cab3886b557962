//! MatMul: the product of two matrices.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::product::{Side, multiply};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MatMul(a: T, b: T) -> (product: T)
                transpose_a: bool = false
                transpose_b: bool = false
                T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}
                grad_a: bool = false
                grad_b: bool = false",
        )?
        .shape(shape)
        .gradient(gradient)
        // Sums of products depend on the order of additions.
        .tolerance(1e-5),
        |build| {
            let side = |attr| Ok(Side { transpose: build.bool(attr)?, conjugate: false });
            Ok(KernelBox::new(MatMul { a: side("transpose_a")?, b: side("transpose_b")? }))
        },
    )
}

struct MatMul {
    a: Side,
    b: Side,
}

impl Kernel for MatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let product = two_matrices(cx, "MatMul", self.a, self.b)?;
        cx.set_output(0, product);
        Ok(())
    }
}

/// The product of inputs 0 and 1, which must be matrices.
pub(super) fn two_matrices(cx: &OpContext<'_>, op: &str, a: Side, b: Side) -> Result<Tensor> {
    let (x, y) = (cx.input(0), cx.input(1));
    if x.rank() != y.rank() {
        return Err(Status::invalid_argument(format!(
            "{op}: In[0] and In[1] has different ndims: {} vs. {}",
            x.shape(),
            y.shape()
        )));
    }
    if x.rank() != 2 {
        return Err(cx.bad_input(
            0,
            format!("In[0] ndims must be >= 2 and exactly 2 for a matrix: {}", x.rank()),
        ));
    }
    multiply(cx.parallel(), op, x, a, y, b)
}

pub(super) fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    let (ta, tb) =
        (cx.node().bool("transpose_a")? as usize, cx.node().bool("transpose_b")? as usize);
    cx.merge_dim(a.dim(1 - ta), b.dim(tb))?;
    cx.set_output(0, PartialShape::matrix(a.dim(ta), b.dim(1 - tb)));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (ta, tb) = (cx.node().bool("transpose_a")?, cx.node().bool("transpose_b")?);
    let grad = cx.grad(0)?;
    let (mut a, mut b) = (cx.input(0), cx.input(1));
    if cx.dtype(a).is_complex() {
        (a, b) = (cx.op("Conj", &[a])?, cx.op("Conj", &[b])?);
    }
    let mut product = |x, tx: bool, y, ty: bool, which: &str| {
        let attrs = Attrs::new().with("transpose_a", tx).with("transpose_b", ty).with(which, true);
        cx.op_with("MatMul", &[x, y], attrs).map(Gradient::Dense)
    };
    let grad_a = if ta {
        product(b, tb, grad, true, "grad_a")?
    } else {
        product(grad, false, b, !tb, "grad_a")?
    };
    let grad_b = if tb {
        product(grad, true, a, ta, "grad_b")?
    } else {
        product(a, !ta, grad, false, "grad_b")?
    };
    Ok(vec![grad_a, grad_b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex64;

    #[test]
    fn all_orientations() {
        // [[1,2,3],[4,5,6]] times its transpose.
        let a = Tensor::from_vec([2, 3], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
        let t = Tensor::from_vec([3, 2], vec![1f32, 4., 2., 5., 3., 6.]).unwrap();
        for (x, tx) in [(&a, false), (&t, true)] {
            for (y, ty) in [(&t, false), (&a, true)] {
                let out = OpTest::new(register, "MatMul")
                    .attr("transpose_a", tx)
                    .attr("transpose_b", ty)
                    .input(x.clone())
                    .input(y.clone())
                    .run_one()
                    .unwrap();
                assert_eq!(out.as_slice::<f32>().unwrap(), &[14., 32., 32., 77.]);
            }
        }
    }

    #[test]
    fn edges_and_bad_inputs() {
        let matrix = |m: usize, n: usize| Tensor::from_vec([m, n], vec![1i32; m * n]).unwrap();
        let run =
            |x: Tensor, y: Tensor| OpTest::new(register, "MatMul").input(x).input(y).run_one();
        assert_eq!(run(matrix(2, 0), matrix(0, 1)).unwrap().as_slice::<i32>().unwrap(), &[0, 0]);
        assert_eq!(run(matrix(0, 3), matrix(3, 1)).unwrap().dims(), &[0, 1]);
        assert!(
            run(matrix(2, 3), matrix(2, 3))
                .unwrap_err()
                .message()
                .contains("Matrix size-incompatible: In[0]")
        );
        assert!(run(Tensor::vector(&[1i32]).unwrap(), matrix(1, 1)).is_err());
        let i = Complex64::new(0.0, 1.0);
        let c = Tensor::from_vec([1, 1], vec![i]).unwrap();
        let out = run(c.clone(), c).unwrap();
        assert_eq!(out.as_slice::<Complex64>().unwrap(), &[Complex64::new(-1.0, 0.0)]);
    }
}
