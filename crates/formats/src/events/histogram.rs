//! Histograms in TensorFlow's buckets.

use std::sync::OnceLock;

use downpour_tensor::{RealNumber, Result, Tensor, dispatch_real};
use downpour_wire::proto::HistogramProto;

/// Counts values in buckets that grow by a tenth, from 1e-12 to 1e20 on both sides of zero.
pub struct Histogram {
    counts: Vec<f64>,
    min: f64,
    max: f64,
    number: f64,
    sum: f64,
    sum_squares: f64,
    not_finite: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram {
            counts: vec![0.0; limits().len()],
            min: f64::MAX,
            max: -f64::MAX,
            number: 0.0,
            sum: 0.0,
            sum_squares: 0.0,
            not_finite: 0,
        }
    }
}

impl Histogram {
    /// Counts a value. Infinities and NaN fit no bucket: they are only counted apart.
    pub fn add(&mut self, value: f64) {
        if !value.is_finite() {
            self.not_finite += 1;
            return;
        }
        let limits = limits();
        let bucket = limits.partition_point(|limit| *limit <= value).min(limits.len() - 1);
        self.counts[bucket] += 1.0;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.number += 1.0;
        self.sum += value;
        self.sum_squares += value * value;
    }

    /// Counts all elements of a tensor of real numbers.
    pub fn add_tensor(&mut self, tensor: &Tensor) -> Result<()> {
        fn add<T: RealNumber>(histogram: &mut Histogram, tensor: &Tensor) -> Result<()> {
            for value in tensor.as_slice::<T>()? {
                histogram.add(value.to_f64_lossy());
            }
            Ok(())
        }
        dispatch_real!(tensor.dtype(), "a histogram", T => add::<T>(self, tensor))
    }

    /// How many of the values were infinite or NaN.
    pub fn not_finite(&self) -> u64 {
        self.not_finite
    }

    /// The message TensorBoard reads; a run of empty buckets becomes one.
    pub fn to_proto(&self) -> HistogramProto {
        let mut proto = HistogramProto {
            min: self.min,
            max: self.max,
            num: self.number,
            sum: self.sum,
            sum_squares: self.sum_squares,
            ..Default::default()
        };
        let limits = limits();
        let mut i = 0;
        while i < limits.len() {
            let (mut end, count) = (limits[i], self.counts[i]);
            i += 1;
            while count <= 0.0 && i < limits.len() && self.counts[i] <= 0.0 {
                end = limits[i];
                i += 1;
            }
            proto.bucket_limit.push(end);
            proto.bucket.push(count);
        }
        proto
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_moments() {
        let mut histogram = Histogram::default();
        histogram.add_tensor(&Tensor::vector(&[1.0f32, f32::NAN, 1.0, -2.0]).unwrap()).unwrap();
        let h = histogram.to_proto();
        assert_eq!((h.min, h.max, h.num, h.sum, h.sum_squares), (-2.0, 1.0, 3.0, 0.0, 6.0));
        assert_eq!(h.bucket.iter().sum::<f64>(), 3.0);
        assert_eq!(h.bucket.len(), h.bucket_limit.len());
        assert_eq!(histogram.not_finite(), 1);
        assert!(h.bucket_limit.is_sorted());
    }
}
