//! Element-wise arithmetic of a sparse and a dense tensor: SparseDenseCwise* and SparseTensorDenseAdd.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Element, RealNumber, Result, Status, Tensor, dispatch_real};

use super::coo::Coo;
use crate::numbers::{Number, dispatch_number};

const NUMBERS: &str = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, \
    quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |name: &str| {
        let signature = format!(
            "{name}(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> (output: T)
                {NUMBERS}"
        );
        OpSpec::new(&signature).map(|spec| spec.shape(cwise_shape))
    };
    registry.add(spec("SparseDenseCwiseMul")?.gradient(cwise_gradient), |_| {
        Ok(KernelBox::new(Cwise(Operation::Mul)))
    })?;
    registry.add(spec("SparseDenseCwiseDiv")?.gradient(cwise_gradient), |_| {
        Ok(KernelBox::new(Cwise(Operation::Div)))
    })?;
    registry.add(spec("SparseDenseCwiseAdd")?, |_| Ok(KernelBox::new(Cwise(Operation::Add))))?;
    let add = format!(
        "SparseTensorDenseAdd(a_indices: Tindices, a_values: T, a_shape: Tindices, b: T) \
            -> (output: T)
            {NUMBERS}
            Tindices: {{int32, int64}}"
    );
    registry.add(OpSpec::new(&add)?.shape(add_shape).gradient(add_gradient), |_| {
        Ok(KernelBox::function(dense_add))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Operation {
    Mul,
    Div,
    Add,
}

struct Cwise(Operation);

impl Kernel for Cwise {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let coo = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
        let dense = cx.input(3);
        if coo.rank() == 0 {
            return Err(Status::invalid_argument(
                "The shape argument requires at least one element.",
            ));
        }
        let shape = coo.dense_shape()?;
        let missing = shape.rank().checked_sub(dense.rank());
        let fits = missing
            .is_some_and(|m| dense.dims().iter().zip(&shape[m..]).all(|(&d, &s)| d == s || d == 1));
        let (true, Some(missing)) = (fits, missing) else {
            return Err(Status::invalid_argument(format!(
                "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible \
                 shapes: {shape} vs. {}",
                dense.shape()
            )));
        };
        if (0..coo.len()).any(|i| !coo.inside(i)) {
            return Err(Status::invalid_argument(
                "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape",
            ));
        }
        // Steps through the dense side; none along an axis it is broadcast over.
        let mut steps = vec![0; shape.rank()];
        for (i, stride) in dense.shape().strides().iter().enumerate() {
            if dense.dims()[i] != 1 {
                steps[missing + i] = *stride;
            }
        }
        let output = dispatch_real!(dense.dtype(), "SparseDenseCwise", T => {
            self.apply::<T>(&coo, dense.as_slice()?, &steps)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Cwise {
    fn apply<T: RealNumber>(&self, coo: &Coo<'_>, dense: &[T], steps: &[usize]) -> Result<Tensor> {
        let values = coo.values.as_slice::<T>()?;
        let mut out = Vec::with_capacity(values.len());
        for (row, &value) in coo.rows().zip(values) {
            let at: usize = row.iter().zip(steps).map(|(&x, s)| x as usize * s).sum();
            let other = dense[at];
            out.push(match self.0 {
                Operation::Mul => value.mul_w(other),
                Operation::Add => value.add_w(other),
                Operation::Div if other == T::zero() => {
                    return Err(Status::invalid_argument(
                        "SparseDenseCwiseDiv cannot divide by zero,but input dense tensor \
                         contains zero ",
                    ));
                }
                Operation::Div => quotient(value, other),
            });
        }
        Tensor::vector(&out)
    }
}

/// Division by a number that is not zero; the smallest integer divided by -1 wraps.
fn quotient<T: RealNumber>(a: T, b: T) -> T {
    let minus_one = T::zero().sub_w(T::one());
    let signed = T::min_value() < T::zero();
    if T::IS_INTEGER && signed && b == minus_one { T::zero().sub_w(a) } else { a / b }
}

fn dense_add(cx: &mut OpContext<'_>) -> Result<()> {
    let mut output = cx.take(3);
    let (indices, values, shape) = (cx.input(0), cx.input(1), cx.input(2));
    if indices.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "Input a_indices should be a matrix but received shape: {}",
            indices.shape()
        )));
    }
    if values.rank() != 1 || shape.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Inputs a_values and a_shape should be vectors but received shapes: {} and {}",
            values.shape(),
            shape.shape()
        )));
    }
    if shape.len() != output.rank() {
        return Err(Status::invalid_argument(format!(
            "Two operands have different ranks; received: {} and {}",
            shape.len(),
            output.rank()
        )));
    }
    let dims = shape.to_i64_vec()?;
    for (i, (&a, &b)) in dims.iter().zip(output.dims()).enumerate() {
        if a != b as i64 {
            return Err(Status::invalid_argument(format!(
                "Dimension {i} does not equal (no broadcasting is supported): sparse side {a} vs \
                 dense side {b}"
            )));
        }
    }
    let rows = indices.to_i64_vec()?;
    let rows = Tensor::from_vec(indices.shape(), rows)?;
    let dims = Tensor::vector(&dims)?;
    let coo = Coo::new(&rows, values, &dims)?;
    coo.check_bounds().map_err(|e| {
        Status::invalid_argument(format!("Sparse tensor has some invalid index: {}", e.message()))
    })?;
    let strides = output.shape().strides();
    dispatch_number!(values.dtype(), "SparseTensorDenseAdd", T => {
        add_at::<T>(&mut output, &coo, &strides)
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn add_at<T: Element + Number>(
    output: &mut Tensor,
    coo: &Coo<'_>,
    strides: &[usize],
) -> Result<()> {
    if !output.is_unique() {
        *output = output.deep_copy()?;
    }
    let out = output.as_mut_slice::<T>().expect("nobody else holds the copy");
    for (row, &value) in coo.rows().zip(coo.values.as_slice::<T>()?) {
        let at: usize = row.iter().zip(strides).map(|(&x, s)| x as usize * s).sum();
        out[at] = out[at].plus(value);
    }
    Ok(())
}

fn cwise_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let indices = cx.with_rank(0, 2)?;
    cx.set_output(0, PartialShape::vector(indices.dim(0)));
    Ok(())
}

fn add_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.input(3).clone();
    cx.set_output(0, shape);
    Ok(())
}

