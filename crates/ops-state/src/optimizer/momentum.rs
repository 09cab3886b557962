//! Momentum: a decaying sum of gradients drives the variable.
//!
//! Keras scales by the learning rate when a gradient enters the sum, the older form when the sum
//! is applied.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::Result;

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let family = Family {
        name: "Momentum",
        variables: &["var", "accum"],
        arguments: &["lr", "grad", "momentum"],
        option: Some(("use_nesterov", false)),
        ..Family::default()
    };
    family.register(registry, |build| Optimizer::build(build, Some("use_nesterov"), run))?;
    Family { name: "KerasMomentum", forms: &["ResourceApply", "ResourceSparseApply"], ..family }
        .register(registry, |build| Optimizer::build(build, Some("use_nesterov"), run_keras))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => momentum::<T>(layout, cx))
}

fn run_keras(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_number!(layout.dtype, cx.node().op_name(), T => keras_momentum::<T>(layout, cx))
}

fn momentum<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    let nesterov = layout.option;
    apply(layout, cx, |[rate, momentum]: [T; 2]| {
        Ok(move |[var, accum]: [T; 2], grad| {
            let accum = accum * momentum + grad;
            let step = if nesterov { grad * rate + accum * momentum * rate } else { accum * rate };
            [var - step, accum]
        })
    })
}

fn keras_momentum<T: Number>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    let nesterov = layout.option;
    apply(layout, cx, |[rate, momentum]: [T; 2]| {
        Ok(move |[var, accum]: [T; 2], grad| {
            let accum = accum * momentum - grad * rate;
            let step = if nesterov { accum * momentum - grad * rate } else { accum };
            [var + step, accum]
        })
    })
}
