//! Measures of a model over many batches, gathered on the host.
//!
//! A batch contributes what its graph computed; the measure is put together here, so that it is exact
//! whatever the batches' sizes and needs no variables of its own.

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::output::Output;

/// Something to know about a model, besides its loss.
#[derive(Clone)]
pub enum Metric {
    /// The mean over all examples of a value per example, or of a scalar per batch.
    Mean(Output),
    /// The area under the curve of true against false positives: labels (0 or 1) and scores, one each per
    /// example. Exact: ties count half.
    Auc {
        /// 0 or 1 for each example.
        labels: Output,
        /// One for each example.
        scores: Output,
    },
    /// Of the examples that are scored above `threshold`, the part that is positive.
    Precision {
        /// 0 or 1 for each example.
        labels: Output,
        /// One for each example.
        scores: Output,
        /// Above it an example counts as found.
        threshold: f64,
    },
    /// Of the positive examples, the part that is scored above `threshold`.
    Recall {
        /// 0 or 1 for each example.
        labels: Output,
        /// One for each example.
        scores: Output,
        /// Above it an example counts as found.
        threshold: f64,
    },
}

impl Metric {
    /// The values it needs from every batch.
    pub(crate) fn values(&self) -> Vec<Output> {
        match self {
            Metric::Mean(value) => vec![value.clone()],
            Metric::Auc { labels, scores }
            | Metric::Precision { labels, scores, .. }
            | Metric::Recall { labels, scores, .. } => vec![labels.clone(), scores.clone()],
        }
    }

    /// How many values that are.
    pub(crate) fn width(&self) -> usize {
        match self {
            Metric::Mean(_) => 1,
            Metric::Auc { .. } | Metric::Precision { .. } | Metric::Recall { .. } => 2,
        }
    }

    pub(crate) fn start(&self) -> Gathered {
        match self {
            Metric::Mean(_) => Gathered::Mean { sum: 0.0, weight: 0.0 },
            Metric::Auc { .. } => Gathered::Auc(Vec::new()),
            Metric::Precision { threshold, .. } => {
                Gathered::Counted { threshold: *threshold, hits: 0, of: 0, precision: true }
            }
            Metric::Recall { threshold, .. } => {
                Gathered::Counted { threshold: *threshold, hits: 0, of: 0, precision: false }
            }
        }
    }
}

/// A measure on its way.
#[derive(Clone, Debug)]
pub(crate) enum Gathered {
    Mean {
        sum: f64,
        weight: f64,
    },
    /// Scores, with whether the example is positive.
    Auc(Vec<(f64, bool)>),
    Counted {
        threshold: f64,
        hits: u64,
        of: u64,
        precision: bool,
    },
}

impl Gathered {
    /// Adds a batch of `examples`, with the values the metric asked for.
    pub fn add(&mut self, examples: usize, values: &[Tensor]) -> Result<()> {
        match (self, values) {
            (Gathered::Mean { sum, weight }, [value]) => {
                let numbers = numbers(value)?;
                let scale = match (numbers.len(), value.rank()) {
                    (1, 0) => examples as f64,
                    _ => 1.0,
                };
                *sum += numbers.iter().sum::<f64>() * scale;
                *weight += numbers.len() as f64 * scale;
                Ok(())
            }
            (Gathered::Auc(all), [labels, scores]) => {
                all.extend(pairs(labels, scores)?);
                Ok(())
            }
            (Gathered::Counted { threshold, hits, of, precision }, [labels, scores]) => {
                for (score, positive) in pairs(labels, scores)? {
                    let chosen = score > *threshold;
                    *hits += u64::from(chosen && positive);
                    *of += u64::from(if *precision { chosen } else { positive });
                }
                Ok(())
            }
            _ => Err(Status::internal("a metric was given other values than it asked for")),
        }
    }

    /// The measure; NaN if there was nothing to measure.
    pub fn result(&self) -> f64 {
        match self {
            Gathered::Mean { sum, weight } => sum / weight,
            Gathered::Counted { hits, of, .. } => *hits as f64 / *of as f64,
            Gathered::Auc(all) => area_under_curve(all),
        }
    }
}

/// The probability that a positive example is scored above a negative one.
fn area_under_curve(all: &[(f64, bool)]) -> f64 {
    let mut sorted = all.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut wins, mut negatives, mut positives) = (0.0, 0.0, 0.0);
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let here = tied.iter().filter(|(_, positive)| *positive).count() as f64;
        let others = tied.len() as f64 - here;
        wins += here * (negatives + others / 2.0);
        positives += here;
        negatives += others;
    }
    wins / (positives * negatives)
}

fn pairs(labels: &Tensor, scores: &Tensor) -> Result<Vec<(f64, bool)>> {
    let (labels, scores) = (numbers(labels)?, numbers(scores)?);
    if labels.len() != scores.len() {
        return Err(Status::invalid_argument(format!(
            "a metric was given {} labels for {} scores: one of each per example is needed",
            labels.len(),
            scores.len()
        )));
    }
    Ok(scores.into_iter().zip(labels.into_iter().map(|label| label > 0.5)).collect())
}

/// A tensor's numbers, of whatever type.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    Ok(match tensor.dtype() {
        DataType::Float => tensor.as_slice::<f32>()?.iter().map(|&v| v.into()).collect(),
        DataType::Double => tensor.as_slice::<f64>()?.to_vec(),
        DataType::Bool => tensor.as_slice::<bool>()?.iter().map(|&v| v.into()).collect(),
        _ => tensor.to_i64_vec()?.into_iter().map(|v| v as f64).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_ties_half() {
        let perfect = [(0.1, false), (0.2, false), (0.8, true)];
        assert_eq!(area_under_curve(&perfect), 1.0);
        let tied = [(0.5, false), (0.5, true)];
        assert_eq!(area_under_curve(&tied), 0.5);
        // One of the four pairs is in the wrong order.
        let mixed = [(0.1, false), (0.4, true), (0.35, false), (0.3, true)];
        assert_eq!(area_under_curve(&mixed), 0.75);
        assert!(area_under_curve(&[(0.5, true)]).is_nan());
    }

    #[test]
    fn means_weigh_batches_by_their_examples() {
        let mut mean = Gathered::Mean { sum: 0.0, weight: 0.0 };
        mean.add(3, &[Tensor::scalar(1.0f32)]).unwrap();
        mean.add(1, &[Tensor::scalar(5.0f32)]).unwrap();
        assert_eq!(mean.result(), 2.0);
        mean.add(4, &[Tensor::vector(&[2.0f32, 2.0, 2.0, 2.0]).unwrap()]).unwrap();
        assert_eq!(mean.result(), 2.0);
    }

    #[test]
    fn precision_and_recall_count_what_is_above_the_threshold() {
        let labels = Tensor::vector(&[1i32, 0, 1, 1]).unwrap();
        let scores = Tensor::vector(&[0.9f32, 0.8, 0.4, 0.7]).unwrap();
        for (precision, expected) in [(true, 2.0 / 3.0), (false, 2.0 / 3.0)] {
            let mut counted = Gathered::Counted { threshold: 0.5, hits: 0, of: 0, precision };
            counted.add(4, &[labels.clone(), scores.clone()]).unwrap();
            assert_eq!(counted.result(), expected);
        }
        let short = Tensor::vector(&[1i32]).unwrap();
        let refused = Gathered::Auc(Vec::new()).add(4, &[short, scores]).unwrap_err();
        assert!(refused.message().contains("1 labels for 4 scores"), "{refused}");
    }
}
