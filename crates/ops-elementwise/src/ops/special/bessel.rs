//! Bessel functions.

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
        "BesselI0" i0 |cx, x, _| cx.op("BesselI1", &[x]);
        "BesselI0e" i0e |cx, x, y| {
            let sign = cx.op("Sign", &[x])?;
            let scaled = cx.op("Mul", &[sign, y])?;
            let first = cx.op("BesselI1e", &[x])?;
            cx.op("Sub", &[first, scaled])
        };
        "BesselI1" i1 |cx, x, y| minus_quotient(cx, "BesselI0", x, y, Some(1.0));
        "BesselI1e" i1e |cx, x, y| {
            let sign = cx.op("Sign", &[x])?;
            let inverse = cx.op("Reciprocal", &[x])?;
            let factor = cx.op("AddV2", &[sign, inverse])?;
            let scaled = cx.op("Mul", &[y, factor])?;
            let zeroth = cx.op("BesselI0e", &[x])?;
            let slope = cx.op("Sub", &[zeroth, scaled])?;
            at_zero(cx, x, 0.5, slope)
        };
        "BesselJ0" j0 |cx, x, _| negative(cx, "BesselJ1", x);
        "BesselJ1" j1 |cx, x, y| minus_quotient(cx, "BesselJ0", x, y, Some(0.5));
        "BesselY0" y0 |cx, x, _| negative(cx, "BesselY1", x);
        "BesselY1" y1 |cx, x, y| minus_quotient(cx, "BesselY0", x, y, None);
        "BesselK0" k0 |cx, x, _| negative(cx, "BesselK1", x);
        "BesselK0e" k0e |cx, x, y| {
            let first = cx.op("BesselK1e", &[x])?;
            cx.op("Sub", &[y, first])
        };
        "BesselK1" k1 |cx, x, y| {
            let zeroth = negative(cx, "BesselK0", x)?;
            let quotient = cx.op("RealDiv", &[y, x])?;
            cx.op("Sub", &[zeroth, quotient])
        };
        "BesselK1e" k1e |cx, x, y| {
            let inverse = cx.op("Reciprocal", &[x])?;
            let factor = number_with(cx, "Sub", 1.0, inverse)?;
            let scaled = cx.op("Mul", &[y, factor])?;
            let zeroth = cx.op("BesselK0e", &[x])?;
            cx.op("Sub", &[scaled, zeroth])
        };
    }
    Ok(())
}

fn negative(cx: &mut Cx<'_, '_>, op: &str, x: Endpoint) -> Result<Endpoint> {
    let value = cx.op(op, &[x])?;
    cx.op("Neg", &[value])
}

/// f(x) - y / x, and its limit at zero where there is one.
fn minus_quotient(
    cx: &mut Cx<'_, '_>,
    op: &str,
    x: Endpoint,
    y: Endpoint,
    limit: Option<f64>,
) -> Result<Endpoint> {
    let zeroth = cx.op(op, &[x])?;
    let quotient = cx.op("RealDiv", &[y, x])?;
    let slope = cx.op("Sub", &[zeroth, quotient])?;
    match limit {
        Some(limit) => at_zero(cx, x, limit, slope),
        None => Ok(slope),
    }
}

/// `limit` where x is zero, else `value`.
fn at_zero(cx: &mut Cx<'_, '_>, x: Endpoint, limit: f64, value: Endpoint) -> Result<Endpoint> {
    let is_zero = with_number(cx, "Equal", x, 0.0)?;
    let limit = cx.number(limit, x)?;
    cx.op("SelectV2", &[is_zero, limit, value])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn float_rounds_from_double() {
        let x = Tensor::vector(&[0f32, 1.0, -1.0]).unwrap();
        let y = OpTest::new(register, "BesselI0").input(x.clone()).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 1.266_065_8, 1.266_065_8]);
        let y = OpTest::new(register, "BesselK0").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[f32::INFINITY, 0.421_024_44, f32::INFINITY]);
    }
}
