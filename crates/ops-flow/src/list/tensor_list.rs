//! The tensor list: a value inside a variant tensor that holds tensors of one type.

use std::any::Any;

use downpour_graph::{Attrs, Dim, Endpoint, GradientContext, PartialShape, ShapeContext};
use downpour_runtime::OpContext;
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor, Variant, VariantValue};

use crate::elements::{self, merge_shapes};

/// A list may not grow beyond this; a size from outside must not exhaust the memory.
const MAX_LENGTH: usize = 1 << 26;

#[derive(Debug)]
pub(crate) struct TensorList {
    pub dtype: DataType,
    pub element_shape: PartialShape,
    /// -1 is no limit.
    pub max_length: i32,
    /// `None` is an element nobody has set.
    pub items: CountedVec<Option<Tensor>>,
}

impl TensorList {
    pub(crate) fn new(dtype: DataType, element_shape: PartialShape) -> TensorList {
        TensorList { dtype, element_shape, max_length: -1, items: CountedVec::new() }
    }

    pub(crate) fn resize(&mut self, length: usize) -> Result<()> {
        if length > MAX_LENGTH {
            return Err(Status::resource_exhausted(format!(
                "a list of {length} elements is too large; at most {MAX_LENGTH} are supported"
            )));
        }
        self.items.resize(length, None)
    }

    /// A copy, whose places are counted too.
    pub(crate) fn try_clone(&self) -> Result<TensorList> {
        Ok(TensorList {
            dtype: self.dtype,
            element_shape: self.element_shape.clone(),
            max_length: self.max_length,
            items: self.items.try_clone()?,
        })
    }

    pub(crate) fn into_tensor(self) -> Result<Tensor> {
        Ok(Variant::new(self)?.into_tensor())
    }

    /// An operation whose attribute says the elements are of type `dtype`.
    pub(crate) fn check_dtype(&self, dtype: DataType) -> Result<()> {
        if self.dtype == dtype {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "Invalid data types; op elements {dtype} but list elements {}",
            self.dtype
        )))
    }

    /// What a shape input, the list and its elements together tell about the elements' shape.
    pub(crate) fn merged_shape<'t>(
        &self,
        requested: &PartialShape,
        items: impl IntoIterator<Item = &'t Option<Tensor>>,
    ) -> Result<PartialShape> {
        let mut shape = merge_shapes(requested, &self.element_shape)?;
        if !self.element_shape.is_fully_known() {
            for item in items.into_iter().flatten() {
                shape = merge_shapes(&shape, &item.shape().into())?;
            }
        }
        Ok(shape)
    }
}

impl VariantValue for TensorList {
    fn type_name(&self) -> &str {
        "tensorflow::TensorList"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.items.iter().flatten().map(Tensor::variant_depth).max().unwrap_or(0)
    }

