//! The three passes against plain sums over all indices.

use downpour_runtime::{ComputePool, Parallel};
use proptest::prelude::*;

use super::*;
use crate::window::{Axis, Padding};

/// Calls `f(input index, filter index, output index)` for every product of the convolution.
fn products(g: &Geometry, mut f: impl FnMut(usize, usize, usize)) {
    let [d, h, w] = g.axes;
    let (gc, go) = (g.group_channels, g.group_outputs());
    for n in 0..g.batch {
        for at in 0..g.output_pixels() {
            let o = [at / (h.output * w.output), at / w.output % h.output, at % w.output];
            for tap in 0..g.filter_taps() {
                let k = [tap / (h.kernel * w.kernel), tap / w.kernel % h.kernel, tap % w.kernel];
                let mut pixel = Some(n);
                for (a, axis) in [d, h, w].iter().enumerate() {
                    let i =
                        (o[a] * axis.stride + k[a] * axis.dilation) as isize - axis.before as isize;
                    pixel = pixel.filter(|_| i >= 0 && (i as usize) < axis.input);
                    pixel = pixel.map(|p| p * axis.input + i as usize);
                }
                let Some(pixel) = pixel else { continue };
                for oc in 0..g.out_channels {
                    for c in 0..gc {
                        f(
                            pixel * g.in_channels + oc / go * gc + c,
                            (tap * gc + c) * g.out_channels + oc,
                            (n * g.output_pixels() + at) * g.out_channels + oc,
                        );
                    }
                }
            }
        }
    }
}

fn numbers(count: usize, seed: usize) -> Vec<i32> {
    (0..count).map(|i| ((i * 7 + seed) % 11) as i32 - 5).collect()
}

fn check(g: &Geometry) {
    let pool = ComputePool::new(2).unwrap();
    let parallel = Parallel::new(pool, 2);
    let x = numbers(g.batch * g.input_pixels() * g.in_channels, 1);
    let w = numbers(g.depth() * g.out_channels, 4);
    let dy = numbers(g.batch * g.output_pixels() * g.out_channels, 2);
    let (mut y, mut dx, mut dw) = (vec![0; dy.len()], vec![0; x.len()], vec![0; w.len()]);
    products(g, |i, k, o| {
        y[o] += x[i] * w[k];
        dx[i] += dy[o] * w[k];
        dw[k] += dy[o] * x[i];
    });
    let mut got = vec![77; y.len()];
    forward(g, &x, &w, &mut got, &parallel, |_| {}).unwrap();
    assert_eq!(got, y, "forward {g:?}");
    let mut got = vec![77; x.len()];
    input_gradient(g, &w, &dy, &mut got, &parallel).unwrap();
    assert_eq!(got, dx, "input gradient {g:?}");
    let mut got = vec![77; w.len()];
    filter_gradient(g, &x, &dy, &mut got, &parallel).unwrap();
    assert_eq!(got, dw, "filter gradient {g:?}");
    // The float32 path takes other code; these small integers are exact in it.
    let float = |v: &[i32]| v.iter().map(|&v| v as f32).collect::<Vec<f32>>();
    let mut got = vec![77.0; y.len()];
    forward(g, &float(&x), &float(&w), &mut got, &parallel, |_| {}).unwrap();
    assert_eq!(got, float(&y));
}

