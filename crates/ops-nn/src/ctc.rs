//! Connectionist temporal classification: the loss of unaligned label sequences, and decoders.

mod beam_search;
mod decoders;
mod loss;
mod paths;

use downpour_runtime::Registry;
use downpour_tensor::{Element, Result};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    loss::register(registry)?;
    decoders::register(registry)
}

/// float and double.
trait Real: Element + num_traits::Float {
    fn real(value: f32) -> Self;
    fn single(self) -> f32;
}

impl Real for f32 {
    fn real(value: f32) -> f32 {
        value
    }
    fn single(self) -> f32 {
        self
    }
}

impl Real for f64 {
    fn real(value: f32) -> f64 {
        value.into()
    }
    fn single(self) -> f32 {
        self as f32
    }
}

/// The logarithm of the sum of two numbers given by their logarithms. The correction is computed in
/// single precision for either type, as TensorFlow does.
fn log_add<T: Real>(a: T, b: T) -> T {
    if a == T::neg_infinity() {
        return b;
    }
    if b == T::neg_infinity() {
        return a;
    }
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    high + T::real((low - high).single().exp().ln_1p())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn inputs() -> Tensor {
        let values = (0..90).map(|i| (i * 37 % 23) as f32 * 0.1 - 1.1).collect();
        Tensor::from_vec([6, 3, 5], values).unwrap()
    }

    fn lengths() -> Tensor {
        Tensor::vector(&[6i32, 4, 5]).unwrap()
    }

    fn close(got: &[f32], expected: &[f32]) {
        assert_eq!(got.len(), expected.len());
        assert!(got.iter().zip(expected).all(|(g, e)| (g - e).abs() < 1e-4), "{got:?}");
    }

    /// Numbers from TensorFlow.
    #[test]
    fn losses_of_a_batch() {
        let cases = [
            (true, [5.936_864, 4.575_193, 4.454_363], 16.748_941),
            (false, [6.563_831, 4.879_75, 4.467_722], 16.396_238),
        ];
        for (merge, losses, gradient) in cases {
            let out = OpTest::new(register, "CTCLoss")
                .attr("ctc_merge_repeated", merge)
                .input(inputs())
                .input(
                    Tensor::from_slice([6, 2], &[0i64, 0, 0, 1, 1, 0, 2, 0, 2, 1, 2, 2]).unwrap(),
                )
                .input(Tensor::vector(&[1i32, 1, 0, 3, 2, 2]).unwrap())
                .input(lengths())
                .run()
                .unwrap();
            close(out[0].as_slice().unwrap(), &losses);
            let sum: f32 = out[1].as_slice::<f32>().unwrap().iter().map(|v| v.abs()).sum();
            close(&[sum], &[gradient]);
        }
    }

    /// Numbers from TensorFlow.
    #[test]
    fn beams_of_a_batch() {
        let out = OpTest::new(register, "CTCBeamSearchDecoder")
            .attr("beam_width", 6i64)
            .attr("top_paths", 2i64)
            .attr("merge_repeated", false)
            .input(inputs())
            .input(lengths())
            .run()
            .unwrap();
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [3, 1, 2, 3, 1, 3, 1, 2]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), [3, 2, 1, 1, 2]);
        let logs = [-3.252_06, -3.906_847, -2.480_602, -2.678_336, -2.887_555, -2.944_647];
        close(out[6].as_slice().unwrap(), &logs);
    }
}
