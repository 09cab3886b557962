//! Integrals without a closed form.

use std::f64::consts::FRAC_PI_2;

use downpour_graph::{Endpoint, GradientContext};
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::Result;

use super::unary_spec;
use crate::driver::Cost;
use crate::gradients::{chain, number_with, with_number};
use crate::math::RealFunction;
use crate::special;

type Cx<'a, 'g> = GradientContext<'a, 'g>;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    macro_rules! functions {
        ($($name:literal $function:ident $slope:expr;)*) => {$(
            let kernel: KernelFactory = |build| {
                elementwise!(build, Cost::Heavy, float, |x| x.through_f64(special::$function))
            };
            registry.add(unary_spec($name)?.gradient(|cx| chain(cx, $slope)), kernel)?;
        )*};
    }
    functions! {
        "Dawsn" dawsn |cx, x, y| {
            let product = cx.op("Mul", &[x, y])?;
            let twice = with_number(cx, "Mul", product, 2.0)?;
            number_with(cx, "Sub", 1.0, twice)
        };
        "Expint" expint |cx, x, _| {
            let exp = cx.op("Exp", &[x])?;
            cx.op("RealDiv", &[exp, x])
        };
        "FresnelCos" fresnel_cos |cx, x, _| of_square(cx, "Cos", x);
        "FresnelSin" fresnel_sin |cx, x, _| of_square(cx, "Sin", x);
        "Spence" spence |cx, x, _| {
            let log = cx.op("Log", &[x])?;
            let rest = number_with(cx, "Sub", 1.0, x)?;
            let slope = cx.op("RealDiv", &[log, rest])?;
            let at_one = with_number(cx, "Equal", x, 1.0)?;
            let limit = cx.number(-1.0, x)?;
            cx.op("SelectV2", &[at_one, limit, slope])
        };
    }
    Ok(())
}

/// f(pi x^2 / 2).
fn of_square(cx: &mut Cx<'_, '_>, op: &str, x: Endpoint) -> Result<Endpoint> {
    let square = cx.op("Square", &[x])?;
    let angle = with_number(cx, "Mul", square, FRAC_PI_2)?;
    cx.op(op, &[angle])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn domains() {
        let x = Tensor::vector(&[-1f32, 0.0, 1.0]).unwrap();
        let run = |op: &str| {
            let y = OpTest::new(register, op).input(x.clone()).run_one().unwrap();
            y.as_slice::<f32>().unwrap().to_vec()
        };
        assert!(run("Spence")[0].is_nan() && run("Expint")[0].is_nan());
        assert_eq!(run("Spence")[2], 0.0);
        assert_eq!(run("Dawsn")[1], 0.0);
        assert_eq!(run("FresnelCos")[0], -run("FresnelCos")[2]);
    }
}
