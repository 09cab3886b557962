//! WeightedFlatMapDataset: the first elements of several datasets behind each other, in proportion to weights.
//!
//! As many elements are taken of each as the weights allow until one dataset has none left.

use downpour_data::{Dataset, Length};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "WeightedFlatMapDataset(input_datasets: N*variant, weights: M*double) -> (handle: variant)
                N: int >= 2
                M: int >= 2
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(weighted)),
    )
}

fn weighted(cx: &mut OpContext<'_>) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let datasets = cx.node().input_range("input_datasets")?;
    let inputs: Vec<&GraphDataset> =
        datasets.map(|i| dataset::input(cx, i)).collect::<Result<_>>()?;
    let weights = cx.node().input_range("weights")?;
    if weights.len() != inputs.len() {
        return Err(Status::invalid_argument(format!(
            "`input_datasets` and `weights` of the WeightedFlatMap must have the same size. Got {} datasets and {} \
             weights.",
            inputs.len(),
            weights.len()
        )));
    }
    inputs.iter().try_for_each(|input| signature.check_compatible(&input.signature))?;
    let counts =
        inputs.iter().enumerate().map(|(i, input)| known(i, input)).collect::<Result<Vec<_>>>()?;
    let weights =
        weights.enumerate().map(|(i, at)| weight(cx, i, at)).collect::<Result<Vec<_>>>()?;
    let mut all: Option<Dataset> = None;
    for (input, count) in inputs.iter().zip(shares(&counts, &weights)?) {
        let part = input.pipeline.take(count);
        all = Some(all.map_or_else(|| part.clone(), |before| before.concatenate(&part)));
    }
    let all = all.ok_or_else(|| Status::invalid_argument("WeightedFlatMap needs two datasets."))?;
    let made = GraphDataset::new(cx.node(), all, &inputs)?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

fn known(i: usize, input: &GraphDataset) -> Result<u64> {
    let kind = match input.pipeline.length() {
        Some(Length::Finite(count)) => return Ok(count),
        Some(Length::Infinite) => "INFINITE",
        None => "UNKNOWN",
    };
    Err(Status::invalid_argument(format!(
        "Cardinalities of the inputs must be known. Input {i} has {kind} cardinality."
    )))
}

fn weight(cx: &OpContext<'_>, i: usize, at: usize) -> Result<f64> {
    let weight = cx.scalar_input(at)?.to_scalar::<f64>()?;
    // No number is known to be larger.
    if weight.is_finite() && weight > 0.0 {
        return Ok(weight);
    }
    Err(Status::invalid_argument(format!(
        "`weights` must be greater than 0.0. Input {i} has a weight of {weight}"
    )))
}

/// Returns how many elements are taken of each input. The input that ends first says it for all.
fn shares(counts: &[u64], weights: &[f64]) -> Result<Vec<u64>> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let (mut least, mut shortest) = (f64::MAX, 0);
    for (i, (&count, weight)) in counts.iter().zip(weights).enumerate() {
        let scaled = count as f64 * weight / largest;
        if scaled < least {
            (least, shortest) = (scaled, i);
        }
    }
    let share = |(i, &count): (usize, &u64)| {
        let share = (least * weights[i] / weights[shortest]) as u64;
        match share <= count {
            true => Ok(share),
            false => Err(Status::invalid_argument(format!(
                "Input {i} needs to have at least {share} elements. It only has {count} elements."
            ))),
        }
    };
    counts.iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_proportion_until_one_input_ends() {
        assert_eq!(shares(&[10, 10, 10], &[1., 1., 2.]).unwrap(), [5, 5, 10]);
        assert_eq!(shares(&[10, 10, 10], &[1., 1., 1.]).unwrap(), [10, 10, 10]);
        assert_eq!(shares(&[0, 10], &[1., 1.]).unwrap(), [0, 0]);
        let refused = shares(&[100, 100, 10], &[1., 1., 100.]).unwrap_err();
        assert!(refused.message().contains("needs to have at least"), "{refused}");
    }
}
