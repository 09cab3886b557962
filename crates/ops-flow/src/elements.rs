//! Joining and cutting tensors of any element type.

use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
pub(crate) use downpour_tensor::{add_tensors as add, zeros_like};

/// A tensor of `shape` whose elements are those of `parts` one after the other.
pub(crate) fn join(dtype: DataType, shape: Shape, parts: &[Tensor]) -> Result<Tensor> {
    if let Some(wrong) = parts.iter().find(|p| p.dtype() != dtype) {
        return Err(Status::invalid_argument(format!(
            "a {} tensor cannot become part of a {dtype} tensor",
            wrong.dtype()
        )));
    }
    match dtype {
        DataType::String => {
            let mut all = parts
                .iter()
                .map(|p| p.strings())
                .collect::<Result<Vec<_>>>()?
                .into_iter()
                .flatten();
            let missing = || Status::internal("parts do not fill their joined shape");
            Tensor::build_strings(shape, |_| all.next().cloned().ok_or_else(missing))
        }
        DataType::Resource => {
            let mut all = Vec::new();
            parts.iter().try_for_each(|p| p.handles().map(|s| all.extend_from_slice(s)))?;
            Tensor::from_handles(shape, all)
        }
        DataType::Variant => {
            let mut all = Vec::new();
            parts.iter().try_for_each(|p| p.variants().map(|s| all.extend_from_slice(s)))?;
            Tensor::from_variants(shape, all)
        }
        _ => {
            let mut joined = Tensor::new(dtype, shape)?;
            let out = joined.bytes_mut().expect("a new plain tensor has one owner");
            let mut at = 0;
            for part in parts {
                let bytes = part.bytes().unwrap_or_default();
                out.get_mut(at..at + bytes.len())
                    .ok_or_else(|| Status::internal("parts exceed their joined shape"))?
                    .copy_from_slice(bytes);
                at += bytes.len();
            }
            if at != out.len() {
                return Err(Status::internal("parts do not fill their joined shape"));
            }
            Ok(joined)
        }
    }
}

/// Equally shaped tensors stacked along a new first axis.
pub(crate) fn stack(dtype: DataType, element: &Shape, parts: &[Tensor]) -> Result<Tensor> {
    join(dtype, prepend(parts.len(), element), parts)
}

/// `shape` with a dimension before it.
pub(crate) fn prepend(dim: usize, shape: &Shape) -> Shape {
    std::iter::once(dim).chain(shape.iter().copied()).collect()
}

/// Row `i` of a tensor, without the first axis and with contents of its own (a kept row must not
/// keep the whole tensor in memory).
pub(crate) fn row(tensor: &Tensor, i: usize) -> Result<Tensor> {
    let shape: Shape = tensor.dims()[1..].into();
    tensor.rows(i, i + 1)?.into_shape(shape)?.deep_copy()
}

/// What two partial shapes tell together, or TensorFlow's complaint.
pub(crate) fn merge_shapes(a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    a.merge(b).ok_or_else(|| match (a.rank(), b.rank()) {
        (Some(x), Some(y)) if x != y => Status::invalid_argument(format!(
            "PartialTensorShape: Incompatible ranks during merge: {x} vs. {y}"
        )),
        _ => Status::invalid_argument(format!(
            "PartialTensorShape: Incompatible shapes during merge: {a} vs. {b}"
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_order_and_checks_types() {
        let a = Tensor::vector(&[1i32, 2]).unwrap();
        let b = Tensor::vector(&[3i32]).unwrap();
        let all = join(DataType::Int32, [3].into(), &[a.clone(), b]).unwrap();
        assert_eq!(all.as_slice::<i32>().unwrap(), &[1, 2, 3]);
        let s = Tensor::string("x");
        assert_eq!(
            stack(DataType::String, &Shape::scalar(), &[s.clone(), s.clone()]).unwrap().dims(),
            [2]
        );
        assert!(join(DataType::Int32, [3].into(), &[a.clone(), s]).is_err());
        assert!(join(DataType::Int32, [3].into(), &[a]).is_err());
    }
}
