//! The gamma function's logarithm and relatives.

use downpour_graph::{Endpoint, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::Result;

use super::{TOLERANCE, unary_spec};
use crate::driver::Cost;
use crate::gradients::{self, Rule, chain, number_with, second_only, with_number};
use crate::math::RealFunction;
use crate::special;

type Cx<'a, 'g> = GradientContext<'a, 'g>;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        unary_spec("Lgamma")?.gradient(|cx| chain(cx, |cx, x, _| cx.op("Digamma", &[x]))),
        |build| elementwise!(build, Cost::Heavy, float, |x| x.through_f64(libm::lgamma)),
    )?;
    registry.add(
        unary_spec("Digamma")?
            .gradient(|cx| chain(cx, |cx, x, _| number_with(cx, "Polygamma", 1.0, x))),
        |build| elementwise!(build, Cost::Heavy, float, |x| x.through_f64(special::digamma)),
    )?;
    macro_rules! functions {
        ($($name:literal $signature:literal $function:ident $with_gradient:expr;)*) => {$(
            let kernel: KernelFactory = |build| {
                elementwise!(build, Cost::Heavy, float,
                    |x, y| x.through_f64_2(y, special::$function))
            };
            let spec = OpSpec::new(concat!($name, $signature))?
                .shape(shapes::broadcast_binary)
                .tolerance(TOLERANCE);
            let with_gradient: fn(OpSpec) -> OpSpec = $with_gradient;
            registry.add(with_gradient(spec), kernel)?;
        )*};
    }
    functions! {
        "Igamma" "(a: T, x: T) -> (z: T)\nT: {bfloat16, half, float, double}" igamma
            |spec| spec.gradient(igamma_gradient);
        "Igammac" "(a: T, x: T) -> (z: T)\nT: {bfloat16, half, float, double}" igammac
            |spec| spec.gradient(igammac_gradient);
        "IgammaGradA" "(a: T, x: T) -> (z: T)\nT: {float, double}" igamma_grad_a |spec| spec;
        "Zeta" "(x: T, q: T) -> (z: T)\nT: {float, double}" zeta
            |spec| spec.gradient(zeta_gradient);
        "Polygamma" "(a: T, x: T) -> (z: T)\nT: {float, double}" polygamma
            |spec| spec.gradient(polygamma_gradient);
    }
    Ok(())
}

/// The derivative by x is the density: exp(-x + (a - 1) log x - log gamma(a)).
fn slopes(cx: &mut Cx<'_, '_>) -> Result<(Endpoint, Endpoint)> {
    let (a, x) = (cx.input(0), cx.input(1));
    let to_a = cx.op("IgammaGradA", &[a, x])?;
    let log_x = cx.op("Log", &[x])?;
    let less_one = with_number(cx, "Sub", a, 1.0)?;
    let power = cx.op("Mul", &[less_one, log_x])?;
    let log_gamma = cx.op("Lgamma", &[a])?;
    let log = cx.op("Sub", &[power, x])?;
    let log = cx.op("Sub", &[log, log_gamma])?;
    Ok((to_a, cx.op("Exp", &[log])?))
}

fn igamma_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (to_a, to_x) = slopes(cx)?;
    let to_a = cx.op("Mul", &[to_a, grad])?;
    let to_x = cx.op("Mul", &[to_x, grad])?;
    gradients::binary(cx, to_a, to_x)
}

fn igammac_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let negative = cx.op("Neg", &[grad])?;
    let (to_a, to_x) = slopes(cx)?;
    let to_a = cx.op("Mul", &[to_a, negative])?;
    let to_x = cx.op("Mul", &[to_x, negative])?;
    gradients::binary(cx, to_a, to_x)
}

fn zeta_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (x, q) = (cx.input(0), cx.input(1));
    let next = with_number(cx, "AddV2", x, 1.0)?;
    let zeta = cx.op("Zeta", &[next, q])?;
    let negative = cx.op("Neg", &[x])?;
    let slope = cx.op("Mul", &[negative, zeta])?;
    let to_q = cx.op("Mul", &[slope, grad])?;
    second_only(cx, to_q)
}

fn polygamma_gradient(cx: &mut Cx<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let (n, x) = (cx.input(0), cx.input(1));
    let next = with_number(cx, "AddV2", n, 1.0)?;
    let slope = cx.op("Polygamma", &[next, x])?;
    let to_x = cx.op("Mul", &[slope, grad])?;
    second_only(cx, to_x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Tensor, bf16};

    #[test]
    fn values_and_broadcast() {
        let x = Tensor::vector(&[1f32, 5.0]).unwrap();
        let y = OpTest::new(register, "Lgamma").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 24f32.ln()]);
        let a = Tensor::scalar(1f64);
        let x = Tensor::vector(&[0f64, 2.0, -1.0]).unwrap();
        let y = OpTest::new(register, "Igamma").input(a).input(x).run_one().unwrap();
        let y = y.as_slice::<f64>().unwrap();
        assert_eq!(y[0], 0.0);
        assert!((y[1] - (1.0 - (-2f64).exp())).abs() < 1e-15);
        assert!(y[2].is_nan());
        let b = Tensor::scalar(bf16::from_f32(1.0));
        let y = OpTest::new(register, "Digamma").input(b).run_one().unwrap();
        assert_eq!(y.to_scalar::<bf16>().unwrap(), bf16::from_f32(-0.577_215_7));
    }
}
