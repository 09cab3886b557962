//! Discrete Fourier transforms over the last one, two or three axes (or given ones).

mod gradient;
mod transform;

use downpour_graph::{GradientFn, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Result, Shape, Status, Tensor};
use transform::{Direction, Transform, Transforms};

const COMPLEX: &str = "Tcomplex: {complex64, complex128} = complex64";
const REAL: &str = "Treal: {float, double} = float
    Tcomplex: {complex64, complex128} = complex64";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for rank in 1..=3usize {
        let suffix = if rank == 1 { String::new() } else { format!("{rank}D") };
        let complex: [(&str, GradientFn); 2] = [("FFT", gradient::fft), ("IFFT", gradient::ifft)];
        for (name, rule) in complex {
            let text = format!("{name}{suffix}(input: Tcomplex) -> (output: Tcomplex)\n{COMPLEX}");
            let spec = OpSpec::new(&text)?.shape(complex_shape).gradient(rule);
            registry.add(spec.tolerance(1e-4), factory)?;
            let text = format!("Batch{name}{suffix}(input: complex64) -> (output: complex64)");
            let spec = OpSpec::new(&text)?.shape(shapes::unknown);
            registry.add(spec.tolerance(1e-4), factory)?;
        }
        let forward =
            format!("RFFT{suffix}(input: Treal, fft_length: int32) -> (output: Tcomplex)\n{REAL}");
        let backward =
            format!("IRFFT{suffix}(input: Tcomplex, fft_length: int32) -> (output: Treal)\n{REAL}");
        let rules: [(String, GradientFn); 2] =
            [(forward, gradient::rfft), (backward, gradient::irfft)];
        for (text, rule) in rules {
            let mut spec = OpSpec::new(&text)?.shape(real_shape).tolerance(1e-4);
            // TensorFlow has no gradients for the three-dimensional real transforms either.
            if rank < 3 {
                spec = spec.gradient(rule);
            }
            registry.add(spec, factory)?;
        }
    }
    for text in [
        format!(
            "FFTND(input: Tcomplex, fft_length: int32, axes: int32) -> (output: Tcomplex)\n{COMPLEX}"
        ),
        format!(
            "IFFTND(input: Tcomplex, fft_length: int32, axes: int32) -> (output: Tcomplex)\n{COMPLEX}"
        ),
        format!(
            "RFFTND(input: Treal, fft_length: int32, axes: int32) -> (output: Tcomplex)\n{REAL}"
        ),
        format!(
            "IRFFTND(input: Tcomplex, fft_length: int32, axes: int32) -> (output: Treal)\n{REAL}"
        ),
    ] {
        registry.add(OpSpec::new(&text)?.shape(any_shape).tolerance(1e-4), factory)?;
    }
    Ok(())
}

/// The number of axes an operation's name tells; `None` for those that take axes.
fn rank_of(name: &str) -> Option<usize> {
    match name {
        n if n.ends_with("ND") => None,
        n if n.ends_with("2D") => Some(2),
        n if n.ends_with("3D") => Some(3),
        _ => Some(1),
    }
}

struct Fft {
    rank: Option<usize>,
    direction: Direction,
    real: bool,
    transforms: Transforms,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let name = build.op_name();
    let inverse = name.contains("IFFT") || name.contains("IRFFT");
    Ok(KernelBox::new(Fft {
        rank: rank_of(name),
        direction: if inverse { Direction::Inverse } else { Direction::Forward },
        real: name.contains("RFFT"),
        transforms: Transforms::default(),
    }))
}

