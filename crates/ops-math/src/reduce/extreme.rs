//! Max and Min; not-a-number wins.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::{RealNumber, Result, bf16, dispatch_real, f16};

use super::fold::Fold;
use super::{axes, gradient, kernel, reduce};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, KernelFactory); 2] = [
        ("Max", |b| {
            kernel(
                b,
                true,
                |cx, t, plan| dispatch_real!(t.dtype(), "Max", T => reduce::<T, Max>(cx, t, plan)),
            )
        }),
        ("Min", |b| {
            kernel(
                b,
                true,
                |cx, t, plan| dispatch_real!(t.dtype(), "Min", T => reduce::<T, Min>(cx, t, plan)),
            )
        }),
    ];
    for (name, factory) in ops {
        let signature = format!(
            "{name}(input: T, reduction_indices: Tidx) -> (output: T)
                keep_dims: bool = false
                T: {{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16}}
                Tidx: {{int32, int64}} = int32"
        );
        registry.add(
            OpSpec::new(&signature)?.shape(axes::shape).gradient(gradient::extreme),
            factory,
        )?;
    }
    Ok(())
}

/// The ends of a type's order: infinities where it has them.
pub(crate) trait Ordered: RealNumber {
    const LOWEST: Self;
    const HIGHEST: Self;
}

macro_rules! ordered {
    ($($ty:ty, $low:ident, $high:ident;)*) => {$(
        impl Ordered for $ty {
            const LOWEST: $ty = <$ty>::$low;
            const HIGHEST: $ty = <$ty>::$high;
        }
    )*};
}
ordered! {
    f32, NEG_INFINITY, INFINITY; f64, NEG_INFINITY, INFINITY;
    f16, NEG_INFINITY, INFINITY; bf16, NEG_INFINITY, INFINITY;
    i8, MIN, MAX; i16, MIN, MAX; i32, MIN, MAX; i64, MIN, MAX;
    u8, MIN, MAX; u16, MIN, MAX; u32, MIN, MAX; u64, MIN, MAX;
}

pub(crate) struct Max;
impl<T: Ordered> Fold<T> for Max {
    type State = T;
    #[inline(always)]
    fn identity() -> T {
        T::LOWEST
    }
    #[inline(always)]
    fn load(value: T) -> T {
        value
    }
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        if a > b || a.is_nan_value() { a } else { b }
    }
    #[inline(always)]
    fn finish(state: T, _: usize) -> T {
        state
    }
}

pub(crate) struct Min;
impl<T: Ordered> Fold<T> for Min {
    type State = T;
    #[inline(always)]
    fn identity() -> T {
        T::HIGHEST
    }
    #[inline(always)]
    fn load(value: T) -> T {
        value
    }
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        if a < b || a.is_nan_value() { a } else { b }
    }
    #[inline(always)]
    fn finish(state: T, _: usize) -> T {
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(op: &str, x: Tensor) -> Tensor {
        OpTest::new(register, op)
            .input(x)
            .input(Tensor::vector(&[0i64]).unwrap())
            .attr("keep_dims", true)
            .run_one()
            .unwrap()
    }

    #[test]
    fn extremes_and_their_edges() {
        let x = Tensor::from_vec([3, 2], vec![1f32, 5., 9., f32::NAN, 2., 3.]).unwrap();
        let max = run("Max", x.clone());
        assert_eq!(max.dims(), &[1, 2]);
        assert_eq!(max.as_slice::<f32>().unwrap()[0], 9.0);
        assert!(max.as_slice::<f32>().unwrap()[1].is_nan());
        assert!(run("Min", x).as_slice::<f32>().unwrap()[1].is_nan());
        let empty = Tensor::from_vec([0, 1], Vec::<f32>::new()).unwrap();
        assert_eq!(run("Max", empty.clone()).as_slice::<f32>().unwrap(), &[f32::NEG_INFINITY]);
        assert_eq!(run("Min", empty).as_slice::<f32>().unwrap(), &[f32::INFINITY]);
        let ints = Tensor::vector(&[3u8, 200, 7]).unwrap();
        assert_eq!(run("Max", ints).as_slice::<u8>().unwrap(), &[200]);
    }
}
