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

/// How many variants may lie inside one another. Dropping, printing, encoding and adding go down one call for every
/// variant, so without a limit a loop that wraps a list in itself would overflow the stack. Messages of more levels
/// could not be read back: protocol buffers nest at most 100 deep, and a variant takes two of these levels.
pub const MAX_VARIANT_DEPTH: usize = 50;

/// What a value that holds variants takes besides itself: the tensors around them, which as scalars are free.
const NESTED_BYTES: usize = 512;

/// A value of any type inside a variant tensor (a tensor list, a dataset, an optional).
pub trait VariantValue: Any + Send + Sync + fmt::Debug {
    /// The name under which TensorFlow encodes this type, e.g. `tensorflow::TensorList`.
    fn type_name(&self) -> &str;

    fn as_any(&self) -> &dyn Any;

    /// The largest `variant_depth` of the tensors that the value holds; 0 if it holds none.
    fn inner_depth(&self) -> usize;

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

    /// The complex conjugate of every number, for `Conj`.
    fn conjugate(&self) -> Result<Variant> {
        Err(Status::invalid_argument(format!("{} has no conjugate", self.type_name())))
    }

    /// Element-wise sum of two values of the same structure, for gradients.
    fn add(&self, _other: &Variant) -> Result<Variant> {
        Err(Status::invalid_argument(format!("{} cannot be added", self.type_name())))
    }
}

/// One element of a variant tensor; empty until something was stored.
///
/// The value itself counts against the memory limit. It is refused there only if it holds other variants: whatever
/// copies such a value may make exponentially many of them, since several places may share one variant. Other values
/// are as scalars are, never refused. Values that keep many tensors (lists, maps) charge for their places.
#[derive(Clone, Default)]
pub struct Variant(Option<Arc<Counted<dyn VariantValue>>>);

struct Counted<T: ?Sized> {
    _charge: Charge,
    /// At least one more than the depth of any variant inside the value.
    depth: usize,
    value: T,
}

/// The depth of a `what` that holds tensors of this depth.
fn depth_around(inner: usize, what: &str) -> Result<usize> {
    if inner < MAX_VARIANT_DEPTH {
        return Ok(inner + 1);
    }
    Err(Status::invalid_argument(format!(
        "a {what} would hold variants nested more than {MAX_VARIANT_DEPTH} deep; a loop probably puts a list, a map \
         or an optional into another one in every iteration: keep them beside each other in one list instead"
    )))
}

impl Variant {
    /// A variant of this value, unless variants would be nested too deeply.
    pub fn new<T: VariantValue>(value: T) -> Result<Variant> {
        let depth = depth_around(value.inner_depth(), value.type_name())?;
        let bytes = size_of::<Counted<T>>() + 2 * size_of::<usize>();
        let charge = match depth {
            1 => Charge::unrefused(bytes),
            _ => Charge::new(bytes + NESTED_BYTES)?,
        };
        Ok(Variant(Some(Arc::new(Counted { _charge: charge, depth, value }))))
    }

    /// How many variants lie inside one another here: 0 for an empty one, 1 if its value holds no variants.
    pub fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |counted| counted.depth)
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

    /// The stored value for writing, if it is a `T` and nobody else holds it. The writer may put tensors into it whose
    /// `variant_depth` is at most `added`.
    pub fn get_mut<T: VariantValue>(&mut self, added: usize) -> Result<Option<&mut T>> {
        let Some(counted) = self.0.as_mut().and_then(Arc::get_mut) else { return Ok(None) };
        if counted.value.as_any().is::<T>() {
            let around = depth_around(added, counted.value.type_name())?;
            counted.depth = counted.depth.max(around);
        }
        let value: &mut dyn Any = &mut counted.value;
        Ok(value.downcast_mut())
    }

    /// A scalar variant tensor of this value.
    pub fn into_tensor(self) -> Tensor {
        Tensor::from_variants(Shape::scalar(), vec![self]).expect("one element fills a scalar")
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            // Several places may share one variant: written out, they could be exponentially many.
            Some(v) if v.depth > 1 => write!(f, "Variant<{}>", v.value.type_name()),
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
        fn inner_depth(&self) -> usize {
            0
        }
    }

    #[derive(Debug)]
    struct Holder(Vec<Tensor>);
    impl VariantValue for Holder {
        fn type_name(&self) -> &str {
            "holder"
        }
        fn as_any(&self) -> &dyn Any {
            self
        }
        fn inner_depth(&self) -> usize {
            self.0.iter().map(Tensor::variant_depth).max().unwrap_or(0)
        }
    }

    #[test]
    fn values_are_found_by_type() {
        let mut v = Variant::new(Note(3)).unwrap();
        assert_eq!(v.get::<Note>().unwrap().0, 3);
        v.get_mut::<Note>(0).unwrap().unwrap().0 = 4;
        let other = v.clone();
        assert!(v.get_mut::<Note>(0).unwrap().is_none(), "shared values are not written");
        assert_eq!(other.get::<Note>().unwrap().0, 4);
    }

    #[test]
    fn variants_nest_only_so_deep() {
        let wrap = |inner: &Variant| Variant::new(Holder(vec![inner.clone().into_tensor(); 2]));
        let mut deepest = Variant::new(Note(0)).unwrap();
        while deepest.depth() < MAX_VARIANT_DEPTH {
            deepest = wrap(&deepest).unwrap();
        }
        let refused = wrap(&deepest).unwrap_err();
        assert_eq!(refused.code(), crate::Code::InvalidArgument);
        assert!(refused.message().contains("nested more than 50 deep"), "{refused}");
        // Written out it would have 2^50 parts.
        assert_eq!(format!("{deepest:?}"), "Variant<holder>");
    }

    #[test]
    fn what_is_written_into_a_value_counts_too() {
        let mut holder = Variant::new(Holder(Vec::new())).unwrap();
        assert_eq!(holder.depth(), 1);
        holder.get_mut::<Holder>(MAX_VARIANT_DEPTH - 1).unwrap().unwrap();
        assert_eq!(holder.depth(), MAX_VARIANT_DEPTH);
        assert!(holder.get_mut::<Holder>(MAX_VARIANT_DEPTH).is_err());
    }
}
