//! Elements that are not plain bytes: resource handles and variants.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{Charge, DataType, Result, Shape, Status, Tensor};

/// What a resource holds, as far as its creator declared it. `shape` is `None` when unknown;
/// an unknown dimension is -1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DtypeAndShape {
    pub dtype: DataType,
    pub shape: Option<Vec<i64>>,
}

/// Names a resource (a variable, a queue, a table) of one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceHandle {
    pub device: String,
    pub container: String,
    pub name: String,
    pub hash_code: u64,
    pub type_name: String,
    pub dtypes_and_shapes: Vec<DtypeAndShape>,
}

/// A value of any type inside a variant tensor (a tensor list, a dataset, an optional).
pub trait VariantValue: Any + Send + Sync + fmt::Debug {
    /// The name under which TensorFlow encodes this type, e.g. `tensorflow::TensorList`.
    fn type_name(&self) -> &str;

    fn as_any(&self) -> &dyn Any;

    /// Bytes and tensors for the wire, as in `VariantTensorDataProto`; refused where it makes no sense.
    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Err(Status::unimplemented(format!(
            "a variant holding {} cannot leave the process",
            self.type_name()
        )))
    }

    /// Zeros of the same structure, for gradients.
    fn zeros_like(&self) -> Result<Variant> {
        Err(Status::invalid_argument(format!("{} has no zeros", self.type_name())))
    }

    /// Element-wise sum of two values of the same structure, for gradients.
    fn add(&self, _other: &Variant) -> Result<Variant> {
        Err(Status::invalid_argument(format!("{} cannot be added", self.type_name())))
    }
}

/// One element of a variant tensor; empty until something was stored.
///
/// The value itself counts against the memory limit, as a scalar does: it is never refused. Values that keep many
/// tensors (lists, maps) charge for their places.
#[derive(Clone, Default)]
pub struct Variant(Option<Arc<Counted<dyn VariantValue>>>);

struct Counted<T: ?Sized> {
    _charge: Charge,
    value: T,
}

impl Variant {
    pub fn new<T: VariantValue>(value: T) -> Variant {
        let charge = Charge::unrefused(size_of::<Counted<T>>() + 2 * size_of::<usize>());
        Variant(Some(Arc::new(Counted { _charge: charge, value })))
    }

    pub fn empty() -> Variant {
        Variant(None)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn value(&self) -> Option<&dyn VariantValue> {
        self.0.as_deref().map(|counted| &counted.value)
    }

    /// The stored value, if it is a `T`.
    pub fn get<T: VariantValue>(&self) -> Option<&T> {
        self.value()?.as_any().downcast_ref()
    }

    /// The stored value for writing, if it is a `T` and nobody else holds it.
    pub fn get_mut<T: VariantValue>(&mut self) -> Option<&mut T> {
        let value: &mut dyn Any = &mut Arc::get_mut(self.0.as_mut()?)?.value;
        value.downcast_mut()
    }

    /// A scalar variant tensor of this value.
    pub fn into_tensor(self) -> Tensor {
        Tensor::from_variants(Shape::scalar(), vec![self]).expect("one element fills a scalar")
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(v) => write!(f, "Variant<{:?}>", &v.value),
            None => f.write_str("Variant<empty>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Note(u32);
    impl VariantValue for Note {
        fn type_name(&self) -> &str {
            "note"
        }
        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn values_are_found_by_type() {
        let mut v = Variant::new(Note(3));
        assert_eq!(v.get::<Note>().unwrap().0, 3);
        v.get_mut::<Note>().unwrap().0 = 4;
        let other = v.clone();
        assert!(v.get_mut::<Note>().is_none(), "shared values are not written");
        assert_eq!(other.get::<Note>().unwrap().0, 4);
    }
}
