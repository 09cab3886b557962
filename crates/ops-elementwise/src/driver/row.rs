//! Row functions: one contiguous loop per operation and element type, and nothing else, is compiled
//! for each pair of them. Float rows exist twice: for any processor, and for those with AVX2.

/// `out[i] = f(inputs[0][i], inputs[1][i], ...)`; all slices have the length of `out`.
pub(crate) type Row<A, O, const N: usize> = fn([&[A]; N], &mut [O]);

#[inline(always)]
pub(crate) fn map1<A: Copy, O>([a]: [&[A]; 1], out: &mut [O], f: impl Fn(A) -> O) {
    for (o, &x) in out.iter_mut().zip(a) {
        *o = f(x);
    }
}

#[inline(always)]
pub(crate) fn map2<A: Copy, O>([a, b]: [&[A]; 2], out: &mut [O], f: impl Fn(A, A) -> O) {
    for ((o, &x), &y) in out.iter_mut().zip(a).zip(b) {
        *o = f(x, y);
    }
}

#[inline(always)]
pub(crate) fn map3<A: Copy, O>([a, b, c]: [&[A]; 3], out: &mut [O], f: impl Fn(A, A, A) -> O) {
    for (((o, &x), &y), &z) in out.iter_mut().zip(a).zip(b).zip(c) {
        *o = f(x, y, z);
    }
}

/// True when rows compiled for AVX2 and FMA may run here.
pub(crate) fn wide_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// A row function from an expression: `row!(f32 => f32, |x, y| x + y)`. Inside the expression `T`
/// names the input type.
macro_rules! row {
    (f32 => $o:ty, |$($x:ident),+| $body:expr) => { wide_row!(f32, $o, |$($x),+| $body) };
    (f64 => $o:ty, |$($x:ident),+| $body:expr) => { wide_row!(f64, $o, |$($x),+| $body) };
    ($t:ty => $o:ty, |$($x:ident),+| $body:expr) => {{
        #[allow(dead_code, reason = "many expressions do not name the type")]
        type T = $t;
        #[inline(always)]
        fn each($($x: $t),+) -> $o {
            $body
        }
        fn plain(inputs: [&[$t]; row!(@count $($x)+)], out: &mut [$o]) {
            row!(@map $($x)+)(inputs, out, each)
        }
        plain as $crate::driver::Row<$t, $o, { row!(@count $($x)+) }>
    }};
    (@count $a:ident) => { 1 };
    (@count $a:ident $b:ident) => { 2 };
    (@count $a:ident $b:ident $c:ident) => { 3 };
    (@map $a:ident) => { $crate::driver::map1 };
    (@map $a:ident $b:ident) => { $crate::driver::map2 };
    (@map $a:ident $b:ident $c:ident) => { $crate::driver::map3 };
}

