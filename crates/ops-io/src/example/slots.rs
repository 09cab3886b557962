//! Places in a tensor that the values of features are written to.

use downpour_formats::example::List;
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use super::values::Values;

/// Places of one type, one behind the other.
pub(super) enum Slots<'a> {
    Floats(&'a mut [f32]),
    Ints(&'a mut [i64]),
    Strings(&'a mut [ByteString]),
}

impl<'a> Slots<'a> {
    /// Returns the places of a new tensor.
    pub fn of(tensor: &'a mut Tensor) -> Result<Slots<'a>> {
        match tensor.dtype() {
            DataType::Float => tensor.as_mut_slice().map(Slots::Floats),
            DataType::Int64 => tensor.as_mut_slice().map(Slots::Ints),
            _ => tensor.strings_mut().map(Slots::Strings),
        }
        .ok_or_else(|| Status::internal("a new tensor has an owner besides this kernel"))
    }

    /// Returns the first `count` places and the others.
    pub fn split(self, count: usize) -> (Slots<'a>, Slots<'a>) {
        match self {
            Slots::Floats(v) => {
                let (head, tail) = v.split_at_mut(count);
                (Slots::Floats(head), Slots::Floats(tail))
            }
            Slots::Ints(v) => {
                let (head, tail) = v.split_at_mut(count);
                (Slots::Ints(head), Slots::Ints(tail))
            }
            Slots::Strings(v) => {
                let (head, tail) = v.split_at_mut(count);
                (Slots::Strings(head), Slots::Strings(tail))
            }
        }
    }

    /// Returns `count` places from `start` on.
    pub fn range(&mut self, start: usize, count: usize) -> Slots<'_> {
        match self {
            Slots::Floats(v) => Slots::Floats(&mut v[start..start + count]),
            Slots::Ints(v) => Slots::Ints(&mut v[start..start + count]),
            Slots::Strings(v) => Slots::Strings(&mut v[start..start + count]),
        }
    }

    /// Fills the places with the values of a list of the same type, as many as there are places for; strings are
    /// slices of `whole`. Returns how many values the list has; `None` if it is damaged, which to TensorFlow it also is
    /// when it has more strings than there are places.
    pub fn read(self, list: &List<'_>, whole: &ByteString) -> Option<usize> {
        match self {
            Slots::Floats(places) => {
                let floats = list.floats()?;
                floats.copy_to(places)?;
                Some(floats.len())
            }
            Slots::Ints(places) => {
                let mut count = 0;
                list.for_each_integer(|value| {
                    if let Some(place) = places.get_mut(count) {
                        *place = value;
                    }
                    count += 1;
                })?;
                Some(count)
            }
            Slots::Strings(places) => {
                let mut count = 0;
                list.for_each_string(|string| {
                    *places.get_mut(count)? = whole.slice_ref(string);
                    count += 1;
                    Some(())
                })?;
                Some(count)
            }
        }
    }

    /// Copies a tensor of as many elements and the same type, which were checked before.
    pub fn copy_from(self, tensor: &Tensor) -> Result<()> {
        match self {
            Slots::Floats(places) => places.copy_from_slice(tensor.as_slice()?),
            Slots::Ints(places) => places.copy_from_slice(tensor.as_slice()?),
            Slots::Strings(places) => places.clone_from_slice(tensor.strings()?),
        }
        Ok(())
    }

    /// Moves values of the same number and type into the places.
    pub fn store(self, values: Values) {
        match (self, values) {
            (Slots::Floats(places), Values::Floats(values)) => places.copy_from_slice(&values),
            (Slots::Ints(places), Values::Ints(values)) => places.copy_from_slice(&values),
            (Slots::Strings(places), Values::Strings(values)) => {
                places.iter_mut().zip(values).for_each(|(place, value)| *place = value);
            }
            _ => unreachable!("a feature's values and its output have the feature's type"),
        }
    }

    /// Copies values `start..start + count` into the places, which are of the same type, and fills what is left with
    /// the one element of `padding`.
    pub fn store_padded(
        self,
        values: &Values,
        start: usize,
        count: usize,
        padding: &Tensor,
    ) -> Result<()> {
        match (self, values) {
            (Slots::Floats(places), Values::Floats(values)) => {
                let (row, rest) = places.split_at_mut(count);
                row.copy_from_slice(&values[start..start + count]);
                rest.fill(padding.to_scalar()?);
            }
            (Slots::Ints(places), Values::Ints(values)) => {
                let (row, rest) = places.split_at_mut(count);
                row.copy_from_slice(&values[start..start + count]);
                rest.fill(padding.to_scalar()?);
            }
            (Slots::Strings(places), Values::Strings(values)) => {
                let (row, rest) = places.split_at_mut(count);
                row.clone_from_slice(&values[start..start + count]);
                if let [padding] = padding.strings()? {
                    rest.fill(padding.clone());
                }
            }
            _ => unreachable!("a feature's values and its output have the feature's type"),
        }
        Ok(())
    }
}
