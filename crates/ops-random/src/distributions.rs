//! How blocks of random bits become numbers of each distribution and type.

use downpour_tensor::{Element, bf16, f16};

use crate::philox::{Philox, Singles, unit_double, unit_float};

/// Draws whole groups of values; the tail of an output takes the start of one more group.
pub(crate) trait Distribution: Copy + Sync {
    type Value: Element;
    /// Values per group: 4, or 2 of the 8-byte types.
    const GROUP: usize = if size_of::<Self::Value>() == 8 { 2 } else { 4 };
    /// Blocks of the generator between the starts of two groups.
    const BLOCKS: u64 = 1;
    /// Only the first `GROUP` values count.
    fn group(&self, philox: &mut Philox) -> [Self::Value; 4];
}

/// Uniform in [0, 1).
#[derive(Clone, Copy)]
pub(crate) struct Uniform<T>(pub std::marker::PhantomData<T>);

/// Standard normal.
#[derive(Clone, Copy)]
pub(crate) struct Normal<T>(pub std::marker::PhantomData<T>);

/// Standard normal, redrawn while beyond two standard deviations.
#[derive(Clone, Copy)]
pub(crate) struct TruncatedNormal<T>(pub std::marker::PhantomData<T>);

/// Any integer of the type.
#[derive(Clone, Copy)]
pub(crate) struct FullInt<T>(pub std::marker::PhantomData<T>);

/// Integers from `low` up to below `low + range`, slightly biased as the remainder of a division is.
#[derive(Clone, Copy)]
pub(crate) struct UniformInt<T, U> {
    pub low: T,
    pub range: U,
}

fn pair<T: Default + Copy>(values: [T; 2]) -> [T; 4] {
    [values[0], values[1], T::default(), T::default()]
}

fn words(block: [u32; 4]) -> [u64; 2] {
    let b = block.map(u64::from);
    [b[0] | b[1] << 32, b[2] | b[3] << 32]
}

impl Distribution for Uniform<f32> {
    type Value = f32;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [f32; 4] {
        philox.next().map(unit_float)
    }
}

impl Distribution for Uniform<f64> {
    type Value = f64;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [f64; 4] {
        pair(uniform_doubles(philox))
    }
}

impl Distribution for Uniform<f16> {
    type Value = f16;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [f16; 4] {
        let one = |bits: u32| f16::from_bits(15 << 10 | bits as u16 & 0x3ff);
        philox.next().map(|bits| f16::from_f32(one(bits).to_f32() - 1.0))
    }
}

impl Distribution for Uniform<bf16> {
    type Value = bf16;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [bf16; 4] {
        let one = |bits: u32| bf16::from_bits(127 << 7 | bits as u16 & 0x7f);
        philox.next().map(|bits| bf16::from_f32(one(bits).to_f32() - 1.0))
    }
}

pub(crate) fn uniform_doubles(philox: &mut Philox) -> [f64; 2] {
    let [a, b, c, d] = philox.next();
    [unit_double(a, b), unit_double(c, d)]
}

pub(crate) fn normal_doubles(philox: &mut Philox) -> [f64; 2] {
    box_muller_double(philox.next())
}

/// Two normal numbers from two uniform ones. Small values are kept away from the logarithm.
#[inline]
pub(crate) fn box_muller_float(x0: u32, x1: u32) -> [f32; 2] {
    let u1 = unit_float(x0).max(1.0e-7);
    let angle = (2.0 * std::f64::consts::PI * f64::from(unit_float(x1))) as f32;
    let radius = (-2.0 * u1.ln()).sqrt();
    let (sin, cos) = angle.sin_cos();
    [sin * radius, cos * radius]
}

#[inline]
fn box_muller_double(x: [u32; 4]) -> [f64; 2] {
    let u1 = unit_double(x[0], x[1]).max(1.0e-7);
    let angle = 2.0 * std::f64::consts::PI * unit_double(x[2], x[3]);
    let radius = (-2.0 * u1.ln()).sqrt();
    let (sin, cos) = angle.sin_cos();
    [sin * radius, cos * radius]
}

fn normal_floats(philox: &mut Philox) -> [f32; 4] {
    let x = philox.next();
    let ([a, b], [c, d]) = (box_muller_float(x[0], x[1]), box_muller_float(x[2], x[3]));
    [a, b, c, d]
}

impl Distribution for Normal<f64> {
    type Value = f64;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [f64; 4] {
        pair(normal_doubles(philox))
    }
}

/// Blocks kept for one group of truncated normals: 256 numbers per value.
const RESERVED: u64 = 256;

/// Fills a group from pairs of normals, leaving out those beyond two deviations. A group may
/// need more blocks than it owns only with odds far beyond any use.
fn truncated<T: Copy + Into<f64> + Default, const N: usize>(
    philox: &mut Philox,
    draw: impl Fn(&mut Singles) -> [T; 2],
) -> [T; 4] {
    let mut singles = Singles::new(*philox);
    let mut out = [T::default(); 4];
    let mut count = 0;
    loop {
        for value in draw(&mut singles) {
            if Into::<f64>::into(value).abs() < 2.0 {
                out[count] = value;
                count += 1;
                if count == N {
                    return out;
                }
            }
        }
    }
}

fn truncated_floats(philox: &mut Philox) -> [f32; 4] {
    truncated::<f32, 4>(philox, |singles| {
        let x0 = singles.next();
        box_muller_float(x0, singles.next())
    })
}

impl Distribution for TruncatedNormal<f64> {
    type Value = f64;
    const BLOCKS: u64 = 2 * RESERVED / 4;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [f64; 4] {
        truncated::<f64, 2>(philox, |s| {
            let (x0, x1, x2) = (s.next(), s.next(), s.next());
            box_muller_double([x0, x1, x2, s.next()])
        })
    }
}

macro_rules! normals {
    ($($ty:ty, $from:expr;)*) => {$(
        impl Distribution for Normal<$ty> {
            type Value = $ty;
            #[inline]
            fn group(&self, philox: &mut Philox) -> [$ty; 4] {
                normal_floats(philox).map($from)
            }
        }
        impl Distribution for TruncatedNormal<$ty> {
            type Value = $ty;
            const BLOCKS: u64 = 4 * RESERVED / 4;
            #[inline]
            fn group(&self, philox: &mut Philox) -> [$ty; 4] {
                truncated_floats(philox).map($from)
            }
        }
    )*};
}
normals! { f32, |v| v; f16, f16::from_f32; bf16, bf16::from_f32; }

macro_rules! integers {
    ($($ty:ty),* ; $($wide:ty),*) => {
        $(impl Distribution for FullInt<$ty> {
            type Value = $ty;
            #[inline]
            fn group(&self, philox: &mut Philox) -> [$ty; 4] {
                philox.next().map(|v| v as $ty)
            }
        })*
        $(impl Distribution for FullInt<$wide> {
            type Value = $wide;
            #[inline]
            fn group(&self, philox: &mut Philox) -> [$wide; 4] {
                pair(words(philox.next()).map(|v| v as $wide))
            }
        })*
    };
}
integers!(i32, u32; i64, u64);

impl Distribution for UniformInt<i32, u32> {
    type Value = i32;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [i32; 4] {
        philox.next().map(|v| self.low.wrapping_add((v % self.range) as i32))
    }
}

impl Distribution for UniformInt<i64, u64> {
    type Value = i64;
    #[inline]
    fn group(&self, philox: &mut Philox) -> [i64; 4] {
        pair(words(philox.next()).map(|v| self.low.wrapping_add((v % self.range) as i64)))
    }
}
