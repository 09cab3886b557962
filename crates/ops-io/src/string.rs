//! Strings.

mod join;
mod regex;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    join::register(registry)?;
    regex::register(registry)
}
