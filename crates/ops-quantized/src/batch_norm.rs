//! QuantizedBatchNormWithGlobalNormalization: batch normalization with given means and variances, in fixed-point numbers
//! between -2^20 and 2^20.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, QInt32, QUInt8, Result, Status, Tensor};

use crate::element::{TYPES, are};
use crate::range::Range;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizedBatchNormWithGlobalNormalization(t: Tinput, t_min: float, t_max: float, m: Tinput, m_min: float, m_max: float, v: Tinput, v_min: float, v_max: float, beta: Tinput, beta_min: float, beta_max: float, gamma: Tinput, gamma_min: float, gamma_max: float) -> (result: out_type, result_min: float, result_max: float)
                Tinput: {TYPES}
                out_type: {TYPES}
                variance_epsilon: float
                scale_after_normalization: bool"
        ))?
        .shape(infer),
        |build| {
            let types = [build.input_dtype(0), build.output_dtype(0)];
            if !are(&types, &[DataType::QUInt8, DataType::QInt32]) {
                return Err(build.unsupported("takes quint8 to qint32 only"));
            }
            Ok(KernelBox::new(BatchNorm {
                epsilon: build.float("variance_epsilon")?,
                scales: build.bool("scale_after_normalization")?,
            }))
        },
    )
}

const RANGE: Range = Range { min: -1_048_576.0, max: 1_048_576.0 };

struct BatchNorm {
    epsilon: f32,
    scales: bool,
}

impl Kernel for BatchNorm {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        if input.rank() != 4 {
            return Err(Status::invalid_argument(format!(
                "input must be 4-dimensional {}",
                input.shape()
            )));
        }
        let depth = input.dims()[3];
        for (i, name) in [(3, "mean"), (6, "var"), (9, "beta"), (12, "gamma")] {
            let vector = cx.input(i);
            if vector.dims() != [depth] || depth < 2 {
                return Err(Status::invalid_argument(format!(
                    "{name} must have one value for each of at least two channels, shapes are {} \
                     and {}",
                    vector.shape(),
                    input.shape()
                )));
            }
        }
        let range = |i: usize| {
            for i in [i, i + 1] {
                if cx.input(i).len() != 1 {
                    return Err(cx.bad_input(i, "must have 1 element"));
                }
            }
            Range::of(cx.input(i), cx.input(i + 1))
        };
        let [ranges_of, mean, variance, beta, gamma] = [1, 4, 7, 10, 13].map(range);
        let (input_range, mean, variance) = (ranges_of?, mean?, variance?);
        let (beta, gamma) = (beta?, gamma?);
        let vector = |i: usize| cx.input(i).as_slice::<QUInt8>();
        let (means, variances, betas, gammas) = (vector(3)?, vector(6)?, vector(9)?, vector(12)?);
        let channels = CountedVec::build(depth, |i| {
            let deviation = (variance.number(variances[i]) + self.epsilon).sqrt();
            let mut scale = 1.0 / deviation;
            if self.scales {
                scale *= gamma.number(gammas[i]);
            }
            let offset = -mean.number(means[i]) * scale + beta.number(betas[i]);
            Ok([scale, offset].map(|number| RANGE.quantized::<QInt32>(number).0))
        })?;
        let one = RANGE.quantized::<QInt32>(1.0).0;
        let values = input.as_slice::<QUInt8>()?;
        let output = Tensor::build(input.shape().clone(), |out: &mut [QInt32]| {
            for (out, values) in out.chunks_exact_mut(depth).zip(values.chunks_exact(depth)) {
                for ((o, &value), &[scale, offset]) in out.iter_mut().zip(values).zip(&*channels) {
                    let value = RANGE.quantized::<QInt32>(input_range.number(value)).0;
                    o.0 = value.wrapping_mul(scale).wrapping_div(one).wrapping_add(offset);
                }
            }
        })?;
        cx.set_output(0, output);
        RANGE.set_outputs(cx, 1);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = cx.with_rank(0, 4)?;
    let mut depth = shape.dim(3);
    for i in [3, 6, 9, 12] {
        depth = cx.merge_dim(depth, cx.with_rank(i, 1)?.dim(0))?;
    }
    shape = PartialShape::of([shape.dim(0), shape.dim(1), shape.dim(2), depth]);
    cx.set_output(0, shape);
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn run(depth: usize) -> Result<Vec<Tensor>> {
        let test = OpTest::new(register, "QuantizedBatchNormWithGlobalNormalization")
            .attr("out_type", DataType::QInt32)
            .attr("variance_epsilon", 0.0f32)
            .attr("scale_after_normalization", true)
            .input(bytes([1, 1, 2, 2], &[10, 20, 30, 40]));
        let test = with_range(test, 0.0, 255.0);
        let parts = [10, 4, 1, 2].map(|value| bytes([depth], &vec![value; depth]));
        parts.into_iter().fold(test, |test, part| with_range(test.input(part), 0.0, 255.0)).run()
    }

    #[test]
    fn values_are_normalized() {
        let y = run(2).unwrap();
        let values = y[0].as_slice::<QInt32>().unwrap().iter();
        let values: Vec<f32> = values.map(|&v| RANGE.number(v).round()).collect();
        assert_eq!(values, [1.0, 11.0, 21.0, 31.0]);
    }

    #[test]
    fn each_channel_needs_its_numbers() {
        assert!(run(1).is_err());
        assert!(run(3).is_err());
    }
}
