//! The area under a curve of a classifier, by counts at fixed thresholds as `tf.metrics.auc`.

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::{Counters, Metric};
use crate::output::Output;

/// Which curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// True positive rate over false positive rate.
    Roc,
    /// Precision over recall, by trapezoids.
    PrecisionRecall,
}

/// Keeps quotients finite.
const EPSILON: f64 = 1e-6;
/// How far the outermost thresholds lie beyond 0 and 1.
const BEYOND: f32 = 1e-7;

/// The area under a curve for predictions between 0 and 1 and labels 0 or 1 (or booleans); 200 thresholds
/// are TensorFlow's choice.
pub fn auc(
    name: &str,
    labels: &Output,
    predictions: &Output,
    thresholds: usize,
    curve: Curve,
) -> Result<Metric> {
    if thresholds < 2 {
        return Err(Status::invalid_argument(format!(
            "auc: at least 2 thresholds are needed, not {thresholds}"
        )));
    }
    let graph = labels.graph().clone();
    let _scope = graph.name_scope(name)?;
    let inner = (1..thresholds - 1).map(|i| (i as f64 / (thresholds - 1) as f64) as f32);
    let limits: Vec<f32> =
        std::iter::once(-BEYOND).chain(inner).chain(std::iter::once(1.0 + BEYOND)).collect();
    let limits = graph.constant(Tensor::from_vec([thresholds, 1], limits)?)?;
    let row = |x: &Output, dtype| x.cast(dtype)?.reshape(&[1, -1]);
    let above = row(predictions, DataType::Float)?.greater(&limits)?;
    let below = above.logical_not()?;
    let positive = row(labels, DataType::Bool)?;
    let negative = positive.logical_not()?;
    let mut counters = Counters::new(&graph);
    let mut count = |name: &str, predicted: &Output, label: &Output| -> Result<Output> {
        let hits = predicted.logical_and(label)?.cast(DataType::Float)?;
        counters.add(name, &hits.reduce_sum(&[1], false)?, Shape::new(&[thresholds]))
    };
    let true_positives = count("true_positives", &above, &positive)?;
    let false_negatives = count("false_negatives", &below, &positive)?;
    let true_negatives = count("true_negatives", &below, &negative)?;
    let false_positives = count("false_positives", &above, &negative)?;
    let rate = |some: &Output, others: &Output, more: f64| -> Result<Output> {
        (some + more)? / ((some + others)? + EPSILON)?
    };
    let recall = rate(&true_positives, &false_negatives, EPSILON)?;
    let (x, y) = match curve {
        Curve::Roc => (rate(&false_positives, &true_negatives, 0.0)?, recall),
        Curve::PrecisionRecall => (recall, rate(&true_positives, &false_positives, EPSILON)?),
    };
    let last = thresholds as i32 - 1;
    let width = (x.slice(&[0], &[last])? - x.slice(&[1], &[last])?)?;
    let height = ((y.slice(&[0], &[last])? + y.slice(&[1], &[last])?)? / 2.0)?;
    let area = (width * height)?.sum_all()?;
    counters.metric(area)
}
