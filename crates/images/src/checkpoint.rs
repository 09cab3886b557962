//! A function that long loops call now and then: it fails once their step is cancelled.

use downpour_tensor::Result;

/// Called between parts of the work; its error ends the work.
pub type Checkpoint<'a> = &'a dyn Fn() -> Result<()>;
