//! Gradient descent and Adagrad followed by a proximal step for l1 and l2 regularisation.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, Status, dispatch_float};

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::Real;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    Family {
        name: "ProximalGradientDescent",
        variables: &["var"],
        arguments: &["alpha", "l1", "l2", "grad"],
        dense_gradient: "delta",
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run_descent))?;
    Family {
        name: "ProximalAdagrad",
        variables: &["var", "accum"],
        arguments: &["lr", "l1", "l2", "grad"],
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run_adagrad))
}

fn run_descent(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => descent::<T>(layout, cx))
}

fn run_adagrad(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => adagrad::<T>(layout, cx))
}

fn descent<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, l1, l2]: [T; 3]| {
        Ok(move |[var]: [T; 1], grad| [shrink(var - grad * rate, rate, l1, l2)])
    })
}

fn adagrad<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, l1, l2]: [T; 3]| {
        check(rate > T::zero(), "lr is not a positive scalar")?;
        check(l1 >= T::zero(), "l1 regularization strength is not a non-negative scalar")?;
        check(l2 >= T::zero(), "l2 regularization strength is not a non-negative scalar")?;
        Ok(move |[var, accum]: [T; 2], grad: T| {
            let accum = accum + grad.square();
            let rate = rate * accum.rsqrt();
            [shrink(var - grad * rate, rate, l1, l2), accum]
        })
    })
}

/// INVALID_ARGUMENT saying what is wrong, unless it is right.
pub(super) fn check(right: bool, wrong: &str) -> Result<()> {
    if right { Ok(()) } else { Err(Status::invalid_argument(wrong)) }
}

/// The minimiser of distance plus regularisation: shrinks towards zero by l1, scales by l2.
#[inline(always)]
fn shrink<T: Real>(value: T, rate: T, l1: T, l2: T) -> T {
    let scale = T::one() + l2 * rate;
    if l1 > T::zero() {
        value.sign() * (value.abs() - rate * l1).max(T::zero()) / scale
    } else {
        value / scale
    }
}
