//! SparseTensorDenseMatMul: a sparse matrix times a dense one.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor, bf16, f16};

use crate::indices::Indices;
use crate::numbers::Number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T) \
                -> (product: T)
                T: type
                Tindices: {int32, int64} = int64
                adjoint_a: bool = false
                adjoint_b: bool = false",
        )?
        .shape(shape)
        .gradient(gradient)
        // Sums run in the order of the entries, TensorFlow's in blocks of a few.
        .tolerance(1e-5),
        |build| {
            Ok(KernelBox::new(MatMul {
                adjoint_a: build.bool("adjoint_a")?,
                adjoint_b: build.bool("adjoint_b")?,
            }))
        },
    )
}

struct MatMul {
    adjoint_a: bool,
    adjoint_b: bool,
}

impl Kernel for MatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, values, a_shape, b) = (cx.input(0), cx.input(1), cx.input(2), cx.input(3));
        let checks = [
            (b.rank() == 2, "Tensor 'b' is not a matrix"),
            (a_shape.rank() == 1, "Tensor 'a_shape' is not a vector"),
            (a_shape.len() == 2, "Tensor 'a_shape' must have 2 elements"),
            (values.rank() == 1, "Tensor 'a_values' is not a vector"),
            (indices.rank() == 2, "Tensor 'a_indices' is not a matrix"),
            (
                indices.dims().first() == Some(&values.len()),
                "Number of rows of a_indices does not match number of entries in a_values",
            ),
            (
                indices.dims().get(1) == Some(&2),
                "Number of columns of a_indices does not match number of entries in a_shape",
            ),
        ];
        if let Some((_, problem)) = checks.iter().find(|(holds, _)| !holds) {
            return Err(Status::invalid_argument(*problem));
        }
        let dims = Shape::from_i64(a_shape.as_slice::<i64>()?)?;
        let (rows, inner) = if self.adjoint_a { (dims[1], dims[0]) } else { (dims[0], dims[1]) };
        let (b_inner, columns) =
            if self.adjoint_b { (b.dims()[1], b.dims()[0]) } else { (b.dims()[0], b.dims()[1]) };
        if inner != b_inner {
            return Err(Status::invalid_argument(format!(
                "Cannot multiply A and B because inner dimension does not match: {inner} vs. \
                 {b_inner}.  Did you forget a transpose?  Dimensions of A: [{}, {}).  Dimensions of \
                 B: {}",
                dims[0],
                dims[1],
                b.shape()
            )));
        }
        let size = Size { rows, inner, columns };
        let output = match b.dtype() {
            DataType::Float => self.multiply::<f32>(indices, values, b, size),
            DataType::Double => self.multiply::<f64>(indices, values, b, size),
            DataType::Int32 => self.multiply::<i32>(indices, values, b, size),
            DataType::Complex64 => {
                self.multiply::<downpour_tensor::Complex64>(indices, values, b, size)
            }
            DataType::Complex128 => {
                self.multiply::<downpour_tensor::Complex128>(indices, values, b, size)
            }
            // The short types are summed in float.
            DataType::Half => {
                let product = self.multiply::<f32>(
                    indices,
                    &widened(values, f16::to_f32)?,
                    &widened(b, f16::to_f32)?,
                    size,
                )?;
                narrowed(&product, f16::from_f32)
            }
            DataType::BFloat16 => {
                let product = self.multiply::<f32>(
                    indices,
                    &widened(values, bf16::to_f32)?,
                    &widened(b, bf16::to_f32)?,
                    size,
                )?;
                narrowed(&product, bf16::from_f32)
            }
            other => Err(downpour_tensor::unsupported_dtype("SparseTensorDenseMatMul", other)),
        }?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn widened<T: Element>(tensor: &Tensor, f: fn(T) -> f32) -> Result<Tensor> {
    let values = tensor.as_slice::<T>()?;
    Tensor::build(tensor.shape(), |out: &mut [f32]| {
        out.iter_mut().zip(values).for_each(|(o, &v)| *o = f(v));
    })
}

fn narrowed<T: Element>(tensor: &Tensor, f: fn(f32) -> T) -> Result<Tensor> {
    let values = tensor.as_slice::<f32>()?;
    Tensor::build(tensor.shape(), |out: &mut [T]| {
        out.iter_mut().zip(values).for_each(|(o, &v)| *o = f(v));
    })
}

#[derive(Clone, Copy)]
struct Size {
    rows: usize,
    inner: usize,
    columns: usize,
}

impl MatMul {
    fn multiply<T: Number>(
        &self,
        indices: &Tensor,
        values: &Tensor,
        b: &Tensor,
        size: Size,
    ) -> Result<Tensor> {
        let mut output = Tensor::zeros(T::DTYPE, [size.rows, size.columns])?;
        if output.is_empty() || b.is_empty() {
            return Ok(output);
        }
        let out = output.as_mut_slice::<T>().expect("a new tensor has one owner and this dtype");
        let coordinates = Indices::of(indices)?;
        let (left, right) = if self.adjoint_a { (1, 0) } else { (0, 1) };
        let conjugated;
        let b = if self.adjoint_b {
            conjugated = adjoint::<T>(b)?;
            &conjugated[..]
        } else {
            b.as_slice::<T>()?
        };
        for (i, &value) in values.as_slice::<T>()?.iter().enumerate() {
            let (m, k) = (coordinates.get(2 * i + left), coordinates.get(2 * i + right));
            if k as u64 >= size.inner as u64 {
                return Err(out_of_bounds("k", k, i, right, size.inner));
            }
            if m as u64 >= size.rows as u64 {
                return Err(out_of_bounds("m", m, i, left, size.rows));
            }
            let value = if self.adjoint_a { value.conjugate() } else { value };
            let target = &mut out[m as usize * size.columns..][..size.columns];
            let source = &b[k as usize * size.columns..][..size.columns];
            for (o, &s) in target.iter_mut().zip(source) {
                *o = o.plus(value.times(s));
            }
        }
        Ok(output)
    }
}

