//! `SobolSample`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SobolSample(dim, num_results, skip) -> (samples)`.
///
/// * `dim`: int32
/// * `num_results`: int32
/// * `skip`: int32
/// * gives `samples`: `dtype` (float, double)
///
/// Has no gradient.
pub fn sobol_sample(dim: &Output, num_results: &Output, skip: &Output) -> SobolSample {
    let node = NodeBuilder::new("SobolSample").input(dim).input(num_results).input(skip);
    SobolSample(node)
}

/// A `SobolSample` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SobolSample(NodeBuilder);

impl SobolSample {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> SobolSample {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SobolSample {
        SobolSample(self.0.name(name))
    }

    /// Adds the node and gives `samples`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
