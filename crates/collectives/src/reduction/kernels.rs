//! The loops that combine elements.

use half::slice::HalfFloatSliceExt;

use super::{CombineKernel, DivideKernel, ManyKernel, Number, Order, ReduceOp};

type Kernels = (CombineKernel, ManyKernel, DivideKernel);

/// Two numbers become one.
trait Fold<T> {
    fn fold(a: T, b: T) -> T;
}

struct Add;
struct Least;
struct Greatest;
struct Multiply;

impl<T: Number> Fold<T> for Add {
    #[inline(always)]
    fn fold(a: T, b: T) -> T {
        a.add_w(b)
    }
}

impl<T: Number> Fold<T> for Multiply {
    #[inline(always)]
    fn fold(a: T, b: T) -> T {
        a.mul_w(b)
    }
}

impl<T: Number> Fold<T> for Least {
    #[inline(always)]
    fn fold(a: T, b: T) -> T {
        if a < b || a.is_nan_value() { a } else { b }
    }
}

impl<T: Number> Fold<T> for Greatest {
    #[inline(always)]
    fn fold(a: T, b: T) -> T {
        if a > b || a.is_nan_value() { a } else { b }
    }
}

/// Kernels of types that compute as they are.
pub(super) fn plain<T: Number>(op: ReduceOp) -> Kernels {
    fn of<T: Number, F: Fold<T>>() -> Kernels {
        (combine::<T, F>, combine_many::<T, F>, divide::<T>)
    }
    match op {
        ReduceOp::Sum | ReduceOp::Mean => of::<T, Add>(),
        ReduceOp::Min => of::<T, Least>(),
        ReduceOp::Max => of::<T, Greatest>(),
        ReduceOp::Product => of::<T, Multiply>(),
    }
}

/// Kernels of 16-bit floats, which compute in 32 bits.
pub(super) fn half<T: Half>(op: ReduceOp) -> Kernels {
    fn of<T: Half, F: Fold<f32>>() -> Kernels {
        (combine_half::<T, F>, combine_many_half::<T, F>, divide_half::<T>)
    }
    match op {
        ReduceOp::Sum | ReduceOp::Mean => of::<T, Add>(),
        ReduceOp::Min => of::<T, Least>(),
        ReduceOp::Max => of::<T, Greatest>(),
        ReduceOp::Product => of::<T, Multiply>(),
    }
}

/// `combine` with two runs of 32-bit elements; buffers are aligned, see `Reduction::check`.
fn combine<T: Number, F: Fold<T>>(destination: &mut [u8], incoming: &[u8], order: Order) {
    let destination: &mut [T] = bytemuck::cast_slice_mut(destination);
    fold_into::<T, F>(destination, bytemuck::cast_slice(incoming), order);
}

#[inline(always)]
fn fold_into<T: Copy, F: Fold<T>>(destination: &mut [T], incoming: &[T], order: Order) {
    let pairs = destination.iter_mut().zip(incoming);
    match order {
        Order::DestinationFirst => pairs.for_each(|(d, &i)| *d = F::fold(*d, i)),
        Order::IncomingFirst => pairs.for_each(|(d, &i)| *d = F::fold(i, *d)),
    }
}

fn combine_many<T: Number, F: Fold<T>>(destination: &mut [u8], runs: &[&[u8]]) {
    let Some((first, rest)) = runs.split_first() else { return };
    destination.copy_from_slice(first);
    for run in rest {
        combine::<T, F>(destination, run, Order::DestinationFirst);
    }
}

fn divide<T: Number>(elements: &mut [u8], ranks: usize) {
    let elements: &mut [T] = bytemuck::cast_slice_mut(elements);
    // A count of ranks fits every type but the small integers, where dividing by more than the type can
    // hold leaves nothing.
    match T::from_usize(ranks) {
        Some(ranks) => elements.iter_mut().for_each(|e| *e = *e / ranks),
        None => elements.fill(T::zero()),
    }
}

/// Elements converted at once.
const BLOCK: usize = 256;

/// A 16-bit float.
pub(super) trait Half: Number {
    fn widen(from: &[Self], to: &mut [f32]);
    fn narrow(from: &[f32], to: &mut [Self]);
}

macro_rules! half {
    ($($ty:ty),*) => {$(
        impl Half for $ty {
            fn widen(from: &[Self], to: &mut [f32]) {
                from.convert_to_f32_slice(to);
            }
            fn narrow(from: &[f32], to: &mut [Self]) {
                to.convert_from_f32_slice(from);
            }
        }
    )*};
}
half!(half::f16, half::bf16);