fn out_of_bounds(name: &str, index: i64, i: usize, column: usize, limit: usize) -> Status {
    Status::invalid_argument(format!(
        "{name} ({index}) from index[{i},{column}] out of bounds (>={limit})"
    ))
}

/// The conjugate transpose of a matrix, in row-major order.
fn adjoint<T: Number>(matrix: &Tensor) -> Result<Vec<T>> {
    let (rows, columns) = (matrix.dims()[0], matrix.dims()[1]);
    let source = matrix.as_slice::<T>()?;
    let mut out = Vec::with_capacity(source.len());
    for column in 0..columns {
        out.extend((0..rows).map(|row| source[row * columns + column].conjugate()));
    }
    Ok(out)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 2)?;
    cx.with_rank(1, 1)?;
    let b = cx.with_rank(3, 2)?;
    let a = cx.shape_from_input(2)?;
    let a = cx.merge(&a, &PartialShape::of_rank(2))?;
    let (adjoint_a, adjoint_b) = (cx.node().bool("adjoint_a")?, cx.node().bool("adjoint_b")?);
    let pick = |shape: &PartialShape, swap: bool, i: usize| shape.dim(if swap { 1 - i } else { i });
    cx.merge_dim(pick(&a, adjoint_a, 1), pick(&b, adjoint_b, 0))?;
    cx.set_output(0, PartialShape::matrix(pick(&a, adjoint_a, 0), pick(&b, adjoint_b, 1)));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (indices, values, a_shape, b) = (cx.input(0), cx.input(1), cx.input(2), cx.input(3));
    let (adjoint_a, adjoint_b) = (cx.node().bool("adjoint_a")?, cx.node().bool("adjoint_b")?);
    let complex = cx.dtype(b).is_complex();
    let permutation = cx.constant(Tensor::vector(&[1i32, 0])?)?;
    let transpose = if complex { "ConjugateTranspose" } else { "Transpose" };

    let attrs = Attrs::new().with("adjoint_a", !adjoint_a);
    let mut db = cx.op_with("SparseTensorDenseMatMul", &[indices, values, a_shape, grad], attrs)?;
    if adjoint_b {
        db = cx.op(transpose, &[db, permutation])?;
    }

    // Entry (m, k) of the sparse matrix sees row m of the gradient and row k of b.
    let axis = cx.scalar(1i32)?;
    let mut columns = Vec::with_capacity(2);
    for i in 0..2i32 {
        let column = cx.scalar(i)?;
        columns.push(cx.op("GatherV2", &[indices, column, axis])?);
    }
    let (m, k) = if adjoint_a { (columns[1], columns[0]) } else { (columns[0], columns[1]) };
    let first = cx.scalar(0i32)?;
    let left = cx.op("GatherV2", &[grad, m, first])?;
    let rows = if adjoint_b { cx.op(transpose, &[b, permutation])? } else { b };
    let mut right = cx.op("GatherV2", &[rows, k, first])?;
    if complex {
        right = cx.op("Conj", &[right])?;
    }
    let products = cx.op("Mul", &[left, right])?;
    let mut dv = cx.op("Sum", &[products, axis])?;
    if complex && adjoint_a {
        dv = cx.op("Conj", &[dv])?;
    }
    Ok(vec![Gradient::None, Gradient::Dense(dv), Gradient::None, Gradient::Dense(db)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex64;

    fn test(index: i64, b: Tensor) -> OpTest {
        OpTest::new(register, "SparseTensorDenseMatMul")
            .input(Tensor::from_vec([2, 2], vec![0i64, 1, 1, index]).unwrap())
            .input(Tensor::vector(&[2f32, 3.0]).unwrap())
            .input(Tensor::vector(&[2i64, 3]).unwrap())
            .input(b)
    }

    #[test]
    fn products_and_adjoints() {
        let b = Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let y = test(2, b).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[6.0, 8.0, 15.0, 18.0]);
        let b = Tensor::from_vec([1, 2], vec![1f32, 10.0]).unwrap();
        let y = test(2, b).attr("adjoint_a", true).attr("adjoint_b", true).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 2.0, 30.0]);
        let i = Complex64::new(0.0, 1.0);
        let y = OpTest::new(register, "SparseTensorDenseMatMul")
            .input(Tensor::from_vec([1, 2], vec![0i64, 0]).unwrap())
            .input(Tensor::vector(&[i]).unwrap())
            .input(Tensor::vector(&[1i64, 1]).unwrap())
            .input(Tensor::from_vec([1, 1], vec![i]).unwrap())
            .attr("adjoint_a", true)
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<Complex64>().unwrap(), &[Complex64::new(1.0, 0.0)]);
    }

    #[test]
    fn bad_indices_and_shapes_are_refused() {
        let b = || Tensor::from_vec([3, 1], vec![1f32, 2.0, 3.0]).unwrap();
        let e = test(3, b()).run_one().unwrap_err();
        assert!(e.message().contains("k (3) from index[1,1] out of bounds (>=3)"), "{e}");
        assert!(test(-1, b()).run_one().is_err());
        assert!(test(0, Tensor::from_vec([2, 1], vec![1f32, 2.0]).unwrap()).run_one().is_err());
        assert!(test(0, Tensor::vector(&[1f32]).unwrap()).run_one().is_err());
    }
}
