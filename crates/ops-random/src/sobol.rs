//! SobolSample: points of the Sobol sequence, which fills a cube more evenly than random points do.
//!
//! Direction numbers follow from a primitive polynomial and some first numbers for each dimension (Joe and Kuo, 2008);
//! `fixtures/sobol_directions.bin` has them for each dimension but the first, as 16-bit numbers: the polynomial's degree,
//! its inner coefficients as a binary number, the first direction numbers without their last digit, which is 1
//! (`fixtures/make_sobol.py` writes it). TensorFlow has more than 20,000 dimensions, in a table thirty times as large.

use std::sync::OnceLock;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{
    CountedVec, DataType, RealNumber, Result, Shape, Status, Tensor, dispatch_over,
};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SobolSample(dim: int32, num_results: int32, skip: int32) -> (samples: dtype)
                dtype: {float, double} = float",
        )?
        .shape(infer),
        |build| Ok(KernelBox::new(Sobol { dtype: build.output_dtype(0) })),
    )
}

/// Points have numbers below 2^31.
const DIGITS: usize = 31;

/// Direction numbers of one dimension, shifted so that all have `DIGITS` digits.
type Directions = [u32; DIGITS];

fn table() -> &'static [Directions] {
    static TABLE: OnceLock<Vec<Directions>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let bytes = include_bytes!("../fixtures/sobol_directions.bin").chunks_exact(2);
        let mut numbers = bytes.map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]])));
        let mut table = vec![shifted([1; DIGITS])];
        while let (Some(degree), Some(coefficients)) = (numbers.next(), numbers.next()) {
            let first: Vec<u32> =
                numbers.by_ref().take(degree as usize).map(|m| m << 1 | 1).collect();
            table.push(shifted(extended(&first, coefficients)));
        }
        table
    })
}

/// Returns the direction numbers that follow from the first ones and a polynomial.
fn extended(first: &[u32], coefficients: u32) -> Directions {
    let degree = first.len();
    let mut directions = [0u32; DIGITS];
    directions[..degree].copy_from_slice(first);
    for k in degree..DIGITS {
        let first = directions[k - degree];
        directions[k] = (1..degree)
            .filter(|i| coefficients >> (degree - 1 - i) & 1 == 1)
            .fold(first ^ first << degree, |number, i| number ^ directions[k - i] << i);
    }
    directions
}

fn shifted(mut directions: Directions) -> Directions {
    directions.iter_mut().enumerate().for_each(|(k, number)| *number <<= DIGITS - 1 - k);
    directions
}

struct Sobol {
    dtype: DataType,
}

impl Kernel for Sobol {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let argument = |i: usize, name: &str| match cx.input(i).rank() {
            0 => cx.input(i).to_scalar::<i32>(),
            _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
        };
        let (dim, count, skip) =
            (argument(0, "dim")?, argument(1, "num_results")?, argument(2, "skip")?);
        check(dim, count, skip).map_err(Status::invalid_argument)?;
        let shape = Shape::new(&[count as usize, dim as usize]);
        let samples = dispatch_over!(self.dtype, "SobolSample", T => {
            let mut samples = Tensor::new(self.dtype, shape)?;
            let out = samples
                .as_mut_slice::<T>()
                .ok_or_else(|| Status::internal("a new tensor is shared"))?;
            let dim = dim as usize;
            // Scratch of each chunk: a number for each dimension.
            let _scratch = CountedVec::<u32>::with_capacity(dim * cx.parallel().limit().max(1))?;
            // TensorFlow's scale overflows where points need all 31 digits: its points are negative from there on.
            let overflows = skip as u32 + count as u32 + 1 >= 1 << (DIGITS - 1);
            let scale = if overflows { -1.0 } else { 1.0 } / f64::from(1u32 << DIGITS);
            cx.parallel().for_chunks(out, dim, (1 << 13) / dim + 1, |first, run| {
                fill::<T>(run, dim, first as u32 + skip as u32 + 1, scale);
            });
            Ok(samples)
        }, Float: f32, Double: f64)?;
        cx.set_output(0, samples);
        Ok(())
    }
}

