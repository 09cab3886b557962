//! A sparse matrix as the value of a variant: it is sent, added, made zero and conjugated.

use std::any::Any;

use downpour_tensor::{DataType, Result, Shape, Status, Tensor, Variant, VariantValue};

use crate::add;
use crate::matrix::CsrMatrix;
use crate::number::{Number, dispatch_number};
use crate::zeros;

/// The name under which TensorFlow encodes it.
const TYPE_NAME: &str = "tensorflow::CSRSparseMatrix";

impl VariantValue for CsrMatrix {
    fn type_name(&self) -> &str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    /// Its tensors hold numbers.
    fn inner_depth(&self) -> usize {
        0
    }

    /// Metadata: a byte that says the parts were checked, three of padding, the type's number.
    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        let mut metadata = vec![1, 0, 0, 0];
        metadata.extend_from_slice(&(self.dtype() as i32).to_le_bytes());
        let parts = [self.batch_pointers(), self.row_pointers(), self.columns(), self.values()]
            .map(Tensor::clone);
        let mut tensors = vec![Tensor::vector(&self.shape().to_i64())?];
        tensors.extend(parts);
        Ok((metadata, tensors))
    }

    fn zeros_like(&self) -> Result<Variant> {
        Variant::new(zeros::zeros(self.dtype(), self.shape())?)
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<CsrMatrix>() else {
            return Err(Status::invalid_argument(
                "a sparse matrix can only be added to a sparse matrix",
            ));
        };
        Variant::new(add::sum(self, other)?)
    }

    fn conjugate(&self) -> Result<Variant> {
        Variant::new(conjugated(self)?)
    }
}

/// Returns the complex conjugate of a matrix.
pub(crate) fn conjugated(matrix: &CsrMatrix) -> Result<CsrMatrix> {
    if !matrix.dtype().is_complex() {
        return Ok(matrix.clone());
    }
    let values = dispatch_number!(matrix.dtype(), "Conj", T => {
        let values = matrix.values().as_slice::<T>()?;
        Tensor::build([values.len()], |out: &mut [T]| {
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v.conjugate());
        })
    })?;
    matrix.with_values(values)
}

/// Lets sparse matrices arrive from clients and other tasks.
pub(crate) fn register_decoder() {
    downpour_wire::register_variant_decoder(TYPE_NAME, decode);
}

fn decode(metadata: &[u8], tensors: Vec<Tensor>) -> Result<Variant> {
    let wrong = || Status::invalid_argument("a CSRSparseMatrix whose parts do not fit");
    let &[_, _, _, _, a, b, c, d] = metadata else { return Err(wrong()) };
    let dtype = DataType::from_i32(i32::from_le_bytes([a, b, c, d])).ok_or_else(wrong)?;
    let [shape, batch_pointers, row_pointers, columns, values] =
        <[Tensor; 5]>::try_from(tensors).map_err(|_| wrong())?;
    if shape.rank() != 1 || shape.dtype() != DataType::Int64 || values.dtype() != dtype {
        return Err(wrong());
    }
    let shape = Shape::from_i64(shape.as_slice::<i64>()?)?;
    Variant::new(CsrMatrix::new(shape, batch_pointers, row_pointers, columns, values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};

    #[test]
    fn matrices_are_read_as_they_were_written() {
        let tensor = sparse([2, 3], &[0f32, 1.0, 0.0, 2.0, 0.0, 3.0]);
        let matrix = tensor.variants().unwrap()[0].get::<CsrMatrix>().unwrap();
        let (metadata, tensors) = matrix.encode().unwrap();
        assert_eq!(metadata, [1, 0, 0, 0, 1, 0, 0, 0]);
        let back = decode(&metadata, tensors.clone()).unwrap().into_tensor();
        assert_eq!(dense::<f32>(&back), [0.0, 1.0, 0.0, 2.0, 0.0, 3.0]);
        assert!(decode(&metadata[1..], tensors.clone()).is_err());
        assert!(decode(&[1, 0, 0, 0, 2, 0, 0, 0], tensors.clone()).is_err());
        assert!(decode(&metadata, tensors[1..].to_vec()).is_err());
        let mut forged = tensors.clone();
        forged[0] = Tensor::vector(&[2i64, -3]).unwrap();
        assert!(decode(&metadata, forged).is_err());
        let mut forged = tensors;
        forged[3] = Tensor::vector(&[9i32, 9, 9]).unwrap();
        assert!(decode(&metadata, forged).is_err());
    }

    #[test]
    fn values_follow_the_operations_of_variants() {
        let a = sparse([1, 3], &[0f64, 1.0, 2.0]);
        let b = sparse([1, 3], &[3f64, 1.0, 0.0]);
        let value = a.variants().unwrap()[0].value().unwrap();
        let sum = value.add(&b.variants().unwrap()[0]).unwrap().into_tensor();
        assert_eq!(dense::<f64>(&sum), [3.0, 2.0, 2.0]);
        let zeros = value.zeros_like().unwrap().into_tensor();
        assert_eq!(dense::<f64>(&zeros), [0.0; 3]);
        assert!(value.add(&Variant::empty()).is_err());
        assert!(value.add(&sparse([1, 3], &[0f32; 3]).variants().unwrap()[0]).is_err());
        assert!(value.add(&sparse([3, 1], &[0f64; 3]).variants().unwrap()[0]).is_err());
    }
}
