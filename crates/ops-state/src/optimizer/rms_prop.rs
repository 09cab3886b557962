//! RMSProp: momentum over gradients divided by their running root mean square; the centered form
//! uses the variance.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::Result;

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let family = Family {
        name: "RMSProp",
        variables: &["var", "ms", "mom"],
        arguments: &["lr", "rho", "momentum", "epsilon", "grad"],
        ..Family::default()
    };
    family.register(registry, |build| Optimizer::build(build, None, run))?;
    Family { name: "CenteredRMSProp", variables: &["var", "mg", "ms", "mom"], ..family }
        .register(registry, |build| Optimizer::build(build, None, run_centered))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => rms_prop::<T>(layout, cx))
}

fn run_centered(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => centered::<T>(layout, cx))
}

fn rms_prop<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, rho, momentum, epsilon]: [T; 4]| {
        let fresh = T::one() - rho;
        Ok(move |[var, ms, mom]: [T; 3], grad: T| {
            let ms = ms + (grad.square() - ms) * fresh;
            let mom = mom * momentum + (grad * rate) / (ms + epsilon).sqrt();
            [var - mom, ms, mom]
        })
    })
}

fn centered<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, rho, momentum, epsilon]: [T; 4]| {
        let fresh = T::one() - rho;
        Ok(move |[var, mg, ms, mom]: [T; 4], grad: T| {
            let ms = ms + (grad.square() - ms) * fresh;
            let mg = mg + (grad - mg) * fresh;
            let mom = mom * momentum + (grad * rate) / ((ms - mg.square()) + epsilon).sqrt();
            [var - mom, mg, ms, mom]
        })
    })
}
