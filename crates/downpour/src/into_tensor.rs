//! Rust values as tensors.

use downpour_tensor::{
    ByteString, Complex64, Complex128, DataType, RealNumber, Result, Status, Tensor, bf16, f16,
};

/// What can be written where a tensor is wanted: numbers, text, arrays and vectors of them, tensors.
pub trait IntoTensor {
    /// The tensor that holds this value.
    fn into_tensor(self) -> Result<Tensor>;
}

/// A tensor from a Rust value: `tensor(1.0f32)`, `tensor([[1, 2], [3, 4]])`, `tensor("text")`.
pub fn tensor(value: impl IntoTensor) -> Result<Tensor> {
    value.into_tensor()
}

impl IntoTensor for Tensor {
    fn into_tensor(self) -> Result<Tensor> {
        Ok(self)
    }
}

impl IntoTensor for &Tensor {
    fn into_tensor(self) -> Result<Tensor> {
        Ok(self.clone())
    }
}

impl IntoTensor for &str {
    fn into_tensor(self) -> Result<Tensor> {
        Ok(Tensor::string(ByteString::copy_from(self)?))
    }
}

impl IntoTensor for String {
    fn into_tensor(self) -> Result<Tensor> {
        Tensor::from_string(self)
    }
}

impl<const N: usize> IntoTensor for [&str; N] {
    fn into_tensor(self) -> Result<Tensor> {
        Tensor::build_strings([N], |i| ByteString::copy_from(self[i]))
    }
}

impl IntoTensor for Vec<String> {
    fn into_tensor(self) -> Result<Tensor> {
        let length = self.len();
        Tensor::build_strings([length], |i| ByteString::copy_from(&self[i]))
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl IntoTensor for $ty {
            fn into_tensor(self) -> Result<Tensor> {
                Ok(Tensor::scalar(self))
            }
        }
        impl IntoTensor for Vec<$ty> {
            fn into_tensor(self) -> Result<Tensor> {
                Tensor::vector(&self)
            }
        }
        impl IntoTensor for &[$ty] {
            fn into_tensor(self) -> Result<Tensor> {
                Tensor::vector(self)
            }
        }
        impl<const N: usize> IntoTensor for [$ty; N] {
            fn into_tensor(self) -> Result<Tensor> {
                Tensor::vector(&self)
            }
        }
        impl<const N: usize, const M: usize> IntoTensor for [[$ty; M]; N] {
            fn into_tensor(self) -> Result<Tensor> {
                Tensor::from_slice([N, M], self.as_flattened())
            }
        }
        impl<const N: usize, const M: usize, const K: usize> IntoTensor for [[[$ty; K]; M]; N] {
            fn into_tensor(self) -> Result<Tensor> {
                Tensor::from_slice([N, M, K], self.as_flattened().as_flattened())
            }
        }
    )*};
}
numbers!(f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, bool, Complex64, Complex128);

/// A scalar of the given type: the nearest value a float type has; integers must be whole and fit.
pub fn number(value: f64, dtype: DataType) -> Result<Tensor> {
    fn of<T: RealNumber>(value: f64) -> Result<Tensor> {
        let number = T::from_f64_lossy(value);
        if T::IS_INTEGER && number.to_f64_lossy() != value {
            return Err(Status::invalid_argument(format!(
                "{value} is no value of type {}; cast the other operand, or write a whole number in range",
                T::DTYPE
            )));
        }
        Ok(Tensor::scalar(number))
    }
    match dtype {
        DataType::Float => of::<f32>(value),
        DataType::Double => of::<f64>(value),
        DataType::Half => of::<f16>(value),
        DataType::BFloat16 => of::<bf16>(value),
        DataType::Int8 => of::<i8>(value),
        DataType::Int16 => of::<i16>(value),
        DataType::Int32 => of::<i32>(value),
        DataType::Int64 => of::<i64>(value),
        DataType::UInt8 => of::<u8>(value),
        DataType::UInt16 => of::<u16>(value),
        DataType::UInt32 => of::<u32>(value),
        DataType::UInt64 => of::<u64>(value),
        DataType::Complex64 => Ok(Tensor::scalar(Complex64::new(value as f32, 0.0))),
        DataType::Complex128 => Ok(Tensor::scalar(Complex128::new(value, 0.0))),
        other => Err(Status::invalid_argument(format!("{value} cannot be of type {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_tensors_of_their_type_and_shape() {
        assert_eq!(tensor([[1i32, 2], [3, 4], [5, 6]]).unwrap().dims(), &[3, 2]);
        assert_eq!(tensor("a").unwrap().dtype(), DataType::String);
        assert_eq!(tensor(vec![1.0f64]).unwrap().dtype(), DataType::Double);
        assert_eq!(number(0.5, DataType::Half).unwrap().dtype(), DataType::Half);
        assert!(number(0.5, DataType::Int32).unwrap_err().message().contains("0.5"));
        assert!(number(300.0, DataType::UInt8).is_err());
    }
}
