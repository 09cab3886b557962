//! Adadelta: steps scaled by the ratio of running averages of past steps and gradients.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::Result;

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    Family {
        name: "Adadelta",
        variables: &["var", "accum", "accum_update"],
        arguments: &["lr", "rho", "epsilon", "grad"],
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => adadelta::<T>(layout, cx))
}

fn adadelta<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, rho, epsilon]: [T; 3]| {
        let fresh = T::one() - rho;
        Ok(move |[var, accum, accum_update]: [T; 3], grad: T| {
            let accum = accum * rho + grad.square() * fresh;
            let update = (accum_update + epsilon).sqrt() * (accum + epsilon).rsqrt() * grad;
            [var - update * rate, accum, accum_update * rho + update.square() * fresh]
        })
    })
}
