//! FusedBatchNorm and its later versions: normalisation per channel, with statistics of the batch
//! (training) or given ones (inference).

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext,
};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, unsupported_dtype};

use crate::channels::Layout;
use crate::float::{from_f32, to_f32};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> (y: T, batch_mean: T, batch_variance: T, reserve_space_1: T, reserve_space_2: T)
                T: {float}
                epsilon: float = 0.0001
                exponential_avg_factor: float = 1.0
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(|cx| gradient(cx, "FusedBatchNormGrad"))
        .tolerance(1e-5),
        kernel,
    )?;
    registry.add(
        OpSpec::new(
            "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U)
                T: {half, bfloat16, float}
                U: {float}
                epsilon: float = 0.0001
                exponential_avg_factor: float = 1.0
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(|cx| gradient(cx, "FusedBatchNormGradV2"))
        .tolerance(1e-5),
        kernel,
    )?;
    registry.add(
        OpSpec::new(
            "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U)
                T: {half, bfloat16, float}
                U: {bfloat16, float}
                epsilon: float = 0.0001
                exponential_avg_factor: float = 1.0
                data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'
                is_training: bool = true",
        )?
        .shape(shape)
        .gradient(|cx| gradient(cx, "FusedBatchNormGradV3"))
        .tolerance(1e-5),
        kernel,
    )
}

fn kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    if build.input_dtype(1) != DataType::Float {
        return Err(unsupported_dtype("FusedBatchNormV3 with statistics", build.input_dtype(1)));
    }
    Ok(KernelBox::new(FusedBatchNorm {
        epsilon: build.float("epsilon")?,
        factor: build.float("exponential_avg_factor")?,
        training: build.bool("is_training")?,
        channels_first: channels_first(build)?,
        reserve: build.output_types.len() == 6,
    }))
}

/// True for NCHW and NCDHW.
pub(crate) fn channels_first(attrs: &Attrs) -> Result<bool> {
    Ok(attrs.string("data_format")?.starts_with("NC"))
}

struct FusedBatchNorm {
    epsilon: f32,
    /// Weight of the batch in the running averages.
    factor: f32,
    training: bool,
    channels_first: bool,
    /// The third version has one more output, which only other devices use.
    reserve: bool,
}

impl Kernel for FusedBatchNorm {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let layout = self.check(cx)?;
        let (x_dtype, shape) = (cx.input(0).dtype(), cx.input(0).shape().clone());
        if self.reserve {
            cx.set_output(5, Tensor::scalar(0f32));
        }
        if shape.elements() == 0 {
            return self.empty(cx, x_dtype, &shape, layout.channels);
        }
        let x = to_f32(cx.input(0))?;
        let x = x.as_slice::<f32>()?;
        let scale = cx.input(1).as_slice::<f32>()?;
        let offset = cx.input(2).as_slice::<f32>()?;
        let (given_mean, given_variance) = (cx.input(3), cx.input(4));

        let statistics = match self.training {
            true => Some(self.batch_statistics(cx, &layout, x)),
            false => None,
        };
        let (mean, variance) = match &statistics {
            Some((mean, variance)) => (&mean[..], &variance[..]),
            None => (given_mean.as_slice::<f32>()?, given_variance.as_slice::<f32>()?),
        };
        let factor: Vec<f32> = variance
            .iter()
            .zip(scale)
            .map(|(v, s)| (1.0 / (v + self.epsilon).sqrt()) * s)
            .collect();
        let y = layout.map(cx, &shape, x, x, [mean, &factor, offset, offset], |x, _, p| {
            (x - p[0]) * p[1] + p[2]
        })?;

        let outputs = match &statistics {
            None => [given_mean, given_variance, given_mean, given_variance].map(Tensor::clone),
            Some((mean, variance)) => {
                let n = layout.count();
                let bessel = n as f32 / (n.max(2) - 1) as f32;
                let running = |old: &Tensor, new: &[f32], adjust: f32| -> Result<Tensor> {
                    let old = old.as_slice::<f32>()?;
                    let weight = self.factor * adjust;
                    Tensor::build([new.len()], |out: &mut [f32]| {
                        for (i, (o, v)) in out.iter_mut().zip(new).enumerate() {
                            *o = match self.factor == 1.0 {
                                true => v * adjust,
                                false => (1.0 - self.factor) * old[i] + weight * v,
                            };
                        }
                    })
                };
                [
                    running(given_mean, mean, 1.0)?,
                    running(given_variance, variance, bessel)?,
                    Tensor::vector(mean)?,
                    Tensor::vector(variance)?,
                ]
            }
        };
        cx.set_output(0, from_f32(y, x_dtype)?);
        for (i, tensor) in outputs.into_iter().enumerate() {
            cx.set_output(i + 1, tensor);
        }
        Ok(())
    }
}

