//! Accumulators: sums of gradients from several steps, taken when enough have come.

mod apply;
mod create;
mod sum;
mod take;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// The types the signatures allow.
pub(crate) const NUMBERS: &str = "dtype: {float, double, int32, uint8, int16, int8, complex64, \
    int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, \
    uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    apply::register(registry)?;
    create::register(registry)?;
    take::register(registry)
}
