//! Loops over a float32 tensor whose channels lie last (NHWC, NDHWC) or second (NCHW, NCDHW), with
//! parameters per channel.

use downpour_runtime::{OpContext, Parallel};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::columns::{column_sums, lane_sum};

/// A tensor seen as `rows` × `channels` × `inner`; `inner` is 1 when the channels lie last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub rows: usize,
    pub channels: usize,
    pub inner: usize,
}

impl Layout {
    /// The layout of a 4- or 5-dimensional tensor.
    pub fn new(shape: &Shape, channels_first: bool) -> Result<Layout> {
        let rank = shape.rank();
        if rank != 4 && rank != 5 {
            return Err(Status::invalid_argument(format!(
                "input must be 4 or 5-dimensional{shape}"
            )));
        }
        Ok(match channels_first {
            true => {
                Layout { rows: shape[0], channels: shape[1], inner: shape[2..].iter().product() }
            }
            false => Layout {
                rows: shape[..rank - 1].iter().product(),
                channels: shape[rank - 1],
                inner: 1,
            },
        })
    }

    /// Elements per channel.
    pub fn count(&self) -> usize {
        self.rows * self.inner
    }

    fn unit(&self) -> usize {
        self.channels * self.inner
    }

    /// For each channel the sum of `f(a, b, p)` over its elements of `a` and `b`, where `p` is the
    /// channel's parameter.
    pub fn sums(
        &self,
        parallel: &Parallel,
        a: &[f32],
        b: &[f32],
        parameter: &[f32],
        f: impl Fn(f32, f32, f32) -> f32 + Sync,
    ) -> Vec<f32> {
        let (unit, inner) = (self.unit(), self.inner);
        let add = |range: std::ops::Range<usize>, sums: &mut [f32]| {
            for r in range {
                let (a, b) = (&a[r * unit..(r + 1) * unit], &b[r * unit..(r + 1) * unit]);
                if inner == 1 {
                    for (((s, a), b), p) in sums.iter_mut().zip(a).zip(b).zip(parameter) {
                        *s += f(*a, *b, *p);
                    }
                    continue;
                }
                let planes = a.chunks_exact(inner).zip(b.chunks_exact(inner));
                let mut products = vec![0f32; inner];
                for ((s, (a, b)), p) in sums.iter_mut().zip(planes).zip(parameter) {
                    for ((o, a), b) in products.iter_mut().zip(a).zip(b) {
                        *o = f(*a, *b, *p);
                    }
                    *s += lane_sum(&products, |v| v, |x, y| x + y);
                }
            }
        };
        column_sums(parallel, self.rows, unit, self.channels, add, |x, y| x + y)
    }

    /// A new tensor of `f(a, b, [p0, p1, p2, p3])` for each element and its channel's parameters.
    pub fn map(
        &self,
        cx: &OpContext<'_>,
        shape: &Shape,
        a: &[f32],
        b: &[f32],
        parameters: [&[f32]; 4],
        f: impl Fn(f32, f32, [f32; 4]) -> f32 + Sync,
    ) -> Result<Tensor> {
        let (unit, inner, channels) = (self.unit(), self.inner, self.channels);
        let [p0, p1, p2, p3] = parameters.map(|p| &p[..channels]);
        Tensor::build(shape, |out: &mut [f32]| {
            cx.parallel().for_chunks(out, unit, (8192 / unit.max(1)).max(1), |first, run| {
                for (i, out) in run.chunks_exact_mut(unit).enumerate() {
                    let at = (first + i) * unit;
                    let (a, b) = (&a[at..at + unit], &b[at..at + unit]);
                    if inner == 1 {
                        let (out, a, b) = (&mut out[..channels], &a[..channels], &b[..channels]);
                        for c in 0..channels {
                            out[c] = f(a[c], b[c], [p0[c], p1[c], p2[c], p3[c]]);
                        }
                        continue;
                    }
                    for c in 0..channels {
                        let p = [p0[c], p1[c], p2[c], p3[c]];
                        let plane = c * inner..(c + 1) * inner;
                        let (a, b) = (&a[plane.clone()], &b[plane.clone()]);
                        for ((o, a), b) in out[plane].iter_mut().zip(a).zip(b) {
                            *o = f(*a, *b, p);
                        }
                    }
                }
            });
        })
    }
}