impl FusedBatchNorm {
    fn check(&self, cx: &OpContext<'_>) -> Result<Layout> {
        let layout = Layout::new(cx.input(0).shape(), self.channels_first)?;
        for (i, name) in
            ["scale", "offset", "estimated_mean", "estimated_variance"].iter().enumerate()
        {
            expect_vector(cx.input(i + 1), name)?;
        }
        let uses_given = !self.training || self.factor != 1.0;
        let prefix = match self.training {
            true => "When exponential_avg_factor != 1, ",
            false => "When is_training=false, ",
        };
        let given =
            [("scale", "", 1), ("offset", "", 2), ("mean", prefix, 3), ("variance", prefix, 4)];
        for (name, prefix, i) in &given[..if uses_given { 4 } else { 2 }] {
            expect_channels(cx.input(*i), name, prefix, layout.channels)?;
        }
        Ok(layout)
    }

    /// Nothing to normalise: the averages of no values are NaN.
    fn empty(
        &self,
        cx: &mut OpContext<'_>,
        dtype: DataType,
        shape: &Shape,
        channels: usize,
    ) -> Result<()> {
        cx.set_output(0, Tensor::zeros(dtype, shape)?);
        for i in 1..5 {
            let value = if i < 3 { f32::NAN } else { 0.0 };
            cx.set_output(i, Tensor::build([channels], |out: &mut [f32]| out.fill(value))?);
        }
        Ok(())
    }

    fn batch_statistics(
        &self,
        cx: &OpContext<'_>,
        layout: &Layout,
        x: &[f32],
    ) -> (Vec<f32>, Vec<f32>) {
        let inverse = 1.0 / layout.count() as f32;
        let zeros = vec![0f32; layout.channels];
        let mut mean = layout.sums(cx.parallel(), x, x, &zeros, |x, _, _| x);
        mean.iter_mut().for_each(|m| *m *= inverse);
        let mut variance =
            layout.sums(cx.parallel(), x, x, &mean, |x, _, mean| (x - mean) * (x - mean));
        variance.iter_mut().for_each(|v| *v *= inverse);
        (mean, variance)
    }
}

pub(crate) fn expect_vector(tensor: &Tensor, name: &str) -> Result<()> {
    if tensor.rank() == 1 {
        return Ok(());
    }
    Err(Status::invalid_argument(format!("{name} must be 1-dimensional{}", tensor.shape())))
}

pub(crate) fn expect_channels(
    tensor: &Tensor,
    name: &str,
    prefix: &str,
    channels: usize,
) -> Result<()> {
    if tensor.len() == channels {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "{prefix}{name} must have the same number of elements as the channels of x, got {} and \
         {channels}",
        tensor.len()
    )))
}

