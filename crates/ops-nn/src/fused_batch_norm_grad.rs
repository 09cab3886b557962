//! FusedBatchNormGrad and its later versions.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::channels::Layout;
use crate::float::{from_f32, to_f32};
use crate::fused_batch_norm::{channels_first, expect_channels, expect_vector, rank_and_axis};
use crate::fused_batch_norm_grad_grad;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) -> (x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T)
                T: {float}
                epsilon: float = 0.0001
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(fused_batch_norm_grad_grad::gradient)
        .tolerance(1e-5),
        kernel,
    )?;
    registry.add(
        OpSpec::new(
            "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U)
                T: {half, bfloat16, float}
                U: {float}
                epsilon: float = 0.0001
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(fused_batch_norm_grad_grad::gradient)
        .tolerance(1e-5),
        kernel,
    )?;
    registry.add(
        OpSpec::new(
            "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U, reserve_space_5: U)
                T: {half, bfloat16, float}
                U: {float}
                epsilon: float = 0.0001
                data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(fused_batch_norm_grad_grad::gradient)
        .tolerance(1e-5),
        kernel,
    )
}

fn kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(FusedBatchNormGrad {
        epsilon: build.float("epsilon")?,
        training: build.bool("is_training")?,
        channels_first: channels_first(build)?,
    }))
}

struct FusedBatchNormGrad {
    epsilon: f32,
    training: bool,
    channels_first: bool,
}

impl Kernel for FusedBatchNormGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let layout = self.check(cx)?;
        let channels = layout.channels;
        let (dtype, shape) = (cx.input(1).dtype(), cx.input(1).shape().clone());
        for i in 3..5 {
            cx.set_output(i, Tensor::zeros(DataType::Float, [0])?);
        }
        if shape.elements() == 0 {
            cx.set_output(0, Tensor::zeros(dtype, &shape)?);
            cx.set_output(1, Tensor::zeros(DataType::Float, [channels])?);
            cx.set_output(2, Tensor::zeros(DataType::Float, [channels])?);
            return Ok(());
        }
        let (grad, x) = (to_f32(cx.input(0))?, to_f32(cx.input(1))?);
        let (grad, x) = (grad.as_slice::<f32>()?, x.as_slice::<f32>()?);
        let scale = cx.input(2).as_slice::<f32>()?;
        let mean = cx.input(3).as_slice::<f32>()?;
        let variance = cx.input(4).as_slice::<f32>()?;

        let inverse_deviation: Vec<f32> =
            variance.iter().map(|v| 1.0 / (v + self.epsilon).sqrt()).collect();
        let offset_grad = layout.sums(cx.parallel(), grad, grad, mean, |g, _, _| g);
        let centred = layout.sums(cx.parallel(), grad, x, mean, |g, x, mean| g * (x - mean));
        let scale_grad: Vec<f32> =
            centred.iter().zip(&inverse_deviation).map(|(c, d)| c * d).collect();
        let outer: Vec<f32> = scale.iter().zip(&inverse_deviation).map(|(s, d)| s * d).collect();
        let x_grad = if self.training {
            let count = layout.count() as f32;
            let grad_mean: Vec<f32> = offset_grad.iter().map(|g| g / count).collect();
            let slope: Vec<f32> =
                centred.iter().zip(&inverse_deviation).map(|(c, d)| d * d * (c / count)).collect();
            let parameters = [&outer[..], &grad_mean, mean, &slope];
            layout.map(cx, &shape, grad, x, parameters, |g, x, p| {
                p[0] * ((g - p[1]) - (x - p[2]) * p[3])
            })?
        } else {
            let parameters = [&outer[..]; 4];
            layout.map(cx, &shape, grad, x, parameters, |g, _, p| g * p[0])?
        };
        cx.set_output(0, from_f32(x_grad, dtype)?);
        cx.set_output(1, Tensor::vector(&scale_grad)?);
        cx.set_output(2, Tensor::vector(&offset_grad)?);
        Ok(())
    }
}

impl FusedBatchNormGrad {
    fn check(&self, cx: &OpContext<'_>) -> Result<Layout> {
        let (grad, x) = (cx.input(0), cx.input(1));
        Layout::new(grad.shape(), self.channels_first)?;
        let layout = Layout::new(x.shape(), self.channels_first)?;
        expect_vector(cx.input(2), "scale")?;
        expect_vector(cx.input(3), "saved mean")?;
        expect_vector(cx.input(4), "saved variance")?;
        if grad.shape() != x.shape() {
            return Err(Status::invalid_argument(format!(
                "x and y_backprop must have same shape, but x has shape {} and y_backprop has \
                 shape {}",
                x.shape(),
                grad.shape()
            )));
        }
        expect_channels(cx.input(2), "scale", "", layout.channels)?;
        expect_channels(cx.input(3), "reserve_space_1", "", layout.channels)?;
        expect_channels(cx.input(4), "reserve_space_2", "", layout.channels)?;
        Ok(layout)
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (rank, axis) = rank_and_axis(&cx.node().attrs)?;
    let grad = cx.with_rank(0, rank)?;
    let x = cx.with_rank(1, rank)?;
    let mut channels = cx.merge_dim(grad.dim(axis), x.dim(axis))?;
    for i in 2..5 {
        channels = cx.merge_dim(channels, cx.with_rank(i, 1)?.dim(0))?;
    }
    let mut dims: Vec<_> = (0..rank).map(|i| grad.dim(i)).collect();
    dims[axis] = channels;
    cx.set_output(0, PartialShape::of(dims));
    for i in 1..3 {
        cx.set_output(i, PartialShape::vector(channels));
    }
    for i in 3..5 {
        cx.set_output(i, PartialShape::vector(Some(0)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(training: bool, format: &'static str, dims: [usize; 4]) -> Vec<Vec<f32>> {
        let vector = |v: f32| Tensor::vector(&[v]).unwrap();
        OpTest::new(register, "FusedBatchNormGradV3")
            .attr("is_training", training)
            .attr("data_format", format)
            .attr("epsilon", 0.0f32)
            .input(Tensor::from_slice(dims, &[1f32, 2.0, 4.0, -1.0]).unwrap())
            .input(Tensor::from_slice(dims, &[1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(vector(2.0))
            .input(vector(2.5))
            .input(vector(1.25))
            .input(Tensor::scalar(0f32))
            .run()
            .unwrap()
            .iter()
            .map(|t| t.as_slice::<f32>().unwrap().to_vec())
            .collect()
    }

    /// Numbers from TensorFlow.
    #[test]
    fn training_and_frozen() {
        for (format, dims) in [("NHWC", [2, 1, 2, 1]), ("NCHW", [2, 1, 1, 2])] {
            let out = run(true, format, dims);
            let expected = [-1.967_739_6, 0.536_656_3, 4.829_907, -3.398_823_5];
            assert!(out[0].iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{out:?}");
            assert!((out[1][0] + 1.788_854_4).abs() < 1e-5);
            assert_eq!(out[2], [6.0]);
        }
        let out = run(false, "NHWC", [2, 1, 2, 1]);
        let expected = [1.788_854_4, 3.577_708_8, 7.155_417_4, -1.788_854_4];
        assert!(out[0].iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{out:?}");
    }
}