fn axis() -> impl Strategy<Value = Axis> {
    (1usize..9, 1usize..5, 1usize..4, 1usize..4, 0usize..4, 0usize..4, 0usize..3).prop_filter_map(
        "the window must fit",
        |(input, kernel, stride, dilation, before, after, kind)| {
            let padding = match kind {
                0 => Padding::Same,
                1 => Padding::Valid,
                _ => Padding::Explicit(before, after),
            };
            Axis::new(input, kernel, stride, dilation, padding).ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn planes(h in axis(), w in axis(), batch in 1usize..4, groups in 1usize..3, gc in 1usize..10, go in 1usize..20) {
        check(&Geometry {
            batch,
            in_channels: groups * gc,
            group_channels: gc,
            out_channels: groups * go,
            axes: [Axis::ONE, h, w],
        });
    }

    #[test]
    fn volumes(d in axis(), h in axis(), w in axis(), gc in prop_oneof![Just(1usize), Just(9)], go in 1usize..4) {
        check(&Geometry {
            batch: 2,
            in_channels: gc,
            group_channels: gc,
            out_channels: go,
            axes: [d, h, w],
        });
    }
}

#[test]
fn strips_of_a_large_image() {
    let axis = Axis::new(300, 3, 1, 1, Padding::Same).unwrap();
    let narrow = Axis::new(40, 3, 2, 1, Padding::Same).unwrap();
    check(&Geometry {
        batch: 1,
        in_channels: 8,
        group_channels: 8,
        out_channels: 3,
        axes: [Axis::ONE, axis, narrow],
    });
}

/// A 5x5 window over 9x9 images of 32 channels: 800 products per output.
fn deep() -> Geometry {
    let axis = Axis::new(9, 5, 1, 1, Padding::Same).unwrap();
    Geometry {
        batch: 2,
        in_channels: 32,
        group_channels: 32,
        out_channels: 20,
        axes: [Axis::ONE, axis, axis],
    }
}

fn floats(count: usize, seed: usize) -> Vec<f32> {
    numbers(count, seed).iter().enumerate().map(|(i, &v)| v as f32 / (3 + i % 5) as f32).collect()
}

/// The norm of the error over the norm of the exact values.
fn error(got: &[f32], exact: &[f64]) -> f64 {
    let difference: f64 = got.iter().zip(exact).map(|(&g, e)| (g as f64 - e).powi(2)).sum();
    (difference / exact.iter().map(|e| e * e).sum::<f64>()).sqrt()
}

#[test]
fn deep_sums_stay_exact_to_the_last_places() {
    let g = deep();
    let parallel = Parallel::serial();
    let positive = |count, seed| floats(count, seed).iter().map(|v| v.abs()).collect::<Vec<_>>();
    let x = positive(g.batch * g.input_pixels() * g.in_channels, 1);
    let w = positive(g.depth() * g.out_channels, 4);
    let dy = positive(g.batch * g.output_pixels() * g.out_channels, 2);
    let (mut y, mut dx) = (vec![0f64; dy.len()], vec![0f64; x.len()]);
    products(&g, |i, k, o| {
        y[o] += x[i] as f64 * w[k] as f64;
        dx[i] += dy[o] as f64 * w[k] as f64;
    });
    let mut got = vec![0f32; y.len()];
    forward(&g, &x, &w, &mut got, &parallel, |_| {}).unwrap();
    assert!(error(&got, &y) < 1.2e-7, "forward {}", error(&got, &y));
    let mut got = vec![0f32; x.len()];
    input_gradient(&g, &w, &dy, &mut got, &parallel).unwrap();
    assert!(error(&got, &dx) < 1.2e-7, "input's gradient {}", error(&got, &dx));
}

/// Max pooling after a convolution relies on it: over an even background every output is the same
/// number, and the gradient goes to the first of them as in TensorFlow.
#[test]
fn equal_windows_give_equal_bits() {
    let g = deep();
    let x = vec![0.1f32; g.batch * g.input_pixels() * g.in_channels];
    let w = floats(g.depth() * g.out_channels, 4);
    let mut y = vec![0f32; g.batch * g.output_pixels() * g.out_channels];
    forward(&g, &x, &w, &mut y, &Parallel::serial(), |_| {}).unwrap();
    let at = |n: usize, row: usize, column: usize| &y[((n * 9 + row) * 9 + column) * 20..][..20];
    for (n, row, column) in
        (0..2).flat_map(|n| (2..7).flat_map(move |r| (2..7).map(move |c| (n, r, c))))
    {
        assert_eq!(at(n, row, column), at(0, 2, 2));
    }
}
