//! Special functions of mathematics and statistics.

mod bessel;
mod beta;
mod error_function;
mod gamma;
mod integrals;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::Registry;
use downpour_tensor::Result;

/// TensorFlow evaluates these in float; we round from double. What differs is mostly its error.
const TOLERANCE: f64 = 1e-4;

const FLOATS: &str = "{bfloat16, half, float, double}";

fn unary_spec(name: &str) -> Result<OpSpec> {
    let signature = format!("{name}(x: T) -> (y: T)\nT: {FLOATS}");
    Ok(OpSpec::new(&signature)?.shape(shapes::unchanged).tolerance(TOLERANCE))
}

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    bessel::register(registry)?;
    beta::register(registry)?;
    error_function::register(registry)?;
    gamma::register(registry)?;
    integrals::register(registry)
}
