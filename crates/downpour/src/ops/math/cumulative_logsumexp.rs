//! `CumulativeLogsumexp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CumulativeLogsumexp(x, axis) -> (out)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `out`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn cumulative_logsumexp(x: &Output, axis: &Output) -> CumulativeLogsumexp {
    let node = NodeBuilder::new("CumulativeLogsumexp").input(x).input(axis);
    CumulativeLogsumexp(node)
}

/// A `CumulativeLogsumexp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CumulativeLogsumexp(NodeBuilder);

impl CumulativeLogsumexp {
    /// The attribute `exclusive`; `false` unless set.
    pub fn exclusive(mut self, value: bool) -> CumulativeLogsumexp {
        self.0.set("exclusive", value.into());
        self
    }

    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> CumulativeLogsumexp {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CumulativeLogsumexp {
        CumulativeLogsumexp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
