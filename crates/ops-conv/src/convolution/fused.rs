//! _FusedConv2D: a convolution with bias and activation, applied while the result is in cache.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use super::shapes;
use super::tensors::{Label, convolve, widened};
use crate::window::WindowAttributes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "_FusedConv2D(input: T, filter: T, args: TArgs, host_args: num_host_args * float) -> (output: T)
                T: {half, float, double, int8, qint8}
                TArgs: list(type) >= 1
                num_args: int >= 0
                num_host_args: int >= 0 = 0
                strides: list(int)
                padding: {'SAME', 'VALID', 'EXPLICIT'}
                explicit_paddings: list(int) = []
                data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'
                filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = 'HWIO'
                dilations: list(int) = [1, 1, 1, 1]
                use_cudnn_on_gpu: bool = true
                fused_ops: list(string) = []
                epsilon: float = 0.0001
                leakyrelu_alpha: float = 0.2",
        )?
        .shape(|cx| shapes::convolution(cx, 2))
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(FusedConv2D::of(build)?)),
    )
}

#[derive(Clone, Copy)]
enum Activation {
    None,
    Relu,
    Relu6,
    Elu,
    LeakyRelu(f32),
}

impl Activation {
    fn apply(self, row: &mut [f32]) {
        // Comparisons are written so that NaN stays NaN, as in the operations they stand for.
        match self {
            Activation::None => {}
            Activation::Relu => row.iter_mut().for_each(|v| *v = if *v < 0.0 { 0.0 } else { *v }),
            Activation::Relu6 => row.iter_mut().for_each(|v| {
                let low = if *v < 0.0 { 0.0 } else { *v };
                *v = if low > 6.0 { 6.0 } else { low };
            }),
            Activation::Elu => {
                row.iter_mut().for_each(|v| *v = if *v < 0.0 { v.exp_m1() } else { *v })
            }
            Activation::LeakyRelu(alpha) => {
                row.iter_mut().for_each(|v| *v = if *v < 0.0 { *v * alpha } else { *v })
            }
        }
    }
}

struct FusedConv2D {
    window: WindowAttributes,
    activation: Activation,
}

impl FusedConv2D {
    fn of(build: &KernelBuild<'_>) -> Result<FusedConv2D> {
        let fused = build.strings("fused_ops")?;
        let names: Vec<&str> = fused.iter().map(String::as_str).collect();
        let activation = match names[..] {
            ["BiasAdd"] => Activation::None,
            ["BiasAdd", "Relu"] => Activation::Relu,
            ["BiasAdd", "Relu6"] => Activation::Relu6,
            ["BiasAdd", "Elu"] => Activation::Elu,
            ["BiasAdd", "LeakyRelu"] => Activation::LeakyRelu(build.float("leakyrelu_alpha")?),
            _ => {
                return Err(build.unsupported(format!(
                    "fused_ops {names:?} are not supported; only BiasAdd with Relu, Relu6, Elu or \
                     LeakyRelu are: run the operations one by one"
                )));
            }
        };
        if build.string("filter_format")? != "HWIO" {
            return Err(build.unsupported("only the filter_format HWIO is supported"));
        }
        let dtype = build.dtype("T")?;
        if !matches!(dtype, DataType::Float | DataType::Half) {
            return Err(build.unsupported(format!(
                "{dtype} is not supported; run Conv2D, BiasAdd and the activation one by one"
            )));
        }
        Ok(FusedConv2D { window: WindowAttributes::of(build, 2)?, activation })
    }
}

impl Kernel for FusedConv2D {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if cx.inputs_len() < 3 {
            return Err(Status::invalid_argument("_FusedConv2D: BiasAdd needs its bias in args"));
        }
        let (input, filter) = (cx.input(0), cx.input(1));
        let bias = widened(cx.input(2))?;
        let outputs = filter.dims().last().copied().unwrap_or(0);
        if bias.rank() != 1 || bias.len() != outputs {
            return Err(Status::invalid_argument(format!(
                "_FusedConv2D: bias must be a vector of {outputs} elements, got shape {}",
                bias.shape()
            )));
        }
        let bias = bias.as_slice::<f32>()?;
        let finish = |rows: &mut [f32]| {
            for row in rows.chunks_exact_mut(bias.len().max(1)) {
                row.iter_mut().zip(bias).for_each(|(v, b)| *v += b);
            }
            self.activation.apply(rows);
        };
        let label = Label { operation: "_FusedConv2D", spatial: 2 };
        let output = convolve(label, &self.window, input, filter, cx.parallel(), Some(&finish))?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn fused(ops: &[&'static str]) -> OpTest {
        OpTest::new(register, "_FusedConv2D")
            .input(Tensor::from_vec([1, 1, 2, 1], vec![1f32, -1.0]).unwrap())
            .input(Tensor::from_vec([1, 1, 1, 2], vec![1f32, 10.0]).unwrap())
            .input(Tensor::vector(&[0.5f32, -1.0]).unwrap())
            .attr("TArgs", vec![DataType::Float])
            .attr("num_args", 1i64)
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
            .attr("fused_ops", ops.to_vec())
    }

    #[test]
    fn bias_then_activation() {
        let run = |ops: &[&'static str]| {
            fused(ops).run_one().unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(run(&["BiasAdd"]), [1.5, 9.0, -0.5, -11.0]);
        assert_eq!(run(&["BiasAdd", "Relu"]), [1.5, 9.0, 0.0, 0.0]);
        assert_eq!(run(&["BiasAdd", "Relu6"]), [1.5, 6.0, 0.0, 0.0]);
        assert_eq!(run(&["BiasAdd", "LeakyRelu"]), [1.5, 9.0, -0.1, -2.2]);
        assert!(fused(&["FusedBatchNorm"]).run().is_err());
    }
}
