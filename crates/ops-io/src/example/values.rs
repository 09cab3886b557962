//! The values of features, as many as come.

use downpour_formats::example::{Kind, List};
use downpour_tensor::{ByteString, CountedVec, DataType, Result, Shape, Status, Tensor};

/// Values of one type.
pub(super) enum Values {
    Floats(CountedVec<f32>),
    Ints(CountedVec<i64>),
    Strings(CountedVec<ByteString>),
}

/// Returns the type that values of this kind have as a tensor.
pub(super) fn dtype(kind: Kind) -> DataType {
    match kind {
        Kind::Bytes => DataType::String,
        Kind::Float => DataType::Float,
        Kind::Int64 => DataType::Int64,
    }
}

impl Values {
    pub fn new(dtype: DataType) -> Result<Values> {
        match dtype {
            DataType::Float => Ok(Values::Floats(CountedVec::new())),
            DataType::Int64 => Ok(Values::Ints(CountedVec::new())),
            DataType::String => Ok(Values::Strings(CountedVec::new())),
            other => Err(Status::invalid_argument(format!("Received input dtype: {other}"))),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Values::Floats(v) => v.len(),
            Values::Ints(v) => v.len(),
            Values::Strings(v) => v.len(),
        }
    }

    /// Appends the values of a list of the same type; strings are slices of `whole`. Returns whether the list is sound.
    pub fn append(&mut self, list: &List<'_>, whole: &ByteString) -> Result<bool> {
        match self {
            Values::Floats(values) => {
                let Some(floats) = list.floats().filter(|f| f.has(f.len())) else {
                    return Ok(false);
                };
                let before = values.len();
                values.resize(before + floats.len(), 0.0)?;
                Ok(floats.copy_to(&mut values[before..]).is_some())
            }
            Values::Ints(values) => {
                let before = values.len();
                let most = list.most_integers();
                values.resize(before + most, 0)?;
                let (mut count, room) = (0, &mut values[before..]);
                let sound = list.for_each_integer(|value| {
                    if let Some(place) = room.get_mut(count) {
                        *place = value;
                    }
                    count += 1;
                });
                values.truncate(before + count);
                Ok(sound.is_some())
            }
            Values::Strings(values) => {
                let mut failed = Ok(());
                let sound = list.for_each_string(|string| {
                    failed = values.push(whole.slice_ref(string));
                    failed.is_ok().then_some(())
                });
                failed.map(|()| sound.is_some())
            }
        }
    }

    /// Returns a tensor of all of them.
    pub fn into_tensor(self, shape: impl Into<Shape>) -> Result<Tensor> {
        match self {
            Values::Floats(v) => Tensor::from_slice(shape, &v),
            Values::Ints(v) => Tensor::from_slice(shape, &v),
            Values::Strings(v) => Tensor::from_counted(shape, v),
        }
    }
}

/// Returns a vector of the values of several parts, one part behind the other.
pub(super) fn join(dtype: DataType, mut parts: Vec<Values>) -> Result<Tensor> {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        let length = only.len();
        return only.into_tensor([length]);
    }
    let total = parts.iter().map(Values::len).sum::<usize>();
    let mut tensor = Tensor::new(dtype, [total])?;
    let mut rest = super::slots::Slots::of(&mut tensor)?;
    for part in parts {
        let (head, tail) = rest.split(part.len());
        head.store(part);
        rest = tail;
    }
    Ok(tensor)
}
