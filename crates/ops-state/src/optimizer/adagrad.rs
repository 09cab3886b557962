//! Adagrad: the step shrinks with the sum of squared gradients. V2 adds an epsilon.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::Result;

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let family = Family {
        name: "Adagrad",
        variables: &["var", "accum"],
        arguments: &["lr", "grad"],
        option: Some(("update_slots", true)),
        ..Family::default()
    };
    family.register(registry, |build| Optimizer::build(build, Some("update_slots"), run))?;
    Family { name: "AdagradV2", arguments: &["lr", "epsilon", "grad"], ..family }
        .register(registry, |build| Optimizer::build(build, Some("update_slots"), run_v2))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => adagrad::<T>(layout, cx))
}

fn run_v2(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => adagrad_v2::<T>(layout, cx))
}

fn adagrad<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    let update_slots = layout.option;
    apply(layout, cx, |[rate]: [T; 1]| {
        Ok(move |[var, accum]: [T; 2], grad: T| {
            let accum = if update_slots { accum + grad.square() } else { accum };
            [var - grad * rate * accum.rsqrt(), accum]
        })
    })
}

fn adagrad_v2<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    let update_slots = layout.option;
    apply(layout, cx, |[rate, epsilon]: [T; 2]| {
        Ok(move |[var, accum]: [T; 2], grad: T| {
            let accum = if update_slots { accum + grad.square() } else { accum };
            [var - grad * rate / (accum.sqrt() + epsilon), accum]
        })
    })
}
