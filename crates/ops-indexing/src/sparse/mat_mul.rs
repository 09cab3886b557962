//! SparseMatMul: a product of two dense matrices of which one has many zeros.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, bf16};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatMul(a: Ta, b: Tb) -> (product: float)
                transpose_a: bool = false
                transpose_b: bool = false
                a_is_sparse: bool = false
                b_is_sparse: bool = false
                Ta: {float, bfloat16} = float
                Tb: {float, bfloat16} = float",
        )?
        .shape(shape)
        .gradient(gradient)
        // Long sums in another order than TensorFlow's blocks.
        .tolerance(1e-5),
        |build| {
            Ok(KernelBox::new(MatMul {
                transpose_a: build.bool("transpose_a")?,
                transpose_b: build.bool("transpose_b")?,
            }))
        },
    )
}

struct MatMul {
    transpose_a: bool,
    transpose_b: bool,
}

/// Row-major floats of a matrix or its transpose.
fn floats(matrix: &Tensor, transpose: bool) -> Result<Vec<f32>> {
    let values: Vec<f32> = match matrix.dtype() {
        DataType::BFloat16 => matrix.as_slice::<bf16>()?.iter().map(|v| v.to_f32()).collect(),
        _ => matrix.as_slice::<f32>()?.to_vec(),
    };
    if !transpose {
        return Ok(values);
    }
    let (rows, columns) = (matrix.dims()[0], matrix.dims()[1]);
    Ok((0..columns)
        .flat_map(|c| (0..rows).map(move |r| (r, c)))
        .map(|(r, c)| values[r * columns + c])
        .collect())
}

impl Kernel for MatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (a, b) = (cx.input(0), cx.input(1));
        for (name, matrix) in [("a", a), ("b", b)] {
            if matrix.rank() != 2 {
                return Err(Status::invalid_argument(format!("{name} is not a matrix")));
            }
        }
        let oriented = |t: &Tensor, swap: bool| {
            if swap { (t.dims()[1], t.dims()[0]) } else { (t.dims()[0], t.dims()[1]) }
        };
        let (rows, inner) = oriented(a, self.transpose_a);
        let (b_inner, columns) = oriented(b, self.transpose_b);
        if inner != b_inner {
            return Err(Status::invalid_argument(format!(
                "Matrix size incompatible: a: {}, b: {}",
                a.shape(),
                b.shape()
            )));
        }
        let mut output = Tensor::zeros(DataType::Float, [rows, columns])?;
        if inner > 0 && !output.is_empty() {
            let (left, right) = (floats(a, self.transpose_a)?, floats(b, self.transpose_b)?);
            let out = output.as_mut_slice::<f32>().expect("a new float tensor has one owner");
            let grain = (32 * 1024 / (inner * columns)).max(1);
            cx.parallel().for_chunks(out, columns, grain, |first, chunk| {
                for (r, target) in chunk.chunks_exact_mut(columns).enumerate() {
                    let row = &left[(first + r) * inner..][..inner];
                    for (&factor, source) in row.iter().zip(right.chunks_exact(columns)) {
                        // Zeros are what this operation is for.
                        if factor != 0.0 {
                            target.iter_mut().zip(source).for_each(|(o, s)| *o += factor * s);
                        }
                    }
                }
            });
        }
        cx.set_output(0, output);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    let (swap_a, swap_b) = (cx.node().bool("transpose_a")?, cx.node().bool("transpose_b")?);
    let pick = |shape: &PartialShape, swap: bool, i: usize| shape.dim(if swap { 1 - i } else { i });
    cx.merge_dim(pick(&a, swap_a, 1), pick(&b, swap_b, 0))?;
    cx.set_output(0, PartialShape::matrix(pick(&a, swap_a, 0), pick(&b, swap_b, 1)));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (a, b) = (cx.input(0), cx.input(1));
    let (ta, tb) = (cx.node().bool("transpose_a")?, cx.node().bool("transpose_b")?);
    // Each factor's gradient as a product: left, right, and which of them are transposed.
    let (left, right) = match (ta, tb) {
        (false, false) => ((grad, b, false, true), (a, grad, true, false)),
        (false, true) => ((grad, b, false, false), (grad, a, true, false)),
        (true, false) => ((b, grad, false, true), (a, grad, false, false)),
        (true, true) => ((b, grad, true, true), (grad, a, true, true)),
    };
    let mut out = Vec::with_capacity(2);
    for ((x, y, tx, ty), factor) in [(left, a), (right, b)] {
        let attrs = Attrs::new().with("transpose_a", tx).with("transpose_b", ty);
        let mut product = cx.op_with("SparseMatMul", &[x, y], attrs)?;
        let dtype = cx.dtype(factor);
        if dtype != DataType::Float {
            product = cx.op_with("Cast", &[product], Attrs::new().with("DstT", dtype))?;
        }
        out.push(Gradient::Dense(product));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn products_with_and_without_transposition() {
        let a = || Tensor::from_vec([1, 2], vec![2f32, 0.0]).unwrap();
        let b = || Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let y = OpTest::new(register, "SparseMatMul").input(a()).input(b()).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2.0, 4.0]);
        let y = OpTest::new(register, "SparseMatMul")
            .input(a())
            .input(b())
            .attr("transpose_b", true)
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2.0, 6.0]);
        let empty = Tensor::from_vec([0, 3], Vec::<f32>::new()).unwrap();
        let none = Tensor::from_vec([2, 0], Vec::<bf16>::new()).unwrap();
        let y = OpTest::new(register, "SparseMatMul").input(none).input(empty).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0; 6]);
        assert!(OpTest::new(register, "SparseMatMul").input(b()).input(a()).run_one().is_err());
    }
}
