//! CombinedNonMaxSuppression: for each image, the best of boxes of all classes that do not overlap within a class.

use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor, checked_elements};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CombinedNonMaxSuppression(boxes: float, scores: float, max_output_size_per_class: int32, max_total_size: int32, iou_threshold: float, score_threshold: float) -> (nmsed_boxes: float, nmsed_scores: float, nmsed_classes: float, valid_detections: int32)
                pad_per_class: bool = false
                clip_boxes: bool = true",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(Combined {
                pad_per_class: build.bool("pad_per_class")?,
                clip: build.bool("clip_boxes")?,
            }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (boxes, scores) = (cx.with_rank(0, 4)?, cx.with_rank(1, 3)?);
    for i in 2..6 {
        cx.with_rank(i, 0)?;
    }
    let batch = cx.merge_dim(boxes.dim(0), scores.dim(0))?;
    cx.merge_dim(boxes.dim(1), scores.dim(1))?;
    cx.merge_dim(boxes.dim(3), Some(4))?;
    let classes = scores.dim(2);
    if let (Some(own), Some(classes)) = (boxes.dim(2), classes)
        && own != 1
        && own != classes
    {
        return Err(Status::invalid_argument(
            "third dimension of boxes must be either 1 or equal to the third dimension of scores",
        ));
    }
    let constant = |i: usize, what: &str| -> Result<Dim> {
        match cx.constant_ints(i).and_then(|values| values.first().copied()) {
            Some(value) if value <= 0 => Err(Status::invalid_argument(what)),
            Some(value) => Ok(Some(value as usize)),
            None => Ok(None),
        }
    };
    let mut size = constant(3, "max_total_size should be > 0 ")?;
    if cx.node().bool("pad_per_class")? {
        let per_class =
            constant(2, "max_output_size_per_class must be > 0 if pad_per_class is set to true ")?;
        size = match (size, per_class, classes) {
            (Some(size), Some(per_class), Some(classes)) => {
                Some(size.min(per_class.saturating_mul(classes)))
            }
            _ => None,
        };
    }
    cx.set_output(0, PartialShape::of([batch, size, Some(4)]));
    cx.set_output(1, PartialShape::matrix(batch, size));
    cx.set_output(2, PartialShape::matrix(batch, size));
    cx.set_output(3, PartialShape::vector(batch));
    Ok(())
}

struct Combined {
    pad_per_class: bool,
    clip: bool,
}

/// The boxes and scores of one image.
struct Image<'a> {
    boxes: &'a [f32],
    scores: &'a [f32],
    count: usize,
    classes: usize,
    /// Each class has boxes of its own.
    own_boxes: bool,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: f32,
    class: usize,
    corners: [f32; 4],
}

struct Limits {
    per_class: usize,
    overlap: f32,
    score: f32,
}

impl Kernel for Combined {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let invalid = |what: &str| Err(Status::invalid_argument(what));
        let (boxes, scores) = (cx.input(0), cx.input(1));
        let scalar = |i: usize, name: &str| {
            let input = cx.input(i);
            if input.rank() == 0 {
                return Ok(input);
            }
            Err(Status::invalid_argument(format!(
                "{name} must be 0-D, got shape {}",
                input.shape()
            )))
        };
        if boxes.dims().first() != scores.dims().first() {
            return invalid("boxes and scores must have same batch size");
        }
        let per_class = scalar(2, "max_size_per_class")?.to_i64_scalar()?;
        if per_class <= 0 {
            return invalid("max_size_per_class must be positive");
        }
        let total = scalar(3, "max_total_size")?.to_i64_scalar()?;
        if total <= 0 {
            return invalid("max_total_size must be > 0");
        }
        let overlap = scalar(4, "iou_threshold")?.to_scalar::<f32>()?;
        let score = scalar(5, "score_threshold")?.to_scalar::<f32>()?;
        if !(0.0..=1.0).contains(&overlap) {
            return invalid("iou_threshold must be in [0, 1]");
        }
        let &[batch, count, own, four] = boxes.dims() else {
            return invalid("boxes must be 4-D");
        };
        let &[_, score_count, classes] = scores.dims() else {
            return invalid("scores must be 3-D");
        };
        if own != 1 && own != classes {
            return invalid("third dimension of boxes must be either 1 or num classes");
        }
        if four != 4 {
            return invalid("boxes must have 4 columns");
        }
        if score_count != count {
            return invalid("scores has incompatible shape");
        }
        let (per_class, total) = (per_class as usize, total as usize);
        let most = per_class.saturating_mul(classes).min(i32::MAX as usize);
        let size = if self.pad_per_class { total.min(most) } else { total };
        checked_elements(&[batch, size, 4])?;
        let mut outputs = [
            Tensor::zeros(DataType::Float, [batch, size, 4])?,
            Tensor::zeros(DataType::Float, [batch, size])?,
            Tensor::zeros(DataType::Float, [batch, size])?,
            Tensor::zeros(DataType::Int32, [batch])?,
        ];
        let limits = Limits { per_class: per_class.min(count), overlap, score };
        let (all_boxes, all_scores) = (boxes.as_slice::<f32>()?, scores.as_slice::<f32>()?);
        for n in 0..batch {
            let (wide, narrow) = (count * own * 4, count * classes);
            let image = Image {
                boxes: &all_boxes[n * wide..][..wide],
                scores: &all_scores[n * narrow..][..narrow],
                count,
                classes,
                own_boxes: own > 1,
            };
            let mut found: CountedVec<Candidate> = CountedVec::new();
            for class in 0..classes {
                cx.check_cancelled()?;
                image.select(class, &limits, &mut found)?;
            }
            found.sort_by(|a, b| b.score.total_cmp(&a.score));
            found.truncate(size);
            self.write(&found, n, size, &mut outputs)?;
        }
        for (i, output) in outputs.into_iter().enumerate() {
            cx.set_output(i, output);
        }
        Ok(())
    }
}

