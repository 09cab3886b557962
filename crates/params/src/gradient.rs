//! Gradients as they travel, and how they are added up.

use std::sync::Arc;

use downpour_compress::{Compressor, Encoded, Lossless, decode, encode_ids};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::frame::Item;
use crate::message::Part;

/// The gradient of one variable.
#[derive(Clone, Debug)]
pub enum Gradient {
    /// As large as the variable.
    Dense(Tensor),
    /// Of some rows; a row may occur several times and then counts each time.
    Sparse {
        /// The rows' numbers, int32 or int64.
        indices: Tensor,
        /// One for each of them.
        rows: Tensor,
    },
}

/// Something by the name of its variable.
pub type Named<T> = (String, T);

/// What a worker hands to one server.
#[derive(Clone, Debug, Default)]
pub struct Update {
    /// Of the server's variables.
    pub gradients: Vec<Named<Gradient>>,
    /// Values that variables get with the update, as the worker's place in its data.
    pub set: Vec<Named<Tensor>>,
}

/// Reads an update out of a message.
pub(crate) fn from_items(items: Vec<Item>) -> Result<Update> {
    let (mut gradients, mut set) = (Vec::new(), Vec::new());
    let mut items = items.into_iter();
    while let Some(item) = items.next() {
        let (name, part, tensor) = unpacked(item)?;
        match part {
            Part::Set => set.push((name, tensor)),
            Part::Whole => gradients.push((name, Gradient::Dense(tensor))),
            Part::Indices => match items.next() {
                Some(next) if next.part == Part::Rows && next.name == name => {
                    let rows = unpacked(next)?.2;
                    gradients.push((name, Gradient::Sparse { indices: tensor, rows }));
                }
                _ => return Err(torn(&name)),
            },
            Part::Rows => return Err(torn(&name)),
        }
    }
    Ok(Update { gradients, set })
}

fn unpacked(item: Item) -> Result<(String, Part, Tensor)> {
    let Item { name, part, tensor, packed } = item;
    if !packed {
        return Ok((name, part, tensor));
    }
    let bytes = tensor.to_bytes().unwrap_or_default();
    Ok((name, part, decode(&Encoded::parse(bytes)?)?))
}

fn torn(name: &str) -> Status {
    Status::invalid_argument(format!(
        "the sparse gradient of '{name}' must be its row numbers followed by its rows"
    ))
}

/// An update as it goes over the wire.
#[derive(Clone, Debug)]
pub struct Packed(pub(crate) Arc<Vec<Item>>);

impl Update {
    /// Makes it ready for the wire: as it is, or in fewer bytes. What a compressor leaves out it adds to the
    /// next gradient, so pack an update once and push the result.
    pub fn pack(&self, mut compressor: Option<&mut Compressor>) -> Result<Packed> {
        let mut items = Vec::with_capacity(self.gradients.len() + self.set.len());
        for (name, gradient) in &self.gradients {
            match (gradient, compressor.as_deref_mut()) {
                (Gradient::Dense(value), None) => {
                    items.push(Item::new(name, Part::Whole, value.clone()));
                }
                (Gradient::Sparse { indices, rows }, None) => {
                    items.push(Item::new(name, Part::Indices, indices.clone()));
                    items.push(Item::new(name, Part::Rows, rows.clone()));
                }
                (Gradient::Dense(value), Some(compressor)) => {
                    items.push(packed(name, Part::Whole, &compressor.encode(name, value)?)?);
                }
                (Gradient::Sparse { indices, rows }, Some(compressor)) => {
                    let ids = encode_ids(indices, Lossless::Lz4)?;
                    items.push(packed(name, Part::Indices, &ids)?);
                    items.push(packed(name, Part::Rows, &compressor.encode_rows(rows)?)?);
                }
            }
        }
        let set = self.set.iter();
        items.extend(set.map(|(name, value)| Item::new(name, Part::Set, value.clone())));
        Ok(Packed(Arc::new(items)))
    }
}

fn packed(name: &str, part: Part, encoded: &Encoded) -> Result<Item> {
    let bytes = encoded.to_bytes();
    let tensor = Tensor::from_bytes(DataType::UInt8, [bytes.len()], bytes)?;
    Ok(Item { packed: true, ..Item::new(name, part, tensor) })
}

impl Gradient {
    /// Adds another one of the same variable.
    pub fn add(&mut self, other: Gradient) -> Result<()> {
        match (self, other) {
            (Gradient::Dense(sum), Gradient::Dense(value)) => add_to(sum, &value),
            (
                Gradient::Sparse { indices, rows },
                Gradient::Sparse { indices: more, rows: values },
            ) => {
                *indices = joined(indices, &more)?;
                *rows = joined(rows, &values)?;
                Ok(())
            }
            _ => Err(Status::invalid_argument(
                "a gradient that was dense comes sparse, or the other way round",
            )),
        }
    }

    /// Whether another one can be added.
    pub(crate) fn fits(&self, other: &Gradient, name: &str) -> Result<()> {
        let same = |a: &Tensor, b: &Tensor, from: usize| {
            a.dtype() == b.dtype() && a.dims().get(from..) == b.dims().get(from..)
        };
        let fits = match (self, other) {
            (Gradient::Dense(sum), Gradient::Dense(value)) => same(sum, value, 0),
            (Gradient::Sparse { indices, rows }, Gradient::Sparse { indices: i, rows: r }) => {
                same(indices, i, 1) && same(rows, r, 1)
            }
            _ => false,
        };
        fits.then_some(()).ok_or_else(|| {
            Status::invalid_argument(format!(
                "the gradients of '{name}' from two workers do not fit each other; do all run the same model?"
            ))
        })
    }

