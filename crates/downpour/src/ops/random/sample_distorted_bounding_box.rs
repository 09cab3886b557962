//! `SampleDistortedBoundingBox`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SampleDistortedBoundingBox(image_size, bounding_boxes) -> (begin, size, bboxes)`.
///
/// * `image_size`: `T` (uint8, int8, int16, int32, int64)
/// * `bounding_boxes`: float
/// * gives `begin`: `T` (uint8, int8, int16, int32, int64)
/// * gives `size`: `T` (uint8, int8, int16, int32, int64)
/// * gives `bboxes`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn sample_distorted_bounding_box(
    image_size: &Output,
    bounding_boxes: &Output,
) -> SampleDistortedBoundingBox {
    let node =
        NodeBuilder::new("SampleDistortedBoundingBox").input(image_size).input(bounding_boxes);
    SampleDistortedBoundingBox(node)
}

/// A `SampleDistortedBoundingBox` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SampleDistortedBoundingBox(NodeBuilder);

impl SampleDistortedBoundingBox {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> SampleDistortedBoundingBox {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> SampleDistortedBoundingBox {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `min_object_covered`; `0.1` unless set.
    pub fn min_object_covered(mut self, value: f32) -> SampleDistortedBoundingBox {
        self.0.set("min_object_covered", value.into());
        self
    }

    /// The attribute `aspect_ratio_range`; `0.75`, `1.33` unless set.
    pub fn aspect_ratio_range(mut self, value: &[f32]) -> SampleDistortedBoundingBox {
        self.0.set("aspect_ratio_range", value.to_vec().into());
        self
    }

    /// The attribute `area_range`; `0.05`, `1.0` unless set.
    pub fn area_range(mut self, value: &[f32]) -> SampleDistortedBoundingBox {
        self.0.set("area_range", value.to_vec().into());
        self
    }

    /// The attribute `max_attempts`; `100` unless set.
    pub fn max_attempts(mut self, value: i64) -> SampleDistortedBoundingBox {
        self.0.set("max_attempts", value.into());
        self
    }

    /// The attribute `use_image_if_no_bounding_boxes`; `false` unless set.
    pub fn use_image_if_no_bounding_boxes(mut self, value: bool) -> SampleDistortedBoundingBox {
        self.0.set("use_image_if_no_bounding_boxes", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SampleDistortedBoundingBox {
        SampleDistortedBoundingBox(self.0.name(name))
    }

    /// Adds the node and gives (`begin`, `size`, `bboxes`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
