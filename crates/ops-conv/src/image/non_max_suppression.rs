//! NonMaxSuppression, all versions: the best of boxes that overlap.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::convolution::{narrowed, widened};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let types = "T: {half, float} = float\n T_threshold: {half, float} = float";
    for signature in [
        "NonMaxSuppression(boxes: float, scores: float, max_output_size: int32) -> (selected_indices: int32)
            iou_threshold: float = 0.5".to_string(),
        format!("NonMaxSuppressionV2(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold) -> (selected_indices: int32)
            {types}"),
        format!("NonMaxSuppressionV3(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, score_threshold: T_threshold) -> (selected_indices: int32)
            {types}"),
        format!("NonMaxSuppressionV4(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, score_threshold: T_threshold) -> (selected_indices: int32, valid_outputs: int32)
            {types}
            pad_to_max_output_size: bool = false"),
        "NonMaxSuppressionV5(boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, soft_nms_sigma: T) -> (selected_indices: int32, selected_scores: T, valid_outputs: int32)
            T: {half, float} = float
            pad_to_max_output_size: bool = false".to_string(),
        "NonMaxSuppressionWithOverlaps(overlaps: float, scores: float, max_output_size: int32, overlap_threshold: float, score_threshold: float) -> (selected_indices: int32)".to_string(),
    ] {
        let spec = OpSpec::new(&signature)?.shape(shape).not_differentiable();
        registry.add(spec, |build| Ok(KernelBox::new(Suppression::of(build)?)))?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (boxes, scores) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
    cx.with_rank(2, 0)?;
    cx.merge_dim(boxes.dim(0), scores.dim(0))?;
    let pads = cx.node().get("pad_to_max_output_size").is_some()
        && cx.node().bool("pad_to_max_output_size")?;
    let size = match (pads, cx.constant_ints(2)) {
        (true, Some(size)) => size.first().and_then(|&s| usize::try_from(s).ok()),
        _ => None,
    };
    let outputs = cx.outputs_len();
    for i in 0..outputs {
        let last = outputs > 1 && i == outputs - 1;
        let shape = if last { PartialShape::scalar() } else { PartialShape::vector(size) };
        cx.set_output(i, shape);
    }
    Ok(())
}

struct Suppression {
    operation: String,
    /// The first version has its threshold as an attribute.
    threshold: Option<f32>,
    pad: bool,
    overlaps: bool,
}

impl Suppression {
    fn of(build: &KernelBuild<'_>) -> Result<Suppression> {
        let operation = build.op_name().to_string();
        let threshold = match build.get("iou_threshold") {
            Some(_) => Some(build.float("iou_threshold")?),
            None => None,
        };
        let pad = match build.get("pad_to_max_output_size") {
            Some(_) => build.bool("pad_to_max_output_size")?,
            None => false,
        };
        let overlaps = operation == "NonMaxSuppressionWithOverlaps";
        Ok(Suppression { operation, threshold, pad, overlaps })
    }

    fn invalid(&self, what: impl std::fmt::Display) -> Status {
        Status::invalid_argument(format!("{}: {what}", self.operation))
    }

    fn scalar(&self, cx: &OpContext<'_>, i: usize) -> Result<f32> {
        widened(cx.scalar_input(i)?)?.to_scalar::<f32>()
    }
}

impl Kernel for Suppression {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (boxes, scores) = (cx.input(0), cx.input(1));
        if boxes.rank() != 2 {
            return Err(self.invalid(format!(
                "boxes must be 2-D (Shape must be rank 2 but is rank {})",
                boxes.rank()
            )));
        }
        let count = boxes.dims()[0];
        if self.overlaps && boxes.dims()[1] != count {
            return Err(self.invalid(format!("overlaps must be square, got {}", boxes.shape())));
        }
        if !self.overlaps && boxes.dims()[1] != 4 {
            return Err(self.invalid(format!(
                "boxes must have 4 columns (Dimension must be 4 but is {})",
                boxes.dims()[1]
            )));
        }
        if scores.rank() != 1 {
            return Err(self.invalid(format!(
                "scores must be 1-D (Shape must be rank 1 but is rank {})",
                scores.rank()
            )));
        }
        if scores.len() != count {
            return Err(self.invalid(format!(
                "scores has incompatible shape (Dimensions must be equal, but are {count} and {})",
                scores.len()
            )));
        }
        let limit = match (cx.input(2).rank(), cx.input(2).as_slice::<i32>()?) {
            (0, &[limit]) => limit,
            _ => {
                return Err(self.invalid(format!(
                    "max_output_size must be 0-D, got shape {} (Shape must be rank 0 but is rank {})",
                    cx.input(2).shape(),
                    cx.input(2).rank()
                )));
            }
        };
        let limit = usize::try_from(limit)
            .map_err(|_| self.invalid("max_output_size: output size must be non-negative"))?;
        let inputs = cx.inputs_len();
        let threshold = match self.threshold {
            Some(threshold) => threshold,
            None => self.scalar(cx, 3)?,
        };
        if !self.overlaps && !(0.0..=1.0).contains(&threshold) {
            return Err(self.invalid("iou_threshold must be in [0, 1]"));
        }
        let least = if inputs > 4 { self.scalar(cx, 4)? } else { f32::MIN };
        let sigma = if inputs > 5 { self.scalar(cx, 5)? } else { 0.0 };
        if sigma < 0.0 {
            return Err(self.invalid("soft_nms_sigma_val should be non-negative"));
        }
        let dtype = scores.dtype();
        let (boxes, scores) = (widened(boxes)?, widened(scores)?);
        let (boxes, scores) = (boxes.as_slice::<f32>()?, scores.as_slice::<f32>()?);
        let rules = Rules { threshold, least, sigma, limit };
        let check = || cx.check_cancelled();
        let mut chosen = if self.overlaps {
            select(scores, &rules, |i, j| boxes[i * count + j], check)?
        } else {
            let similarity = |i, j| intersection_over_union(&boxes[i * 4..], &boxes[j * 4..]);
            select(scores, &rules, similarity, check)?
        };
        let valid = chosen.len() as i32;
        if self.pad {
            // The size came from outside: ask before taking the memory.
            chosen.try_reserve_exact(limit - chosen.len()).map_err(|_| {
                Status::resource_exhausted(format!(
                    "{}: max_output_size is too large",
                    self.operation
                ))
            })?;
            chosen.resize(limit, (0, 0.0));
        }
        let indices: Vec<i32> = chosen.iter().map(|c| c.0 as i32).collect();
        let outputs = cx.node().output_types.len();
        cx.set_output(0, Tensor::vector(&indices)?);
        if outputs == 3 {
            let scores: Vec<f32> = chosen.iter().map(|c| c.1).collect();
            let scores = Tensor::vector(&scores)?;
            let scores = if dtype == DataType::Half { narrowed(&scores, dtype)? } else { scores };
            cx.set_output(1, scores);
        }
        if outputs > 1 {
            cx.set_output(outputs - 1, Tensor::scalar(valid));
        }
        Ok(())
    }
}

struct Rules {
    threshold: f32,
    least: f32,
    sigma: f32,
    limit: usize,
}

/// A box that may still be chosen; `seen` of the chosen ones have been held against it.
struct Candidate {
    index: usize,
    score: f32,
    seen: usize,
}

/// Higher scores first, then lower indices.
impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        self.score.total_cmp(&other.score).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// Pairs of boxes between two looks at the cancellation: below a millisecond.
const PAIRS_PER_CHECK: usize = 1 << 14;

/// Indices and scores of the chosen boxes, best first. All pairs may have to be compared, so `check` is asked now and
/// then whether anybody still waits for the answer.
fn select(
    scores: &[f32],
    rules: &Rules,
    similarity: impl Fn(usize, usize) -> f32,
    check: impl Fn() -> Result<()>,
) -> Result<Vec<(usize, f32)>> {
    // A candidate is itself counted as a pair: it costs as much to take it from the heap.
    let mut pairs = PAIRS_PER_CHECK;
    let soft = rules.sigma > 0.0;
    let scale = if soft { -0.5 / rules.sigma } else { 0.0 };
    let mut heap: BinaryHeap<Candidate> = scores
        .iter()
        .enumerate()
        .filter(|(_, s)| **s > rules.least)
        // Adding zero makes -0.0 equal to 0.0, so that the index decides between them.
        .map(|(index, &score)| Candidate { index, score: score + 0.0, seen: 0 })
        .collect();
    let mut chosen: Vec<(usize, f32)> = Vec::new();
    while chosen.len() < rules.limit {
        if pairs >= PAIRS_PER_CHECK {
            check()?;
            pairs = 0;
        }
        let Some(mut next) = heap.pop() else { break };
        pairs += 1 + chosen.len() - next.seen;
        let original = next.score;
        let mut suppressed = false;
        for &(other, _) in chosen[next.seen..].iter().rev() {
            let similar = similarity(next.index, other);
            let weight = (scale * similar * similar).exp();
            next.score *= if soft || similar <= rules.threshold { weight } else { 0.0 };
            if !soft && similar > rules.threshold {
                suppressed = true;
                break;
            }
            if next.score <= rules.least {
                break;
            }
        }
        next.seen = chosen.len();
        if suppressed {
            continue;
        }
        if next.score == original {
            chosen.push((next.index, next.score));
        } else if next.score > rules.least {
            heap.push(next);
        }
    }
    Ok(chosen)
}

/// The overlap of two boxes given by any two opposite corners.
fn intersection_over_union(a: &[f32], b: &[f32]) -> f32 {
    let corners = |v: &[f32]| [v[0].min(v[2]), v[1].min(v[3]), v[0].max(v[2]), v[1].max(v[3])];
    let (a, b) = (corners(a), corners(b));
    let area = |v: [f32; 4]| (v[2] - v[0]) * (v[3] - v[1]);
    let (area_a, area_b) = (area(a), area(b));
    if area_a <= 0.0 || area_b <= 0.0 {
        return 0.0;
    }
    let height = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let width = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let shared = height * width;
    shared / (area_a + area_b - shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn op(name: &str, limit: i32) -> OpTest {
        // TensorFlow's own test: three clusters of boxes.
        let boxes = vec![
            0f32, 0., 1., 1., 0., 0.1, 1., 1.1, 0., -0.1, 1., 0.9, 0., 10., 1., 11., 0., 10.1, 1.,
            11.1, 0., 100., 1., 101.,
        ];
        OpTest::new(register, name)
            .input(Tensor::from_vec([6, 4], boxes).unwrap())
            .input(Tensor::vector(&[0.9f32, 0.75, 0.6, 0.95, 0.5, 0.3]).unwrap())
            .input(Tensor::scalar(limit))
    }

    #[test]
    fn the_best_of_each_cluster() {
        let out = op("NonMaxSuppression", 3).run_one().unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[3, 0, 5]);
        let out = op("NonMaxSuppressionV3", 30)
            .input(Tensor::scalar(0.5f32))
            .input(Tensor::scalar(0.4f32))
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[3, 0]);
        let out = op("NonMaxSuppressionV4", 5)
            .input(Tensor::scalar(0.5f32))
            .input(Tensor::scalar(0.0f32))
            .attr("pad_to_max_output_size", true)
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[3, 0, 5, 0, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[3]);
    }

    #[test]
    fn soft_suppression_lowers_scores() {
        let out = op("NonMaxSuppressionV5", 6)
            .input(Tensor::scalar(0.5f32))
            .input(Tensor::scalar(0.0f32))
            .input(Tensor::scalar(0.5f32))
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[3, 0, 1, 5, 4, 2]);
        let scores = out[1].as_slice::<f32>().unwrap();
        assert!((scores[2] - 0.384).abs() < 1e-3 && (scores[5] - 0.197).abs() < 1e-3, "{scores:?}");
    }

    #[test]
    fn a_cancelled_step_is_not_worked_for() {
        let status = op("NonMaxSuppression", 3).cancelled().run().unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::Cancelled);
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(op("NonMaxSuppression", -1).run().is_err());
        assert!(op("NonMaxSuppressionV2", 3).input(Tensor::scalar(1.5f32)).run().is_err());
        assert!(op("NonMaxSuppressionV2", 3).input(Tensor::scalar(f32::NAN)).run().is_err());
    }
}
