//! QuantizedRelu and QuantizedRelu6: nothing below zero, or above six.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{QInt32, QUInt8, Result, Status, Tensor, dispatch_over};

use crate::element::{Quantized, TYPES};
use crate::range::Range;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, factory) in [
        ("QuantizedRelu", (|build| new(build, None)) as fn(&KernelBuild<'_>) -> Result<KernelBox>),
        ("QuantizedRelu6", |build| new(build, Some(6.0))),
    ] {
        registry.add(
            OpSpec::new(&format!(
                "{name}(features: Tinput, min_features: float, max_features: float) -> (activations: out_type, min_activations: float, max_activations: float)
                    Tinput: {TYPES}
                    out_type: {TYPES} = quint8"
            ))?
            .shape(infer),
            factory,
        )?;
    }
    Ok(())
}

fn new(build: &KernelBuild<'_>, largest: Option<f32>) -> Result<KernelBox> {
    if build.input_dtype(0) != build.output_dtype(0) {
        return Err(Status::unimplemented(format!(
            "{} has no CPU kernel from {} to {}: both must be quint8 or qint32",
            build.op_name(),
            build.input_dtype(0),
            build.output_dtype(0)
        )));
    }
    Ok(KernelBox::new(Relu { largest }))
}

struct Relu {
    largest: Option<f32>,
}

impl Kernel for Relu {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let range = Range::of_inputs(cx, 1)?;
        let input = cx.input(0);
        let output = dispatch_over!(input.dtype(), cx.node().op_name(), T => {
            let lower = range.quantized::<T>(0.0).0;
            let upper = match self.largest {
                Some(largest) => range.quantized::<T>(largest).0,
                None => T::clamped(T::HIGHEST).0,
            };
            let values = input.as_slice::<T>()?;
            Tensor::build(input.shape().clone(), |out: &mut [T]| {
                out.iter_mut().zip(values).for_each(|(o, v)| o.0 = v.0.max(lower).min(upper));
            })
        }, QUInt8: QUInt8, QInt32: QInt32)?;
        cx.set_output(0, output);
        range.set_outputs(cx, 1);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    cx.set_output(0, cx.input(0).clone());
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_bytes, with_range};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    #[test]
    fn values_stay_between_zero_and_six() {
        let test = |op| {
            with_range(OpTest::new(register, op).input(bytes([3], &[0, 100, 255])), -10.0, 10.0)
        };
        let y = test("QuantizedRelu").run().unwrap();
        assert_eq!(of_bytes(&y[0]), [128, 128, 255]);
        let y = test("QuantizedRelu6").run().unwrap();
        assert_eq!(of_bytes(&y[0]), [128, 128, 205]);
        assert_eq!(y[1].to_scalar::<f32>().unwrap(), -10.0);
    }

    #[test]
    fn other_types_and_ranges_are_refused() {
        let x = || OpTest::new(register, "QuantizedRelu").input(bytes([1], &[1]));
        assert!(with_range(x().attr("out_type", DataType::QInt32), 0.0, 1.0).run().is_err());
        let vector = Tensor::vector(&[0f32]).unwrap();
        assert!(x().input(vector.clone()).input(vector).run_values().is_err());
    }
}