fn check(dim: i32, count: i32, skip: i32) -> std::result::Result<(), String> {
    if dim < 1 {
        Err("dim must be at least one".into())
    } else if dim as usize > table().len() {
        Err(format!(
            "dim must be at most {} here (TensorFlow takes more), but is {dim}",
            table().len()
        ))
    } else if count < 1 {
        Err("num_results must be at least one".into())
    } else if skip < 0 {
        Err("skip must be non-negative".into())
    } else if count >= i32::MAX - skip {
        Err(format!("num_results+skip must be less than {}", i32::MAX))
    } else if count >= i32::MAX / dim {
        Err(format!("num_results*dim must be less than {}", i32::MAX))
    } else {
        Ok(())
    }
}

/// Writes points from number `first` on. Each differs from the one before in one digit of its Gray code.
fn fill<T: RealNumber>(out: &mut [T], dim: usize, first: u32, scale: f64) {
    let directions = &table()[..dim];
    let gray = first ^ first >> 1;
    let mut point: Vec<u32> = directions
        .iter()
        .map(|own| (0..DIGITS).filter(|k| gray >> k & 1 == 1).fold(0, |x, k| x ^ own[k]))
        .collect();
    for (i, out) in out.chunks_exact_mut(dim).enumerate() {
        if i > 0 {
            let digit = (first + i as u32 - 1).trailing_ones() as usize;
            point.iter_mut().zip(directions).for_each(|(x, own)| *x ^= own[digit]);
        }
        for (o, &x) in out.iter_mut().zip(&point) {
            *o = T::from_f64_lossy(f64::from(x) * scale);
        }
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..3 {
        cx.with_rank(i, 0)?;
    }
    let size =
        |i: usize| cx.constant_ints(i).and_then(|values| usize::try_from(*values.first()?).ok());
    let shape = PartialShape::matrix(size(1), size(0));
    cx.set_output(0, shape);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(dim: i32, count: i32, skip: i32) -> Result<Tensor> {
        let test = OpTest::new(register, "SobolSample").attr("dtype", DataType::Double);
        [dim, count, skip].iter().fold(test, |t, &v| t.input(Tensor::scalar(v))).run_one()
    }

    #[test]
    fn first_points_and_points_after_a_skip() {
        let y = run(2, 4, 0).unwrap();
        let points = [0.5, 0.5, 0.75, 0.25, 0.25, 0.75, 0.375, 0.375];
        assert_eq!(y.as_slice::<f64>().unwrap(), &points);
        let y = run(2, 2, 2).unwrap();
        assert_eq!(y.as_slice::<f64>().unwrap(), &points[4..]);
    }

    #[test]
    fn every_dimension_is_there() {
        let y = run(1111, 255, 0).unwrap();
        // The first 255 points and the origin meet each of 256 equal parts of each axis once.
        for dimension in [0, 1, 700, 1110] {
            let column = y.as_slice::<f64>().unwrap().iter().skip(dimension).step_by(1111);
            let mut parts: Vec<u32> = column.map(|x| (x * 256.0) as u32).collect();
            parts.sort_unstable();
            assert_eq!(parts, (1..256).collect::<Vec<_>>(), "dimension {dimension}");
        }
    }

    #[test]
    fn bad_arguments_are_refused() {
        for (dim, count, skip) in [
            (0, 1, 0),
            (1112, 1, 0),
            (1, 0, 0),
            (1, 1, -1),
            (1, i32::MAX, 0),
            (1, 1, i32::MAX),
            (1111, 1 << 21, 0),
        ] {
            assert!(run(dim, count, skip).is_err(), "{dim} {count} {skip}");
        }
        let test = OpTest::new(register, "SobolSample").input(Tensor::vector(&[1i32]).unwrap());
        assert!(test.input(Tensor::scalar(1i32)).input(Tensor::scalar(0i32)).run().is_err());
    }
}
