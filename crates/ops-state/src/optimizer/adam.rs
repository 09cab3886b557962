//! Adam and its variants: steps from running averages of the gradient and its square.
//!
//! AMSGrad keeps the largest average square seen; AdaMax uses a decaying maximum instead of squares.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, dispatch_float};

use super::apply::{Optimizer, apply};
use super::family::{DENSE_FORMS, Family, Layout};
use super::number::{Number, Real, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    Family {
        name: "Adam",
        forms: DENSE_FORMS,
        variables: &["var", "m", "v"],
        arguments: &["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"],
        option: Some(("use_nesterov", false)),
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, Some("use_nesterov"), run_adam))?;
    Family {
        name: "AdamWithAmsgrad",
        forms: &["ResourceApply"],
        variables: &["var", "m", "v", "vhat"],
        arguments: &["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"],
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run_amsgrad))?;
    Family {
        name: "AdaMax",
        forms: DENSE_FORMS,
        variables: &["var", "m", "v"],
        arguments: &["beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"],
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run_ada_max))
}

fn run_adam(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => adam::<T>(layout, cx))
}

fn run_amsgrad(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => amsgrad::<T>(layout, cx))
}

fn run_ada_max(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => ada_max::<T>(layout, cx))
}

/// The learning rate with the correction for averages that started at zero.
fn corrected<T: Number>(rate: T, beta1_power: T, beta2_power: T) -> T {
    rate * (T::one() - beta2_power).sqrt() / (T::one() - beta1_power)
}

fn adam<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    let nesterov = layout.option;
    apply(layout, cx, |[beta1_power, beta2_power, rate, beta1, beta2, epsilon]: [T; 6]| {
        let rate = corrected(rate, beta1_power, beta2_power);
        let (fresh1, fresh2) = (T::one() - beta1, T::one() - beta2);
        Ok(move |[var, m, v]: [T; 3], grad: T| {
            let m = m + (grad - m) * fresh1;
            let v = v + (grad.square() - v) * fresh2;
            let direction = if nesterov { grad * fresh1 + beta1 * m } else { m };
            [var - (direction * rate) / (v.sqrt() + epsilon), m, v]
        })
    })
}

fn amsgrad<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[beta1_power, beta2_power, rate, beta1, beta2, epsilon]: [T; 6]| {
        let rate = corrected(rate, beta1_power, beta2_power);
        let (fresh1, fresh2) = (T::one() - beta1, T::one() - beta2);
        Ok(move |[var, m, v, largest]: [T; 4], grad: T| {
            let m = m + (grad - m) * fresh1;
            let v = v + (grad.square() - v) * fresh2;
            let largest = largest.max(v);
            [var - (m * rate) / (largest.sqrt() + epsilon), m, v, largest]
        })
    })
}

fn ada_max<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[beta1_power, rate, beta1, beta2, epsilon]: [T; 5]| {
        let rate = rate / (T::one() - beta1_power);
        let fresh = T::one() - beta1;
        Ok(move |[var, m, v]: [T; 3], grad: T| {
            let m = m + (grad - m) * fresh;
            let v = (beta2 * v).max(grad.abs());
            [var - rate * (m / (v + epsilon)), m, v]
        })
    })
}