/// The gradients of a product or quotient; the dense side gets sums where it was broadcast.
fn cwise_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let product = cx.node().op_name() == "SparseDenseCwiseMul";
    let (grad, indices, values) = (cx.grad(0)?, cx.input(0), cx.input(1));
    let (shape, dense) = (cx.input(2), cx.input(3));
    let long = Attrs::new().with("out_type", DataType::Int64);
    let dense_shape = cx.op_with("Shape", &[dense], long)?;
    let (rank, dense_rank) = (cx.op("Size", &[shape])?, cx.op("Size", &[dense_shape])?);
    let added = cx.op("Sub", &[rank, dense_rank])?;
    let vector = cx.constant(Tensor::vector(&[1i32])?)?;
    let added = cx.op("Reshape", &[added, vector])?;
    let (one, axis) = (cx.scalar(1i64)?, cx.scalar(0i32)?);
    let ones = cx.op("Fill", &[added, one])?;
    let extended = cx.op("ConcatV2", &[ones, dense_shape, axis])?;
    let scale = cx.op("FloorDiv", &[shape, extended])?;
    let scaled = cx.op("FloorDiv", &[indices, scale])?;
    let zero = cx.constant(Tensor::vector(&[0i32])?)?;
    let begin = cx.op("ConcatV2", &[zero, added, axis])?;
    let size = cx.constant(Tensor::vector(&[-1i32, -1])?)?;
    let places = cx.op("Slice", &[scaled, begin, size])?;
    let picked = cx.op("GatherNd", &[dense, places])?;
    let (to_values, slope) = if product {
        (cx.op("Mul", &[grad, picked])?, values)
    } else {
        let negative = cx.op("Neg", &[values])?;
        let square = cx.op("Square", &[picked])?;
        (cx.op("RealDiv", &[grad, picked])?, cx.op("RealDiv", &[negative, square])?)
    };
    let at_dense = cx.op("Mul", &[grad, slope])?;
    let to_dense = cx.op("ScatterNd", &[places, at_dense, dense_shape])?;
    Ok(vec![Gradient::None, Gradient::Dense(to_values), Gradient::None, Gradient::Dense(to_dense)])
}