impl Kernel for Fft {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let lengths = self.lengths(cx)?;
        let first = input.rank() - lengths.len();
        let forward = self.direction == Direction::Forward;
        let mut output: Shape = input.shape().clone();
        let mut spectrum = output.clone();
        for (i, &length) in lengths.iter().enumerate() {
            let axis = first + i;
            let half = if length == 0 { 0 } else { length / 2 + 1 };
            let innermost = self.real && i + 1 == lengths.len();
            if self.real {
                let least = if innermost && !forward { length / 2 + 1 } else { length };
                let size = input.dims()[axis];
                if size != 0 && size < least {
                    return Err(Status::invalid_argument(format!(
                        "Input dimension {axis} must have length of at least {least} but got: {size}"
                    )));
                }
            }
            output.dims_mut()[axis] = if innermost && forward { half } else { length };
            spectrum.dims_mut()[axis] = if innermost { half } else { length };
        }
        downpour_tensor::checked_elements(&output)?;
        let transform = Transform {
            parallel: cx.parallel(),
            lengths: &lengths,
            direction: self.direction,
            input: input.shape(),
            spectrum: &spectrum,
            output: &output,
        };
        let out_type = cx.node().output_dtype(0);
        if input.is_empty() {
            let zeros = Tensor::zeros(out_type, output)?;
            cx.set_output(0, zeros);
            return Ok(());
        }
        let (float, double) = (&self.transforms.float, &self.transforms.double);
        let result = match (input.dtype(), out_type) {
            (DataType::Complex64, DataType::Complex64) => {
                transform.complex(float, input.as_slice::<Complex64>()?)
            }
            (DataType::Complex128, DataType::Complex128) => {
                transform.complex(double, input.as_slice::<Complex128>()?)
            }
            (DataType::Float, DataType::Complex64) => {
                transform.real(float, input.as_slice::<f32>()?)
            }
            (DataType::Double, DataType::Complex128) => {
                transform.real(double, input.as_slice::<f64>()?)
            }
            (DataType::Complex64, DataType::Float) => {
                transform.to_real(float, input.as_slice::<Complex64>()?)
            }
            (DataType::Complex128, DataType::Double) => {
                transform.to_real(double, input.as_slice::<Complex128>()?)
            }
            (from, to) => Err(Status::invalid_argument(format!(
                "Wrong types for {}: in={from} out={to}",
                cx.node().op_name()
            ))),
        }?;
        cx.set_output(0, result);
        Ok(())
    }
}

impl Fft {
    /// The transforms' lengths on the last axes.
    fn lengths(&self, cx: &OpContext<'_>) -> Result<Vec<usize>> {
        let input = cx.input(0);
        let rank = match self.rank {
            Some(rank) => rank,
            None => successive_axes(input.rank(), &cx.vector_input(2)?.to_i64_vec()?)?,
        };
        if input.rank() < rank {
            return Err(Status::invalid_argument(format!(
                "Input must have rank of at least {rank} but got: {}",
                input.shape()
            )));
        }
        if !self.real && self.rank.is_some() {
            return Ok(input.dims()[input.rank() - rank..].to_vec());
        }
        let given = cx.input(1);
        if given.rank() != 1 || given.len() != rank {
            return Err(Status::invalid_argument(format!(
                "fft_length must have shape [{rank}], but got: {}",
                given.shape()
            )));
        }
        let check = |(i, length): (usize, i64)| {
            usize::try_from(length).map_err(|_| {
                Status::invalid_argument(format!("fft_length[{i}] must >= 0, but got: {length}"))
            })
        };
        given.to_i64_vec()?.into_iter().enumerate().map(check).collect()
    }
}

/// The number of axes, which must be the last ones in order.
fn successive_axes(rank: usize, axes: &[i64]) -> Result<usize> {
    if axes.is_empty() || axes.len() > rank {
        return Err(Status::invalid_argument(format!(
            "Input must have rank of at least {} but got: {rank}",
            axes.len().max(1)
        )));
    }
    let first = (rank - axes.len()) as i64;
    for (i, &axis) in axes.iter().enumerate() {
        let resolved = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
        if resolved != first + i as i64 {
            return Err(Status::invalid_argument(
                "axes must be successive and ascending. The last axis to perform transform on \
                 must be -1.",
            ));
        }
    }
    Ok(axes.len())
}

fn complex_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rank = rank_of(cx.node().op_name()).unwrap_or(1);
    let input = cx.with_rank_at_least(0, rank)?.clone();
    cx.set_output(0, input);
    Ok(())
}

fn real_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let name = cx.node().op_name();
    let rank = rank_of(name).unwrap_or(1);
    let forward = name.starts_with("RFFT");
    let input = cx.with_rank_at_least(0, rank)?;
    let lengths = cx.with_rank(1, 1)?;
    cx.merge_dim(lengths.dim(0), Some(rank))?;
    let Some(dims) = input.dims() else { return Ok(()) };
    let mut dims = dims.to_vec();
    let first = dims.len() - rank;
    let constant = cx.constant_ints(1);
    for i in 0..rank {
        dims[first + i] = match constant.as_deref().and_then(|c| c.get(i)) {
            None => None,
            Some(&length) => {
                let length = usize::try_from(length).map_err(|_| {
                    Status::invalid_argument(format!(
                        "fft_length[{i}] must >= 0, but got: {length}"
                    ))
                })?;
                let halved = forward && i + 1 == rank && length != 0;
                Some(if halved { length / 2 + 1 } else { length })
            }
        };
    }
    cx.set_output(0, PartialShape::of(dims));
    Ok(())
}

fn any_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    if let Some(rank) = input.rank() {
        cx.set_output(0, PartialShape::of_rank(rank));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
