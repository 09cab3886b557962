//! `StatelessSampleDistortedBoundingBox`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessSampleDistortedBoundingBox(image_size, bounding_boxes, min_object_covered, seed) -> (begin, size, bboxes)`.
///
/// * `image_size`: `T` (uint8, int8, int16, int32, int64)
/// * `bounding_boxes`: float
/// * `min_object_covered`: float
/// * `seed`: `Tseed` (int32, int64)
/// * gives `begin`: `T` (uint8, int8, int16, int32, int64)
/// * gives `size`: `T` (uint8, int8, int16, int32, int64)
/// * gives `bboxes`: float
///
/// Gradients do not flow through it.
pub fn stateless_sample_distorted_bounding_box(
    image_size: &Output,
    bounding_boxes: &Output,
    min_object_covered: &Output,
    seed: &Output,
) -> StatelessSampleDistortedBoundingBox {
    let node = NodeBuilder::new("StatelessSampleDistortedBoundingBox")
        .input(image_size)
        .input(bounding_boxes)
        .input(min_object_covered)
        .input(seed);
    StatelessSampleDistortedBoundingBox(node)
}

/// A `StatelessSampleDistortedBoundingBox` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessSampleDistortedBoundingBox(NodeBuilder);

impl StatelessSampleDistortedBoundingBox {
    /// The attribute `aspect_ratio_range`; `0.75`, `1.33` unless set.
    pub fn aspect_ratio_range(mut self, value: &[f32]) -> StatelessSampleDistortedBoundingBox {
        self.0.set("aspect_ratio_range", value.to_vec().into());
        self
    }

    /// The attribute `area_range`; `0.05`, `1.0` unless set.
    pub fn area_range(mut self, value: &[f32]) -> StatelessSampleDistortedBoundingBox {
        self.0.set("area_range", value.to_vec().into());
        self
    }

    /// The attribute `max_attempts`; `100` unless set.
    pub fn max_attempts(mut self, value: i64) -> StatelessSampleDistortedBoundingBox {
        self.0.set("max_attempts", value.into());
        self
    }

    /// The attribute `use_image_if_no_bounding_boxes`; `false` unless set.
    pub fn use_image_if_no_bounding_boxes(
        mut self,
        value: bool,
    ) -> StatelessSampleDistortedBoundingBox {
        self.0.set("use_image_if_no_bounding_boxes", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessSampleDistortedBoundingBox {
        StatelessSampleDistortedBoundingBox(self.0.name(name))
    }

    /// Adds the node and gives (`begin`, `size`, `bboxes`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
