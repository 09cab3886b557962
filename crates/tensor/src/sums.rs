//! Sums and zeros of tensors of any element type.

use crate::{Complex64, Complex128, DataType, Element, RealNumber, Result, Status, Tensor};

/// The sum of two tensors of one type and shape.
pub fn add_tensors(mut a: Tensor, b: &Tensor) -> Result<Tensor> {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return Err(Status::invalid_argument(format!(
            "cannot add {} {} and {} {}",
            a.dtype(),
            a.shape(),
            b.dtype(),
            b.shape()
        )));
    }
    if !a.is_unique() {
        a = a.deep_copy()?;
    }
    match a.dtype() {
        DataType::Complex64 => add_into::<Complex64>(&mut a, b, |x, y| x + y)?,
        DataType::Complex128 => add_into::<Complex128>(&mut a, b, |x, y| x + y)?,
        DataType::Variant => {
            let sums: Vec<_> = a
                .variants()?
                .iter()
                .zip(b.variants()?)
                .map(|(x, y)| match x.value() {
                    Some(value) => value.add(y),
                    None => Ok(y.clone()),
                })
                .collect::<Result<_>>()?;
            return Tensor::from_variants(a.shape(), sums);
        }
        dtype => dispatch_real!(dtype, "Add", T => add_into::<T>(&mut a, b, T::add_w))?,
    }
    Ok(a)
}

fn add_into<T: Element>(a: &mut Tensor, b: &Tensor, sum: impl Fn(T, T) -> T) -> Result<()> {
    let b = b.as_slice::<T>()?;
    let a = a.as_mut_slice::<T>().ok_or_else(|| Status::internal("the sum is shared"))?;
    a.iter_mut().zip(b).for_each(|(x, y)| *x = sum(*x, *y));
    Ok(())
}

/// Zeros of a tensor's type and shape; variants give their own zeros.
pub fn zeros_like(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype() != DataType::Variant {
        return Tensor::zeros(tensor.dtype(), tensor.shape());
    }
    let zeros: Vec<_> = tensor
        .variants()?
        .iter()
        .map(|v| v.value().map_or(Ok(v.clone()), |value| value.zeros_like()))
        .collect::<Result<_>>()?;
    Tensor::from_variants(tensor.shape(), zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_disturb_shared_operands() {
        let a = Tensor::vector(&[1i8, 127]).unwrap();
        let sum = add_tensors(a.clone(), &a).unwrap();
        assert_eq!(sum.as_slice::<i8>().unwrap(), &[2, -2]);
        assert_eq!(a.as_slice::<i8>().unwrap(), &[1, 127]);
        assert!(add_tensors(a, &Tensor::scalar(1i8)).is_err());
    }
}
