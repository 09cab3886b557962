//! What the distributions with parameters (gamma, Poisson, binomial) share: several samples for each
//! parameter, each from a stretch of the generator of its own.

use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor, f16};

use crate::distributions::{normal_doubles, uniform_doubles};
use crate::philox::Philox;

/// A type samples are written in: they are computed as doubles.
pub(crate) trait Sample: Element {
    /// The largest value, as a double.
    const HIGHEST: f64;
    fn from_double(value: f64) -> Self;
}

macro_rules! samples {
    ($($ty:ty, $highest:expr, $from:expr;)*) => {$(
        impl Sample for $ty {
            const HIGHEST: f64 = $highest;
            #[inline(always)]
            fn from_double(value: f64) -> $ty { $from(value) }
        }
    )*};
}
samples! {
    f32, f32::MAX as f64, |v| v as f32;
    f64, f64::MAX, |v| v;
    f16, 65504.0, |v| f16::from_f32(v as f32);
    i32, i32::MAX as f64, |v| v as i32;
    i64, i64::MAX as f64, |v| v as i64;
}

/// Dispatches over the types samples can have.
macro_rules! dispatch_sample {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: downpour_tensor::f16, Int32: i32, Int64: i64)
    };
}
pub(crate) use dispatch_sample;

/// A tensor's numbers as doubles.
pub(crate) fn doubles(tensor: &Tensor) -> Result<Vec<f64>> {
    Ok(match tensor.dtype() {
        DataType::Float => tensor.as_slice::<f32>()?.iter().map(|&v| v.into()).collect(),
        DataType::Double => tensor.as_slice::<f64>()?.to_vec(),
        DataType::Half => tensor.as_slice::<f16>()?.iter().map(|v| v.to_f64()).collect(),
        _ => tensor.to_i64_vec()?.iter().map(|&v| v as f64).collect(),
    })
}

/// The shape of `samples` followed by that of the parameters.
pub(crate) fn appended(samples: &Shape, parameters: &Shape) -> Result<Shape> {
    let dims: Vec<i64> = samples.iter().chain(parameters.iter()).map(|&d| d as i64).collect();
    Shape::from_i64(&dims).map_err(|_| {
        Status::invalid_argument(format!(
            "the shape {samples} followed by {parameters} would overflow the number of elements a \
             tensor can have"
        ))
    })
}

/// How many samples each parameter gets when `output` must end with the parameters' shape.
pub(crate) fn samples_per_parameter(output: &Shape, parameters: &[usize]) -> Result<usize> {
    let leading = output.rank().checked_sub(parameters.len());
    match leading {
        Some(leading) if output[leading..] == *parameters => Ok(output[..leading].iter().product()),
        _ => Err(Status::invalid_argument("Shape passed in must end with broadcasted shape.")),
    }
}

/// A tensor whose element (s, p) is `draw(parameter p, p * samples + s)`: the second argument is
/// the number of the sample, from which `draw` finds its stretch of the generator.
pub(crate) fn fill_samples<T: Element, P: Sync>(
    parallel: &Parallel,
    shape: &Shape,
    parameters: &[P],
    samples: usize,
    draw: impl Fn(&P, u64) -> T + Sync,
) -> Result<Tensor> {
    Tensor::build(shape, |out: &mut [T]| {
        parallel.for_chunks(out, 1, 256, |first, run| {
            for (i, value) in run.iter_mut().enumerate() {
                let (sample, p) = ((first + i) / parameters.len(), (first + i) % parameters.len());
                *value = draw(&parameters[p], (p * samples + sample) as u64);
            }
        });
    })
}

/// Doubles drawn in pairs and handed out last first.
pub(crate) struct Pairs {
    draw: fn(&mut Philox) -> [f64; 2],
    pair: [f64; 2],
    left: usize,
}

impl Pairs {
    pub fn uniform() -> Pairs {
        Pairs { draw: uniform_doubles, pair: [0.0; 2], left: 0 }
    }

    pub fn normal() -> Pairs {
        Pairs { draw: normal_doubles, pair: [0.0; 2], left: 0 }
    }

    #[inline]
    pub fn next(&mut self, philox: &mut Philox) -> f64 {
        if self.left == 0 {
            self.pair = (self.draw)(philox);
            self.left = 2;
        }
        self.left -= 1;
        self.pair[self.left]
    }
}