fn combine_half<T: Half, F: Fold<f32>>(destination: &mut [u8], incoming: &[u8], order: Order) {
    let destination: &mut [T] = bytemuck::cast_slice_mut(destination);
    let incoming: &[T] = bytemuck::cast_slice(incoming);
    let (mut sum, mut next) = ([0.0; BLOCK], [0.0; BLOCK]);
    for (there, here) in destination.chunks_mut(BLOCK).zip(incoming.chunks(BLOCK)) {
        let (sum, next) = (&mut sum[..there.len()], &mut next[..here.len()]);
        T::widen(there, sum);
        T::widen(here, next);
        fold_into::<f32, F>(sum, next, order);
        T::narrow(sum, there);
    }
}

fn combine_many_half<T: Half, F: Fold<f32>>(destination: &mut [u8], runs: &[&[u8]]) {
    let Some((first, rest)) = runs.split_first() else { return };
    let destination: &mut [T] = bytemuck::cast_slice_mut(destination);
    let (mut sum, mut next) = ([0.0; BLOCK], [0.0; BLOCK]);
    for (block, there) in destination.chunks_mut(BLOCK).enumerate() {
        let place = block * BLOCK..block * BLOCK + there.len();
        let (sum, next) = (&mut sum[..there.len()], &mut next[..there.len()]);
        T::widen(&bytemuck::cast_slice(first)[place.clone()], sum);
        for run in rest {
            T::widen(&bytemuck::cast_slice(run)[place.clone()], next);
            fold_into::<f32, F>(sum, next, Order::DestinationFirst);
        }
        T::narrow(sum, there);
    }
}

fn divide_half<T: Half>(elements: &mut [u8], ranks: usize) {
    let elements: &mut [T] = bytemuck::cast_slice_mut(elements);
    let mut wide = [0.0; BLOCK];
    for block in elements.chunks_mut(BLOCK) {
        let wide = &mut wide[..block.len()];
        T::widen(block, wide);
        wide.iter_mut().for_each(|e| *e /= ranks as f32);
        T::narrow(wide, block);
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::DataType;

    use crate::reduction::{Order, ReduceOp, Reduction};

    fn combined<T: super::Number>(op: ReduceOp, a: &[T], b: &[T]) -> Vec<T> {
        let mut out = a.to_vec();
        let reduction = Reduction::new(op, T::DTYPE).unwrap();
        let incoming = bytemuck::cast_slice(b);
        reduction.combine(bytemuck::cast_slice_mut(&mut out), incoming, Order::DestinationFirst);
        out
    }

    #[test]
    fn every_operation_does_what_it_says() {
        assert_eq!(combined(ReduceOp::Sum, &[1.5f32, 2.0], &[1.0, -5.0]), [2.5, -3.0]);
        assert_eq!(combined(ReduceOp::Product, &[3i64, i64::MAX], &[-2, 2]), [-6, -2]);
        assert_eq!(combined(ReduceOp::Min, &[3i32, 1], &[2, 5]), [2, 1]);
        assert_eq!(combined(ReduceOp::Max, &[3u8, 1], &[2, 5]), [3, 5]);
        assert!(Reduction::new(ReduceOp::Sum, DataType::String).is_err());
        let nan = combined(ReduceOp::Min, &[f64::NAN, 1.0], &[1.0, f64::NAN]);
        assert!(nan.iter().all(|v| v.is_nan()));
    }

    #[test]
    fn sixteen_bit_sums_of_many_round_once() {
        // 2048 + 1 is 2048 in float16: rounded one by one nothing would ever be added.
        let (large, one) = (half::f16::from_f32(2048.0), half::f16::ONE);
        let runs: Vec<[u8; 2]> =
            [large, one, one, one, one].iter().map(|v| v.to_le_bytes()).collect();
        let runs: Vec<&[u8]> = runs.iter().map(|r| &r[..]).collect();
        let reduction = Reduction::new(ReduceOp::Sum, DataType::Half).unwrap();
        let mut out = [half::f16::ZERO];
        // The runs above need not be aligned; copies of them are.
        let aligned: Vec<Vec<half::f16>> =
            runs.iter().map(|r| vec![half::f16::from_le_bytes([r[0], r[1]])]).collect();
        let aligned: Vec<&[u8]> = aligned.iter().map(|r| bytemuck::cast_slice(r)).collect();
        reduction.combine_many(bytemuck::cast_slice_mut(&mut out), &aligned);
        assert_eq!(out[0].to_f32(), 2052.0);
    }

    #[test]
    fn means_divide() {
        let mut sums = [6i32, -7];
        Reduction::new(ReduceOp::Mean, DataType::Int32)
            .unwrap()
            .finish(bytemuck::cast_slice_mut(&mut sums), 2);
        assert_eq!(sums, [3, -3]);
        let mut sums = [7u8];
        Reduction::new(ReduceOp::Mean, DataType::UInt8)
            .unwrap()
            .finish(bytemuck::cast_slice_mut(&mut sums), 1000);
        assert_eq!(sums, [0]);
    }
}
