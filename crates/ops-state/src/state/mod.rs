//! Variables, by reference and by resource handle, and what reads and writes them.

pub(crate) mod handles;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(_registry: &mut Registry) -> Result<()> {
    Ok(())
}
