//! Every operation, family by family.

pub use downpour_runtime::Registry;
use downpour_tensor::Result;

/// All operations with their kernels.
pub fn registry() -> Result<Registry> {
    let mut registry = Registry::new();
    downpour_ops_array::register(&mut registry)?;
    downpour_ops_conv::register(&mut registry)?;
    downpour_ops_elementwise::register(&mut registry)?;
    downpour_ops_flow::register(&mut registry)?;
    downpour_ops_indexing::register(&mut registry)?;
    downpour_ops_io::register(&mut registry)?;
    downpour_ops_math::register(&mut registry)?;
    downpour_ops_nn::register(&mut registry)?;
    downpour_ops_random::register(&mut registry)?;
    downpour_ops_state::register(&mut registry)?;
    Ok(registry)
}
