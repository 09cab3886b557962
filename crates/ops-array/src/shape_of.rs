//! Shape, ShapeN, Size and Rank: what a tensor looks like, as a tensor.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Shape(input: T) -> (output: out_type)
                T: type
                out_type: {int32, int64} = int32",
        )?
        .shape(shape_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(ShapeOf(build.dtype("out_type")?))),
    )?;
    registry.add(
        OpSpec::new(
            "ShapeN(input: N * T) -> (output: N * out_type)
                N: int >= 1
                T: type
                out_type: {int32, int64} = int32",
        )?
        .shape(shape_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(ShapeOf(build.dtype("out_type")?))),
    )?;
    registry.add(
        OpSpec::new(
            "Size(input: T) -> (output: out_type)
                T: type
                out_type: {int32, int64} = int32",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |build| Ok(KernelBox::new(SizeOf(build.dtype("out_type")?))),
    )?;
    registry.add(
        OpSpec::new("Rank(input: T) -> (output: int32)\n T: type")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(rank)),
    )
}

struct ShapeOf(DataType);

impl Kernel for ShapeOf {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        for i in 0..cx.inputs_len() {
            let shape = shape_tensor(cx.input(i).shape(), self.0)?;
            cx.set_output(i, shape);
        }
        Ok(())
    }
    fn expensive(&self) -> bool {
        false
    }
}

/// Sizes as an int32 or int64 vector.
pub(crate) fn shape_tensor(shape: &Shape, dtype: DataType) -> Result<Tensor> {
    if dtype == DataType::Int64 {
        return Tensor::build([shape.rank()], |out: &mut [i64]| {
            out.iter_mut().zip(shape.iter()).for_each(|(o, &d)| *o = d as i64);
        });
    }
    if let Some((i, d)) = shape.iter().enumerate().find(|(_, d)| i32::try_from(**d).is_err()) {
        return Err(Status::invalid_argument(format!(
            "Shape output type is 32-bit but dim {i} is {d}"
        )));
    }
    Tensor::build([shape.rank()], |out: &mut [i32]| {
        out.iter_mut().zip(shape.iter()).for_each(|(o, &d)| *o = d as i32);
    })
}

fn shape_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..cx.outputs_len() {
        cx.set_output(i, PartialShape::vector(cx.input(i).rank()));
    }
    Ok(())
}

struct SizeOf(DataType);

impl Kernel for SizeOf {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let size = cx.input(0).len();
        let output = match (self.0, i32::try_from(size)) {
            (DataType::Int64, _) => Tensor::scalar(size as i64),
            (_, Ok(size)) => Tensor::scalar(size),
            (_, Err(_)) => {
                return Err(Status::invalid_argument(
                    "Number of elements was larger than representable by 32-bit output type",
                ));
            }
        };
        cx.set_output(0, output);
        Ok(())
    }
    fn expensive(&self) -> bool {
        false
    }
}

fn rank(cx: &mut OpContext<'_>) -> Result<()> {
    let rank = cx.input(0).rank() as i32;
    cx.set_output(0, Tensor::scalar(rank));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn input() -> Tensor {
        Tensor::zeros(DataType::Float, [2, 0, 3]).unwrap()
    }

    #[test]
    fn shapes_sizes_and_ranks() {
        let run = |op: &str| OpTest::new(register, op).input(input()).run_one().unwrap();
        assert_eq!(run("Shape").as_slice::<i32>().unwrap(), &[2, 0, 3]);
        assert_eq!(run("Size").to_scalar::<i32>().unwrap(), 0);
        assert_eq!(run("Rank").to_scalar::<i32>().unwrap(), 3);
        let wide = OpTest::new(register, "Shape")
            .attr("out_type", DataType::Int64)
            .input(input())
            .run_one()
            .unwrap();
        assert_eq!(wide.as_slice::<i64>().unwrap(), &[2, 0, 3]);
    }

    #[test]
    fn several_shapes_at_once() {
        let shapes = OpTest::new(register, "ShapeN")
            .input(input())
            .input(Tensor::scalar(1f32))
            .run()
            .unwrap();
        assert_eq!(shapes[0].len(), 3);
        assert_eq!(shapes[1].dims(), &[0]);
    }
}
