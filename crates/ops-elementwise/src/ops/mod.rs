//! The operations, one file per concept.

mod activation;
mod add_n;
mod arithmetic;
mod bitwise;
mod cast;
mod comparison;
mod complex;
mod division;
mod elementary;
mod extremes;
mod logical;
mod power;
mod remainder;
mod rounding;
mod simple;
mod special;
mod strings;

pub(crate) use power::float_power;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    activation::register(registry)?;
    add_n::register(registry)?;
    arithmetic::register(registry)?;
    bitwise::register(registry)?;
    cast::register(registry)?;
    comparison::register(registry)?;
    complex::register(registry)?;
    division::register(registry)?;
    elementary::register(registry)?;
    extremes::register(registry)?;
    logical::register(registry)?;
    power::register(registry)?;
    remainder::register(registry)?;
    rounding::register(registry)?;
    simple::register(registry)?;
    special::register(registry)?;
    Ok(())
}
