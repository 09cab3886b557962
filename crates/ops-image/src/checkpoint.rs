//! A function that long loops call now and then: it fails once their step is cancelled.

use downpour_tensor::Result;

pub(crate) type Checkpoint<'a> = &'a dyn Fn() -> Result<()>;
