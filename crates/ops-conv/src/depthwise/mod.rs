//! Operations that treat every channel on its own: depthwise convolution and morphological dilation.

mod convolution;
mod core;
mod dilation;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    convolution::register(registry)?;
    dilation::register(registry)?;
    Ok(())
}