fn add_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let indices = cx.input(0);
    let values = cx.op("GatherNd", &[grad, indices])?;
    Ok(vec![Gradient::None, Gradient::Dense(values), Gradient::None, Gradient::Dense(grad)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn cwise(op: &str, indices: [i64; 4], dense: Tensor) -> Result<Tensor> {
        OpTest::new(register, op)
            .input(Tensor::from_slice([2, 2], &indices)?)
            .input(Tensor::vector(&[6i32, i32::MIN])?)
            .input(Tensor::vector(&[2i64, 3])?)
            .input(dense)
            .run_one()
    }

    #[test]
    fn the_dense_side_broadcasts() {
        let row = || Tensor::vector(&[2i32, 7, -1]).unwrap();
        let y = cwise("SparseDenseCwiseMul", [0, 0, 1, 1], row()).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[12, i32::MIN]);
        let y = cwise("SparseDenseCwiseDiv", [0, 0, 1, 2], row()).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, i32::MIN]);
        let column = Tensor::from_vec([2, 1], vec![1i32, 2]).unwrap();
        let y = cwise("SparseDenseCwiseAdd", [0, 2, 1, 2], column).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[7, i32::MIN + 2]);
    }

    #[test]
    fn bad_shapes_indices_and_zeros_are_refused() {
        let e = cwise("SparseDenseCwiseMul", [0, 0, 1, 1], Tensor::vector(&[1i32, 2]).unwrap());
        assert!(e.unwrap_err().message().contains("broadcasts dense to sparse only"));
        let row = || Tensor::vector(&[0i32, 0, 0]).unwrap();
        assert!(cwise("SparseDenseCwiseMul", [0, 0, 1, 3], row()).is_err());
        assert!(cwise("SparseDenseCwiseDiv", [0, 0, 1, 1], row()).is_err());
        let cube = Tensor::from_vec([1, 2, 3], vec![1i32; 6]).unwrap();
        assert!(cwise("SparseDenseCwiseMul", [0, 0, 1, 1], cube).is_err());
    }

    #[test]
    fn a_sparse_tensor_is_added_to_a_dense_one() {
        let run = |index: i32| {
            OpTest::new(register, "SparseTensorDenseAdd")
                .input(Tensor::from_vec([2, 1], vec![1i32, index]).unwrap())
                .input(Tensor::vector(&[10f32, 20.0]).unwrap())
                .input(Tensor::vector(&[3i32]).unwrap())
                .input(Tensor::vector(&[1f32, 2.0, 3.0]).unwrap())
                .run_one()
        };
        assert_eq!(run(1).unwrap().as_slice::<f32>().unwrap(), &[1.0, 32.0, 3.0]);
        assert!(run(3).is_err());
        assert!(run(-1).is_err());
    }

    #[test]
    fn shapes_must_agree() {
        let shape = [2, 2];
        let bad = OpTest::new(register, "SparseTensorDenseAdd")
            .input(Tensor::from_vec([1, 1], vec![0i64]).unwrap())
            .input(Tensor::vector(&[1f32]).unwrap())
            .input(Tensor::vector(&[2i64]).unwrap())
            .input(Tensor::from_vec(shape, vec![0f32; 4]).unwrap())
            .run_one();
        assert!(bad.is_err());
    }
}
