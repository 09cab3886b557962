//! ExtractGlimpse and ExtractGlimpseV2: a window of each image, with noise where it lies outside.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, checked_elements};

use super::set_sized;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["ExtractGlimpse", "ExtractGlimpseV2"] {
        let spec = OpSpec::new(&format!(
            "{name}(input: float, size: int32, offsets: float) -> (glimpse: float)
                centered: bool = true
                normalized: bool = true
                uniform_noise: bool = true
                noise: string = 'uniform'"
        ))?;
        registry.add(spec.shape(shape).not_differentiable(), |build| {
            Ok(KernelBox::new(Glimpse::new(build)?))
        })?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (input, offsets) = (cx.with_rank(0, 4)?, cx.with_rank(2, 2)?);
    let batch = cx.merge_dim(input.dim(0), offsets.dim(0))?;
    cx.merge_dim(offsets.dim(1), Some(2))?;
    set_sized(cx, batch, 1, input.dim(3))
}

/// The pixels outside of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noise {
    Uniform,
    Gaussian,
    Zero,
}

struct Glimpse {
    second: bool,
    centered: bool,
    normalized: bool,
    noise: Noise,
}

impl Glimpse {
    fn new(build: &KernelBuild<'_>) -> Result<Glimpse> {
        let uniform = build.bool("uniform_noise")?;
        let word = build.string("noise")?;
        let noise = match word.as_str() {
            "uniform" => Noise::Uniform,
            "" if uniform => Noise::Uniform,
            _ if uniform => {
                return Err(Status::invalid_argument(
                    "The uniform_noise and noise could not be specified at the same time",
                ));
            }
            "" | "gaussian" => Noise::Gaussian,
            "zero" => Noise::Zero,
            other => {
                return Err(Status::invalid_argument(format!(
                    "The noise could only be uniform, gaussian, or zero, got{other}"
                )));
            }
        };
        Ok(Glimpse {
            second: build.op_name() == "ExtractGlimpseV2",
            centered: build.bool("centered")?,
            normalized: build.bool("normalized")?,
            noise,
        })
    }

    /// Returns where a window begins along an axis.
    fn start(&self, offset: f32, length: usize, window: usize) -> i64 {
        let (length, window) = (length as f32, window as f32);
        let mut at = offset;
        if !self.second {
            if self.normalized {
                at *= length;
            }
            if self.centered {
                at = at / 2.0 + length / 2.0;
            }
            at -= window / 2.0;
        } else if self.normalized {
            at *= length;
            if self.centered {
                at = at / 2.0 + length / 2.0 - window / 2.0;
            }
        } else if self.centered {
            at += length / 2.0;
        }
        at as i64
    }
}

impl Kernel for Glimpse {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let invalid = |what: &str, tensor: &Tensor| {
            Err(Status::invalid_argument(format!("{what}{}", tensor.shape())))
        };
        let (input, size, offsets) = (cx.input(0), cx.input(1), cx.input(2));
        let &[batch, height, width, depth] = input.dims() else {
            return invalid(
                "input must be 4-dimensional (batch_size, height, width, depth)",
                input,
            );
        };
        let &[rows, columns] = size.as_slice::<i32>()? else {
            return invalid("input must be a vector of size 2 (height, width)", size);
        };
        if size.rank() != 1 {
            return invalid("input must be a vector of size 2 (height, width)", size);
        }
        let sides = Shape::from_i64(&[rows as i64, columns as i64])?;
        let (rows, columns) = (sides[0], sides[1]);
        if offsets.rank() != 2 {
            return invalid("input must be a matrix", offsets);
        }
        if offsets.dims()[0] != batch {
            return invalid("first dimension should be batch", offsets);
        }
        if offsets.dims()[1] != 2 {
            return invalid("second dimension should be of size 2 (y,x)", offsets);
        }
        let shape = Shape::new(&[batch, rows, columns, depth]);
        let empty = checked_elements(&shape)? == 0;
        let mut output = Tensor::zeros(DataType::Float, &shape)?;
        let out = output
            .as_mut_slice::<f32>()
            .ok_or_else(|| Status::internal("a new tensor is shared"))?;
        let (x, offsets) = (input.as_slice::<f32>()?, offsets.as_slice::<f32>()?);
        let size = rows * columns * depth;
        for (n, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
            if empty {
                break;
            }
            cx.check_cancelled()?;
            let image = &x[n * height * width * depth..][..height * width * depth];
            let axis_y = Axis::new(self.start(offsets[2 * n], height, rows), height, rows);
            let axis_x = Axis::new(self.start(offsets[2 * n + 1], width, columns), width, columns);
            if axis_y.outside || axis_x.outside {
                self.noise.fill(image, depth, out);
            }
            let run = axis_x.count * depth;
            for row in 0..if run > 0 { axis_y.count } else { 0 } {
                let from = ((axis_y.from + row) * width + axis_x.from) * depth;
                let to = ((axis_y.to + row) * columns + axis_x.to) * depth;
                out[to..to + run].copy_from_slice(&image[from..from + run]);
            }
        }
        cx.set_output(0, output);
        Ok(())
    }
}

