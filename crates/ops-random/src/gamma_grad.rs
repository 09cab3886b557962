//! RandomGammaGrad: how a gamma sample moves with its parameter.
//!
//! The sample x of parameter a satisfies P(a, x) = u for a fixed u, P being the regularised incomplete
//! gamma function. So dx/da = -(dP/da) / (dP/dx). The series or the continued fraction of P is
//! differentiated term by term, and the density dP/dx cancels out of both.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{RealNumber, Result, Tensor, dispatch_over};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomGammaGrad(alpha: T, sample: T) -> (output: T)
                T: {float, double}",
        )?
        .shape(shapes::broadcast_binary)
        // TensorFlow computes float32 in float32, where the recurrences lose some digits.
        .tolerance(1e-4),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let output = dispatch_over!(cx.input(0).dtype(), "RandomGammaGrad", T => run::<T>(cx),
        Float: f32, Double: f64)?;
    cx.set_output(0, output);
    Ok(())
}

fn run<T: RealNumber>(cx: &OpContext<'_>) -> Result<Tensor> {
    let (alpha, sample) = (cx.input(0), cx.input(1));
    let broadcast = Broadcast::new([alpha.dims(), sample.dims()])?;
    let (alpha, sample) = (alpha.as_slice::<T>()?, sample.as_slice::<T>()?);
    let [alpha_step, sample_step] = broadcast.inner_strides();
    let inner = broadcast.inner();
    Tensor::build(&broadcast.output, |out: &mut [T]| {
        if out.is_empty() {
            return;
        }
        let grain = (64 / inner).max(1);
        cx.parallel().for_chunks(out, inner, grain, |first, run| {
            let rows = first..first + run.len() / inner;
            broadcast.for_rows(rows, |at, [a, s]| {
                let row = &mut run[at - first * inner..][..inner];
                for (i, o) in row.iter_mut().enumerate() {
                    let (alpha, sample) = (alpha[a + i * alpha_step], sample[s + i * sample_step]);
                    *o = T::from_f64_lossy(derivative(alpha.to_f64_lossy(), sample.to_f64_lossy()));
                }
            });
        });
    })
}

const EPSILON: f64 = f64::EPSILON / 2.0;
const MOST_TERMS: usize = 500;

fn derivative(alpha: f64, sample: f64) -> f64 {
    if sample == 0.0 {
        return 0.0;
    }
    if sample < 0.0 || alpha <= 0.0 || alpha.is_nan() || sample.is_nan() {
        return f64::NAN;
    }
    // Where the density underflows, the sample does not move.
    let log_density = alpha * sample.ln() - sample - libm::lgamma(alpha);
    if log_density < -f64::MAX.ln() || log_density.is_nan() {
        return 0.0;
    }
    if sample > 1.0 && sample > alpha {
        by_fraction(alpha, sample)
    } else {
        by_series(alpha, sample)
    }
}

fn by_series(alpha: f64, x: f64) -> f64 {
    let (mut divisor, mut term, mut sum) = (alpha, 1.0, 1.0);
    let (mut term_slope, mut sum_slope) = (0.0f64, 0.0f64);
    for _ in 0..MOST_TERMS {
        divisor += 1.0;
        let factor = x / divisor;
        term_slope = factor * term_slope - x / (divisor * divisor) * term;
        sum_slope += term_slope;
        term *= factor;
        sum += term;
        if term_slope.abs() <= EPSILON * sum_slope.abs() {
            break;
        }
    }
    let log_slope = x.ln() - digamma(alpha + 1.0);
    -(sum_slope + sum * log_slope) * x / alpha
}

/// The complement of P as a continued fraction p/q, with the derivatives of p and q carried along.
fn by_fraction(alpha: f64, x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    const BIG: f64 = 4_503_599_627_370_496.0;
    let (mut y, mut z, mut c) = (1.0 - alpha, x + 2.0 - alpha, 0.0);
    let (mut p2, mut q2, mut p1, mut q1) = (1.0, x, x + 1.0, z * x);
    let (mut dp2, mut dq2, mut dp1, mut dq1) = (0.0, 0.0, 0.0, -x);
    let mut value = p1 / q1;
    let mut slope = (dp1 - value * dq1) / q1;
    for _ in 0..MOST_TERMS {
        c += 1.0;
        y += 1.0;
        z += 2.0;
        let yc = y * c;
        let (p, q) = (p1 * z - p2 * yc, q1 * z - q2 * yc);
        let dp = dp1 * z - p1 - dp2 * yc + p2 * c;
        let dq = dq1 * z - q1 - dq2 * yc + q2 * c;
        if q != 0.0 {
            value = p / q;
            let before = slope;
            slope = (dp - value * dq) / q;
            if (slope - before).abs() <= EPSILON {
                break;
            }
        }
        (p2, p1, q2, q1) = (p1, p, q1, q);
        (dp2, dp1, dq2, dq1) = (dp1, dp, dq1, dq);
        if p.abs() > BIG {
            for value in
                [&mut p2, &mut p1, &mut q2, &mut q1, &mut dp2, &mut dp1, &mut dq2, &mut dq1]
            {
                *value /= BIG;
            }
        }
    }
    let log_slope = x.ln() - digamma(alpha);
    (slope + value * log_slope) * x
}

/// The logarithmic derivative of the gamma function, for positive arguments.
fn digamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift += 1.0 / x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = inverse
        * (1.0 / 12.0
            - inverse
                * (1.0 / 120.0
                    - inverse
                        * (1.0 / 252.0
                            - inverse
                                * (1.0 / 240.0
                                    - inverse * (1.0 / 132.0 - inverse * (691.0 / 32760.0))))));
    x.ln() - 0.5 / x - series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_at_known_points() {
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-14);
        assert!((digamma(0.5) + 1.963_510_026_021_423_5).abs() < 1e-14);
    }

    /// Numbers from TensorFlow in double precision.
    #[test]
    fn agrees_with_tensorflow() {
        for (alpha, sample, expected) in CASES {
            let got = derivative(alpha, sample);
            assert!(
                (got - expected).abs() <= 1e-9 * expected.abs(),
                "{alpha} {sample}: {got} {expected}"
            );
        }
        assert!(derivative(-1.0, 1.0).is_nan());
        assert_eq!(derivative(1.0, 0.0), 0.0);
    }

    const CASES: [(f64, f64, f64); 6] = [
        (0.1, 0.01, 0.4227934381297027),
        (0.5, 2.0, 2.5118893763620784),
        (2.0, 0.5, 0.4980267179922236),
        (2.0, 5.0, 1.6580687280597055),
        (30.0, 33.0, 1.05425468351078),
        (500.0, 480.0, 0.9800544901961595),
    ];
}
