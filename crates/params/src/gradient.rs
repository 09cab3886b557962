//! Gradients as they travel, and how they are added up.

use std::sync::Arc;

use downpour_compress::{Codec, Compressor, Encoded, Lossless, decode, encode_ids};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

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

/// Reads an update out of a message. `form` tells a variable's type and shape: a compressed gradient is unpacked only if it
/// is of that form, since a few bytes can announce any.
pub(crate) fn from_items(
    items: Vec<Item>,
    form: impl Fn(&str) -> Result<(DataType, Shape)>,
) -> Result<Update> {
    let (mut gradients, mut set) = (Vec::new(), Vec::new());
    let mut items = items.into_iter();
    while let Some(item) = items.next() {
        let name = item.name.clone();
        match item.part {
            Part::Set if item.packed => {
                return Err(Status::invalid_argument(format!(
                    "the value of '{name}' came compressed, which only gradients do"
                )));
            }
            Part::Set => set.push((name, item.tensor)),
            Part::Whole => gradients.push((name, Gradient::Dense(dense(item, &form)?))),
            Part::Indices => match items.next() {
                Some(rows) if rows.part == Part::Rows && rows.name == name => {
                    gradients.push((name, sparse(item, rows, &form)?));
                }
                _ => return Err(torn(&name)),
            },
            Part::Rows => return Err(torn(&name)),
        }
    }
    Ok(Update { gradients, set })
}

fn dense(item: Item, form: impl Fn(&str) -> Result<(DataType, Shape)>) -> Result<Tensor> {
    let Some(encoded) = unpacked(&item)? else { return Ok(item.tensor) };
    let (dtype, shape) = form(&item.name)?;
    encoded.expect(dtype, &shape)?;
    decode(&encoded)
}

/// Both parts are looked at before either is unpacked. How many rows come only the row numbers say, so those must need as
/// many bytes, and rows must not come in a way that takes the same few bytes for any number of them.
fn sparse(
    indices: Item,
    rows: Item,
    form: impl Fn(&str) -> Result<(DataType, Shape)>,
) -> Result<Gradient> {
    let (numbers, packed) = (unpacked(&indices)?, unpacked(&rows)?);
    let count = numbers.as_ref().map_or(indices.tensor.shape(), Encoded::shape).elements();
    if let Some(packed) = &packed {
        let (dtype, shape) = form(&rows.name)?;
        let width = shape.dims().get(1..).unwrap_or_default();
        packed.expect(dtype, &Shape::new(&[&[count], width].concat()))?;
        if matches!(packed.codec(), Codec::TopK | Codec::PowerSgd) {
            return Err(Status::invalid_argument(format!(
                "the rows of '{}' came compressed by {}, which is for whole gradients",
                rows.name,
                packed.codec().name()
            )));
        }
    }
    if let Some(numbers) = &numbers
        && numbers.codec() != Codec::Ids
    {
        return Err(Status::invalid_argument(format!(
            "the row numbers of '{}' came compressed by {}, which is not for numbers",
            rows.name,
            numbers.codec().name()
        )));
    }
    let numbers = numbers.map(|numbers| decode(&numbers)).transpose()?;
    let packed = packed.map(|packed| decode(&packed)).transpose()?;
    Ok(Gradient::Sparse {
        indices: numbers.unwrap_or(indices.tensor),
        rows: packed.unwrap_or(rows.tensor),
    })
}

/// What a compressor has made, not decoded yet; `None` for a tensor as it is.
fn unpacked(item: &Item) -> Result<Option<Encoded>> {
    match item.packed {
        true => Encoded::parse(item.tensor.to_bytes().unwrap_or_default()).map(Some),
        false => Ok(None),
    }
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

    fn form(_: &str) -> Result<(DataType, Shape)> {
        Ok((DataType::Float, Shape::new(&[100, 3])))
    }

    #[test]
    fn what_was_packed_comes_back_if_it_is_of_its_variable() {
        let compressions = ["none", "lz4", "zstd", "float16", "int8", "one-bit", "top-k:0.1"];
        for text in compressions {
            let mut compressor = Compressor::new(text.parse().unwrap(), 0).unwrap();
            let whole = Tensor::from_slice([100, 3], &[1f32; 300]).unwrap();
            let rows = Tensor::from_slice([200, 3], &[2f32; 600]).unwrap();
            let indices = Tensor::vector(&[7i64; 200]).unwrap();
            let gradients = vec![
                ("w".to_string(), Gradient::Dense(whole)),
                ("w".to_string(), Gradient::Sparse { indices, rows }),
            ];
            let update = Update { gradients, set: Vec::new() };
            let Packed(items) = update.pack(Some(&mut compressor)).unwrap();
            let back = from_items(items.to_vec(), form).unwrap();
            assert_eq!(back.gradients.len(), 2);
            let other = |_: &str| Ok((DataType::Float, Shape::new(&[100, 4])));
            for part in [&items[..1], &items[1..]] {
                let refused = from_items(part.to_vec(), other).unwrap_err();
                assert!(refused.message().contains("was expected"), "{refused}");
            }
        }
    }

    #[test]
    fn a_few_bytes_are_not_unpacked_to_gigabytes() {
        let forged = |part: Part, codec: Codec, dtype: DataType, dims: &[u64], payload: &[u8]| {
            let mut bytes = vec![1, codec as u8, dtype as u8, dims.len() as u8, 0, 0, 0, 0];
            bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
            dims.iter().for_each(|size| bytes.extend_from_slice(&size.to_le_bytes()));
            bytes.extend_from_slice(payload);
            let tensor = Tensor::vector(&bytes).unwrap();
            Item { packed: true, ..Item::new("w", part, tensor) }
        };
        let many = 170 << 20;
        let (float, long) = (DataType::Float, DataType::Int64);
        let dense = forged(Part::Whole, Codec::TopK, float, &[many, 3], &[0; 8]);
        let indices = forged(Part::Indices, Codec::Ids, long, &[many], &[0; 8]);
        let ids = encode_ids(&Tensor::vector(&[0i64; 9]).unwrap(), Lossless::Lz4).unwrap();
        let nine = packed("w", Part::Indices, &ids).unwrap();
        let rows = |rows: u64| forged(Part::Rows, Codec::TopK, float, &[rows, 3], &[0; 8]);
        let set = Item { part: Part::Set, ..dense.clone() };
        let zeros = Tensor::vector(&[0i64]).unwrap();
        let plain = Item::new("w", Part::Indices, zeros);
        let forgeries = [
            vec![dense],
            vec![indices, rows(many)],
            vec![nine, rows(9)],
            vec![plain, rows(many)],
            vec![set],
        ];
        for items in forgeries {
            let refused = from_items(items, form).unwrap_err();
            assert_eq!(refused.code(), downpour_tensor::Code::InvalidArgument, "{refused}");
        }
    }
}
