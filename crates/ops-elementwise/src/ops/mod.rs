//! The operations, one file per concept.

mod add_n;
mod arithmetic;
mod bitwise;
mod comparison;
mod division;
mod extremes;
mod logical;
mod power;
mod remainder;
mod strings;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    add_n::register(registry)?;
    arithmetic::register(registry)?;
    bitwise::register(registry)?;
    comparison::register(registry)?;
    division::register(registry)?;
    extremes::register(registry)?;
    logical::register(registry)?;
    power::register(registry)?;
    remainder::register(registry)?;
    Ok(())
}
