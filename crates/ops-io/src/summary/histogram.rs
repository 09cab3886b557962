//! HistogramSummary: how a tensor's values are distributed, in TensorFlow's buckets.

use std::sync::OnceLock;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::{HistogramProto, Summary, summary};

use super::scalar::as_floats;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "HistogramSummary(tag: string, values: T) -> (summary: string)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64} = float",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let tag = cx.scalar_input(0)?.strings()?[0].clone();
    let tag = String::from_utf8_lossy(&tag).into_owned();
    let values = as_floats(cx.input(1))?;
    for value in &values {
        if !value.is_finite() {
            let what = if value.is_nan() { "Nan" } else { "Infinity" };
            return Err(Status::invalid_argument(format!(
                "{what} in summary histogram for: {tag}"
            )));
        }
    }
    let histogram = summary::value::Value::Histo(histogram(&values));
    let value = vec![summary::Value { tag, value: Some(histogram), ..Default::default() }];
    cx.set_output(0, Tensor::string(Summary { value }.encode_to_vec()));
    Ok(())
}

/// Upper bounds: 1e-12 growing by a tenth up to 1e20 and the largest double, the same below zero.
fn limits() -> &'static [f64] {
    static LIMITS: OnceLock<Vec<f64>> = OnceLock::new();
    LIMITS.get_or_init(|| {
        let mut positive = Vec::new();
        let mut limit = 1.0e-12;
        while limit < 1.0e20 {
            positive.push(limit);
            limit *= 1.1;
        }
        positive.push(f64::MAX);
        let negative = positive.iter().rev().map(|v| -v);
        negative.chain([0.0]).chain(positive.iter().copied()).collect()
    })
}

fn histogram(values: &[f64]) -> HistogramProto {
    let limits = limits();
    let mut counts = vec![0f64; limits.len()];
    let (mut min, mut max, mut sum, mut squares) = (f64::MAX, -f64::MAX, 0.0, 0.0);
    for &value in values {
        counts[limits.partition_point(|limit| *limit <= value).min(limits.len() - 1)] += 1.0;
        min = min.min(value);
        max = max.max(value);
        sum += value;
        squares += value * value;
    }
    let mut proto = HistogramProto {
        min,
        max,
        num: values.len() as f64,
        sum,
        sum_squares: squares,
        ..Default::default()
    };
    // A run of empty buckets becomes one.
    let mut i = 0;
    while i < counts.len() {
        let (mut end, count) = (limits[i], counts[i]);
        i += 1;
        if count <= 0.0 {
            while i < counts.len() && counts[i] <= 0.0 {
                end = limits[i];
                i += 1;
            }
        }
        proto.bucket_limit.push(end);
        proto.bucket.push(count);
    }
    if proto.bucket.is_empty() {
        proto.bucket_limit.push(f64::MAX);
        proto.bucket.push(0.0);
    }
    proto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_moments() {
        let h = histogram(&[1.0, 1.0, -2.0]);
        assert_eq!((h.min, h.max, h.num, h.sum, h.sum_squares), (-2.0, 1.0, 3.0, 0.0, 6.0));
        assert_eq!(h.bucket.iter().sum::<f64>(), 3.0);
        assert_eq!(h.bucket.len(), h.bucket_limit.len());
    }
}
