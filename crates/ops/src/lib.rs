//! Every operation, family by family.

pub use downpour_runtime::Registry;
use downpour_tensor::Result;

/// What adds a family's operations to a registry.
pub type Register = fn(&mut Registry) -> Result<()>;

/// The families by name, each with what registers it.
pub const FAMILIES: [(&str, Register); 15] = [
    ("array", downpour_ops_array::register),
    ("collective", downpour_ops_collective::register),
    ("conv", downpour_ops_conv::register),
    ("data", downpour_ops_data::register),
    ("elementwise", downpour_ops_elementwise::register),
    ("flow", downpour_ops_flow::register),
    ("image", downpour_ops_image::register),
    ("indexing", downpour_ops_indexing::register),
    ("io", downpour_ops_io::register),
    ("math", downpour_ops_math::register),
    ("nn", downpour_ops_nn::register),
    ("quantized", downpour_ops_quantized::register),
    ("random", downpour_ops_random::register),
    ("sparse_matrix", downpour_ops_sparse_matrix::register),
    ("state", downpour_ops_state::register),
];

/// All operations with their kernels.
pub fn registry() -> Result<Registry> {
    let mut registry = Registry::new();
    for (_, register) in FAMILIES {
        register(&mut registry)?;
    }
    Ok(registry)
}
