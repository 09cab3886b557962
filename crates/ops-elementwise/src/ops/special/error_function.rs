//! The error function, its complement and the inverses.

use std::f64::consts::PI;

use downpour_graph::{Endpoint, GradientContext};
use downpour_runtime::Registry;
use downpour_tensor::Result;

use super::unary_spec;
use crate::driver::Cost;
use crate::gradients::{chain, with_number};
use crate::math::RealFunction;
use crate::special;

type Cx<'a, 'g> = GradientContext<'a, 'g>;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        unary_spec("Erf")?
            .gradient(|cx| chain(cx, |cx, x, _| bell(cx, x, 2.0 / PI.sqrt())))
            .tolerance(4e-6),
        |build| elementwise!(build, Cost::Moderate, float, |x| x.error_function()),
    )?;
    registry.add(
        unary_spec("Erfc")?.gradient(|cx| chain(cx, |cx, x, _| bell(cx, x, -2.0 / PI.sqrt()))),
        |build| elementwise!(build, Cost::Moderate, float, |x| x.complement()),
    )?;
    registry.add(
        unary_spec("Erfinv")?.gradient(|cx| {
            chain(cx, |cx, _, y| {
                let square = cx.op("Square", &[y])?;
                let exp = cx.op("Exp", &[square])?;
                with_number(cx, "Mul", exp, PI.sqrt() / 2.0)
            })
        }),
        |build| elementwise!(build, Cost::Heavy, float, |x| x.through_f64(special::erfinv)),
    )?;
    registry.add(
        unary_spec("Ndtri")?.gradient(|cx| {
            chain(cx, |cx, _, y| {
                let square = cx.op("Square", &[y])?;
                let half = with_number(cx, "Mul", square, 0.5)?;
                let exp = cx.op("Exp", &[half])?;
                with_number(cx, "Mul", exp, (2.0 * PI).sqrt())
            })
        }),
        |build| elementwise!(build, Cost::Heavy, float, |x| x.through_f64(special::ndtri)),
    )
}

/// factor exp(-x^2).
fn bell(cx: &mut Cx<'_, '_>, x: Endpoint, factor: f64) -> Result<Endpoint> {
    let square = cx.op("Square", &[x])?;
    let negative = cx.op("Neg", &[square])?;
    let exp = cx.op("Exp", &[negative])?;
    with_number(cx, "Mul", exp, factor)
}

trait ErrorFunction: RealFunction {
    fn error_function(self) -> Self;
    fn complement(self) -> Self;
}

impl ErrorFunction for f32 {
    fn error_function(self) -> f32 {
        libm::erff(self)
    }
    fn complement(self) -> f32 {
        libm::erfcf(self)
    }
}

impl ErrorFunction for f64 {
    fn error_function(self) -> f64 {
        libm::erf(self)
    }
    fn complement(self) -> f64 {
        libm::erfc(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn inverses_undo() {
        let x = Tensor::vector(&[-0.9f64, 0.0, 0.5]).unwrap();
        let y = OpTest::new(register, "Erfinv").input(x.clone()).run_one().unwrap();
        let back = OpTest::new(register, "Erf").input(y).run_one().unwrap();
        for (a, b) in x.as_slice::<f64>().unwrap().iter().zip(back.as_slice::<f64>().unwrap()) {
            assert!((a - b).abs() < 1e-15);
        }
        let one = Tensor::vector(&[0f32, 1.0, 2.0]).unwrap();
        let y = OpTest::new(register, "Ndtri").input(one).run_one().unwrap();
        let y = y.as_slice::<f32>().unwrap();
        assert_eq!(y[..2], [f32::NEG_INFINITY, f32::INFINITY]);
        assert!(y[2].is_nan());
    }
}