    /// Multiplies by a number.
    pub fn scale(&mut self, factor: f64) -> Result<()> {
        match self {
            Gradient::Dense(value) | Gradient::Sparse { rows: value, .. } => scale(value, factor),
        }
    }

    /// Bytes it takes.
    pub fn byte_len(&self) -> usize {
        match self {
            Gradient::Dense(value) => value.byte_len(),
            Gradient::Sparse { indices, rows } => indices.byte_len() + rows.byte_len(),
        }
    }
}

fn unsupported(dtype: DataType) -> Status {
    Status::unimplemented(format!(
        "gradients of type {dtype} cannot be added up by the parameter service: float, double and the 16-bit \
         floats can"
    ))
}

/// A tensor nobody else holds, in its place.
fn own(tensor: &mut Tensor) -> Result<()> {
    if !tensor.is_unique() {
        *tensor = tensor.deep_copy()?;
    }
    Ok(())
}

macro_rules! by_float {
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
            DataType::Half => {
                type $T = downpour_tensor::f16;
                $body
            }
            DataType::BFloat16 => {
                type $T = downpour_tensor::bf16;
                $body
            }
            other => Err(unsupported(other)),
        }
    };
}

fn add_to(sum: &mut Tensor, value: &Tensor) -> Result<()> {
    if sum.shape() != value.shape() || sum.dtype() != value.dtype() {
        return Err(Status::invalid_argument(format!(
            "gradients of one variable do not fit: {} {} and {} {}",
            sum.dtype(),
            sum.shape(),
            value.dtype(),
            value.shape()
        )));
    }
    own(sum)?;
    by_float!(value.dtype(), T => {
        let other = value.as_slice::<T>()?;
        let sum = sum.as_mut_slice::<T>().ok_or_else(|| Status::internal("a sum is shared"))?;
        sum.iter_mut().zip(other).for_each(|(s, v)| *s += *v);
        Ok(())
    })
}

fn scale(tensor: &mut Tensor, factor: f64) -> Result<()> {
    own(tensor)?;
    let dtype = tensor.dtype();
    let shared = || Status::internal("a gradient is shared");
    match dtype {
        DataType::Double => {
            tensor.as_mut_slice::<f64>().ok_or_else(shared)?.iter_mut().for_each(|v| *v *= factor);
            Ok(())
        }
        DataType::Float => {
            let factor = factor as f32;
            tensor.as_mut_slice::<f32>().ok_or_else(shared)?.iter_mut().for_each(|v| *v *= factor);
            Ok(())
        }
        DataType::Half => {
            let factor = downpour_tensor::f16::from_f64(factor);
            let values = tensor.as_mut_slice::<downpour_tensor::f16>().ok_or_else(shared)?;
            values.iter_mut().for_each(|v| *v *= factor);
            Ok(())
        }
        DataType::BFloat16 => {
            let factor = downpour_tensor::bf16::from_f64(factor);
            let values = tensor.as_mut_slice::<downpour_tensor::bf16>().ok_or_else(shared)?;
            values.iter_mut().for_each(|v| *v *= factor);
            Ok(())
        }
        other => Err(unsupported(other)),
    }
}

/// Rows of both, one after the other.
fn joined(first: &Tensor, second: &Tensor) -> Result<Tensor> {
    let odd = || {
        Status::invalid_argument(format!(
            "rows of one variable do not fit: {} {} and {} {}",
            first.dtype(),
            first.shape(),
            second.dtype(),
            second.shape()
        ))
    };
    let (Some(a), Some(b)) = (first.dims().split_first(), second.dims().split_first()) else {
        return Err(odd());
    };
    if a.1 != b.1 || first.dtype() != second.dtype() {
        return Err(odd());
    }
    let mut dims = first.dims().to_vec();
    dims[0] = a.0.checked_add(*b.0).ok_or_else(odd)?;
    let mut whole = Tensor::new(first.dtype(), dims)?;
    let (Some(one), Some(two)) = (first.bytes(), second.bytes()) else { return Err(odd()) };
    let bytes = whole.bytes_mut().ok_or_else(odd)?;
    bytes[..one.len()].copy_from_slice(one);
    bytes[one.len()..].copy_from_slice(two);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_gradients_are_added() {
        let mut sum = Gradient::Dense(Tensor::vector(&[1f32, 2.0]).unwrap());
        sum.add(Gradient::Dense(Tensor::vector(&[3f32, 4.0]).unwrap())).unwrap();
        sum.scale(0.5).unwrap();
        let Gradient::Dense(value) = &sum else { panic!("dense") };
        assert_eq!(value.as_slice::<f32>().unwrap(), [2.0, 3.0]);
        let sparse = |row: i64, value: f32| Gradient::Sparse {
            indices: Tensor::vector(&[row]).unwrap(),
            rows: Tensor::from_slice([1, 1], &[value]).unwrap(),
        };
        let mut rows = sparse(3, 1.0);
        rows.add(sparse(5, 2.0)).unwrap();
        let Gradient::Sparse { indices, rows } = &rows else { panic!("sparse") };
        assert_eq!(indices.as_slice::<i64>().unwrap(), [3, 5]);
        assert_eq!(rows.as_slice::<f32>().unwrap(), [1.0, 2.0]);
        assert!(sum.add(sparse(1, 1.0)).is_err());
        let other = Gradient::Dense(Tensor::vector(&[1f32]).unwrap());
        assert!(sum.add(other).unwrap_err().message().contains("do not fit"));
    }
}
