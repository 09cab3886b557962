//! The ways in which an update changes elements of a variable, for all types that have them.

use downpour_runtime::Parallel;
use downpour_tensor::{
    Complex64, Complex128, DataType, Element, Result, Status, Tensor, bf16, dispatch_real, f16,
};

use crate::rows::{for_blocks, for_rows};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    Assign,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// What real and complex numbers have in common; integers wrap.
trait Arithmetic: Element {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Integer divisors are checked to be nonzero before.
    fn over(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    ($($ty:ty: $plus:ident $minus:ident $times:ident $over:ident;)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)] fn plus(self, other: Self) -> Self { self.$plus(other) }
            #[inline(always)] fn minus(self, other: Self) -> Self { self.$minus(other) }
            #[inline(always)] fn times(self, other: Self) -> Self { self.$times(other) }
            #[inline(always)] fn over(self, other: Self) -> Self { self.$over(other) }
        }
    )*};
}
use std::ops::{Add, Div, Mul, Sub};
arithmetic! {
    f32: add sub mul div;
    f64: add sub mul div;
    f16: add sub mul div;
    bf16: add sub mul div;
    Complex64: add sub mul div;
    Complex128: add sub mul div;
    i8: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    i16: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    i32: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    i64: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    u8: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    u16: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    u32: wrapping_add wrapping_sub wrapping_mul wrapping_div;
    u64: wrapping_add wrapping_sub wrapping_mul wrapping_div;
}

macro_rules! dispatch_arithmetic {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: f16, BFloat16: bf16,
            Complex64: Complex64, Complex128: Complex128,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)
    };
}

/// Where the elements of an update go.
enum Target<'a> {
    /// All elements, one by one.
    All,
    /// Rows of this width: update row p (or the one element of the update) goes to row `rows[p]`.
    Rows { rows: &'a [usize], width: usize },
}

/// Changes every element of `target` by the element of `updates` in the same place.
pub(crate) fn update_all(
    update: Update,
    target: &mut Tensor,
    updates: &Tensor,
    parallel: &Parallel,
    op: &str,
) -> Result<()> {
    change(update, target, updates, Target::All, parallel, op)
}

/// Changes the rows `rows` of `target`, each `width` elements, by the rows of `updates` or, if that
/// is a scalar, all by the same element.
pub(crate) fn update_rows(
    update: Update,
    target: &mut Tensor,
    (rows, width): (&[usize], usize),
    updates: &Tensor,
    parallel: &Parallel,
    op: &str,
) -> Result<()> {
    change(update, target, updates, Target::Rows { rows, width }, parallel, op)
}

fn change(
    update: Update,
    target: &mut Tensor,
    updates: &Tensor,
    place: Target<'_>,
    parallel: &Parallel,
    op: &str,
) -> Result<()> {
    let dtype = target.dtype();
    match update {
        Update::Assign => assign(target, updates, place, parallel, op),
        Update::Min | Update::Max => dispatch_real!(dtype, op, T => {
            // The comparison keeps the old element where either is not a number.
            if update == Update::Min {
                run::<T>(target, updates, place, parallel, |old, new| if new < old { new } else { old })
            } else {
                run::<T>(target, updates, place, parallel, |old, new| if new > old { new } else { old })
            }
        }),
        _ => dispatch_arithmetic!(dtype, op, T => match update {
            Update::Add => run::<T>(target, updates, place, parallel, T::plus),
            Update::Sub => run::<T>(target, updates, place, parallel, T::minus),
            Update::Mul => run::<T>(target, updates, place, parallel, T::times),
            _ => run::<T>(target, updates, place, parallel, T::over),
        }),
    }
}

fn run<T: Element>(
    target: &mut Tensor,
    updates: &Tensor,
    place: Target<'_>,
    parallel: &Parallel,
    f: impl Fn(T, T) -> T + Sync,
) -> Result<()> {
    let is_scalar = updates.rank() == 0;
    let updates = updates.as_slice::<T>()?;
    let target = writable(target.as_mut_slice::<T>())?;
    let each = |out: &mut [T], new: &[T]| {
        out.iter_mut().zip(new).for_each(|(out, &new)| *out = f(*out, new));
    };
    match place {
        Target::All => for_blocks(parallel, [target], |start, [block]| {
            each(block, &updates[start..start + block.len()]);
        }),
        Target::Rows { rows, width } if is_scalar => {
            for_rows(parallel, [target], width, rows, |_, [row]| {
                row.iter_mut().for_each(|out| *out = f(*out, updates[0]));
            });
        }
        Target::Rows { rows, width } => {
            for_rows(parallel, [target], width, rows, |position, [row]| {
                each(row, &updates[position * width..(position + 1) * width]);
            });
        }
    }
    Ok(())
}

/// Copies elements of any type.
fn assign(
    target: &mut Tensor,
    updates: &Tensor,
    place: Target<'_>,
    parallel: &Parallel,
    op: &str,
) -> Result<()> {
    let is_scalar = updates.rank() == 0;
    match target.dtype() {
        DataType::String => {
            let updates = updates.strings()?;
            clone_rows(writable(target.strings_mut())?, updates, is_scalar, place, parallel);
        }
        DataType::Variant => {
            let updates = updates.variants()?;
            clone_rows(writable(target.variants_mut())?, updates, is_scalar, place, parallel);
        }
        dtype => {
            let size = dtype.size();
            let (Some(out), Some(new)) = (target.bytes_mut(), updates.bytes()) else {
                return Err(Status::unimplemented(format!("{op} cannot change {dtype} elements")));
            };
            match place {
                Target::All => out.copy_from_slice(new),
                Target::Rows { rows, width } => {
                    let bytes = width * size;
                    for_rows(parallel, [out], bytes, rows, |position, [row]| {
                        if is_scalar {
                            row.chunks_exact_mut(size).for_each(|e| e.copy_from_slice(new));
                        } else {
                            row.copy_from_slice(&new[position * bytes..(position + 1) * bytes]);
                        }
                    });
                }
            }
        }
    }
    Ok(())
}

fn clone_rows<T: Clone + Send + Sync>(
    target: &mut [T],
    updates: &[T],
    is_scalar: bool,
    place: Target<'_>,
    parallel: &Parallel,
) {
    match place {
        Target::All => target.clone_from_slice(updates),
        Target::Rows { rows, width } => {
            for_rows(parallel, [target], width, rows, |position, [row]| {
                if is_scalar {
                    row.fill(updates[0].clone());
                } else {
                    row.clone_from_slice(&updates[position * width..(position + 1) * width]);
                }
            });
        }
    }
}

fn writable<T: ?Sized>(target: Option<&mut T>) -> Result<&mut T> {
    target.ok_or_else(|| Status::internal("a variable under update is not its only owner"))
}

/// True when some element of `updates` is zero.
pub(crate) fn contains_zero(updates: &Tensor, op: &str) -> Result<bool> {
    dispatch_arithmetic!(updates.dtype(), op, T => {
        Ok(updates.as_slice::<T>()?.contains(&T::default()))
    })
}
