//! SparseToDense: values at their coordinates, a default everywhere else.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::coo::Coo;
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, \
                default_value: T) -> (dense: T)
                validate_indices: bool = true
                T: type
                Tindices: {int32, int64}",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(ToDense { validate: build.bool("validate_indices")? })),
    )
}

struct ToDense {
    validate: bool,
}

impl Kernel for ToDense {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, shape) = (cx.input(0), cx.input(1));
        let (values, default) = (cx.input(2), cx.input(3));
        let (count, rank) = match *indices.dims() {
            [] => (1, 1),
            [n] => (n, 1),
            [n, rank] => (n, rank),
            _ => {
                return Err(Status::invalid_argument(format!(
                    "sparse_indices should be a scalar, vector, or matrix, got shape {}",
                    indices.shape()
                )));
            }
        };
        if shape.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "output_shape must be rank 1, got shape {}",
                shape.shape()
            )));
        }
        if shape.len() != rank {
            return Err(Status::invalid_argument(format!(
                "output_shape has incorrect number of elements: {} should be: {rank}",
                shape.len()
            )));
        }
        if values.rank() != 0 && values.dims() != [count] {
            return Err(Status::invalid_argument(format!(
                "sparse_values has incorrect shape {}, should be [] or [{count}]",
                values.shape()
            )));
        }
        if default.rank() != 0 {
            return Err(Status::invalid_argument("default_value should be a scalar."));
        }
        let dims = shape.to_i64_vec()?;
        let output_shape = Shape::from_i64(&dims)?;
        let indices = indices.to_i64_vec()?;
        // Only coordinates are checked; one value may stand for all of them.
        let stand_in = Tensor::zeros(downpour_tensor::DataType::Int8, [count])?;
        let coo = Coo { indices: &indices, values: &stand_in, shape: &dims };
        if self.validate {
            coo.check_order()?;
        } else if let Some(i) = (0..count).find(|&i| !coo.inside(i)) {
            return Err(Status::invalid_argument(format!(
                "Indices are not valid (out of bounds).  Shape: {output_shape}, index {:?}",
                coo.row(i)
            )));
        }
        let output = dispatch_units!(values.dtype(), T => {
            fill::<T>(&coo, values, default, output_shape)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn fill<T: Unit>(coo: &Coo<'_>, values: &Tensor, default: &Tensor, shape: Shape) -> Result<Tensor> {
    let strides = shape.strides();
    let (source, default) = (T::view(values)?, T::view(default)?);
    T::build(values.dtype(), shape, |out| {
        out.fill(default[0].clone());
        for (i, row) in coo.rows().enumerate() {
            let at: usize = row.iter().zip(&strides).map(|(&x, s)| x as usize * s).sum();
            out[at] = source[if values.rank() == 0 { 0 } else { i }].clone();
        }
        Ok(())
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let out = cx.shape_from_input(1)?;
    cx.set_output(0, out);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let indices = cx.input(0);
    let values = cx.op("GatherNd", &[grad, indices])?;
    let axis = cx.constant(Tensor::vector(&[-1i32])?)?;
    let flat = cx.op("Reshape", &[grad, axis])?;
    let first = cx.constant(Tensor::vector(&[0i32])?)?;
    let all = cx.op("Sum", &[flat, first])?;
    let used = cx.op("Reshape", &[values, axis])?;
    let used = cx.op("Sum", &[used, first])?;
    let default = cx.op("Sub", &[all, used])?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(values), Gradient::Dense(default)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn test(indices: Tensor, shape: &[i32], values: Tensor, default: Tensor) -> OpTest {
        OpTest::new(register, "SparseToDense")
            .input(indices)
            .input(Tensor::vector(shape).unwrap())
            .input(values)
            .input(default)
    }

    #[test]
    fn matrices_vectors_and_strings() {
        let i = Tensor::from_vec([2, 2], vec![0i32, 1, 1, 0]).unwrap();
        let v = Tensor::vector(&[5f32, 6.0]).unwrap();
        let y = test(i, &[2, 2], v, Tensor::scalar(-1f32)).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[-1.0, 5.0, 6.0, -1.0]);
        let i = Tensor::vector(&[1i32, 2]).unwrap();
        let y = test(i, &[3], Tensor::string("x"), Tensor::string("")).run_one().unwrap();
        assert_eq!(y.strings().unwrap(), &["", "x", "x"].map(ByteString::from));
    }

    #[test]
    fn bad_coordinates_are_refused() {
        let run = |i: [i32; 2], validate: bool| {
            test(
                Tensor::vector(&i).unwrap(),
                &[3],
                Tensor::vector(&[1i32, 2]).unwrap(),
                Tensor::scalar(0i32),
            )
            .attr("validate_indices", validate)
            .run_one()
        };
        assert!(run([0, 3], true).unwrap_err().message().contains("out of bounds"));
        assert!(run([2, 1], true).unwrap_err().message().contains("out of order"));
        assert!(run([1, 1], true).unwrap_err().message().contains("repeated"));
        assert!(run([2, 1], false).is_ok());
        assert!(run([2, -1], false).is_err());
    }
}
