//! Multinomial and StatelessMultinomial: class numbers with probabilities given by their logits.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_float};

use crate::generator::Generator;
use crate::philox::{Philox, Singles};
use crate::source::{BLOCKS_PER_VALUE, expect_seed};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    const REALS: &str =
        "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";
    registry.add(
        OpSpec::new(&format!(
            "Multinomial(logits: T, num_samples: int32) -> (output: output_dtype) @stateful
                seed: int = 0
                seed2: int = 0
                T: {REALS}
                output_dtype: {{int32, int64}} = int64"
        ))?
        .shape(shape)
        .not_differentiable(),
        |build| kernel(build, Some(Generator::new(build)?)),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed) -> (output: output_dtype)
                T: {REALS}
                Tseed: {{int32, int64}} = int64
                output_dtype: {{int32, int64}} = int64"
        ))?
        .shape(stateless_shape)
        .not_differentiable(),
        |build| kernel(build, None),
    )
}

fn kernel(build: &KernelBuild<'_>, generator: Option<Generator>) -> Result<KernelBox> {
    let dtype = build.dtype("output_dtype")?;
    Ok(KernelBox::new(Multinomial { dtype, generator }))
}

struct Multinomial {
    dtype: DataType,
    /// The node's own generator; the stateless form takes a seed as input 2.
    generator: Option<Generator>,
}

impl Kernel for Multinomial {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (logits, count) = (cx.input(0), cx.input(1));
        let stateless = match &self.generator {
            Some(_) => None,
            None => Some(Philox::from_seed(cx.input(2))?),
        };
        let &[batch, classes] = logits.dims() else {
            return Err(Status::invalid_argument(format!(
                "logits should be a matrix, got shape {}",
                logits.shape()
            )));
        };
        if count.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "num_samples should be a scalar, got shape {}",
                count.shape()
            )));
        }
        let samples = count.to_scalar::<i32>()?;
        let samples = usize::try_from(samples).map_err(|_| {
            Status::invalid_argument(format!("num_samples should be non-negative, got {samples}"))
        })?;
        if classes == 0 {
            return Err(Status::invalid_argument("num_classes should be positive, got 0"));
        }
        let mut output = Tensor::new(self.dtype, [batch, samples])?;
        if !output.is_empty() {
            // Each sample is a double, which takes two of a block's numbers.
            let values = (batch as u64).wrapping_mul(samples.div_ceil(4) as u64 * 8);
            let philox = match (&self.generator, stateless) {
                (Some(generator), _) => generator.reserve(values.wrapping_mul(BLOCKS_PER_VALUE)),
                (None, Some(philox)) => philox,
                (None, None) => return Err(Status::internal("a generator or a seed")),
            };
            dispatch_float!(logits.dtype(), cx.node().op_name(), T => {
                choose::<T>(logits, classes, samples, philox, &mut output)
            })?;
        }
        cx.set_output(0, output);
        Ok(())
    }
}

/// One generator serves all rows in turn, so that the draws do not depend on the number of threads.
fn choose<T: RealNumber>(
    logits: &Tensor,
    classes: usize,
    samples: usize,
    philox: Philox,
    output: &mut Tensor,
) -> Result<()> {
    let logits = logits.as_slice::<T>()?;
    let mut singles = Singles::new(philox);
    let mut cumulative = vec![0f64; classes];
    for (row, logits) in logits.chunks_exact(classes).enumerate() {
        let finite = |v: &&T| v.to_f64_lossy().is_finite();
        let lowest = T::min_value().to_f64_lossy();
        let max = logits.iter().filter(finite).map(|v| v.to_f64_lossy()).fold(lowest, f64::max);
        let mut total = 0.0;
        for (c, v) in cumulative.iter_mut().zip(logits) {
            if v.to_f64_lossy().is_finite() {
                total += (v.to_f64_lossy() - max).exp();
            }
            *c = total;
        }
        let range = row * samples..(row + 1) * samples;
        let mut draw = || {
            let point = singles.double() * total;
            cumulative.partition_point(|&c| c <= point)
        };
        if let Some(out) = output.as_mut_slice::<i32>() {
            out[range].iter_mut().for_each(|o| *o = draw() as i32);
        } else if let Some(out) = output.as_mut_slice::<i64>() {
            out[range].iter_mut().for_each(|o| *o = draw() as i64);
        }
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let logits = cx.with_rank(0, 2)?;
    cx.with_rank(1, 0)?;
    let samples = match cx.constant_ints(1).as_deref() {
        Some([count]) => Some(usize::try_from(*count).map_err(|_| {
            Status::invalid_argument(format!("num_samples should be non-negative, got {count}"))
        })?),
        _ => None,
    };
    cx.set_output(0, PartialShape::matrix(logits.dim(0), samples));
    Ok(())
}

fn stateless_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    expect_seed(cx, 2)?;
    shape(cx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(logits: Tensor, samples: i32) -> Result<Tensor> {
        OpTest::new(register, "Multinomial")
            .attr("seed", 1i64)
            .input(logits)
            .input(Tensor::scalar(samples))
            .run_one()
    }

    #[test]
    fn only_possible_classes_are_drawn() {
        let low = f32::NEG_INFINITY;
        let logits = Tensor::from_slice([2, 3], &[low, 0.0, low, 0.0, low, 0.0]).unwrap();
        let out = run(logits, 100).unwrap();
        let values = out.as_slice::<i64>().unwrap();
        assert!(values[..100].iter().all(|&v| v == 1));
        assert!(values[100..].contains(&0) && values[100..].contains(&2));
        assert!(!values[100..].contains(&1));
    }

    #[test]
    fn bad_arguments() {
        let empty = |dims: [usize; 2]| Tensor::zeros(DataType::Float, dims).unwrap();
        assert!(
            run(empty([2, 0]), 3).unwrap_err().message().contains("num_classes should be positive")
        );
        assert!(run(empty([2, 3]), -1).is_err());
        assert_eq!(run(empty([0, 3]), 2).unwrap().dims(), [0, 2]);
        assert!(run(Tensor::scalar(1f32), 1).is_err());
    }
}
