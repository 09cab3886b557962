//! Adagrad with dual averaging: the variable follows from the accumulated gradients alone.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, dispatch_float};

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::Real;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    Family {
        name: "AdagradDA",
        variables: &["var", "gradient_accumulator", "gradient_squared_accumulator"],
        arguments: &["grad", "lr", "l1", "l2", "global_step"],
        ..Family::default()
    }
    .register(registry, |build| Optimizer::build(build, None, run))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => adagrad_da::<T>(layout, cx))
}

fn adagrad_da<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, l1, l2, step]: [T; 4]| {
        let threshold = step * l1;
        let ridge = l2 * (step * rate);
        let shrink = l1 > T::zero();
        Ok(move |[_, sum, squares]: [T; 3], grad: T| {
            let sum = sum + grad;
            let squares = squares + grad.square();
            let direction =
                if shrink { sum.sign() * (sum.abs() - threshold).max(T::zero()) } else { sum };
            [-(rate * direction) / (ridge + squares.sqrt()), sum, squares]
        })
    })
}
