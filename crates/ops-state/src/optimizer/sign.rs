//! AddSign and PowerSign: steps grow where the gradient agrees in sign with its running average.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, dispatch_float};

use super::apply::{Optimizer, apply};
use super::family::{DENSE_FORMS, Family, Layout};
use super::number::Real;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let family = Family {
        name: "AddSign",
        forms: DENSE_FORMS,
        variables: &["var", "m"],
        arguments: &["lr", "alpha", "sign_decay", "beta", "grad"],
        ..Family::default()
    };
    family.register(registry, |build| Optimizer::build(build, None, run_add))?;
    let arguments = &["lr", "logbase", "sign_decay", "beta", "grad"];
    Family { name: "PowerSign", arguments, ..family }
        .register(registry, |build| Optimizer::build(build, None, run_power))
}

fn run_add(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => add_sign::<T>(layout, cx))
}

fn run_power(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => power_sign::<T>(layout, cx))
}

fn add_sign<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, alpha, decay, beta]: [T; 4]| {
        let fresh = T::one() - beta;
        Ok(move |[var, m]: [T; 2], grad: T| {
            let m = m * beta + grad * fresh;
            let agreement = grad.sign() * m.sign();
            [var - rate * (alpha + decay * agreement) * grad, m]
        })
    })
}

fn power_sign<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, log_base, decay, beta]: [T; 4]| {
        let fresh = T::one() - beta;
        let exponent = log_base * decay;
        Ok(move |[var, m]: [T; 2], grad: T| {
            let m = m * beta + grad * fresh;
            let agreement = grad.sign() * m.sign();
            [var - rate * (exponent * agreement).exp() * grad, m]
        })
    })
}