/// The part of a window that an image has along an axis.
struct Axis {
    from: usize,
    to: usize,
    count: usize,
    /// The window reaches the edge of the image, or beyond.
    outside: bool,
}

impl Axis {
    fn new(start: i64, length: usize, window: usize) -> Axis {
        let (from, to) = if start < 0 {
            (0, start.unsigned_abs().min(window as u64) as usize)
        } else {
            ((start as u64).min(length as u64) as usize, 0)
        };
        let count = (window - to).min(length - from);
        let outside = start < 0 || start.saturating_add(window as i64) >= length as i64;
        Axis { from, to, count, outside }
    }
}

impl Noise {
    /// Fills a window with noise that resembles an image.
    fn fill(self, image: &[f32], depth: usize, out: &mut [f32]) {
        let range = |values: &mut dyn Iterator<Item = f32>| {
            values.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| {
                [low.min(v), high.max(v)]
            })
        };
        match self {
            Noise::Zero => {}
            Noise::Uniform => {
                let [low, high] = range(&mut image.iter().copied());
                out.iter_mut().for_each(|to| *to = low + fastrand::f32() * (high - low));
            }
            Noise::Gaussian => {
                for channel in 0..depth {
                    let values = || image.iter().skip(channel).step_by(depth).copied();
                    let count = (image.len() / depth) as f32;
                    let mean = values().sum::<f32>() / count;
                    let sigma = (values().map(|v| (v - mean).powi(2)).sum::<f32>() / count).sqrt();
                    let [low, high] = range(&mut values());
                    for to in out.iter_mut().skip(channel).step_by(depth) {
                        *to = (mean + normal() * sigma).min(high).max(low);
                    }
                }
            }
        }
    }
}

/// Returns a normally distributed number, after Box and Muller.
fn normal() -> f32 {
    let radius = (-2.0 * (1.0 - fastrand::f32()).ln()).sqrt();
    radius * (std::f32::consts::TAU * fastrand::f32()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn glimpse(noise: &'static str, offset: [f32; 2]) -> OpTest {
        OpTest::new(register, "ExtractGlimpseV2")
            .attr("noise", noise)
            .attr("uniform_noise", false)
            .attr("centered", false)
            .attr("normalized", false)
            .input(Tensor::from_slice([1, 2, 2, 1], &[1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(Tensor::vector(&[2i32, 2]).unwrap())
            .input(Tensor::from_slice([1, 2], &offset).unwrap())
    }

    #[test]
    fn windows_may_lie_outside() {
        let values = |test: OpTest| test.run_one().unwrap().as_slice::<f32>().unwrap().to_vec();
        assert_eq!(values(glimpse("zero", [0.0, 0.0])), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values(glimpse("zero", [1.0, 1.0])), [4.0, 0.0, 0.0, 0.0]);
        assert_eq!(values(glimpse("zero", [-1.0, -1.0])), [0.0, 0.0, 0.0, 1.0]);
        for noise in ["uniform", "gaussian"] {
            let around = values(glimpse(noise, [9.0, -9.0]));
            assert!(around.iter().all(|v| (1.0..=4.0).contains(v)), "{around:?}");
        }
    }

    #[test]
    fn strange_offsets() {
        for offset in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
            assert!(glimpse("gaussian", [offset; 2]).run().is_ok());
        }
        assert!(glimpse("pink", [0.0; 2]).run().is_err());
        assert!(glimpse("zero", [0.0; 2]).attr("uniform_noise", true).run().is_err());
    }
}