/// Like `row!`, compiled a second time for processors with AVX2 and FMA.
macro_rules! wide_row {
    ($t:ty, $o:ty, |$($x:ident),+| $body:expr) => {{
        #[allow(dead_code, reason = "many expressions do not name the type")]
        type T = $t;
        #[inline(always)]
        fn each($($x: $t),+) -> $o {
            $body
        }
        fn plain(inputs: [&[$t]; row!(@count $($x)+)], out: &mut [$o]) {
            row!(@map $($x)+)(inputs, out, each)
        }
        #[cfg(target_arch = "x86_64")]
        fn wide(inputs: [&[$t]; row!(@count $($x)+)], out: &mut [$o]) {
            #[target_feature(enable = "avx2,fma")]
            fn inner(inputs: [&[$t]; row!(@count $($x)+)], out: &mut [$o]) {
                row!(@map $($x)+)(inputs, out, each)
            }
            // SAFETY: this function is handed out below only where `wide_available` holds.
            unsafe { inner(inputs, out) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        use plain as wide;
        let chosen: $crate::driver::Row<$t, $o, { row!(@count $($x)+) }> =
            if $crate::driver::wide_available() { wide } else { plain };
        chosen
    }};
}

/// A kernel whose row is the same expression for several element types:
/// `elementwise!(build, Cost::Cheap, number, |x, y| x.plus(y))`. The output has the input's type
/// unless `=> bool` follows the group. Settings of the kernel follow: `; same_size()`. half and bfloat16 run through the float row.
macro_rules! elementwise {
    ($build:expr, $cost:expr, float $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [f32 f64] $($rest)*)
    };
    ($build:expr, $cost:expr, complex $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [Complex64 Complex128] $($rest)*)
    };
    ($build:expr, $cost:expr, float_complex $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [f32 f64 Complex64 Complex128] $($rest)*)
    };
    ($build:expr, $cost:expr, integer $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [i8 i16 i32 i64 u8 u16 u32 u64] $($rest)*)
    };
    ($build:expr, $cost:expr, signed $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [f32 f64 i8 i16 i32 i64] $($rest)*)
    };
    ($build:expr, $cost:expr, signed_complex $($rest:tt)*) => {
        elementwise!(@list $build, $cost,
            [f32 f64 i8 i16 i32 i64 Complex64 Complex128] $($rest)*)
    };
    ($build:expr, $cost:expr, real $($rest:tt)*) => {
        elementwise!(@list $build, $cost, [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64] $($rest)*)
    };
    ($build:expr, $cost:expr, number $($rest:tt)*) => {
        elementwise!(@list $build, $cost,
            [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 Complex64 Complex128] $($rest)*)
    };
    // Every step of the expression rounds to half or bfloat16, as TensorFlow's compositions do.
    ($build:expr, $cost:expr, stepwise_signed_complex $($rest:tt)*) => {
        match $build.input_dtype(0) {
            downpour_tensor::DataType::Half | downpour_tensor::DataType::BFloat16 => {
                elementwise!(@stepwise $build, $cost, [$($rest)*])
            }
            _ => elementwise!($build, $cost, signed_complex $($rest)*),
        }
    };
    ($build:expr, $cost:expr, stepwise_float_complex $($rest:tt)*) => {
        match $build.input_dtype(0) {
            downpour_tensor::DataType::Half | downpour_tensor::DataType::BFloat16 => {
                elementwise!(@stepwise $build, $cost, [$($rest)*])
            }
            _ => elementwise!($build, $cost, float_complex $($rest)*),
        }
    };
    (@stepwise $build:expr, $cost:expr, $rest:tt) => {
        match $build.input_dtype(0) {
            downpour_tensor::DataType::Half => {
                Ok(elementwise!(@one $build, $cost, f16 $rest).boxed())
            }
            _ => Ok(elementwise!(@one $build, $cost, bf16 $rest).boxed()),
        }
    };
    (@list $build:expr, $cost:expr, [$($t:ident)+] $($rest:tt)*) => {
        elementwise!(@types $build, $cost, [$($t)+] [$($rest)*])
    };
    (@types $build:expr, $cost:expr, [$($t:ident)+] $rest:tt) => {
        match $crate::driver::computed_type($build.input_dtype(0)) {
            $(<$t as downpour_tensor::Element>::DTYPE => {
                Ok(elementwise!(@one $build, $cost, $t $rest).boxed())
            })+
            _ => Err($crate::driver::Elementwise::<f32, f32, 1>::unsupported($build)),
        }
    };
    (@one $build:expr, $cost:expr, $t:ident [, |$($x:ident),+| $body:expr
        $(; $method:ident($($argument:expr),*))*]) => {
        $crate::driver::Elementwise::same($build, $cost, row!($t => $t, |$($x),+| $body))
            $(.$method($($argument),*))*
    };
    (@one $build:expr, $cost:expr, $t:ident [=> bool, |$($x:ident),+| $body:expr
        $(; $method:ident($($argument:expr),*))*]) => {
        $crate::driver::Elementwise::new($build, $cost, row!($t => bool, |$($x),+| $body))
            $(.$method($($argument),*))*
    };
}
