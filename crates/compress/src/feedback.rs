//! Error feedback: what the last message left out of a variable is added to its next gradient.
//!
//! A gradient with an infinity or a NaN must not get into a residual, where it would stay for ever. Such a gradient is sent
//! as it is, the residual waits for the next one, and the receiver sees what it would have seen without compression.

use downpour_tensor::{Result, Status, Tensor};

use crate::float::Float;

/// Blocks of this many elements have a scale of their own.
pub(crate) const BLOCK: usize = 1024;

/// What one variable has still to be sent; nothing before its first gradient.
#[derive(Default)]
pub(crate) struct Residual(Option<Tensor>);

impl Residual {
    pub(crate) fn tensor(&self) -> Option<&Tensor> {
        self.0.as_ref()
    }

    /// The values, made zero if there were none.
    pub(crate) fn values<T: Float>(&mut self, name: &str, gradient: &Tensor) -> Result<&mut [T]> {
        if let Some(kept) = &self.0 {
            same_variable(name, kept, gradient)?;
        }
        let kept = match self.0.take() {
            // Somebody who looks at the residual holds it: it must not change under him.
            Some(kept) => kept.into_unique()?,
            None => Tensor::zeros(T::DTYPE, gradient.shape())?,
        };
        self.0.insert(kept).as_mut_slice().ok_or_else(|| {
            Status::internal(format!("the residual of {name} is not {} of its own", T::DTYPE))
        })
    }

    /// Keeps another error from now on.
    pub(crate) fn replace(&mut self, error: Tensor) {
        self.0 = Some(error);
    }
}

/// One name stands for one variable: its gradients have one dtype and one shape.
pub(crate) fn same_variable(name: &str, kept: &Tensor, gradient: &Tensor) -> Result<()> {
    if kept.dtype() == gradient.dtype() && kept.shape() == gradient.shape() {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "gradients of {name} were {} of shape {} and now are {} of shape {}; one name stands for one variable: \
         use another name, or forget this one first",
        kept.dtype(),
        kept.shape(),
        gradient.dtype(),
        gradient.shape()
    )))
}

wide! {
    /// The largest magnitude of gradient plus residual in each block; nothing if any sum is not finite.
    pub(crate) fn block_maxima<T: Float>(gradient: &[T], residual: &[T]) -> Option<Vec<T::Key>> {
        let mut all = Vec::with_capacity(gradient.len().div_ceil(BLOCK));
        let mut largest = T::Key::default();
        for (gradient, residual) in gradient.chunks(BLOCK).zip(residual.chunks(BLOCK)) {
            let mut block = T::Key::default();
            for (&g, &r) in gradient.iter().zip(residual) {
                block = block.max((g + r).key());
            }
            largest = largest.max(block);
            all.push(block);
        }
        (largest < T::INFINITE).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maxima_per_block() {
        let mut gradient = vec![1.0f32; BLOCK + 3];
        let residual = vec![-3.0f32; BLOCK + 3];
        gradient[BLOCK + 1] = -4.0;
        let found = block_maxima(&gradient, &residual).unwrap();
        assert_eq!(found, [2.0f32.to_bits(), 7.0f32.to_bits()]);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            gradient[5] = bad;
            assert!(block_maxima(&gradient, &residual).is_none());
        }
        assert!(block_maxima(&[f32::MAX], &[f32::MAX]).is_none());
    }

    #[test]
    fn a_residual_that_is_looked_at_does_not_change() {
        let mut residual = Residual::default();
        let gradient = Tensor::vector(&[0f32; 3]).unwrap();
        residual.values::<f32>("w", &gradient).unwrap()[0] = 1.0;
        let seen = residual.tensor().unwrap().clone();
        residual.values::<f32>("w", &gradient).unwrap()[0] = 2.0;
        assert_eq!(seen.as_slice::<f32>().unwrap()[0], 1.0);
    }

    #[test]
    fn a_name_is_one_variable() {
        let mut residual = Residual::default();
        residual.values::<f32>("w", &Tensor::vector(&[0f32; 3]).unwrap()).unwrap();
        let error = residual.values::<f32>("w", &Tensor::vector(&[0f32; 4]).unwrap()).unwrap_err();
        assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument);
        assert!(residual.values::<f64>("w", &Tensor::vector(&[0f64; 3]).unwrap()).is_err());
        assert!(residual.values::<f32>("w", &Tensor::vector(&[1f32; 3]).unwrap()).is_ok());
    }
}
