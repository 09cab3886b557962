//! What commands compute. Every element is computed in float64 and rounded once.

use downpour_tensor::{DataType, Element, Result, Status, Tensor};

/// Elements computed at a time: their sums stay in the first cache.
const BLOCK: usize = 1024;

/// A type that vectors are made of.
pub(crate) trait Real: Element + Copy {
    fn wide(self) -> f64;
    fn narrow(value: f64) -> Self;
}

impl Real for f32 {
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn narrow(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    fn wide(self) -> f64 {
        self
    }
    fn narrow(value: f64) -> f64 {
        value
    }
}

macro_rules! by_real {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            DataType::Float => {
                type $T = f32;
                $body
            }
            DataType::Double => {
                type $T = f64;
                $body
            }
            other => Err(unsupported(other)),
        }
    };
}

pub(crate) fn unsupported(dtype: DataType) -> Status {
    Status::unimplemented(format!(
        "vectors for L-BFGS are made of float or double variables, not of {dtype}"
    ))
}

/// Σ factor · tensor; all have the shape and type of `like`.
pub(crate) fn combine(like: &Tensor, terms: &[(f64, &Tensor)]) -> Result<Tensor> {
    by_real!(like.dtype(), T => {
        let slices = terms.iter().map(|(factor, tensor)| Ok((*factor, tensor.as_slice::<T>()?)));
        let slices: Vec<(f64, &[T])> = slices.collect::<Result<_>>()?;
        filled::<T>(like, |from, sums| {
            for (factor, values) in &slices {
                let values = values.get(from..).unwrap_or(&[]);
                sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += factor * v.wide());
            }
        })
    })
}

/// One tensor times the other, element by element.
pub(crate) fn multiply(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    by_real!(a.dtype(), T => {
        let (x, y) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
        filled::<T>(a, |from, sums| {
            let (x, y) = (x.get(from..).unwrap_or(&[]), y.get(from..).unwrap_or(&[]));
            let products = x.iter().zip(y).map(|(x, y)| x.wide() * y.wide());
            sums.iter_mut().zip(products).for_each(|(sum, product)| *sum = product);
        })
    })
}

/// Sums times a factor, plus a factor times a tensor: the gradient of a mean with its penalty.
pub(crate) fn mean(like: &Tensor, sums: &[f64], by: f64, add: (f64, &Tensor)) -> Result<Tensor> {
    by_real!(like.dtype(), T => {
        let point = add.1.as_slice::<T>()?;
        filled::<T>(like, |from, out| {
            let gathered = sums.get(from..).unwrap_or(&[]);
            out.iter_mut().zip(gathered).for_each(|(out, sum)| *out = by * sum);
            if add.0 != 0.0 {
                let point = point.get(from..).unwrap_or(&[]);
                out.iter_mut().zip(point).for_each(|(out, p)| *out += add.0 * p.wide());
            }
        })
    })
}

/// A new tensor like another; `fill` adds to a block of zeros that begins at an element.
fn filled<T: Real>(like: &Tensor, fill: impl Fn(usize, &mut [f64])) -> Result<Tensor> {
    let mut out = Tensor::new(like.dtype(), like.shape().clone())?;
    let elements = out.as_mut_slice::<T>();
    let elements = elements.ok_or_else(|| Status::internal("a new vector is shared"))?;
    let mut sums = [0.0; BLOCK];
    for (block, elements) in elements.chunks_mut(BLOCK).enumerate() {
        let sums = &mut sums[..elements.len()];
        sums.fill(0.0);
        fill(block * BLOCK, sums);
        elements.iter_mut().zip(sums).for_each(|(element, sum)| *element = T::narrow(*sum));
    }
    Ok(out)
}

/// Σ a · b.
pub(crate) fn dot(a: &Tensor, b: &Tensor) -> Result<f64> {
    by_real!(a.dtype(), T => {
        let (a, b) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
        // Lanes keep the error of a long sum small, and vectorize.
        let mut lanes = [0.0; 8];
        for (a, b) in a.chunks(8).zip(b.chunks(8)) {
            let products = a.iter().zip(b).map(|(a, b)| a.wide() * b.wide());
            lanes.iter_mut().zip(products).for_each(|(lane, product)| *lane += product);
        }
        Ok(lanes.iter().sum())
    })
}

/// Adds a tensor to sums of its length.
pub(crate) fn add_to(sums: &mut [f64], tensor: &Tensor) -> Result<()> {
    by_real!(tensor.dtype(), T => {
        let values = tensor.as_slice::<T>()?;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value.wide());
        Ok(())
    })
}
