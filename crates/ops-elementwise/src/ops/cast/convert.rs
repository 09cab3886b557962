//! Conversions between float, double, the integers and bool.

use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Element, Result, Status, Tensor, dispatch_over};

/// Fills the second tensor with the converted elements of the first.
pub(super) type PairCast = fn(&Tensor, &mut Tensor, &Parallel) -> Result<()>;

/// Conversion of one value. Floats outside an integer type's range give what x86 processors, and so
/// TensorFlow there, give: the type's "indefinite" value, wrapped for narrower types.
trait To<D> {
    fn to(self) -> D;
}

macro_rules! by_as {
    ($($s:ty),*; $targets:tt) => { $(by_as!(@one $s, $targets);)* };
    (@one $s:ty, [$($d:ty),*]) => {$(
        impl To<$d> for $s {
            #[inline(always)]
            fn to(self) -> $d { self as $d }
        }
    )*};
}
by_as!(i8, i16, i32, i64, u8, u16, u32, u64; [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64]);
by_as!(f32, f64; [f32, f64]);

macro_rules! floats_to_integers {
    ($($s:ty),*) => {$(
        impl To<i32> for $s {
            #[inline(always)]
            fn to(self) -> i32 {
                let inside = (-2_147_483_648.0..2_147_483_648.0).contains(&self);
                if inside { self as i32 } else { i32::MIN }
            }
        }
        impl To<i64> for $s {
            #[inline(always)]
            fn to(self) -> i64 {
                const LIMIT: $s = 9_223_372_036_854_775_808.0;
                if (-LIMIT..LIMIT).contains(&self) { self as i64 } else { i64::MIN }
            }
        }
        impl To<u64> for $s {
            #[inline(always)]
            fn to(self) -> u64 {
                const LIMIT: $s = 9_223_372_036_854_775_808.0;
                if self >= LIMIT { self as u64 } else { To::<i64>::to(self) as u64 }
            }
        }
        floats_to_integers!(@through $s, i32, i8 i16 u8 u16);
        floats_to_integers!(@through $s, i64, u32);
    )*};
    (@through $s:ty, $middle:ty, $($d:ty)*) => {$(
        impl To<$d> for $s {
            #[inline(always)]
            fn to(self) -> $d { To::<$middle>::to(self) as $d }
        }
    )*};
}
floats_to_integers!(f32, f64);

macro_rules! with_bool {
    ($($t:ty),*) => {$(
        impl To<bool> for $t {
            #[inline(always)]
            fn to(self) -> bool { self != 0 as $t }
        }
        impl To<$t> for bool {
            #[inline(always)]
            fn to(self) -> $t { self as u8 as $t }
        }
    )*};
}
with_bool!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl To<bool> for bool {
    fn to(self) -> bool {
        self
    }
}

fn convert<S: Element + To<D>, D: Element>(
    from: &Tensor,
    to: &mut Tensor,
    parallel: &Parallel,
) -> Result<()> {
    let values = from.as_slice::<S>()?;
    let out = to
        .as_mut_slice::<D>()
        .ok_or_else(|| Status::internal("the output of a cast cannot be written"))?;
    parallel.for_chunks(out, 1, 32 * 1024, |start, run| {
        for (o, &v) in run.iter_mut().zip(&values[start..]) {
            *o = v.to();
        }
    });
    Ok(())
}

macro_rules! pairs {
    ($dtype:expr, $t:ident => $body:expr) => {
        dispatch_over!($dtype, "Cast", $t => $body,
            Float: f32, Double: f64, Bool: bool,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)
    };
}

/// The loop from one plain type to another.
pub(super) fn pair_cast(from: DataType, to: DataType) -> Result<PairCast> {
    pairs!(from, S => pairs!(to, D => Ok(convert::<S, D> as PairCast)))
}
