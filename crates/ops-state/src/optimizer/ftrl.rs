//! Follow the regularised leader; V2 adds shrinkage of the gradient.

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, dispatch_float};

use super::apply::{Optimizer, apply};
use super::family::{Family, Layout};
use super::number::Real;
use super::proximal::check;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let option = "multiply_linear_by_lr";
    let family = Family {
        name: "Ftrl",
        variables: &["var", "accum", "linear"],
        arguments: &["grad", "lr", "l1", "l2", "lr_power"],
        option: Some((option, false)),
        ..Family::default()
    };
    family
        .register(registry, |build| Optimizer::build(build, Some("multiply_linear_by_lr"), run))?;
    let arguments = &["grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"];
    Family { name: "FtrlV2", arguments, ..family }
        .register(registry, |build| Optimizer::build(build, Some("multiply_linear_by_lr"), run_v2))
}

fn run(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => ftrl::<T>(layout, cx))
}

fn run_v2(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    dispatch_float!(layout.dtype, cx.node().op_name(), T => ftrl_v2::<T>(layout, cx))
}

fn ftrl<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, l1, l2, power]: [T; 4]| {
        let rule = Ftrl { rate, l1, l2, shrinkage: T::zero(), power, scaled: layout.option };
        rule.check(layout)?;
        Ok(move |state: [T; 3], grad| rule.step(state, grad))
    })
}

fn ftrl_v2<T: Real>(layout: &Layout, cx: &mut OpContext<'_>) -> Result<()> {
    apply(layout, cx, |[rate, l1, l2, shrinkage, power]: [T; 5]| {
        let rule = Ftrl { rate, l1, l2, shrinkage, power, scaled: layout.option };
        rule.check(layout)?;
        Ok(move |state: [T; 3], grad| rule.step(state, grad))
    })
}

struct Ftrl<T> {
    rate: T,
    l1: T,
    l2: T,
    shrinkage: T,
    power: T,
    /// The linear term is kept multiplied by the learning rate, which may then be zero.
    scaled: bool,
}

impl<T: Real> Ftrl<T> {
    /// TensorFlow checks the ranges only where rows are chosen.
    fn check(&self, layout: &Layout) -> Result<()> {
        if layout.indices.is_none() {
            return Ok(());
        }
        let rate = self.rate > T::zero() || (self.scaled && self.rate >= T::zero());
        check(rate, "lr is not a positive scalar (or zero if multiply_linear_by_lr is set)")?;
        check(self.l1 >= T::zero(), "l1 regularization strength is not a non-negative scalar")?;
        check(self.l2 >= T::zero(), "l2 regularization strength is not a non-negative scalar")?;
        check(
            self.shrinkage >= T::zero(),
            "l2 shrinkage regularization strength is not a non-negative scalar",
        )?;
        check(self.power <= T::zero(), "lr_power is not a non-positive scalar")
    }

    #[inline(always)]
    fn step(&self, [var, accum, linear]: [T; 3], grad: T) -> [T; 3] {
        let two = T::of(2.0);
        // Without shrinkage the term is left out: 0 * inf would not be 0.
        let shrunk =
            if self.shrinkage == T::zero() { grad } else { grad + two * self.shrinkage * var };
        let new_accum = accum + grad.square();
        let (old_root, new_root) = (self.root(accum), self.root(new_accum));
        let (linear, l1, quadratic) = if self.scaled {
            (
                linear + (shrunk * self.rate - (new_root - old_root) * var),
                self.l1 * self.rate,
                new_root + two * self.l2 * self.rate,
            )
        } else {
            (
                linear + (shrunk - (new_root - old_root) / self.rate * var),
                self.l1,
                new_root / self.rate + two * self.l2,
            )
        };
        let var =
            if linear.abs() > l1 { (l1 * linear.sign() - linear) / quadratic } else { T::zero() };
        [var, new_accum, linear]
    }

    #[inline(always)]
    fn root(&self, accum: T) -> T {
        if self.power == T::of(-0.5) { accum.sqrt() } else { accum.pow(-self.power) }
    }
}
