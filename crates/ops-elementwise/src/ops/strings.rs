//! Binary operations on string and variant tensors, which have no contiguous rows.

use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor, Variant};

/// Puts `f` of every pair of broadcast elements into a new tensor, whose memory is asked for first.
fn pairs<E, O>(
    (a, a_shape): (&[E], &[usize]),
    (b, b_shape): (&[E], &[usize]),
    dtype: DataType,
    elements: impl FnOnce(&mut Tensor) -> Option<&mut [O]>,
    f: impl Fn(&E, &E) -> Result<O>,
) -> Result<Tensor> {
    let plan = Broadcast::new([a_shape, b_shape])?;
    let mut tensor = Tensor::new(dtype, &plan.output)?;
    if plan.output.elements() == 0 {
        return Ok(tensor);
    }
    let out = elements(&mut tensor).ok_or_else(|| Status::internal("a new tensor is shared"))?;
    let mut places = out.iter_mut();
    let [step_a, step_b] = plan.inner_strides();
    let mut failure = None;
    plan.for_rows(0..plan.rows(), |_, [x, y]| {
        for (i, place) in (0..plan.inner()).zip(&mut places) {
            // After a failure the rest is not computed: the first one may have been for want of memory.
            if failure.is_some() {
                return;
            }
            match f(&a[x + i * step_a], &b[y + i * step_b]) {
                Ok(value) => *place = value,
                Err(status) => failure = Some(status),
            }
        }
    });
    match failure {
        Some(status) => Err(status),
        None => Ok(tensor),
    }
}

pub(super) fn concatenated(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (x, y) = ((a.strings()?, a.dims()), (b.strings()?, b.dims()));
    let joined =
        |x: &ByteString, y: &ByteString| ByteString::joined([&x[..], &y[..]].into_iter(), b"");
    pairs(x, y, DataType::String, Tensor::strings_mut, joined)
}

/// True where two strings are equal (or unequal, if `equal` is false).
pub(super) fn compared(a: &Tensor, b: &Tensor, equal: bool) -> Result<Tensor> {
    let (x, y) = ((a.strings()?, a.dims()), (b.strings()?, b.dims()));
    let compare = |x: &ByteString, y: &ByteString| Ok((x == y) == equal);
    pairs(x, y, DataType::Bool, Tensor::as_mut_slice::<bool>, compare)
}

/// The sum of two variants; an empty one counts as zero.
pub(super) fn variant_sum(x: &Variant, y: &Variant) -> Result<Variant> {
    match (x.value(), y.value()) {
        (Some(value), Some(_)) => value.add(y),
        (Some(_), None) => Ok(x.clone()),
        (None, _) => Ok(y.clone()),
    }
}

pub(super) fn variants_added(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (x, y) = ((a.variants()?, a.dims()), (b.variants()?, b.dims()));
    pairs(x, y, DataType::Variant, Tensor::variants_mut, variant_sum)
}
