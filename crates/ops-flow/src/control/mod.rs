//! Control flow: branches, loops, calls, assertions and prints.

mod assert;
mod branch;
mod call;
mod composite;
mod conditional;
mod device_index;
mod for_loop;
mod invoke;
mod miscellaneous;
mod moves;
mod optional;
mod print;
mod remote_call;
mod symbolic_gradient;
mod to_bool;
mod while_loop;

pub(crate) use invoke::take_args;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    assert::register(registry)?;
    branch::register(registry)?;
    call::register(registry)?;
    composite::register(registry)?;
    conditional::register(registry)?;
    device_index::register(registry)?;
    for_loop::register(registry)?;
    miscellaneous::register(registry)?;
    moves::register(registry)?;
    optional::register(registry)?;
    print::register(registry)?;
    remote_call::register(registry)?;
    symbolic_gradient::register(registry)?;
    to_bool::register(registry)?;
    while_loop::register(registry)
}
