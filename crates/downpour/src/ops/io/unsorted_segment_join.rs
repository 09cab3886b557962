//! `UnsortedSegmentJoin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnsortedSegmentJoin(inputs, segment_ids, num_segments) -> (output)`.
///
/// * `inputs`: string
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn unsorted_segment_join(
    inputs: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> UnsortedSegmentJoin {
    let node = NodeBuilder::new("UnsortedSegmentJoin")
        .input(inputs)
        .input(segment_ids)
        .input(num_segments);
    UnsortedSegmentJoin(node)
}

/// A `UnsortedSegmentJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnsortedSegmentJoin(NodeBuilder);

impl UnsortedSegmentJoin {
    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> UnsortedSegmentJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnsortedSegmentJoin {
        UnsortedSegmentJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