/// The rank the data format asks for and where its channels stand.
pub(crate) fn rank_and_axis(attrs: &Attrs) -> Result<(usize, usize)> {
    let format = attrs.string("data_format")?;
    Ok((format.len(), if format.starts_with("NC") { 1 } else { format.len() - 1 }))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (rank, axis) = rank_and_axis(&cx.node().attrs)?;
    let x = cx.with_rank(0, rank)?;
    let training = cx.node().bool("is_training")?;
    let uses_given = !training || cx.node().float("exponential_avg_factor")? != 1.0;
    let mut channels = x.dim(axis);
    for i in 1..if uses_given { 5 } else { 3 } {
        channels = cx.merge_dim(channels, cx.with_rank(i, 1)?.dim(0))?;
    }
    let mut dims: Vec<_> = (0..rank).map(|i| x.dim(i)).collect();
    dims[axis] = channels;
    cx.set_output(0, PartialShape::of(dims));
    for i in 1..5 {
        cx.set_output(i, PartialShape::vector(channels));
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>, grad_op: &str) -> Result<Vec<Gradient>> {
    let (x, scale) = (cx.input(0), cx.input(1));
    let grad = cx.grad(0)?;
    let training = cx.node().bool("is_training")?;
    let epsilon = cx.node().float("epsilon")?;
    let format = cx.node().string("data_format")?;
    let attrs = Attrs::new().with("epsilon", epsilon).with("is_training", training);
    let third = grad_op.ends_with("V3").then(|| cx.output(5));
    let inputs = |grad: Endpoint, x: Endpoint, mean: Endpoint, variance: Endpoint| {
        let mut inputs = vec![grad, x, scale, mean, variance];
        inputs.extend(third);
        inputs
    };
    let port = |node, port| Endpoint { node, port };
    let (dx, node) = if training {
        let inputs = inputs(grad, x, cx.output(3), cx.output(4));
        let node = cx.node_with(grad_op, &inputs, attrs.with("data_format", format))?;
        (port(node, 0), node)
    } else {
        // The gradient with given statistics knows only channels that lie last.
        let (to, from, last): (&[i32], &[i32], &str) = match &format[..] {
            "NCHW" => (&[0, 2, 3, 1], &[0, 3, 1, 2], "NHWC"),
            "NCDHW" => (&[0, 2, 3, 4, 1], &[0, 4, 1, 2, 3], "NDHWC"),
            other => (&[], &[], other),
        };
        let mut transposed = |value: Endpoint, order: &[i32]| -> Result<Endpoint> {
            if order.is_empty() {
                return Ok(value);
            }
            let order = cx.constant(Tensor::vector(order)?)?;
            cx.op("Transpose", &[value, order])
        };
        let (grad, x) = (transposed(grad, to)?, transposed(x, to)?);
        let inputs = inputs(grad, x, cx.input(3), cx.input(4));
        let attrs = attrs.with("data_format", last.to_string());
        let node = cx.node_with(grad_op, &inputs, attrs)?;
        let dx = match from.is_empty() {
            true => port(node, 0),
            false => {
                let order = cx.constant(Tensor::vector(from)?)?;
                cx.op("Transpose", &[port(node, 0), order])?
            }
        };
        (dx, node)
    };
    Ok(vec![
        Gradient::Dense(dx),
        Gradient::Dense(port(node, 1)),
        Gradient::Dense(port(node, 2)),
        Gradient::None,
        Gradient::None,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::f16;

    fn vector(values: &[f32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    #[test]
    fn training_in_both_layouts() {
        let last = Tensor::from_slice([1, 2, 1, 2], &[1f32, 10.0, 3.0, 30.0]).unwrap();
        let first = Tensor::from_slice([1, 2, 2, 1], &[1f32, 3.0, 10.0, 30.0]).unwrap();
        for (format, x) in [("NHWC", last), ("NCHW", first)] {
            let out = OpTest::new(register, "FusedBatchNormV3")
                .attr("data_format", format)
                .attr("epsilon", 0.0f32)
                .attr("exponential_avg_factor", 0.5f32)
                .input(x)
                .input(vector(&[1.0, 2.0]))
                .input(vector(&[0.0, 1.0]))
                .input(vector(&[0.0, 0.0]))
                .input(vector(&[4.0, 0.0]))
                .run()
                .unwrap();
            let y = out[0].as_slice::<f32>().unwrap();
            let expected =
                if format == "NHWC" { [-1.0, -1.0, 1.0, 3.0] } else { [-1.0, 1.0, -1.0, 3.0] };
            assert_eq!(y, expected);
            assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.0, 10.0]);
            assert_eq!(out[2].as_slice::<f32>().unwrap(), [3.0, 100.0]);
            assert_eq!(out[3].as_slice::<f32>().unwrap(), [2.0, 20.0]);
            assert_eq!(out[4].as_slice::<f32>().unwrap(), [1.0, 100.0]);
        }
    }

    #[test]
    fn inference_on_half_and_empty_input() {
        let test = |x: Tensor| {
            OpTest::new(register, "FusedBatchNormV2")
                .attr("is_training", false)
                .attr("epsilon", 0.0f32)
                .input(x)
                .input(vector(&[2.0]))
                .input(vector(&[1.0]))
                .input(vector(&[3.0]))
                .input(vector(&[4.0]))
                .run()
                .unwrap()
        };
        let x =
            Tensor::from_slice([1, 1, 2, 1], &[f16::from_f32(3.0), f16::from_f32(5.0)]).unwrap();
        let out = test(x);
        assert_eq!(out[0].as_slice::<f16>().unwrap(), [f16::from_f32(1.0), f16::from_f32(3.0)]);
        let out = test(Tensor::zeros(DataType::Float, [0, 1, 2, 1]).unwrap());
        assert!(out[1].as_slice::<f32>().unwrap()[0].is_nan());
    }

    #[test]
    fn mismatched_scale_is_refused() {
        let error = OpTest::new(register, "FusedBatchNorm")
            .input(Tensor::zeros(DataType::Float, [1, 1, 1, 2]).unwrap())
            .input(vector(&[1.0]))
            .input(vector(&[1.0]))
            .input(vector(&[]))
            .input(vector(&[]))
            .run_values()
            .map(|_| ())
            .unwrap_err();
        assert!(error.message().contains("scale must have the same number of elements"));
    }
}