impl Combined {
    fn write(
        &self,
        found: &[Candidate],
        n: usize,
        size: usize,
        outputs: &mut [Tensor; 4],
    ) -> Result<()> {
        let shared = || Status::internal("a new tensor is shared");
        let [boxes, scores, classes, valid] = outputs;
        let boxes = &mut boxes.as_mut_slice::<f32>().ok_or_else(shared)?[n * size * 4..];
        let scores = &mut scores.as_mut_slice::<f32>().ok_or_else(shared)?[n * size..];
        let classes = &mut classes.as_mut_slice::<f32>().ok_or_else(shared)?[n * size..];
        valid.as_mut_slice::<i32>().ok_or_else(shared)?[n] = found.len() as i32;
        for (i, candidate) in found.iter().enumerate() {
            for (to, &v) in boxes[i * 4..].iter_mut().zip(&candidate.corners) {
                *to = if self.clip { v.clamp(0.0, 1.0) } else { v };
            }
            scores[i] = candidate.score;
            classes[i] = candidate.class as f32;
        }
        Ok(())
    }
}

impl Image<'_> {
    fn corners(&self, index: usize, class: usize) -> [f32; 4] {
        let at = if self.own_boxes { index * self.classes + class } else { index };
        std::array::from_fn(|i| self.boxes[at * 4 + i])
    }

    /// Adds the best boxes of a class to `found`.
    fn select(
        &self,
        class: usize,
        limits: &Limits,
        found: &mut CountedVec<Candidate>,
    ) -> Result<()> {
        let score = |i: usize| self.scores[i * self.classes + class];
        let mut order: CountedVec<usize> = CountedVec::new();
        for i in (0..self.count).filter(|&i| score(i) > limits.score) {
            order.push(i)?;
        }
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let first = found.len();
        for &i in order.iter() {
            if found.len() - first >= limits.per_class {
                break;
            }
            let corners = self.corners(i, class);
            // Those with similar scores are likely to overlap.
            let chosen = &found[first..];
            if !chosen.iter().rev().any(|c| overlap(corners, c.corners) > limits.overlap) {
                found.push(Candidate { score: score(i), class, corners })?;
            }
        }
        Ok(())
    }
}

/// Returns the intersection of two boxes in proportion to their union.
fn overlap(a: [f32; 4], b: [f32; 4]) -> f32 {
    let sorted = |[y1, x1, y2, x2]: [f32; 4]| [y1.min(y2), x1.min(x2), y1.max(y2), x1.max(x2)];
    let (a, b) = (sorted(a), sorted(b));
    let area = |[top, left, bottom, right]: [f32; 4]| (bottom - top) * (right - left);
    let (area_a, area_b) = (area(a), area(b));
    if area_a <= 0.0 || area_b <= 0.0 {
        return 0.0;
    }
    let height = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let width = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let both = height * width;
    both / (area_a + area_b - both)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn suppress(per_class: i32, total: i32, overlap: f32) -> OpTest {
        let boxes =
            [0f32, 0.0, 1.0, 1.0, 0.0, 0.1, 1.0, 1.1, 0.0, -0.1, 1.0, 0.9, 0.0, 10.0, 1.0, 11.0];
        OpTest::new(register, "CombinedNonMaxSuppression")
            .input(Tensor::from_slice([1, 4, 1, 4], &boxes).unwrap())
            .input(Tensor::from_slice([1, 4, 1], &[0.9f32, 0.75, 0.6, 0.95]).unwrap())
            .input(Tensor::scalar(per_class))
            .input(Tensor::scalar(total))
            .input(Tensor::scalar(overlap))
            .input(Tensor::scalar(0f32))
    }

    #[test]
    fn the_best_come_first_and_zeros_fill_up() {
        let out = suppress(3, 4, 0.5).run().unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[0.95, 0.9, 0.0, 0.0]);
        assert_eq!(out[3].as_slice::<i32>().unwrap(), &[2]);
        let out = suppress(1, 4, 0.5).attr("pad_per_class", true).run().unwrap();
        assert_eq!(out[0].dims(), &[1, 1, 4]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(suppress(0, 4, 0.5).run().is_err());
        assert!(suppress(1, 0, 0.5).run().is_err());
        assert!(suppress(1, 1, 1.5).run().is_err());
    }
}
