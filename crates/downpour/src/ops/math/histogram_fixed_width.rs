//! `HistogramFixedWidth`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `HistogramFixedWidth(values, value_range, nbins) -> (out)`.
///
/// * `values`: `T` (int32, int64, float, double)
/// * `value_range`: `T` (int32, int64, float, double)
/// * `nbins`: int32
/// * gives `out`: `dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn histogram_fixed_width(
    values: &Output,
    value_range: &Output,
    nbins: &Output,
) -> HistogramFixedWidth {
    let node =
        NodeBuilder::new("HistogramFixedWidth").input(values).input(value_range).input(nbins);
    HistogramFixedWidth(node)
}

/// A `HistogramFixedWidth` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct HistogramFixedWidth(NodeBuilder);

impl HistogramFixedWidth {
    /// The attribute `dtype`; int32 unless set.
    pub fn dtype(mut self, value: DataType) -> HistogramFixedWidth {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> HistogramFixedWidth {
        HistogramFixedWidth(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
