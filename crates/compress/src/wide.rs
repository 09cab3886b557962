//! A loop compiled twice: for any processor, and for those with AVX2.
//!
//! Neither form contracts a product and a sum into one rounding, and sums are kept in a fixed number of lanes, so both
//! give the same bits: workers on unlike machines agree.

/// Defines a function whose body is compiled a second time with AVX2; which one runs is decided at each call.
macro_rules! wide {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $(<$t:ident: $bound:path>)? (
        $($arg:ident: $ty:ty),* $(,)?
    ) $(-> $out:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? {
            #[inline(always)]
            fn plain $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn with_avx2 $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? {
                    plain($($arg),*)
                }
                // SAFETY: the processor has AVX2, as was asked just above.
                return unsafe { with_avx2($($arg),*) };
            }
            plain($($arg),*)
        }
    };
}
