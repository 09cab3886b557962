//! Measures of classifiers and regressions, made from a model's values.
//!
//! ```
//! use downpour::{DataType, Graph, metrics, Metric};
//! # fn main() -> downpour::Result<()> {
//! let graph = Graph::new();
//! let logits = graph.placeholder("logits", DataType::Float, [None, Some(10)])?;
//! let labels = graph.placeholder("labels", DataType::UInt8, [None])?;
//! let Metric::Mean(hits) = metrics::accuracy(&labels, &logits)? else { panic!("it is a mean") };
//! assert_eq!(hits.shape().to_string(), "[?]");
//! # Ok(())
//! # }
//! ```

use downpour_tensor::{DataType, Result};

use crate::losses::class_labels;
use crate::ops;
use crate::output::Output;
use crate::training::Metric;

/// The part of the examples whose largest logit `[batch, classes]` is the label's `[batch]`.
pub fn accuracy(labels: &Output, logits: &Output) -> Result<Metric> {
    let _scope = logits.graph().name_scope("accuracy")?;
    let labels = class_labels("accuracy", labels)?.cast(DataType::Int64)?;
    let hits = logits.argmax(-1)?.equal(&labels)?;
    Ok(Metric::Mean(hits.cast(DataType::Float)?))
}

/// The part of the examples whose probability `[batch]` is on the right side of a threshold; labels are 0 or 1.
pub fn binary_accuracy(labels: &Output, probabilities: &Output, threshold: f64) -> Result<Metric> {
    let _scope = probabilities.graph().name_scope("binary_accuracy")?;
    let chosen = probabilities.greater(&probabilities.scalar_like(threshold)?)?;
    let labels = class_labels("binary_accuracy", labels)?.cast(DataType::Float)?;
    let positive = labels.greater(&labels.scalar_like(0.5)?)?;
    Ok(Metric::Mean(chosen.equal(&positive)?.cast(DataType::Float)?))
}

/// The part of the examples whose label is among the `k` largest logits.
pub fn top_k(labels: &Output, logits: &Output, k: usize) -> Result<Metric> {
    let _scope = logits.graph().name_scope("top_k")?;
    let labels = class_labels("top_k", labels)?.cast(DataType::Int64)?;
    let k = logits.graph().constant(k as i64)?;
    let hits = ops::in_top_kv2(&logits.cast(DataType::Float)?, &labels, &k).build()?;
    Ok(Metric::Mean(hits.cast(DataType::Float)?))
}

/// The area under the curve of true against false positives; labels are 0 or 1.
pub fn auc(labels: &Output, scores: &Output) -> Metric {
    Metric::Auc { labels: labels.clone(), scores: scores.clone() }
}

/// Of the examples that are scored above a threshold, the part that is positive.
pub fn precision(labels: &Output, scores: &Output, threshold: f64) -> Metric {
    Metric::Precision { labels: labels.clone(), scores: scores.clone(), threshold }
}

/// Of the positive examples, the part that is scored above a threshold.
pub fn recall(labels: &Output, scores: &Output, threshold: f64) -> Metric {
    Metric::Recall { labels: labels.clone(), scores: scores.clone(), threshold }
}

/// The mean over all examples of a value per example, or of a scalar per batch.
pub fn mean(value: &Output) -> Metric {
    Metric::Mean(value.clone())
}
