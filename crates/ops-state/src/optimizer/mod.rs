//! Optimizers: update rules that change a variable and its slots in one pass.

mod adadelta;
mod adagrad;
mod adagrad_da;
mod adam;
mod apply;
mod family;
mod ftrl;
mod gradient_descent;
mod momentum;
mod number;
mod proximal;
mod rms_prop;
mod sign;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    gradient_descent::register(registry)?;
    momentum::register(registry)?;
    adagrad::register(registry)?;
    adagrad_da::register(registry)?;
    proximal::register(registry)?;
    adadelta::register(registry)?;
    adam::register(registry)?;
    rms_prop::register(registry)?;
    ftrl::register(registry)?;
    sign::register(registry)
}