    /// Metadata: the number and places of unset elements, the type, the largest length (all as
    /// varints), then the element shape's message.
    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        let mut metadata = Vec::new();
        let unset: Vec<usize> =
            (0..self.items.len()).filter(|&i| self.items[i].is_none()).collect();
        varint(&mut metadata, unset.len() as u64);
        unset.iter().for_each(|&i| varint(&mut metadata, i as u64));
        varint(&mut metadata, self.dtype as i32 as u64);
        varint(&mut metadata, self.max_length as i64 as u64);
        shape_message(&mut metadata, &self.element_shape);
        Ok((metadata, self.items.iter().flatten().cloned().collect()))
    }

    fn zeros_like(&self) -> Result<Variant> {
        let mut zeros = TensorList::new(self.dtype, self.element_shape.clone());
        zeros.items = CountedVec::build(self.items.len(), |i| {
            self.items[i].as_ref().map(elements::zeros_like).transpose()
        })?;
        Variant::new(zeros)
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<TensorList>() else {
            return Err(Status::invalid_argument("a list can only be added to a list"));
        };
        if self.dtype != other.dtype {
            return Err(Status::invalid_argument(format!(
                "Trying to add two lists of tensors of different dtypes. One is {} and the other \
                 is {}",
                self.dtype, other.dtype
            )));
        }
        let Some(shape) = self.element_shape.merge(&other.element_shape) else {
            return Err(Status::invalid_argument(format!(
                "Trying to add two lists of tensors with incompatible element shapes. One is {} \
                 and the other is {}",
                self.element_shape, other.element_shape
            )));
        };
        if self.items.len() != other.items.len() {
            return Err(Status::invalid_argument(format!(
                "Trying to add two lists of tensors with different lengths. One is {} and the \
                 other is {}",
                self.items.len(),
                other.items.len()
            )));
        }
        let mut sum = TensorList::new(self.dtype, shape);
        sum.items =
            CountedVec::build(self.items.len(), |i| match (&self.items[i], &other.items[i]) {
                (Some(a), Some(b)) => elements::add(a.clone(), b).map(Some),
                (Some(one), None) | (None, Some(one)) => Ok(Some(one.clone())),
                (None, None) => Ok(None),
            })?;
        Variant::new(sum)
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A `TensorShapeProto`.
fn shape_message(out: &mut Vec<u8>, shape: &PartialShape) {
    let Some(dims) = shape.to_i64() else {
        return out.extend_from_slice(&[0x18, 1]);
    };
    for dim in dims {
        let mut inner = Vec::new();
        if dim != 0 {
            inner.push(0x08);
            varint(&mut inner, dim as u64);
        }
        out.push(0x12);
        varint(out, inner.len() as u64);
        out.extend_from_slice(&inner);
    }
}

/// The list in a scalar variant tensor.
pub(crate) fn list(tensor: &Tensor) -> Result<&TensorList> {
    let [variant] = tensor.variants()? else {
        return Err(Status::invalid_argument(format!(
            "Input list must be a scalar saw: {}",
            tensor.shape()
        )));
    };
    variant.get().ok_or_else(|| {
        Status::invalid_argument(format!("Input handle is not a list. Saw: '{variant:?}'"))
    })
}

/// The tensor with its list changed: in place if nobody else holds it, else in a copy. The change may add tensors
/// whose `variant_depth` is at most `added`.
pub(crate) fn changed(
    mut tensor: Tensor,
    added: usize,
    change: impl FnOnce(&mut TensorList) -> Result<()>,
) -> Result<Tensor> {
    if let Some([variant]) = tensor.variants_mut()
        && let Some(list) = variant.get_mut::<TensorList>(added)?
    {
        change(list)?;
        return Ok(tensor);
    }
    let mut copy = list(&tensor)?.try_clone()?;
    change(&mut copy)?;
    copy.into_tensor()
}

/// The partial shape that input `i` describes: a vector of sizes, or the scalar -1 for no shape.
pub(crate) fn shape_input(cx: &OpContext<'_>, i: usize) -> Result<PartialShape> {
    let tensor = cx.input(i);
    let sizes = tensor.to_i64_vec()?;
    match tensor.rank() {
        0 if sizes == [-1] => Ok(PartialShape::unknown()),
        0 => Err(Status::invalid_argument(
            "The only valid scalar shape tensor is the fully unknown shape specified as -1.",
        )),
        1 => PartialShape::from_i64(&sizes),
        rank => Err(Status::invalid_argument(format!(
            "Shape must be at most rank 1 but is rank {rank}"
        ))),
    }
}

/// A scalar int32 input.
pub(crate) fn scalar_i32(cx: &OpContext<'_>, i: usize) -> Result<i32> {
    cx.scalar_input(i)?.to_scalar()
}

/// `shape_input` for shape functions.
pub(crate) fn inferred_shape(cx: &ShapeContext<'_>, i: usize) -> Result<PartialShape> {
    match cx.input(i).rank() {
        Some(1) => cx.shape_from_input(i),
        _ => Ok(PartialShape::unknown()),
    }
}

/// A first dimension before an element shape.
pub(crate) fn with_rows(rows: Dim, element: &PartialShape) -> PartialShape {
    PartialShape::vector(rows).concat(element)
}

// ---- for gradients -----------------------------------------------------------------------------

/// The element shape of a list, as an int32 tensor.
pub(crate) fn element_shape(cx: &mut GradientContext<'_, '_>, list: Endpoint) -> Result<Endpoint> {
    let attrs = Attrs::new().with("shape_type", DataType::Int32);
    cx.op_with("TensorListElementShape", &[list], attrs)
}

/// The shape of a tensor's rows, as an int32 vector.
pub(crate) fn row_shape(cx: &mut GradientContext<'_, '_>, tensor: Endpoint) -> Result<Endpoint> {
    let shape = cx.shape(tensor)?;
    let begin = cx.constant(Tensor::vector(&[1i32])?)?;
    let size = cx.constant(Tensor::vector(&[-1i32])?)?;
    cx.op("Slice", &[shape, begin, size])
}

/// The attribute that tells an operation the type of a list's elements.
pub(crate) fn of_type(dtype: DataType) -> Attrs {
    Attrs::new().with("element_dtype", dtype)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Option<f32>]) -> TensorList {
        let mut list = TensorList::new(DataType::Float, PartialShape::scalar());
        let items = values.iter().map(|v| v.map(Tensor::scalar)).collect();
        list.items = CountedVec::from_vec(items).unwrap();
        list
    }

    #[test]
    fn metadata_is_what_tensorflow_reads() {
        let mut list = of(&[Some(1.0), None]);
        list.element_shape = PartialShape::of([Some(300), None, Some(0)]);
        let (metadata, tensors) = list.encode().unwrap();
        assert_eq!(tensors.len(), 1);
        let minus_one = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        let mut expected = vec![1, 1, 1];
        expected.extend_from_slice(&minus_one);
        expected.extend_from_slice(&[0x12, 3, 8, 0xac, 2, 0x12, 11, 8]);
        expected.extend_from_slice(&minus_one);
        expected.extend_from_slice(&[0x12, 0]);
        assert_eq!(metadata, expected);
    }

    #[test]
    fn sums_take_what_is_set() {
        let sum = of(&[Some(1.0), None, Some(2.0)]);
        let sum = sum.add(&Variant::new(of(&[Some(4.0), Some(5.0), None])).unwrap()).unwrap();
        let sum = sum.get::<TensorList>().unwrap();
        let values: Vec<f32> =
            sum.items.iter().map(|t| t.as_ref().unwrap().to_scalar().unwrap()).collect();
        assert_eq!(values, [5.0, 5.0, 2.0]);
        assert!(of(&[None]).add(&Variant::new(of(&[])).unwrap()).is_err());
        let zeros = of(&[Some(3.0), None]).zeros_like().unwrap();
        let zeros = zeros.get::<TensorList>().unwrap();
        assert_eq!(zeros.items[0].as_ref().unwrap().to_scalar::<f32>().unwrap(), 0.0);
        assert!(zeros.items[1].is_none());
    }

    #[test]
    fn changes_are_in_place_only_without_other_owners() {
        let tensor = of(&[]).into_tensor().unwrap();
        let shared = tensor.clone();
        let push = |list: &mut TensorList| list.items.push(None);
        let longer = changed(tensor, 0, push).unwrap();
        assert_eq!(list(&shared).unwrap().items.len(), 0);
        let longer = changed(longer, 0, push).unwrap();
        assert_eq!(list(&longer).unwrap().items.len(), 2);
    }

    /// Whether it is copied or changed in place.
    #[test]
    fn lists_nest_only_so_deep() {
        for shared in [false, true] {
            let mut inner = of(&[]).into_tensor().unwrap();
            let refused = (0..100).find_map(|_| {
                let list = TensorList::new(DataType::Variant, PartialShape::scalar());
                let list = list.into_tensor().unwrap();
                let _other_owner = shared.then(|| list.clone());
                let added = inner.variant_depth();
                match changed(list, added, |list| list.items.push(Some(inner.clone()))) {
                    Ok(outer) => inner = outer,
                    Err(refused) => return Some(refused),
                }
                None
            });
            assert!(refused.unwrap().message().contains("nested more than 50 deep"));
            assert_eq!(inner.variant_depth(), 50);
        }
    }
}
