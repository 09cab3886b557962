//! Betainc: the regularised incomplete beta function.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::TOLERANCE;
use crate::driver::Cost;
use crate::gradients::{Rule, with_number};
use crate::special;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("Betainc(a: T, b: T, x: T) -> (z: T)\nT: {float, double}")?
            .shape(shape)
            .gradient(gradient)
            .tolerance(TOLERANCE),
        |build| match kernel(build)? {
            KernelBox::Sync(kernel) => Ok(KernelBox::new(Betainc(kernel))),
            other => Ok(other),
        },
    )
}

fn kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    elementwise!(build, Cost::Heavy, float, |a, b, x| {
        special::betainc(a as f64, b as f64, x as f64) as T
    })
}

/// Operands that are not scalars have one shape: there is no further broadcasting.
struct Betainc(Box<dyn Kernel>);

impl Kernel for Betainc {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        for (i, j, names) in [(0, 1, "a and b"), (0, 2, "a and x"), (1, 2, "b and x")] {
            let (first, second) = (cx.input(i).shape(), cx.input(j).shape());
            if !first.is_scalar() && !second.is_scalar() && first != second {
                return Err(Status::invalid_argument(format!(
                    "Shapes of {names} are inconsistent: {first} vs. {second}"
                )));
            }
        }
        self.0.compute(cx)
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut merged = PartialShape::unknown();
    let mut unknown_rank = false;
    for input in cx.inputs() {
        match input.rank() {
            None => unknown_rank = true,
            Some(0) => {}
            Some(_) => merged = cx.merge(&merged, input)?,
        }
    }
    // Only scalars so far: an operand of unknown rank may still give the shape.
    if merged.rank().is_none() && !unknown_rank {
        merged = PartialShape::scalar();
    }
    cx.set_output(0, merged);
    Ok(())
}

/// By x only: the density exp((b - 1) log(1 - x) + (a - 1) log x - log B(a, b)).
fn gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (a, b, x) = (cx.input(0), cx.input(1), cx.input(2));
    let log_a = cx.op("Lgamma", &[a])?;
    let log_b = cx.op("Lgamma", &[b])?;
    let sum = cx.op("AddV2", &[a, b])?;
    let log_sum = cx.op("Lgamma", &[sum])?;
    let log_product = cx.op("AddV2", &[log_a, log_b])?;
    let log_beta = cx.op("Sub", &[log_product, log_sum])?;
    let b_less_one = with_number(cx, "Sub", b, 1.0)?;
    let a_less_one = with_number(cx, "Sub", a, 1.0)?;
    let negative = cx.op("Neg", &[x])?;
    let upper = cx.op("Xlog1py", &[b_less_one, negative])?;
    let lower = cx.op("Xlogy", &[a_less_one, x])?;
    let log = cx.op("AddV2", &[upper, lower])?;
    let log = cx.op("Sub", &[log, log_beta])?;
    let density = cx.op("Exp", &[log])?;
    let to_x = cx.op("Mul", &[density, grad])?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(cx.unbroadcast(to_x, x, a)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn scalars_beside_vectors() {
        let x = Tensor::vector(&[0f32, 0.25, 1.0, 2.0]).unwrap();
        let test = OpTest::new(register, "Betainc");
        let test = test.input(Tensor::scalar(1f32)).input(Tensor::scalar(1f32)).input(x);
        let y = test.run_one().unwrap();
        let y = y.as_slice::<f32>().unwrap();
        assert_eq!(y[0], 0.0);
        assert!((y[1] - 0.25).abs() < 1e-7);
        assert_eq!(y[2], 1.0);
        assert!(y[3].is_nan());
    }

    #[test]
    fn shapes_must_agree() {
        let a = Tensor::vector(&[1f32, 2.0]).unwrap();
        let b = Tensor::from_slice([1, 2], &[1f32, 2.0]).unwrap();
        let test = OpTest::new(register, "Betainc").input(a).input(b).input(Tensor::scalar(0.5f32));
        assert!(test.run_one().unwrap_err().message().contains("a and b are inconsistent"));
    }
}
