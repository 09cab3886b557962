//! Binary operations on string and variant tensors, which have no contiguous rows.

use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{Bytes, Result, Shape, Tensor, Variant};

/// Applies `f` to every pair of broadcast elements, in output order.
fn pairs<E, O>(
    (a, a_shape): (&[E], &[usize]),
    (b, b_shape): (&[E], &[usize]),
    mut f: impl FnMut(&E, &E) -> Result<O>,
) -> Result<(Shape, Vec<O>)> {
    let plan = Broadcast::new([a_shape, b_shape])?;
    let mut out = Vec::with_capacity(plan.output.elements());
    if plan.output.elements() == 0 {
        return Ok((plan.output, out));
    }
    let [step_a, step_b] = plan.inner_strides();
    let mut failure = None;
    plan.for_rows(0..plan.rows(), |_, [x, y]| {
        for i in 0..plan.inner() {
            match f(&a[x + i * step_a], &b[y + i * step_b]) {
                Ok(value) => out.push(value),
                Err(status) => failure = Some(status),
            }
        }
    });
    match failure {
        Some(status) => Err(status),
        None => Ok((plan.output, out)),
    }
}

pub(super) fn concatenated(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let joined = |x: &Bytes, y: &Bytes| Ok(Bytes::from([&x[..], &y[..]].concat()));
    let (shape, values) = pairs((a.strings()?, a.dims()), (b.strings()?, b.dims()), joined)?;
    Tensor::from_strings(shape, values)
}

/// True where two strings are equal (or unequal, if `equal` is false).
pub(super) fn compared(a: &Tensor, b: &Tensor, equal: bool) -> Result<Tensor> {
    let compare = |x: &Bytes, y: &Bytes| Ok((x == y) == equal);
    let (shape, values) = pairs((a.strings()?, a.dims()), (b.strings()?, b.dims()), compare)?;
    Tensor::from_vec(shape, values)
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
    let (shape, values) = pairs((a.variants()?, a.dims()), (b.variants()?, b.dims()), variant_sum)?;
    Tensor::from_variants(shape, values)
}
